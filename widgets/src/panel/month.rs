//! A month of a calendar.

use serde::{Deserialize, Serialize};

use super::{Phrase, is_default};
use crate::{Moment, option_types::Color};

/// The days of a month, one row per week, with their events.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Month {
    /// Midnight of the first day of the month in UTC, which represents the month everywhere.
    pub month: Moment,
    /// The weeks, each with seven days, beginning with the first day of the week. They include the adjacent days of the
    /// previous and the next month.
    pub weeks: Vec<Vec<MonthDay>>,
}

/// One day of the sheet.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct MonthDay {
    /// Midnight in UTC, which represents the day everywhere.
    pub day: Moment,
    /// Its number in its month.
    pub number: u32,
    /// Whether it belongs to the previous or the next month.
    #[serde(skip_serializing_if = "is_default")]
    pub outside: bool,
    /// Whether it is today for the viewer.
    #[serde(skip_serializing_if = "is_default")]
    pub today: bool,
    /// The events, in order.
    #[serde(skip_serializing_if = "is_default")]
    pub events: Vec<MonthEvent>,
    /// Number of further events.
    #[serde(skip_serializing_if = "is_default")]
    pub more: usize,
}

/// An event on a day.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct MonthEvent {
    /// What it is.
    pub title: Phrase,
    /// When it begins, if not at midnight.
    #[serde(skip_serializing_if = "is_default")]
    pub at: Option<Moment>,
    /// The zone in which the time is shown, in seconds ahead of UTC; `None` means the viewer's.
    #[serde(skip_serializing_if = "is_default")]
    pub offset: Option<i32>,
    /// The color of its mark.
    #[serde(skip_serializing_if = "is_default")]
    pub color: Option<Color>,
}
