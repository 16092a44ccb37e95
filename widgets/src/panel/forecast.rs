//! The weather of several days.

use serde::{Deserialize, Serialize};

use super::{Datum, Part, Phrase, WeatherIcon, is_default};

/// The weather of several days, one below the other. The bars from the lowest to the highest
/// temperature have the same scale for all days.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Forecast {
    /// The days, in order.
    pub days: Vec<ForecastDay>,
    /// How many days are visible before "Show 4 more", set by [`super::Panel::new`]; `None` means all.
    #[serde(skip_serializing_if = "is_default")]
    pub folded_after: Option<usize>,
}

/// The weather of one day.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct ForecastDay {
    /// Which day it is.
    pub label: Datum,
    /// What the sky looks like.
    pub icon: WeatherIcon,
    /// The weather as text.
    #[serde(skip_serializing_if = "is_default")]
    pub description: Phrase,
    /// The lowest temperature; all days have the same unit.
    #[serde(skip_serializing_if = "is_default")]
    pub lowest: Datum,
    /// The highest temperature.
    #[serde(skip_serializing_if = "is_default")]
    pub highest: Datum,
    /// The probability of rain; missing if there is none.
    #[serde(skip_serializing_if = "is_default")]
    pub rain: Datum,
    /// The details that a click on the day opens; empty if the day cannot be clicked.
    #[serde(skip_serializing_if = "is_default")]
    pub parts: Vec<Part>,
}
