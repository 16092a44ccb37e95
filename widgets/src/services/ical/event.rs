//! Events as written in the file: when they begin, how long they last, and when they repeat.

use std::collections::HashSet;

use icalendar::parser::Property;
use jiff::{
    Span, SpanRelativeTo,
    civil::{Date, DateTime, Time},
    tz::TimeZone,
};

use super::{
    agenda::{MAX_OCCURRENCES, Occurrence, Window},
    lines::{Component, parameter},
    recurrence::{Budget, Recurrence, days_between, plus_days},
    rule::RecurrenceRule,
    written_time::{date_time, split_offset},
    zones::{Zones, local, moment},
};
use crate::Moment;

/// Maximum length of a text, in characters.
const MAX_TEXT: usize = 300;
const MAX_ADDRESS: usize = 2000;
/// Maximum number of days on which a long event is shown.
const MAX_DAYS: i64 = 40_000;
/// How many days back occurrences of a repeating event are looked for that are not over yet.
const MAX_REPEATED_DAYS: i64 = 400;
const DAY: i64 = 86_400;

/// A time as written in the file.
#[derive(Clone, Debug)]
pub(super) struct When {
    /// The local time in its zone.
    local: DateTime,
    zone: TimeZone,
    /// Whether it is a date without a time.
    is_day: bool,
}

impl When {
    fn read(written: &str, zone: &TimeZone) -> Option<Self> {
        let local = date_time(written)?;
        let zone = split_offset(written).1.unwrap_or_else(|| zone.clone());
        Some(Self { local, zone, is_day: !written.contains(['T', 't']) })
    }

    fn of(property: &Property<'_>, zones: &mut Zones) -> Option<Self> {
        let zone = parameter(property, "TZID").map(|name| zones.get(name));
        Self::read(property.val.as_str(), &zone.unwrap_or_else(|| zones.viewer().clone()))
    }

    /// The times in a list, `None` for those that cannot be read; times without a zone are in this zone.
    fn all<'a>(
        property: &'a Property<'_>,
        usual: &TimeZone,
        zones: &mut Zones,
    ) -> impl Iterator<Item = Option<Self>> + use<'a> {
        let zone = parameter(property, "TZID").map_or_else(|| usual.clone(), |name| zones.get(name));
        let first_of_period = |written: &'a str| written.split('/').next().unwrap_or_default();
        let written = property.val.as_str().split(',').filter(|written| !written.trim().is_empty());
        written.map(move |written| Self::read(first_of_period(written), &zone))
    }

    fn moment(&self) -> Option<Moment> {
        moment(self.local, &self.zone)
    }

    /// The local time in another zone.
    fn local_in(&self, zone: &TimeZone) -> Option<DateTime> {
        local(self.moment()?, zone)
    }
}

/// Dates and times that are left out.
#[derive(Debug, Default)]
pub(super) struct Exceptions {
    days: HashSet<Date>,
    moments: HashSet<Moment>,
}

impl Exceptions {
    pub(super) fn add(&mut self, when: &When) {
        if when.is_day {
            self.days.insert(when.local.date());
        } else {
            self.moments.extend(when.moment());
        }
    }

    fn contain(&self, local: DateTime, zone: &TimeZone) -> bool {
        self.days.contains(&local.date())
            || (!self.moments.is_empty() && moment(local, zone).is_some_and(|moment| self.moments.contains(&moment)))
    }
}

/// How long an event lasts.
#[derive(Clone, Copy, Debug)]
enum EventLength {
    Days(i64),
    Seconds(i64),
}

impl EventLength {
    /// Days that have begun.
    fn in_days(self) -> i64 {
        match self {
            Self::Days(days) => days,
            Self::Seconds(seconds) => seconds / DAY + 1,
        }
    }
}

/// An event as written in the file.
pub(super) struct Event {
    pub(super) uid: String,
    title: String,
    location: String,
    url: Option<String>,
    start: When,
    length: EventLength,
    rule: Option<Box<RecurrenceRule>>,
    /// Additional times, local in the zone of the start.
    more: Vec<DateTime>,
    exceptions: Exceptions,
    /// Which occurrence of a rule this event replaces.
    pub(super) replaces: Option<When>,
    /// Whether it repeats in a way that is not understood.
    pub(super) is_incomplete: bool,
}

impl Event {
    /// Reads an event; `None` if its time cannot be determined.
    pub(super) fn read(component: &Component<'_>, zones: &mut Zones) -> Option<Self> {
        let mut when = |name: &'static str| component.find(name).and_then(|property| When::of(property, zones));
        let replaces = when("RECURRENCE-ID");
        let start = if component.find("DTSTART").is_some() { when("DTSTART") } else { replaces.clone() }?;
        let end = when("DTEND");
        let cut = |name: &'static str, length: usize| -> String { component.text(name).chars().take(length).collect() };
        let mut event = Self {
            uid: cut("UID", MAX_TEXT),
            title: cut("SUMMARY", MAX_TEXT),
            location: cut("LOCATION", MAX_TEXT),
            url: Some(cut("URL", MAX_ADDRESS)).filter(|url| !url.is_empty()),
            length: length(&start, end.as_ref(), component.text("DURATION")),
            rule: None,
            more: Vec::new(),
            exceptions: Exceptions::default(),
            replaces,
            start,
            is_incomplete: false,
        };
        if event.replaces.is_none() {
            let rule = component.text("RRULE");
            event.rule = RecurrenceRule::parse(rule).map(Box::new);
            let is_understood = event.rule.as_ref().is_some_and(|rule| rule.is_complete);
            let has_more_rules = component.all("RRULE").nth(1).is_some();
            event.is_incomplete = has_more_rules || (!rule.is_empty() && !is_understood);
            let start = &event.start;
            let local = |when: When| match (when.is_day, start.is_day) {
                (true, false) => Some(when.local.date().to_datetime(start.local.time())),
                (_, true) => Some(when.local.date().to_datetime(Time::midnight())),
                (false, false) => when.local_in(&start.zone),
            };
            for property in component.all("RDATE") {
                for when in When::all(property, &start.zone, zones) {
                    match when.and_then(local) {
                        Some(when) if event.more.len() < MAX_OCCURRENCES => event.more.push(when),
                        _ => event.is_incomplete = true,
                    }
                }
            }
        }
        for property in component.all("EXDATE") {
            When::all(property, &event.start.zone, zones).flatten().for_each(|when| event.exceptions.add(&when));
        }
        event.is_incomplete |= event.repeats() && event.length.in_days() > MAX_REPEATED_DAYS;
        Some(event)
    }

    pub(super) fn repeats(&self) -> bool {
        self.rule.is_some() || !self.more.is_empty()
    }

    /// The first occurrence of the event.
    pub(super) fn once(&self, viewer: &TimeZone) -> Option<Occurrence> {
        self.at(self.start.local, viewer)
    }

    /// Calls `visit` with each occurrence that may overlap the window, until `visit` stops it. Returns false if finding
    /// all of them would take too long.
    pub(super) fn each(
        &self,
        window: &Window,
        replaced: Option<&Exceptions>,
        budget: &mut Budget,
        mut visit: impl FnMut(Occurrence) -> bool,
    ) -> bool {
        let Some(times) = self.times(window, budget) else { return false };
        let zone = &self.start.zone;
        let is_left_out = |time: DateTime| {
            self.exceptions.contain(time, zone) || replaced.is_some_and(|replaced| replaced.contain(time, zone))
        };
        let occurrences = times.into_iter().filter(|time| !is_left_out(*time));
        for occurrence in occurrences.filter_map(|time| self.at(time, &window.zone)) {
            if !visit(occurrence) {
                break;
            }
        }
        true
    }

    /// The start times that may overlap the window. `None` if that would be too much work.
    fn times(&self, window: &Window, budget: &mut Budget) -> Option<Vec<DateTime>> {
        let days = self.length.in_days().min(MAX_REPEATED_DAYS);
        // One more day on both sides, since it may be another day where the event is.
        let from = plus_days(window.first, -days - 1)?;
        let to = plus_days(window.last, 1)?;
        let mut times = match &self.rule {
            Some(rule) => {
                let until = rule.until.as_deref().and_then(|until| When::read(until, &self.start.zone));
                let until = until.and_then(|until| match until.is_day {
                    true => Some(until.local.date().to_datetime(Time::constant(23, 59, 59, 0))),
                    false => until.local_in(&self.start.zone),
                });
                Recurrence { rule, start: self.start.local, until }.between(from, to, budget)?
            }
            None => vec![self.start.local],
        };
        times.extend(self.more.iter().filter(|time| (from..=to).contains(&time.date())));
        times.sort_unstable();
        times.dedup();
        Some(times)
    }

    /// The occurrence that begins at this time in the event's zone.
    fn at(&self, begin: DateTime, viewer: &TimeZone) -> Option<Occurrence> {
        let (first, last, times) = match self.length {
            EventLength::Days(days) => (begin.date(), plus_days(begin.date(), days - 1)?, None),
            EventLength::Seconds(seconds) => {
                let begin = moment(begin, &self.start.zone)?;
                let end = Moment::from_seconds(begin.seconds().checked_add(seconds)?);
                // An event that ends at midnight does not overlap the next day.
                let last = Moment::from_seconds(end.seconds() - 1).max(begin);
                (local(begin, viewer)?.date(), local(last, viewer)?.date(), Some((begin, end)))
            }
        };
        let (title, location, url) = (self.title.clone(), self.location.clone(), self.url.clone());
        Some(Occurrence { title, location, url, first, last, times })
    }
}

/// Lasts until the end if there is one, or as long as `DURATION` says; otherwise one day for a date, no time for a
/// time.
fn length(start: &When, end: Option<&When>, duration: &str) -> EventLength {
    let duration = || {
        let days = SpanRelativeTo::days_are_24_hours();
        let span: Span = duration.parse().ok()?;
        Some(span.to_duration(days).ok()?.as_secs())
    };
    if start.is_day {
        let days = end.map(|end| days_between(start.local.date(), end.local.date()));
        EventLength::Days(days.or_else(|| Some(duration()? / DAY)).unwrap_or(1).clamp(1, MAX_DAYS))
    } else {
        let seconds = end.and_then(|end| Some(end.moment()?.seconds() - start.moment()?.seconds()));
        EventLength::Seconds(seconds.or_else(duration).unwrap_or_default().clamp(0, MAX_DAYS * DAY))
    }
}
