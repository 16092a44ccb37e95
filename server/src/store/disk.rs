//! The disk operations of a write as a trait, so that tests can make each of them fail.

use std::{
    fmt::Debug,
    fs::{File, OpenOptions},
    io::{self, Seek as _, Write as _},
    path::Path,
};

/// The disk operations that a write needs. All of them may block.
pub trait Disk: Debug + Send + Sync {
    /// Creates a file that must not exist yet, readable only by its owner.
    ///
    /// # Errors
    ///
    /// The directory cannot be written, or the name is taken.
    fn create(&self, path: &Path) -> io::Result<File>;

    /// Opens an existing file for writing; keeps its content.
    ///
    /// # Errors
    ///
    /// The file is not there or cannot be written.
    fn open(&self, path: &Path) -> io::Result<File>;

    /// Makes these bytes the whole content and flushes them. Existing content is overwritten instead of truncated
    /// first, so that a full disk still has room.
    ///
    /// # Errors
    ///
    /// The disk is full or failed; the file may then have mixed content.
    fn fill(&self, file: &mut File, bytes: &[u8]) -> io::Result<()>;

    /// Replaces another file with this one.
    ///
    /// # Errors
    ///
    /// The directory cannot be written, or the other file is a mount point.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
}

/// The real disk.
#[derive(Clone, Copy, Debug, Default)]
pub struct LocalDisk;

impl Disk for LocalDisk {
    fn create(&self, path: &Path) -> io::Result<File> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        {
            use std::os::unix::fs::OpenOptionsExt as _;
            options.mode(0o600);
        }
        options.open(path)
    }

    fn open(&self, path: &Path) -> io::Result<File> {
        OpenOptions::new().write(true).open(path)
    }

    fn fill(&self, file: &mut File, bytes: &[u8]) -> io::Result<()> {
        file.rewind()?;
        file.write_all(bytes)?;
        file.set_len(bytes.len() as u64)?;
        file.sync_all()
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        std::fs::rename(from, to)
    }
}
