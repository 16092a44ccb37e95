//! Parts that arrange and explain others.

use serde::{Deserialize, Serialize};

use super::{Part, Phrase, Picture, SafeUrl, Tone, is_default};
use crate::Action;

/// A title, with an address behind it or a picture beside it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Heading {
    /// The words.
    pub text: Phrase,
    /// Where a click leads.
    #[serde(skip_serializing_if = "is_default")]
    pub url: Option<SafeUrl>,
    /// Stands before the words.
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

    /// With an address, if it may be linked to.
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
    /// What they mean.
    #[serde(skip_serializing_if = "is_default")]
    pub tone: Tone,
    /// In smaller letters.
    #[serde(skip_serializing_if = "is_default")]
    pub small: bool,
    /// As a quotation, large and set apart.
    #[serde(skip_serializing_if = "is_default")]
    pub quote: bool,
    /// In letters of one width, with its line breaks.
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

/// Parts that can be folded away ("show more").
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Details {
    /// Stays visible; empty for "show more" and "show less".
    #[serde(skip_serializing_if = "is_default")]
    pub summary: Phrase,
    /// Whether it is open at first.
    #[serde(skip_serializing_if = "is_default")]
    pub open: bool,
    /// What is folded away.
    pub parts: Vec<Part>,
}

/// A button that makes the server change something ([`crate::Widget::act`]).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct ActionButton {
    /// What is asked for.
    pub action: Action,
    /// The words on it.
    pub label: Phrase,
    /// A question to answer first.
    #[serde(skip_serializing_if = "is_default")]
    pub question: Option<Phrase>,
    /// What it means.
    #[serde(skip_serializing_if = "is_default")]
    pub tone: Tone,
}

/// A sentence about a state: nothing there, half of it missing, something to know.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Notice {
    /// The sentence.
    pub text: Phrase,
    /// What it means.
    #[serde(skip_serializing_if = "is_default")]
    pub tone: Tone,
}

impl Notice {
    /// There is nothing to show, and that is no fault.
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

/// Parts side by side where there is room, one below the other where there is none.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Columns {
    /// The columns, each with its parts.
    pub columns: Vec<Vec<Part>>,
}
