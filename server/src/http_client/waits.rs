//! How long requests have waited for their turn: time that says nothing about the service that is asked.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::time::Instant;

/// The time in which requests of one lookup have waited and none of them ran. Cheap to clone; clones count together.
#[derive(Clone, Debug, Default)]
pub struct Waits(Arc<Mutex<Counts>>);

#[derive(Debug, Default)]
struct Counts {
    waiting: usize,
    running: usize,
    /// All that has come to an end.
    total: Duration,
    /// Since when it is going on.
    since: Option<Instant>,
}

impl Counts {
    /// Notes one that begins or ends to wait or to run.
    fn change(&mut self, change: impl FnOnce(&mut Self)) {
        change(self);
        if self.waiting > 0 && self.running == 0 {
            self.since.get_or_insert_with(Instant::now);
        } else if let Some(since) = self.since.take() {
            self.total += since.elapsed();
        }
    }
}

impl Waits {
    fn lock(&self) -> MutexGuard<'_, Counts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All that was waited up to now.
    pub fn total(&self) -> Duration {
        let counts = self.lock();
        counts.total + counts.since.map(|since| since.elapsed()).unwrap_or_default()
    }

    /// Whether requests wait now, and for those of others alone.
    pub fn is_waiting(&self) -> bool {
        self.lock().since.is_some()
    }

    /// Waits for a turn, also if that is given up.
    pub(super) async fn during<T>(&self, turn: impl Future<Output = T>) -> T {
        let _waiting = Counted::begin(self, |counts| &mut counts.waiting);
        turn.await
    }

    /// Runs a request that has its turn.
    pub(super) async fn while_running<T>(&self, request: impl Future<Output = T>) -> T {
        let _running = Counted::begin(self, |counts| &mut counts.running);
        request.await
    }
}

/// Counts as long as it is there.
struct Counted<'a>(&'a Waits, fn(&mut Counts) -> &mut usize);

impl<'a> Counted<'a> {
    fn begin(waits: &'a Waits, which: fn(&mut Counts) -> &mut usize) -> Self {
        waits.lock().change(|counts| *which(counts) += 1);
        Self(waits, which)
    }
}

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        self.0.lock().change(|counts| *self.1(counts) -= 1);
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
        // Behind a request of its own.
        tokio::join!(waits.while_running(sleep(seconds(4))), waits.during(sleep(seconds(2))));
        assert_eq!(waits.total(), seconds(3));
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
