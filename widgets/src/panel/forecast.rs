//! The weather of several days.

use serde::{Deserialize, Serialize};

use super::{Datum, Part, Phrase, WeatherIcon, is_default};

/// The weather of several days, one beside or below the other. The bars from their lowest to their highest temperature
/// stand on a scale that all days have in common.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Forecast {
    /// The days, in order.
    pub days: Vec<ForecastDay>,
}

/// The weather of one day.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct ForecastDay {
    /// Which day it is.
    pub label: Datum,
    /// What the sky looks like.
    pub icon: WeatherIcon,
    /// What it is, in words.
    #[serde(skip_serializing_if = "is_default")]
    pub description: Phrase,
    /// The lowest temperature, in the unit of all days.
    #[serde(skip_serializing_if = "is_default")]
    pub lowest: Datum,
    /// The highest temperature.
    #[serde(skip_serializing_if = "is_default")]
    pub highest: Datum,
    /// How likely rain is; missing where there is no danger of it.
    #[serde(skip_serializing_if = "is_default")]
    pub rain: Datum,
    /// What a click on the day opens; without it the day cannot be clicked.
    #[serde(skip_serializing_if = "is_default")]
    pub parts: Vec<Part>,
}
