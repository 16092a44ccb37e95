//! What the weather is like, from either service, and how it is shown.

use serde::Deserialize;

use super::Units;
use crate::{
    Moment, Panel,
    panel::{Datum, Decimals, Details, Fact, Facts, Part, Phrase, Style, Unit, WeatherIcon, WeatherSummary},
    services::{open_meteo, openweathermap},
};

/// What is asked of Open-Meteo about the present.
pub(super) const CURRENT: &str = "temperature_2m,relative_humidity_2m,apparent_temperature,is_day,precipitation,\
    weather_code,cloud_cover,pressure_msl,wind_speed_10m,wind_direction_10m,wind_gusts_10m,visibility";

/// What is asked of Open-Meteo about the day.
pub(super) const DAILY: &str = "temperature_2m_max,temperature_2m_min,sunrise,sunset";

const METERS_PER_MILE: f64 = 1609.344;
const METERS_PER_FOOT: f64 = 0.3048;
const MILLIMETERS_PER_INCH: f64 = 25.4;

/// The weather of a place. Temperatures, speeds and amounts are in the measures that were asked for, as marked.
#[derive(Clone, Debug, Default)]
pub(super) struct Conditions {
    place: String,
    icon: WeatherIcon,
    night: bool,
    description: Phrase,
    temperature: Option<f64>,
    feels_like: Option<f64>,
    lowest: Option<f64>,
    highest: Option<f64>,
    /// hPa.
    pressure: Option<f64>,
    /// Percent.
    humidity: Option<f64>,
    visibility_meters: Option<f64>,
    wind: Option<f64>,
    /// Degrees, clockwise from north: where it comes from.
    wind_direction: Option<f64>,
    gusts: Option<f64>,
    /// Percent.
    clouds: Option<f64>,
    rain_millimeters: Option<f64>,
    snow_millimeters: Option<f64>,
    sunrise: Option<Moment>,
    sunset: Option<Moment>,
    /// Seconds before UTC.
    offset: i32,
}

impl Conditions {
    /// With another name of the place, if there is one.
    pub(super) fn named(mut self, place: Option<String>) -> Self {
        self.place = place.unwrap_or(self.place);
        self
    }

    pub(super) fn panel(self, units: Units, with_details: bool) -> Panel {
        let summary = WeatherSummary {
            icon: self.icon,
            night: self.night,
            temperature: degrees(self.temperature, units),
            lowest: None,
            description: self.description.clone(),
            label: Datum::text(&self.place),
        };
        let mut parts: Vec<Part> = vec![summary.into()];
        let facts = self.facts(units);
        if with_details && !facts.facts.is_empty() {
            parts.push(Details { parts: vec![facts.into()], ..Details::default() }.into());
        }
        Panel::new(parts)
    }

    fn facts(&self, units: Units) -> Facts {
        let number = |value: Option<f64>, unit: Unit| value.map_or(Datum::Missing, |value| Datum::number(value, unit));
        let whole = |value: Option<f64>, unit: Unit| number(value.map(f64::round), unit).decimals(Decimals::Exactly(0));
        let (speed, distance, amount) = match units {
            Units::Metric => (Unit::MetersPerSecond, Unit::Kilometers, Unit::Millimeters),
            Units::Imperial => (Unit::MilesPerHour, Unit::Miles, Unit::Inches),
        };
        let visibility = self.visibility_meters.map(|meters| match units {
            Units::Metric => meters / 1000.0,
            Units::Imperial => meters / METERS_PER_MILE,
        });
        let fallen = |millimeters: Option<f64>| {
            let fallen = millimeters.filter(|amount| *amount > 0.0).map(|millimeters| match units {
                Units::Metric => millimeters,
                Units::Imperial => millimeters / MILLIMETERS_PER_INCH,
            });
            number(fallen, amount.clone())
        };
        let sun = |at: Option<Moment>| {
            at.map_or(Datum::Missing, |at| Datum::Time { at, style: Style::Time, offset: Some(self.offset) })
        };
        let wind = Fact {
            more: self.wind_direction.map(|degrees| Datum::number(degrees, Unit::Bearing)).into_iter().collect(),
            ..Fact::new("Wind", number(self.wind.map(one_decimal), speed.clone()))
        };
        Facts::present([
            Fact::new("Minimum", degrees(self.lowest, units)),
            Fact::new("Maximum", degrees(self.highest, units)),
            Fact::new("Feels like", degrees(self.feels_like, units)),
            Fact::new("Pressure", whole(self.pressure, Unit::Hectopascal)),
            Fact::new("Humidity", whole(self.humidity, Unit::Percent)),
            Fact::new("Visibility", number(visibility.map(one_decimal), distance)),
            wind,
            Fact::new("Gusts", number(self.gusts.map(one_decimal), speed)),
            Fact::new("Clouds", whole(self.clouds, Unit::Percent)),
            Fact::new("Rain", fallen(self.rain_millimeters)),
            Fact::new("Snow", fallen(self.snow_millimeters)),
            Fact::new("Sunrise", sun(self.sunrise)),
            Fact::new("Sunset", sun(self.sunset)),
        ])
    }
}

fn degrees(value: Option<f64>, units: Units) -> Datum {
    let unit = match units {
        Units::Metric => Unit::Celsius,
        Units::Imperial => Unit::Fahrenheit,
    };
    value.map_or(Datum::Missing, |value| Datum::number(value.round(), unit).decimals(Decimals::Exactly(0)))
}

fn one_decimal(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

/// The first letter as a capital: services write descriptions in lower case.
fn capitalised(text: &str) -> String {
    let mut letters = text.trim().chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// An answer of OpenWeatherMap.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct CurrentReply {
    name: String,
    sys: SunReply,
    timezone: i32,
    weather: Vec<SkyReply>,
    main: MainReply,
    visibility: Option<f64>,
    wind: WindReply,
    clouds: CloudsReply,
    rain: AmountReply,
    snow: AmountReply,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct SunReply {
    country: String,
    sunrise: Option<i64>,
    sunset: Option<i64>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct SkyReply {
    description: String,
    icon: String,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct MainReply {
    temp: Option<f64>,
    feels_like: Option<f64>,
    temp_min: Option<f64>,
    temp_max: Option<f64>,
    pressure: Option<f64>,
    humidity: Option<f64>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct WindReply {
    speed: Option<f64>,
    deg: Option<f64>,
    gust: Option<f64>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct CloudsReply {
    all: Option<f64>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct AmountReply {
    #[serde(rename = "1h")]
    hour: Option<f64>,
}

impl CurrentReply {
    pub(super) fn into_conditions(self) -> Conditions {
        let sky = self.weather.into_iter().next().unwrap_or_default();
        let (icon, night) = openweathermap::icon(&sky.icon);
        // At sea a place has no name, and in polar nights there is no sunrise, which is written as zero.
        let place: Vec<String> = [self.name, self.sys.country].into_iter().filter(|part| !part.is_empty()).collect();
        let sun = |seconds: Option<i64>| seconds.filter(|seconds| *seconds > 0).map(Moment::from_seconds);
        Conditions {
            place: place.join(", "),
            icon,
            night,
            description: Phrase::foreign(capitalised(&sky.description)),
            temperature: self.main.temp,
            feels_like: self.main.feels_like,
            lowest: self.main.temp_min,
            highest: self.main.temp_max,
            pressure: self.main.pressure,
            humidity: self.main.humidity,
            visibility_meters: self.visibility,
            wind: self.wind.speed,
            wind_direction: self.wind.deg,
            gusts: self.wind.gust,
            clouds: self.clouds.all,
            rain_millimeters: self.rain.hour,
            snow_millimeters: self.snow.hour,
            sunrise: sun(self.sys.sunrise),
            sunset: sun(self.sys.sunset),
            offset: self.timezone,
        }
    }
}

/// An answer of Open-Meteo. Any value may be null.
#[derive(Deserialize)]
pub(super) struct ForecastReply {
    #[serde(default)]
    utc_offset_seconds: i32,
    current: NowReply,
    #[serde(default)]
    current_units: UnitsReply,
    #[serde(default)]
    daily: DayReply,
}

#[derive(Deserialize)]
struct NowReply {
    temperature_2m: Option<f64>,
    relative_humidity_2m: Option<f64>,
    apparent_temperature: Option<f64>,
    is_day: Option<f64>,
    precipitation: Option<f64>,
    weather_code: Option<i64>,
    cloud_cover: Option<f64>,
    pressure_msl: Option<f64>,
    wind_speed_10m: Option<f64>,
    wind_direction_10m: Option<f64>,
    wind_gusts_10m: Option<f64>,
    visibility: Option<f64>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct UnitsReply {
    visibility: String,
    precipitation: String,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct DayReply {
    temperature_2m_max: Vec<Option<f64>>,
    temperature_2m_min: Vec<Option<f64>>,
    sunrise: Vec<Option<String>>,
    sunset: Vec<Option<String>>,
}

impl ForecastReply {
    pub(super) fn into_conditions(self) -> Conditions {
        let now = self.current;
        let (icon, words) = open_meteo::condition(now.weather_code);
        // The answer says in which measures lengths are: imperial amounts of rain turn visibility into feet.
        let meters = if self.current_units.visibility == "ft" { METERS_PER_FOOT } else { 1.0 };
        let millimeters = if self.current_units.precipitation == "inch" { MILLIMETERS_PER_INCH } else { 1.0 };
        let fallen = now.precipitation.map(|amount| amount * millimeters);
        let is_snow = icon == WeatherIcon::Snow;
        let offset = self.utc_offset_seconds;
        let sun = |times: &[Option<String>]| Moment::parse_local(times.first()?.as_deref()?, offset.into());
        Conditions {
            place: String::new(),
            icon,
            night: now.is_day == Some(0.0),
            description: Phrase::from(words),
            temperature: now.temperature_2m,
            feels_like: now.apparent_temperature,
            lowest: self.daily.temperature_2m_min.first().copied().flatten(),
            highest: self.daily.temperature_2m_max.first().copied().flatten(),
            pressure: now.pressure_msl,
            humidity: now.relative_humidity_2m,
            visibility_meters: now.visibility.map(|distance| distance * meters),
            wind: now.wind_speed_10m,
            wind_direction: now.wind_direction_10m,
            gusts: now.wind_gusts_10m,
            clouds: now.cloud_cover,
            rain_millimeters: fallen.filter(|_| !is_snow),
            snow_millimeters: fallen.filter(|_| is_snow),
            sunrise: sun(&self.daily.sunrise),
            sunset: sun(&self.daily.sunset),
            offset,
        }
    }
}
