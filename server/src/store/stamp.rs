//! Detects that a file has changed without reading it.

use std::{fs::Metadata, path::Path, time::SystemTime};

/// Identifies a state of a file without reading it: time, size, inode number and time of its last change.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(super) struct Stamp(Option<(SystemTime, u64, u64, i64)>);

impl Stamp {
    /// The current state of a file.
    pub fn of(path: &Path) -> Self {
        Self(about(path).and_then(|file| {
            let (number, changed) = identity(&file);
            Some((file.modified().ok()?, file.len(), number, changed))
        }))
    }
}

/// The metadata at a path: of a link's target, or of the link itself if the target does not exist.
fn about(path: &Path) -> Option<Metadata> {
    std::fs::metadata(path).or_else(|_| std::fs::symlink_metadata(path)).ok()
}

#[cfg(unix)]
fn identity(file: &Metadata) -> (u64, i64) {
    use std::os::unix::fs::MetadataExt as _;
    (file.ino(), file.ctime().wrapping_mul(1_000_000_000) + file.ctime_nsec())
}

#[cfg(not(unix))]
fn identity(_: &Metadata) -> (u64, i64) {
    (0, 0)
}
