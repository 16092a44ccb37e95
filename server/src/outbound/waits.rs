//! How long requests have waited for their turn: time that says nothing about the service that is asked.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::time::Instant;

/// The time that the requests of one lookup have waited, however many of them at once. Cheap to clone; clones count
/// together.
#[derive(Clone, Debug, Default)]
pub struct Waits(Arc<Mutex<Waited>>);

#[derive(Debug, Default)]
struct Waited {
    total: Duration,
    /// How many wait now, and since when at least one does.
    waiting: usize,
    since: Option<Instant>,
}

impl Waits {
    fn lock(&self) -> MutexGuard<'_, Waited> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All that was waited up to now.
    pub fn total(&self) -> Duration {
        let waited = self.lock();
        waited.total + waited.since.map(|since| since.elapsed()).unwrap_or_default()
    }

    /// Whether somebody waits now.
    pub fn is_waiting(&self) -> bool {
        self.lock().waiting > 0
    }

    /// Counts the time that something takes, also if it is given up.
    pub(super) async fn during<T>(&self, turn: impl Future<Output = T>) -> T {
        let _counting = Counting::begin(self);
        turn.await
    }
}

/// Counts as long as it is there.
struct Counting<'a>(&'a Waits);

impl<'a> Counting<'a> {
    fn begin(waits: &'a Waits) -> Self {
        let mut waited = waits.lock();
        waited.waiting += 1;
        waited.since.get_or_insert_with(Instant::now);
        Self(waits)
    }
}

impl Drop for Counting<'_> {
    fn drop(&mut self) {
        let mut waited = self.0.lock();
        waited.waiting -= 1;
        if waited.waiting == 0
            && let Some(since) = waited.since.take()
        {
            waited.total += since.elapsed();
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::{sleep, timeout};

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn what_waits_at_the_same_time_counts_once() {
        let waits = Waits::default();
        let seconds = Duration::from_secs;
        tokio::join!(waits.during(sleep(seconds(2))), waits.during(sleep(seconds(3))));
        sleep(seconds(5)).await;
        assert_eq!((waits.total(), waits.is_waiting()), (seconds(3), false));
        let given_up = timeout(seconds(1), waits.during(std::future::pending::<()>()));
        let look = async {
            sleep(Duration::from_millis(500)).await;
            (waits.total(), waits.is_waiting())
        };
        let (given_up, seen) = tokio::join!(given_up, look);
        assert!(given_up.is_err());
        assert_eq!(seen, (Duration::from_millis(3500), true));
        assert_eq!((waits.total(), waits.is_waiting()), (seconds(4), false));
    }
}
