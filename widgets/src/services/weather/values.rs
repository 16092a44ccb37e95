//! The units of the weather, and how its values are shown.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Moment,
    panel::{Datum, Decimals, Fact, Style, Unit},
};

const METERS_PER_MILE: f64 = 1609.344;
const MILLIMETERS_PER_INCH: f64 = 25.4;

/// The units to use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Units {
    #[default]
    Metric,
    Imperial,
}

impl Units {
    /// The word used in options and requests.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Metric => "metric",
            Self::Imperial => "imperial",
        }
    }

    /// A temperature in whole degrees.
    pub(crate) fn degrees(self, value: Option<f64>) -> Datum {
        let unit = match self {
            Self::Metric => Unit::Celsius,
            Self::Imperial => Unit::Fahrenheit,
        };
        whole(value, unit)
    }

    /// The wind speed, and the direction it comes from, in degrees clockwise from north.
    pub(crate) fn wind(self, speed: Option<f64>, direction: Option<f64>) -> Fact {
        let more = direction.map(|degrees| Datum::number(degrees, Unit::Bearing)).into_iter().collect();
        Fact { more, ..Fact::new("Wind", self.speed(speed)) }
    }

    /// A speed with one decimal.
    pub(crate) fn speed(self, value: Option<f64>) -> Datum {
        let unit = match self {
            Self::Metric => Unit::MetersPerSecond,
            Self::Imperial => Unit::MilesPerHour,
        };
        number(value.map(|value| rounded(value, 10.0)), unit)
    }

    /// A distance in metres, converted, with one decimal.
    pub(crate) fn distance(self, meters: Option<f64>) -> Datum {
        let (divisor, unit) = match self {
            Self::Metric => (1000.0, Unit::Kilometers),
            Self::Imperial => (METERS_PER_MILE, Unit::Miles),
        };
        number(meters.map(|meters| rounded(meters / divisor, 10.0)), unit)
    }

    /// An amount of rain or snow in millimetres, converted: OpenWeatherMap always uses millimetres.
    pub(crate) fn of_millimeters(self, millimeters: Option<f64>) -> Option<f64> {
        millimeters.map(|millimeters| match self {
            Self::Metric => millimeters,
            Self::Imperial => millimeters / MILLIMETERS_PER_INCH,
        })
    }

    /// An amount of rain or snow, if there is any.
    pub(crate) fn fallen(self, value: Option<f64>) -> Datum {
        let unit = match self {
            Self::Metric => Unit::Millimeters,
            Self::Imperial => Unit::Inches,
        };
        number(value.map(|value| rounded(value, 100.0)).filter(|value| *value > 0.0), unit)
    }
}

/// A value, or a placeholder if there is none.
pub(crate) fn number(value: Option<f64>, unit: Unit) -> Datum {
    value.map_or(Datum::Missing, |value| Datum::number(value, unit))
}

/// A value without decimals.
pub(crate) fn whole(value: Option<f64>, unit: Unit) -> Datum {
    number(value.map(f64::round), unit).decimals(Decimals::Exactly(0))
}

/// The time of day at a place that is this many seconds ahead of UTC.
pub(crate) fn time_there(at: Option<Moment>, offset: i32) -> Datum {
    at.map_or(Datum::Missing, |at| Datum::Time { at, style: Style::Time, offset: Some(offset) })
}

/// A value rounded to tenths or hundredths.
fn rounded(value: f64, parts: f64) -> f64 {
    (value * parts).round() / parts
}
