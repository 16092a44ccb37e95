//! What the weather widgets share: the place, the units, the provider, and how values are shown.

mod openweathermap_parts;
mod values;

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{open_meteo, openweathermap};
use crate::{
    Audience, Entry, FetchError, OptionProblems, Outside, Request, Response, ViewerHints,
    option_types::{Lenient, Number, Secret, Text},
    panel::Link,
};

pub(crate) use openweathermap_parts::{CloudsReply, MainReply, SkyReply, WindReply, place, sky, sun};
pub(crate) use values::{Units, time_there, whole};

/// How often the services have new data, at best.
const SHORTEST_UPDATE: Duration = Duration::from_secs(600);

/// The place, the units, and the provider. Flattened into the options of the widgets.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct WeatherOptions {
    /// Key for OpenWeatherMap; a free one covers 5 days. Without it, Open-Meteo is used, which needs none.
    api_key: Secret,
    /// The place, such as `London`, `London,GB` or `Portland,OR,US`. Required without `lat` and `lon`.
    city: Text,
    /// `metric`, the default, for °C and m/s, `imperial` for °F and mph.
    units: Lenient<Units>,
    /// Latitude. With `lon`, takes precedence over `city`, which then is only the displayed name. Optional.
    lat: Option<Number>,
    /// Longitude. Optional.
    lon: Option<Number>,
    /// The weather service. Without it, OpenWeatherMap if there is a key, else Open-Meteo.
    provider: Lenient<Provider>,
    /// Language of the descriptions from OpenWeatherMap, such as `de`. Without it, the viewer's.
    lang: Text,
}

/// The weather service to use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Provider {
    Openweathermap,
    #[serde(rename = "open-meteo")]
    OpenMeteo,
}

/// Where a place is, and its name if known.
pub(crate) struct Position {
    pub(crate) latitude: f64,
    pub(crate) longitude: f64,
    pub(crate) name: Option<String>,
}

impl WeatherOptions {
    /// Reports what is wrong with these options.
    pub(crate) fn check(&self, entry: &Entry, problems: &mut OptionProblems) {
        problems.require(self.units.unknown().is_none(), "units must be metric or imperial.");
        if let Some(written) = self.provider.unknown() {
            problems.note(format!("provider '{written}' is unknown. Use openweathermap or open-meteo."));
        }
        if self.lat.is_some() != self.lon.is_some() {
            problems.note("lat and lon count only together, so city is used.");
        }
        problems.require(self.city.is_set() || self.position().is_some(), "A city, or lat and lon, is required.");
        if let Some((latitude, longitude)) = self.position() {
            problems.require((-90.0..=90.0).contains(&latitude), "lat must be between -90 and 90.");
            problems.require((-180.0..=180.0).contains(&longitude), "lon must be between -180 and 180.");
        }
        if self.provider() == Provider::Openweathermap {
            let sentence = "An apiKey is required for OpenWeatherMap (or set provider: open-meteo).";
            problems.require(self.api_key.is_set(), sentence);
        }
        if entry.looks_more_often_than(SHORTEST_UPDATE) {
            problems.note(
                "The weather services have new data every 10 minutes: an updateInterval below 600 brings nothing new.",
            );
        }
    }

    /// The weather service to use.
    pub(crate) fn provider(&self) -> Provider {
        let usual = if self.api_key.is_set() { Provider::Openweathermap } else { Provider::OpenMeteo };
        self.provider.get().copied().unwrap_or(usual)
    }

    /// The units to use.
    pub(crate) fn units(&self) -> Units {
        self.units.or_default()
    }

    /// The source, which is credited below the panel.
    pub(crate) fn credit(&self) -> Option<Link> {
        match self.provider() {
            Provider::OpenMeteo => open_meteo::credit(),
            Provider::Openweathermap => openweathermap::credit(),
        }
    }

    /// The coordinates: both or none; zero is valid.
    fn position(&self) -> Option<(f64, f64)> {
        Some((self.lat?.get(), self.lon?.get()))
    }

    /// The coordinates as text; empty without them.
    pub(crate) fn coordinates(&self) -> String {
        self.position().map(|(latitude, longitude)| format!("{latitude}, {longitude}")).unwrap_or_default()
    }

    /// The user's own name for the place, if the coordinates determine it.
    pub(crate) fn own_name(&self) -> Option<String> {
        self.position().and_then(|_| self.city.get().map(str::to_owned))
    }

    /// Who shares the panel: OpenWeatherMap describes the weather in the viewer's language, unless the options name
    /// one.
    pub(crate) fn audience(&self) -> Audience {
        let is_described = self.provider() == Provider::Openweathermap && !self.lang.is_set();
        if is_described { Audience::Language } else { Audience::Everyone }
    }

    /// A request to OpenWeatherMap for this place. `path` begins with a slash.
    pub(crate) fn openweathermap(&self, path: &str, viewer: &ViewerHints) -> Request {
        let mut request = openweathermap::request(path);
        request = match self.position() {
            Some((latitude, longitude)) => request.query("lat", latitude).query("lon", longitude),
            None => request.query("q", &self.city),
        };
        request = request.query("units", self.units().word());
        if let Some(language) = self.lang.get().or_else(|| openweathermap::language(viewer)) {
            request = request.query("lang", language);
        }
        request.secret_query("appid", &self.api_key)
    }

    /// Sends a request to OpenWeatherMap.
    ///
    /// # Errors
    ///
    /// It rejects the key, does not know the place, or does not respond.
    pub(crate) async fn fetch_openweathermap(
        &self,
        outside: &dyn Outside,
        request: Request,
    ) -> Result<Response, FetchError> {
        let place = self.city.get().map_or_else(|| self.coordinates(), str::to_owned);
        openweathermap::send(outside, request, &place).await
    }

    /// The position of the place, for services that accept only coordinates.
    ///
    /// # Errors
    ///
    /// The place is unknown, or the geocoding service does not respond.
    pub(crate) async fn locate(&self, outside: &dyn Outside) -> Result<Position, FetchError> {
        if let Some((latitude, longitude)) = self.position() {
            return Ok(Position { latitude, longitude, name: self.own_name() });
        }
        let found = open_meteo::find(outside, &self.city).await?;
        let name = Some(place(&found.name, &found.country_code)).filter(|name| !name.is_empty());
        Ok(Position { latitude: found.latitude, longitude: found.longitude, name })
    }

    /// A request to Open-Meteo, without the variables.
    pub(crate) fn open_meteo(&self, position: &Position) -> Request {
        let (temperature, wind, rain) = match self.units() {
            Units::Metric => ("celsius", "ms", "mm"),
            Units::Imperial => ("fahrenheit", "mph", "inch"),
        };
        open_meteo::forecast(position.latitude, position.longitude)
            .query("temperature_unit", temperature)
            .query("wind_speed_unit", wind)
            .query("precipitation_unit", rain)
    }
}
