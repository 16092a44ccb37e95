//! The files of a database, with a copy of them in a folder of this server's own. Pages are made from the copy, so they need no
//! query, and go on without the database.

use std::{
    collections::{BTreeMap, HashSet},
    fs::{self, File, TryLockError},
    io,
    path::{Component, Path, PathBuf},
    sync::Arc,
};

use bytes::Bytes;
use futures_util::{FutureExt as _, future::BoxFuture};
use serde::{Deserialize, Serialize};
use tokio::sync::Mutex;

use super::{
    Author, Backup, Change, ConfigFile, Edit, LocalDisk, RecordVersion, Site, Storage, Stored, WriteError,
    backup::{base_of, time_of},
    folder::Folder,
    pictures::{self, ITEM_ICONS, KeptPicture},
    temporary::{FileAccess, Temporary},
};
use crate::{
    database::{Database, DatabaseError, FileChange, NewRevision, WrittenFile},
    settings::Settings,
};

/// The folder of the copy, in the user-data folder.
pub(super) const FOLDER: &str = ".replica";
/// In that folder: which versions it holds.
const REVISIONS_FILE: &str = ".revisions";
/// In that folder: locked while a server uses it.
const LOCK_FILE: &str = ".lock";

/// The files of a database, and the copy of them.
#[derive(Debug)]
pub struct Replica {
    database: Arc<Database>,
    folder: Arc<Folder>,
    /// How many backups remain of each file; 0 means all.
    backup_limit: usize,
    /// A file that is written by this server alone, because it is a copy from another host.
    own: Option<String>,
    /// Held while the copy is changed.
    known: Mutex<Known>,
    _lock: File,
}

/// Which versions of the files the copy holds.
#[derive(Debug, Default, Deserialize, Serialize)]
struct Known {
    #[serde(default)]
    version: RecordVersion,
    /// The identity of the database.
    database: String,
    revisions: BTreeMap<String, i64>,
}

/// Why the copy cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ReplicaError {
    /// The folder cannot be written.
    #[error("`{}` cannot be used for a copy of the database's files: {}", .0.display(), crate::platform::io_error::reason(.1))]
    Folder(PathBuf, #[source] io::Error),
    /// Another server uses it.
    #[error("another server uses `{}`: give each its own USER_DATA_DIR, which may be an empty temporary folder", .0.display())]
    InUse(PathBuf),
    /// There is no copy yet, and nothing to copy from.
    #[error(transparent)]
    Database(#[from] DatabaseError),
}

/// The settings of a server that has its files in a database: its folder is the copy, in the user-data folder.
pub(super) fn settings_of_copy(settings: &Settings) -> Settings {
    let mut settings = Settings { user_data: settings.user_data.join(FOLDER), old_user_data: None, ..settings.clone() };
    settings.backups.directory = None;
    settings
}

impl Replica {
    /// Brings the copy up to date. If the database cannot be reached, the copy of an earlier run is used.
    ///
    /// # Errors
    ///
    /// [`ReplicaError`].
    pub(super) async fn open(
        database: Arc<Database>,
        folder: Arc<Folder>,
        settings: &Settings,
    ) -> Result<Self, ReplicaError> {
        let directory = folder.directory.clone();
        let failed = |error| ReplicaError::Folder(directory.clone(), error);
        fs::create_dir_all(&directory).map_err(failed)?;
        let lock = File::create(directory.join(LOCK_FILE)).map_err(failed)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(ReplicaError::InUse(directory)),
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        let known = fs::read(directory.join(REVISIONS_FILE)).ok();
        let known: Option<Known> = known.and_then(|text| serde_json::from_slice(&text).ok());
        let has_copy = known.is_some();
        let replica = Self {
            database,
            folder,
            backup_limit: settings.backups.limit,
            own: settings.main_address.is_some().then(|| settings.main_config.clone()),
            known: Mutex::new(known.unwrap_or_default()),
            _lock: lock,
        };
        match replica.begin().await {
            Err(error @ DatabaseError::Away(_)) if has_copy => {
                tracing::warn!("{error}: the files of the last run are shown");
            }
            result => result?,
        }
        Ok(replica)
    }

    /// The database.
    pub(super) fn database(&self) -> &Arc<Database> {
        &self.database
    }

    async fn begin(&self) -> Result<(), DatabaseError> {
        self.database.prepare().await?;
        self.compare().await.map(|_| ())
    }

    /// Writes a file unless there is one, such as the starter config.
    pub(super) async fn write_new(&self, name: &str, content: Bytes) -> Result<(), DatabaseError> {
        let new =
            move |old: Option<Bytes>| old.is_none().then_some(FileChange { content: Some(content), revision: None });
        if let Some(written) = self.database.change_file(name, new).await? {
            self.put(name, written).await;
        }
        Ok(())
    }

    /// Whether the database has neither files nor a past.
    pub(super) async fn is_new(&self) -> bool {
        self.database.is_empty().await.unwrap_or_default()
    }

    /// Makes the copy equal to the database. Returns whether anything has changed.
    pub(super) async fn compare(&self) -> Result<bool, DatabaseError> {
        // Held all the time, so that a change of this server is not overwritten by what was read before it.
        let mut known = self.known.lock().await;
        let identity = self.database.identity().await?;
        if known.database != identity {
            *known = Known { database: identity, ..Known::default() };
            self.remove_all().await;
        }
        let mut changed = false;
        for (name, revision) in self.database.files().await? {
            // A version may even be older than ours, after a failover to a server that had not received everything.
            if known.revisions.get(&name) != Some(&revision)
                && let Some(file) = self.database.file(&name).await?
            {
                changed |= self.write(&mut known, &name, file.content, file.revision).await;
            }
        }
        self.save(&known).await;
        Ok(changed)
    }

    /// Fetches a version of a file, unless the copy has it.
    pub(super) async fn fetch(&self, name: &str, revision: i64) -> Result<bool, DatabaseError> {
        let mut known = self.known.lock().await;
        if known.revisions.get(name).is_some_and(|known| *known >= revision) {
            return Ok(false);
        }
        let Some(file) = self.database.file(name).await? else { return Ok(false) };
        let changed = self.write(&mut known, name, file.content, file.revision).await;
        self.save(&known).await;
        Ok(changed)
    }

    /// Puts what this server has written into the copy.
    async fn put(&self, name: &str, written: WrittenFile) {
        let mut known = self.known.lock().await;
        if known.revisions.get(name).is_none_or(|known| *known < written.revision) {
            self.write(&mut known, name, written.content, written.revision).await;
            self.save(&known).await;
        }
    }

    /// Writes a file of the copy. Returns whether that succeeded; if not, it is tried again at the next comparison.
    async fn write(&self, known: &mut Known, name: &str, content: Option<Bytes>, revision: i64) -> bool {
        if self.own.as_deref() == Some(name) {
            return false;
        }
        let (directory, file) = (self.folder.directory.clone(), name.to_owned());
        let write = move || write_below(&directory, &file, content.as_deref());
        match tokio::task::spawn_blocking(write).await.unwrap_or_else(|error| Err(io::Error::other(error))) {
            Ok(()) => {
                known.revisions.insert(name.to_owned(), revision);
                true
            }
            Err(error) => {
                tracing::error!("`{name}` cannot be copied from the database: {error}");
                false
            }
        }
    }

    /// Removes the copy of another database.
    async fn remove_all(&self) {
        let directory = self.folder.directory.clone();
        let remove = move || {
            for entry in directory.read_dir().into_iter().flatten().flatten() {
                let path = entry.path();
                let is_ours = entry.file_name() == LOCK_FILE;
                let removed = match entry.file_type() {
                    _ if is_ours => Ok(()),
                    Ok(kind) if kind.is_dir() => fs::remove_dir_all(&path),
                    _ => fs::remove_file(&path),
                };
                if let Err(error) = removed {
                    tracing::warn!("{} cannot be removed: {error}", path.display());
                }
            }
        };
        _ = tokio::task::spawn_blocking(remove).await;
    }

    /// Remembers the versions for the next start. If that fails, the files are fetched again then.
    async fn save(&self, known: &Known) {
        let Ok(text) = serde_json::to_vec(known) else { return };
        let directory = self.folder.directory.clone();
        let save = move || write_below(&directory, REVISIONS_FILE, Some(&text));
        if let Ok(Err(error)) = tokio::task::spawn_blocking(save).await {
            tracing::warn!("`{REVISIONS_FILE}` cannot be written: {error}");
        }
    }
}

/// Writes or removes a file below a folder. Blocks on the disk.
pub(super) fn write_below(directory: &Path, name: &str, content: Option<&[u8]>) -> io::Result<()> {
    if name.is_empty() || !Path::new(name).components().all(|part| matches!(part, Component::Normal(_))) {
        return Err(io::Error::new(io::ErrorKind::InvalidFilename, "it leads out of the folder"));
    }
    let path = directory.join(name);
    let Some(content) = content else {
        return match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        };
    };
    let folder = path.parent().unwrap_or(directory);
    fs::create_dir_all(folder)?;
    let bare = path.file_name().unwrap_or_default().to_string_lossy();
    Temporary::write(&LocalDisk, folder, &bare, content, FileAccess::NEW)?.replace(&LocalDisk, &path)
}

fn write_error(name: String, error: DatabaseError) -> WriteError {
    WriteError::Database { name, error }
}

fn read_error(error: DatabaseError) -> io::Error {
    io::Error::new(io::ErrorKind::NotConnected, error)
}

impl Storage for Replica {
    fn change(
        self: Arc<Self>,
        author: Author,
        name: String,
        edit: Edit,
    ) -> BoxFuture<'static, Result<Stored, WriteError>> {
        let file = name.clone();
        let backup_base = self.folder.backups.is_some().then(|| base_of(&name).to_owned());
        let backup_limit = self.backup_limit;
        let ahead = self.database.ahead();
        let edit = move |old: Option<Bytes>| {
            let content = edit(old.as_ref())?;
            let mut change = Change::new(&file, author, None, old.as_deref().unwrap_or_default(), &content);
            // One clock for all servers, so that the history is in the order of the changes.
            change.at = change.at.saturating_add_signed(ahead);
            let line = serde_json::to_string(&change).unwrap_or_default();
            let revision = Some(NewRevision { at: change.at, line, backup_base, backup_limit });
            Some(FileChange { content: Some(content), revision })
        };
        async move {
            let written = self.database.change_file(&name, edit).await;
            let Some(written) = written.map_err(|error| write_error(name.clone(), error))? else {
                return Ok(Stored::Unchanged);
            };
            let backup = written.backup.clone();
            self.put(&name, written).await;
            Ok(Stored::Changed(backup))
        }
        .boxed()
    }

    fn keep_picture(
        self: Arc<Self>,
        stem: String,
        ending: &'static str,
        bytes: Bytes,
    ) -> BoxFuture<'static, io::Result<KeptPicture>> {
        async move {
            for name in pictures::names(&stem, ending) {
                let path = format!("{ITEM_ICONS}/{name}");
                let (sender, found) = std::sync::mpsc::channel();
                let content = bytes.clone();
                let edit = move |old: Option<Bytes>| {
                    _ = sender.send(old.as_ref() == Some(&content));
                    old.is_none().then_some(FileChange { content: Some(content), revision: None })
                };
                let written = self.database.change_file(&path, edit).await.map_err(read_error)?;
                if let Some(written) = written {
                    self.put(&path, written).await;
                    return Ok(KeptPicture { name, was_there: false });
                }
                if found.try_recv() == Ok(true) {
                    return Ok(KeptPicture { name, was_there: true });
                }
            }
            Err(io::ErrorKind::AlreadyExists.into())
        }
        .boxed()
    }

    fn write_own(self: Arc<Self>, name: &'static str, content: Bytes) -> BoxFuture<'static, io::Result<()>> {
        async move {
            let edit = move |_| Some(FileChange { content: Some(content), revision: None });
            if let Some(written) = self.database.change_file(name, edit).await.map_err(read_error)? {
                self.put(name, written).await;
            }
            Ok(())
        }
        .boxed()
    }

    fn backups(self: Arc<Self>, name: String) -> BoxFuture<'static, io::Result<Vec<Backup>>> {
        async move {
            let base = base_of(&name);
            let found = self.database.backups(&format!("{base}-")).await.map_err(read_error)?;
            let mut found: Vec<Backup> = found
                .into_iter()
                .filter_map(|(name, _, bytes)| {
                    let at = u64::try_from(time_of(&name, base)?).ok()?;
                    Some(Backup { name, at, bytes: u64::try_from(bytes).unwrap_or_default() })
                })
                .collect();
            found.sort_by_key(|one| std::cmp::Reverse(one.at));
            Ok(found)
        }
        .boxed()
    }

    fn backup(self: Arc<Self>, name: String, backup: String) -> BoxFuture<'static, io::Result<Option<Vec<u8>>>> {
        async move {
            if time_of(&backup, base_of(&name)).is_none() {
                return Ok(None);
            }
            let found = self.database.backup(&backup).await.map_err(read_error)?;
            Ok(found.map(Vec::from))
        }
        .boxed()
    }

    fn backup_names(self: Arc<Self>) -> BoxFuture<'static, HashSet<String>> {
        async move {
            let found = self.database.backups("").await.unwrap_or_default();
            found.into_iter().map(|(name, ..)| name).collect()
        }
        .boxed()
    }

    fn changes(self: Arc<Self>, before: u64, count: usize) -> BoxFuture<'static, io::Result<Vec<Change>>> {
        async move {
            let found = self.database.changes(before, count).await.map_err(read_error)?;
            let change = |line: Option<String>, backup| {
                let change: Change = serde_json::from_str(&line?).ok()?;
                Some(Change { backup, ..change })
            };
            Ok(found.into_iter().filter_map(|found| change(found.line, found.backup)).collect())
        }
        .boxed()
    }

    fn next_backup(&self, name: &str, time: &str) -> Option<String> {
        self.folder.next_backup(name, time)
    }

    fn is_writable(&self) -> bool {
        self.database.is_up()
    }

    /// Only this server writes to the copy.
    fn note_change_on_disk(&self, _: &ConfigFile, _: &ConfigFile) {}

    fn note_changes_since_last_run(&self, _: &Site) {}

    fn save_last_read(&self, _: &Site) {}
}
