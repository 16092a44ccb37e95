//! A point in time, and the forms in which services write it.

use std::time::Duration;

#[cfg(feature = "server")]
use jiff::{
    Timestamp,
    civil::{DateTime, Time},
    fmt::{rfc2822, temporal::Pieces},
    tz::Offset,
};
use serde::{Deserialize, Serialize};

/// A point in time: milliseconds since 1970, UTC. The page prints it in the viewer's language and zone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Moment(i64);

impl Moment {
    /// From milliseconds since 1970.
    #[must_use]
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis)
    }

    /// From seconds since 1970.
    #[must_use]
    pub const fn from_seconds(seconds: i64) -> Self {
        Self(seconds.saturating_mul(1000))
    }

    /// Milliseconds since 1970.
    #[must_use]
    pub const fn millis(self) -> i64 {
        self.0
    }

    /// Whole seconds since 1970.
    #[must_use]
    pub const fn seconds(self) -> i64 {
        self.0.div_euclid(1000)
    }

    /// Whether it is in the years 1 to 9999: others are mistakes, and not every browser can format them.
    #[must_use]
    pub const fn is_dated(self) -> bool {
        -62_135_596_800_000 <= self.0 && self.0 <= 253_402_300_799_999
    }

    /// The time this much later.
    #[must_use]
    pub fn after(self, time: Duration) -> Self {
        Self(self.0.saturating_add(i64::try_from(time.as_millis()).unwrap_or(i64::MAX)))
    }

    /// The time this much earlier.
    #[must_use]
    pub fn before(self, time: Duration) -> Self {
        Self(self.0.saturating_sub(i64::try_from(time.as_millis()).unwrap_or(i64::MAX)))
    }

    /// How long ago `earlier` was; zero if it is not earlier.
    #[must_use]
    pub fn since(self, earlier: Self) -> Duration {
        Duration::from_millis(u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or_default())
    }

    /// The time of day in UTC, `12:45`.
    #[must_use]
    pub fn utc_clock(self) -> String {
        let minutes = self.seconds().rem_euclid(86_400) / 60;
        format!("{:02}:{:02}", minutes / 60, minutes % 60)
    }
}

#[cfg(feature = "server")]
impl Moment {
    /// Parses a date and time with zone in RFC 3339 (`2026-11-21T09:00:00Z`), also with a space instead of the `T`, and
    /// in other forms of ISO 8601 that programs write: `+0200`, `+02`, and without seconds.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::parse_with_offset(text).map(|(moment, _)| moment)
    }

    /// Like [`Moment::parse`], and also returns how many seconds the zone is ahead of UTC.
    #[must_use]
    pub fn parse_with_offset(text: &str) -> Option<(Self, i32)> {
        let pieces = Pieces::parse(text.trim()).ok()?;
        let offset = pieces.to_numeric_offset()?.seconds();
        let local = Self::of_utc(pieces.date().to_datetime(pieces.time()?));
        Some((local.local_at(offset.into())?, offset))
    }

    /// Parses a date, or a date and time, without a zone (`2026-11-21`, `2026-11-21 09:00:00`) at a place this many
    /// seconds ahead of UTC. A zone in the text takes precedence.
    #[must_use]
    pub fn parse_local(text: &str, offset_seconds: i64) -> Option<Self> {
        Self::parse(text).or_else(|| {
            let pieces = Pieces::parse(text.trim()).ok().filter(|pieces| pieces.to_numeric_offset().is_none())?;
            Self::of_utc(pieces.date().to_datetime(pieces.time().unwrap_or(Time::midnight()))).local_at(offset_seconds)
        })
    }

    /// The moment at which clocks in UTC show this.
    fn of_utc(shown: DateTime) -> Self {
        let since = shown.duration_since(DateTime::constant(1970, 1, 1, 0, 0, 0, 0));
        Self(since.as_secs() * 1000 + i64::from(since.subsec_millis()))
    }

    /// The moment at which clocks this many seconds ahead of UTC show what clocks in UTC show now.
    fn local_at(self, offset_seconds: i64) -> Option<Self> {
        self.0.checked_sub(offset_seconds.checked_mul(1000)?).map(Self)
    }

    /// Parses a date as in mail and HTTP headers (`Sat, 21 Nov 2026 09:00:00 GMT`).
    #[must_use]
    pub fn parse_mail(text: &str) -> Option<Self> {
        let parser = rfc2822::DateTimeParser::new().relaxed_weekday(true);
        parser.parse_timestamp(text.trim()).ok().map(|time| Self(time.as_millisecond()))
    }

    /// The date in UTC, `2026-11-21`; empty for times outside the supported calendar.
    #[must_use]
    pub fn utc_date(self) -> String {
        let time = Timestamp::from_millisecond(self.0);
        time.map(|time| Offset::UTC.to_datetime(time).date().to_string()).unwrap_or_default()
    }
}

#[cfg(all(test, feature = "server"))]
mod tests {
    use super::*;

    #[test]
    fn services_write_times_in_several_forms() {
        let nine = Moment::from_seconds(1_795_251_600);
        assert_eq!(Moment::parse("2026-11-21T09:00:00Z"), Some(nine));
        assert_eq!(Moment::parse("2026-11-21 10:00:00+01:00"), Some(nine));
        assert_eq!(Moment::parse("2026-11-21T09:00:00.123456789Z"), Some(Moment::from_millis(nine.millis() + 123)));
        for other in
            ["2026-11-21T11:00:00+0200", "2026-11-21 09:00:00.0+0000", "2026-11-21T09:00Z", "2026-11-21T08:00-01"]
        {
            assert_eq!(Moment::parse(other), Some(nine), "{other}");
        }
        assert_eq!(Moment::parse("2026-11-21T09:00:00"), None);
        assert_eq!(Moment::parse("2026-11-21"), None);
        assert_eq!(Moment::parse_local("2026-11-21T10:00", 3600), Some(nine));
        assert_eq!(Moment::parse_local("2026-11-21 09:00:00", 0), Some(nine));
        assert_eq!(Moment::parse_local("2026-11-21", 0), Some(Moment::from_seconds(1_795_219_200)));
        assert_eq!(Moment::parse_mail("Sat, 21 Nov 2026 09:00:00 GMT"), Some(nine));
        assert_eq!(
            Moment::parse_mail("Mon, 21 Nov 2026 04:00:00 EST"),
            Some(nine),
            "the day of the week is not asked for"
        );
        assert_eq!(Moment::parse_mail("tomorrow"), None);
        assert_eq!(Moment::parse_with_offset("2026-11-21 10:00+01:00"), Some((nine, 3600)));
        assert_eq!(nine.utc_clock(), "09:00");
        for (at, expected) in [
            ("0001-01-01T00:00:00Z", true),
            ("0000-12-31T23:59:59Z", false),
            ("9999-12-31T23:59:59.999Z", true),
            ("9999-12-31T23:59:59-01:00", false),
        ] {
            assert_eq!(Moment::parse(at).unwrap().is_dated(), expected, "{at}");
        }
        assert_eq!(nine.utc_date(), "2026-11-21");
        assert_eq!(nine.after(Duration::from_secs(90)).since(nine), Duration::from_secs(90));
        assert_eq!(nine.since(nine.after(Duration::from_secs(1))), Duration::ZERO);
    }
}
