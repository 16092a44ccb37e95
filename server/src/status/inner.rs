//! What all copies of the checker share.

use std::{
    collections::HashMap,
    future::Future,
    hash::RandomState,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{SystemTime, UNIX_EPOCH},
};

use tokio::{
    sync::{Notify, Semaphore, watch},
    time::Instant,
};

use super::{check::Check, containers::Containers, outcome::Outcome, queue::Queue, wanted::CheckId};
use crate::{database::Database, platform::metrics::metrics};

pub(super) type Pending = Pin<Box<dyn Future<Output = Outcome> + Send>>;

pub(super) type Run = dyn Fn(Arc<Check>) -> Pending + Send + Sync;

pub(super) struct Inner {
    pub(super) run: Arc<Run>,
    /// What the container engines say.
    pub(super) containers: Arc<Containers>,
    /// Where results are shared with other servers.
    pub(super) database: Option<Arc<Database>>,
    /// The checks that are shared, by their keys there.
    pub(super) shared_ids: Mutex<HashMap<String, CheckId>>,
    pub(super) ids: RandomState,
    pub(super) queue: Mutex<Queue>,
    /// Wakes the task that runs the checks.
    pub(super) wake: Arc<Notify>,
    /// A number that grows with every state change.
    pub(super) changes: watch::Sender<u64>,
    /// The number of results so far.
    pub(super) results: watch::Sender<u64>,
    pub(super) permits: Arc<Semaphore>,
    /// Checks that were requested individually.
    pub(super) shared: Mutex<HashMap<CheckId, Shared>>,
}

pub(super) type Shared = (Instant, Arc<tokio::sync::OnceCell<Outcome>>);

impl Inner {
    pub(super) fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stores a result; `theirs` says that it is that of another server.
    pub(super) fn finish(&self, id: CheckId, outcome: Outcome, theirs: bool) {
        if let Some(metrics) = metrics().filter(|_| !theirs) {
            metrics.check(outcome.is_up, outcome.took);
        }
        let change = self.queue().finish_as(id, outcome, Instant::now(), since_1970(), theirs);
        if let Some(number) = change {
            self.changes.send_modify(|known| *known = number.max(*known));
        }
        self.results.send_modify(|count| *count += 1);
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.wake.notify_one();
    }
}

pub(super) fn since_1970() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}
