//! `uptime-status-page`: a public page of a self-hosted uptime checker, with the state of its monitors.
//!
//! The rows of small bars are below the tables, and collapsed if there are many: beside the states they would leave no
//! room for the names.

mod replies;

use std::{collections::BTreeMap, time::Duration};

use futures_util::future::join;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use self::replies::{Beat, BeatsReply, MonitorReply, PageReply, State};
use crate::{
    Category, Entry, FetchError, OptionProblems, Panel, Reach, Request, Widget, WidgetContext,
    option_types::{BaseAddress, Flag, Lenient, Text},
    panel::{
        Cell, Column, Datum, Decimals, Details, Heading, Notice, Paragraph, Part, Phrase, Row, SafeUrl, Table,
        Timeline, Tone,
    },
    services::status_labels::{StatusLabels, word},
};

/// How many results of each monitor are drawn.
const MAX_BEATS: usize = 50;
/// Up to this number of monitors, their histories are expanded.
const FEW: usize = 4;

/// Shows a public status page of an Uptime Kuma instance: its monitors with their state, history and announcements.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct UptimeStatusPage {
    /// Address of the instance, such as {example}, or of the status page itself.
    #[schemars(extend("x-required" = true, "x-example" = "http://192.168.1.106:3001"))]
    host: Lenient<BaseAddress>,
    /// The last part of the page's address, after `/status/`. Without it, `default`.
    slug: Text,
    /// Names of the monitors, in the order of their numbers. Without it, the page's own.
    monitor_names: Lenient<Vec<Lenient<Text>>>,
    /// Custom words for the states `up`, `down`, `pending`, `maintenance` and `unknown`. Optional.
    status_labels: Lenient<StatusLabels>,
    /// Hides the rows of bars with the last results.
    hide_history: Flag,
    /// Hides how much each monitor was up in the last 24 hours.
    hide_uptime: Flag,
    /// Hides the states, of the whole page and of each monitor.
    hide_status: Flag,
}

impl Widget for UptimeStatusPage {
    const SYNONYMS: &'static [(&'static str, &'static str)] = &[("url", "host"), ("hostname", "host")];
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::Uptime;
    const USUAL_LINES: usize = 29;

    fn check(&self, _entry: &Entry, problems: &mut OptionProblems) {
        let has_address = self.host.get().is_some_and(BaseAddress::is_set);
        problems.require_option(has_address, "host", "the address of Uptime Kuma");
        let sentence = "monitorNames must be a list, for example [Router, NAS].";
        problems.require(self.monitor_names.unknown().is_none(), sentence);
        for written in self.monitor_names.get().into_iter().flatten().filter_map(Lenient::unknown) {
            problems.note(format!("monitorNames: {written} is not a name and is left out."));
        }
        StatusLabels::check(&self.status_labels, problems);
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(60))
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let (address, slug) = self.page();
        let get = |path: &str| {
            let request = Request::get(address.join(path, &[&slug])).header("Accept", "application/json");
            context.exchange(request)
        };
        let (page, beats) = join(get("/api/status-page/{}"), get("/api/status-page/heartbeat/{}")).await;
        let page = page.and_then(|reply| match reply.status {
            404 => Err(FetchError::message(format!(
                "{}: there is no status page with this name. Check the option slug, and that the page is published.",
                reply.host
            ))),
            _ => reply.json::<PageReply>(),
        });
        let beats = beats.and_then(|reply| reply.json::<BeatsReply>());
        match (page, beats) {
            (Ok(page), Ok(beats)) => Ok(self.panel(page, &beats, (&address, &slug))),
            // The names are missing, but the states are there.
            (Err(_), Ok(beats)) if !beats.ids().is_empty() => {
                let page = PageReply::unnamed(&beats);
                let mut panel = self.panel(page, &beats, (&address, &slug));
                panel.parts.push(Notice::warning("The names of the monitors could not be read").into());
                Ok(panel)
            }
            (Err(error), _) | (_, Err(error)) => Err(error),
        }
    }
}

impl UptimeStatusPage {
    /// The base address, and the name of the page, which the address may contain.
    fn page(&self) -> (BaseAddress, String) {
        let address = self.host.get().cloned().unwrap_or_default();
        let written = address.join("", &[]);
        let (base, in_address) = match written.rsplit_once("/status/") {
            Some((base, slug)) => (BaseAddress::parse(base).unwrap_or_default(), slug.split('/').next()),
            None => (address, None),
        };
        let slug = in_address.filter(|slug| !slug.is_empty()).or(self.slug.get()).unwrap_or("default");
        // People also paste the whole path of the page, or the list of all pages.
        let name = slug.trim_matches('/').rsplit('/').next().unwrap_or_default();
        (base.without(&["/status"]), name.to_lowercase())
    }

    fn panel(&self, page: PageReply, beats: &BeatsReply, (address, slug): (&BaseAddress, &str)) -> Panel {
        let public = BaseAddress::parse(&address.public()).unwrap_or_default();
        let title = page.title().map_or_else(|| Phrase::from("Status"), Phrase::foreign);
        let title = Heading::new(title).linked(&public.join("/status/{}", &[slug]));
        let names = self.names(beats);
        let mut parts: Vec<Part> = Vec::new();
        // A monitor in two groups counts once.
        let monitors: BTreeMap<&str, &MonitorReply> = page.monitors().map(|monitor| (monitor.id(), monitor)).collect();
        let states: Vec<State> = monitors.keys().filter_map(|id| Some(beats.of(id).last()?.state())).collect();
        if !self.hide_status.is_on() {
            parts.push(overall(monitors.is_empty(), &states).into());
        }
        parts.extend(page.announcements());
        if monitors.is_empty() {
            parts.push(Notice::empty("This status page has no monitors").into());
            return Panel::new(parts).titled(title);
        }
        for group in page.groups() {
            if let Some(name) = group.name() {
                parts.push(Heading::new(Phrase::foreign(name)).into());
            }
            let rows = group.monitors().map(|monitor| self.row(monitor, &names, beats)).collect();
            let columns = [
                Some(Column::text("Monitor")),
                (!self.hide_status.is_on()).then(|| Column::text("State")),
                (!self.hide_uptime.is_on()).then(|| Column::number("24 hours")),
                Some(Column::number("Ping")),
            ];
            let columns = columns.into_iter().flatten().collect();
            parts.push(Table { columns, rows, one_line: true, headless: true, ..Table::default() }.into());
        }
        let histories: Vec<Part> = page
            .monitors_once()
            .filter(|monitor| !beats.of(monitor.id()).is_empty())
            .map(|monitor| history(name_of(monitor, &names), beats.of(monitor.id())).into())
            .collect();
        if !histories.is_empty() && !self.hide_history.is_on() {
            let open = histories.len() <= FEW;
            parts.push(Details { summary: "History".into(), open, parts: histories, ..Details::default() }.into());
        }
        Panel::new(parts).titled(title)
    }

    /// The names of the options, by the numbers of the monitors.
    fn names(&self, beats: &BeatsReply) -> BTreeMap<String, String> {
        let written = self.monitor_names.get().into_iter().flatten();
        let named = beats.ids().into_iter().zip(written);
        named.filter_map(|(id, name)| Some((id, name.get()?.get()?.to_owned()))).collect()
    }

    fn row(&self, monitor: &MonitorReply, names: &BTreeMap<String, String>, beats: &BeatsReply) -> Row {
        let last = beats.of(monitor.id()).last();
        let (state, tone) = self.state(last.map(Beat::state));
        let uptime = beats.uptime(monitor.id()).map(|ratio| {
            Datum::percent((ratio.clamp(0.0, 1.0) * 1000.0).round() / 10.0).decimals(Decimals::Exactly(1))
        });
        let cells = [
            Some(Cell { value: name_of(monitor, names).into(), ..Cell::default() }),
            (!self.hide_status.is_on()).then(|| Cell { value: state.into(), tone, ..Cell::default() }),
            (!self.hide_uptime.is_on()).then(|| Datum::from(uptime).into()),
            Some(Datum::from(last.and_then(Beat::ping)).into()),
        ];
        Row {
            cells: cells.into_iter().flatten().collect(),
            url: monitor.url().and_then(SafeUrl::parse),
            ..Row::default()
        }
    }

    fn state(&self, state: Option<State>) -> (Phrase, Tone) {
        let labels = self.status_labels.get().cloned().unwrap_or_default();
        match state {
            Some(State::Up) => (word(&labels.up, "Up"), Tone::Success),
            Some(State::Down) => (word(&labels.down, "Down"), Tone::Danger),
            Some(State::Pending) => (word(&labels.pending, "Pending"), Tone::Warning),
            Some(State::Maintenance) => (word(&labels.maintenance, "Maintenance"), Tone::Info),
            Some(State::Unknown) => (word(&labels.unknown, "Unknown"), Tone::Neutral),
            None => ("No data".into(), Tone::Neutral),
        }
    }
}

fn name_of(monitor: &MonitorReply, names: &BTreeMap<String, String>) -> Phrase {
    let name = names.get(monitor.id()).map(String::as_str).or_else(|| monitor.name());
    name.map_or_else(|| Phrase::from("Monitor {number}").with("number", monitor.id()), Phrase::foreign)
}

/// How all of them are together.
fn overall(is_empty: bool, states: &[State]) -> Paragraph {
    let up = states.iter().filter(|state| **state == State::Up).count();
    let (text, tone): (&'static str, Tone) = match up {
        _ if is_empty => ("No services", Tone::Neutral),
        _ if states.is_empty() => ("No data", Tone::Neutral),
        _ if states.contains(&State::Maintenance) => ("Under maintenance", Tone::Info),
        up if up == states.len() => ("All systems operational", Tone::Success),
        0 => ("Degraded", Tone::Danger),
        _ => ("Partly degraded", Tone::Warning),
    };
    Paragraph { tone, ..Paragraph::new(text) }
}

fn history(title: Phrase, beats: &[Beat]) -> Timeline {
    let newest = &beats[beats.len().saturating_sub(MAX_BEATS)..];
    Timeline { title, states: newest.iter().map(Beat::drawn).collect() }
}
