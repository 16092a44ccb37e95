//! Parts that show one value, or its share of a whole.

use serde::{Deserialize, Serialize};

use super::{Datum, Phrase, Tone, is_default};
use crate::option_types::Color;

/// One large value.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Headline {
    /// The value.
    pub value: Datum,
    /// What it means.
    #[serde(skip_serializing_if = "is_default")]
    pub tone: Tone,
    /// Smaller words beside it.
    #[serde(skip_serializing_if = "is_default")]
    pub caption: Option<Phrase>,
    /// How much it has changed, coloured by its sign.
    #[serde(skip_serializing_if = "is_default")]
    pub change: Option<Datum>,
    /// A click copies it.
    #[serde(skip_serializing_if = "is_default")]
    pub copyable: bool,
}

impl Headline {
    /// A large value.
    #[must_use]
    pub fn new(value: impl Into<Datum>) -> Self {
        Self { value: value.into(), ..Self::default() }
    }
}

/// A bar that is partly full.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Meter {
    /// What it is.
    pub label: Phrase,
    /// How full it is, 0 to 1; what is outside is drawn as the end.
    pub share: f64,
    /// What is written at it: `3.2 GB of 8 GB`; nothing for the share in percent.
    #[serde(skip_serializing_if = "is_default")]
    pub text: Option<Phrase>,
    /// What it means.
    #[serde(skip_serializing_if = "is_default")]
    pub tone: Tone,
    /// The colour of the full part, where the tone does not say.
    #[serde(skip_serializing_if = "is_default")]
    pub color: Option<Color>,
    /// What the full part is and what the rest is, for bars whose colours say something else than their words.
    #[serde(skip_serializing_if = "is_default")]
    pub pieces: Option<(Tone, Tone)>,
}

/// A dial.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Gauge {
    /// What it is.
    pub label: Phrase,
    /// The value, written in the middle.
    pub value: Datum,
    /// Where the hand stands, 0 to 1; what is outside is drawn as the end.
    pub share: f64,
    /// Where the colour changes: from such a share on, such a tone.
    #[serde(skip_serializing_if = "is_default")]
    pub steps: Vec<(f64, Tone)>,
}

/// Shares of a whole, as a ring.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Donut {
    /// What the whole is.
    pub title: Phrase,
    /// Written in the middle.
    #[serde(skip_serializing_if = "is_default")]
    pub center: Option<Datum>,
    /// The shares, clockwise from the top.
    pub slices: Vec<Slice>,
}

/// One share of a whole.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Slice {
    /// What it is.
    pub label: Phrase,
    /// How large it is, in any measure; zero or above.
    pub size: f64,
    /// What is written for it; nothing for the share in percent.
    #[serde(skip_serializing_if = "is_default")]
    pub value: Option<Datum>,
    /// What it means.
    #[serde(skip_serializing_if = "is_default")]
    pub tone: Tone,
    /// The colour, where the tone does not say.
    #[serde(skip_serializing_if = "is_default")]
    pub color: Option<Color>,
}
