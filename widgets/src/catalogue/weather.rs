//! `weather`: the weather of one place, now.

mod conditions;

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use self::conditions::{Conditions, CurrentReply, ForecastReply};
use crate::{
    Entry, FetchError, Outside, Panel, Problems, Reach, Widget,
    option_types::{Flag, Lenient, Number, Secret, Text},
    services::{open_meteo, openweathermap},
};

/// Shows the current weather of one place. Without a key the data come from Open-Meteo, with one from OpenWeatherMap.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Weather {
    /// Key for OpenWeatherMap. Without it, Open-Meteo is asked, which needs none.
    api_key: Secret,
    /// The place, such as `London`, `London,GB` or `Portland,OR,US`. Required without `lat` and `lon`.
    city: Text,
    /// `metric`, the default, for °C and m/s, `imperial` for °F and mph.
    units: Lenient<Units>,
    /// Leaves out the details below.
    hide_details: Flag,
    /// Latitude. With `lon` it goes before `city`, which then only names the place.
    lat: Option<Number>,
    /// Longitude.
    lon: Option<Number>,
    /// Who is asked. Without it, OpenWeatherMap if there is a key, else Open-Meteo.
    provider: Lenient<Provider>,
    /// Language of the description from OpenWeatherMap, such as `de`.
    lang: Text,
}

/// Which measures are used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Units {
    #[default]
    Metric,
    Imperial,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Provider {
    Openweathermap,
    #[serde(rename = "open-meteo")]
    OpenMeteo,
}

impl Units {
    const fn word(self) -> &'static str {
        match self {
            Self::Metric => "metric",
            Self::Imperial => "imperial",
        }
    }
}

impl Widget for Weather {
    const REACH: Reach = Reach::ViaServer;

    fn check(&self, _entry: &Entry, problems: &mut Problems) {
        problems.require(self.units.unknown().is_none(), "units must be metric or imperial.");
        problems.require(self.provider.unknown().is_none(), "provider must be openweathermap or open-meteo.");
        problems.require(self.city.is_set() || self.position().is_some(), "A city, or lat and lon, is required.");
        if let Some((latitude, longitude)) = self.position() {
            problems.require((-90.0..=90.0).contains(&latitude), "lat must be between -90 and 90.");
            problems.require((-180.0..=180.0).contains(&longitude), "lon must be between -180 and 180.");
        }
        if self.provider() == Provider::Openweathermap {
            let sentence = "An apiKey is required for OpenWeatherMap (or set provider: open-meteo).";
            problems.require(self.api_key.is_set(), sentence);
        }
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(15 * 60))
    }

    async fn fetch(&self, outside: &impl Outside) -> Result<Panel, FetchError> {
        let conditions = match self.provider() {
            Provider::Openweathermap => self.ask_openweathermap(outside).await?,
            Provider::OpenMeteo => self.ask_open_meteo(outside).await?,
        };
        let panel = conditions.panel(self.units.or_default(), !self.hide_details.is_on());
        let credit = if self.provider() == Provider::OpenMeteo { open_meteo::credit() } else { None };
        Ok(Panel { credit, ..panel })
    }
}

impl Weather {
    fn provider(&self) -> Provider {
        let usual = if self.api_key.is_set() { Provider::Openweathermap } else { Provider::OpenMeteo };
        self.provider.get().copied().unwrap_or(usual)
    }

    /// The coordinates, which count only together; zero is one like any other.
    fn position(&self) -> Option<(f64, f64)> {
        Some((self.lat?.get(), self.lon?.get()))
    }

    async fn ask_openweathermap(&self, outside: &impl Outside) -> Result<Conditions, FetchError> {
        let mut request = openweathermap::request("/weather");
        request = match self.position() {
            Some((latitude, longitude)) => request.query("lat", latitude).query("lon", longitude),
            None => request.query("q", &self.city),
        };
        request = request.query("units", self.units.or_default().word());
        if let Some(language) = self.lang.get() {
            request = request.query("lang", language);
        }
        let place = self.city.get().map_or_else(|| self.coordinates(), str::to_owned);
        let reply = openweathermap::ask(outside, request.secret_query("appid", &self.api_key), &place).await?;
        let conditions = reply.json::<CurrentReply>()?.into_conditions();
        Ok(conditions.named(self.label()))
    }

    async fn ask_open_meteo(&self, outside: &impl Outside) -> Result<Conditions, FetchError> {
        let (latitude, longitude, place) = match self.position() {
            Some((latitude, longitude)) => (latitude, longitude, self.city.to_string()),
            None => {
                let place = open_meteo::find(outside, &self.city).await?;
                let label = [place.name.as_str(), place.country_code.as_str()];
                let label: Vec<&str> = label.into_iter().filter(|part| !part.is_empty()).collect();
                (place.latitude, place.longitude, label.join(", "))
            }
        };
        let (temperature, wind, rain) = match self.units.or_default() {
            Units::Metric => ("celsius", "ms", "mm"),
            Units::Imperial => ("fahrenheit", "mph", "inch"),
        };
        let request = open_meteo::forecast(latitude, longitude)
            .query("current", conditions::CURRENT)
            .query("daily", conditions::DAILY)
            .query("forecast_days", 1)
            .query("temperature_unit", temperature)
            .query("wind_speed_unit", wind)
            .query("precipitation_unit", rain);
        let reply = outside.exchange(request).await?;
        let place = if place.is_empty() { self.coordinates() } else { place };
        Ok(reply.json::<ForecastReply>()?.into_conditions().named(Some(place)))
    }

    /// What the place is called when the service does not know better.
    fn label(&self) -> Option<String> {
        self.position().and_then(|_| self.city.get().map(str::to_owned))
    }

    fn coordinates(&self) -> String {
        self.position().map(|(latitude, longitude)| format!("{latitude}, {longitude}")).unwrap_or_default()
    }
}
