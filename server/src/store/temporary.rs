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

/// Who may do what with a new file.
#[derive(Clone, Copy, Debug)]
pub struct FileAccess<'a> {
    /// The file whose permissions and owner it takes over.
    like: Option<&'a Metadata>,
    /// The permissions that it has at most.
    most: u32,
}

impl FileAccess<'static> {
    /// A config file that was not there before. It may hold secrets, so strangers on the machine do not read it.
    pub const NEW: Self = Self { like: None, most: 0o640 };
}

impl<'a> FileAccess<'a> {
    /// The same as another file, which it replaces.
    pub fn replacing(old: &'a Metadata) -> Self {
        Self { like: Some(old), most: 0o777 }
    }

    /// A copy of another file: what that allows, but no more than a new file does.
    pub fn copying(old: &'a Metadata) -> Self {
        Self { like: Some(old), ..FileAccess::NEW }
    }

    /// Only the superuser may give files away, so failures are expected and change nothing that matters.
    #[cfg(unix)]
    fn give(self, file: &File) {
        use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, fchown};
        let mode = match self.like {
            Some(old) => {
                _ = fchown(file, Some(old.uid()), Some(old.gid()));
                old.permissions().mode() & self.most
            }
            None => self.most,
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

/// A complete file with a hidden name; it is gone with this value, unless it took another one's place.
#[derive(Debug)]
pub struct Temporary {
    path: Option<PathBuf>,
}

impl Temporary {
    /// Writes the content to the disk, with these permissions and this owner where that is possible.
    pub fn write(
        disk: &dyn Disk,
        directory: &Path,
        name: &str,
        bytes: &[u8],
        access: FileAccess<'_>,
    ) -> io::Result<Self> {
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let stem = shortened(name, LONGEST_STEM);
        let path = directory.join(format!(".{stem}{MARK}{}-{number}", std::process::id()));
        let mut file = disk.create(&path)?;
        let temporary = Self { path: Some(path) };
        disk.fill(&mut file, bytes)?;
        access.give(&file);
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

/// A rename lasts once its directory is on the disk. Some network mounts cannot do that, and the rename has happened.
fn sync_directory_of(path: &Path) {
    if let Some(directory) = path.parent() {
        _ = File::open(directory).and_then(|directory| directory.sync_all());
    }
}
