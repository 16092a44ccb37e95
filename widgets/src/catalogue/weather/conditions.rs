//! The current weather, from either service, and how it is shown.

use serde::Deserialize;

use crate::{
    FetchError, Moment, Panel, Response,
    panel::{Datum, Details, Fact, Facts, Part, Phrase, Unit, WeatherDay, WeatherIcon, WeatherSummary},
    services::{
        open_meteo, tolerant,
        weather::{CloudsReply, MainReply, SkyReply, Units, WindReply, place, sky, sun, time_there, whole},
    },
};

/// The current values requested from Open-Meteo.
pub(super) const CURRENT: &str = "temperature_2m,relative_humidity_2m,apparent_temperature,is_day,precipitation,\
    weather_code,cloud_cover,pressure_msl,wind_speed_10m,wind_direction_10m,wind_gusts_10m,visibility";

/// The daily values requested from Open-Meteo.
pub(super) const DAILY: &str = "temperature_2m_max,temperature_2m_min,sunrise,sunset";

/// The hourly values to request from Open-Meteo.
pub(super) const HOURLY: &str = "temperature_2m";

const SECONDS_OF_A_DAY: i64 = 86_400;
const METERS_PER_FOOT: f64 = 0.3048;

/// The weather of a place. Temperatures, speeds and amounts are in the requested units, as marked.
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
    /// The direction from which it blows, in degrees clockwise from north.
    wind_direction: Option<f64>,
    gusts: Option<f64>,
    /// Percent.
    clouds: Option<f64>,
    rain: Option<f64>,
    snow: Option<f64>,
    sunrise: Option<Moment>,
    sunset: Option<Moment>,
    /// Seconds ahead of UTC.
    offset: i32,
    /// The temperatures of today, from midnight to midnight; empty if the service does not tell.
    hours: Vec<Option<f64>>,
    /// When it was so.
    at: Option<Moment>,
}

impl Conditions {
    /// The conditions, if they say anything about the weather.
    ///
    /// # Errors
    ///
    /// There is neither a temperature nor a picture; everything else is a detail.
    pub(super) fn filled(self, reply: &Response) -> Result<Self, FetchError> {
        let is_filled = self.temperature.is_some() || !self.description.is_empty();
        if is_filled { Ok(self) } else { Err(reply.unexpected("no weather")) }
    }

    /// The conditions with another name of the place, if there is one.
    pub(super) fn named(mut self, place: Option<String>) -> Self {
        self.place = place.unwrap_or(self.place);
        self
    }

    pub(super) fn panel(self, units: Units, with_details: bool) -> Panel {
        let summary = WeatherSummary {
            icon: self.icon,
            night: self.night,
            temperature: units.degrees(self.temperature),
            lowest: None,
            description: self.description.clone(),
            label: Datum::text(&self.place),
            day: self.day(),
        };
        let mut parts: Vec<Part> = vec![summary.into()];
        let facts = self.facts(units);
        if with_details && !facts.facts.is_empty() {
            parts.push(Details { parts: vec![facts.into()], ..Details::default() }.into());
        }
        Panel::new(parts)
    }

    /// The whole day, in columns of two hours.
    fn day(&self) -> Option<WeatherDay> {
        let share = |at: Moment| {
            let seconds = (at.seconds() + i64::from(self.offset)).rem_euclid(SECONDS_OF_A_DAY);
            // A day has fewer seconds than a float can count.
            let share = seconds as f64 / SECONDS_OF_A_DAY as f64;
            (share * 1000.0).round() / 1000.0
        };
        let temperatures: Vec<_> =
            self.hours.chunks(2).map(|pair| pair.iter().copied().flatten().reduce(f64::max)).collect();
        let is_whole = self.hours.len() == 24 && temperatures.iter().flatten().count() > 1;
        let now = share(self.at.filter(|_| is_whole)?);
        Some(WeatherDay {
            temperatures,
            now,
            sun: self.sunrise.zip(self.sunset).map(|(rise, set)| (share(rise), share(set))),
        })
    }

    fn facts(&self, units: Units) -> Facts {
        Facts::present([
            Fact::new("Minimum", units.degrees(self.lowest)),
            Fact::new("Maximum", units.degrees(self.highest)),
            Fact::new("Feels like", units.degrees(self.feels_like)),
            Fact::new("Pressure", whole(self.pressure, Unit::Hectopascal)),
            Fact::new("Humidity", whole(self.humidity, Unit::Percent)),
            Fact::new("Visibility", units.distance(self.visibility_meters)),
            units.wind(self.wind, self.wind_direction),
            Fact::new("Gusts", units.speed(self.gusts)),
            Fact::new("Clouds", whole(self.clouds, Unit::Percent)),
            Fact::new("Rain", units.fallen(self.rain)),
            Fact::new("Snow", units.fallen(self.snow)),
            Fact::new("Sunrise", time_there(self.sunrise, self.offset)),
            Fact::new("Sunset", time_there(self.sunset, self.offset)),
        ])
    }
}

/// A response of OpenWeatherMap.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct CurrentReply {
    name: String,
    #[serde(deserialize_with = "tolerant::lenient_part")]
    sys: SunReply,
    timezone: i32,
    #[serde(deserialize_with = "tolerant::entries")]
    weather: Vec<SkyReply>,
    #[serde(deserialize_with = "tolerant::lenient_part")]
    main: MainReply,
    visibility: Option<f64>,
    #[serde(deserialize_with = "tolerant::lenient_part")]
    wind: WindReply,
    #[serde(deserialize_with = "tolerant::lenient_part")]
    clouds: CloudsReply,
    #[serde(deserialize_with = "tolerant::lenient_part")]
    rain: AmountReply,
    #[serde(deserialize_with = "tolerant::lenient_part")]
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
struct AmountReply {
    #[serde(rename = "1h")]
    hour: Option<f64>,
}

impl CurrentReply {
    pub(super) fn into_conditions(self, units: Units) -> Conditions {
        let (icon, night, description) = sky(self.weather.first());
        Conditions {
            place: place(&self.name, &self.sys.country),
            icon,
            night,
            description,
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
            rain: units.of_millimeters(self.rain.hour),
            snow: units.of_millimeters(self.snow.hour),
            sunrise: sun(self.sys.sunrise),
            sunset: sun(self.sys.sunset),
            offset: self.timezone,
            hours: Vec::new(),
            at: None,
        }
    }
}

/// A response of Open-Meteo. Any value may be null.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct ForecastReply {
    #[serde(deserialize_with = "tolerant::number")]
    utc_offset_seconds: Option<f64>,
    #[serde(deserialize_with = "tolerant::part")]
    current: Option<NowReply>,
    #[serde(deserialize_with = "tolerant::part")]
    current_units: Option<UnitsReply>,
    #[serde(deserialize_with = "tolerant::part")]
    daily: Option<DayReply>,
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
struct DayReply {
    #[serde(deserialize_with = "tolerant::positions")]
    temperature_2m_max: Vec<Option<f64>>,
    #[serde(deserialize_with = "tolerant::positions")]
    temperature_2m_min: Vec<Option<f64>>,
    #[serde(deserialize_with = "tolerant::positions")]
    sunrise: Vec<Option<String>>,
    #[serde(deserialize_with = "tolerant::positions")]
    sunset: Vec<Option<String>>,
}

impl ForecastReply {
    pub(super) fn into_conditions(self) -> Conditions {
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
        }
    }
}
