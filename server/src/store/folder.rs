//! The files in a folder, with backups in another one and a history in a file.

use std::{
    collections::{HashMap, HashSet},
    io::{self, Write as _},
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
    time::{SystemTime, UNIX_EPOCH},
};

use bytes::Bytes;
use futures_util::{FutureExt as _, future::BoxFuture};

use super::{
    Author, Backup, Change, ConfigFile, Disk, LAST_READ_FILE, Site,
    backup::Backups,
    history::History,
    in_place::InPlace,
    last_read::{LastRead, modified},
    pictures::{self, KeptPicture},
    storage::{Edit, Storage, Stored},
    write_error::{WriteError, stopped},
};
use crate::{platform::io_error::reason, settings::Settings};

/// How many changes are read to find out whether one is in the history already.
const MAX_NOTED: usize = 1000;
/// How long after a write of another server its change may be seen here, in milliseconds.
const NOTED_MILLIS: u128 = 5000;

/// A user-data directory.
#[derive(Debug)]
pub struct Folder {
    pub(super) directory: PathBuf,
    /// Name of the main config.
    pub(super) main: String,
    pub(super) disk: Arc<dyn Disk>,
    /// None when backups are off.
    pub(super) backups: Option<Arc<Backups>>,
    /// The directory of backups, including those of earlier runs.
    pub(super) backup_directory: PathBuf,
    /// Who changed what.
    pub(super) history: Arc<History>,
    /// The last content that this server wrote to each file, so that it is not taken for a change on disk.
    pub(super) written: Mutex<HashMap<String, Bytes>>,
    pub(super) in_place: Arc<InPlace>,
}

impl Folder {
    /// The folder that the settings name.
    pub(super) fn new(settings: &Settings, disk: Arc<dyn Disk>) -> Self {
        let backups = &settings.backups;
        let directory = settings.user_data.clone();
        let backup_directory = backups.directory.clone().unwrap_or_else(|| directory.join("config-backups"));
        Self {
            main: settings.main_config.clone(),
            disk,
            backups: (!backups.disabled).then(|| Arc::new(Backups::new(backup_directory.clone(), backups.limit))),
            backup_directory,
            history: Arc::new(History::in_folder(&directory)),
            written: Mutex::default(),
            in_place: Arc::default(),
            directory,
        }
    }

    /// Backs up what a file contained before a change on disk.
    fn back_up(&self, name: &str, content: &[u8]) -> Option<String> {
        let metadata = std::fs::metadata(self.directory.join(name)).ok();
        let (backups, metadata) = self.backups.as_ref().zip(metadata)?;
        match backups.keep(&*self.disk, name, content, &metadata) {
            Ok(backup) => {
                backups.prune(name, &backup);
                Some(backup)
            }
            Err(error) => {
                tracing::warn!("what `{name}` contained before a change on disk cannot be backed up: {error}");
                None
            }
        }
    }

    /// Whether another server with this folder has just noted that it replaced this content.
    fn has_just_been_noted(&self, name: &str, content: &[u8]) -> bool {
        let Some(backups) = &self.backups else { return false };
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis();
        let recent = backups.list(name).into_iter().take_while(|backup| u128::from(backup.at) + NOTED_MILLIS > now);
        let mut contents = recent.filter_map(|backup| backups.read(name, &backup.name).ok().flatten());
        contents.any(|before| before == content)
    }

    /// All backups, those of earlier runs too.
    fn all_backups(&self) -> Backups {
        Backups::new(self.backup_directory.clone(), 0)
    }
}

impl Storage for Folder {
    fn change(
        self: Arc<Self>,
        author: Author,
        name: String,
        edit: Edit,
    ) -> BoxFuture<'static, Result<Stored, WriteError>> {
        let file = name.clone();
        let change = tokio::task::spawn_blocking(move || self.change_now(author, &file, edit));
        let finished = move |result: Result<_, tokio::task::JoinError>| {
            result.unwrap_or_else(|error| {
                tracing::error!("the write of `{name}` stopped: {error}");
                Err(stopped(&name))
            })
        };
        change.map(finished).boxed()
    }

    fn keep_picture(
        self: Arc<Self>,
        stem: String,
        ending: &'static str,
        bytes: Bytes,
    ) -> BoxFuture<'static, io::Result<KeptPicture>> {
        blocking(move || pictures::keep(&self.directory, &stem, ending, &bytes))
    }

    fn write_own(self: Arc<Self>, name: &'static str, content: Bytes) -> BoxFuture<'static, io::Result<()>> {
        blocking(move || {
            // Only the owner can read such a file.
            let mut draft = tempfile::Builder::new().prefix(name).tempfile_in(&self.directory)?;
            draft.write_all(&content)?;
            draft.persist(self.directory.join(name)).map_err(|error| error.error)?;
            Ok(())
        })
    }

    fn backups(self: Arc<Self>, name: String) -> BoxFuture<'static, io::Result<Vec<Backup>>> {
        blocking(move || Ok(self.all_backups().list(&name)))
    }

    fn backup(self: Arc<Self>, name: String, backup: String) -> BoxFuture<'static, io::Result<Option<Vec<u8>>>> {
        blocking(move || self.all_backups().read(&name, &backup))
    }

    fn backup_names(self: Arc<Self>) -> BoxFuture<'static, HashSet<String>> {
        let list = move || {
            let entries = self.backup_directory.read_dir().into_iter().flatten().flatten();
            Ok(entries.filter_map(|entry| entry.file_name().into_string().ok()).collect())
        };
        blocking(list).map(Result::unwrap_or_default).boxed()
    }

    fn changes(self: Arc<Self>, before: u64, count: usize) -> BoxFuture<'static, io::Result<Vec<Change>>> {
        blocking(move || self.history.latest(before, count))
    }

    fn next_backup(&self, name: &str, time: &str) -> Option<String> {
        Some(self.backups.as_ref()?.next(&self.directory, name, time))
    }

    fn is_writable(&self) -> bool {
        is_writable(&self.directory)
    }

    fn note_change_on_disk(&self, old: &ConfigFile, new: &ConfigFile) {
        {
            let mut written = self.written();
            if written.get(&new.name) == Some(&new.bytes) {
                return;
            }
            written.remove(&new.name);
        }
        if !self.has_just_been_noted(&old.name, &old.bytes) {
            let backup = self.back_up(&old.name, &old.bytes);
            self.history.add(&Change::new(&old.name, Author::DISK, backup, &old.bytes, &new.bytes));
        }
    }

    fn note_changes_since_last_run(&self, site: &Site) {
        let last = LastRead::load(&self.directory);
        for file in site.stored_files() {
            let (name, after) = (&file.name, &file.bytes);
            let Some(before) = last.content(name).map(str::as_bytes).filter(|before| before != after) else { continue };
            let mut change = Change::new(name, Author::DISK, None, before, after);
            let noted = self.history.latest(u64::MAX, MAX_NOTED).unwrap_or_default();
            // A server may have ended after a write, before it saved what it had written.
            let of_file = noted.iter().find(|noted| noted.file == *name);
            let is_noted = of_file.is_some_and(|noted| noted.diff == change.diff && !change.diff.is_empty());
            if is_noted || self.has_just_been_noted(name, before) {
                continue;
            }
            // The history is in the order of time.
            change.at = modified(&self.directory.join(name)).max(noted.first().map_or(0, |noted| noted.at));
            change.backup = self.back_up(name, before);
            self.history.add(&change);
        }
    }

    fn save_last_read(&self, site: &Site) {
        if let Err(error) = LastRead::of(site).save(&self.directory) {
            tracing::debug!("`{LAST_READ_FILE}` cannot be written in the user-data folder: {}", reason(&error));
        }
    }
}

/// Runs what waits for the disk on a thread for such work.
fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> BoxFuture<'static, io::Result<T>> {
    let work = tokio::task::spawn_blocking(work);
    async { work.await.unwrap_or_else(|error| Err(io::Error::other(error))) }.boxed()
}

#[cfg(unix)]
fn is_writable(directory: &Path) -> bool {
    rustix::fs::access(directory, rustix::fs::Access::WRITE_OK | rustix::fs::Access::EXEC_OK).is_ok()
}

#[cfg(not(unix))]
fn is_writable(directory: &Path) -> bool {
    directory.metadata().is_ok_and(|metadata| !metadata.permissions().readonly())
}
