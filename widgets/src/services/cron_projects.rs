//! The scheduled jobs that report to a monitoring service, for the keys of one or more projects.

use std::time::Duration;

use futures_util::future::join_all;
use serde::Deserialize;

use crate::{
    FetchError, Moment, Outside, Panel, Request, Response,
    address::encode,
    option_types::{BaseAddress, Secret},
    panel::{Datum, Entries, Entry, Notice, Part, Phrase, SafeUrl, Stat, Stats, Style, Tone},
};

/// The public service, for people who do not host it themselves.
pub(crate) const HOST: &str = "https://healthchecks.io";
/// Default refresh interval.
pub(crate) const REFRESH: Duration = Duration::from_secs(60);
/// Number of characters in a key.
pub(crate) const KEY_LENGTH: usize = 32;
/// Projects may have hundreds of jobs.
const FOLDED_AFTER: usize = 25;

/// Which jobs come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// By name.
    Name,
    /// Those that are down first, then those that are late, then the others; each by name.
    UrgentFirst,
}

/// Fetches the jobs for all keys at once, and shows them.
///
/// # Errors
///
/// No key works: the error of the first one.
pub(crate) async fn panel(
    host: &BaseAddress,
    keys: &[&Secret],
    order: Order,
    outside: &dyn Outside,
) -> Result<Panel, FetchError> {
    let answers = join_all(keys.iter().map(|key| checks(host, key, outside))).await;
    let mut checks = Vec::new();
    let mut failures = Vec::new();
    for (index, answer) in answers.into_iter().enumerate() {
        match answer {
            Ok(more) => checks.extend(more),
            Err(error) => failures.push((index + 1, error)),
        }
    }
    if failures.len() == keys.len() && !failures.is_empty() {
        return Err(failures.swap_remove(0).1);
    }
    checks.sort_by_cached_key(|check| {
        let urgency = if order == Order::UrgentFirst { check.urgency() } else { 0 };
        (urgency, check.label().to_lowercase())
    });
    let mut parts: Vec<Part> = failures.iter().map(|(number, error)| failure(*number, error).into()).collect();
    if checks.is_empty() {
        parts.push(Notice::empty("No checks in this project").into());
    } else {
        parts.extend(counts(&checks).map(Part::from));
        let entries = checks.iter().map(|check| check.entry(host)).collect();
        parts.push(Entries { entries, folded_after: Some(FOLDED_AFTER) }.into());
    }
    Ok(Panel::new(parts))
}

async fn checks(host: &BaseAddress, key: &Secret, outside: &dyn Outside) -> Result<Vec<CheckReply>, FetchError> {
    let mut reply = ask(host, "v3", key, outside).await?;
    // Self-hosted instances from years ago only have the first version.
    if reply.status == 404 {
        reply = ask(host, "v1", key, outside).await?;
    }
    Ok(reply.json::<ChecksReply>()?.checks)
}

async fn ask(host: &BaseAddress, version: &str, key: &Secret, outside: &dyn Outside) -> Result<Response, FetchError> {
    // Without the trailing slash, the server redirects first.
    let request = Request::get(host.join(&format!("/api/{version}/checks/"), &[]))
        .secret_header("X-Api-Key", key)
        .header("Accept", "application/json");
    outside.exchange(request).await
}

/// Names a key by its position, never by its value.
fn failure(number: usize, error: &FetchError) -> Notice {
    Notice::warning(match error {
        FetchError::Refused { .. } => Phrase::from("Key {number}: wrong API key").with("number", Datum::count(number)),
        error => Phrase::from("Key {number}: {reason}")
            .with("number", Datum::count(number))
            .with("reason", Datum::text(&error.to_string())),
    })
}

/// How many jobs are in each state, leaving out states without jobs.
fn counts(checks: &[CheckReply]) -> Option<Stats> {
    let states = ["up", "grace", "down", "new", "paused", "started"];
    let stats: Vec<Stat> = states
        .iter()
        .filter_map(|state| {
            let count = checks.iter().filter(|check| check.status == *state).count();
            let (word, tone) = state_of(state);
            (count > 0).then(|| Stat::new(word, Datum::count(count)).toned(tone))
        })
        .collect();
    (!stats.is_empty()).then_some(Stats { stats })
}

/// The word for a state, and its tone.
fn state_of(status: &str) -> (Phrase, Tone) {
    match status {
        "up" => ("Up".into(), Tone::Success),
        "grace" => ("Late".into(), Tone::Warning),
        "down" => ("Down".into(), Tone::Danger),
        "new" => ("New".into(), Tone::Info),
        "paused" => ("Paused".into(), Tone::Neutral),
        // In the first version this hides the actual state.
        "started" => ("Running".into(), Tone::Info),
        "" => ("Unknown".into(), Tone::Neutral),
        other => (Phrase::foreign(other), Tone::Neutral),
    }
}

#[derive(Deserialize)]
struct ChecksReply {
    checks: Vec<CheckReply>,
}

/// What is shown of a job. Anybody who knows its ping addresses can report for it, so they are not even read.
#[derive(Default, Deserialize)]
#[serde(default)]
struct CheckReply {
    name: String,
    slug: Option<String>,
    tags: Option<String>,
    desc: Option<String>,
    status: String,
    started: bool,
    n_pings: Option<u64>,
    last_ping: Option<String>,
    next_ping: Option<String>,
    last_duration: Option<f64>,
    grace: Option<f64>,
    timeout: Option<f64>,
    schedule: Option<String>,
    tz: Option<String>,
    uuid: Option<String>,
    unique_key: Option<String>,
}

impl CheckReply {
    /// Lower is more urgent.
    fn urgency(&self) -> u8 {
        match self.status.as_str() {
            "down" => 0,
            "grace" => 1,
            _ => 2,
        }
    }

    /// The name, or else its short form used in addresses; empty if there is neither.
    fn label(&self) -> &str {
        let slug = self.slug.as_deref().unwrap_or_default().trim();
        Some(self.name.trim()).filter(|name| !name.is_empty()).unwrap_or(slug)
    }

    fn entry(&self, host: &BaseAddress) -> Entry {
        let (word, tone) = state_of(&self.status);
        let is_running = self.started && self.status != "started";
        let state = if is_running { Phrase::from("{state}, running").with("state", word) } else { word };
        let own_tags = self.tags.as_deref().unwrap_or_default().split_whitespace().map(Phrase::foreign);
        let description = self.desc.as_deref().map(str::trim).filter(|text| !text.is_empty());
        Entry {
            title: if self.label().is_empty() { "unnamed".into() } else { Phrase::foreign(self.label()) },
            url: self.page(host).as_deref().and_then(SafeUrl::parse),
            text: description.map(Phrase::foreign),
            state: Some(state),
            values: self.values(),
            tags: own_tags.collect(),
            tone,
            ..Entry::default()
        }
    }

    fn values(&self) -> Vec<Datum> {
        let pings = match self.n_pings {
            Some(0) => Some("never pinged".into()),
            Some(count) => Some(Phrase::from("Pings: {count}").with("count", Datum::count(count))),
            None => self.last_ping.is_none().then(|| "never pinged".into()),
        };
        let last = self.last_ping.as_deref().and_then(Moment::parse);
        let last = last.map(|at| Phrase::from("Last: {time}").with("time", Datum::time(at, Style::Relative)));
        let next = self.next_ping.as_deref().and_then(Moment::parse);
        let next = next.map(|at| Phrase::from("Next: {time}").with("time", Datum::time(at, Style::DateTime)));
        let duration = self.last_duration;
        let duration = duration.map(|time| Phrase::from("Last duration: {time}").with("time", Datum::seconds(time)));
        [pings, last, next, self.plan(), duration].into_iter().flatten().map(Datum::Words).collect()
    }

    /// When the job should report.
    fn plan(&self) -> Option<Phrase> {
        let plan = match (&self.schedule, self.timeout) {
            (Some(schedule), _) => Phrase::from("{schedule} ({zone}), grace {grace}")
                .with("schedule", Datum::text(schedule))
                .with("zone", Datum::text(self.tz.as_deref().unwrap_or("UTC"))),
            (None, Some(period)) => {
                Phrase::from("every {period}, grace {grace}").with("period", Datum::seconds(period))
            }
            (None, None) => return None,
        };
        Some(plan.with("grace", self.grace.map(Datum::seconds)))
    }

    fn page(&self, host: &BaseAddress) -> Option<String> {
        let set = |id: &Option<String>| id.as_deref().filter(|id| !id.is_empty()).map(encode);
        let details = set(&self.uuid).map(|id| format!("{}/checks/{id}/details/", host.public()));
        details.or_else(|| set(&self.unique_key).map(|key| format!("{}/cloaked/{key}/", host.public())))
    }
}
