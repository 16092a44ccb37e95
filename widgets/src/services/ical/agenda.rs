//! The events of a few weeks.

use jiff::{civil::Date, tz::TimeZone};

use crate::{Moment, option_types::Color};

/// Maximum number of occurrences of one calendar in the window.
pub(super) const MAX_OCCURRENCES: usize = 5000;

/// Maximum length of a calendar's name, in characters.
pub(super) const MAX_NAME: usize = 100;

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

impl Agenda {
    /// Adds an occurrence if it overlaps the window. Returns false if there is no more room.
    pub(super) fn add(&mut self, occurrence: Occurrence, window: &Window) -> bool {
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
    pub(super) fn add_unreadable(&mut self, title: &str) -> bool {
        if self.unreadable == 0 {
            self.first_unreadable = title.chars().take(MAX_NAME).collect();
        }
        self.unreadable += 1;
        true
    }
}
