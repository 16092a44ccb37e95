//! Calendars in the iCalendar format (RFC 5545): the events of a few weeks.
//!
//! A document may be hostile: it is read line by line, one component at a time, and everything that it can make large
//! is limited. If a limit leaves something out, the result says so.

mod agenda;
mod event;
mod lines;
mod recurrence;
mod rule;
#[cfg(test)]
mod tests;
mod windows_zones;
mod written_time;
mod zones;

use std::collections::HashMap;

use self::{
    agenda::MAX_NAME,
    event::{Event, Exceptions},
    lines::{CalendarLines, ComponentKind},
    recurrence::Budget,
    zones::Zones,
};
pub(crate) use self::{
    agenda::{Agenda, Occurrence, Window},
    zones::{local, zone},
};
use crate::{Response, option_types::Color};

/// Maximum number of repeating events in one calendar.
const MAX_REPEATED: usize = 10_000;
/// Maximum number of days to examine to find the events of one calendar: a fraction of a second.
const MAX_STEPS: usize = 1_000_000;

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
