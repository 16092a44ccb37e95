//! What OpenWeatherMap's responses about the current weather and the forecast have in common.

use serde::Deserialize;

use crate::{
    Moment,
    panel::{Phrase, WeatherIcon},
    services::openweathermap,
};

#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct SkyReply {
    pub(crate) description: String,
    pub(crate) icon: String,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct MainReply {
    pub(crate) temp: Option<f64>,
    pub(crate) feels_like: Option<f64>,
    pub(crate) temp_min: Option<f64>,
    pub(crate) temp_max: Option<f64>,
    pub(crate) pressure: Option<f64>,
    pub(crate) humidity: Option<f64>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct WindReply {
    pub(crate) speed: Option<f64>,
    pub(crate) deg: Option<f64>,
    pub(crate) gust: Option<f64>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct CloudsReply {
    pub(crate) all: Option<f64>,
}

/// The icon, whether it is night, and the description, capitalised because the service does not do that.
pub(crate) fn sky(sky: Option<&SkyReply>) -> (WeatherIcon, bool, Phrase) {
    let Some(sky) = sky else { return (WeatherIcon::Unknown, false, Phrase::default()) };
    let (icon, night) = openweathermap::icon(&sky.icon);
    let mut letters = sky.description.trim().chars();
    let capital = letters.next().map(|first| first.to_uppercase().chain(letters).collect::<String>());
    (icon, night, Phrase::foreign(capital.unwrap_or_default()))
}

/// A place with its country. At sea both are empty.
pub(crate) fn place(name: &str, country: &str) -> String {
    let parts: Vec<&str> = [name, country].into_iter().filter(|part| !part.is_empty()).collect();
    parts.join(", ")
}

/// A sunrise or sunset time; during polar nights the service sends zero.
pub(crate) fn sun(seconds: Option<i64>) -> Option<Moment> {
    seconds.filter(|seconds| *seconds > 0).map(Moment::from_seconds)
}
