//! A disk cache of external pictures, so that each picture is fetched once and survives a restart.
//!
//! One file per key: a line with the expiry time and the type, then the body. A key without a result is cached as well,
//! for a shorter time. If the directory cannot be written, a small part is kept in memory instead.
//!
//! Servers with one database share what they fetch: whoever has no fresh file asks the database first.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use sha2::{Digest, Sha256};
use tokio::sync::watch;

use super::media::Media;
use crate::database::{Database, SharedIcon};

/// First word of every file; its number changes with the format, so that old files are rejected and replaced.
const MARK: &str = "portico-icon-1";
const DAY: u64 = 24 * 60 * 60;
/// How long a picture is fresh.
const FOUND_SECONDS: u64 = 7 * DAY;
/// How long a missing picture is remembered.
const MISSING_SECONDS: u64 = 60 * 60;
/// How long a host that did not respond is not contacted again.
const FAILED_SECONDS: u64 = 10 * 60;
/// How many results servers share in a database, and how many bytes they may have together.
const SHARED_COUNT: i64 = 5000;
const SHARED_BYTES: i64 = 64 * 1024 * 1024;
const UNKNOWN_SIZE: u64 = u64::MAX;

/// Seconds since 1970; a parameter, so that tests control the time.
pub type CacheClock = Arc<dyn Fn() -> u64 + Send + Sync>;

/// A picture or a style sheet.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct StoredMedia {
    /// The type of the body.
    pub media: Media,
    /// The body.
    pub body: Bytes,
}

/// The result of a lookup.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum LookupOutcome {
    /// The picture was found.
    Found(StoredMedia),
    /// All sources responded, and none has it.
    Missing,
    /// A source did not respond, so the result is unknown.
    Failed,
}

/// What the cache knows about a key.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum IconLookupState {
    /// A picture, which may be stale and being fetched again.
    Found(StoredMedia),
    /// There is none.
    Missing,
    /// The lookup takes longer than the caller wanted to wait, and continues.
    Pending,
}

/// Location and limits.
#[derive(Clone)]
pub struct CacheSettings {
    /// The directory; `None` for memory only.
    pub directory: Option<PathBuf>,
    /// Maximum bytes on disk; above it the oldest files are deleted.
    pub disk_bytes: u64,
    /// Maximum bytes in memory, if the directory cannot be written.
    pub memory_bytes: usize,
    /// The time.
    pub clock: CacheClock,
    /// Where other servers find what this one has fetched, if they share a database.
    pub database: Option<Arc<Database>>,
}

/// The cache. Cheap to clone.
#[derive(Clone)]
pub struct PictureCache(Arc<Inner>);

struct Inner {
    settings: CacheSettings,
    memory: Mutex<MemoryCache>,
    flights: Mutex<HashMap<String, watch::Receiver<Option<IconLookupState>>>>,
    disk_size: AtomicU64,
    next_temporary: AtomicU64,
    warned: AtomicBool,
}

#[derive(Default)]
struct MemoryCache {
    entries: HashMap<String, CacheEntry>,
    bytes: usize,
}

#[derive(Clone)]
struct CacheEntry {
    expires: u64,
    stored: Option<StoredMedia>,
}

impl CacheEntry {
    fn known(self) -> IconLookupState {
        self.stored.map_or(IconLookupState::Missing, IconLookupState::Found)
    }
}

impl PictureCache {
    /// A cache; it reads and creates nothing before the first lookup.
    pub fn new(settings: CacheSettings) -> Self {
        Self(Arc::new(Inner {
            settings,
            memory: Mutex::default(),
            flights: Mutex::default(),
            disk_size: AtomicU64::new(UNKNOWN_SIZE),
            next_temporary: AtomicU64::new(0),
            warned: AtomicBool::new(false),
        }))
    }

    /// The stored entry, even if expired; for when lookups are not allowed.
    pub async fn stored(&self, key: &str) -> Option<StoredMedia> {
        self.read(key).await?.stored
    }

    /// The stored entry, or the result of `look_up`.
    ///
    /// An expired entry is returned at once and refreshed in the background. Otherwise this waits for `patience`: a
    /// page has many icons and a browser few connections, so slow hosts must not block them. Only one lookup runs per
    /// key, however many callers there are, and it finishes even if all callers leave.
    pub async fn find<F>(&self, key: &str, patience: Duration, look_up: impl FnOnce() -> F) -> IconLookupState
    where
        F: Future<Output = LookupOutcome> + Send + 'static,
    {
        let entry = self.read(key).await;
        let now = (self.0.settings.clock)();
        match entry {
            Some(entry) if entry.expires > now => entry.known(),
            Some(expired) => {
                let _ = self.join(key, Some(expired.clone()), look_up);
                expired.known()
            }
            None => {
                let mut flight = self.join(key, None, look_up);
                match tokio::time::timeout(patience, flight.wait_for(Option::is_some)).await {
                    Ok(Ok(known)) => known.clone().unwrap_or(IconLookupState::Missing),
                    // The lookup panicked; the panic has been reported where it happened.
                    Ok(Err(_)) => IconLookupState::Missing,
                    Err(_) => IconLookupState::Pending,
                }
            }
        }
    }

    fn join<F>(
        &self,
        key: &str,
        expired: Option<CacheEntry>,
        look_up: impl FnOnce() -> F,
    ) -> watch::Receiver<Option<IconLookupState>>
    where
        F: Future<Output = LookupOutcome> + Send + 'static,
    {
        let mut flights = lock(&self.0.flights);
        if let Some(flight) = flights.get(key) {
            return flight.clone();
        }
        let (sender, receiver) = watch::channel(None);
        flights.insert(key.to_owned(), receiver.clone());
        let cache = self.clone();
        let landing = Landing { cache: self.clone(), key: key.to_owned() };
        let work = look_up();
        tokio::spawn(async move {
            // An entry is stored before its lookup leaves the list, so a caller that read before the former and came
            // here after the latter finds it now and does not look it up again.
            let now = (cache.0.settings.clock)();
            let known = match cache.read(&landing.key).await.filter(|entry| entry.expires > now) {
                Some(entry) => entry.known(),
                None => match cache.of_others(&landing.key).await {
                    Some(entry) => {
                        cache.write(&landing.key, &entry).await;
                        entry.known()
                    }
                    None => cache.remember(&landing.key, work.await, expired).await,
                },
            };
            drop(landing);
            let _ = sender.send(Some(known));
        });
        receiver
    }

    async fn remember(&self, key: &str, outcome: LookupOutcome, expired: Option<CacheEntry>) -> IconLookupState {
        // Another server may reach a host that did not respond to this one.
        let is_certain = !matches!(outcome, LookupOutcome::Failed);
        let (seconds, found) = match outcome {
            LookupOutcome::Found(stored) => (FOUND_SECONDS, Some(stored)),
            LookupOutcome::Missing => (MISSING_SECONDS, None),
            LookupOutcome::Failed => (FAILED_SECONDS, None),
        };
        // An old picture is better than none: a host that is down for a day keeps its icon.
        let stored = found.or_else(|| expired.and_then(|entry| entry.stored));
        let entry = CacheEntry { expires: (self.0.settings.clock)().saturating_add(seconds), stored };
        self.write(key, &entry).await;
        if is_certain && let Some(database) = &self.0.settings.database {
            let (database, key) = (Arc::clone(database), key.to_owned());
            tokio::spawn(share(database, key, entry.clone(), Duration::from_secs(seconds)));
        }
        entry.known()
    }

    /// What another server has fetched.
    async fn of_others(&self, key: &str) -> Option<CacheEntry> {
        let database = self.0.settings.database.as_ref()?;
        let icon = database.icon(key).await.unwrap_or_else(|error| {
            tracing::debug!("icons of other servers are not known: {error}");
            None
        })?;
        let stored = match icon.found {
            Some((word, body)) => Some(StoredMedia { media: Media::from_word(&word)?, body }),
            None => None,
        };
        Some(CacheEntry { expires: (self.0.settings.clock)().saturating_add(icon.lifetime.as_secs()), stored })
    }

    async fn read(&self, key: &str) -> Option<CacheEntry> {
        if let Some(entry) = lock(&self.0.memory).entries.get(key) {
            return Some(entry.clone());
        }
        let directory = self.0.settings.directory.as_ref()?;
        let content = tokio::fs::read(directory.join(file_name(key))).await.ok()?;
        parse(Bytes::from(content))
    }

    async fn write(&self, key: &str, entry: &CacheEntry) {
        if let Some(directory) = &self.0.settings.directory {
            match self.write_file(directory, key, entry).await {
                Ok(()) => {
                    lock(&self.0.memory).remove(key);
                    return;
                }
                Err(error) => {
                    if !self.0.warned.swap(true, Ordering::Relaxed) {
                        let directory = directory.display();
                        tracing::info!(
                            "the icon cache `{directory}` cannot be written ({error}); keeping a few icons in memory"
                        );
                    }
                }
            }
        }
        lock(&self.0.memory).insert(key, entry.clone(), self.0.settings.memory_bytes);
    }

    async fn write_file(&self, directory: &Path, key: &str, entry: &CacheEntry) -> std::io::Result<()> {
        tokio::fs::create_dir_all(directory).await?;
        let content = print(entry);
        // Readers see the old file or the new one, never half of one.
        let number = self.0.next_temporary.fetch_add(1, Ordering::Relaxed);
        let temporary = directory.join(format!("{}.{}-{number}.part", file_name(key), std::process::id()));
        let target = directory.join(file_name(key));
        let written = match tokio::fs::write(&temporary, &content).await {
            Ok(()) => tokio::fs::rename(&temporary, &target).await,
            Err(error) => Err(error),
        };
        if written.is_err() {
            let _ = tokio::fs::remove_file(&temporary).await;
            return written;
        }
        self.account(directory, content.len() as u64).await;
        Ok(())
    }

    /// Keeps the directory below its limit. The size is counted once and then added up; a replaced file counts twice
    /// until the next count, which only makes that count happen sooner.
    async fn account(&self, directory: &Path, written: u64) {
        let known = self.0.disk_size.load(Ordering::Relaxed);
        let size = if known == UNKNOWN_SIZE { u64::MAX } else { known.saturating_add(written) };
        if size <= self.0.settings.disk_bytes {
            self.0.disk_size.store(size, Ordering::Relaxed);
            return;
        }
        let (directory, max) = (directory.to_owned(), self.0.settings.disk_bytes);
        if let Ok(size) = tokio::task::spawn_blocking(move || trim(&directory, max)).await {
            self.0.disk_size.store(size, Ordering::Relaxed);
        }
    }
}

/// Tells the other servers what was fetched. Nobody waits for it; if it fails, they fetch it themselves.
async fn share(database: Arc<Database>, key: String, entry: CacheEntry, lifetime: Duration) {
    let found = entry.stored.map(|stored| (stored.media.word().to_owned(), stored.body));
    let shared = match database.put_icon(&key, &SharedIcon { found, lifetime }).await {
        Ok(()) => database.trim_icons(SHARED_COUNT, SHARED_BYTES).await,
        Err(error) => Err(error),
    };
    if let Err(error) = shared {
        tracing::debug!("an icon is not shared: {error}");
    }
}

/// Removes a lookup from the list when it ends, even by a panic.
struct Landing {
    cache: PictureCache,
    key: String,
}

impl Drop for Landing {
    fn drop(&mut self) {
        lock(&self.cache.0.flights).remove(&self.key);
    }
}

impl MemoryCache {
    fn insert(&mut self, key: &str, entry: CacheEntry, max: usize) {
        self.remove(key);
        let size = Self::size(key, &entry);
        if size > max {
            return;
        }
        while self.bytes + size > max {
            let next = self.entries.iter().min_by_key(|(_, entry)| entry.expires).map(|(key, _)| key.clone());
            let Some(next) = next else { break };
            self.remove(&next);
        }
        self.bytes += size;
        self.entries.insert(key.to_owned(), entry);
    }

    fn remove(&mut self, key: &str) {
        if let Some(entry) = self.entries.remove(key) {
            self.bytes -= Self::size(key, &entry);
        }
    }

    fn size(key: &str, entry: &CacheEntry) -> usize {
        // The size of a map entry is an estimate; it keeps a million missing pictures from counting as free.
        128 + key.len() + entry.stored.as_ref().map_or(0, |stored| stored.body.len())
    }
}

/// Deletes the oldest files until three quarters of the limit are left, and leftovers of interrupted writes. Returns
/// the size afterwards.
fn trim(directory: &Path, max: u64) -> u64 {
    let Ok(entries) = std::fs::read_dir(directory) else { return 0 };
    let mut files: Vec<_> = entries
        .filter_map(|entry| {
            let entry = entry.ok()?;
            let name = entry.file_name();
            let name = name.to_str()?;
            // Only our own files are ever deleted.
            let ours = name.ends_with(".icon") || name.ends_with(".part");
            let about = entry.metadata().ok().filter(|about| ours && about.is_file())?;
            Some((about.modified().ok()?, about.len(), entry.path()))
        })
        .collect();
    files.sort();
    let mut size: u64 = files.iter().map(|(_, length, _)| length).sum();
    if size > max {
        for (_, length, path) in files {
            if size <= max / 4 * 3 {
                break;
            }
            if std::fs::remove_file(path).is_ok() {
                size -= length;
            }
        }
    }
    size
}

fn file_name(key: &str) -> String {
    format!("{}.icon", hex::encode(&Sha256::digest(key.as_bytes())[..16]))
}

fn print(entry: &CacheEntry) -> Vec<u8> {
    let word = entry.stored.as_ref().map_or("missing", |stored| stored.media.word());
    let mut content = format!("{MARK} {} {word}\n", entry.expires).into_bytes();
    if let Some(stored) = &entry.stored {
        content.extend_from_slice(&stored.body);
    }
    content
}

fn parse(content: Bytes) -> Option<CacheEntry> {
    let end = content.iter().take(80).position(|byte| *byte == b'\n')?;
    let mut words = std::str::from_utf8(&content[..end]).ok()?.split(' ');
    if words.next()? != MARK {
        return None;
    }
    let expires = words.next()?.parse().ok()?;
    let stored = match words.next()? {
        "missing" => None,
        word => Some(StoredMedia { media: Media::from_word(word)?, body: content.slice(end + 1..) }),
    };
    Some(CacheEntry { expires, stored })
}

/// A panic while one of these locks is held cannot leave a map half changed, so a poisoned lock is still valid.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
