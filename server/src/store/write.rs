//! Writing a config file: one write at a time, with a backup, and atomically (docs/spec/api.md 9).

use std::{
    collections::HashMap,
    fs::{self, Metadata},
    io,
    path::{Path, PathBuf},
    sync::{Arc, MutexGuard, PoisonError},
};

use bytes::Bytes;
use config::{Config, Document};
use tokio::sync::oneshot;

use super::{
    Author, Change, Edit, Folder, Store, Stored,
    failure::is_no_file,
    lock::WriteLock,
    temporary::{FileAccess, Temporary},
    write_error::{WriteError, failed, stopped},
};
use crate::platform::{
    io_error::{reason, reason_not_to_write},
    metrics::metrics,
};

/// Maximum size of a stored file, in bytes, that can be backed up and replaced.
const MAX_REPLACED: u64 = 64 * 1024 * 1024;

/// A text and its parsed form.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The text.
    pub bytes: Bytes,
    /// The parsed document.
    pub document: Document,
    /// The typed main config, if it is known.
    pub config: Option<Config>,
}

/// The result of an edit.
#[derive(Clone, Debug)]
pub struct Edited<T> {
    /// The new text.
    pub bytes: Bytes,
    /// The parsed document, so that it need not be parsed again.
    pub document: Document,
    /// The typed main config, if the edit knows it.
    pub config: Option<Config>,
    /// The return value of the edit.
    pub outcome: T,
}

/// The result of a write.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct WriteResult<T> {
    /// Name of the backup; `None` if there was no file, or backups are off.
    pub backup: Option<String>,
    /// The return value of the edit.
    pub outcome: T,
}

/// A file as it is before a change.
struct Old {
    bytes: Bytes,
    metadata: Metadata,
}

impl Store {
    /// Reads a file, lets `edit` make the new text from the bytes (`None` if the file does not exist), makes a backup
    /// and writes the file. Changes to one file happen one after the other, in order of arrival; when this returns,
    /// pages show the new content.
    ///
    /// # Errors
    ///
    /// The error of `edit`, or a [`WriteError`]. The file is unchanged then, and there is no new backup.
    pub async fn change<T, E, F>(self: &Arc<Self>, author: Author, name: &str, edit: F) -> Result<WriteResult<T>, E>
    where
        T: Send + 'static,
        E: From<WriteError> + Send + 'static,
        F: FnOnce(Option<&Bytes>) -> Result<Edited<T>, E> + Send + 'static,
    {
        let store = Arc::clone(self);
        let owned = name.to_owned();
        // A separate task: a client that disconnects must neither cancel a write nor release the queue too early.
        let task = tokio::spawn(async move {
            if store.is_copy(&owned) {
                return Err(WriteError::Copy { name: owned }.into());
            }
            let directory = store.directory();
            let key = tokio::fs::canonicalize(directory.join(&owned)).await.unwrap_or_else(|_| directory.join(&owned));
            let _turn = store.queues.enter(key).await;
            // The storage knows neither what the edit returns nor its errors.
            let (sender, mut edited) = oneshot::channel();
            let edit = move |old: Option<&Bytes>| {
                let (result, bytes) = match edit(old) {
                    Ok(edited) => {
                        let bytes = edited.bytes.clone();
                        (Ok(edited), Some(bytes))
                    }
                    Err(error) => (Err(error), None),
                };
                _ = sender.send(result);
                bytes
            };
            let stored = Arc::clone(&store.storage).change(author, owned.clone(), Box::new(edit)).await?;
            match (stored, edited.try_recv()) {
                (Stored::Changed(backup), Ok(Ok(Edited { bytes, document, config, outcome }))) => {
                    store.reload(&owned, Parsed { bytes, document, config }).await;
                    Ok(WriteResult { backup, outcome })
                }
                (_, Ok(Err(error))) => Err(error),
                _ => Err(stopped(&owned).into()),
            }
        });
        let result = task.await;
        if let Some(metrics) = metrics() {
            metrics.write(matches!(result, Ok(Ok(_))));
        }
        result.unwrap_or_else(|error| {
            tracing::error!("the write of `{name}` stopped: {error}");
            Err(stopped(name).into())
        })
    }
}

impl Folder {
    /// Changes a file. Blocks on the disk.
    pub(super) fn change_now(&self, author: Author, name: &str, edit: Edit) -> Result<Stored, WriteError> {
        let _lock = WriteLock::take(&self.directory)
            .map_err(|_| failed(name, "another server has been writing to the folder for too long"))?;
        let (path, old) = self.old(name)?;
        let Some(bytes) = edit(old.as_ref().map(|old| &old.bytes)) else { return Ok(Stored::Unchanged) };
        // Both mostly wait for the disk, so they run concurrently. Neither touches the current file.
        let (kept, temporary) = std::thread::scope(|scope| {
            let keeping = self
                .backups
                .as_ref()
                .zip(old.as_ref())
                .map(|(backups, old)| scope.spawn(|| backups.keep(&*self.disk, name, &old.bytes, &old.metadata)));
            let temporary = self.write_beside(&path, name, old.as_ref(), &bytes);
            let kept = keeping.map(|keeping| {
                keeping.join().unwrap_or_else(|_| Err(io::Error::other("the backup was stopped by a fault")))
            });
            (kept, temporary)
        });
        let backup = match kept.transpose() {
            Ok(backup) => backup,
            Err(error) => return Err(self.without_backup(&path, name, &error, temporary)),
        };
        let before = self.written().insert(name.to_owned(), bytes.clone());
        if let Err(error) = self.replace(&path, name, temporary, old.as_ref(), &bytes) {
            match before {
                Some(before) => self.written().insert(name.to_owned(), before),
                None => self.written().remove(name),
            };
            // A backup of an unchanged file would only push older ones out.
            let is_unchanged = || fs::read(&path).is_ok_and(|now| old.as_ref().is_some_and(|old| old.bytes == now));
            if let (Some(backups), Some(backup)) = (&self.backups, &backup)
                && is_unchanged()
            {
                backups.discard(backup);
            }
            return Err(not_written(&path, name, &error));
        }
        if let (Some(backups), Some(backup)) = (&self.backups, &backup) {
            backups.prune(name, backup);
        }
        let before = old.as_ref().map(|old| old.bytes.as_ref()).unwrap_or_default();
        self.history.add(&Change::new(name, author, backup.clone(), before, &bytes));
        Ok(Stored::Changed(backup))
    }

    /// The last content that this server wrote to each file.
    pub(super) fn written(&self) -> MutexGuard<'_, HashMap<String, Bytes>> {
        self.written.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Why a file whose backup failed was not written. If it could not be written either, that is what has to be mended.
    fn without_backup(
        &self,
        path: &Path,
        name: &str,
        error: &io::Error,
        temporary: io::Result<Temporary>,
    ) -> WriteError {
        let writable = match temporary {
            Err(error) if only_the_place_refuses(&error) => self.disk.open(path).map(drop),
            other => other.map(drop),
        };
        tracing::error!("no backup can be written in {}: {error}", self.backup_directory.display());
        match writable {
            Err(error) => not_written(path, name, &error),
            Ok(()) => WriteError::Backup {
                name: name.to_owned(),
                reason: reason_not_to_write(error, &self.backup_directory),
                is_optional: !matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded),
            },
        }
    }

    /// The path that a name refers to, and its content.
    fn old(&self, name: &str) -> Result<(PathBuf, Option<Old>), WriteError> {
        let unreadable = |error: &io::Error| match error.kind() {
            io::ErrorKind::NotFound => WriteError::Missing { name: name.to_owned() },
            _ if is_no_file(error) => WriteError::Missing { name: name.to_owned() },
            _ => WriteError::Unreadable { name: name.to_owned(), reason: reason(error).into() },
        };
        let named = self.directory.join(name);
        let path = match fs::canonicalize(&named) {
            Ok(path) => path,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok((named, None)),
            Err(error) => return Err(unreadable(&error)),
        };
        self.reject_other_files(name, &path).map_err(|error| unreadable(&error))?;
        let metadata = fs::metadata(&path).map_err(|error| unreadable(&error))?;
        let bytes = self.read_at(&path, MAX_REPLACED).map_err(|error| unreadable(&error))?;
        Ok((path, Some(Old { bytes, metadata })))
    }

    /// Writes the new content to a temporary file.
    fn write_beside(&self, path: &Path, name: &str, old: Option<&Old>, new: &Bytes) -> io::Result<Temporary> {
        let directory = path.parent().ok_or(io::ErrorKind::NotFound)?;
        let access = old.map_or(FileAccess::NEW, |old| FileAccess::replacing(&old.metadata));
        Temporary::write(&*self.disk, directory, name, new, access)
    }

    fn replace(
        &self,
        path: &Path,
        name: &str,
        temporary: io::Result<Temporary>,
        old: Option<&Old>,
        new: &Bytes,
    ) -> io::Result<()> {
        let renamed = temporary.and_then(|temporary| temporary.replace(&*self.disk, path));
        match (renamed, old) {
            (Err(error), Some(old)) if only_the_place_refuses(&error) => {
                tracing::debug!("`{name}` is written in place: {error}");
                self.overwrite(path, old, new)
            }
            (result, _) => result,
        }
    }

    /// Overwrites the old content. Readers get the old content from memory in the meantime; after a power cut it is in
    /// the backup.
    fn overwrite(&self, path: &Path, old: &Old, new: &Bytes) -> io::Result<()> {
        let mut file = self.disk.open(path)?;
        self.in_place.begin(path, old.bytes.clone());
        let result = self.disk.fill(&mut file, new).inspect_err(|_| {
            if let Err(error) = self.disk.fill(&mut file, &old.bytes) {
                tracing::error!(
                    "the old content of a config file cannot be put back, take it from the backup: {error}"
                );
            }
        });
        self.in_place.end(path);
        result
    }
}

/// Whether a file cannot be replaced, but possibly overwritten: it is a mount point, or new files cannot be created
/// beside it.
fn only_the_place_refuses(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ResourceBusy
            | io::ErrorKind::CrossesDevices
            | io::ErrorKind::PermissionDenied
            | io::ErrorKind::ReadOnlyFilesystem
    )
}

fn not_written(path: &Path, name: &str, error: &io::Error) -> WriteError {
    // Messages contain no absolute paths, but the log does.
    tracing::error!("{} cannot be written: {error}", path.display());
    failed(name, &reason_not_to_write(error, path.parent().unwrap_or(path)))
}
