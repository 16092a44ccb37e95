//! Parts that show one value, or shares of a whole.

use serde::{Deserialize, Serialize};

use super::{Datum, Phrase, Tone, is_default};
use crate::option_types::Color;

/// One large value.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Headline {
    /// The value.
    pub value: Datum,
    /// Its meaning.
    #[serde(skip_serializing_if = "is_default")]
    pub tone: Tone,
    /// Smaller text next to it.
    #[serde(skip_serializing_if = "is_default")]
    pub caption: Option<Phrase>,
    /// The change of the value, colored by its sign.
    #[serde(skip_serializing_if = "is_default")]
    pub change: Option<Datum>,
    /// Whether a click copies it.
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
    /// What it measures.
    pub label: Phrase,
    /// How full it is, from 0 to 1; values out of range are drawn at the end.
    pub share: f64,
    /// The text on it: `3.2 GB of 8 GB`; `None` shows the share in percent.
    #[serde(skip_serializing_if = "is_default")]
    pub text: Option<Phrase>,
    /// Its meaning.
    #[serde(skip_serializing_if = "is_default")]
    pub tone: Tone,
    /// The color of the full part, if the tone does not determine it.
    #[serde(skip_serializing_if = "is_default")]
    pub color: Option<Color>,
    /// The tones of the full part and the rest, for bars whose colors differ from the tone of their text.
    #[serde(skip_serializing_if = "is_default")]
    pub pieces: Option<(Tone, Tone)>,
    /// Shown on hover over the label.
    #[serde(skip_serializing_if = "is_default")]
    pub hint: Option<Phrase>,
}

/// A dial.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Gauge {
    /// What it measures.
    pub label: Phrase,
    /// The value, shown in the middle.
    pub value: Datum,
    /// The position of the hand, from 0 to 1; values out of range are drawn at the end.
    pub share: f64,
    /// Where the color changes: the tone from each share on.
    #[serde(skip_serializing_if = "is_default")]
    pub steps: Vec<(f64, Tone)>,
    /// Whether it is three quarters of a circle, as a speedometer, instead of half of one.
    #[serde(skip_serializing_if = "is_default")]
    pub wide: bool,
}

/// Shares of a whole, as a ring or as a bar.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Donut {
    /// What the whole is.
    pub title: Phrase,
    /// The text in the middle of the ring.
    #[serde(skip_serializing_if = "is_default")]
    pub center: Option<Datum>,
    /// The shares, clockwise from the top, or from the start of the bar.
    pub slices: Vec<Slice>,
    /// Whether it is drawn as a bar.
    #[serde(skip_serializing_if = "is_default")]
    pub flat: bool,
}

/// One share of a whole.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Slice {
    /// What it is.
    pub label: Phrase,
    /// Its size in any unit; zero or positive.
    pub size: f64,
    /// The text for it; `None` shows the share in percent.
    #[serde(skip_serializing_if = "is_default")]
    pub value: Option<Datum>,
    /// Its meaning.
    #[serde(skip_serializing_if = "is_default")]
    pub tone: Tone,
    /// The color, if the tone does not determine it.
    #[serde(skip_serializing_if = "is_default")]
    pub color: Option<Color>,
    /// Its position in the palette, if that is not its position among the slices: it then keeps its color when slices
    /// before it come and go.
    #[serde(skip_serializing_if = "is_default")]
    pub palette: Option<u8>,
    /// Shown on hover.
    #[serde(skip_serializing_if = "is_default")]
    pub hint: Option<Phrase>,
}
