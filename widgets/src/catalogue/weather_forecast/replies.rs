//! The responses of the services, and the days computed from them.

use std::collections::BTreeMap;

use jiff::civil::Date;
use serde::Deserialize;

use super::{Day, Forecast, local_day};
use crate::{
    Moment,
    panel::{Phrase, WeatherIcon},
    services::{
        open_meteo, tolerant,
        weather::{CloudsReply, MainReply, SkyReply, Units, WindReply, place, sky, sun},
    },
};

/// The daily values requested from Open-Meteo.
pub(super) const DAILY: &str = "weather_code,temperature_2m_max,temperature_2m_min,apparent_temperature_max,\
    apparent_temperature_min,sunrise,sunset,precipitation_sum,precipitation_probability_max,wind_speed_10m_max,\
    wind_gusts_10m_max,wind_direction_10m_dominant";

const NOON: i64 = 12 * 3600;

/// A response of OpenWeatherMap in steps of three hours.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct StepsReply {
    list: Vec<StepReply>,
    #[serde(deserialize_with = "tolerant::lenient_part")]
    city: CityReply,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct CityReply {
    name: String,
    country: String,
    timezone: i32,
    sunrise: Option<i64>,
    sunset: Option<i64>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct StepReply {
    dt: i64,
    #[serde(deserialize_with = "tolerant::lenient_part")]
    main: MainReply,
    #[serde(deserialize_with = "tolerant::entries")]
    weather: Vec<SkyReply>,
    #[serde(deserialize_with = "tolerant::lenient_part")]
    clouds: CloudsReply,
    #[serde(deserialize_with = "tolerant::lenient_part")]
    wind: WindReply,
    pop: Option<f64>,
    #[serde(deserialize_with = "tolerant::lenient_part")]
    rain: AmountReply,
    #[serde(deserialize_with = "tolerant::lenient_part")]
    snow: AmountReply,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct AmountReply {
    #[serde(rename = "3h")]
    three_hours: Option<f64>,
}

/// A response of OpenWeatherMap with whole days.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct DailyReply {
    list: Vec<DayReply>,
    #[serde(deserialize_with = "tolerant::lenient_part")]
    city: CityReply,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct DayReply {
    dt: i64,
    sunrise: Option<i64>,
    sunset: Option<i64>,
    #[serde(deserialize_with = "tolerant::lenient_part")]
    temp: RangeReply,
    #[serde(deserialize_with = "tolerant::lenient_part")]
    feels_like: FeelsLikeReply,
    pressure: Option<f64>,
    humidity: Option<f64>,
    #[serde(deserialize_with = "tolerant::entries")]
    weather: Vec<SkyReply>,
    speed: Option<f64>,
    deg: Option<f64>,
    gust: Option<f64>,
    clouds: Option<f64>,
    pop: Option<f64>,
    rain: Option<f64>,
    snow: Option<f64>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct RangeReply {
    min: Option<f64>,
    max: Option<f64>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct FeelsLikeReply {
    day: Option<f64>,
}

/// A response of Open-Meteo: one list for each variable; any value may be null.
#[derive(Deserialize)]
pub(super) struct ForecastReply {
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

impl StepsReply {
    /// The days of the place, computed from their steps. The first and the last may be incomplete.
    pub(super) fn into_forecast(self, units: Units) -> Forecast {
        let city = self.city;
        let mut days: BTreeMap<Date, Vec<StepReply>> = BTreeMap::new();
        for step in self.list {
            if let Some(date) = local_day(step.dt, city.timezone) {
                days.entry(date).or_default().push(step);
            }
        }
        let sun_day = city.sunrise.and_then(|seconds| local_day(seconds, city.timezone));
        let days = days.into_iter().map(|(date, steps)| {
            let is_sun_day = sun_day == Some(date);
            Day {
                sunrise: sun(city.sunrise.filter(|_| is_sun_day)),
                sunset: sun(city.sunset.filter(|_| is_sun_day)),
                ..merged(date, &steps, city.timezone, units)
            }
        });
        Forecast {
            place: place(&city.name, &city.country),
            offset: city.timezone,
            days: days.collect(),
            limited: false,
        }
    }
}

/// One day, computed from its steps.
fn merged(date: Date, steps: &[StepReply], offset: i32, units: Units) -> Day {
    let from_noon = |step: &&StepReply| ((step.dt + i64::from(offset)).rem_euclid(86_400) - NOON).abs();
    let noon = steps.iter().min_by_key(from_noon);
    let (icon, _, description) = sky(noon.and_then(|step| step.weather.first()));
    let wind =
        steps.iter().max_by(|one, other| one.wind.speed.unwrap_or(-1.0).total_cmp(&other.wind.speed.unwrap_or(-1.0)));
    Day {
        date,
        icon,
        description,
        lowest: steps.iter().filter_map(|step| step.main.temp_min).reduce(f64::min),
        highest: steps.iter().filter_map(|step| step.main.temp_max).reduce(f64::max),
        feels_like: noon.and_then(|step| step.main.feels_like),
        pressure: mean(steps.iter().filter_map(|step| step.main.pressure)),
        humidity: mean(steps.iter().filter_map(|step| step.main.humidity)),
        wind: wind.and_then(|step| step.wind.speed),
        wind_direction: wind.and_then(|step| step.wind.deg),
        gusts: steps.iter().filter_map(|step| step.wind.gust).reduce(f64::max),
        clouds: mean(steps.iter().filter_map(|step| step.clouds.all)),
        rain_chance: steps.iter().filter_map(|step| step.pop).reduce(f64::max).map(|share| share * 100.0),
        rain: units
            .of_millimeters(steps.iter().filter_map(|step| step.rain.three_hours).reduce(|sum, more| sum + more)),
        snow: units
            .of_millimeters(steps.iter().filter_map(|step| step.snow.three_hours).reduce(|sum, more| sum + more)),
        offset,
        ..Day::default()
    }
}

impl DailyReply {
    pub(super) fn into_forecast(self, units: Units) -> Forecast {
        let offset = self.city.timezone;
        let days = self.list.into_iter().filter_map(|day| {
            let (icon, _, description) = sky(day.weather.first());
            Some(Day {
                date: local_day(day.dt, offset)?,
                icon,
                description,
                lowest: day.temp.min,
                highest: day.temp.max,
                feels_like: day.feels_like.day,
                pressure: day.pressure,
                humidity: day.humidity,
                wind: day.speed,
                wind_direction: day.deg,
                gusts: day.gust,
                clouds: day.clouds,
                rain_chance: day.pop.map(|share| share * 100.0),
                rain: units.of_millimeters(day.rain),
                snow: units.of_millimeters(day.snow),
                sunrise: sun(day.sunrise),
                sunset: sun(day.sunset),
                offset,
            })
        });
        Forecast { place: place(&self.city.name, &self.city.country), offset, days: days.collect(), limited: false }
    }
}

impl ForecastReply {
    pub(super) fn into_forecast(self) -> Forecast {
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
        Forecast { place: String::new(), offset, days: days.collect(), limited: false }
    }
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (mut sum, mut count) = (0.0, 0.0);
    for value in values {
        sum += value;
        count += 1.0;
    }
    (count > 0.0).then(|| sum / count)
}
