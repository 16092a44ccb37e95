//! `uptime-monitor`: the monitors of a self-hosted uptime checker, from its Prometheus metrics page.

mod metrics;

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use self::metrics::{Monitor, State};
use crate::{
    Category, Entry, FetchError, OptionProblems, Panel, Reach, Request, Widget, WidgetContext,
    option_types::{BaseAddress, Lenient, Secret},
    panel::{Cell, Column, Datum, Decimals, Notice, Paragraph, Part, Phrase, Row, SafeUrl, Table, Tone, Unit},
    services::status_labels::{StatusLabels, word},
};

/// Certificates with fewer days left are highlighted; with still fewer, they are urgent.
const FEW_DAYS: f64 = 14.0;
const FEWEST_DAYS: f64 = 7.0;

/// Lists the monitors of an Uptime Kuma instance with their state and their response time.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct UptimeMonitor {
    /// Address of the instance or of its metrics page, such as {example}.
    #[schemars(extend("x-required" = true, "x-example" = "http://192.168.1.106:3001/metrics"))]
    url: Lenient<BaseAddress>,
    /// Key of the instance; or `user:password` if it has no keys; or the name of an environment variable. Without it,
    /// no login is sent.
    api_key: Secret,
    /// Custom words for the states `up`, `down`, `pending`, `maintenance` and `unknown`. Optional.
    status_labels: Lenient<StatusLabels>,
}

impl Widget for UptimeMonitor {
    const SYNONYMS: &'static [(&'static str, &'static str)] = &[("host", "url"), ("hostname", "url")];
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::Uptime;
    const USUAL_LINES: usize = 15;

    fn check(&self, entry: &Entry, problems: &mut OptionProblems) {
        let has_address = self.url.get().is_some_and(BaseAddress::is_set);
        problems.require_option(has_address, "url", "the address of Uptime Kuma");
        StatusLabels::check(&self.status_labels, problems);
        if entry.refreshes_more_often_than(Duration::from_secs(5)) {
            problems.note("The monitor allows 60 requests a minute; an updateInterval below 5 is too short.");
        }
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(60))
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let address = self.url.get().cloned().unwrap_or_default().without(&["/metrics"]);
        let request = Request::get(address.join("/metrics", &[])).header("Accept", "text/plain");
        let key = self.api_key.reveal();
        let request = match key.split_once(':') {
            Some((user, password)) => request.basic(user, &Secret::from(password)),
            None if self.api_key.is_set() => request.basic("", &self.api_key),
            None => request,
        };
        let reply = context.exchange(request).await?;
        let host = &reply.host;
        if reply.status == 401 {
            return Err(FetchError::login_refused(if self.api_key.is_set() {
                format!("{host} refused the key, or received too many requests: check the option apiKey.")
            } else {
                format!("{host} asks for a key: set the option apiKey.")
            }));
        }
        let text = reply.ok()?.text();
        if text.trim_start().starts_with('<') || !text.contains("monitor_") {
            let sentence = format!("{host} does not show the metrics page of an uptime monitor: check the option url.");
            return Err(FetchError::message(sentence));
        }
        let mut monitors = metrics::read(&text);
        if monitors.is_empty() {
            return Ok(Panel::empty("No monitors"));
        }
        // Monitors that are down come first. People put a space before a name to move it to the front.
        monitors.sort_by(|one, other| (one.state, &one.name).cmp(&(other.state, &other.name)));
        let rows = monitors.iter().map(|monitor| self.row(monitor)).collect();
        let columns = vec![Column::text("Monitor"), Column::text("State"), Column::number("Response")];
        let table = Table { columns, rows, one_line: true, ..Table::default() };
        let mut parts: Vec<Part> = vec![summary(&monitors).into(), table.into()];
        parts.extend(monitors.iter().filter_map(certificate_notice).map(Part::from));
        Ok(Panel::new(parts))
    }
}

impl UptimeMonitor {
    fn row(&self, monitor: &Monitor) -> Row {
        let (word, tone) = self.state(monitor.state);
        let percent =
            |ratio: Option<f64>| ratio.map(|ratio| Datum::percent((ratio.clamp(0.0, 1.0) * 10_000.0).round() / 100.0));
        let what = Phrase::foreign(format!("{} {}", monitor.kind, monitor.address()).trim());
        let about = match monitor.uptime {
            // Version 1 does not say how much they were up.
            [None, None] => what,
            [day, month] => Phrase::from("{monitor}, up {day} in 24 hours and {month} in 30 days")
                .with("monitor", what)
                .with("day", percent(day))
                .with("month", percent(month)),
        };
        let name = if monitor.is_group() {
            Datum::from(Phrase::from("{name} (group)").with("name", monitor.name.as_str()))
        } else {
            Datum::text(&monitor.name)
        };
        let state = Cell {
            value: word.into(),
            tone,
            hint: monitor.certificate_days.map(|days| certificate(days).with("name", monitor.name.as_str())),
            ..Cell::default()
        };
        let response = monitor
            .response
            .map(|milliseconds| Datum::number(milliseconds.round(), Unit::Milliseconds).decimals(Decimals::Exactly(0)));
        Row {
            cells: vec![
                Cell { value: name, hint: Some(about), ..Cell::default() },
                state,
                Datum::from(response).into(),
            ],
            url: monitor.url.as_deref().and_then(SafeUrl::parse),
            ..Row::default()
        }
    }

    /// The word for a state, and its tone.
    fn state(&self, state: State) -> (Phrase, Tone) {
        let labels = self.status_labels.get().cloned().unwrap_or_default();
        match state {
            State::Up => (word(&labels.up, "Up"), Tone::Success),
            State::Down => (word(&labels.down, "Down"), Tone::Danger),
            State::Pending => (word(&labels.pending, "Pending"), Tone::Warning),
            State::Maintenance => (word(&labels.maintenance, "Maintenance"), Tone::Info),
            State::Unknown => (word(&labels.unknown, "Unknown"), Tone::Neutral),
            State::Paused => ("Paused".into(), Tone::Neutral),
        }
    }
}

/// How many are up and down. Groups consist of others, so they do not count.
fn summary(monitors: &[Monitor]) -> Paragraph {
    let count = |is: &dyn Fn(State) -> bool| {
        Datum::count(monitors.iter().filter(|monitor| !monitor.is_group() && is(monitor.state)).count())
    };
    let others = count(&|state| ![State::Up, State::Down].contains(&state));
    let has_others = others != Datum::count(0);
    let words: &'static str = if has_others { "{up} up, {down} down, other: {others}" } else { "{up} up, {down} down" };
    let text = Phrase::from(words)
        .with("up", count(&|state| state == State::Up))
        .with("down", count(&|state| state == State::Down));
    Paragraph { small: true, ..Paragraph::new(if has_others { text.with("others", others) } else { text }) }
}

fn certificate(days: f64) -> Phrase {
    if days < 0.0 {
        return "The certificate of {name} has expired".into();
    }
    let words: &'static str = if days.round() == 1.0 {
        "The certificate of {name} is valid for {days} day"
    } else {
        "The certificate of {name} is valid for {days} days"
    };
    Phrase::from(words).with("days", Datum::number(days.round(), Unit::None))
}

/// A notice about a certificate that expires soon, or is not valid.
fn certificate_notice(monitor: &Monitor) -> Option<Notice> {
    let (text, tone) = match (monitor.certificate_is_valid, monitor.certificate_days) {
        (Some(false), _) => (Phrase::from("The certificate of {name} is not valid"), Tone::Danger),
        (_, Some(days)) if days < FEWEST_DAYS => (certificate(days), Tone::Danger),
        (_, Some(days)) if days < FEW_DAYS => (certificate(days), Tone::Warning),
        _ => return None,
    };
    Some(Notice { text: text.with("name", monitor.name.as_str()), tone })
}
