//! Limits how many requests run at once, in total and per host.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Maximum concurrent requests (docs/spec/widgets.md 11).
pub(super) const AT_ONCE: usize = 32;
/// Maximum concurrent requests to one host (docs/spec/widgets.md 11).
pub(super) const PER_HOST: usize = 6;

/// Above this number of remembered hosts, those without requests are forgotten.
const CROWD: usize = 128;

/// Hands out the turns.
#[derive(Debug)]
pub(super) struct Turns {
    all: Arc<Semaphore>,
    hosts: Mutex<HashMap<String, Weak<Semaphore>>>,
}

/// The right to contact a host. Dropping it gives it back, also when a request is cancelled.
#[derive(Debug)]
pub(super) struct Turn {
    _all: Option<OwnedSemaphorePermit>,
    _host: Option<OwnedSemaphorePermit>,
}

impl Default for Turns {
    fn default() -> Self {
        Self { all: Arc::new(Semaphore::new(AT_ONCE)), hosts: Mutex::default() }
    }
}

impl Turns {
    /// Waits for a turn at this host, in order of arrival.
    ///
    /// The turn at the host comes first, so that a slow host's queue takes no slot from the others. A caller that holds
    /// a turn must not wait for another: two such requests could deadlock.
    pub(super) async fn take(&self, host: &str) -> Turn {
        // Acquiring fails only on a closed semaphore, and these are never closed.
        let of_host = self.semaphore(host).acquire_owned().await.ok();
        let of_all = Arc::clone(&self.all).acquire_owned().await.ok();
        Turn { _all: of_all, _host: of_host }
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
