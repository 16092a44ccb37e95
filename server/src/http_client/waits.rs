//! How long requests have waited for their turn: this time says nothing about the service.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::time::Instant;

/// The time during which requests of one lookup waited and none of them ran. Cheap to clone; clones share the count.
#[derive(Clone, Debug, Default)]
pub struct Waits(Arc<Mutex<Counts>>);

#[derive(Debug, Default)]
struct Counts {
    waiting: usize,
    running: usize,
    /// The total of all finished waits.
    total: Duration,
    /// Start of the current wait.
    since: Option<Instant>,
}

impl Counts {
    /// Records that a request starts or stops waiting or running.
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

    /// The total wait up to now.
    pub fn total(&self) -> Duration {
        let counts = self.lock();
        counts.total + counts.since.map(|since| since.elapsed()).unwrap_or_default()
    }

    /// Whether requests are waiting now, and only because of requests of others.
    pub fn is_waiting(&self) -> bool {
        self.lock().since.is_some()
    }

    /// Waits for a turn; the wait counts even if it is cancelled.
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

/// Counts while it exists.
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
        // Waiting behind a request of its own lookup.
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
