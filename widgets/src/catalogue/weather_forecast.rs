//! `weather-forecast`: the weather of the next days at one place.

mod day;
mod replies;

use std::time::Duration;

use chrono::NaiveDate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use self::{
    day::Day,
    replies::{DailyReply, ForecastReply, StepsReply},
};
use crate::{
    Entry, FetchError, Moment, Outside, Panel, Problems, Reach, Request, Widget,
    option_types::{Bounded, Flag, Lenient, Number, Secret, Text},
    panel::{Columns, Datum, Notice, Phrase},
    services::{open_meteo, openweathermap},
};

/// How many days a free key of OpenWeatherMap sees.
const FREE_DAYS: usize = 5;

/// Shows the weather of the next days at one place. Without a key the data come from Open-Meteo, with one from
/// OpenWeatherMap.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct WeatherForecast {
    /// Key for OpenWeatherMap; a free one sees 5 days. Without it, Open-Meteo is asked, which needs none.
    api_key: Secret,
    /// The place, such as `London`, `London,GB` or `Portland,OR,US`. Required without `lat` and `lon`.
    city: Text,
    /// How many days are shown, today included.
    num_days: Bounded<1, 4, 16>,
    /// `metric` for °C and m/s, `imperial` for °F and mph.
    units: Lenient<Units>,
    /// Leaves out the details of the days.
    hide_details: Flag,
    /// Latitude. With `lon` it goes before `city`, which then only names the place.
    lat: Option<Number>,
    /// Longitude.
    lon: Option<Number>,
    /// Who is asked. Without it, OpenWeatherMap if there is a key, else Open-Meteo.
    provider: Lenient<Provider>,
    /// Language of the descriptions from OpenWeatherMap, such as `de`.
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

/// What a service says about a place, whichever it is.
#[derive(Debug, Default)]
struct Forecast {
    place: String,
    /// Seconds before UTC.
    offset: i32,
    days: Vec<Day>,
    /// The key sees fewer days than were asked for.
    limited: bool,
}

impl Widget for WeatherForecast {
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
        self.num_days.check("numDays", problems);
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(30 * 60))
    }

    async fn fetch(&self, outside: &impl Outside) -> Result<Panel, FetchError> {
        let provider = self.provider();
        let forecast = match provider {
            Provider::Openweathermap => self.ask_openweathermap(outside).await?,
            Provider::OpenMeteo => self.ask_open_meteo(outside).await?,
        };
        let credit = if provider == Provider::OpenMeteo { open_meteo::credit() } else { None };
        Ok(Panel { credit, ..self.panel(forecast, outside.now()) })
    }
}

impl WeatherForecast {
    fn provider(&self) -> Provider {
        let usual = if self.api_key.is_set() { Provider::Openweathermap } else { Provider::OpenMeteo };
        self.provider.get().copied().unwrap_or(usual)
    }

    /// The coordinates, which count only together; zero is one like any other.
    fn position(&self) -> Option<(f64, f64)> {
        Some((self.lat?.get(), self.lon?.get()))
    }

    /// A request for this place.
    fn openweathermap(&self, path: &str) -> Request {
        let mut request = openweathermap::request(path);
        request = match self.position() {
            Some((latitude, longitude)) => request.query("lat", latitude).query("lon", longitude),
            None => request.query("q", &self.city),
        };
        let units = match self.units.or_default() {
            Units::Metric => "metric",
            Units::Imperial => "imperial",
        };
        request = request.query("units", units);
        if let Some(language) = self.lang.get() {
            request = request.query("lang", language);
        }
        request.secret_query("appid", &self.api_key)
    }

    async fn ask_openweathermap(&self, outside: &impl Outside) -> Result<Forecast, FetchError> {
        let wanted = self.num_days.count();
        let place = self.city.get().map_or_else(|| self.coordinates(), str::to_owned);
        if wanted > FREE_DAYS {
            let request = self.openweathermap("/forecast/daily").query("cnt", wanted);
            match openweathermap::ask(outside, request, &place).await {
                Ok(reply) => return Ok(reply.json::<DailyReply>()?.into_forecast(self.units.or_default())),
                // Free keys are refused here. What else is wrong with the key or the place is said again below.
                Err(FetchError::Told { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        let reply = openweathermap::ask(outside, self.openweathermap("/forecast"), &place).await?;
        let forecast = reply.json::<StepsReply>()?.into_forecast(self.units.or_default());
        Ok(Forecast { limited: wanted > FREE_DAYS, ..forecast })
    }

    async fn ask_open_meteo(&self, outside: &impl Outside) -> Result<Forecast, FetchError> {
        let (latitude, longitude, place) = match self.position() {
            Some((latitude, longitude)) => (latitude, longitude, String::new()),
            None => {
                let place = open_meteo::find(outside, &self.city).await?;
                (place.latitude, place.longitude, replies::place(&place.name, &place.country_code))
            }
        };
        let (temperature, wind, rain) = match self.units.or_default() {
            Units::Metric => ("celsius", "ms", "mm"),
            Units::Imperial => ("fahrenheit", "mph", "inch"),
        };
        let request = open_meteo::forecast(latitude, longitude)
            .query("daily", replies::DAILY)
            .query("forecast_days", self.num_days.get())
            .query("temperature_unit", temperature)
            .query("wind_speed_unit", wind)
            .query("precipitation_unit", rain);
        let forecast = outside.exchange(request).await?.json::<ForecastReply>()?.into_forecast();
        Ok(Forecast { place, ..forecast })
    }

    fn coordinates(&self) -> String {
        self.position().map(|(latitude, longitude)| format!("{latitude}, {longitude}")).unwrap_or_default()
    }

    fn panel(&self, mut forecast: Forecast, now: Moment) -> Panel {
        let wanted = self.num_days.count();
        let today = local_day(now.seconds(), forecast.offset);
        // What is left of an answer that was made before midnight.
        forecast.days.retain(|day| today.is_none_or(|today| day.date >= today));
        forecast.days.truncate(wanted);
        if forecast.days.is_empty() {
            return Panel::empty("No forecast available");
        }
        let with_details = !self.hide_details.is_on();
        let columns = forecast.days.iter().map(|day| day.parts(today, self.units.or_default(), with_details)).collect();
        let mut parts = vec![Columns { columns }.into()];
        let count = forecast.days.len();
        if count < wanted {
            let words = if forecast.limited {
                "{n} of {all} days available with this key"
            } else {
                "{n} of {all} days available"
            };
            let text = Phrase::from(words).with("n", Datum::count(count)).with("all", Datum::count(wanted));
            parts.push(Notice::empty(text).into());
        }
        // With coordinates the name of the place is the user's own, if there is one.
        let named = self.position().and_then(|_| self.city.get().map(str::to_owned));
        let place = named.unwrap_or(forecast.place);
        let title = (!place.is_empty()).then(|| Phrase::foreign(place).into());
        Panel { title, parts, ..Panel::default() }
    }
}

/// The day that it is at a place that is so many seconds before UTC.
fn local_day(seconds: i64, offset: i32) -> Option<NaiveDate> {
    Some(chrono::DateTime::from_timestamp(seconds.checked_add(offset.into())?, 0)?.date_naive())
}
