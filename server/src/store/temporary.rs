//! The new content of a file, in a temporary file beside it.

use std::{
    fs::{self, File, Metadata},
    io,
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
};

use super::disk::Disk;

/// Longest part of a file's name in the name of its temporary file, in bytes; the whole must stay below 255.
const MAX_STEM_LENGTH: usize = 200;

/// Separates the file's name from the unique part of the temporary name.
const MARK: &str = ".tmp-";

static NUMBER: AtomicU64 = AtomicU64::new(0);

/// The permissions of a new file.
#[derive(Clone, Copy, Debug)]
pub struct FileAccess<'a> {
    /// The file whose permissions and owner are copied.
    like: Option<&'a Metadata>,
    /// The maximum permissions.
    max: u32,
}

impl FileAccess<'static> {
    /// A new config file. It may hold secrets, so other users of the machine may not read it.
    pub const NEW: Self = Self { like: None, max: 0o640 };
    /// A file of the server itself. Only its owner can read it.
    pub const PRIVATE: Self = Self { like: None, max: 0o600 };
}

impl<'a> FileAccess<'a> {
    /// The same as those of the file that it replaces.
    pub fn replacing(old: &'a Metadata) -> Self {
        Self { like: Some(old), max: 0o777 }
    }

    /// A copy of another file: the same permissions, but no more than a new file has.
    pub fn copying(old: &'a Metadata) -> Self {
        Self { like: Some(old), ..FileAccess::NEW }
    }

    /// Only root may change the owner of a file, so failures are expected and harmless.
    #[cfg(unix)]
    fn give(self, file: &File) {
        use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, fchown};
        let mode = match self.like {
            Some(old) => {
                _ = fchown(file, Some(old.uid()), Some(old.gid()));
                old.permissions().mode() & self.max
            }
            None => self.max,
        };
        _ = file.set_permissions(fs::Permissions::from_mode(mode));
    }

    #[cfg(not(unix))]
    fn give(self, file: &File) {
        if let Some(old) = self.like {
            _ = file.set_permissions(old.permissions());
        }
    }
}

/// A complete file with a hidden name; dropping this value deletes it, unless it has replaced its target.
#[derive(Debug)]
pub struct Temporary {
    path: Option<PathBuf>,
}

impl Temporary {
    /// Writes the content to disk, with these permissions and this owner where possible.
    pub fn write(
        disk: &dyn Disk,
        directory: &Path,
        name: &str,
        bytes: &[u8],
        access: FileAccess<'_>,
    ) -> io::Result<Self> {
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let stem = shortened(name, MAX_STEM_LENGTH);
        let path = directory.join(format!(".{stem}{MARK}{}-{number}", std::process::id()));
        let mut file = disk.create(&path)?;
        let temporary = Self { path: Some(path) };
        disk.fill(&mut file, bytes)?;
        access.give(&file);
        Ok(temporary)
    }

    /// Replaces a file and makes that durable.
    pub fn replace(mut self, disk: &dyn Disk, target: &Path) -> io::Result<()> {
        if let Some(path) = &self.path {
            disk.rename(path, target)?;
        }
        self.path = None;
        sync_directory_of(target);
        Ok(())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if let Some(path) = &self.path {
            // It may be gone already, and there is no caller to report to.
            _ = fs::remove_file(path);
        }
    }
}

/// Removes temporary files of earlier runs that were killed.
pub fn remove_leftovers(directory: &Path) {
    let Ok(entries) = directory.read_dir() else { return };
    let own = format!("{MARK}{}-", std::process::id());
    for entry in entries.flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let is_leftover = name.starts_with('.')
            && !name.contains(&own)
            && name.rsplit_once(MARK).is_some_and(|(_, unique)| {
                !unique.is_empty() && unique.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-')
            });
        if is_leftover && entry.file_type().is_ok_and(|kind| kind.is_file()) {
            _ = fs::remove_file(entry.path());
        }
    }
}

/// The start of a text, with at most so many bytes.
pub fn shortened(text: &str, max: usize) -> &str {
    let mut end = text.len().min(max);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// A rename is durable once its directory is flushed. Some network mounts do not support that, but the rename has
/// happened.
fn sync_directory_of(path: &Path) {
    if let Some(directory) = path.parent() {
        _ = File::open(directory).and_then(|directory| directory.sync_all());
    }
}
