//! Copies everything that a store holds from one to another: a folder or a database.

use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    fs, io,
    path::{Path, PathBuf},
};

use bytes::Bytes;

use super::{
    Change, HISTORY_FILE, KEY_FILE, LAST_READ_FILE,
    backup::{is_backup, origin},
    lock::ALERTS_LOCK_FILE,
    replica::{FOLDER, write_below},
};
use crate::{
    database::{Contents, Database, DatabaseError, StoredRevision},
    platform::io_error::reason,
};

/// The folder of the backups.
const BACKUPS: &str = "config-backups";
/// What a folder has for itself: it is not copied, and stays where it is. The session key is no file of a database: all servers
/// get it as `SESSION_SECRET`.
const NOT_COPIED: [&str; 4] = [".cache", FOLDER, KEY_FILE, ALERTS_LOCK_FILE];
/// Maximum size of a file in bytes.
const MAX_BYTES: u64 = 64 * 1024 * 1024;

/// Where files come from or go to.
#[derive(Debug)]
pub enum Place {
    /// A user-data folder.
    Folder(PathBuf),
    /// A database.
    Database(Box<Database>),
}

/// What was copied.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Copied {
    /// Files, without backups.
    pub files: usize,
    /// Changes in the history.
    pub changes: usize,
    /// Backups.
    pub backups: usize,
}

/// Why nothing, or not everything, was copied.
#[derive(Debug, thiserror::Error)]
pub enum TransferError {
    /// A file cannot be read or written.
    #[error("`{}`: {}", .0.display(), reason(.1))]
    File(PathBuf, #[source] io::Error),
    /// The database did not do it.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// The target has files already.
    #[error("the target is not empty: add --replace to delete what is there")]
    NotEmpty,
    /// The source has no files.
    #[error("there is nothing to copy")]
    Nothing,
}

/// Copies everything, byte for byte. What the target has is deleted if `replace` allows that.
///
/// # Errors
///
/// [`TransferError`]. A database is unchanged then; a folder may have a part of the files.
pub async fn copy(from: &Place, to: &Place, replace: bool) -> Result<Copied, TransferError> {
    if let Place::Database(database) = to {
        database.prepare().await?;
    }
    let is_empty = match to {
        Place::Folder(folder) => paths(folder)?.is_empty(),
        Place::Database(database) => database.is_empty().await?,
    };
    if !is_empty && !replace {
        return Err(TransferError::NotEmpty);
    }
    let contents = match from {
        Place::Folder(folder) => read(folder)?,
        Place::Database(database) => {
            database.prepare().await?;
            database.contents().await?
        }
    };
    let copied = Copied {
        files: contents.files.len(),
        changes: contents.revisions.iter().filter(|revision| revision.line.is_some()).count(),
        backups: contents.revisions.iter().filter(|revision| revision.backup.is_some()).count(),
    };
    if contents.files.is_empty() && contents.revisions.is_empty() {
        return Err(TransferError::Nothing);
    }
    match to {
        Place::Folder(folder) => write(folder, &contents)?,
        Place::Database(database) => database.replace_contents(contents).await?,
    }
    Ok(copied)
}

/// Writes the current files of a database into a folder, without their past.
///
/// # Errors
///
/// [`TransferError`].
pub async fn check_out(database: &Database, folder: &Path) -> Result<(), TransferError> {
    database.prepare().await?;
    for (name, _) in database.files().await? {
        if let Some(content) = database.file(&name).await?.and_then(|file| file.content) {
            write_below(folder, &name, Some(&content)).map_err(|error| TransferError::File(name.into(), error))?;
        }
    }
    Ok(())
}

/// Everything in a folder.
fn read(folder: &Path) -> Result<Contents, TransferError> {
    let mut files = BTreeMap::new();
    for name in paths(folder)? {
        let path = folder.join(&name);
        let failed = |error| TransferError::File(path.clone(), error);
        if fs::metadata(&path).map_err(failed)?.len() > MAX_BYTES {
            return Err(failed(io::ErrorKind::FileTooLarge.into()));
        }
        files.insert(name, Bytes::from(fs::read(&path).map_err(failed)?));
    }
    let history = files.remove(HISTORY_FILE).unwrap_or_default();
    // It says what a server has read in this very folder.
    files.remove(LAST_READ_FILE);
    let mut backups: BTreeMap<String, Bytes> = BTreeMap::new();
    files.retain(|name, content| {
        let backup = name.strip_prefix(BACKUPS).and_then(|name| name.strip_prefix('/'));
        let Some(backup) = backup.filter(|backup| !backup.contains('/') && is_backup(backup)) else { return true };
        backups.insert(backup.to_owned(), content.clone());
        false
    });
    let mut revisions = Vec::new();
    let mut last = 0;
    for line in String::from_utf8_lossy(&history).lines() {
        let change = serde_json::from_str::<Change>(line).ok();
        let file = change.as_ref().map(|change| change.file.clone()).unwrap_or_default();
        last = change.as_ref().and_then(|change| i64::try_from(change.at).ok()).unwrap_or(last);
        let backup = change.and_then(|change| change.backup);
        let kept = backup.and_then(|backup| backups.remove_entry(&backup));
        let (backup, before) = kept.unzip();
        revisions.push(StoredRevision { file, at: last, line: Some(line.to_owned()), backup, before });
    }
    // Backups of a time before there was a history, or whose line is gone.
    let orphans = backups.into_iter().filter_map(|(backup, before)| {
        let (base, at) = origin(&backup)?;
        let file = ["yml", "yaml"].map(|ending| format!("{base}.{ending}"));
        let file = file.iter().find(|file| files.contains_key(*file)).unwrap_or(&file[0]).clone();
        Some(StoredRevision { file, at, line: None, backup: Some(backup), before: Some(before) })
    });
    let mut all: Vec<StoredRevision> = orphans.collect();
    all.append(&mut revisions);
    Ok(Contents { files, revisions: all })
}

/// Makes a folder hold exactly this.
fn write(folder: &Path, contents: &Contents) -> Result<(), TransferError> {
    let failed = |name: &str, error| TransferError::File(folder.join(name), error);
    fs::create_dir_all(folder).map_err(|error| failed("", error))?;
    let mut written = HashSet::new();
    let mut put = |name: String, content: &[u8]| {
        write_below(folder, &name, Some(content)).map_err(|error| failed(&name, error))?;
        written.insert(name);
        Ok::<_, TransferError>(())
    };
    for (name, content) in &contents.files {
        put(name.clone(), content)?;
    }
    let mut history = String::new();
    for revision in &contents.revisions {
        if let (Some(backup), Some(before)) = (&revision.backup, &revision.before) {
            put(format!("{BACKUPS}/{backup}"), before)?;
        }
        if let Some(line) = &revision.line {
            history.push_str(&with_backup(line, revision.backup.as_deref()));
            history.push('\n');
        }
    }
    if !history.is_empty() {
        put(HISTORY_FILE.to_owned(), history.as_bytes())?;
    }
    for name in paths(folder)?.difference(&written.into_iter().collect()) {
        write_below(folder, name, None).map_err(|error| failed(name, error))?;
    }
    Ok(())
}

/// A line of the history with the name of its backup, which the database has beside it.
fn with_backup(line: &str, backup: Option<&str>) -> String {
    let change = backup.and_then(|_| serde_json::from_str::<Change>(line).ok());
    match change.filter(|change| change.backup.is_none()) {
        Some(change) => {
            let change = Change { backup: backup.map(str::to_owned), ..change };
            serde_json::to_string(&change).unwrap_or_else(|_| line.to_owned())
        }
        None => line.to_owned(),
    }
}

/// The paths of all files that are copied, with `/` between folders. Links are followed.
fn paths(folder: &Path) -> Result<BTreeSet<String>, TransferError> {
    let mut found = BTreeSet::new();
    let mut folders = vec![(folder.to_owned(), String::new())];
    while let Some((folder, prefix)) = folders.pop() {
        let failed = |error| TransferError::File(folder.clone(), error);
        let entries = match folder.read_dir() {
            Err(error) if prefix.is_empty() && error.kind() == io::ErrorKind::NotFound => return Ok(found),
            entries => entries.map_err(failed)?,
        };
        for entry in entries {
            let entry = entry.map_err(failed)?;
            let bare = entry.file_name().into_string().map_err(|_| failed(io::ErrorKind::InvalidFilename.into()))?;
            if prefix.is_empty() && NOT_COPIED.contains(&bare.as_str()) {
                continue;
            }
            // Only root may read this folder of a new disk.
            if bare == "lost+found" {
                continue;
            }
            let name = format!("{prefix}{bare}");
            // A link that leads nowhere is no file.
            let Ok(about) = fs::metadata(entry.path()) else { continue };
            if about.is_file() {
                found.insert(name);
            } else if about.is_dir() && !entry.file_type().is_ok_and(|kind| kind.is_symlink()) {
                folders.push((entry.path(), format!("{name}/")));
            }
        }
    }
    Ok(found)
}
