//! Pictures in the user-data directory: by path, and which of them exist.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{PoisonError, RwLock};

use bytes::Bytes;
use tokio::sync::Semaphore;

use super::cache::StoredMedia;
use super::media::Media;
use crate::store::user_files::NameKind;

/// File endings of pictures, compared in lower case (docs/spec/config.md 11.1).
const ENDINGS: [&str; 8] = ["svg", "png", "webp", "jpg", "jpeg", "gif", "ico", "avif"];
const MAX_BYTES: u64 = 10 * 1024 * 1024;
/// How many pictures are read at the same time: each is in memory as a whole.
static READS: Semaphore = Semaphore::const_new(4);
/// Limits of the listing: a user-data directory may hold someone's whole photo collection.
const MAX_FILES: usize = 10_000;
const DEEPEST: usize = 6;

/// Whether a path has the file ending of a picture.
pub fn is_picture_path(path: &str) -> bool {
    let ending = path.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    ending.is_some_and(|ending| ENDINGS.contains(&ending.as_str()))
}

/// Reads the picture at a path below the first of the folders that has it. The path may not leave its folder, neither
/// by its syntax nor through a link, and the content must be a picture, whatever its name says.
pub async fn read_picture(folders: &[PathBuf], path: &str) -> Option<StoredMedia> {
    if !is_picture_path(path) || !is_safe(path) {
        return None;
    }
    read_first(folders, vec![path.to_owned()]).await
}

/// Reads the picture of that name in a folder such as `hl`: with any ending, or in a subfolder named after the ending,
/// as in the archives of the collections.
pub async fn read_named(folders: &[PathBuf], folder: &str, name: &str) -> Option<StoredMedia> {
    let flat = ENDINGS.iter().map(|ending| format!("{folder}/{name}.{ending}"));
    let sorted = ENDINGS.iter().map(|ending| format!("{folder}/{ending}/{name}.{ending}"));
    let paths: Vec<String> = flat.chain(sorted).filter(|path| is_safe(path)).collect();
    read_first(folders, paths).await
}

/// Tries all locations in one task: a thread pool call for each would take longer than the disk does.
async fn read_first(folders: &[PathBuf], paths: Vec<String>) -> Option<StoredMedia> {
    // The semaphore is never closed, so there is always a permit.
    let _turn = READS.acquire().await;
    let folders = folders.to_vec();
    let read = move || folders.iter().find_map(|folder| read_below(folder, &paths));
    tokio::task::spawn_blocking(read).await.ok()?
}

fn read_below(folder: &Path, paths: &[String]) -> Option<StoredMedia> {
    let folder = folder.canonicalize().ok()?;
    paths.iter().find_map(|path| {
        let file = folder.join(path).canonicalize().ok()?;
        let about = file.metadata().ok()?;
        // A link must not lead to a config file, just as a name must not, whatever the file contains.
        let is_config = NameKind::of(&file.to_string_lossy()) == NameKind::Config;
        if !file.starts_with(&folder) || is_config || !about.is_file() || about.len() > MAX_BYTES {
            return None;
        }
        let body = Bytes::from(std::fs::read(&file).ok()?);
        Some(StoredMedia { media: Media::of_picture(&body)?, body })
    })
}

fn is_safe(path: &str) -> bool {
    !path.is_empty()
        && !path.contains(['\\', '\0', ':'])
        && path.split('/').all(|word| !word.is_empty() && !word.starts_with('.'))
}

/// The pictures below some directories, listed in memory, because rendering a page must not wait for a disk.
#[derive(Debug)]
pub struct PictureList {
    roots: Vec<PathBuf>,
    paths: RwLock<HashSet<String>>,
    /// Whether there were more files than a list holds, or deeper ones.
    is_cut: AtomicBool,
}

impl PictureList {
    /// A list that is empty until [`PictureList::rescan`].
    pub fn new(roots: Vec<PathBuf>) -> Self {
        Self { roots, paths: RwLock::default(), is_cut: AtomicBool::new(false) }
    }

    /// Lists the directories again, and returns whether the list has changed. Blocks on the disk.
    pub fn rescan(&self) -> bool {
        let mut paths = HashSet::new();
        let mut is_cut = false;
        for root in &self.roots {
            is_cut |= list(root, "", 0, &mut paths);
        }
        self.is_cut.store(is_cut, Ordering::Relaxed);
        let mut known = self.paths.write().unwrap_or_else(PoisonError::into_inner);
        let changed = *known != paths;
        *known = paths;
        changed
    }

    /// Whether there is a picture at that path, written without a leading slash.
    pub fn contains(&self, path: &str) -> bool {
        self.paths.read().unwrap_or_else(PoisonError::into_inner).contains(path)
    }

    /// The paths below a folder, which is written with a trailing slash and left out of them.
    pub fn below(&self, folder: &str) -> Vec<String> {
        let paths = self.paths.read().unwrap_or_else(PoisonError::into_inner);
        paths.iter().filter_map(|path| path.strip_prefix(folder)).map(str::to_owned).collect()
    }

    /// Whether there may be a picture at that path: not every one of a huge directory is listed.
    pub fn may_contain(&self, path: &str) -> bool {
        self.is_cut.load(Ordering::Relaxed) || self.contains(path)
    }
}

/// Lists a directory, and says whether anything was left out.
fn list(directory: &Path, prefix: &str, depth: usize, paths: &mut HashSet<String>) -> bool {
    let Ok(entries) = std::fs::read_dir(directory) else { return false };
    let mut is_cut = false;
    for entry in entries.flatten() {
        let name = entry.file_name();
        let Some(name) = name.to_str().filter(|name| !name.starts_with('.')) else { continue };
        if paths.len() >= MAX_FILES {
            return true;
        }
        // Links are followed, because mounted volumes consist of them; the depth limit ends cycles.
        let Ok(about) = std::fs::metadata(entry.path()) else { continue };
        let path = format!("{prefix}{name}");
        if about.is_dir() {
            is_cut |= depth >= DEEPEST || list(&entry.path(), &format!("{path}/"), depth + 1, paths);
        } else if about.is_file() && is_picture_path(name) {
            paths.insert(path);
        }
    }
    is_cut
}
