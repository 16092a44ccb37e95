//! `transit-connection`: the next connections between two places in Munich.

use std::time::Duration;

use futures_util::future::try_join;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::transit_departures::{clock, delay};
use crate::{
    Category, Entry, FetchError, OptionProblems, Panel, Reach, Widget, WidgetContext,
    option_types::{Flag, Lenient, OneOrMany, Text},
    panel::{self, Datum, Entries, Notice, Part, Phrase, Step},
    services::transit::{Filters, Journey, Leg, Stop, Transit, TransitPlace, mvg::Mvg},
};

/// Shows the next connections between two places in Munich by public transport: underground, train, tram and bus, with
/// data from MVG.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct TransitConnection {
    /// Start: a stop, an address or a sight, such as {example}, or the id of a stop.
    #[schemars(extend("x-required" = true, "x-example" = "Marienplatz"))]
    origin: Text,
    /// Destination, such as {example}.
    #[schemars(extend("x-required" = true, "x-example" = "Giesing"))]
    destination: Text,
    /// Title. Without it, the names of both places.
    title: Text,
    /// Shows the title.
    header: Flag<true>,
    /// What is shown: `line`, `product` (`TRAM`, `UBAHN`, `SBAHN`, `BUS`) and `destination`, each a single value or a
    /// list. Without it, everything.
    filters: Lenient<Filters>,
    /// The products alone, as in older files. Without it, those of `filters`.
    transportations: Lenient<OneOrMany<Text>>,
}

impl Widget for TransitConnection {
    const SYNONYMS: &'static [(&'static str, &'static str)] =
        &[("from", "origin"), ("start", "origin"), ("to", "destination"), ("end", "destination")];
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::Travel;
    const USUAL_LINES: usize = 10;

    fn check(&self, entry: &Entry, problems: &mut OptionProblems) {
        problems.require_option(self.origin.is_set(), "origin", "a stop or an address");
        problems.require_option(self.destination.is_set(), "destination", "a stop or an address");
        if self.filters.unknown().is_some() {
            problems.note("filters must be a mapping with line, product or destination.");
        }
        self.filters().check(problems);
        if entry.refreshes_more_often_than(Duration::from_secs(60)) {
            problems.note("An `updateInterval` below 60 may exceed the fair-use limit of the service.");
        }
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(180))
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let filters = self.filters();
        let (from, to) =
            try_join(place(&self.origin, "origin", context), place(&self.destination, "destination", context)).await?;
        let mut journeys = Mvg.journeys(&from, &to, &filters, context).await?;
        journeys.retain(|journey| fits(journey, &filters));
        let part: Part = if journeys.is_empty() {
            Notice::empty("No connection found").into()
        } else {
            let entries = journeys.iter().filter_map(list_entry).collect();
            Entries::new(entries).into()
        };
        let mut panel = Panel::new(vec![part]);
        if self.header.is_on() {
            // Of a stop given by its id, only the connections know the name.
            let legs = journeys.first().map(|journey| journey.legs.as_slice()).unwrap_or_default();
            let name = |place: TransitPlace, stop: Option<&Stop>, written: &Text| {
                let names = [Some(place.name), stop.map(|stop| stop.name.clone())];
                names.into_iter().flatten().find(|name| !name.is_empty()).unwrap_or_else(|| written.to_string())
            };
            panel = panel.titled(match self.title.get() {
                Some(title) => Phrase::foreign(title),
                None => Phrase::foreign(format!(
                    "{} – {}",
                    name(from, legs.first().map(|leg| &leg.from), &self.origin),
                    name(to, legs.last().map(|leg| &leg.to), &self.destination)
                )),
            });
        }
        Ok(panel.credited_by_mvg())
    }
}

impl TransitConnection {
    fn filters(&self) -> Filters {
        let filters = self.filters.get().cloned().unwrap_or_default();
        if filters.products().is_empty() { filters.with_products(&self.transportations) } else { filters }
    }
}

async fn place(written: &str, option: &str, context: &dyn WidgetContext) -> Result<TransitPlace, FetchError> {
    let not_found = || FetchError::message(format!("No place called {written} was found: check the option {option}."));
    Mvg.place(written, false, context).await?.ok_or_else(not_found)
}

/// Whether all lines of a connection are wanted, and one of its legs has a wanted destination.
fn fits(journey: &Journey, filters: &Filters) -> bool {
    let mut rides = journey.legs.iter().filter(|leg| leg.line.is_some());
    rides.clone().all(|leg| filters.has_line(leg.line.as_deref().unwrap_or_default()))
        && (filters.has_destination("") || rides.any(|leg| filters.has_destination(&leg.destination)))
}

fn list_entry(journey: &Journey) -> Option<panel::ListEntry> {
    // A walk of no length within one station does not count as a leg.
    let is_step = |leg: &&Leg| leg.line.is_some() || leg.from.planned != leg.to.planned || journey.legs.len() == 1;
    let legs: Vec<&Leg> = journey.legs.iter().filter(is_step).collect();
    let (first, last) = (legs.first()?, legs.last()?);
    let (start, end) = (first.from.planned, last.to.planned);
    let title = Phrase::from("{start} – {end}").with("start", start.map(clock)).with("end", end.map(clock));
    // In whole minutes; offsets change with daylight saving time, moments do not.
    let length = start.zip(end).map(|(start, end)| end.at.since(start.at).as_secs() / 60 * 60);
    let state = length.map(|seconds| Phrase::from("{time}").with("time", Datum::seconds(seconds as f64)));
    let step = |leg: &&Leg| Step {
        text: leg.line.as_deref().map_or_else(|| Phrase::from("on foot"), Phrase::foreign),
        color: leg.color.clone(),
    };
    let mut tags: Vec<Phrase> = Vec::new();
    if legs.iter().any(|leg| leg.is_replaced) {
        tags.push("replacement service".into());
    }
    if legs.iter().any(|leg| leg.is_disturbed) {
        tags.push("disruption".into());
    }
    let mut messages: Vec<&String> = Vec::new();
    for message in legs.iter().flat_map(|leg| &leg.messages) {
        if !messages.contains(&message) {
            messages.push(message);
        }
    }
    let lines = legs.iter().map(|leg| described(leg)).chain(messages.into_iter().map(Phrase::foreign));
    let text = lines.reduce(|before, next| Phrase::from("{before}\n{next}").with("before", before).with("next", next));
    Some(panel::ListEntry {
        state,
        values: delay(first.from.delay_minutes).into_iter().collect(),
        text,
        opens: true,
        steps: legs.iter().map(step).collect(),
        tags,
        ..panel::ListEntry::new(title)
    })
}

/// One leg on one line: the stops with their times and platforms.
fn described(leg: &Leg) -> Phrase {
    let stop = |stop: &Stop, more: &str| {
        let platform = stop.platform.as_deref().map(|platform| format!(" ({platform})")).unwrap_or_default();
        let late = match stop.delay_minutes {
            0 => String::new(),
            minutes => format!(" {minutes:+}"),
        };
        let place = format!("{}{platform}{late}{more}", stop.name);
        match stop.planned {
            Some(time) => Phrase::from("{time} {place}").with("time", clock(time)).with("place", place),
            None => Phrase::foreign(place),
        }
    };
    let via = if leg.via.is_empty() { String::new() } else { format!(" (via {})", leg.via.join(", ")) };
    let (from, to) = (stop(&leg.from, ""), stop(&leg.to, &via));
    match &leg.line {
        Some(line) => {
            let line = format!("{line} {}", leg.destination);
            Phrase::from("{line}: {from} → {to}").with("line", line).with("from", from).with("to", to)
        }
        None => Phrase::from("{from} → {to}").with("from", from).with("to", to),
    }
}
