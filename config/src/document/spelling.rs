//! How a file spells the scalars that we would write in another way, such as `1.10`, `0x1F` or `True`.
//!
//! A write prints the whole value. With these spellings, scalars that nobody changed stay as a user wrote them, also
//! for other software that reads the file. They are kept per key, not per place, so edits need not know about them.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

/// The spellings of a file.
#[derive(Clone, Debug, Default)]
pub(super) struct Spellings(pub(super) Option<Arc<Tables>>);

#[derive(Clone, Debug, Default)]
pub(super) struct Tables {
    /// For the key of the nearest mapping and a scalar as we would write it: how the file writes it.
    pub(super) values: HashMap<Box<str>, HashMap<Box<str>, Box<str>>>,
    /// The keys that the file writes without quotes although we would add them.
    pub(super) keys: HashSet<Box<str>>,
}

impl Spellings {
    /// Adds the spellings of another file. Where both have one, the other's is used.
    pub fn extend(&mut self, other: &Self) {
        let Some(other) = &other.0 else { return };
        let tables = Arc::make_mut(self.0.get_or_insert_default());
        for (key, spellings) in &other.values {
            tables.values.entry(key.clone()).or_default().extend(spellings.clone());
        }
        tables.keys.extend(other.keys.iter().cloned());
    }

    /// How the file writes a scalar of a key; `ours` is how we write it.
    pub fn value(&self, key: &str, ours: &str) -> Option<&str> {
        self.0.as_ref()?.values.get(key)?.get(ours).map(AsRef::as_ref)
    }

    /// Whether the file writes this key without quotes.
    pub fn is_plain_key(&self, key: &str) -> bool {
        self.0.as_ref().is_some_and(|tables| tables.keys.contains(key))
    }
}
