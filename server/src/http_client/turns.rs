//! How many requests run at once, in all and per host.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Requests at once (docs/spec/widgets.md 11).
pub(super) const AT_ONCE: usize = 32;
/// Requests at once to one host (docs/spec/widgets.md 11).
pub(super) const PER_HOST: usize = 6;

/// From this many remembered hosts on, those without requests are forgotten.
const CROWD: usize = 128;

/// Hands out the turns.
#[derive(Debug)]
pub(super) struct Turns {
    all: Arc<Semaphore>,
    hosts: Mutex<HashMap<String, Weak<Semaphore>>>,
}

/// The right to call a host, given back when dropped; so also when a request is cancelled.
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
    /// The turn at the host comes first, so that a slow host's queue takes no place from the others. Anyone who holds a
    /// turn must not wait for another: two such requests could wait for each other for ever.
    pub(super) async fn take(&self, host: &str) -> Turn {
        // Acquiring fails only on a closed semaphore, and nobody closes these.
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
