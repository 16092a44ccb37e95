//! The responses of the uptime checker about a status page.

use std::collections::{BTreeMap, HashSet};

use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use crate::{
    Moment,
    panel::{self, Datum, Decimals, Notice, Part, Phrase, RichText, Style, TimelineState, Tone, Unit},
    services::tolerant,
};

/// The page itself.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct PageReply {
    #[serde(deserialize_with = "tolerant::part")]
    config: Option<ConfigReply>,
    #[serde(deserialize_with = "tolerant::entries")]
    public_group_list: Vec<GroupReply>,
    /// The announcement, in releases up to 2.0.
    #[serde(deserialize_with = "tolerant::part")]
    incident: Option<IncidentReply>,
    /// The announcements, in releases from 2.1 on.
    #[serde(deserialize_with = "tolerant::entries")]
    incidents: Vec<IncidentReply>,
    #[serde(deserialize_with = "tolerant::entries")]
    maintenance_list: Vec<MaintenanceReply>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ConfigReply {
    #[serde(deserialize_with = "tolerant::text")]
    title: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct GroupReply {
    #[serde(deserialize_with = "tolerant::text")]
    name: Option<String>,
    #[serde(deserialize_with = "tolerant::entries")]
    monitor_list: Vec<MonitorReply>,
}

#[derive(Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct MonitorReply {
    #[serde(deserialize_with = "tolerant::text")]
    id: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    name: Option<String>,
    /// Only if the page shows addresses.
    #[serde(deserialize_with = "tolerant::text")]
    url: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct IncidentReply {
    #[serde(deserialize_with = "tolerant::text")]
    style: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    title: Option<String>,
    /// In Markdown.
    #[serde(deserialize_with = "tolerant::text")]
    content: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct MaintenanceReply {
    #[serde(deserialize_with = "tolerant::text")]
    title: Option<String>,
    /// In Markdown.
    #[serde(deserialize_with = "tolerant::text")]
    description: Option<String>,
    #[serde(deserialize_with = "tolerant::entries")]
    timeslot_list: Vec<TimeslotReply>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct TimeslotReply {
    #[serde(deserialize_with = "tolerant::text")]
    start_date: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    end_date: Option<String>,
}

impl PageReply {
    /// A page with all monitors that have results, in place of one that could not be read.
    pub(super) fn unnamed(beats: &BeatsReply) -> Self {
        let monitor = |id| MonitorReply { id: Some(id), ..MonitorReply::default() };
        let group = GroupReply { name: None, monitor_list: beats.ids().into_iter().map(monitor).collect() };
        Self { public_group_list: vec![group], ..Self::default() }
    }

    pub(super) fn title(&self) -> Option<&str> {
        self.config.as_ref()?.title.as_deref()
    }

    /// The groups that have monitors.
    pub(super) fn groups(&self) -> impl Iterator<Item = &GroupReply> {
        self.public_group_list.iter().filter(|group| group.monitors().next().is_some())
    }

    /// The monitors of all groups.
    pub(super) fn monitors(&self) -> impl Iterator<Item = &MonitorReply> {
        self.public_group_list.iter().flat_map(GroupReply::monitors)
    }

    /// The monitors of all groups, each once.
    pub(super) fn monitors_once(&self) -> impl Iterator<Item = &MonitorReply> {
        let mut seen = HashSet::new();
        self.monitors().filter(move |monitor| seen.insert(monitor.id()))
    }

    /// Announcements and current maintenance.
    pub(super) fn announcements(&self) -> Vec<Part> {
        let incidents = self.incident.iter().chain(&self.incidents).flat_map(IncidentReply::parts);
        incidents.chain(self.maintenance_list.iter().flat_map(MaintenanceReply::parts)).collect()
    }
}

impl GroupReply {
    pub(super) fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    pub(super) fn monitors(&self) -> impl Iterator<Item = &MonitorReply> {
        self.monitor_list.iter().filter(|monitor| monitor.id.is_some())
    }
}

impl MonitorReply {
    /// Its number as a text.
    pub(super) fn id(&self) -> &str {
        self.id.as_deref().unwrap_or_default()
    }

    pub(super) fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    pub(super) fn url(&self) -> Option<&str> {
        self.url.as_deref()
    }
}

impl IncidentReply {
    fn parts(&self) -> Vec<Part> {
        let tone = match self.style.as_deref() {
            Some("warning") => Tone::Warning,
            Some("danger") => Tone::Danger,
            Some("info" | "primary") => Tone::Info,
            _ => Tone::Neutral,
        };
        let title = self.title.as_deref().map(|title| Notice { text: Phrase::foreign(title), tone }.into());
        title.into_iter().chain(markdown(self.content.as_deref())).collect()
    }
}

impl MaintenanceReply {
    fn parts(&self) -> Vec<Part> {
        let time = |written: &Option<String>| {
            let at = written.as_deref().and_then(utc);
            at.map_or(Datum::Missing, |at| Datum::time(at, Style::DateTime))
        };
        let title = self.title.as_deref().unwrap_or_default();
        let text = match self.timeslot_list.first() {
            Some(slot) => Phrase::from("Maintenance: {title}, {start}–{end}")
                .with("title", title)
                .with("start", time(&slot.start_date))
                .with("end", time(&slot.end_date)),
            None => Phrase::from("Maintenance: {title}").with("title", title),
        };
        let notice = Notice { text, tone: Tone::Info };
        [notice.into()].into_iter().chain(markdown(self.description.as_deref())).collect()
    }
}

fn markdown(text: Option<&str>) -> Option<Part> {
    let text = RichText::markdown(text?);
    (!text.html().is_empty()).then(|| text.into())
}

/// The results of all monitors.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BeatsReply {
    /// By the numbers of the monitors, the oldest result first.
    #[serde(deserialize_with = "lists")]
    heartbeat_list: BTreeMap<String, Vec<Beat>>,
    #[serde(default)]
    uptime_list: Value,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Beat {
    #[serde(deserialize_with = "tolerant::number")]
    status: Option<f64>,
    #[serde(deserialize_with = "tolerant::text")]
    time: Option<String>,
    #[serde(deserialize_with = "tolerant::number")]
    ping: Option<f64>,
}

/// The state of a monitor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    Up,
    Down,
    Pending,
    Maintenance,
    Unknown,
}

/// For `deserialize_with`: lists by name, without entries that cannot be read.
fn lists<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<String, Vec<Beat>>, D::Error> {
    let lists = Map::<String, Value>::deserialize(deserializer)?;
    Ok(lists.into_iter().map(|(id, list)| (id, tolerant::as_entries(list))).collect())
}

impl BeatsReply {
    /// The numbers of the monitors, in ascending order.
    pub(super) fn ids(&self) -> Vec<String> {
        let mut ids: Vec<String> = self.heartbeat_list.keys().cloned().collect();
        ids.sort_by_key(|id| (id.parse::<u64>().unwrap_or(u64::MAX), id.clone()));
        ids
    }

    /// The results of one monitor, the oldest first.
    pub(super) fn of(&self, id: &str) -> &[Beat] {
        self.heartbeat_list.get(id).map(Vec::as_slice).unwrap_or_default()
    }

    /// The share of the last 24 hours in which a monitor was up, from 0 to 1.
    pub(super) fn uptime(&self, id: &str) -> Option<f64> {
        let value = self.uptime_list.get(format!("{id}_24")).or_else(|| self.uptime_list.get(id));
        value.and_then(tolerant::as_number)
    }
}

impl Beat {
    pub(super) fn state(&self) -> State {
        match self.status {
            Some(0.0) => State::Down,
            Some(1.0) => State::Up,
            Some(2.0) => State::Pending,
            Some(3.0) => State::Maintenance,
            _ => State::Unknown,
        }
    }

    pub(super) fn ping(&self) -> Option<Datum> {
        self.ping.map(milliseconds)
    }

    /// The state as a small bar.
    pub(super) fn drawn(&self) -> TimelineState {
        TimelineState {
            state: match self.state() {
                State::Up => panel::State::Up,
                State::Down => panel::State::Down,
                State::Pending => panel::State::Degraded,
                State::Maintenance => panel::State::Maintenance,
                State::Unknown => panel::State::Unknown,
            },
            at: self.time.as_deref().and_then(utc),
            hint: self.ping().map(|ping| Phrase::from("{ping}").with("ping", ping)),
        }
    }
}

/// A time, which is in UTC if it does not name its zone.
fn utc(written: &str) -> Option<Moment> {
    Moment::parse_local(written, 0).filter(|at| at.is_dated())
}

/// A time in milliseconds.
pub(super) fn milliseconds(ping: f64) -> Datum {
    Datum::number(ping.max(0.0).round(), Unit::Milliseconds).decimals(Decimals::Exactly(0))
}
