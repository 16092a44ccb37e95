//! What was found elsewhere, kept on disk, so that each picture is looked up once and survives a restart.
//!
//! One file per key: a line with the time of expiry and the kind, then the body. A key that led to nothing is kept as
//! well, for a shorter time. Where the directory cannot be written, a small part of it lives in memory instead.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use sha2::{Digest, Sha256};
use tokio::sync::watch;

use super::media::Media;

/// First word of every file; its number changes with the format, which makes old files unreadable and so replaced.
const MARK: &str = "portico-icon-1";
const DAY: u64 = 24 * 60 * 60;
/// How long a picture is kept before it is asked for again.
const FOUND_SECONDS: u64 = 7 * DAY;
/// How long "there is none" is believed.
const MISSING_SECONDS: u64 = 60 * 60;
/// How long a host that did not answer is left alone.
const FAILED_SECONDS: u64 = 10 * 60;
const UNKNOWN_SIZE: u64 = u64::MAX;

/// Seconds since 1970; a parameter, so that tests decide what time it is.
pub type CacheClock = Arc<dyn Fn() -> u64 + Send + Sync>;

/// A picture or a style sheet.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Stored {
    /// What the body is.
    pub media: Media,
    /// The body.
    pub body: Bytes,
}

/// How a look-up ended.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum LookupOutcome {
    /// Here it is.
    Found(Stored),
    /// Everyone was asked and no one has it.
    Missing,
    /// Someone could not be asked, so nothing is known.
    Failed,
}

/// What the cache can say about a key.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum IconLookupState {
    /// A picture, possibly one that is being looked up again.
    Found(Stored),
    /// There is none.
    Missing,
    /// The look-up takes longer than the caller wanted to wait, and goes on.
    Pending,
}

/// Where and how much.
#[derive(Clone)]
pub struct CacheSettings {
    /// The directory; none for memory alone.
    pub directory: Option<PathBuf>,
    /// Most bytes on disk; beyond it the oldest files go.
    pub disk_bytes: u64,
    /// Most bytes in memory, when the directory cannot be written.
    pub memory_bytes: usize,
    /// The time.
    pub clock: CacheClock,
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
    stored: Option<Stored>,
}

impl CacheEntry {
    fn known(self) -> IconLookupState {
        self.stored.map_or(IconLookupState::Missing, IconLookupState::Found)
    }
}

impl PictureCache {
    /// A cache; nothing is read or created before the first look-up.
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

    /// What is stored, however old; for times when nothing may be looked up.
    pub async fn stored(&self, key: &str) -> Option<Stored> {
        self.read(key).await?.stored
    }

    /// What is stored, or what `look_up` finds.
    ///
    /// An expired entry is answered at once and looked up again behind it. Otherwise this waits for `patience`: a page
    /// has many icons and a browser few connections, so slow hosts must not hold them. However many callers there are
    /// for a key, one look-up runs, and it runs to its end even if all callers leave.
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
                    // The look-up panicked; the panic has been reported where it happened.
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
            // An entry is in place before its flight is taken off the list, so a caller who read before the one and
            // came here after the other finds it now and looks nothing up a second time.
            let now = (cache.0.settings.clock)();
            let known = match cache.read(&landing.key).await.filter(|entry| entry.expires > now) {
                Some(entry) => entry.known(),
                None => cache.remember(&landing.key, work.await, expired).await,
            };
            drop(landing);
            let _ = sender.send(Some(known));
        });
        receiver
    }

    async fn remember(&self, key: &str, outcome: LookupOutcome, expired: Option<CacheEntry>) -> IconLookupState {
        let (seconds, found) = match outcome {
            LookupOutcome::Found(stored) => (FOUND_SECONDS, Some(stored)),
            LookupOutcome::Missing => (MISSING_SECONDS, None),
            LookupOutcome::Failed => (FAILED_SECONDS, None),
        };
        // A picture that was there is better than none: a host that is down for a day keeps its icon.
        let stored = found.or_else(|| expired.and_then(|entry| entry.stored));
        let entry = CacheEntry { expires: (self.0.settings.clock)().saturating_add(seconds), stored };
        self.write(key, &entry).await;
        entry.known()
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
                            "icon cache `{directory}` cannot be written ({error}), keeping few icons in memory"
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

    /// Keeps the directory below its bound. The size is counted once and then added up; a replaced file counts twice
    /// until the next count, which only makes that count come sooner.
    async fn account(&self, directory: &Path, written: u64) {
        let known = self.0.disk_size.load(Ordering::Relaxed);
        let size = if known == UNKNOWN_SIZE { u64::MAX } else { known.saturating_add(written) };
        if size <= self.0.settings.disk_bytes {
            self.0.disk_size.store(size, Ordering::Relaxed);
            return;
        }
        let (directory, most) = (directory.to_owned(), self.0.settings.disk_bytes);
        if let Ok(size) = tokio::task::spawn_blocking(move || trim(&directory, most)).await {
            self.0.disk_size.store(size, Ordering::Relaxed);
        }
    }
}

/// Takes a look-up off the list when it ends, also when it ends in a panic.
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
    fn insert(&mut self, key: &str, entry: CacheEntry, most: usize) {
        self.remove(key);
        let size = Self::size(key, &entry);
        if size > most {
            return;
        }
        while self.bytes + size > most {
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
        // What a map's slot takes is guessed; it keeps a million missing pictures from being free.
        128 + key.len() + entry.stored.as_ref().map_or(0, |stored| stored.body.len())
    }
}

/// Deletes the oldest files until three quarters of the bound are left, and leftovers of interrupted writes. Returns
/// the size then.
fn trim(directory: &Path, most: u64) -> u64 {
    let Ok(entries) = std::fs::read_dir(directory) else { return 0 };
    let mut files: Vec<_> = entries
        .filter_map(|entry| {
            let entry = entry.ok()?;
            let name = entry.file_name();
            let name = name.to_str()?;
            // Nothing but our own files is ever deleted.
            let ours = name.ends_with(".icon") || name.ends_with(".part");
            let about = entry.metadata().ok().filter(|about| ours && about.is_file())?;
            Some((about.modified().ok()?, about.len(), entry.path()))
        })
        .collect();
    files.sort();
    let mut size: u64 = files.iter().map(|(_, length, _)| length).sum();
    if size > most {
        for (_, length, path) in files {
            if size <= most / 4 * 3 {
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
        word => Some(Stored { media: Media::from_word(word)?, body: content.slice(end + 1..) }),
    };
    Some(CacheEntry { expires, stored })
}

/// A panic while one of these locks is held cannot leave a map half changed, so a poisoned lock is still good.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
