//! Calendars in the iCalendar format (RFC 5545): what happens within a few weeks.
//!
//! A document may be hostile: it is read line by line, one component at a time, and everything that it can make large has
//! a bound. What is left out because of a bound is said.

mod event;
mod lines;
mod recurrence;
mod rule;
#[cfg(test)]
mod tests;
mod windows_zones;
mod zones;

use std::collections::HashMap;

use jiff::{civil::Date, tz::TimeZone};

pub(crate) use self::zones::{local, zone};
use self::{
    event::{Event, Exceptions},
    lines::{Document, Kind},
    recurrence::Budget,
    zones::Zones,
};
use crate::{Moment, option_types::Color};

/// Most events of one calendar within the window.
const MAX_OCCURRENCES: usize = 5000;
/// Most events of one calendar that repeat.
const MAX_REPEATED: usize = 10_000;
/// How many days may be looked at to find the events of one calendar: fractions of a second.
const MAX_STEPS: usize = 1_000_000;
/// Longest name of a calendar, in characters.
const MAX_NAME: usize = 100;

/// The days that are looked at, and where the viewer is.
#[derive(Clone, Debug)]
pub(crate) struct Window {
    pub(crate) first: Date,
    pub(crate) last: Date,
    pub(crate) zone: TimeZone,
}

/// What happens in the window.
#[derive(Debug, Default)]
pub(crate) struct Agenda {
    /// What the calendar calls itself.
    pub(crate) name: Option<String>,
    /// The colour that it gives itself.
    pub(crate) color: Option<Color>,
    /// In no order.
    pub(crate) occurrences: Vec<Occurrence>,
    /// There is more than is shown.
    pub(crate) is_cut: bool,
}

/// One event on the days on which it happens.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Occurrence {
    pub(crate) title: String,
    pub(crate) location: String,
    pub(crate) url: Option<String>,
    /// The first and the last day, as the viewer's calendar has them.
    pub(crate) first: Date,
    pub(crate) last: Date,
    /// Begin and end; none for events of whole days.
    pub(crate) times: Option<(Moment, Moment)>,
}

/// Reads a calendar. None if the document is none.
pub(crate) fn read(text: &str, window: &Window) -> Option<Agenda> {
    let document = Document::read(text)?;
    let color = ["X-APPLE-CALENDAR-COLOR", "COLOR"].into_iter().find_map(|name| document.property(name));
    let mut agenda = Agenda {
        name: document.property("X-WR-CALNAME").map(|name| name.chars().take(MAX_NAME).collect()),
        color: color.and_then(|color| Color::parse(&color)),
        ..Agenda::default()
    };
    let mut zones = Zones::of(&document, window.zone.clone());
    // What stands in the place of an occurrence, by the event.
    let mut replaced: HashMap<String, Exceptions> = HashMap::new();
    let mut repeated = Vec::new();
    document.each(Kind::Event, |component| {
        let Some(event) = Event::read(&component, &mut zones) else { return true };
        if let Some(place) = &event.replaces {
            replaced.entry(event.uid.clone()).or_default().add(place);
        }
        if event.is_cancelled {
            return true;
        }
        if !event.repeats() {
            return event.once(&window.zone).is_none_or(|occurrence| agenda.add(occurrence, window));
        }
        if repeated.len() < MAX_REPEATED {
            repeated.push(event);
        } else {
            agenda.is_cut = true;
        }
        true
    });
    let mut budget = Budget(MAX_STEPS);
    for event in &repeated {
        let found_all = event.each(window, replaced.get(&event.uid), &mut budget, |found| agenda.add(found, window));
        agenda.is_cut |= !found_all;
    }
    Some(agenda)
}

impl Agenda {
    /// Adds what lies in the window. Says no if there is room for no more.
    fn add(&mut self, occurrence: Occurrence, window: &Window) -> bool {
        if occurrence.first > window.last || occurrence.last < window.first {
            return true;
        }
        let has_room = self.occurrences.len() < MAX_OCCURRENCES;
        if has_room {
            self.occurrences.push(occurrence);
        } else {
            self.is_cut = true;
        }
        has_room
    }
}
