//! Copies of config files, made before each write (docs/spec/api.md 9.3).

use std::{
    fmt::Display,
    fs::{self, Metadata},
    io,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
    time::{SystemTime, UNIX_EPOCH},
};

use config::MAX_READ_BYTES;

use super::{
    disk::Disk,
    temporary::{FileAccess, Temporary, shortened},
};

const SUFFIX: &str = ".backup.yml";

/// Longest base of a backup's name in bytes, so that time and suffix fit into 255.
const MAX_BASE_LENGTH: usize = 220;

/// A copy of a config file.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Backup {
    /// Its name.
    pub name: String,
    /// When it was made, in milliseconds since 1970.
    pub at: u64,
    /// Its size.
    pub bytes: u64,
}

/// The backups of one user-data directory.
#[derive(Debug)]
pub struct Backups {
    directory: PathBuf,
    /// How many are kept for each file; 0 means all.
    limit: usize,
    /// Held while a name is chosen and created: `a.yml` and `a.yaml` use the same names.
    naming: Mutex<()>,
}

impl Backups {
    /// Backups in a directory, which is created when it is needed.
    pub fn new(directory: PathBuf, limit: usize) -> Self {
        Self { directory, limit, naming: Mutex::new(()) }
    }

    /// Saves the bytes of a file and returns the name of the copy.
    ///
    /// # Errors
    ///
    /// The directory cannot be created or written; nothing is left behind then.
    pub fn keep(&self, disk: &dyn Disk, name: &str, bytes: &[u8], like: &Metadata) -> io::Result<String> {
        fs::create_dir_all(&self.directory)?;
        let base = base_of(name);
        let copy = Temporary::write(disk, &self.directory, base, bytes, FileAccess::copying(like))?;
        let _naming = self.naming.lock().unwrap_or_else(PoisonError::into_inner);
        let mut milliseconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis());
        let (backup, path) = loop {
            let backup = name_of(base, &milliseconds);
            let path = self.directory.join(&backup);
            if fs::symlink_metadata(&path).is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
                break (backup, path);
            }
            milliseconds += 1;
        };
        copy.replace(disk, &path)?;
        Ok(backup)
    }

    /// The backups of a file with their times in milliseconds since 1970 and their sizes, the newest first.
    pub fn list(&self, name: &str) -> Vec<Backup> {
        let base = base_of(name);
        let entries = self.directory.read_dir().into_iter().flatten().flatten();
        let mut found: Vec<Backup> = entries
            .filter_map(|entry| {
                let name = entry.file_name().into_string().ok()?;
                let at = u64::try_from(time_of(&name, base)?).ok()?;
                let metadata = entry.metadata().ok().filter(Metadata::is_file)?;
                Some(Backup { name, at, bytes: metadata.len() })
            })
            .collect();
        found.sort_by_key(|one| std::cmp::Reverse(one.at));
        found
    }

    /// The bytes of a backup of a file; none if there is no such backup.
    ///
    /// # Errors
    ///
    /// It cannot be read, or is larger than a config file may be.
    pub fn read(&self, name: &str, backup: &str) -> io::Result<Option<Vec<u8>>> {
        let is_bare = !backup.contains(['/', '\\']);
        if !is_bare || time_of(backup, base_of(name)).is_none() {
            return Ok(None);
        }
        let path = self.directory.join(backup);
        match fs::symlink_metadata(&path) {
            Ok(metadata) if metadata.len() > MAX_READ_BYTES as u64 => Err(io::ErrorKind::FileTooLarge.into()),
            Ok(metadata) if metadata.is_file() => fs::read(path).map(Some),
            Ok(_) => Ok(None),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Where the next backup of a file will be, with `time` in place of the milliseconds. Relative to `user_data` if it is there.
    pub fn next(&self, user_data: &Path, name: &str, time: &str) -> String {
        let folder = self.directory.strip_prefix(user_data).unwrap_or(&self.directory);
        folder.join(name_of(base_of(name), &time)).display().to_string()
    }

    /// Deletes a backup, because its write did not happen.
    pub fn discard(&self, backup: &str) {
        _ = fs::remove_file(self.directory.join(backup));
    }

    /// Removes the oldest backups of a file; `newest` stays even if the clock is wrong.
    pub fn prune(&self, name: &str, newest: &str) {
        if self.limit == 0 {
            return;
        }
        let base = base_of(name);
        let Ok(entries) = self.directory.read_dir() else { return };
        let mut old: Vec<(u128, String)> = entries
            .flatten()
            .filter_map(|entry| entry.file_name().into_string().ok())
            .filter(|backup| backup != newest)
            .filter_map(|backup| Some((time_of(&backup, base)?, backup)))
            .collect();
        old.sort_unstable();
        let surplus = (old.len() + 1).saturating_sub(self.limit);
        for (_, backup) in &old[..surplus.min(old.len())] {
            if let Err(error) = fs::remove_file(self.directory.join(backup)) {
                tracing::warn!(
                    "the old backup `{backup}` cannot be removed: {}",
                    crate::platform::io_error::reason(&error)
                );
            }
        }
    }
}

/// The name of a backup that is made at a time, in milliseconds since 1970.
fn name_of(base: &str, time: &dyn Display) -> String {
    format!("{base}-{time}{SUFFIX}")
}

/// Whether a file is a backup of any config file.
pub fn is_backup(name: &str) -> bool {
    name.strip_suffix(SUFFIX)
        .and_then(|stem| stem.rsplit_once('-'))
        .is_some_and(|(base, _)| time_of(name, base).is_some())
}

/// The name without ending of the file that a backup was made of, and when, in milliseconds since 1970.
pub(super) fn origin(backup: &str) -> Option<(&str, i64)> {
    let (base, time) = backup.strip_suffix(SUFFIX)?.rsplit_once('-')?;
    Some((base, time.parse().ok()?))
}

/// The file's name without its extension.
pub(super) fn base_of(name: &str) -> &str {
    let bare = name.rsplit(['/', '\\']).next().unwrap_or(name);
    shortened(bare.rsplit_once('.').map_or(bare, |(base, _)| base), MAX_BASE_LENGTH)
}

/// The milliseconds in the name of a backup of that base; `None` if it is not one.
pub(super) fn time_of(backup: &str, base: &str) -> Option<u128> {
    let digits = backup.strip_prefix(base)?.strip_prefix('-')?.strip_suffix(SUFFIX)?;
    if digits.bytes().all(|byte| byte.is_ascii_digit()) { digits.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::{base_of, is_backup, time_of};

    #[test]
    fn backups_are_known_by_their_names() {
        for (backup, base, expected) in [
            ("conf-1700000000000.backup.yml", "conf", Some(1_700_000_000_000)),
            ("conf-1-5.backup.yml", "conf", None),
            ("conf-1-5.backup.yml", "conf-1", Some(5)),
            ("conf-.backup.yml", "conf", None),
            ("conf-+5.backup.yml", "conf", None),
            ("conf-5.backup.yml.txt", "conf", None),
            ("conf.yml", "conf", None),
        ] {
            assert_eq!(time_of(backup, base), expected, "{backup}");
        }
        assert!(is_backup("my-page-12.backup.yml"));
        assert!(!is_backup("my-page.backup.yml"));
    }

    #[test]
    fn bases_lose_one_extension_and_fit() {
        assert_eq!(base_of("conf.yml"), "conf");
        assert_eq!(base_of("a.b.yaml"), "a.b");
        assert!(base_of(&format!("{}.yml", "ö".repeat(125))).len() <= 220);
    }
}
