//! Where config files, what they contained before, and uploaded pictures are stored for good.
//!
//! Everything that pages need is in memory ([`super::Site`]) or in the folder ([`super::Store::directory`]), so only changes
//! and looks into the past use a storage.

use std::{collections::HashSet, fmt::Debug, io, sync::Arc};

use bytes::Bytes;
use futures_util::future::BoxFuture;

use super::{Author, Backup, Change, ConfigFile, Site, pictures::KeptPicture, write_error::WriteError};

/// Makes the new text of a file from the current one (`None` if there is no file). `None` leaves it as it is.
pub type Edit = Box<dyn FnOnce(Option<&Bytes>) -> Option<Bytes> + Send>;

/// What became of an edit.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Stored {
    /// The file is unchanged, as the edit wanted it.
    Unchanged,
    /// The new text is stored; the text before is in this backup, if there was one and backups are on.
    Changed(Option<String>),
}

/// Where files are stored: a folder, or a database that several servers share.
pub trait Storage: Debug + Send + Sync {
    /// Changes a file. While the edit runs, nobody else changes the file. When this returns, the folder has the new text.
    ///
    /// The error is a [`WriteError`]; the file is unchanged then.
    fn change(
        self: Arc<Self>,
        author: Author,
        name: String,
        edit: Edit,
    ) -> BoxFuture<'static, Result<Stored, WriteError>>;

    /// Stores a picture among the user's icons, as [`super::pictures::keep`] does.
    fn keep_picture(
        self: Arc<Self>,
        stem: String,
        ending: &'static str,
        bytes: Bytes,
    ) -> BoxFuture<'static, io::Result<KeptPicture>>;

    /// Replaces a file that this program stores for itself.
    fn write_own(self: Arc<Self>, name: &'static str, content: Bytes) -> BoxFuture<'static, io::Result<()>>;

    /// The backups of a file, the newest first.
    fn backups(self: Arc<Self>, name: String) -> BoxFuture<'static, io::Result<Vec<Backup>>>;

    /// The bytes of a backup of a file; none if there is no such backup.
    fn backup(self: Arc<Self>, name: String, backup: String) -> BoxFuture<'static, io::Result<Option<Vec<u8>>>>;

    /// The names of all backups.
    fn backup_names(self: Arc<Self>) -> BoxFuture<'static, HashSet<String>>;

    /// The latest changes of all files before a time in milliseconds since 1970, the newest first.
    fn changes(self: Arc<Self>, before: u64, count: usize) -> BoxFuture<'static, io::Result<Vec<Change>>>;

    /// Where the next backup of a file will be, with `time` in place of the milliseconds; `None` if no backups are made.
    fn next_backup(&self, name: &str, time: &str) -> Option<String>;

    /// Whether changes can be stored at the moment.
    fn is_writable(&self) -> bool;

    /// Notes that another program has changed a file in the folder. Blocks on the disk.
    fn note_change_on_disk(&self, old: &ConfigFile, new: &ConfigFile);

    /// Notes which files were changed since a server last read them. Blocks on the disk.
    fn note_changes_since_last_run(&self, site: &Site);

    /// Saves what the files contain, for [`Self::note_changes_since_last_run`] of the next start. Blocks on the disk.
    fn save_last_read(&self, site: &Site);
}
