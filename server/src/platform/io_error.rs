//! Why a disk operation failed, in plain words.

use std::{fs, io, path::Path};

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
        io::ErrorKind::NotConnected => "the database cannot be used at the moment",
        _ if error.raw_os_error() == Some(TOO_MANY_LINKS) => "it is a link that leads in a circle",
        _ => "the disk reported an error",
    }
}

/// Why nothing can be written in a folder, in plain words and without its path: who may not write there, and the command
/// that mends it.
pub fn reason_not_to_write(error: &io::Error, folder: &Path) -> String {
    let reason = reason(error);
    if error.kind() != io::ErrorKind::PermissionDenied {
        return reason.to_owned();
    }
    // The folder of the backups may be one that cannot be created.
    let existing =
        folder.ancestors().find_map(|place| Some((fs::canonicalize(place).ok()?, fs::metadata(place).ok()?)));
    match existing {
        #[cfg(unix)]
        Some((place, metadata)) => {
            use std::os::unix::fs::MetadataExt as _;
            let (user, group) = (rustix::process::geteuid().as_raw(), rustix::process::getegid().as_raw());
            let name = place.file_name().unwrap_or(place.as_os_str()).to_string_lossy();
            format!("permission denied: {}", rejection(&name, (user, group), metadata.uid(), metadata.mode()))
        }
        _ => reason.to_owned(),
    }
}

/// Says that a user, given with their group, may not write to a folder, which has a name, an owner and permissions.
#[cfg(unix)]
fn rejection(folder: &str, (user, group): (u32, u32), owner: u32, mode: u32) -> String {
    let quoted = format!("'{}'", folder.replace('\'', r"'\''"));
    let refused = format!("user {user} may not write to the folder `{folder}`");
    match (user, owner) {
        // Neither owner nor permissions keep root out, but a network share or a policy of the system does.
        (0, _) => refused,
        (user, owner) if user != owner => {
            format!("{refused}, which belongs to user {owner}; as root: `chown -R {user}:{group} {quoted}`")
        }
        // The owner needs the right to write, and the right to enter.
        _ if mode & 0o300 != 0o300 => format!("{refused}, although it is the owner; `chmod -R u+rwX {quoted}`"),
        _ => refused,
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn a_refusal_names_user_folder_and_remedy() {
        let check = |folder: &str, user, owner, mode, expected: &str| {
            assert_eq!(rejection(folder, (user, 100), owner, mode), expected);
        };
        check(
            "user-data",
            1000,
            0,
            0o40755,
            "user 1000 may not write to the folder `user-data`, which belongs to user 0; \
             as root: `chown -R 1000:100 'user-data'`",
        );
        check(
            "Anna's data",
            1000,
            1000,
            0o40555,
            "user 1000 may not write to the folder `Anna's data`, although it is the owner; \
             `chmod -R u+rwX 'Anna'\\''s data'`",
        );
        check("user-data", 1000, 1000, 0o40755, "user 1000 may not write to the folder `user-data`");
        check("user-data", 0, 1000, 0o40755, "user 0 may not write to the folder `user-data`");
    }

    #[test]
    fn only_missing_permissions_are_explained() {
        let parent = tempfile::tempdir().unwrap();
        let folder = parent.path().join("user-data");
        fs::create_dir(&folder).unwrap();
        let of = |kind: io::ErrorKind, place: &Path| reason_not_to_write(&kind.into(), place);
        for place in [folder.clone(), folder.join("not/there")] {
            let denied = of(io::ErrorKind::PermissionDenied, &place);
            assert!(denied.starts_with("permission denied: user "), "{denied}");
            assert!(denied.contains("may not write to the folder `user-data`"), "{denied}");
            assert_eq!(of(io::ErrorKind::ReadOnlyFilesystem, &place), "the file system is read-only");
            assert_eq!(of(io::ErrorKind::StorageFull, &place), "the disk is full");
        }
    }
}
