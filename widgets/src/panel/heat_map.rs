//! Days in the colours of what happened on them.

use serde::{Deserialize, Serialize};

use super::{Datum, Phrase, is_default};
use crate::Moment;

/// The days of some months, in columns of a week each.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct HeatMap {
    /// What it shows.
    pub title: Phrase,
    /// In which row the first day stands: 0 for the first day of the week.
    #[serde(skip_serializing_if = "is_default")]
    pub first_row: u8,
    /// The days, one after the other.
    pub days: Vec<HeatDay>,
}

/// One day of a heat map.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct HeatDay {
    /// Midnight in UTC, which stands for the day everywhere.
    pub day: Moment,
    /// How much it was; missing for nothing.
    #[serde(skip_serializing_if = "is_default")]
    pub value: Datum,
    /// How strong its colour is: 0 for nothing, up to [`HeatMap::LEVELS`].
    #[serde(skip_serializing_if = "is_default")]
    pub level: u8,
}

impl HeatMap {
    /// How many colours there are besides that of nothing.
    pub const LEVELS: u8 = 4;
}
