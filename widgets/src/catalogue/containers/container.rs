//! One container: its name, its state and its labels, and how it is listed.

use std::collections::HashMap;

use super::replies::{ContainerReply, Usage};
use crate::panel::{self, Datum, Decimals, Phrase, SafeUrl, Tone};

/// Labels that give a container another name. The first one that is set is used.
const NAME_LABELS: [&str; 3] = ["portico.name", "homepage.name", "glance.name"];
/// Labels that give it a link.
const URL_LABELS: [&str; 3] = ["portico.url", "homepage.href", "glance.url"];
/// Labels that hide it.
const HIDE_LABELS: [&str; 2] = ["portico.hide", "glance.hide"];

/// The state of a container.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ContainerState {
    Unhealthy,
    Restarting,
    /// Ended with this code, without being stopped.
    Failed(i64),
    Dead,
    Starting,
    Healthy,
    Running,
    Paused,
    Created,
    Stopped,
    Other(String),
}

/// One container.
pub(super) struct Container {
    pub(super) id: String,
    /// The name to show.
    pub(super) name: String,
    /// Its names in the service.
    given_names: Vec<String>,
    pub(super) state: ContainerState,
    /// For how long, as worded by the service.
    since: String,
    labels: HashMap<String, String>,
    pub(super) usage: Usage,
}

impl Container {
    pub(super) fn of(reply: ContainerReply) -> Self {
        let given_names: Vec<String> = reply.names.iter().map(|name| name.trim_start_matches('/').to_owned()).collect();
        let labels = reply.labels.as_object().into_iter().flatten();
        let labels: HashMap<String, String> =
            labels.filter_map(|(name, value)| Some((name.clone(), value.as_str()?.to_owned()))).collect();
        let id = reply.id.clone().unwrap_or_default();
        let label = |names: &[&str]| {
            let written = names.iter().filter_map(|name| labels.get(*name)).map(|text| text.trim().to_owned());
            written.filter(|text| !text.is_empty()).collect::<Vec<_>>().into_iter().next()
        };
        let short_id = || id.chars().take(12).collect();
        let name = label(&NAME_LABELS).or_else(|| given_names.first().cloned()).unwrap_or_else(short_id);
        let state = state(&reply);
        let word = reply.state.as_deref().unwrap_or_default();
        let since =
            Some(since(reply.status.as_deref().unwrap_or_default())).filter(|since| !since.eq_ignore_ascii_case(word));
        let since = since.unwrap_or_default();
        Self { id, name, given_names, state, since, labels, usage: Usage::default() }
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.given_names.iter().map(String::as_str).chain([self.name.as_str()])
    }

    pub(super) fn has_label(&self, wanted: &str) -> bool {
        match wanted.split_once('=') {
            Some((key, value)) => self.labels.get(key.trim()).is_some_and(|found| found == value.trim()),
            None => self.labels.contains_key(wanted),
        }
    }

    /// Whether one of its labels hides it.
    pub(super) fn is_hidden(&self) -> bool {
        HIDE_LABELS.iter().any(|label| self.labels.get(*label).is_some_and(|value| value != "false"))
    }

    pub(super) fn is_running(&self) -> bool {
        matches!(
            self.state,
            ContainerState::Unhealthy | ContainerState::Starting | ContainerState::Healthy | ContainerState::Running
        )
    }

    /// Lower for containers that need attention.
    pub(super) fn urgency(&self) -> u8 {
        match self.state {
            ContainerState::Unhealthy => 0,
            ContainerState::Restarting | ContainerState::Failed(_) | ContainerState::Dead => 1,
            ContainerState::Starting => 2,
            ContainerState::Healthy | ContainerState::Running => 3,
            ContainerState::Paused | ContainerState::Created | ContainerState::Other(_) => 4,
            ContainerState::Stopped => 5,
        }
    }

    pub(super) fn entry(&self) -> panel::ListEntry {
        let (state, tone) = match &self.state {
            ContainerState::Unhealthy => ("Unhealthy".into(), Tone::Danger),
            ContainerState::Restarting => ("Restarting".into(), Tone::Warning),
            ContainerState::Failed(code) => {
                (Phrase::from("Ended with code {code}").with("code", code.to_string()), Tone::Danger)
            }
            ContainerState::Dead => ("Dead".into(), Tone::Danger),
            ContainerState::Starting => ("Starting".into(), Tone::Info),
            ContainerState::Healthy => ("Healthy".into(), Tone::Success),
            ContainerState::Running => ("Running".into(), Tone::Success),
            ContainerState::Paused => ("Paused".into(), Tone::Neutral),
            ContainerState::Created => ("Created".into(), Tone::Neutral),
            ContainerState::Stopped => ("Stopped".into(), Tone::Neutral),
            ContainerState::Other(word) => (Phrase::foreign(word), Tone::Neutral),
        };
        let size = |bytes: f64| Datum::bytes(bytes.max(0.0));
        let cpu = self.usage.cpu.map(|cpu| {
            Phrase::from("CPU {share}").with("share", Datum::percent(cpu).decimals(Decimals::Exactly(1))).into()
        });
        let memory = self.usage.memory.map(|used| match self.usage.memory_limit {
            Some(limit) => Phrase::from("{used} of {total}").with("used", size(used)).with("total", size(limit)).into(),
            None => size(used),
        });
        let since = Some(Datum::text(&self.since)).filter(|since| !since.is_missing());
        let url = URL_LABELS.iter().filter_map(|label| self.labels.get(*label)).find_map(|url| SafeUrl::parse(url));
        panel::ListEntry {
            state: Some(state),
            tone,
            url,
            values: [cpu, memory, since].into_iter().flatten().collect(),
            ..panel::ListEntry::new(Phrase::foreign(&*self.name))
        }
    }
}

fn state(reply: &ContainerReply) -> ContainerState {
    let status = reply.status.as_deref().unwrap_or_default().to_lowercase();
    match reply.state.as_deref().unwrap_or_default().to_lowercase().as_str() {
        "running" => match reply.health() {
            "healthy" => ContainerState::Healthy,
            "unhealthy" => ContainerState::Unhealthy,
            "starting" => ContainerState::Starting,
            _ => ContainerState::Running,
        },
        "restarting" => ContainerState::Restarting,
        "paused" => ContainerState::Paused,
        "created" | "configured" | "initialized" => ContainerState::Created,
        "dead" => ContainerState::Dead,
        "exited" | "stopped" => {
            let code = status.split_once('(').and_then(|(_, rest)| rest.split_once(')')?.0.parse().ok());
            match code {
                // Ended on their own, or by the signals that stop and kill.
                None | Some(0 | 137 | 143) => ContainerState::Stopped,
                Some(code) => ContainerState::Failed(code),
            }
        }
        "" => ContainerState::Other("?".to_owned()),
        other => ContainerState::Other(other.chars().take(30).collect()),
    }
}

/// The status without the part that repeats the state: `Up 3 days`.
fn since(status: &str) -> String {
    let mut text = status.chars().take(80).collect::<String>();
    while let Some((before, rest)) = text.split_once('(') {
        let Some((_, after)) = rest.split_once(')') else { break };
        text = format!("{} {}", before.trim_end(), after.trim_start());
    }
    text.trim().to_owned()
}
