//! A disk whose operations fail on demand.

use std::{fs::File, io, path::Path};

use server::store::{Disk, LocalDisk};

/// An operation on the disk.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Operation {
    Create,
    Open,
    Fill,
    Rename,
}

/// Decides by path which operations fail, and how.
pub type Rule = fn(Operation, &str) -> Option<io::ErrorKind>;

/// The disk.
#[derive(Debug)]
pub struct FaultyDisk(pub Rule);

impl FaultyDisk {
    /// A read-only disk.
    pub fn read_only() -> Self {
        Self(|operation, _| {
            matches!(operation, Operation::Create | Operation::Open).then_some(io::ErrorKind::PermissionDenied)
        })
    }

    fn fail_as_planned(&self, operation: Operation, path: &Path) -> io::Result<()> {
        (self.0)(operation, &path.display().to_string()).map_or(Ok(()), |kind| Err(kind.into()))
    }
}

impl Disk for FaultyDisk {
    fn create(&self, path: &Path) -> io::Result<File> {
        self.fail_as_planned(Operation::Create, path)?;
        LocalDisk.create(path)
    }

    fn open(&self, path: &Path) -> io::Result<File> {
        self.fail_as_planned(Operation::Open, path)?;
        LocalDisk.open(path)
    }

    /// Fails after half of the bytes, as a full disk does.
    fn fill(&self, file: &mut File, bytes: &[u8]) -> io::Result<()> {
        let path = std::fs::read_link(format!("/proc/self/fd/{}", std::os::fd::AsRawFd::as_raw_fd(file)))?;
        if let Err(error) = self.fail_as_planned(Operation::Fill, &path) {
            io::Write::write_all(file, &bytes[..bytes.len() / 2])?;
            return Err(error);
        }
        LocalDisk.fill(file, bytes)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.fail_as_planned(Operation::Rename, to)?;
        LocalDisk.rename(from, to)
    }
}
