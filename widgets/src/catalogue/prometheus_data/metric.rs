//! One metric as written in the options, and the query for it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::format::Format;
use crate::{
    Moment,
    option_types::{Lenient, Text},
};

/// How many points a chart has.
const POINTS: i64 = 120;
/// The shortest time between two points, in seconds.
const MIN_STEP: i64 = 5;
/// The longest range, in seconds: ten years.
const MAX_RANGE: i64 = 10 * 366 * 86_400;

/// One metric as written in the options.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(super) struct Metric {
    /// The query.
    pub query: Text,
    /// Its label. Without it, the query is shown.
    pub label: Text,
    /// How its numbers are shown.
    #[schemars(extend("type" = ["string", "object"], "properties" = super::format::properties()))]
    pub format: Lenient<Value>,
    /// How far back a chart reaches. Without it, a number is shown.
    pub range: Text,
    /// The names of the series.
    pub legend: Text,
}

/// Why a metric cannot be queried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MetricError {
    NoQuery,
    Range,
}

impl MetricError {
    /// What is wrong with the entry at this number.
    pub(super) fn sentence(self, number: usize) -> String {
        match self {
            Self::NoQuery => format!("Entry {number} of metrics has no query."),
            Self::Range => format!("Entry {number} of metrics: range must look like 15m, 6h or 7d."),
        }
    }
}

/// The query for one metric.
#[derive(Clone, Debug)]
pub(super) struct MetricQuery {
    pub query: String,
    /// The label.
    pub label: String,
    pub format: Format,
    /// How far back a chart reaches, in seconds.
    pub range: Option<i64>,
    pub legend: Option<String>,
}

/// The times of a chart, in seconds since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Window {
    pub start: i64,
    pub end: i64,
    pub step: i64,
}

impl Metric {
    /// The query, or why there is none.
    pub(super) fn read(&self) -> Result<MetricQuery, MetricError> {
        let query = self.query.get().ok_or(MetricError::NoQuery)?.to_owned();
        let range = self.range.get().map(|range| seconds(range).ok_or(MetricError::Range)).transpose()?;
        let label = self.label.get().unwrap_or(&query).to_owned();
        let format = self.format.get().map(|written| Format::read(written).0).unwrap_or_default();
        Ok(MetricQuery { query, label, format, range, legend: self.legend.get().map(str::to_owned) })
    }

    /// What is wrong with the format.
    pub(super) fn format_note(&self) -> Option<String> {
        Format::read(self.format.get()?).1
    }
}

impl MetricQuery {
    /// The times of its chart; `None` for a number.
    pub(super) fn window(&self, now: Moment) -> Option<Window> {
        let range = self.range?;
        let step = ((range + POINTS - 1) / POINTS).max(MIN_STEP);
        let end = now.seconds() - now.seconds().rem_euclid(step);
        Some(Window { start: end - range, end, step })
    }
}

/// Parses `15m`, `6h`, `7d`, or seconds.
fn seconds(written: &str) -> Option<i64> {
    let written = written.trim().to_ascii_lowercase();
    let digits = written.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let unit = match &written[digits.len()..] {
        "" | "s" => 1,
        "m" => 60,
        "h" => 3600,
        "d" => 86_400,
        "w" => 7 * 86_400,
        "y" => 365 * 86_400,
        _ => return None,
    };
    let seconds = digits.trim().parse::<i64>().ok()?.checked_mul(unit)?;
    (seconds > 0).then_some(seconds.clamp(MIN_STEP, MAX_RANGE))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_have_units() {
        for (written, expected) in [
            ("15m", Some(900)),
            ("6H", Some(21_600)),
            ("7 d", Some(604_800)),
            ("300", Some(300)),
            ("1s", Some(5)),
            ("100y", Some(MAX_RANGE)),
            ("0", None),
            ("-5m", None),
            ("a day", None),
            ("6h30m", None),
        ] {
            assert_eq!(seconds(written), expected, "{written}");
        }
    }

    #[test]
    fn steps_are_even() {
        let query = Metric { query: "up".into(), range: "1h".into(), ..Metric::default() }.read().unwrap();
        let window = query.window(Moment::from_seconds(1_795_251_617)).unwrap();
        assert_eq!(window, Window { start: 1_795_248_000, end: 1_795_251_600, step: 30 });
    }
}
