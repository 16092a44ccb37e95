//! `weather`: the current weather of one place.

mod conditions;

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use self::conditions::{Conditions, CurrentReply, ForecastReply};
use crate::{
    Audience, Entry, FetchError, OptionProblems, Outside, Panel, Reach, Widget,
    option_types::Flag,
    services::weather::{Provider, WeatherOptions},
};

/// Shows the current weather of one place. Without a key the data come from Open-Meteo, with one from OpenWeatherMap.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Weather {
    #[serde(flatten)]
    source: WeatherOptions,
    /// Hides the details below.
    hide_details: Flag,
}

impl Widget for Weather {
    const REACH: Reach = Reach::ViaServer;

    fn check(&self, entry: &Entry, problems: &mut OptionProblems) {
        self.source.check(entry, problems);
    }

    fn audience(&self) -> Audience {
        self.source.audience()
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(15 * 60))
    }

    async fn fetch(&self, outside: &dyn Outside) -> Result<Panel, FetchError> {
        let conditions = match self.source.provider() {
            Provider::Openweathermap => self.fetch_openweathermap(outside).await?,
            Provider::OpenMeteo => self.fetch_open_meteo(outside).await?,
        };
        let panel = conditions.panel(self.source.units(), !self.hide_details.is_on());
        Ok(Panel { credit: self.source.credit(), ..panel })
    }
}

impl Weather {
    async fn fetch_openweathermap(&self, outside: &dyn Outside) -> Result<Conditions, FetchError> {
        let request = self.source.openweathermap("/weather", outside.viewer());
        let reply = self.source.fetch_openweathermap(outside, request).await?;
        let conditions = reply.json::<CurrentReply>()?.into_conditions(self.source.units());
        conditions.filled(&reply).map(|conditions| conditions.named(self.source.own_name()))
    }

    async fn fetch_open_meteo(&self, outside: &dyn Outside) -> Result<Conditions, FetchError> {
        let position = self.source.locate(outside).await?;
        let request = self
            .source
            .open_meteo(&position)
            .query("current", conditions::CURRENT)
            .query("daily", conditions::DAILY)
            .query("hourly", conditions::HOURLY)
            .query("forecast_days", 1);
        let reply = outside.exchange(request).await?;
        let place = position.name.unwrap_or_else(|| self.source.coordinates());
        let conditions = reply.json::<ForecastReply>()?.into_conditions();
        conditions.filled(&reply).map(|conditions| conditions.named(Some(place)))
    }
}
