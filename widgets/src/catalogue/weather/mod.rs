//! `weather`: the current weather of one place.

mod conditions;

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Audience, Category, Entry, FetchError, OptionProblems, Panel, Reach, Widget, WidgetContext, option_types::Flag,
    services::weather::WeatherOptions,
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
    const CATEGORY: Category = Category::TimeAndWeather;
    const USUAL_LINES: usize = 12;

    fn check(&self, entry: &Entry, problems: &mut OptionProblems) {
        self.source.check(entry, problems);
    }

    fn audience(&self) -> Audience {
        self.source.audience()
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(15 * 60))
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let conditions = self.source.current(context).await?;
        let panel = conditions.panel(self.source.units(), !self.hide_details.is_on());
        Ok(Panel { credit: self.source.credit(), ..panel })
    }
}
