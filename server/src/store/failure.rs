//! Why a file cannot be loaded, in plain words.

use std::io;

use config::DocumentError;

use crate::platform::io_error::reason;

/// Why a config file cannot be used.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct FileFailure {
    /// Name of the file.
    pub name: String,
    /// The reason in words. It may quote the file, so it is for admins and the log.
    pub reason: String,
    /// Line and column of the place, both from 1, for YAML that does not parse.
    pub place: Option<(usize, usize)>,
    /// The lines around the place. For admins only.
    pub excerpt: Option<String>,
    /// What is wrong.
    pub fault: FileFault,
}

/// What is wrong with a config file.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum FileFault {
    /// The file does not exist.
    Missing,
    /// Something with that name exists, but it is not a file.
    NoFile,
    /// It cannot be read.
    Unreadable,
    /// Its content is not a valid config.
    Content,
}

impl FileFailure {
    /// For a failed disk operation.
    pub fn of_disk(name: &str, error: &io::Error) -> Self {
        let fault = match error.kind() {
            io::ErrorKind::NotFound => FileFault::Missing,
            _ if is_no_file(error) => FileFault::NoFile,
            io::ErrorKind::FileTooLarge => FileFault::Content,
            _ => FileFault::Unreadable,
        };
        let reason = match error.kind() {
            io::ErrorKind::FileTooLarge => "the file is larger than 2 MB; larger config files are not read",
            _ => reason(error),
        };
        Self { name: name.to_owned(), reason: reason.to_owned(), place: None, excerpt: None, fault }
    }

    /// For a link whose target does not exist.
    pub fn of_dangling_link(name: &str) -> Self {
        let reason = "it is a link to a file that does not exist".to_owned();
        Self { name: name.to_owned(), reason, place: None, excerpt: None, fault: FileFault::Missing }
    }

    /// For invalid content.
    pub fn of_content(name: &str, reason: String) -> Self {
        Self { name: name.to_owned(), reason, place: None, excerpt: None, fault: FileFault::Content }
    }

    /// For a text that is not YAML.
    pub fn of_syntax(name: &str, error: DocumentError) -> Self {
        let reason = error.to_string();
        Self {
            place: (error.line > 0).then_some((error.line, error.column)),
            excerpt: Some(error.excerpt).filter(|excerpt| !excerpt.is_empty()),
            ..Self::of_content(name, reason)
        }
    }

    /// Whether no file of that name exists.
    pub fn is_missing(&self) -> bool {
        matches!(self.fault, FileFault::Missing | FileFault::NoFile)
    }
}

/// Whether an operation failed because the name belongs to a folder, a pipe or a device.
pub(super) fn is_no_file(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::IsADirectory | io::ErrorKind::Unsupported)
}
