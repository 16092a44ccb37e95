//! OpenWeatherMap: weather with a key.

use std::collections::BTreeMap;

use jiff::civil::Date;
use serde::Deserialize;

use super::{
    Conditions, Day, Forecast, Units, WeatherOptions, WeatherSource, local_day,
    openweathermap_parts::{CloudsReply, MainReply, SkyReply, WindReply, place, sky, sun},
};
use crate::{
    FetchError, Request, Response, ViewerHints, WidgetContext,
    services::{openweathermap, tolerant},
};

/// How many days it returns for a free key.
const FREE_DAYS: usize = 5;
const NOON: i64 = 12 * 3600;

/// The service, for a place, with the key of the options.
pub(crate) struct OpenWeatherMap<'a> {
    pub(crate) options: &'a WeatherOptions,
}

impl WeatherSource for OpenWeatherMap<'_> {
    async fn current(&self, context: &dyn WidgetContext) -> Result<Conditions, FetchError> {
        let request = self.request("/weather", context.viewer());
        let reply = self.send(context, request).await?;
        let conditions = reply.json::<CurrentReply>()?.into_conditions(self.options.units());
        conditions.filled(&reply).map(|conditions| conditions.named(self.options.own_name()))
    }

    async fn forecast(&self, days: usize, context: &dyn WidgetContext) -> Result<Forecast, FetchError> {
        let units = self.options.units();
        if days > FREE_DAYS {
            let request = self.request("/forecast/daily", context.viewer()).query("cnt", days);
            match self.send(context, request).await {
                Ok(reply) => return Ok(reply.json::<DailyReply>()?.into_forecast(units)),
                // Free keys are refused here. Other problems with the key or the place come up again below.
                Err(FetchError::Message { .. } | FetchError::LoginRefused { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        let request = self.request("/forecast", context.viewer());
        let reply = self.send(context, request).await?;
        let forecast = reply.json::<StepsReply>()?.into_forecast(units);
        Ok(Forecast { limited: days > FREE_DAYS, ..forecast })
    }
}

impl OpenWeatherMap<'_> {
    /// A request for the place. `path` begins with a slash.
    fn request(&self, path: &str, viewer: &ViewerHints) -> Request {
        let options = self.options;
        let mut request = openweathermap::request(path);
        request = match options.position() {
            Some((latitude, longitude)) => request.query("lat", latitude).query("lon", longitude),
            None if options.city_id.is_set() => request.query("id", &options.city_id),
            None => request.query("q", &options.city),
        };
        request = request.query("units", options.units().word());
        if let Some(language) = options.lang.get().or_else(|| openweathermap::language(viewer)) {
            request = request.query("lang", language);
        }
        request.secret_query("appid", &options.api_key)
    }

    async fn send(&self, context: &dyn WidgetContext, request: Request) -> Result<Response, FetchError> {
        let place = self.options.city.get().or_else(|| self.options.city_id.get());
        let place = place.map_or_else(|| self.options.coordinates(), str::to_owned);
        openweathermap::send(context, request, &place).await
    }
}

/// A response of OpenWeatherMap.
#[derive(Default, Deserialize)]
#[serde(default)]
struct CurrentReply {
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
    rain: HourReply,
    #[serde(deserialize_with = "tolerant::lenient_part")]
    snow: HourReply,
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
struct HourReply {
    #[serde(rename = "1h")]
    hour: Option<f64>,
}

impl CurrentReply {
    fn into_conditions(self, units: Units) -> Conditions {
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
            unmatched: Vec::new(),
        }
    }
}

/// A response of OpenWeatherMap in steps of three hours.
#[derive(Default, Deserialize)]
#[serde(default)]
struct StepsReply {
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
struct DailyReply {
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

impl StepsReply {
    /// The days of the place, computed from their steps. The first and the last may be incomplete.
    fn into_forecast(self, units: Units) -> Forecast {
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
            ..Forecast::default()
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
    fn into_forecast(self, units: Units) -> Forecast {
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
        let place = place(&self.city.name, &self.city.country);
        Forecast { place, offset, days: days.collect(), ..Forecast::default() }
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
