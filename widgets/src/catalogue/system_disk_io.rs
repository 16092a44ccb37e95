//! `system-disk-io`: how much data the disks of a machine read and write.

use std::{collections::BTreeMap, time::Duration};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{
    Category, Entry, FetchError, OptionProblems, Panel, Reach, Widget, WidgetContext,
    panel::{Cell, Column, Datum, Decimals, Phrase, Row, Sparkline, Table, Tone, Unit},
    services::system_monitor::{Monitor, Readings},
};

/// Number of readings in a sparkline.
const READINGS: usize = 30;
/// How long previous readings are remembered.
const LIFE: Duration = Duration::from_secs(600);

/// Lists the disks of a machine with their current read and write rates, from its system monitor (Glances).
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct SystemDiskIo {
    #[serde(flatten)]
    monitor: Monitor,
}

impl Widget for SystemDiskIo {
    const SYNONYMS: &'static [(&'static str, &'static str)] = Monitor::SYNONYMS;
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::Servers;

    fn check(&self, _entry: &Entry, problems: &mut OptionProblems) {
        self.monitor.check(problems);
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(2))
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let list = self.monitor.list("diskio", context).await?;
        let disks: Vec<Disk> = list.iter().map(Disk::of).filter(|disk| !disk.is_hidden()).collect();
        if disks.is_empty() {
            return Ok(Panel::empty("No disks are visible"));
        }
        let key = self.monitor.key("disks");
        let former: RateHistory =
            context.recall(&key).and_then(|former| serde_json::from_value(former).ok()).unwrap_or_default();
        let former: RateHistory = disks.iter().map(|disk| (disk.name.clone(), disk.added_to(&former))).collect();
        let has_lines = former.values().any(|rates| rates.len() > 1);
        let mut columns = vec![Column::text("Disk"), Column::number("Read"), Column::number("Write")];
        if has_lines {
            columns.push(Column::lines("Recent"));
        }
        let rows = disks.iter().map(|disk| disk.row(former.get(&disk.name), has_lines)).collect();
        context.remember(&key, json!(former), LIFE);
        Ok(Panel::new(vec![Table { columns, rows, ..Table::default() }.into()]))
    }
}

/// The last rates of each disk by its name, oldest first: read and write, in bytes per second.
type RateHistory = BTreeMap<String, Vec<Rates>>;
/// The read and write rates of a disk, in bytes per second.
type Rates = [Option<f64>; 2];

struct Disk {
    /// Its technical name.
    name: String,
    /// Its displayed name.
    label: String,
    rates: Rates,
    /// The same as operations per second.
    operations: [Option<f64>; 2],
}

impl Disk {
    fn of(disk: &Readings) -> Self {
        let rate = |what: &str| disk.per_second(&[&format!("{what}_rate_per_sec")], &[what]);
        let name = disk.text("disk_name").unwrap_or_default().to_owned();
        Self {
            label: disk.text("alias").unwrap_or(&name).to_owned(),
            name,
            rates: [rate("read_bytes"), rate("write_bytes")],
            operations: [rate("read_count"), rate("write_count")],
        }
    }

    /// Whether this is not a real disk and is not in use.
    fn is_hidden(&self) -> bool {
        let is_virtual = ["loop", "ram", "zram"].iter().any(|name| {
            let number = self.name.strip_prefix(name);
            number.is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
        });
        is_virtual && self.rates.iter().all(|rate| rate.is_none_or(|rate| rate == 0.0))
    }

    /// The previous rates and the current ones.
    fn added_to(&self, former: &RateHistory) -> Vec<Rates> {
        let mut rates = former.get(&self.name).cloned().unwrap_or_default();
        rates.push(self.rates);
        let surplus = rates.len().saturating_sub(READINGS);
        rates.split_off(surplus)
    }

    fn row(&self, rates: Option<&Vec<Rates>>, has_lines: bool) -> Row {
        let rates = rates.map(Vec::as_slice).unwrap_or_default();
        let before = rates.len().checked_sub(2).and_then(|position| rates.get(position));
        let cell = |direction: usize| Cell {
            value: value(self.rates[direction], before.and_then(|before| before[direction])).into(),
            hint: self.operations[direction].map(|count| {
                let count = Datum::number(count, Unit::None).decimals(Decimals::Exactly(0));
                Phrase::from("{count} operations per second").with("count", count)
            }),
            ..Cell::default()
        };
        let mut cells = vec![Datum::text(&self.label).into(), cell(0), cell(1)];
        if has_lines {
            let sum = |[read, write]: &Rates| Some(read.as_ref()? + write.as_ref()?);
            let title = Phrase::from("Read and written by {disk}").with("disk", self.label.as_str());
            cells.push(Sparkline { title, values: rates.iter().map(sum).collect(), ..Sparkline::default() }.into());
        }
        Row { cells, ..Row::default() }
    }
}

/// A rate, after an arrow for its change since the previous reading.
fn value(rate: Option<f64>, before: Option<f64>) -> Phrase {
    let Some(rate) = rate else { return "measuring".into() };
    if rate == 0.0 {
        return "Idle".into();
    }
    let written = Datum::number(rate, Unit::BytesPerSecond);
    let arrow = match before {
        Some(before) if rate > before => Datum::text("↑").toned(Tone::Success),
        Some(before) if rate < before => Datum::text("↓").toned(Tone::Danger),
        _ => return Phrase::from("{rate}").with("rate", written),
    };
    Phrase::from("{arrow} {rate}").with("arrow", arrow).with("rate", written)
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;
    use crate::{Moment, Recorded, panel::Part};

    #[test]
    fn former_readings_make_lines_and_arrows() {
        let exchange = |disks: &[(&str, f64)]| {
            let disks = disks.iter().map(|(name, rate)| {
                json!({ "disk_name": name, "read_bytes_rate_per_sec": rate, "write_bytes_rate_per_sec": 0.0 })
            });
            json!({ "request": { "url": "http://nas.lan:61208/api/4/diskio" },
                    "response": { "body": disks.collect::<Vec<_>>() } })
        };
        // A new disk takes the position of another, which is identified by its name.
        let exchanges = json!([exchange(&[("sda", 1000.0)]), exchange(&[("sdb", 5000.0), ("sda", 3000.0)])]);
        let context = Recorded::new(serde_json::from_value(exchanges).unwrap(), Moment::from_seconds(0));
        let widget: SystemDiskIo = serde_json::from_value(json!({ "hostname": "http://nas.lan:61208" })).unwrap();
        let mut tables = (0..2).map(|_| {
            let panel = widget.fetch(&context).now_or_never().unwrap().unwrap();
            let Some(Part::Table(table)) = panel.parts.into_iter().next() else { panic!("a table is expected") };
            table
        });
        assert_eq!(tables.next().unwrap().columns.len(), 3);
        let second = tables.next().unwrap();
        let read = |row: usize| second.rows[row].cells[1].value.clone();
        let rate = |words: &'static str, rate: f64| {
            Phrase::from(words).with("rate", Datum::number(rate, Unit::BytesPerSecond))
        };
        let risen = rate("{arrow} {rate}", 3000.0).with("arrow", Datum::text("↑").toned(Tone::Success));
        assert_eq!((read(0), read(1)), (rate("{rate}", 5000.0).into(), risen.into()));
        let line = second.rows[1].cells[3].line.clone().unwrap();
        assert_eq!(line.values, [Some(1000.0), Some(3000.0)]);
    }
}
