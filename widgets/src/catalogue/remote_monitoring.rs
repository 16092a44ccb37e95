//! `remote-monitoring`: the health of a server that monitors and manages other machines.

use std::{collections::BTreeMap, time::Duration};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{
    Category, Entry, FetchError, OptionProblems, Panel, Reach, Request, Response, Widget, WidgetContext,
    option_types::{BaseAddress, Lenient, Secret},
    panel::{Datum, Details, Fact, Facts, Part, Phrase, Tone, Unit},
    services::tolerant,
};

/// Paths of the status on current and older servers.
const PATH: &str = "/core/v2/status";
const OLDER_PATH: &str = "/core/status";
/// Disk and memory usage is highlighted from these percentages on.
const MUCH: f64 = 70.0;
const TOO_MUCH: f64 = 90.0;
/// Certificates with fewer days left are highlighted; with still fewer, they are urgent.
const FEW_DAYS: f64 = 14.0;
const FEWEST_DAYS: f64 = 7.0;
/// Longer queues are highlighted.
const LONG_QUEUE: f64 = 100.0;

/// Shows the health of a Tactical RMM server: versions, counts of agents and sites, load, certificate and services.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct RemoteMonitoring {
    /// Address of the status request, such as {example}.
    #[schemars(extend("x-required" = true, "x-example" = "https://api.example.com/core/v2/status/"))]
    url: Lenient<BaseAddress>,
    /// Monitoring token of the server (`MON_TOKEN` in its settings), or the name of an environment variable.
    #[schemars(extend("x-required" = true))]
    token: Secret,
}

impl Widget for RemoteMonitoring {
    const SYNONYMS: &'static [(&'static str, &'static str)] =
        &[("host", "url"), ("hostname", "url"), ("apiKey", "token")];
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::Servers;
    const USUAL_LINES: usize = 12;

    fn check(&self, entry: &Entry, problems: &mut OptionProblems) {
        let has_address = self.url.get().is_some_and(BaseAddress::is_set);
        problems.require_option(has_address, "url", "the status address of Tactical RMM");
        problems.require_option(self.token.is_set(), "token", "MON_TOKEN of the settings of Tactical RMM");
        if entry.refreshes_more_often_than(Duration::from_secs(15)) {
            problems.note("The status costs the server much work; an updateInterval below 15 is too short.");
        }
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(60))
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let written = self.url.get().cloned().unwrap_or_default();
        let (newer, older) = (written.without(&[PATH]), written.without(&[OLDER_PATH]));
        let request = if older != written {
            let body = json!({ "auth": self.token.reveal() });
            Request::post(older.join(&format!("{OLDER_PATH}/"), &[])).json(&body)
        } else {
            // An address with another path is used as it is: a proxy may have moved the status there.
            let has_path =
                newer == written && written.public().split("://").nth(1).is_some_and(|rest| rest.contains('/'));
            let path = if has_path { "/".to_owned() } else { format!("{PATH}/") };
            Request::get(newer.join(&path, &[])).secret_header("X-Mon-Token", &self.token)
        };
        let reply = context.exchange(request.header("Accept", "application/json")).await?;
        if let Some(error) = rejection(&reply) {
            return Err(error);
        }
        let value: Value = reply.json()?;
        // A list would be read as the fields in their order.
        if !value.is_object() {
            return Err(reply.unexpected("data of another shape"));
        }
        let status: StatusReply =
            serde_json::from_value(value).map_err(|_| reply.unexpected("data of another shape"))?;
        status.panel().ok_or_else(|| reply.unexpected("data of another shape"))
    }
}

/// The server's plain-text message when it refuses.
fn rejection(reply: &Response) -> Option<FetchError> {
    let host = &reply.host;
    let sentence = match (reply.status, reply.text().trim()) {
        (401, "Missing mon token") => format!("{host}: The server has no monitoring token configured."),
        (401, text) if text.starts_with("Missing") => format!("{host} saw no token: check the option token."),
        (401 | 403, _) => format!("{host} refused the token: check the option token (MON_TOKEN of the server)."),
        (400, "Invalid request type") => {
            return Some(FetchError::message(format!(
                "{host} expects a different request: check the path in the option url."
            )));
        }
        (404, _) => {
            return Some(FetchError::message(format!(
                "{host} knows no status there: check the option url; a server before 1.0.0 needs the path /core/status/."
            )));
        }
        (500, _) => {
            return Some(FetchError::message(format!(
                "{host} has a problem (500): it may be unable to read its certificate. Its log says more."
            )));
        }
        _ => return None,
    };
    Some(FetchError::login_refused(sentence))
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct StatusReply {
    #[serde(deserialize_with = "tolerant::text")]
    version: Option<String>,
    #[serde(deserialize_with = "tolerant::number")]
    agent_count: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    client_count: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    site_count: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    disk_usage_percent: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    mem_usage_percent: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    days_until_cert_expires: Option<f64>,
    #[serde(deserialize_with = "tolerant::flag")]
    cert_expired: Option<bool>,
    #[serde(deserialize_with = "tolerant::flag")]
    redis_ping: Option<bool>,
    #[serde(deserialize_with = "tolerant::flag")]
    nats_std_ping: Option<bool>,
    #[serde(deserialize_with = "tolerant::flag")]
    nats_ws_ping: Option<bool>,
    #[serde(deserialize_with = "tolerant::flag")]
    mesh_ping: Option<bool>,
    /// -1 if it could not be read.
    #[serde(deserialize_with = "tolerant::number")]
    celery_queue_len: Option<f64>,
    #[serde(deserialize_with = "tolerant::text")]
    celery_queue_health: Option<String>,
    /// A map from names to booleans, or a text instead.
    services_running: Value,
}

impl StatusReply {
    /// The panel; `None` if nothing of a status is there.
    fn panel(&self) -> Option<Panel> {
        let pings = [
            ("Redis", self.redis_ping),
            ("NATS", self.nats_std_ping),
            ("NATS WebSocket", self.nats_ws_ping),
            ("Mesh", self.mesh_ping),
        ];
        let services: BTreeMap<&str, Option<bool>> = self
            .services_running
            .as_object()
            .into_iter()
            .flatten()
            .map(|(name, runs)| (name.as_str(), crate::option_types::truth(runs)))
            .collect();
        let is_bad = |health: &Option<bool>| *health == Some(false);
        let queue_is_bad = self.celery_queue_health.as_deref() == Some("unhealthy");
        let problems = pings.iter().filter(|(_, health)| is_bad(health)).count()
            + services.values().filter(|runs| is_bad(runs)).count()
            + usize::from(self.cert_expired == Some(true))
            + usize::from(queue_is_bad);
        let is_known = pings.iter().any(|(_, health)| health.is_some()) || services.values().any(Option::is_some);
        let state = match problems {
            0 if is_known => Some((Phrase::from("All services running"), Tone::Success)),
            // A server without service data may still have problems.
            0 => None,
            1 => Some((Phrase::from("1 problem"), Tone::Danger)),
            _ => Some((Phrase::from("{count} problems").with("count", Datum::count(problems)), Tone::Danger)),
        };
        let mut details: Vec<Fact> = pings.into_iter().filter_map(|(name, health)| Some(ping(name, health?))).collect();
        details.extend(services.into_iter().map(|(name, runs)| service(name, runs)));
        if let Some(text) = self.services_running.as_str() {
            details.push(Fact::new("Services", text));
        }
        let mut facts: Vec<Fact> =
            state.into_iter().map(|(words, tone)| Fact::new("State", words).toned(tone)).collect();
        facts.extend(self.numbers());
        if facts.is_empty() && details.is_empty() {
            return None;
        }
        let mut parts: Vec<Part> = Vec::new();
        if !facts.is_empty() {
            parts.push(Facts { facts }.into());
        }
        if !details.is_empty() {
            let parts_inside = vec![Facts { facts: details }.into()];
            parts.push(Details { summary: "Services".into(), parts: parts_inside, ..Details::default() }.into());
        }
        Some(Panel::new(parts))
    }

    fn numbers(&self) -> Vec<Fact> {
        let count = |count: Option<f64>| count.map(|count| Datum::number(count.max(0.0), Unit::None));
        let usage = |label: &'static str, percent: Option<f64>| {
            let percent = percent.map(|percent| percent.clamp(0.0, 100.0));
            let tone = match percent {
                Some(percent) if percent >= TOO_MUCH => Tone::Danger,
                Some(percent) if percent >= MUCH => Tone::Warning,
                _ => Tone::Plain,
            };
            Fact::new(label, percent.map(Datum::percent)).toned(tone)
        };
        let (queue, queue_tone) = match self.celery_queue_len {
            Some(length) if length < 0.0 => (Datum::from(Phrase::from("unknown")), Tone::Danger),
            Some(length) if length > LONG_QUEUE => (Datum::number(length, Unit::None), Tone::Warning),
            length => (length.map(|length| Datum::number(length, Unit::None)).into(), Tone::Plain),
        };
        let (health, health_tone) = match self.celery_queue_health.as_deref() {
            Some("healthy") => (Datum::from(Phrase::from("Healthy")), Tone::Success),
            Some("unhealthy") => (Datum::from(Phrase::from("Unhealthy")), Tone::Danger),
            other => (Datum::from(other), Tone::Plain),
        };
        let facts = [
            Fact::new("Version", self.version.as_deref()),
            Fact::new("Agents", count(self.agent_count)),
            Fact::new("Clients", count(self.client_count)),
            Fact::new("Sites", count(self.site_count)),
            usage("Disk", self.disk_usage_percent),
            usage("Memory", self.mem_usage_percent),
            self.certificate(),
            Fact::new("Queue length", queue).toned(queue_tone),
            Fact::new("Queue health", health).toned(health_tone),
        ];
        // Facts that a server does not report are left out.
        Facts::present(facts).facts
    }

    fn certificate(&self) -> Fact {
        let days = self.days_until_cert_expires;
        if self.cert_expired == Some(true) || days.is_some_and(|days| days < 0.0) {
            return Fact::new("Certificate", Phrase::from("expired")).toned(Tone::Danger);
        }
        let tone = match days {
            Some(days) if days < FEWEST_DAYS => Tone::Danger,
            Some(days) if days < FEW_DAYS => Tone::Warning,
            _ => Tone::Plain,
        };
        let left = |days: f64| {
            let words: &'static str = if days.round() == 1.0 { "{days} day left" } else { "{days} days left" };
            Phrase::from(words).with("days", Datum::number(days.round(), Unit::None))
        };
        Fact::new("Certificate", days.map(left)).toned(tone)
    }
}

fn ping(name: &'static str, is_healthy: bool) -> Fact {
    let (word, tone) = if is_healthy { ("Healthy", Tone::Success) } else { ("Unhealthy", Tone::Danger) };
    Fact::new(Phrase::from(name), Phrase::from(word)).toned(tone)
}

fn service(name: &str, runs: Option<bool>) -> Fact {
    let (word, tone) = match runs {
        Some(true) => ("Running", Tone::Success),
        Some(false) => ("Stopped", Tone::Danger),
        None => ("Unknown", Tone::Neutral),
    };
    Fact::new(Phrase::foreign(name), Phrase::from(word)).toned(tone)
}
