//! Open-Meteo: weather without a key.

use serde::Deserialize;

use super::{Conditions, Day, Forecast, Units, WeatherOptions, WeatherSource};
use crate::{
    FetchError, Moment, Request, WidgetContext,
    panel::{Phrase, WeatherIcon},
    services::{open_meteo, tolerant},
};

/// The current values requested from Open-Meteo.
const CURRENT: &str = "temperature_2m,relative_humidity_2m,apparent_temperature,is_day,precipitation,\
    weather_code,cloud_cover,pressure_msl,wind_speed_10m,wind_direction_10m,wind_gusts_10m,visibility";

/// The daily values requested from Open-Meteo.
const TODAY: &str = "temperature_2m_max,temperature_2m_min,sunrise,sunset";

/// The hourly values to request from Open-Meteo.
const HOURLY: &str = "temperature_2m";

/// The daily values requested from Open-Meteo.
const DAILY: &str = "weather_code,temperature_2m_max,temperature_2m_min,apparent_temperature_max,\
    apparent_temperature_min,sunrise,sunset,precipitation_sum,precipitation_probability_max,wind_speed_10m_max,\
    wind_gusts_10m_max,wind_direction_10m_dominant";

const METERS_PER_FOOT: f64 = 0.3048;

/// The service, for a place.
pub(crate) struct OpenMeteo<'a> {
    pub(crate) options: &'a WeatherOptions,
}

impl WeatherSource for OpenMeteo<'_> {
    async fn current(&self, context: &dyn WidgetContext) -> Result<Conditions, FetchError> {
        let position = self.options.locate(context).await?;
        let request = self
            .request(position.latitude, position.longitude)
            .query("current", CURRENT)
            .query("daily", TODAY)
            .query("hourly", HOURLY)
            .query("forecast_days", 1);
        let reply = context.exchange(request).await?;
        let place = position.name.unwrap_or_else(|| self.options.coordinates());
        let conditions = reply.json::<CurrentReply>()?.into_conditions();
        let conditions = conditions.filled(&reply)?.named(Some(place));
        Ok(Conditions { unmatched: position.unmatched, ..conditions })
    }

    async fn forecast(&self, days: usize, context: &dyn WidgetContext) -> Result<Forecast, FetchError> {
        let position = self.options.locate(context).await?;
        let request =
            self.request(position.latitude, position.longitude).query("daily", DAILY).query("forecast_days", days);
        let forecast = context.exchange(request).await?.json::<ForecastReply>()?.into_forecast();
        let (place, unmatched) = (position.name.unwrap_or_default(), position.unmatched);
        Ok(Forecast { place, unmatched, ..forecast })
    }
}

impl OpenMeteo<'_> {
    /// A request without the variables.
    fn request(&self, latitude: f64, longitude: f64) -> Request {
        let (temperature, wind, rain) = match self.options.units() {
            Units::Metric => ("celsius", "ms", "mm"),
            Units::Imperial => ("fahrenheit", "mph", "inch"),
        };
        open_meteo::forecast(latitude, longitude)
            .query("temperature_unit", temperature)
            .query("wind_speed_unit", wind)
            .query("precipitation_unit", rain)
    }
}

/// A response of Open-Meteo. Any value may be null.
#[derive(Default, Deserialize)]
#[serde(default)]
struct CurrentReply {
    #[serde(deserialize_with = "tolerant::number")]
    utc_offset_seconds: Option<f64>,
    #[serde(deserialize_with = "tolerant::part")]
    current: Option<NowReply>,
    #[serde(deserialize_with = "tolerant::part")]
    current_units: Option<UnitsReply>,
    #[serde(deserialize_with = "tolerant::part")]
    daily: Option<TodayReply>,
    #[serde(deserialize_with = "tolerant::part")]
    hourly: Option<HoursReply>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct HoursReply {
    #[serde(deserialize_with = "tolerant::positions")]
    temperature_2m: Vec<Option<f64>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct NowReply {
    #[serde(deserialize_with = "tolerant::text")]
    time: Option<String>,
    #[serde(deserialize_with = "tolerant::number")]
    temperature_2m: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    relative_humidity_2m: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    apparent_temperature: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    is_day: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    precipitation: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    weather_code: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    cloud_cover: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    pressure_msl: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    wind_speed_10m: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    wind_direction_10m: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    wind_gusts_10m: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    visibility: Option<f64>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct UnitsReply {
    #[serde(deserialize_with = "tolerant::text")]
    visibility: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct TodayReply {
    #[serde(deserialize_with = "tolerant::positions")]
    temperature_2m_max: Vec<Option<f64>>,
    #[serde(deserialize_with = "tolerant::positions")]
    temperature_2m_min: Vec<Option<f64>>,
    #[serde(deserialize_with = "tolerant::positions")]
    sunrise: Vec<Option<String>>,
    #[serde(deserialize_with = "tolerant::positions")]
    sunset: Vec<Option<String>>,
}

impl CurrentReply {
    fn into_conditions(self) -> Conditions {
        let now = self.current.unwrap_or_default();
        let daily = self.daily.unwrap_or_default();
        // The casts saturate; codes have two digits, and offsets five.
        let (icon, words) = open_meteo::condition(now.weather_code.map(|code| code as i64));
        // The response names its unit of length: with imperial amounts of rain, visibility is in feet.
        let unit = self.current_units.and_then(|units| units.visibility);
        let meters = if unit.as_deref() == Some("ft") { METERS_PER_FOOT } else { 1.0 };
        let fallen = now.precipitation;
        let is_snow = icon == WeatherIcon::Snow;
        let offset = self.utc_offset_seconds.unwrap_or_default() as i32;
        let sun = |times: &[Option<String>]| Moment::parse_local(times.first()?.as_deref()?, offset.into());
        Conditions {
            place: String::new(),
            icon,
            night: now.is_day == Some(0.0),
            description: Phrase::from(words),
            temperature: now.temperature_2m,
            feels_like: now.apparent_temperature,
            lowest: daily.temperature_2m_min.first().copied().flatten(),
            highest: daily.temperature_2m_max.first().copied().flatten(),
            pressure: now.pressure_msl,
            humidity: now.relative_humidity_2m,
            visibility_meters: now.visibility.map(|distance| distance * meters),
            wind: now.wind_speed_10m,
            wind_direction: now.wind_direction_10m,
            gusts: now.wind_gusts_10m,
            clouds: now.cloud_cover,
            rain: fallen.filter(|_| !is_snow),
            snow: fallen.filter(|_| is_snow),
            sunrise: sun(&daily.sunrise),
            sunset: sun(&daily.sunset),
            offset,
            hours: self.hourly.unwrap_or_default().temperature_2m,
            at: now.time.and_then(|time| Moment::parse_local(&time, offset.into())),
            unmatched: Vec::new(),
        }
    }
}

/// A response of Open-Meteo: one list for each variable; any value may be null.
#[derive(Deserialize)]
struct ForecastReply {
    #[serde(default)]
    utc_offset_seconds: i32,
    daily: VariablesReply,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct VariablesReply {
    #[serde(deserialize_with = "tolerant::positions")]
    time: Vec<Option<String>>,
    #[serde(deserialize_with = "tolerant::positions")]
    weather_code: Vec<Option<i64>>,
    #[serde(deserialize_with = "tolerant::positions")]
    temperature_2m_max: Vec<Option<f64>>,
    #[serde(deserialize_with = "tolerant::positions")]
    temperature_2m_min: Vec<Option<f64>>,
    #[serde(deserialize_with = "tolerant::positions")]
    apparent_temperature_max: Vec<Option<f64>>,
    #[serde(deserialize_with = "tolerant::positions")]
    sunrise: Vec<Option<String>>,
    #[serde(deserialize_with = "tolerant::positions")]
    sunset: Vec<Option<String>>,
    #[serde(deserialize_with = "tolerant::positions")]
    precipitation_sum: Vec<Option<f64>>,
    #[serde(deserialize_with = "tolerant::positions")]
    precipitation_probability_max: Vec<Option<f64>>,
    #[serde(deserialize_with = "tolerant::positions")]
    wind_speed_10m_max: Vec<Option<f64>>,
    #[serde(deserialize_with = "tolerant::positions")]
    wind_gusts_10m_max: Vec<Option<f64>>,
    #[serde(deserialize_with = "tolerant::positions")]
    wind_direction_10m_dominant: Vec<Option<f64>>,
}

impl ForecastReply {
    fn into_forecast(self) -> Forecast {
        let (daily, offset) = (self.daily, self.utc_offset_seconds);
        let days = daily.time.iter().enumerate().filter_map(|(index, date)| {
            let number = |values: &[Option<f64>]| values.get(index).copied().flatten();
            let time = |values: &[Option<String>]| Moment::parse_local(values.get(index)?.as_deref()?, offset.into());
            let code = daily.weather_code.get(index).copied().flatten();
            let (lowest, highest) = (number(&daily.temperature_2m_min), number(&daily.temperature_2m_max));
            // Days near the end may have no data at all.
            if code.is_none() && lowest.is_none() && highest.is_none() {
                return None;
            }
            let (icon, words) = open_meteo::condition(code);
            let fallen = number(&daily.precipitation_sum);
            let is_snow = icon == WeatherIcon::Snow;
            Some(Day {
                date: date.as_deref()?.parse().ok()?,
                icon,
                description: Phrase::from(words),
                lowest,
                highest,
                feels_like: number(&daily.apparent_temperature_max),
                wind: number(&daily.wind_speed_10m_max),
                wind_direction: number(&daily.wind_direction_10m_dominant),
                gusts: number(&daily.wind_gusts_10m_max),
                rain_chance: number(&daily.precipitation_probability_max),
                rain: fallen.filter(|_| !is_snow),
                snow: fallen.filter(|_| is_snow),
                sunrise: time(&daily.sunrise),
                sunset: time(&daily.sunset),
                offset,
                ..Day::default()
            })
        });
        Forecast { offset, days: days.collect(), ..Forecast::default() }
    }
}
