//! Files that are overwritten because they cannot be replaced.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use bytes::Bytes;

/// The files that are currently being overwritten in place, with the bytes that readers get in the meantime.
#[derive(Debug, Default)]
pub(super) struct InPlace {
    files: Mutex<HashMap<PathBuf, Bytes>>,
    begun: AtomicU64,
}

impl InPlace {
    /// How many files have been overwritten so far; a reader that sees it grow may have read mixed content.
    pub(super) fn begun(&self) -> u64 {
        self.begun.load(Ordering::SeqCst)
    }

    /// The bytes to use for a file that is being overwritten.
    pub(super) fn bytes(&self, path: &Path) -> Option<Bytes> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner).get(path).cloned()
    }

    pub(super) fn begin(&self, path: &Path, bytes: Bytes) {
        self.files.lock().unwrap_or_else(PoisonError::into_inner).insert(path.to_owned(), bytes);
        self.begun.fetch_add(1, Ordering::SeqCst);
    }

    pub(super) fn end(&self, path: &Path) {
        self.files.lock().unwrap_or_else(PoisonError::into_inner).remove(path);
    }
}
