//! `transit-departures`: the next departures at a stop of Munich's public transport.
//!
//! The minutes count down with each refresh, once a minute, without a clock in the browser. The planned time and
//! the delay stand beside them, so a panel that could not be refreshed is not misleading.

use std::time::Duration;

use futures_util::future::join;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Category, Entry, FetchError, Moment, OptionProblems, Panel, Reach, Widget, WidgetContext,
    option_types::{Bounded, Flag, Lenient, Text},
    panel::{self, Datum, Entries, Link, Notice, Part, Phrase, Style, Tone, Unit},
    services::transit::{Departure, Filters, LocalTime, Occupancy, Transit, TransitPlace, mvg::Mvg},
};

/// Shows which trains, trams and buses depart next from a stop of Munich's public transport, with data from MVG.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct TransitDepartures {
    /// The stop by its name, such as {example}, or better by its id, such as `de:09162:2`, because some names mean
    /// several stops.
    #[schemars(extend("x-required" = true, "x-example" = "Marienplatz"))]
    location: Text,
    /// How many departures are listed.
    limit: Bounded<1, 10, 50>,
    /// Shows departures from this many minutes from now on.
    offset: Bounded<0, 0, 720>,
    /// Title. Without it, the name of the stop.
    title: Text,
    /// Shows the title.
    header: Flag<true>,
    /// What is shown: `line`, `product` (`TRAM`, `UBAHN`, `SBAHN`, `BUS`) and `destination`, each a single value or a
    /// list. Without it, everything.
    filters: Lenient<Filters>,
}

impl Widget for TransitDepartures {
    const SYNONYMS: &'static [(&'static str, &'static str)] = &[("stationId", "location"), ("station", "location")];
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::Travel;
    const USUAL_LINES: usize = 12;

    fn check(&self, entry: &Entry, problems: &mut OptionProblems) {
        problems.require_option(self.location.is_set(), "location", "a stop or the id of a stop");
        match &self.filters {
            Lenient::Known(filters) => filters.check(problems),
            Lenient::Unknown(_) => problems.note("filters must be a mapping with line, product or destination."),
            Lenient::Unset => {}
        }
        self.limit.check("limit", problems);
        self.offset.check("offset", problems);
        if entry.refreshes_more_often_than(Duration::from_secs(30)) {
            problems.note("An `updateInterval` below 30 may exceed the fair-use limit of the service.");
        }
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(60))
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let filters = self.filters.get().cloned().unwrap_or_default();
        let not_found =
            || FetchError::message(format!("No stop called {} was found: check the option location.", self.location));
        let place = Mvg.place(&self.location, true, context).await?.ok_or_else(not_found)?;
        let stop = place.id.as_deref().ok_or_else(not_found)?;
        let departures = Mvg.departures(stop, &filters, self.offset.get(), context);
        let (departures, name) = join(departures, self.heading(&place, stop, context)).await;
        let mut departures = departures?;
        let now = context.now();
        departures.retain(|departure| {
            let is_there = departure.live.or(departure.planned).is_some_and(|time| time.at >= now);
            is_there && filters.has_line(&departure.line) && filters.has_destination(&departure.destination)
        });
        departures.truncate(self.limit.count());
        let part: Part = if departures.is_empty() {
            Notice::empty(if filters.is_set() { "No departures match" } else { "No departures" }).into()
        } else {
            let entries = departures.into_iter().map(|departure| list_entry(departure, now)).collect();
            Entries::new(entries).into()
        };
        let panel = Panel::new(vec![part]).credited_by_mvg();
        Ok(match name {
            Some(name) => panel.titled(Phrase::foreign(name)),
            None => panel,
        })
    }
}

impl TransitDepartures {
    /// The title: of a stop given by its id, the name or else the id.
    async fn heading(&self, place: &TransitPlace, stop: &str, context: &dyn WidgetContext) -> Option<String> {
        if !self.header.is_on() {
            return None;
        }
        if let Some(title) = self.title.get() {
            return Some(title.to_owned());
        }
        if !place.name.is_empty() {
            return Some(place.name.clone());
        }
        Some(Mvg.stop_name(stop, context).await.unwrap_or_else(|| self.location.to_string()))
    }
}

impl Panel {
    /// Credits the network as the source.
    pub(super) fn credited_by_mvg(self) -> Self {
        Self { credit: Link::parse("MVG", "https://www.mvg.de/"), ..self }
    }
}

/// A time in the local time of the stop.
pub(super) fn clock(time: LocalTime) -> Datum {
    Datum::Time { at: time.at, style: Style::Time, offset: Some(time.offset) }
}

/// A delay, if it is worth showing; red, unless it is early.
pub(super) fn delay(minutes: i64) -> Option<Datum> {
    let number = Datum::number(minutes as f64, Unit::None).signed();
    let delay = (minutes != 0).then(|| Datum::from(Phrase::from("{minutes} min").with("minutes", number)))?;
    Some(if minutes > 0 { delay.toned(Tone::Danger) } else { delay })
}

fn list_entry(departure: Departure, now: Moment) -> panel::ListEntry {
    let time = departure.live.or(departure.planned);
    let minutes = time.map_or(0, |time| time.at.since(now).as_secs() / 60);
    let late = departure.delay_minutes.unwrap_or_default();
    let (state, tone): (Phrase, Tone) = if departure.is_cancelled {
        ("canceled".into(), Tone::Danger)
    } else {
        let words = match minutes {
            0 => "now".into(),
            minutes => Phrase::from("{minutes} min").with("minutes", Datum::count(minutes)),
        };
        let tone = if departure.live.is_some() { Tone::Success } else { Tone::Plain };
        (words, tone)
    };
    let words: &'static str = if departure.is_moved { "Platform {platform}, changed" } else { "Platform {platform}" };
    let platform = departure.platform.map(|platform| Phrase::from(words).with("platform", platform));
    let occupancy = departure.occupancy.map(|occupancy| {
        let (words, tone) = match occupancy {
            Occupancy::Low => ("plenty of room", Tone::Success),
            Occupancy::Medium => ("some room", Tone::Warning),
            Occupancy::High => ("little room", Tone::Danger),
        };
        Datum::from(Phrase::from(words)).toned(tone)
    });
    let values = [departure.planned.map(clock), delay(late), platform.map(Datum::from), occupancy];
    let messages = departure.messages.join(" ");
    panel::ListEntry {
        state: Some(state),
        tone,
        color: departure.color,
        values: values.into_iter().flatten().collect(),
        text: (!messages.is_empty()).then(|| Phrase::foreign(messages)),
        opens: true,
        tags: if departure.is_replaced { vec!["replacement service".into()] } else { Vec::new() },
        ..panel::ListEntry::new(Phrase::foreign(format!("{} {}", departure.line, departure.destination).trim()))
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;
    use serde_json::json;

    use super::*;
    use crate::Recorded;

    #[test]
    fn a_stop_that_was_not_found_is_looked_for_again() {
        let places = |places: serde_json::Value| json!({ "request": { "url": "https://www.mvg.de/api/bgw-pt/v3/locations?*" }, "response": { "body": places } });
        let departures = json!({ "request": { "url": "https://www.mvg.de/api/bgw-pt/v3/departures?*" }, "response": { "body": [] } });
        let found = json!([{ "type": "STATION", "name": "Marienplatz", "globalId": "de:09162:2" }]);
        let exchanges = serde_json::from_value(json!([places(json!([])), places(found), departures])).unwrap();
        let context = Recorded::new(exchanges, Moment::from_seconds(0));
        let widget: TransitDepartures = serde_json::from_value(json!({ "location": "Marienplatz" })).unwrap();
        let works = || widget.fetch(&context).now_or_never().unwrap().is_ok();
        assert_eq!([works(), works(), works()], [false, true, true]);
    }
}
