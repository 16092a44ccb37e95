//! `cloud-system`: memory, processor load and software of a cloud-storage server.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    Category, Entry, FetchError, OptionProblems, Panel, Reach, Widget, WidgetContext,
    panel::{Datum, Decimals, Fact, Facts, Gauge, Meter, Part, Phrase, Tone, Unit},
    services::{cloud::ServerInfo, tolerant},
};

/// The tones, each with the share from which on it is used. A healthy server uses much of its memory.
const STEPS: [(f64, Tone); 3] = [(0.0, Tone::Success), (0.7, Tone::Warning), (0.95, Tone::Danger)];
/// The time over which each of the three load averages is taken.
const TIMES: [&str; 3] = ["Load, 1 min", "Load, 5 min", "Load, 15 min"];

/// Shows memory and processor load of a cloud-storage server (Nextcloud), and the versions of its software. The account
/// must be an administrator.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct CloudSystem {
    #[serde(flatten)]
    server: ServerInfo,
}

impl Widget for CloudSystem {
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::FilesAndCloud;
    const USUAL_LINES: usize = 20;

    fn check(&self, _entry: &Entry, problems: &mut OptionProblems) {
        self.server.check(problems);
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(60))
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let info: InfoReply = self.server.read(context).await?;
        let system = info.nextcloud.and_then(|nextcloud| nextcloud.system).unwrap_or_default();
        let server = info.server.unwrap_or_default();
        let mut parts: Vec<Part> = vec![system.memory().into()];
        parts.extend(system.loads());
        parts.push(Facts { facts: software(&system, &server) }.into());
        Ok(Panel::new(parts))
    }
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct InfoReply {
    #[serde(deserialize_with = "tolerant::part")]
    nextcloud: Option<NextcloudReply>,
    #[serde(deserialize_with = "tolerant::part")]
    server: Option<ServerReply>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct NextcloudReply {
    #[serde(deserialize_with = "tolerant::part")]
    system: Option<SystemReply>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct SystemReply {
    #[serde(deserialize_with = "tolerant::text")]
    version: Option<String>,
    /// Three numbers, or false.
    cpuload: Value,
    #[serde(deserialize_with = "tolerant::number")]
    cpunum: Option<f64>,
    /// In kibibytes; zero if the server may not tell it.
    #[serde(deserialize_with = "tolerant::number")]
    mem_total: Option<f64>,
    /// The memory available to programs, in kibibytes.
    #[serde(deserialize_with = "tolerant::number")]
    mem_free: Option<f64>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ServerReply {
    #[serde(deserialize_with = "tolerant::text")]
    webserver: Option<String>,
    #[serde(deserialize_with = "tolerant::part")]
    php: Option<PhpReply>,
    #[serde(deserialize_with = "tolerant::part")]
    database: Option<DatabaseReply>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct PhpReply {
    #[serde(deserialize_with = "tolerant::text")]
    version: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct DatabaseReply {
    #[serde(rename = "type", deserialize_with = "tolerant::text")]
    kind: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    version: Option<String>,
    #[serde(deserialize_with = "tolerant::number")]
    size: Option<f64>,
}

impl SystemReply {
    fn memory(&self) -> Gauge {
        let Some((total, free)) = self.mem_total.filter(|total| *total > 0.0).zip(self.mem_free) else {
            return Gauge { label: "Memory: unknown".into(), ..Gauge::default() };
        };
        let used = (total - free).clamp(0.0, total);
        let size = |kibibytes: f64| Datum::bytes((kibibytes * 1024.0).round()).decimals(Decimals::Exactly(1));
        // Rounded as displayed, so that the color matches the number.
        let mille = (used / total * 1000.0).round();
        Gauge {
            label: Phrase::from("Memory: {used} of {total}").with("used", size(used)).with("total", size(total)),
            value: Datum::percent(mille / 10.0).decimals(Decimals::Exactly(1)),
            share: mille / 1000.0,
            steps: STEPS.to_vec(),
            ..Gauge::default()
        }
    }

    /// A bar for each load average; none if the server does not report them.
    fn loads(&self) -> Vec<Part> {
        let loads: Vec<Option<f64>> = match &self.cpuload {
            Value::Array(loads) => {
                loads.iter().map(|load| tolerant::as_number(load).map(|load| (load.max(0.0) * 100.0).round() / 100.0))
            }
            .collect(),
            _ => Vec::new(),
        };
        if loads.iter().all(Option::is_none) {
            return vec![Facts { facts: vec![Fact::new("Load", Phrase::from("unknown"))] }.into()];
        }
        let threads = self.cpunum.filter(|count| *count >= 1.0);
        // If the number of threads is unknown, the highest load is a full bar.
        let highest = loads.iter().flatten().copied().fold(0.0, f64::max);
        let full = threads.unwrap_or(highest).max(f64::MIN_POSITIVE);
        let meter = |(label, load): (&&'static str, &Option<f64>)| {
            let number = load.map(|load| Datum::number(load, Unit::None).decimals(Decimals::Exactly(2)));
            let share = load.map(|load| (load / full * 1000.0).round() / 1000.0);
            let text = match threads {
                Some(threads) => {
                    Phrase::from("{load} of {count} threads").with("count", Datum::number(threads, Unit::None))
                }
                None => Phrase::from("{load}"),
            };
            Part::from(Meter {
                label: (*label).into(),
                share: share.unwrap_or_default(),
                text: Some(text.with("load", number)),
                tone: share.filter(|_| threads.is_some()).map_or(Tone::Plain, tone),
                ..Meter::default()
            })
        };
        TIMES.iter().zip(&loads).map(meter).collect()
    }
}

/// The tone of a load per thread.
fn tone(per_thread: f64) -> Tone {
    match per_thread {
        load if load < 0.7 => Tone::Success,
        load if load < 5.0 => Tone::Warning,
        _ => Tone::Danger,
    }
}

fn software(system: &SystemReply, server: &ServerReply) -> Vec<Fact> {
    let known = |text: Option<&str>| {
        let text = text.filter(|text| !["unknown", "N/A"].contains(text));
        text.map_or_else(|| Phrase::from("unknown").into(), Datum::text)
    };
    let php = server.php.as_ref().and_then(|php| php.version.as_deref());
    let database = server.database.as_ref();
    let name = database.and_then(|database| {
        let pieces: Vec<&str> = [&database.kind, &database.version].into_iter().flatten().map(String::as_str).collect();
        (!pieces.is_empty()).then(|| pieces.join(" "))
    });
    let size = database.and_then(|database| database.size).filter(|size| *size > 0.0);
    let size = size.map(|size| Phrase::from("using {size}").with("size", Datum::bytes(size)).into());
    vec![
        Fact::new("Nextcloud", known(system.version.as_deref())),
        Fact::new("Web server", known(server.webserver.as_deref())),
        Fact::new("PHP", known(php)),
        Fact { more: size.into_iter().collect(), ..Fact::new("Database", known(name.as_deref())) },
    ]
}
