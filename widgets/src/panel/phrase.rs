//! Words: our own, which the page translates, and those of services, which it does not.

use std::collections::BTreeMap;

use super::{Datum, Phrase};

impl Phrase {
    /// Text of a service or of the config file.
    #[must_use]
    pub fn foreign(text: impl Into<String>) -> Self {
        Self::Foreign { foreign: text.into() }
    }

    /// A message about a problem, such as the text of an error.
    #[must_use]
    pub fn message(text: impl Into<String>) -> Self {
        Self::Message { message: text.into() }
    }

    /// Inserts a value for `{name}`. Only our own words have placeholders; other phrases are unchanged.
    #[must_use]
    pub fn with(self, name: &'static str, value: impl Into<Datum>) -> Self {
        let (words, mut with) = match self {
            Self::Ours(words) => (words, BTreeMap::new()),
            Self::Filled { words, with } => (words, with),
            Self::Foreign { .. } | Self::Message { .. } => return self,
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
            Self::Ours(text)
            | Self::Filled { words: text, .. }
            | Self::Foreign { foreign: text }
            | Self::Message { message: text } => text.is_empty(),
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
