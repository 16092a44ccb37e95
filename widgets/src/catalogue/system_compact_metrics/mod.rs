//! `system-compact-metrics`: the load of several machines in a table.
//!
//! The details of each machine can be expanded below the table, instead of taking its place after a click on a row: so
//! the other machines stay in view, several can be open at a time, and it works without scripts. The address of a machine
//! is the hint of its name, so that each machine takes one line. Requests time out as those of all widgets, after 10 s.

mod machine;

use std::time::Duration;

use futures_util::future::join_all;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use self::machine::{Absence, MonitoredMachine};
use crate::{
    Category, Entry, FetchError, OptionProblems, Panel, Reach, Widget, WidgetContext,
    option_types::{BaseAddress, Lenient, OneOrMany, Text},
    panel::{
        Cell, Column, Datum, Decimals, Details, Fact, Facts, Heading, Meter, Notice, Paragraph, Part, Phrase, Row,
        Table, Tone,
    },
    services::system_monitor::{Access, memory::size},
};

/// Shows the load and usage of several machines, from their system monitors (Glances), with details of each.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct SystemCompactMetrics {
    /// The machines, each with a `url` and a `header` to show, such as {example}. Without a `header`, the host is shown.
    #[schemars(extend("x-required" = true, "x-example" = r#"[{ header: NAS, url: "http://192.168.1.10:61208" }]"#))]
    systems: OneOrMany<Lenient<System>>,
    #[serde(flatten)]
    access: Access,
}

/// One machine as written in the options.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
struct System {
    /// Its displayed name.
    header: Text,
    /// The address of its system monitor.
    url: Lenient<BaseAddress>,
    // Other spellings of the two.
    #[schemars(skip)]
    name: Text,
    #[schemars(skip)]
    label: Text,
    #[schemars(skip)]
    hostname: Lenient<BaseAddress>,
    #[schemars(skip)]
    host: Lenient<BaseAddress>,
}

impl System {
    /// The address, if there is one.
    fn address(&self) -> Option<&BaseAddress> {
        let written = [&self.url, &self.hostname, &self.host].into_iter();
        written.filter_map(Lenient::get).find(|address| address.is_set())
    }

    /// Its displayed name: the host if the entry does not name it.
    fn header(&self, address: &BaseAddress) -> String {
        let written = [&self.header, &self.name, &self.label].into_iter().find_map(Text::get);
        written.unwrap_or(address.host()).to_owned()
    }
}

impl Widget for SystemCompactMetrics {
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::Servers;
    const USUAL_LINES: usize = 7;

    fn check(&self, _entry: &Entry, problems: &mut OptionProblems) {
        let has_machine = self.machines().next().is_some();
        let purpose = "a list of machines with Glances, each with header and url";
        problems.require_option(!self.systems.is_empty(), "systems", purpose);
        for (index, system) in self.systems.iter().enumerate() {
            if system.get().and_then(System::address).is_none() {
                let sentence = format!("Entry {} of systems has no url.", index + 1);
                // An incomplete machine is left out; the others still work.
                if has_machine { problems.note(sentence) } else { problems.error(sentence) }
            }
        }
        self.access.check(problems);
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(if self.machines().count() > 5 { 10 } else { 5 }))
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let machines: Vec<(String, &BaseAddress)> = self.machines().collect();
        let lookups = machines.iter().map(|(_, address)| MonitoredMachine::fetch(&self.access, address, context));
        let mut results = join_all(lookups).await;
        if results.iter().all(Result::is_err) && !results.is_empty() {
            // If all of them fail, the previous panel is better than a table of dashes.
            return results.swap_remove(0).map(|_| Panel::default());
        }
        let machines: Vec<_> = machines.into_iter().zip(results).collect();
        let columns =
            vec![Column::text("Node"), Column::number("CPU"), Column::number("Memory"), Column::number("Disk")];
        let rows = machines.iter().map(|((header, address), result)| row(header, address, result)).collect();
        let table = Table { columns, rows, ..Table::default() };
        let single = machines.len() == 1;
        let details = machines.iter().flat_map(|((header, _), result)| {
            let parts = details(header, result);
            // One click opens the list of machines, another one the machine.
            if single {
                parts
            } else {
                vec![Details { summary: Phrase::foreign(&**header), parts, ..Details::default() }.into()]
            }
        });
        let details = Details { summary: "Details".into(), parts: details.collect(), ..Details::default() };
        let notices = machines.iter().filter_map(|((header, _), result)| switched_off(header, result.as_ref().ok()?));
        Ok(Panel::new([Part::from(table)].into_iter().chain(notices).chain([details.into()]).collect()))
    }
}

impl SystemCompactMetrics {
    /// The machines that have an address, with their displayed names.
    fn machines(&self) -> impl Iterator<Item = (String, &BaseAddress)> {
        self.systems.iter().filter_map(|system| {
            let system = system.get()?;
            let address = system.address()?;
            Some((system.header(address), address))
        })
    }
}

fn row(header: &str, address: &BaseAddress, result: &Result<MonitoredMachine, FetchError>) -> Row {
    let public = address.public();
    let public = public.split_once("://").map_or(public.as_str(), |(_, rest)| rest);
    let node = Cell { hint: Some(Phrase::foreign(public)), ..Cell::from(Datum::text(header)) };
    let shares = match result {
        Ok(machine) => [machine.cpu.clone(), machine.memory.clone(), machine.disk()].map(|share| match share {
            Ok(share) => share_cell(Some(share), None),
            Err(absence) => share_cell(None, Some(reason(&absence))),
        }),
        Err(error) => [(); 3].map(|()| share_cell(None, Some(Phrase::message(error.to_string())))),
    };
    Row { cells: [node].into_iter().chain(shares).collect(), ..Row::default() }
}

fn reason(absence: &Absence) -> Phrase {
    match absence {
        Absence::SwitchedOff => "This part is switched off on the machine".into(),
        Absence::Failed(error) => Phrase::message(error.to_string()),
        Absence::NoValue => "The machine reports no value".into(),
    }
}

/// Says which columns a machine leaves empty because its monitor does not offer them.
fn switched_off(header: &str, machine: &MonitoredMachine) -> Option<Part> {
    let is_off = |share: &Result<f64, Absence>| *share == Err(Absence::SwitchedOff);
    let shares =
        [("CPU", is_off(&machine.cpu)), ("Memory", is_off(&machine.memory)), ("Disk", is_off(&machine.disk()))];
    let names: Vec<&str> = shares.iter().filter(|(_, is_off)| *is_off).map(|(name, _)| *name).collect();
    let text = Phrase::from("{machine} does not offer {parts}: switched off on the machine.");
    let text = text.with("machine", header).with("parts", names.join(", "));
    (!names.is_empty()).then(|| Paragraph { small: true, ..Paragraph::new(text) }.into())
}

fn share_cell(share: Option<f64>, reason: Option<Phrase>) -> Cell {
    // Rounded as displayed, so that the color matches the number.
    let share = share.map(|share| share.clamp(0.0, 100.0).round());
    let value = share.map(|share| Datum::percent(share).decimals(Decimals::Exactly(0)));
    Cell { value: value.into(), tone: tone(share), hint: reason, ..Cell::default() }
}

fn tone(percent: Option<f64>) -> Tone {
    match percent {
        None => Tone::Neutral,
        Some(percent) if percent < 50.0 => Tone::Success,
        Some(percent) if percent <= 90.0 => Tone::Warning,
        Some(_) => Tone::Danger,
    }
}

fn details(header: &str, result: &Result<MonitoredMachine, FetchError>) -> Vec<Part> {
    let machine = match result {
        Ok(machine) => machine,
        Err(error) => {
            let text = Phrase::from("Details of {machine} could not be read: {reason}");
            let text = text.with("machine", header).with("reason", Phrase::message(error.to_string()));
            return vec![Notice::warning(text).into()];
        }
    };
    let facts = vec![
        Fact::new("Host name", machine.about.host_name.as_deref()),
        Fact::new("Operating system", machine.about.system.as_deref()),
        Fact::new("Uptime", machine.uptime.map(|time| Datum::seconds(time.as_secs_f64()))),
    ];
    let mut parts: Vec<Part> = vec![Facts { facts }.into()];
    if !machine.about.switched_off.is_empty() {
        let text = Phrase::from("Switched off on the machine: {parts}");
        let text = text.with("parts", machine.about.switched_off.join(", "));
        parts.push(Paragraph { small: true, ..Paragraph::new(text) }.into());
    }
    let meter = |label: &'static str, percent: Option<f64>, text: Option<Phrase>| {
        percent.map(|percent| {
            let percent = (percent.clamp(0.0, 100.0) * 10.0).round() / 10.0;
            let tone = tone(Some(percent.round()));
            Part::from(Meter { label: label.into(), share: percent / 100.0, text, tone, ..Meter::default() })
        })
    };
    let of =
        |used: f64, total: f64| Phrase::from("{used} of {total}").with("used", size(used)).with("total", size(total));
    // The total rarely changes, so it is read less often than the usage.
    let memory = machine
        .memory
        .as_ref()
        .ok()
        .zip(machine.about.memory)
        .map(|(percent, total)| of(percent / 100.0 * total, total));
    let disk = machine.sizes().map(|(used, total)| of(used, total));
    parts.extend(meter("CPU", machine.cpu.clone().ok(), None));
    parts.extend(meter("Memory", machine.memory.clone().ok(), memory));
    parts.extend(meter("Disk", machine.disk().ok(), disk));
    if !machine.disks.is_empty() {
        parts.push(Heading::new("Partitions").into());
        let facts = machine.disks.iter().map(|disk| {
            let percent = Datum::percent((disk.used / disk.size * 100.0).round()).decimals(Decimals::Exactly(0));
            let value = Phrase::from("{used} of {total} ({percent})")
                .with("used", size(disk.used))
                .with("total", size(disk.size))
                .with("percent", percent);
            Fact::new(Phrase::foreign(&*disk.label), value)
        });
        parts.push(Facts { facts: facts.collect() }.into());
    }
    parts
}
