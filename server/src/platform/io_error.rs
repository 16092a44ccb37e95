//! Why a disk operation failed, in plain words.

use std::io;

/// The error for links that form a loop. The standard library has no stable name for it.
#[cfg(target_os = "linux")]
const TOO_MANY_LINKS: i32 = 40;
#[cfg(not(target_os = "linux"))]
const TOO_MANY_LINKS: i32 = 62;

/// Why a file operation failed, in plain words and without a path.
pub fn reason(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::NotFound => "the file does not exist",
        io::ErrorKind::PermissionDenied => "permission denied",
        io::ErrorKind::ReadOnlyFilesystem => "the file system is read-only",
        io::ErrorKind::StorageFull => "the disk is full",
        io::ErrorKind::QuotaExceeded => "the disk quota is used up",
        io::ErrorKind::AlreadyExists => "another file is in the way",
        io::ErrorKind::IsADirectory => "it is a directory, not a file",
        io::ErrorKind::Unsupported => "it is a pipe or a device, not a file",
        io::ErrorKind::FileTooLarge => "the file is too large to be a config file",
        io::ErrorKind::InvalidFilename => "the name is too long",
        io::ErrorKind::ResourceBusy => "the file is in use",
        io::ErrorKind::NotADirectory => "a part of the path is not a directory",
        _ if error.raw_os_error() == Some(TOO_MANY_LINKS) => "it is a link that leads in a circle",
        _ => "the disk reported an error",
    }
}
