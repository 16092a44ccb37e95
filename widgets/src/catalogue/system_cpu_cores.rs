//! `system-cpu-cores`: how the time of each processor core is divided.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    Category, Entry, FetchError, OptionProblems, Panel, Reach, Widget, WidgetContext,
    option_types::Color,
    panel::{
        Cell, Column, Columns, Datum, Details, Donut, Heading, Part, Phrase, Row, Slice, Table, Unit, VISIBLE_ROWS,
    },
    services::system_monitor::{Monitor, Readings, cpu::KINDS_OF_WORK, dial::percent},
};

/// With more cores than these, those behind "Show 4 more" are in two columns.
const ONE_COLUMN: usize = 8;

/// Shows how the time of each processor core is divided, from the system monitor (Glances) of the machine.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct SystemCpuCores {
    #[serde(flatten)]
    monitor: Monitor,
}

impl Widget for SystemCpuCores {
    const SYNONYMS: &'static [(&'static str, &'static str)] = Monitor::SYNONYMS;
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::Servers;
    const USUAL_LINES: usize = 17;

    fn check(&self, _entry: &Entry, problems: &mut OptionProblems) {
        self.monitor.check(problems);
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(5))
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let look: Option<Readings> = self.monitor.read_if_offered("quicklook", context).await?;
        let (look, list) = match look {
            Some(look) => {
                let list = look.get("percpu").and_then(Value::as_array).cloned().unwrap_or_default();
                (look, Readings::of_list(list).ok_or_else(|| self.monitor.unexpected())?)
            }
            None => (Readings::default(), self.monitor.list("percpu", context).await?),
        };
        let cores = Core::all(&list);
        if cores.is_empty() {
            return Ok(Panel::empty("No core data"));
        }
        let kinds: Vec<(&str, &str)> = kinds_in(&cores);
        let mut parts: Vec<Part> = whole(&cores, &kinds).into_iter().map(Part::from).collect();
        if cores.len() > ONE_COLUMN {
            let (first, rest) = cores.split_at(VISIBLE_ROWS);
            let halves = rest.chunks(rest.len().div_ceil(2)).map(|half| vec![table(half, &kinds).into()]);
            let rest_of_rows = Columns { columns: halves.collect() };
            parts.push(table(first, &kinds).into());
            parts.push(Details::rest(rest.len(), vec![rest_of_rows.into()]).into());
        } else {
            parts.push(table(&cores, &kinds).into());
        }
        Ok(Panel::new(parts).titled(title(&look, cores.len())))
    }
}

/// One core with the shares of its time.
struct Core<'a> {
    number: u32,
    readings: &'a Readings,
    /// The sum of all shares, about 100; `None` if there is no measurement yet.
    sum: Option<f64>,
}

impl<'a> Core<'a> {
    /// The cores by their numbers.
    fn all(list: &'a [Readings]) -> Vec<Self> {
        let mut cores: Vec<Self> =
            list.iter().zip(0..).map(|(readings, position)| Self::of(readings, position)).collect();
        cores.sort_by_key(|core| core.number);
        cores
    }

    fn of(readings: &'a Readings, position: u32) -> Self {
        // Numbers begin at zero in the API and at one in the panel.
        let number = readings.number("cpu_number").map_or(position, |number| number.clamp(0.0, 1e6) as u32);
        let work: f64 = KINDS_OF_WORK.iter().filter_map(|(name, _)| readings.above_zero(name)).sum();
        let idle = readings.number("idle").unwrap_or_default().max(0.0);
        // The first reading after the start says that the core is fully busy, but with nothing.
        let is_measured = idle > 0.0 || work >= 50.0;
        Self { number: number + 1, readings, sum: Some(idle + work).filter(|_| is_measured) }
    }

    /// The share of one kind of work in percent.
    fn share(&self, name: &str) -> Option<f64> {
        let share = self.readings.number(name).unwrap_or_default().max(0.0) / self.sum? * 100.0;
        Some((share * 10.0).round() / 10.0)
    }
}

/// The kinds of work that any core does, and idle time.
fn kinds_in(cores: &[Core]) -> Vec<(&'static str, &'static str)> {
    let is_done = |name: &str| cores.iter().any(|core| core.share(name).is_some_and(|share| share > 0.0));
    let kinds = KINDS_OF_WORK.into_iter().chain([("idle", "Idle")]);
    kinds.filter(|(name, _)| is_done(name)).collect()
}

/// The bar of these sizes, one for each kind. Kinds come and go between readings, but keep their colors.
fn slices(kinds: &[(&str, &'static str)], size: impl Fn(&str) -> f64) -> Vec<Slice> {
    let slice = |(name, label): &(&str, &'static str)| {
        let place = KINDS_OF_WORK.iter().position(|(other, _)| other == name);
        Slice {
            label: (*label).into(),
            size: size(name),
            palette: place.and_then(|place| u8::try_from(place).ok()),
            color: place.is_none().then(Color::rest),
            ..Slice::default()
        }
    };
    kinds.iter().map(slice).collect()
}

/// The time of all cores together, whose legend is that of the single cores too; `None` if there is no measurement yet.
fn whole(cores: &[Core], kinds: &[(&str, &'static str)]) -> Option<Donut> {
    let sum = |name: &str| cores.iter().filter_map(|core| core.share(name)).sum::<f64>();
    let slices = slices(kinds, |name| (sum(name) * 10.0).round() / 10.0);
    (!slices.is_empty()).then(|| Donut { title: "All cores".into(), slices, flat: true, ..Donut::default() })
}

/// A row for each core: the bar of its time, which is put into words as a hint, and its load.
fn table(cores: &[Core], kinds: &[(&str, &'static str)]) -> Table {
    let columns = vec![Column::text("Core"), Column::lines("Time"), Column::number("Load")];
    let rows = cores.iter().map(|core| {
        let load = core.readings.number("total").filter(|_| core.sum.is_some());
        let load = load.map_or(Phrase::from("measuring").into(), |load| percent(load.clamp(0.0, 100.0)));
        let share = |(name, label): &(&str, &'static str)| {
            let share = core.share(name).filter(|share| *share > 0.0)?;
            Some(Phrase::from("{kind} {share}").with("kind", Phrase::from(*label)).with("share", percent(share)))
        };
        let shares = kinds
            .iter()
            .filter_map(share)
            .reduce(|before, next| Phrase::from("{before}, {next}").with("before", before).with("next", next));
        let shares = Cell {
            shares: slices(kinds, |name| core.share(name).unwrap_or_default()),
            hint: shares,
            ..Cell::default()
        };
        let name = Phrase::from("Core\u{a0}{number}").with("number", Datum::count(core.number));
        Row { cells: vec![Datum::from(name).into(), shares, load.into()], ..Row::default() }
    });
    Table { columns, rows: rows.collect(), headless: true, ..Table::default() }
}

/// The number of cores, the processor, and its frequency.
fn title(look: &Readings, count: usize) -> Heading {
    let name = look.text("cpu_name");
    let speed = look.above_zero("cpu_hz_current").or(look.above_zero("cpu_hz"));
    let speed = speed.map(|speed| Datum::number(speed, Unit::Hertz));
    let subtitle = match (name, speed) {
        (Some(name), Some(speed)) => Some(Phrase::from("{name}, {speed}").with("name", name).with("speed", speed)),
        (Some(name), None) => Some(Phrase::foreign(name)),
        (None, speed) => speed.map(|speed| Phrase::from("{speed}").with("speed", speed)),
    };
    let words: &'static str = if count == 1 { "One CPU core" } else { "{count} CPU cores" };
    Heading { subtitle, ..Heading::new(Phrase::from(words).with("count", Datum::count(count))) }
}
