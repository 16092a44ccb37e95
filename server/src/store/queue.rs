//! One queue per file: writers wait for those before them.

use std::{
    collections::HashMap,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
};

use tokio::sync::{Mutex as Queue, OwnedMutexGuard};

/// The queues of all files that are being written.
#[derive(Debug, Default)]
pub struct Queues(Mutex<HashMap<PathBuf, Arc<Queue<()>>>>);

impl Queues {
    /// Waits for the turn at a file; dropping the guard ends it. Turns are first come, first served.
    pub async fn enter(&self, file: PathBuf) -> OwnedMutexGuard<()> {
        let queue = {
            let mut queues = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            // Queues without waiters are dropped, so invented names cost no memory.
            queues.retain(|_, queue| Arc::strong_count(queue) > 1);
            Arc::clone(queues.entry(file).or_default())
        };
        queue.lock_owned().await
    }
}
