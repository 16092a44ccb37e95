//! Calendars in the iCalendar format (RFC 5545): the events of a few weeks.
//!
//! A document may be hostile: it is read line by line, one component at a time, and everything that it can make large
//! is limited. If a limit leaves something out, the result says so.

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
    lines::{CalendarLines, ComponentKind},
    recurrence::Budget,
    zones::Zones,
};
use crate::{Moment, Response, option_types::Color};

/// Maximum number of occurrences of one calendar in the window.
const MAX_OCCURRENCES: usize = 5000;
/// Maximum number of repeating events in one calendar.
const MAX_REPEATED: usize = 10_000;
/// Maximum number of days to examine to find the events of one calendar: a fraction of a second.
const MAX_STEPS: usize = 1_000_000;
/// Maximum length of a calendar's name, in characters.
const MAX_NAME: usize = 100;

/// The days to show, and the viewer's time zone.
#[derive(Clone, Debug)]
pub(crate) struct Window {
    pub(crate) first: Date,
    pub(crate) last: Date,
    pub(crate) zone: TimeZone,
}

/// The events in the window.
#[derive(Debug, Default)]
pub(crate) struct Agenda {
    /// The name that the calendar gives itself.
    pub(crate) name: Option<String>,
    /// The color that the calendar gives itself.
    pub(crate) color: Option<Color>,
    /// In no particular order.
    pub(crate) occurrences: Vec<Occurrence>,
    /// Whether there is more than is shown.
    pub(crate) is_cut: bool,
    /// The number of events whose time cannot be read, and the title of the first.
    pub(crate) unreadable: usize,
    pub(crate) first_unreadable: String,
    /// A name of a time zone that is not known: its times are taken as the viewer's.
    pub(crate) unknown_zone: Option<String>,
}

/// One occurrence of an event.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Occurrence {
    pub(crate) title: String,
    pub(crate) location: String,
    pub(crate) url: Option<String>,
    /// The first and the last day, in the viewer's calendar.
    pub(crate) first: Date,
    pub(crate) last: Date,
    /// Start and end; `None` for all-day events.
    pub(crate) times: Option<(Moment, Moment)>,
}

/// Reads a calendar. `None` if the document is not a calendar.
pub(crate) fn read(reply: &Response, window: &Window) -> Option<Agenda> {
    let document = CalendarLines::read(reply)?;
    let color = ["X-APPLE-CALENDAR-COLOR", "COLOR"].into_iter().find_map(|name| document.property(name));
    let mut agenda = Agenda {
        name: document.property("X-WR-CALNAME").map(|name| name.chars().take(MAX_NAME).collect()),
        color: color.and_then(|color| Color::parse(&color)),
        is_cut: document.is_incomplete(),
        ..Agenda::default()
    };
    let mut zones = Zones::of(&document, window.zone.clone());
    // Occurrences that are replaced by an event of their own, by the id of the repeating event.
    let mut replaced: HashMap<String, Exceptions> = HashMap::new();
    let mut repeated = Vec::new();
    document.each(ComponentKind::Event, |component| {
        let is_cancelled = component.text("STATUS").eq_ignore_ascii_case("CANCELLED");
        let Some(event) = Event::read(&component, &mut zones) else {
            if !is_cancelled {
                agenda.add_unreadable(component.text("SUMMARY"));
            }
            return true;
        };
        if let Some(place) = &event.replaces {
            replaced.entry(event.uid.clone()).or_default().add(place);
        }
        if is_cancelled {
            return true;
        }
        agenda.is_cut |= event.is_incomplete;
        if !event.repeats() {
            return match event.once(&window.zone) {
                Some(occurrence) => agenda.add(occurrence, window),
                None => agenda.add_unreadable(component.text("SUMMARY")),
            };
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
    agenda.unknown_zone = zones.unknown;
    Some(agenda)
}

impl Agenda {
    /// Adds an occurrence if it overlaps the window. Returns false if there is no more room.
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

    /// Counts an event whose time cannot be read. Returns true, because there may be others.
    fn add_unreadable(&mut self, title: &str) -> bool {
        if self.unreadable == 0 {
            self.first_unreadable = title.chars().take(MAX_NAME).collect();
        }
        self.unreadable += 1;
        true
    }
}
