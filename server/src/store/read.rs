//! Reads config files by name, completely, and never in the middle of a write.

use std::{
    fs::{self, File},
    io::{self, Read as _},
    ops::Deref,
    path::{Path, PathBuf},
    sync::Arc,
};

use bytes::Bytes;
use config::{Document, MAX_READ_BYTES};

use super::{Backup, ConfigFile, FileFailure, FileName, Folder, Store, SubPageFile, backup::is_backup};

/// A config file as a document.
#[derive(Debug)]
pub enum Loaded {
    /// The file is watched, so the version in memory is current.
    Watched(Arc<ConfigFile>),
    /// It was read for this request.
    Read(Document),
}

impl Deref for Loaded {
    type Target = Document;

    fn deref(&self) -> &Document {
        match self {
            Self::Watched(file) => &file.document,
            Self::Read(document) => document,
        }
    }
}

impl Store {
    /// A file that pages are made of, as it is on disk now: a change that no poll has seen yet is read first. `None` for other
    /// files, and for missing or broken files.
    pub async fn watched_now(&self, name: &str) -> Option<Arc<ConfigFile>> {
        if self.has_changed(name) {
            self.reload_if_changed().await;
        }
        self.watched(name)
    }

    /// A file that pages are made of, as of the last poll. `None` for other files, and for missing or broken files.
    /// Never waits.
    pub fn watched(&self, name: &str) -> Option<Arc<ConfigFile>> {
        let site = self.site();
        let file = if name == self.main {
            site.root.as_ref().filter(|root| site.failure.is_none() && root.stored)
        } else {
            site.pages.get(name).and_then(SubPageFile::current)
        };
        file.map(Arc::clone)
    }

    /// Reads a file of the user-data directory.
    ///
    /// # Errors
    ///
    /// [`FileFailure`] when it is not there, is not a regular file, leads out of the directory or cannot be read.
    pub async fn read_file(&self, name: &str) -> Result<Bytes, FileFailure> {
        let fail = |error: &io::Error| FileFailure::of_disk(name, error);
        let path = match self.resolve(name).await {
            Ok(path) => path,
            Err(error) if error.kind() == io::ErrorKind::NotFound && self.is_link(name).await => {
                return Err(FileFailure::of_dangling_link(name));
            }
            Err(error) => return Err(fail(&error)),
        };
        let in_place = Arc::clone(&self.folder.in_place);
        let read = move || read_whole(&path, MAX_READ_BYTES as u64, &in_place);
        let read = tokio::task::spawn_blocking(read).await.unwrap_or_else(|error| Err(io::Error::other(error)));
        read.map_err(|error| fail(&error))
    }

    /// The names of all config files, in code point order; without backups.
    ///
    /// # Errors
    ///
    /// The directory cannot be read.
    pub async fn list(&self) -> io::Result<Vec<String>> {
        let directory = self.directory().to_owned();
        let main = self.main.clone();
        let list = move || -> io::Result<Vec<String>> {
            let root = fs::canonicalize(&directory)?;
            let mut names: Vec<String> = directory
                .read_dir()?
                .flatten()
                .filter_map(|entry| entry.file_name().into_string().ok())
                .filter(|name| FileName::parse(name).is_ok() && !is_backup(name))
                .filter(|name| {
                    let path = fs::canonicalize(directory.join(name));
                    path.is_ok_and(|path| path.is_file() && (*name == main || path.starts_with(&root)))
                })
                .collect();
            names.sort_unstable();
            Ok(names)
        };
        tokio::task::spawn_blocking(list).await.unwrap_or_else(|error| Err(io::Error::other(error)))
    }

    /// The backups of a file, the newest first, those of earlier runs too.
    pub async fn backups(&self, name: &str) -> Vec<Backup> {
        Arc::clone(&self.storage).backups(name.to_owned()).await.unwrap_or_default()
    }

    /// The bytes of a backup of a file; none if there is no such backup.
    ///
    /// # Errors
    ///
    /// It cannot be read.
    pub async fn backup(&self, name: &str, backup: &str) -> io::Result<Option<Vec<u8>>> {
        Arc::clone(&self.storage).backup(name.to_owned(), backup.to_owned()).await
    }

    /// The file behind a name, with links followed.
    async fn resolve(&self, name: &str) -> io::Result<PathBuf> {
        let path = tokio::fs::canonicalize(self.directory().join(name)).await?;
        self.folder.reject_other_files(name, &path)?;
        Ok(path)
    }

    /// Whether a name is that of a link.
    async fn is_link(&self, name: &str) -> bool {
        tokio::fs::symlink_metadata(self.directory().join(name)).await.is_ok_and(|about| about.is_symlink())
    }
}

impl Folder {
    /// Rejects everything that is not a config file. A link that leads out of the user-data directory is rejected,
    /// except for the main config: people mount that file elsewhere on purpose.
    pub(super) fn reject_other_files(&self, name: &str, path: &Path) -> io::Result<()> {
        let is_inside = || fs::canonicalize(&self.directory).is_ok_and(|directory| path.starts_with(directory));
        let metadata = fs::metadata(path)?;
        if name != self.main && !is_inside() {
            return Err(io::ErrorKind::NotFound.into());
        }
        if metadata.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        // Opening a pipe would block until someone writes to it.
        if metadata.is_file() { Ok(()) } else { Err(io::ErrorKind::Unsupported.into()) }
    }

    /// The whole content of a file.
    pub(super) fn read_at(&self, path: &Path, max: u64) -> io::Result<Bytes> {
        read_whole(path, max, &self.in_place)
    }
}

/// The whole content of a file; the old content while it is being overwritten in place.
fn read_whole(path: &Path, max: u64, in_place: &super::in_place::InPlace) -> io::Result<Bytes> {
    loop {
        let begun = in_place.begun();
        if let Some(bytes) = in_place.bytes(path) {
            return Ok(bytes);
        }
        let file = File::open(path)?;
        // The bytes are cached, so allocate exactly what they need. One extra byte detects the end of the file.
        let expected = file.metadata()?.len().min(max) + 1;
        let mut bytes = Vec::with_capacity(usize::try_from(expected).unwrap_or_default());
        file.take(max + 1).read_to_end(&mut bytes)?;
        if in_place.begun() == begun {
            if bytes.len() as u64 > max {
                return Err(io::ErrorKind::FileTooLarge.into());
            }
            return Ok(bytes.into());
        }
    }
}
