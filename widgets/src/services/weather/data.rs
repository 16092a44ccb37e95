//! The weather as all sources give it. Temperatures, speeds and amounts are in the requested units.

use jiff::{Timestamp, civil::Date, tz::Offset};

use crate::{
    FetchError, Moment, Response,
    panel::{Phrase, WeatherIcon},
};

/// The current weather of a place.
#[derive(Clone, Debug, Default)]
pub(crate) struct Conditions {
    pub(crate) place: String,
    pub(crate) icon: WeatherIcon,
    pub(crate) night: bool,
    pub(crate) description: Phrase,
    pub(crate) temperature: Option<f64>,
    pub(crate) feels_like: Option<f64>,
    pub(crate) lowest: Option<f64>,
    pub(crate) highest: Option<f64>,
    /// hPa.
    pub(crate) pressure: Option<f64>,
    /// Percent.
    pub(crate) humidity: Option<f64>,
    pub(crate) visibility_meters: Option<f64>,
    pub(crate) wind: Option<f64>,
    /// The direction from which it blows, in degrees clockwise from north.
    pub(crate) wind_direction: Option<f64>,
    pub(crate) gusts: Option<f64>,
    /// Percent.
    pub(crate) clouds: Option<f64>,
    pub(crate) rain: Option<f64>,
    pub(crate) snow: Option<f64>,
    pub(crate) sunrise: Option<Moment>,
    pub(crate) sunset: Option<Moment>,
    /// Seconds ahead of UTC.
    pub(crate) offset: i32,
    /// The temperatures of today, from midnight to midnight; empty if the service does not tell.
    pub(crate) hours: Vec<Option<f64>>,
    /// When it was so.
    pub(crate) at: Option<Moment>,
    /// The parts of the name of the place that match nothing.
    pub(crate) unmatched: Vec<String>,
}

impl Conditions {
    /// The conditions, if they say anything about the weather.
    ///
    /// # Errors
    ///
    /// There is neither a temperature nor a picture; everything else is a detail.
    pub(crate) fn filled(self, reply: &Response) -> Result<Self, FetchError> {
        let is_filled = self.temperature.is_some() || !self.description.is_empty();
        if is_filled { Ok(self) } else { Err(reply.unexpected("no weather")) }
    }

    /// The conditions with another name of the place, if there is one.
    pub(crate) fn named(mut self, place: Option<String>) -> Self {
        self.place = place.unwrap_or(self.place);
        self
    }
}

/// The weather of one day.
#[derive(Clone, Debug, Default)]
pub(crate) struct Day {
    /// The date at the place.
    pub(crate) date: Date,
    pub(crate) icon: WeatherIcon,
    pub(crate) description: Phrase,
    pub(crate) lowest: Option<f64>,
    pub(crate) highest: Option<f64>,
    pub(crate) feels_like: Option<f64>,
    /// hPa.
    pub(crate) pressure: Option<f64>,
    /// Percent.
    pub(crate) humidity: Option<f64>,
    /// The strongest wind of the day.
    pub(crate) wind: Option<f64>,
    /// The direction from which it blows, in degrees clockwise from north.
    pub(crate) wind_direction: Option<f64>,
    pub(crate) gusts: Option<f64>,
    /// Percent.
    pub(crate) clouds: Option<f64>,
    /// Percent.
    pub(crate) rain_chance: Option<f64>,
    pub(crate) rain: Option<f64>,
    pub(crate) snow: Option<f64>,
    pub(crate) sunrise: Option<Moment>,
    pub(crate) sunset: Option<Moment>,
    /// Seconds ahead of UTC.
    pub(crate) offset: i32,
}

/// The weather of the next days.
#[derive(Debug, Default)]
pub(crate) struct Forecast {
    pub(crate) place: String,
    /// Seconds ahead of UTC.
    pub(crate) offset: i32,
    pub(crate) days: Vec<Day>,
    /// The service returns fewer days for this key than were requested.
    pub(crate) limited: bool,
    /// The parts of the name of the place that match nothing.
    pub(crate) unmatched: Vec<String>,
}

/// The current date at a place that is this many seconds ahead of UTC.
pub(crate) fn local_day(seconds: i64, offset: i32) -> Option<Date> {
    let shifted = Timestamp::from_second(seconds.checked_add(offset.into())?).ok()?;
    Some(Offset::UTC.to_datetime(shifted).date())
}
