//! The steps on the disk that a write is made of, as a trait: so that tests can make each of them fail.

use std::{
    fmt::Debug,
    fs::{File, OpenOptions},
    io::{self, Seek as _, Write as _},
    path::Path,
};

/// What a write asks of the disk. All of it may block.
pub trait Disk: Debug + Send + Sync {
    /// Creates a file that must not exist yet; nobody else may read it.
    ///
    /// # Errors
    ///
    /// The directory cannot be written, or the name is taken.
    fn create(&self, path: &Path) -> io::Result<File>;

    /// Opens a file that exists, for writing; its content stays.
    ///
    /// # Errors
    ///
    /// The file is not there or cannot be written.
    fn open(&self, path: &Path) -> io::Result<File>;

    /// Makes these bytes the whole content and brings them to the disk. What the file had before is overwritten, not
    /// given back first, so that a full disk still holds it.
    ///
    /// # Errors
    ///
    /// The disk is full or failed; the file may then hold a mixture.
    fn fill(&self, file: &mut File, bytes: &[u8]) -> io::Result<()>;

    /// Puts a file in the place of another.
    ///
    /// # Errors
    ///
    /// The directory cannot be written, or the other file is a mount point.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
}

/// The disk itself.
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
