//! The sheet of a calendar.

use serde::{Deserialize, Serialize};

use super::{Phrase, is_default};
use crate::{Moment, option_types::Color};

/// The days of a month in rows of a week each, with what happens on them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Month {
    /// Midnight of the first day of the month in UTC, which stands for the month everywhere.
    pub month: Moment,
    /// The weeks, each with seven days, the first day of the week first. The days before and behind the month belong to
    /// them.
    pub weeks: Vec<Vec<MonthDay>>,
}

/// One day of the sheet.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct MonthDay {
    /// Midnight in UTC, which stands for the day everywhere.
    pub day: Moment,
    /// Its number in its month.
    pub number: u32,
    /// It belongs to the month before or behind.
    #[serde(skip_serializing_if = "is_default")]
    pub outside: bool,
    /// It is the viewer's present day.
    #[serde(skip_serializing_if = "is_default")]
    pub today: bool,
    /// What happens, in order.
    #[serde(skip_serializing_if = "is_default")]
    pub events: Vec<MonthEvent>,
    /// How much more happens.
    #[serde(skip_serializing_if = "is_default")]
    pub more: usize,
}

/// What happens on a day.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct MonthEvent {
    /// What it is.
    pub title: Phrase,
    /// When it begins, if not at midnight.
    #[serde(skip_serializing_if = "is_default")]
    pub at: Option<Moment>,
    /// The zone in which that is written, in seconds east of UTC; without one the viewer's.
    #[serde(skip_serializing_if = "is_default")]
    pub offset: Option<i32>,
    /// The colour of its mark.
    #[serde(skip_serializing_if = "is_default")]
    pub color: Option<Color>,
}
