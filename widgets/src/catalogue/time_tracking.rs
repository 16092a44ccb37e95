//! `time-tracking`: how much time was spent today, by category.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    Audience, Category, Entry, FetchError, OptionProblems, Panel, Reach, Request, Widget, WidgetContext,
    option_types::Secret,
    panel::{self, Datum, Headline, Link, Meter, Part, Phrase},
    services::{calendar, tolerant},
};

/// The positions at which the service puts the columns that are read.
const USUAL_TIME: usize = 1;
const USUAL_CATEGORY: usize = 3;

/// Shows how much time was spent today, by category, as measured by RescueTime for your productivity.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct TimeTracking {
    /// Key of RescueTime (Integrations, API), or the name of an environment variable.
    #[schemars(extend("x-required" = true))]
    api_key: Secret,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct DataReply {
    #[serde(deserialize_with = "tolerant::positions")]
    row_headers: Vec<Option<String>>,
    rows: Value,
    #[serde(deserialize_with = "tolerant::text")]
    error: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    messages: Option<String>,
}

impl Widget for TimeTracking {
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::Development;
    const USUAL_LINES: usize = 10;
    // The date depends on where the viewer is.
    const AUDIENCE: Audience = Audience::Language;

    fn check(&self, entry: &Entry, problems: &mut OptionProblems) {
        problems.require_option(self.api_key.is_set(), "apiKey", "a key of RescueTime (Integrations, API)");
        if entry.refreshes_more_often_than(Duration::from_secs(180)) {
            problems.note("Data arrive every 3 minutes at best: an updateInterval below 180 brings nothing new.");
        }
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(15 * 60))
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let today = calendar::today(context.now(), context.viewer());
        let request = Request::get("https://www.rescuetime.com/anapi/data")
            .secret_query("key", &self.api_key)
            .query("perspective", "rank")
            .query("restrict_kind", "overview")
            .query("restrict_begin", today)
            .query("restrict_end", today)
            .query("format", "json");
        let reply = context.exchange(request).await?;
        let refused = || {
            FetchError::login_refused("RescueTime does not know this key: check the option apiKey (Integrations, API).")
        };
        if matches!(reply.status, 401 | 403) {
            return Err(refused());
        }
        // The body explains errors, whatever the status.
        let body: DataReply = reply.any_json().or_else(|error| reply.ok().and(Err(error)))?;
        if let Some(error) = body.error {
            let message = format!("{error} {}", body.messages.unwrap_or_default()).to_ascii_lowercase();
            return Err(if message.contains("key") {
                refused()
            } else {
                FetchError::message("RescueTime has a problem. The next refresh tries again.")
            });
        }
        reply.ok()?;
        let column = |words: &str| {
            let has_words =
                |header: &Option<String>| header.as_ref()?.to_ascii_lowercase().contains(words).then_some(());
            body.row_headers.iter().position(|header| has_words(header).is_some())
        };
        // With the name of one column, the other can be told by its usual position.
        let (time, category) = match (column("time spent"), column("category")) {
            (None, None) => return Err(reply.unexpected("data without the columns that belong to it")),
            (time, category) => (time.unwrap_or(USUAL_TIME), category.unwrap_or(USUAL_CATEGORY)),
        };
        let read = |row: &Value| {
            let seconds = tolerant::as_number(row.get(time)?)?.max(0.0);
            Some((row.get(category)?.as_str()?.to_owned(), seconds))
        };
        let rows: Vec<(String, f64)> = body.rows.as_array().into_iter().flatten().filter_map(read).collect();
        Ok(panel(&rows))
    }
}

fn panel(rows: &[(String, f64)]) -> Panel {
    let credit = Link::parse("RescueTime", "https://www.rescuetime.com/");
    if rows.is_empty() {
        return Panel { credit, ..Panel::empty("Nothing recorded today") };
    }
    let total: f64 = rows.iter().map(|(_, seconds)| seconds).sum();
    let largest = rows.iter().map(|(_, seconds)| *seconds).fold(1.0, f64::max);
    let bar = |(rank, (category, seconds)): (usize, &(String, f64))| {
        let label =
            Phrase::from("{rank}. {category}").with("rank", Datum::count(rank + 1)).with("category", category.as_str());
        let text = if *seconds < 60.0 {
            Phrase::from("less than a minute")
        } else {
            Phrase::from("{time}").with("time", minutes(*seconds))
        };
        let share = (seconds / largest * 1000.0).round() / 1000.0;
        Part::from(Meter { label, share, text: Some(text), ..Meter::default() })
    };
    let headline = Headline { caption: Some("today".into()), ..Headline::new(minutes(total)) };
    let mut parts: Vec<Part> = vec![headline.into()];
    parts.extend(panel::rows(rows.iter().enumerate().map(|row| [bar(row)])));
    Panel { credit, ..Panel::new(parts) }
}

/// A duration in whole minutes.
fn minutes(seconds: f64) -> Datum {
    Datum::seconds((seconds / 60.0).floor() * 60.0)
}
