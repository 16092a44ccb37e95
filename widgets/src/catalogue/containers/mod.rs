//! `containers`: the containers of a machine, from an API that is compatible with Docker's.

mod replies;
#[cfg(test)]
mod tests;

use std::{cmp::Reverse, collections::HashMap, time::Duration};

use futures_util::{StreamExt, stream};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{
    Entry, FetchError, OptionProblems, Outside, Panel, Reach, Request, Response, Widget,
    option_types::{BaseAddress, Bounded, Flag, Lenient, OneOrMany, Text},
    panel::{self, Datum, Decimals, Entries, Notice, Paragraph, Part, Phrase, SafeUrl, Stat, Stats, Tone},
    services::tolerant,
};
use replies::{ContainerReply, CpuTimes, StatsReply, Usage};

/// Where Docker listens on most systems.
const USUAL_SOCKET: &str = "/var/run/docker.sock";
/// How many containers are shown before "show more".
const FOLDED_AFTER: usize = 12;
/// How many containers are queried for their usage, and how many of these at once.
const MAX_ASKED: usize = 200;
const AT_ONCE: usize = 6;
/// Maximum number of bytes of the list of all containers, and of the usage of one.
const MAX_LIST: usize = 4 * 1024 * 1024;
const MAX_STATS: usize = 256 * 1024;
/// How long processor times are kept for comparison with the next refresh.
const LIFE_OF_TIMES: Duration = Duration::from_secs(600);
/// Labels that give a container another name or a link, or hide it. The first one that is set is used.
const NAME_LABELS: [&str; 3] = ["portico.name", "homepage.name", "glance.name"];
const URL_LABELS: [&str; 3] = ["portico.url", "homepage.href", "glance.url"];
const HIDE_LABELS: [&str; 2] = ["portico.hide", "glance.hide"];

/// Shows the containers of Docker or Podman with their state, health, CPU and memory. It only reads. Portico needs
/// access to the service's socket, or better, to a socket proxy that allows only reading containers (`CONTAINERS=1`).
/// Containers may have the labels `portico.name`, `portico.url` and `portico.hide`; those of Homepage and Glance work
/// as well.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Containers {
    /// A socket such as `unix:///var/run/docker.sock`, or an address such as `tcp://socket-proxy:2375` or
    /// `https://docker.example.org`. Without it, `unix:///var/run/docker.sock`.
    host: Text,
    /// Only containers with one of these names, which may contain `*`. Without it, all.
    names: OneOrMany<Text>,
    /// Leaves out containers with one of these names, which may contain `*`. Without it, none.
    hide_names: OneOrMany<Text>,
    /// Only containers with one of these labels: `key`, or `key=value`. Without it, all.
    labels: OneOrMany<Text>,
    /// Leaves out containers with one of these labels: `key`, or `key=value`. Without it, none.
    hide_labels: OneOrMany<Text>,
    /// Shows containers that are not running.
    show_stopped: Flag<true>,
    /// Fetches CPU and memory, which takes one request per running container.
    show_usage: Flag<true>,
    /// How containers are sorted: with `state`, those that need attention come first. Without it, `state`.
    sort_by: Lenient<Order>,
    /// Maximum number of containers.
    limit: Bounded<1, 50, 200>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Order {
    #[default]
    State,
    Name,
    Cpu,
    Memory,
}

/// Where the API is.
enum Endpoint {
    Socket(String),
    Http(BaseAddress),
}

impl Endpoint {
    fn parse(written: &str) -> Result<Self, &'static str> {
        let path = match written.split_once("://") {
            Some((scheme, path)) if scheme.eq_ignore_ascii_case("unix") => Some(path),
            None if written.starts_with('/') => Some(written),
            _ => None,
        };
        if let Some(path) = path {
            let is_usable = path.starts_with('/') && !path.contains(char::is_control);
            return if is_usable {
                Ok(Self::Socket(path.to_owned()))
            } else {
                Err("must name a socket by its full path")
            };
        }
        let address = match written.split_once("://") {
            Some((scheme, rest)) if scheme.eq_ignore_ascii_case("tcp") => BaseAddress::parse(&format!("http://{rest}")),
            _ => BaseAddress::parse(written),
        };
        address.map(Self::Http).map_err(|_| "must be a unix://, tcp://, http:// or https:// address")
    }

    fn get(&self, path: &str, segments: &[&str]) -> Request {
        match self {
            Self::Socket(socket) => {
                let local = BaseAddress::parse("http://localhost").unwrap_or_default();
                Request::get(local.join(path, segments)).over_socket(socket)
            }
            Self::Http(address) => Request::get(address.join(path, segments)),
        }
    }

    /// The key under which the processor times of its containers are remembered.
    fn memory_key(&self) -> String {
        match self {
            Self::Socket(socket) => format!("containers/{socket}"),
            Self::Http(address) => format!("containers/{}", address.public()),
        }
    }
}

impl Widget for Containers {
    const SYNONYMS: &'static [(&'static str, &'static str)] =
        &[("url", "host"), ("socket", "host"), ("sock-path", "host")];
    const REACH: Reach = Reach::ViaServer;

    fn check(&self, _entry: &Entry, problems: &mut OptionProblems) {
        if let Err(problem) = self.endpoint() {
            problems.error(format!("host {problem}."));
        }
        if let Some(order) = self.sort_by.unknown() {
            problems.note(format!("sortBy: {order} is unknown; state is used. There are state, name, cpu and memory."));
        }
        self.limit.check("limit", problems);
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(15))
    }

    async fn fetch(&self, outside: &dyn Outside) -> Result<Panel, FetchError> {
        let endpoint =
            self.endpoint().map_err(|problem| FetchError::Config { problems: vec![format!("host {problem}.")] })?;
        let mut list = endpoint.get("/containers/json?all=1", &[]);
        list.max_bytes = Some(MAX_LIST);
        let list: Vec<ContainerReply> = read_list(&outside.exchange(list).await?)?;
        if list.is_empty() {
            return Ok(Panel::empty("There are no containers."));
        }
        let containers = list.into_iter().map(Container::of).filter(|container| self.shows(container));
        let mut containers: Vec<Container> = containers.collect();
        if containers.is_empty() {
            return Ok(Panel::empty("No container fits these options."));
        }
        let mut parts = vec![summary(&containers)];
        let order = self.sort_by.or_default();
        match order {
            Order::Name => containers.sort_by_cached_key(|container| container.name.to_lowercase()),
            _ => containers.sort_by_cached_key(|container| (container.urgency(), container.name.to_lowercase())),
        }
        let limit = self.limit.count();
        let hidden = containers.len().saturating_sub(limit);
        // The largest can only be determined after querying all of them, within reason.
        let is_by_usage = matches!(order, Order::Cpu | Order::Memory);
        containers.truncate(if is_by_usage { MAX_ASKED } else { limit });
        if self.show_usage.is_on() && !measure(&mut containers, &endpoint, outside).await {
            parts.push(Notice::warning("CPU and memory could not be read.").into());
        }
        let by_size = |size: Option<f64>| Reverse(size.map_or(-1, |size| (size * 100.0) as i64));
        match order {
            Order::State | Order::Name => {}
            Order::Cpu => containers.sort_by_key(|container| by_size(container.usage.cpu)),
            Order::Memory => containers.sort_by_key(|container| by_size(container.usage.memory)),
        }
        let entries = containers.iter().take(limit).map(Container::entry).collect();
        parts.push(Entries { entries, folded_after: Some(FOLDED_AFTER) }.into());
        if hidden > 0 {
            let text = Phrase::from("Not shown: {count}. Raise the option limit.");
            let text = text.with("count", Datum::count(hidden));
            parts.push(Paragraph { small: true, ..Paragraph::new(text) }.into());
        }
        Ok(Panel::new(parts))
    }
}

impl Containers {
    fn endpoint(&self) -> Result<Endpoint, &'static str> {
        Endpoint::parse(self.host.get().unwrap_or(USUAL_SOCKET))
    }

    fn shows(&self, container: &Container) -> bool {
        let named = |patterns: &OneOrMany<Text>| {
            patterns.iter().any(|pattern| container.names().any(|name| fits(&pattern.to_lowercase(), name)))
        };
        let labelled = |labels: &OneOrMany<Text>| labels.iter().any(|label| container.has_label(label));
        (self.names.is_empty() || named(&self.names))
            && !named(&self.hide_names)
            && (self.labels.is_empty() || labelled(&self.labels))
            && !labelled(&self.hide_labels)
            && (self.show_stopped.is_on() || container.is_running())
            && !HIDE_LABELS.iter().any(|label| container.labels.get(*label).is_some_and(|value| value != "false"))
    }
}

fn read_list(reply: &Response) -> Result<Vec<ContainerReply>, FetchError> {
    let host = &reply.host;
    match reply.status {
        401 | 403 => Err(FetchError::login_refused(format!(
            "{host} does not let Portico list containers. A socket proxy must allow that, for example with CONTAINERS=1."
        ))),
        400 | 404 | 405 => Err(not_an_api(host)),
        200..=299 => match reply.json() {
            Ok(list @ Value::Array(_)) => Ok(tolerant::as_entries(list)),
            _ => Err(not_an_api(host)),
        },
        _ => reply.ok().map(|_| Vec::new()),
    }
}

fn not_an_api(host: &str) -> FetchError {
    FetchError::told(format!("{host} does not respond like a container service. Check that host points to its API."))
}

/// Queries the usage of running containers, a few at a time. Returns whether any of them responded, if there are any.
async fn measure(containers: &mut [Container], endpoint: &Endpoint, outside: &dyn Outside) -> bool {
    let key = endpoint.memory_key();
    let before: HashMap<String, CpuTimes> =
        outside.recall(&key).and_then(|value| serde_json::from_value(value).ok()).unwrap_or_default();
    let running = containers.iter().filter(|container| container.is_running() && !container.id.is_empty());
    let asked: Vec<(String, Option<CpuTimes>)> =
        running.map(|container| (container.id.clone(), before.get(&container.id).copied())).collect();
    if asked.is_empty() {
        return true;
    }
    let replies = stream::iter(asked.into_iter().map(|(id, before)| async move {
        // If we have two times to compare, the service need not wait for a second one itself.
        let path = match before {
            Some(_) => "/containers/{}/stats?stream=false&one-shot=true",
            None => "/containers/{}/stats?stream=false",
        };
        let mut request = endpoint.get(path, &[&id]);
        request.max_bytes = Some(MAX_STATS);
        let reply: Option<StatsReply> = outside.exchange(request).await.ok().and_then(|reply| reply.json().ok());
        (id, before, reply)
    }));
    let mut replies = replies.buffer_unordered(AT_ONCE);
    let mut usages: HashMap<String, Usage> = HashMap::new();
    let mut times: HashMap<String, CpuTimes> = HashMap::new();
    while let Some((id, before, reply)) = replies.next().await {
        let Some(reply) = reply else { continue };
        usages.insert(id.clone(), reply.usage(before));
        times.extend(reply.cpu_times().map(|now| (id, now)));
    }
    let is_answered = !usages.is_empty();
    for container in containers {
        container.usage = usages.remove(&container.id).unwrap_or_default();
    }
    if !times.is_empty() {
        outside.remember(&key, json!(times), LIFE_OF_TIMES);
    }
    is_answered
}

/// How many are running, and how many need attention.
fn summary(containers: &[Container]) -> Part {
    let count = |is: &dyn Fn(&Container) -> bool| containers.iter().filter(|container| is(container)).count();
    let running = count(&Container::is_running);
    let stat = |label: &'static str, count: usize, tone: Tone| Stat::new(label, Datum::count(count)).toned(tone);
    let others = [
        ("Unhealthy", count(&|container| container.state == State::Unhealthy), Tone::Danger),
        ("Failed", count(&|container| container.urgency() == 1), Tone::Danger),
        ("Stopped", count(&|container| container.urgency() > 1 && !container.is_running()), Tone::Plain),
    ];
    let others = others.into_iter().filter(|(_, count, _)| *count > 0);
    let stats = std::iter::once(stat("Running", running, Tone::Success))
        .chain(others.map(|(label, count, tone)| stat(label, count, tone)));
    Stats { stats: stats.collect() }.into()
}

/// The state of a container.
#[derive(Clone, Debug, PartialEq, Eq)]
enum State {
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

struct Container {
    id: String,
    /// The name to show.
    name: String,
    /// Its names in the service.
    given_names: Vec<String>,
    state: State,
    /// For how long, as worded by the service.
    since: String,
    labels: HashMap<String, String>,
    usage: Usage,
}

impl Container {
    fn of(reply: ContainerReply) -> Self {
        let given_names: Vec<String> =
            reply.names.iter().flatten().map(|name| name.trim_start_matches('/').to_owned()).collect();
        let labels = reply.labels.clone().unwrap_or_default();
        let label = |names: &[&str]| {
            let written = names.iter().filter_map(|name| labels.get(*name)).map(|text| text.trim().to_owned());
            written.filter(|text| !text.is_empty()).collect::<Vec<_>>().into_iter().next()
        };
        let short_id = || reply.id.chars().take(12).collect();
        let name = label(&NAME_LABELS).or_else(|| given_names.first().cloned()).unwrap_or_else(short_id);
        let state = state(&reply);
        let since =
            Some(since(&reply.status)).filter(|since| !since.eq_ignore_ascii_case(&reply.state)).unwrap_or_default();
        Self { id: reply.id, name, given_names, state, since, labels, usage: Usage::default() }
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        self.given_names.iter().map(String::as_str).chain([self.name.as_str()])
    }

    fn has_label(&self, wanted: &str) -> bool {
        match wanted.split_once('=') {
            Some((key, value)) => self.labels.get(key.trim()).is_some_and(|found| found == value.trim()),
            None => self.labels.contains_key(wanted),
        }
    }

    fn is_running(&self) -> bool {
        matches!(self.state, State::Unhealthy | State::Starting | State::Healthy | State::Running)
    }

    /// Lower for containers that need attention.
    fn urgency(&self) -> u8 {
        match self.state {
            State::Unhealthy => 0,
            State::Restarting | State::Failed(_) | State::Dead => 1,
            State::Starting => 2,
            State::Healthy | State::Running => 3,
            State::Paused | State::Created | State::Other(_) => 4,
            State::Stopped => 5,
        }
    }

    fn entry(&self) -> panel::ListEntry {
        let (state, tone) = match &self.state {
            State::Unhealthy => ("Unhealthy".into(), Tone::Danger),
            State::Restarting => ("Restarting".into(), Tone::Warning),
            State::Failed(code) => {
                (Phrase::from("Ended with code {code}").with("code", code.to_string()), Tone::Danger)
            }
            State::Dead => ("Dead".into(), Tone::Danger),
            State::Starting => ("Starting".into(), Tone::Info),
            State::Healthy => ("Healthy".into(), Tone::Success),
            State::Running => ("Running".into(), Tone::Success),
            State::Paused => ("Paused".into(), Tone::Neutral),
            State::Created => ("Created".into(), Tone::Neutral),
            State::Stopped => ("Stopped".into(), Tone::Neutral),
            State::Other(word) => (Phrase::foreign(word), Tone::Neutral),
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

fn state(reply: &ContainerReply) -> State {
    let status = reply.status.to_lowercase();
    match reply.state.trim().to_lowercase().as_str() {
        "running" => match reply.health() {
            "healthy" => State::Healthy,
            "unhealthy" => State::Unhealthy,
            "starting" => State::Starting,
            _ => State::Running,
        },
        "restarting" => State::Restarting,
        "paused" => State::Paused,
        "created" | "configured" | "initialized" => State::Created,
        "dead" => State::Dead,
        "exited" | "stopped" => {
            let code = status.split_once('(').and_then(|(_, rest)| rest.split_once(')')?.0.parse().ok());
            match code {
                // Ended on their own, or by the signals that stop and kill.
                None | Some(0 | 137 | 143) => State::Stopped,
                Some(code) => State::Failed(code),
            }
        }
        "" => State::Other("?".to_owned()),
        other => State::Other(other.chars().take(30).collect()),
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

/// Whether a name matches a pattern in which `*` matches anything. The pattern is in lower case.
fn fits(pattern: &str, name: &str) -> bool {
    let name = name.to_lowercase();
    let mut pieces = pattern.trim_start_matches('/').split('*');
    let first = pieces.next().unwrap_or_default();
    let Some(mut rest) = name.strip_prefix(first) else { return false };
    let mut last = None;
    for piece in pieces {
        if let Some(piece) = last.replace(piece) {
            let Some(at) = rest.find(piece) else { return false };
            rest = &rest[at + piece.len()..];
        }
    }
    match last {
        Some(last) => rest.ends_with(last),
        None => rest.is_empty(),
    }
}
