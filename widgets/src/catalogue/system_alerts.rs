//! `system-alerts`: the recent warnings of a machine.
//!
//! How long an alert lasted, its range and its processes are below its title instead of in a hint, which cannot be read on
//! touch screens.

use std::{cmp::Reverse, time::Duration};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    Category, Entry, FetchError, Moment, OptionProblems, Panel, Reach, Widget, WidgetContext,
    panel::{self, Datum, Decimals, Entries, Notice, Phrase, Style, Tone, Unit},
    services::system_monitor::{Monitor, Readings, dial::percent},
};

/// The order of the values in versions 2 and 3, which do not name them.
const OLD_ORDER: [&str; 10] = ["begin", "end", "state", "type", "max", "avg", "min", "sum", "count", "top"];
/// Maximum length of a process name.
const MAX_NAME: usize = 40;

/// Lists the recent warnings of a machine about high load, memory or temperature, from its system monitor (Glances).
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct SystemAlerts {
    #[serde(flatten)]
    monitor: Monitor,
}

impl Widget for SystemAlerts {
    const SYNONYMS: &'static [(&'static str, &'static str)] = Monitor::SYNONYMS;
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::Servers;
    const USUAL_LINES: usize = 15;

    fn check(&self, _entry: &Entry, problems: &mut OptionProblems) {
        self.monitor.check(problems);
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(30))
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let list: Vec<Value> = self.monitor.read("alert", "alert", context).await?;
        if list.is_empty() {
            let healthy = Notice { text: "System is healthy: no alerts".into(), tone: Tone::Success };
            return Ok(Panel::new(vec![healthy.into()]));
        }
        let mut alerts: Vec<Alert> = list.into_iter().filter_map(Alert::of).collect();
        if alerts.is_empty() {
            return Err(self.monitor.unexpected());
        }
        alerts.sort_by_key(|alert| Reverse((alert.is_ongoing, alert.begin)));
        let entries = alerts.iter().map(|alert| alert.entry(context.now())).collect();
        Ok(Panel::new(vec![Entries::new(entries).into()]))
    }
}

struct Alert {
    begin: Option<Moment>,
    end: Option<Moment>,
    is_ongoing: bool,
    /// The type as written.
    kind: String,
    state: String,
    lowest: Option<f64>,
    mean: Option<f64>,
    highest: Option<f64>,
    /// The names of the busiest processes.
    processes: Vec<String>,
}

impl Alert {
    fn of(written: Value) -> Option<Self> {
        let written = match written {
            Value::Array(values) => {
                let names = OLD_ORDER.iter().map(|name| (*name).to_owned());
                Value::Object(names.zip(values).collect())
            }
            written => written,
        };
        let alert = Readings::of(written)?;
        alert.text("type").or(alert.text("state"))?;
        let end = alert.number("end");
        let processes = alert.get("top").and_then(Value::as_array).into_iter().flatten();
        Some(Self {
            begin: alert.above_zero("begin").map(moment),
            end: end.filter(|end| *end > 0.0).map(moment),
            is_ongoing: end.is_some_and(|end| end < 0.0),
            kind: alert.text("type").unwrap_or_default().to_ascii_uppercase(),
            state: alert.text("state").unwrap_or_default().to_ascii_uppercase(),
            lowest: alert.number("min"),
            mean: alert.number("avg"),
            highest: alert.number("max"),
            processes: processes.filter_map(process).collect(),
        })
    }

    fn entry(&self, now: Moment) -> panel::ListEntry {
        let (state, tone) = match self.state.as_str() {
            "WARNING" => ("Warning".into(), Tone::Warning),
            "CRITICAL" => ("Critical".into(), Tone::Danger),
            "" => ("Unknown".into(), Tone::Neutral),
            other => (Phrase::foreign(other), Tone::Neutral),
        };
        panel::ListEntry {
            state: Some(state),
            tone,
            date: self.begin,
            date_style: Style::DateTime,
            values: self.values(now),
            tags: if self.is_ongoing { vec!["Ongoing".into()] } else { Vec::new() },
            ..panel::ListEntry::new(self.title())
        }
    }

    /// What it is about.
    fn title(&self) -> Phrase {
        let known: &'static str = match self.kind.as_str() {
            "CPU" | "CPU_TOTAL" => "CPU total",
            "CPU_USER" => "CPU user",
            "CPU_SYSTEM" => "CPU system",
            "CPU_IOWAIT" => "CPU I/O wait",
            "CPU_STEAL" => "CPU steal",
            "MEM" => "Memory",
            "MEMSWAP" => "Swap",
            "LOAD" => "Load",
            "SENSORS_TEMPERATURE_CORE" => "Temperature",
            "SENSORS_TEMPERATURE_HDD" => "Disk temperature",
            // The state and the values say enough to look at the machine.
            "" => "Unknown",
            other => {
                let words = other.replace('_', " ").to_lowercase();
                let mut letters = words.chars();
                let first = letters.next().into_iter().flat_map(char::to_uppercase);
                return Phrase::foreign(first.chain(letters).collect::<String>());
            }
        };
        known.into()
    }

    /// The mean, the duration, the range of values, and the processes that caused it.
    fn values(&self, now: Moment) -> Vec<Datum> {
        let mean = self.mean.map_or(Datum::Missing, |mean| match self.value(mean) {
            value if self.kind == "LOAD" => Phrase::from("load {load} per core").with("load", value).into(),
            value => value,
        });
        let end = if self.is_ongoing { Some(now) } else { self.end };
        let lasted = self.begin.zip(end).map(|(begin, end)| end.since(begin)).filter(|lasted| lasted.as_secs() > 0);
        let words: &'static str = if self.is_ongoing { "for {time}" } else { "lasted {time}" };
        let lasted =
            lasted.map(|lasted| Phrase::from(words).with("time", Datum::seconds(lasted.as_secs() as f64)).into());
        let range = self.lowest.zip(self.highest).filter(|(lowest, highest)| lowest < highest);
        let range = range.map(|(lowest, highest)| {
            let range = Phrase::from("{lowest}–{highest}").with("lowest", self.value(lowest));
            range.with("highest", self.value(highest)).into()
        });
        let processes = (!self.processes.is_empty()).then(|| Datum::text(&self.processes.join(", ")));
        [Some(mean), lasted, range, processes].into_iter().flatten().collect()
    }

    /// A value in its unit.
    fn value(&self, value: f64) -> Datum {
        let is_share =
            ["CPU", "PERCPU", "MEM", "FS", "GPU", "QUICKLOOK"].iter().any(|kind| self.kind.starts_with(kind));
        match () {
            () if self.kind.contains("TEMPERATURE") => {
                Datum::number(value, Unit::Celsius).decimals(Decimals::Exactly(1))
            }
            () if is_share => percent(value),
            () => Datum::number(value, Unit::None),
        }
    }
}

/// Converts seconds with decimals.
fn moment(seconds: f64) -> Moment {
    // A time whose year is out of range is shown as missing.
    let millis = (seconds * 1000.0) as i64;
    Moment::from_millis(millis)
}

/// The name of a process. Old versions send everything about it, including the command line, which may contain a
/// password.
fn process(written: &Value) -> Option<String> {
    let name = written.as_str().or_else(|| written.get("name")?.as_str())?.trim();
    (!name.is_empty()).then(|| name.chars().take(MAX_NAME).collect())
}
