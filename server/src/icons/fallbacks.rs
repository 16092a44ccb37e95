//! The replacements for pictures that are not available, and the reasons, by the path of their address below `/icons/`.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{PoisonError, RwLock};

use config::icon::IconEntry;

use super::drawing::letter_picture;

/// More than any real config has. When it is exceeded, by years of edits, the entries begin again and fill up with the
/// next pages.
const MAX_ENTRIES: usize = 16_384;

/// The pictures that pages name, each with the entry that it was last named for.
#[derive(Debug, Default)]
pub struct Fallbacks {
    entries: RwLock<HashMap<String, Fallback>>,
    changes: AtomicU64,
}

#[derive(Debug, Default)]
struct Fallback {
    title: String,
    color: Option<String>,
    /// Why the picture is not shown, once that has turned out.
    problem: Option<String>,
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
        if entries.len() >= MAX_ENTRIES {
            entries.clear();
        }
        let known = entries.entry(path.to_owned()).or_default();
        entry.title.clone_into(&mut known.title);
        known.color = entry.color.map(str::to_owned);
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
        if let Some(known) = entries.get_mut(path) {
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
