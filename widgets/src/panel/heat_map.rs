//! Days colored by how much happened on them.

use serde::{Deserialize, Serialize};

use super::{Datum, Phrase, is_default};
use crate::Moment;

/// The days of some months, one column per week.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct HeatMap {
    /// What it shows, for screen readers.
    pub title: Phrase,
    /// The row of the first day: 0 is the first day of the week.
    #[serde(skip_serializing_if = "is_default")]
    pub first_row: u8,
    /// The days, one after the other.
    pub days: Vec<HeatDay>,
}

/// One day of a heat map.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct HeatDay {
    /// Midnight in UTC, which represents the day everywhere.
    pub day: Moment,
    /// The amount; missing if there is nothing.
    #[serde(skip_serializing_if = "is_default")]
    pub value: Datum,
    /// The intensity of its color: 0 for nothing, up to [`HeatMap::LEVELS`].
    #[serde(skip_serializing_if = "is_default")]
    pub level: u8,
}

impl HeatMap {
    /// Number of colors, not counting the one for nothing.
    pub const LEVELS: u8 = 4;
}
