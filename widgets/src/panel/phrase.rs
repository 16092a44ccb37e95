//! Words: our own, which the page translates, and those of services, which it does not.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Datum;

/// A text in a panel. A `&'static str` is ours; a text from elsewhere is [`Phrase::foreign`].
///
/// Ours are looked up in translations by their English text, so each sentence appears in the code once and readable.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Phrase {
    /// Our words.
    Ours(String),
    /// Our words, with values for the names in braces: `{count} of {all}`.
    Filled {
        /// The English text.
        words: String,
        /// The values to insert, by name.
        with: BTreeMap<String, Datum>,
    },
    /// Text of a service or of the config file, shown as it is.
    Foreign {
        /// The text.
        foreign: String,
    },
}

impl Phrase {
    /// Text of a service or of the config file.
    #[must_use]
    pub fn foreign(text: impl Into<String>) -> Self {
        Self::Foreign { foreign: text.into() }
    }

    /// Inserts a value for `{name}`. Only our own words have placeholders; other phrases are unchanged.
    #[must_use]
    pub fn with(self, name: &'static str, value: impl Into<Datum>) -> Self {
        let (words, mut with) = match self {
            Self::Ours(words) => (words, BTreeMap::new()),
            Self::Filled { words, with } => (words, with),
            Self::Foreign { .. } => return self,
        };
        with.insert(name.to_owned(), value.into());
        Self::Filled { words, with }
    }

    /// Several phrases on one line, with dots between them; empty for none.
    #[must_use]
    pub fn joined(phrases: impl IntoIterator<Item = Self>) -> Self {
        let join = |first: Self, next: Self| Self::from("{first} · {next}").with("first", first).with("next", next);
        phrases.into_iter().reduce(join).unwrap_or_default()
    }

    /// Whether the text is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        match self {
            Self::Ours(text) | Self::Filled { words: text, .. } | Self::Foreign { foreign: text } => text.is_empty(),
        }
    }
}

impl Default for Phrase {
    fn default() -> Self {
        Self::Ours(String::new())
    }
}

impl From<&'static str> for Phrase {
    fn from(words: &'static str) -> Self {
        Self::Ours(words.to_owned())
    }
}
