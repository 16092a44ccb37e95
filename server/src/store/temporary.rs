//! New content beside the file that it will replace.

use std::{
    fs::{self, File, Metadata},
    io,
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
};

use super::disk::Disk;

/// Longest part of a file's name in the name of its temporary file, in bytes; the whole must stay below 255.
const LONGEST_STEM: usize = 200;

/// Stands between the name of a file and what makes its temporary file unique.
const MARK: &str = ".tmp-";

static NUMBER: AtomicU64 = AtomicU64::new(0);

/// A complete file with a hidden name; it is gone with this value, unless it took another one's place.
#[derive(Debug)]
pub struct Temporary {
    path: Option<PathBuf>,
}

impl Temporary {
    /// Writes the content to the disk, with the permissions and the owner of another file where that is possible.
    pub fn write(
        disk: &dyn Disk,
        directory: &Path,
        name: &str,
        bytes: &[u8],
        like: Option<&Metadata>,
    ) -> io::Result<Self> {
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let stem = shortened(name, LONGEST_STEM);
        let path = directory.join(format!(".{stem}{MARK}{}-{number}", std::process::id()));
        let mut file = disk.create(&path)?;
        let temporary = Self { path: Some(path) };
        disk.fill(&mut file, bytes)?;
        adopt(&file, like);
        Ok(temporary)
    }

    /// Takes the place of a file and makes that last.
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
            // It may be gone already, and there is nobody to tell.
            _ = fs::remove_file(path);
        }
    }
}

/// Removes what earlier runs left behind when they were killed.
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

/// The beginning of a text that has at most so many bytes.
pub fn shortened(text: &str, most: usize) -> &str {
    let mut end = text.len().min(most);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// Gives a new file the permissions and the owner of the old one. Only the superuser may give files away, so failures
/// are expected and change nothing that matters.
#[cfg(unix)]
fn adopt(file: &File, like: Option<&Metadata>) {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, fchown};
    let mode = match like {
        Some(old) => {
            _ = fchown(file, Some(old.uid()), Some(old.gid()));
            old.permissions().mode() & 0o777
        }
        None => 0o644,
    };
    _ = file.set_permissions(fs::Permissions::from_mode(mode));
}

#[cfg(not(unix))]
fn adopt(file: &File, like: Option<&Metadata>) {
    if let Some(old) = like {
        _ = file.set_permissions(old.permissions());
    }
}

/// A rename lasts once its directory is on the disk. Some network mounts cannot do that, and the rename has happened.
fn sync_directory_of(path: &Path) {
    if let Some(directory) = path.parent() {
        _ = File::open(directory).and_then(|directory| directory.sync_all());
    }
}
