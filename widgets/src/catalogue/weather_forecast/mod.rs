//! `weather-forecast`: the weather of the next days at one place.

mod day;
mod replies;

use std::time::Duration;

use jiff::{Timestamp, civil::Date, tz::Offset};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use self::{
    day::Day,
    replies::{DailyReply, ForecastReply, StepsReply},
};
use crate::{
    Audience, Entry, FetchError, Moment, OptionProblems, Outside, Panel, Reach, Widget,
    option_types::{Bounded, Flag},
    panel::{self, Datum, Notice, Phrase},
    services::weather::{Provider, WeatherOptions},
};

/// How many days OpenWeatherMap returns for a free key.
const FREE_DAYS: usize = 5;

/// Shows the weather of the next days at one place. Without a key the data come from Open-Meteo, with one from
/// OpenWeatherMap.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct WeatherForecast {
    #[serde(flatten)]
    source: WeatherOptions,
    /// How many days are shown, today included.
    num_days: Bounded<1, 4, 16>,
    /// Hides the details of the days.
    hide_details: Flag,
}

/// A forecast, from either service.
#[derive(Debug, Default)]
struct Forecast {
    place: String,
    /// Seconds ahead of UTC.
    offset: i32,
    days: Vec<Day>,
    /// The service returns fewer days for this key than were requested.
    limited: bool,
}

impl Widget for WeatherForecast {
    const REACH: Reach = Reach::ViaServer;

    fn check(&self, entry: &Entry, problems: &mut OptionProblems) {
        self.source.check(entry, problems);
        self.num_days.check("numDays", problems);
    }

    fn audience(&self) -> Audience {
        self.source.audience()
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(30 * 60))
    }

    async fn fetch(&self, outside: &dyn Outside) -> Result<Panel, FetchError> {
        let forecast = match self.source.provider() {
            Provider::Openweathermap => self.fetch_openweathermap(outside).await?,
            Provider::OpenMeteo => self.fetch_open_meteo(outside).await?,
        };
        Ok(Panel { credit: self.source.credit(), ..self.panel(forecast, outside.now()) })
    }
}

impl WeatherForecast {
    async fn fetch_openweathermap(&self, outside: &dyn Outside) -> Result<Forecast, FetchError> {
        let (wanted, units) = (self.num_days.count(), self.source.units());
        if wanted > FREE_DAYS {
            let request = self.source.openweathermap("/forecast/daily", outside.viewer()).query("cnt", wanted);
            match self.source.fetch_openweathermap(outside, request).await {
                Ok(reply) => return Ok(reply.json::<DailyReply>()?.into_forecast(units)),
                // Free keys are refused here. Other problems with the key or the place come up again below.
                Err(FetchError::Message { .. } | FetchError::LoginRefused { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        let request = self.source.openweathermap("/forecast", outside.viewer());
        let reply = self.source.fetch_openweathermap(outside, request).await?;
        let forecast = reply.json::<StepsReply>()?.into_forecast(units);
        Ok(Forecast { limited: wanted > FREE_DAYS, ..forecast })
    }

    async fn fetch_open_meteo(&self, outside: &dyn Outside) -> Result<Forecast, FetchError> {
        let position = self.source.locate(outside).await?;
        let request = self
            .source
            .open_meteo(&position)
            .query("daily", replies::DAILY)
            .query("forecast_days", self.num_days.get());
        let forecast = outside.exchange(request).await?.json::<ForecastReply>()?.into_forecast();
        Ok(Forecast { place: position.name.unwrap_or_default(), ..forecast })
    }

    fn panel(&self, mut forecast: Forecast, now: Moment) -> Panel {
        let wanted = self.num_days.count();
        let today = local_day(now.seconds(), forecast.offset);
        // The rest of a response from before midnight.
        forecast.days.retain(|day| today.is_none_or(|today| day.date >= today));
        forecast.days.truncate(wanted);
        if forecast.days.is_empty() {
            return Panel::empty("No forecast available");
        }
        let with_details = !self.hide_details.is_on();
        let days = forecast.days.iter().map(|day| day.shown(today, self.source.units(), with_details)).collect();
        let mut parts = vec![panel::Forecast { days, ..panel::Forecast::default() }.into()];
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
        // With coordinates, the name of the place is the user's own, if there is one.
        let place = self.source.own_name().unwrap_or(forecast.place);
        let title = (!place.is_empty()).then(|| Phrase::foreign(place).into());
        Panel { title, ..Panel::new(parts) }
    }
}

/// The current date at a place that is this many seconds ahead of UTC.
fn local_day(seconds: i64, offset: i32) -> Option<Date> {
    let shifted = Timestamp::from_second(seconds.checked_add(offset.into())?).ok()?;
    Some(Offset::UTC.to_datetime(shifted).date())
}
