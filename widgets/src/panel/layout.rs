//! Parts that explain other parts.

use serde::{Deserialize, Serialize};

use super::{Phrase, Picture, SafeUrl, Tone, is_default};
use crate::{Action, option_types::Size};

/// A title, with an optional link and picture.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Heading {
    /// The words.
    pub text: Phrase,
    /// Where a click leads.
    #[serde(skip_serializing_if = "is_default")]
    pub url: Option<SafeUrl>,
    /// The picture before the words.
    #[serde(skip_serializing_if = "is_default")]
    pub picture: Option<Picture>,
    /// Smaller words below.
    #[serde(skip_serializing_if = "is_default")]
    pub subtitle: Option<Phrase>,
}

impl Heading {
    /// A title without anything else.
    #[must_use]
    pub fn new(text: impl Into<Phrase>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// Adds a link, if the address is safe.
    #[must_use]
    pub fn linked(mut self, url: &str) -> Self {
        self.url = SafeUrl::parse(url);
        self
    }
}

impl From<Phrase> for Heading {
    fn from(text: Phrase) -> Self {
        Self::new(text)
    }
}

impl From<&'static str> for Heading {
    fn from(text: &'static str) -> Self {
        Self::new(text)
    }
}

/// A few sentences.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Paragraph {
    /// The words.
    pub text: Phrase,
    /// Their meaning.
    #[serde(skip_serializing_if = "is_default")]
    pub tone: Tone,
    /// In small type.
    #[serde(skip_serializing_if = "is_default")]
    pub small: bool,
    /// As a quotation, large and set apart.
    #[serde(skip_serializing_if = "is_default")]
    pub quote: bool,
    /// In a monospaced font, with its line breaks.
    #[serde(skip_serializing_if = "is_default")]
    pub monospace: bool,
}

impl Paragraph {
    /// Plain sentences.
    #[must_use]
    pub fn new(text: impl Into<Phrase>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }
}

/// A button that makes the server change something ([`crate::Widget::act`]).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct ActionButton {
    /// The action that it requests.
    pub action: Action,
    /// The words on it.
    pub label: Phrase,
    /// A question to confirm first.
    #[serde(skip_serializing_if = "is_default")]
    pub question: Option<Phrase>,
    /// Its meaning.
    #[serde(skip_serializing_if = "is_default")]
    pub tone: Tone,
}

/// A sentence about a state: nothing there, something missing, something to know.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Notice {
    /// The sentence.
    pub text: Phrase,
    /// Its meaning.
    #[serde(skip_serializing_if = "is_default")]
    pub tone: Tone,
}

impl Notice {
    /// There is nothing to show, and that is not a problem.
    #[must_use]
    pub fn empty(text: impl Into<Phrase>) -> Self {
        Self { text: text.into(), tone: Tone::Neutral }
    }

    /// Something is wrong, but not everything.
    #[must_use]
    pub fn warning(text: impl Into<Phrase>) -> Self {
        Self { text: text.into(), tone: Tone::Warning }
    }
}

/// Empty space, with words in it if there are any. They make it higher where they need more room.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Space {
    /// The height.
    pub height: Size,
    /// The words.
    #[serde(default, skip_serializing_if = "is_default")]
    pub text: Phrase,
}
