//! `containers`: the containers of a machine, from an API that is compatible with Docker's.

mod api_address;
mod container;
mod replies;
#[cfg(test)]
mod tests;
mod usage;

use std::{cmp::Reverse, time::Duration};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    Category, Entry, FetchError, OptionProblems, Panel, Reach, Response, Widget, WidgetContext,
    option_types::{Bounded, Flag, Lenient, OneOrMany, Text},
    panel::{Datum, Entries, Notice, Paragraph, Part, Phrase, Stat, Stats, Tone},
    services::tolerant,
};
use api_address::ApiAddress;
use container::{Container, ContainerState};
use replies::ContainerReply;
use usage::measure;

/// Where Docker listens on most systems.
const USUAL_SOCKET: &str = "/var/run/docker.sock";
/// How many containers are queried for their usage.
const MAX_QUERIED: usize = 200;
/// Maximum number of bytes of the list of all containers.
const MAX_LIST: usize = 4 * 1024 * 1024;

/// Shows the containers of Docker or Podman with their state, health, CPU and memory. It only reads. Portico needs
/// access to the service's socket, or better, to a socket proxy that allows only reading containers (`CONTAINERS=1`).
/// Containers may have the labels `portico.name`, `portico.url` and `portico.hide`; those of Homepage and Glance work
/// as well.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Containers {
    /// A socket such as {example}, or an address such as `tcp://socket-proxy:2375` or
    /// `https://docker.example.org`. Without it, `unix:///var/run/docker.sock`.
    #[schemars(extend("x-example" = "unix:///var/run/docker.sock"))]
    host: Text,
    /// Only containers with one of these names, which may contain `*`. Without it, all.
    names: OneOrMany<Lenient<Text>>,
    /// Leaves out containers with one of these names, which may contain `*`. Without it, none.
    hide_names: OneOrMany<Lenient<Text>>,
    /// Only containers with one of these labels: `key`, or `key=value`. Without it, all.
    labels: OneOrMany<Lenient<Text>>,
    /// Leaves out containers with one of these labels: `key`, or `key=value`. Without it, none.
    hide_labels: OneOrMany<Lenient<Text>>,
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

impl Widget for Containers {
    const SYNONYMS: &'static [(&'static str, &'static str)] =
        &[("url", "host"), ("socket", "host"), ("sock-path", "host")];
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::Servers;
    const USUAL_LINES: usize = 21;

    fn check(&self, _entry: &Entry, problems: &mut OptionProblems) {
        if let Err(problem) = self.api() {
            problems.error(format!("host {problem}."));
        }
        if let Some(order) = self.sort_by.unknown() {
            problems.note(format!("sortBy: {order} is unknown; state is used. There are state, name, cpu and memory."));
        }
        for (option, texts) in [
            ("names", &self.names),
            ("hideNames", &self.hide_names),
            ("labels", &self.labels),
            ("hideLabels", &self.hide_labels),
        ] {
            if texts.is_all_wrong() {
                problems.error(format!("{option} must be a list of texts."));
            }
            for written in texts.iter().filter_map(Lenient::unknown) {
                problems.note(format!("{option}: {written} is not text and is left out."));
            }
        }
        self.limit.check("limit", problems);
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(15))
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let api = self.api().map_err(|problem| FetchError::Config { problems: vec![format!("host {problem}.")] })?;
        let mut list = api.get("/containers/json?all=1", &[]);
        list.max_bytes = Some(MAX_LIST);
        let reply = context.exchange(list).await.map_err(|error| match error {
            FetchError::Unreachable { .. } => FetchError::message(format!(
                "{error} Check the option host, and that Portico may use this socket or socket proxy."
            )),
            error => error,
        })?;
        let list: Vec<ContainerReply> = read_list(&reply)?;
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
        containers.truncate(if is_by_usage { MAX_QUERIED } else { limit });
        if self.show_usage.is_on() && !measure(&mut containers, &api, context).await {
            parts.push(Notice::warning("CPU and memory could not be read.").into());
        }
        let by_size = |size: Option<f64>| Reverse(size.map_or(-1, |size| (size * 100.0) as i64));
        match order {
            Order::State | Order::Name => {}
            Order::Cpu => containers.sort_by_key(|container| by_size(container.usage.cpu)),
            Order::Memory => containers.sort_by_key(|container| by_size(container.usage.memory)),
        }
        let entries = containers.iter().take(limit).map(Container::entry).collect();
        parts.push(Entries::new(entries).into());
        if hidden > 0 {
            let text = Phrase::from("Not shown: {count}. Raise the option limit.");
            let text = text.with("count", Datum::count(hidden));
            parts.push(Paragraph { small: true, ..Paragraph::new(text) }.into());
        }
        Ok(Panel::new(parts))
    }
}

impl Containers {
    fn api(&self) -> Result<ApiAddress, &'static str> {
        ApiAddress::parse(self.host.get().unwrap_or(USUAL_SOCKET))
    }

    fn shows(&self, container: &Container) -> bool {
        let named = |patterns: &OneOrMany<Lenient<Text>>| {
            let fits_one = |pattern: &Text| container.names().any(|name| fits(&pattern.to_lowercase(), name));
            patterns.iter().filter_map(Lenient::get).any(fits_one)
        };
        let labelled = |labels: &OneOrMany<Lenient<Text>>| {
            labels.iter().filter_map(Lenient::get).any(|label| container.has_label(label))
        };
        (self.names.is_empty() || named(&self.names))
            && !named(&self.hide_names)
            && (self.labels.is_empty() || labelled(&self.labels))
            && !labelled(&self.hide_labels)
            && (self.show_stopped.is_on() || container.is_running())
            && !container.is_hidden()
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
            Ok(Value::Array(list)) => {
                let was_empty = list.is_empty();
                let mut containers: Vec<ContainerReply> = tolerant::as_entries(Value::Array(list));
                containers.retain(ContainerReply::is_known);
                if containers.is_empty() && !was_empty { Err(not_an_api(host)) } else { Ok(containers) }
            }
            _ => Err(not_an_api(host)),
        },
        _ => reply.ok().map(|_| Vec::new()),
    }
}

fn not_an_api(host: &str) -> FetchError {
    FetchError::message(format!("{host} does not respond like a container service. Check that host points to its API."))
}

/// How many are running, and how many need attention.
fn summary(containers: &[Container]) -> Part {
    let count = |is: &dyn Fn(&Container) -> bool| containers.iter().filter(|container| is(container)).count();
    let running = count(&Container::is_running);
    let stat = |label: &'static str, count: usize, tone: Tone| Stat::new(label, Datum::count(count)).toned(tone);
    let others = [
        ("Unhealthy", count(&|container| container.state == ContainerState::Unhealthy), Tone::Danger),
        ("Failed", count(&|container| container.urgency() == 1), Tone::Danger),
        ("Stopped", count(&|container| container.urgency() > 1 && !container.is_running()), Tone::Plain),
    ];
    let others = others.into_iter().filter(|(_, count, _)| *count > 0);
    let stats = std::iter::once(stat("Running", running, Tone::Success))
        .chain(others.map(|(label, count, tone)| stat(label, count, tone)));
    Stats { stats: stats.collect() }.into()
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
