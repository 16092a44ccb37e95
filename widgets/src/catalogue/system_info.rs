//! `system-info`: the machine that the dashboard runs on. The server reads its own facts and answers `/system-info`.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, de::DeserializeOwned};

use crate::{
    Category, FetchError, Panel, Reach, Request, Widget, WidgetContext,
    option_types::{Lenient, Number},
    panel::{Datum, Decimals, Details, Fact, Facts, Heading, Meter, Part, Phrase, Stat, Stats, Tone, Unit},
    services::tolerant,
};

/// Shows the machine that the dashboard runs on: its name, system, uptime, memory and load. Available only on Linux,
/// and not in a container or a virtual machine.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct SystemInfo {}

/// The response of our own server. Every fact may be missing.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct SystemInfoReply {
    /// Missing in responses in the format of existing software.
    #[serde(default = "yes")]
    success: bool,
    /// The kind of container or virtual machine, if that is why there are no facts.
    #[serde(default)]
    container: Option<String>,
    /// The server's operating system, if that is why there are no facts.
    #[serde(default)]
    system: Option<String>,
    #[serde(default, deserialize_with = "block")]
    meta: MetaReply,
    #[serde(default, deserialize_with = "block")]
    memory: MemoryReply,
    #[serde(default, deserialize_with = "block")]
    load: LoadReply,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct MetaReply {
    /// Seconds.
    uptime: Lenient<Number>,
    hostname: Option<String>,
    username: Option<String>,
    system: Option<String>,
    kernel: Option<String>,
    arch: Option<String>,
    cpus: Lenient<Number>,
    cpu_name: Option<String>,
}

/// Bytes.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct MemoryReply {
    total: Lenient<Number>,
    available: Lenient<Number>,
    used: Lenient<Number>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct LoadReply {
    one: Lenient<Number>,
    five: Lenient<Number>,
    fifteen: Lenient<Number>,
}

/// Facts that belong together; none if they have another shape.
fn block<'de, D: Deserializer<'de>, T: DeserializeOwned + Default>(deserializer: D) -> Result<T, D::Error> {
    tolerant::part(deserializer).map(Option::unwrap_or_default)
}

fn yes() -> bool {
    true
}

impl Widget for SystemInfo {
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::Servers;
    const USUAL_LINES: usize = 9;

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let reply = context.exchange(Request::get("/system-info")).await?;
        match reply.status {
            404 => return Ok(unavailable(Reason::Unknown)),
            status if reply.ok().is_err() => {
                return Err(FetchError::message(format!("The server could not read its own facts (status {status}).")));
            }
            _ => {}
        }
        let facts: SystemInfoReply =
            reply.json().map_err(|_| FetchError::message("The server's own facts cannot be read."))?;
        Ok(if facts.success { facts.panel() } else { unavailable(facts.reason()) })
    }
}

/// Why there are no facts.
#[derive(Clone, Copy, Debug)]
enum Reason {
    VirtualMachine,
    Container,
    OtherSystem,
    Unknown,
}

/// A calm sentence: this is not an error, and nothing will change it.
fn unavailable(reason: Reason) -> Panel {
    Panel::empty(match reason {
        Reason::VirtualMachine => "Not available in a virtual machine: use the system monitoring widgets",
        Reason::Container => "Not available in a container: use the system monitoring widgets",
        Reason::OtherSystem => "Available on Linux only: use the system monitoring widgets",
        Reason::Unknown => "Not available here: use the system monitoring widgets",
    })
}

fn value(number: &Lenient<Number>) -> Option<f64> {
    number.get().map(|number| number.get())
}

impl SystemInfoReply {
    fn reason(&self) -> Reason {
        match (self.container.as_deref(), &self.system) {
            (Some("virtual machine"), _) => Reason::VirtualMachine,
            (Some(_), _) => Reason::Container,
            (None, Some(_)) => Reason::OtherSystem,
            (None, None) => Reason::Unknown,
        }
    }

    fn panel(&self) -> Panel {
        let mut parts: Vec<Part> = Vec::new();
        parts.extend(self.memory.meter().map(Part::from));
        parts.extend(self.load.stats(value(&self.meta.cpus)).map(Part::from));
        parts.extend(self.meta.details().map(Part::from));
        match self.meta.heading() {
            None if parts.is_empty() => unavailable(Reason::Unknown),
            // As a title it would be above the sentence that there is nothing to show.
            Some(heading) if parts.is_empty() => Panel::new(vec![heading.into()]),
            title => Panel { title, ..Panel::new(parts) },
        }
    }
}

impl MetaReply {
    /// `user@host`, with the system and the uptime below; these take its place if there is no name.
    fn heading(&self) -> Option<Heading> {
        let host = self.hostname.as_deref().filter(|host| !host.is_empty());
        let user = self.username.as_deref().filter(|user| !user.is_empty());
        let name = match (user, host) {
            (Some(user), Some(host)) => Phrase::foreign(format!("{user}@{host}")),
            (None, Some(host)) => Phrase::foreign(host),
            (_, None) => Phrase::default(),
        };
        let system = self.system.as_deref().filter(|system| !system.is_empty());
        let uptime = value(&self.uptime).map(|seconds| Datum::seconds(seconds.floor()));
        let subtitle = match (system, uptime) {
            (Some(system), Some(uptime)) => {
                Some(Phrase::from("{system} | up {uptime}").with("system", system).with("uptime", uptime))
            }
            (Some(system), None) => Some(Phrase::foreign(system)),
            (None, Some(uptime)) => Some(Phrase::from("up {uptime}").with("uptime", uptime)),
            (None, None) => None,
        };
        if name.is_empty() { subtitle.map(Heading::new) } else { Some(Heading { subtitle, ..Heading::new(name) }) }
    }

    fn details(&self) -> Option<Details> {
        let text = |text: &Option<String>| text.as_deref().map(Datum::text).unwrap_or_default();
        let processors = value(&self.cpus).filter(|count| *count > 0.0);
        let processors = processors.map_or(Datum::Missing, |count| Datum::number(count, Unit::None));
        let facts = Facts::present([
            Fact::new("Kernel", text(&self.kernel)),
            Fact::new("Architecture", text(&self.arch)),
            Fact::new("Processors", processors),
            Fact::new("Processor", text(&self.cpu_name)),
        ]);
        (!facts.facts.is_empty()).then(|| Details { parts: vec![facts.into()], ..Details::default() })
    }
}

impl MemoryReply {
    fn meter(&self) -> Option<Meter> {
        let total = value(&self.total).filter(|total| *total > 0.0)?;
        let used = value(&self.used).or_else(|| Some(total - value(&self.available)?))?.clamp(0.0, total);
        let share = used / total;
        let percent = Datum::percent((share * 100.0).round()).decimals(Decimals::Exactly(0));
        let text = Phrase::from("{used} of {total} ({percent})")
            .with("used", Datum::bytes(used))
            .with("total", Datum::bytes(total))
            .with("percent", percent);
        let tone = match share {
            share if share < 0.7 => Tone::Success,
            share if share <= 0.9 => Tone::Warning,
            _ => Tone::Danger,
        };
        // The last digits of a quotient may change on the way to the browser, and are not visible.
        let share = (share * 1000.0).round() / 1000.0;
        Some(Meter { label: "Memory".into(), share, text: Some(text), tone, ..Meter::default() })
    }
}

impl LoadReply {
    /// The averages, colored by what they mean for this number of processors.
    fn stats(&self, processors: Option<f64>) -> Option<Stats> {
        let rows = [("Load, 1 min", &self.one), ("Load, 5 min", &self.five), ("Load, 15 min", &self.fifteen)];
        let stats: Vec<Stat> = rows
            .into_iter()
            .filter_map(|(label, load)| {
                let load = value(load)?;
                let number = Datum::number(load, Unit::None).decimals(Decimals::Exactly(2));
                let tone = match processors.filter(|count| *count > 0.0).map(|count| load / count) {
                    None => Tone::Plain,
                    Some(share) if share < 0.7 => Tone::Success,
                    Some(share) if share < 1.0 => Tone::Warning,
                    Some(_) => Tone::Danger,
                };
                Some(Stat::new(label, number).toned(tone))
            })
            .collect();
        (!stats.is_empty()).then_some(Stats { stats })
    }
}
