//! The replacements for pictures that are not available, and the reasons, by the path of their address below `/icons/`.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{PoisonError, RwLock};

use config::icon::IconEntry;
use quick_cache::unsync::Cache;

use super::drawing::letter_picture;

/// More than any real config has. When years of edits exceed it, pictures that no page shows any longer go first.
const MAX_ENTRIES: usize = 16_384;

/// The pictures that pages name, each with the entry that it was last named for.
#[derive(Debug)]
pub struct Fallbacks {
    entries: RwLock<Cache<String, Fallback>>,
    changes: AtomicU64,
}

#[derive(Debug)]
struct Fallback {
    title: String,
    color: Option<String>,
    /// Why the picture is not shown, once that has turned out.
    problem: Option<String>,
}

impl Default for Fallbacks {
    fn default() -> Self {
        Self { entries: RwLock::new(Cache::new(MAX_ENTRIES)), changes: AtomicU64::default() }
    }
}

impl Fallbacks {
    /// Makes known for which entry a picture is meant.
    pub fn register(&self, path: &str, entry: &IconEntry<'_>) {
        let is_known = |known: &Fallback| known.title == entry.title && known.color.as_deref() == entry.color;
        // Nearly always the entry is there, and readers do not wait for each other.
        if self.entries.read().unwrap_or_else(PoisonError::into_inner).get(path).is_some_and(is_known) {
            return;
        }
        let mut entries = self.entries.write().unwrap_or_else(PoisonError::into_inner);
        let problem = entries.get(path).and_then(|known| known.problem.clone());
        let fallback = Fallback { title: entry.title.to_owned(), color: entry.color.map(str::to_owned), problem };
        entries.insert(path.to_owned(), fallback);
    }

    /// The letter of the entry in its color. None for what no entry names, and for entries without a title.
    pub fn picture(&self, path: &str) -> Option<String> {
        let entries = self.entries.read().unwrap_or_else(PoisonError::into_inner);
        let known = entries.get(path).filter(|known| !known.title.trim().is_empty())?;
        Some(letter_picture(&known.title, known.color.as_deref()))
    }

    /// Notes why the picture of an entry is not shown, or that it is. What no entry names is not noted.
    pub fn note(&self, path: &str, problem: Option<&str>) {
        let is_news = |known: &Fallback| known.problem.as_deref() != problem;
        if !self.entries.read().unwrap_or_else(PoisonError::into_inner).get(path).is_some_and(is_news) {
            return;
        }
        let mut entries = self.entries.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(mut known) = entries.get_mut(path) {
            known.problem = problem.map(str::to_owned);
            self.changes.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Why a picture is not shown, if that is known.
    pub fn problem(&self, path: &str) -> Option<String> {
        self.entries.read().unwrap_or_else(PoisonError::into_inner).get(path)?.problem.clone()
    }

    /// How often a problem has come or gone.
    pub fn changes(&self) -> u64 {
        self.changes.load(Ordering::Relaxed)
    }
}
