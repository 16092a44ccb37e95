//! Limits how many requests run at once, in total and per host, and how soon after one another they start.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Duration, Instant, sleep_until};

/// Maximum concurrent requests (docs/spec/widgets.md 11).
pub(super) const AT_ONCE: usize = 32;
/// Maximum concurrent requests to one host (docs/spec/widgets.md 11).
pub(super) const PER_HOST: usize = 6;

/// Above this number of remembered hosts, those without requests are forgotten.
const CROWD: usize = 128;

/// Hands out the turns.
#[derive(Debug)]
pub(super) struct RequestLimiter {
    all: Arc<Semaphore>,
    hosts: Mutex<HashMap<String, Weak<Semaphore>>>,
    /// When the next spaced request to a host may start.
    next_starts: Mutex<HashMap<String, Instant>>,
}

/// The right to contact a host. Dropping it gives it back, also when a request is cancelled.
#[derive(Debug)]
pub(super) struct RequestPermit {
    _all: Option<OwnedSemaphorePermit>,
    _host: Option<OwnedSemaphorePermit>,
}

impl Default for RequestLimiter {
    fn default() -> Self {
        Self { all: Arc::new(Semaphore::new(AT_ONCE)), hosts: Mutex::default(), next_starts: Mutex::default() }
    }
}

impl RequestLimiter {
    /// Waits for a turn at this host, in order of arrival, and until `spacing` has passed since the previous request
    /// that had one.
    ///
    /// The turn at the host comes first, so that a slow host's queue takes no slot from the others. A caller that holds
    /// a turn must not wait for another: two such requests could deadlock.
    pub(super) async fn acquire(&self, host: &str, spacing: Duration) -> RequestPermit {
        // Acquiring fails only on a closed semaphore, and these are never closed.
        let of_host = self.semaphore(host).acquire_owned().await.ok();
        if !spacing.is_zero() {
            sleep_until(self.reserve_start(host, spacing)).await;
        }
        let of_all = Arc::clone(&self.all).acquire_owned().await.ok();
        RequestPermit { _all: of_all, _host: of_host }
    }

    /// When a spaced request to this host may start. The start of a cancelled request is not given to another.
    fn reserve_start(&self, host: &str, spacing: Duration) -> Instant {
        let mut next_starts = self.next_starts.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        next_starts.retain(|_, next| *next > now);
        let start = next_starts.get(host).copied().unwrap_or(now);
        next_starts.insert(host.to_owned(), start + spacing);
        start
    }

    fn semaphore(&self, host: &str) -> Arc<Semaphore> {
        let mut hosts = self.hosts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = hosts.get(host).and_then(Weak::upgrade) {
            return known;
        }
        if hosts.len() >= CROWD {
            hosts.retain(|_, semaphore| semaphore.strong_count() > 0);
        }
        let fresh = Arc::new(Semaphore::new(PER_HOST));
        hosts.insert(host.to_owned(), Arc::downgrade(&fresh));
        fresh
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn spaced_requests_to_one_host_start_one_after_another() {
        const SPACING: Duration = Duration::from_secs(6);
        let limiter = RequestLimiter::default();
        let began = Instant::now();
        let take = async |host: &str, spacing: Duration| {
            limiter.acquire(host, spacing).await;
            began.elapsed().as_secs()
        };
        let starts = tokio::join!(
            take("slow.test", SPACING),
            take("slow.test", SPACING),
            take("slow.test", SPACING),
            take("slow.test", Duration::ZERO),
            take("other.test", SPACING),
        );
        assert_eq!(starts, (0, 6, 12, 0, 0));
        tokio::time::advance(SPACING * 3).await;
        assert_eq!(take("slow.test", SPACING).await, 30, "nobody waits for a request that was long ago");
    }
}
