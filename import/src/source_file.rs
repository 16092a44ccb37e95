//! The files of an import, and why they could not be imported.

use thiserror::Error;

/// Maximum size in bytes of all files of one import.
pub const MAX_BYTES: usize = 4 * 1024 * 1024;

/// A file to import.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct SourceFile {
    /// Its name, such as `services.yaml`; of a file that another one includes, its path below the folder of that one. May
    /// be empty for text that was pasted.
    pub name: String,
    /// Its content.
    pub text: String,
}

/// Why files could not be imported.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
pub enum ImportError {
    /// There is no text.
    #[error("there is nothing to import: {0}")]
    Empty(String),
    /// The files are too large.
    #[error("the files have {bytes} bytes; at most 4 MB ({MAX_BYTES} bytes) can be imported")]
    TooLarge {
        /// Their size in bytes.
        bytes: usize,
    },
    /// A file cannot be parsed.
    #[error("{file} cannot be read: {reason}")]
    Unreadable {
        /// Its name in backquotes, or another description.
        file: String,
        /// The reason, with the position.
        reason: String,
    },
    /// The files do not have the form of this source.
    #[error("{0}")]
    WrongKind(String),
    /// It is not clear what kind of files these are.
    #[error(
        "this does not look like a config of Dashy, Homepage, Homer or Glance, or like exported bookmarks; say which of \
         them it is"
    )]
    UnknownKind,
}
