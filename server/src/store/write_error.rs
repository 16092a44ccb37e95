//! Why a file was not written.

use crate::database::DatabaseError;

/// Why a file was not written. The file is unchanged.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum WriteError {
    /// It is the copy of a main config on another host.
    #[error("`{name}` cannot be changed here: it is a copy of the config that VITE_APP_CONFIG_PATH names")]
    Copy {
        /// The file's name.
        name: String,
    },
    /// It is a directory, or a link that leads out of the user-data directory.
    #[error("config file `{name}` not found")]
    Missing {
        /// The file's name.
        name: String,
    },
    /// The current file cannot be read.
    #[error("`{name}` cannot be read: {reason}")]
    Unreadable {
        /// The file's name.
        name: String,
        /// The reason in words.
        reason: String,
    },
    /// The old bytes cannot be backed up.
    #[error("`{name}` was not written, as it cannot be backed up: {reason}{}", advice(*.is_optional))]
    Backup {
        /// The file's name.
        name: String,
        /// The reason in words.
        reason: String,
        /// Whether the write would succeed without a backup.
        is_optional: bool,
    },
    /// The database does not store it.
    #[error("`{name}` cannot be changed: {error}; try again later")]
    Database {
        /// The file's name.
        name: String,
        /// Why.
        error: DatabaseError,
    },
    /// The new bytes cannot be stored.
    #[error("`{name}` cannot be written: {reason}")]
    Write {
        /// The file's name.
        name: String,
        /// The reason in words.
        reason: String,
    },
}

/// What to do about a failed backup if the write itself would succeed.
fn advice(is_optional: bool) -> &'static str {
    if is_optional { "; DISABLE_CONFIG_BACKUPS=true turns backups off" } else { "" }
}

/// The write of a file stopped because of a fault in the program.
pub(super) fn stopped(name: &str) -> WriteError {
    failed(name, "the program failed, see its log")
}

pub(super) fn failed(name: &str, reason: &str) -> WriteError {
    WriteError::Write { name: name.to_owned(), reason: reason.to_owned() }
}
