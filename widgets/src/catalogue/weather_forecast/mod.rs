//! `weather-forecast`: the weather of the next days at one place.

mod day;

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Audience, Category, Entry, FetchError, Moment, OptionProblems, Panel, Reach, Widget, WidgetContext,
    option_types::{Bounded, Flag},
    panel::{self, Datum, Notice, Phrase},
    services::weather::{Forecast, WeatherOptions, local_day},
};

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

impl Widget for WeatherForecast {
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::TimeAndWeather;
    const USUAL_LINES: usize = 15;

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

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let forecast = self.source.forecast(self.num_days.count(), context).await?;
        Ok(Panel { credit: self.source.credit(), ..self.panel(forecast, context.now()) })
    }
}

impl WeatherForecast {
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
        let days = forecast.days.iter().map(|day| day.forecast_day(today, self.source.units(), with_details)).collect();
        let mut parts = vec![panel::Forecast { days, ..panel::Forecast::default() }.into()];
        parts.extend(WeatherOptions::unmatched_notice(&forecast.unmatched));
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
