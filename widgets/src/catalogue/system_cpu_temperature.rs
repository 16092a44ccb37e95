//! `system-cpu-temperature`: the temperatures, fans and batteries of a machine.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Category, Entry, FetchError, OptionProblems, Panel, Reach, Widget, WidgetContext,
    option_types::Lenient,
    panel::{Cell, Column, Datum, Decimals, Phrase, Row, Table, Tone, Unit},
    services::system_monitor::{Monitor, Readings, Units},
};

/// Lists the temperatures of a machine's sensors, its fans and its battery, from its system monitor (Glances).
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct SystemCpuTemperature {
    #[serde(flatten)]
    monitor: Monitor,
    /// The unit of temperatures.
    #[schemars(extend("default" = "C"))]
    units: Lenient<Units>,
}

impl Widget for SystemCpuTemperature {
    const SYNONYMS: &'static [(&'static str, &'static str)] = Monitor::SYNONYMS;
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::Servers;
    const USUAL_LINES: usize = 9;

    fn check(&self, _entry: &Entry, problems: &mut OptionProblems) {
        self.monitor.check(problems);
        problems.require(self.units.unknown().is_none(), "units must be C or F.");
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(10))
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let mut sensors = self.monitor.list("sensors", context).await?;
        if sensors.is_empty() {
            return Ok(Panel::empty("No sensors are available on this machine"));
        }
        sensors.sort_by_key(rank);
        let rows = sensors.iter().map(|sensor| self.row(sensor, &sensors)).collect();
        let columns = vec![Column::text("Sensor"), Column::number("Value")];
        let table = Table { columns, rows, headless: true, one_line: true, ..Table::default() };
        Ok(Panel::new(vec![table.into()]))
    }
}

impl SystemCpuTemperature {
    fn row(&self, sensor: &Readings, all: &[Readings]) -> Row {
        let label = Cell::from(sensor.text("label").map_or(Datum::Missing, |label| capitalized(label).into()));
        Row { cells: vec![label, self.value(sensor, all)], ..Row::default() }
    }

    fn value(&self, sensor: &Readings, all: &[Readings]) -> Cell {
        let cell = |value: Datum, tone: Tone| Cell { value, tone, ..Cell::default() };
        let Some(value) = sensor.number("value") else {
            // Disks report a word instead of a number if they are asleep, or the reason for having none.
            return cell(Phrase::from("n/a").into(), Tone::Neutral);
        };
        let whole = |value: f64, unit: Unit| Datum::number(value.round(), unit).decimals(Decimals::Exactly(0));
        match sensor.text("unit").unwrap_or_default() {
            written @ ("C" | "F") => {
                let celsius = |degrees: f64| if written == "F" { (degrees - 32.0) * 5.0 / 9.0 } else { degrees };
                let tone = temperature_tone(celsius(value), value, limits(sensor, all));
                cell(
                    match self.units.or_default() {
                        Units::C => whole(celsius(value), Unit::Celsius),
                        Units::F => whole(celsius(value) * 1.8 + 32.0, Unit::Fahrenheit),
                    },
                    tone,
                )
            }
            "R" => cell(whole(value, Unit::Sign("rpm".to_owned())), Tone::Neutral),
            "%" => {
                let hint = sensor.text("status").map(Phrase::foreign);
                Cell { hint, ..cell(whole(value, Unit::Percent), battery_tone(value)) }
            }
            other => cell(Datum::number(value, Unit::Sign(other.to_owned())), Tone::Neutral),
        }
    }
}

/// From this part of the first limit on, a temperature is close to it.
const CLOSE: f64 = 0.95;

/// The limits of a sensor in its own unit, for a warning and for danger; zero means that there is none. One without any takes those of
/// the first sensor of the same type and unit that has some, so that two cores are measured alike.
fn limits(sensor: &Readings, all: &[Readings]) -> (Option<f64>, Option<f64>) {
    let own = |sensor: &Readings| (sensor.above_zero("warning"), sensor.above_zero("critical"));
    let is_kin = |other: &&Readings| ["type", "unit"].iter().all(|key| other.text(key) == sensor.text(key));
    let has_some = |limits: &(Option<f64>, Option<f64>)| limits.0.or(limits.1).is_some();
    let of_kin = || all.iter().filter(is_kin).map(own).find(has_some);
    Some(own(sensor)).filter(has_some).or_else(of_kin).unwrap_or_default()
}

/// The tone of a temperature with these limits, which are in the unit in which it is written.
fn temperature_tone(celsius: f64, written: f64, (warning, critical): (Option<f64>, Option<f64>)) -> Tone {
    if let Some(first) = warning.or(critical) {
        return match () {
            () if critical.is_some_and(|limit| written >= limit) => Tone::Danger,
            () if written >= first * CLOSE => Tone::Warning,
            () => Tone::Success,
        };
    }
    match celsius {
        celsius if celsius <= 50.0 => Tone::Success,
        celsius if celsius < 75.0 => Tone::Warning,
        _ => Tone::Danger,
    }
}

fn battery_tone(percent: f64) -> Tone {
    match percent {
        percent if percent < 20.0 => Tone::Danger,
        percent if percent < 75.0 => Tone::Warning,
        _ => Tone::Success,
    }
}

/// The position of a sensor in the list: processors first, then cores by their number, then the others in their
/// original order.
fn rank(sensor: &Readings) -> (u8, u32) {
    let label = sensor.text("label").unwrap_or_default().to_ascii_lowercase();
    if !matches!(sensor.text("unit"), Some("C" | "F")) {
        return (2, 0);
    }
    let core = label.strip_prefix("core").and_then(|number| number.trim().parse().ok());
    match core {
        Some(number) => (1, number),
        None if ["package id", "cpu", "tctl", "tdie"].iter().any(|name| label.starts_with(name)) => (0, 0),
        None => (2, 0),
    }
}

/// What is written in its own way, whatever the machine calls it.
const ABBREVIATIONS: [&str; 5] = ["CPU", "GPU", "NVMe", "PCH", "SSD"];

/// Words with capital initials.
fn capitalized(label: &str) -> String {
    let capital = |word: &str| {
        if let Some(known) = ABBREVIATIONS.into_iter().find(|known| known.eq_ignore_ascii_case(word)) {
            return known.to_owned();
        }
        let mut letters = word.chars();
        letters.next().map(|first| first.to_uppercase().chain(letters).collect::<String>()).unwrap_or_default()
    };
    label.split_whitespace().map(capital).collect::<Vec<_>>().join(" ")
}
