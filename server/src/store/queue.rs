//! One queue for each file: who writes waits for who came before.

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
    /// Waits for the turn at a file, which ends when the guard is dropped. Turns come in the order of asking.
    pub async fn enter(&self, file: PathBuf) -> OwnedMutexGuard<()> {
        let queue = {
            let mut queues = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            // Queues in which nobody waits are forgotten, so invented names cost no memory.
            queues.retain(|_, queue| Arc::strong_count(queue) > 1);
            Arc::clone(queues.entry(file).or_default())
        };
        queue.lock_owned().await
    }
}
