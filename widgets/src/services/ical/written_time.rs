//! Times and offsets as written in a calendar.

use jiff::{
    civil::{Date, DateTime, Time},
    tz::{Offset, TimeZone},
};

/// Parses `20261121T083000`, or `20261121` as its midnight. A `Z` or an offset at the end is ignored.
pub(super) fn date_time(written: &str) -> Option<DateTime> {
    let (local, _) = split_offset(written);
    let midnight = |date: Date| date.to_datetime(Time::midnight());
    match local.split_once(['T', 't']) {
        None => local.parse::<Date>().ok().map(midnight),
        // The end of a day, which the standard writes as the beginning of the next.
        Some((day, "240000" | "24:00:00")) => day.parse::<Date>().ok()?.tomorrow().ok().map(midnight),
        Some(_) => local.parse().ok(),
    }
}

/// Splits `20261121T083000Z` into the local time and its zone. Some programs write an offset there: `+0100`.
pub(super) fn split_offset(written: &str) -> (&str, Option<TimeZone>) {
    let written = written.trim();
    if let Some(local) = written.strip_suffix(['Z', 'z']) {
        return (local, Some(TimeZone::UTC));
    }
    let time = written.find(['T', 't']).unwrap_or(written.len());
    let sign = written[time..].find(['+', '-']).map(|sign| time + sign);
    let split = sign.and_then(|sign| Some((&written[..sign], Some(zone_of_offset(&written[sign..])?))));
    split.unwrap_or((written, None))
}

/// The zone with an offset in seconds whose clocks never change.
pub(super) fn fixed_zone(seconds: i32) -> Option<TimeZone> {
    Some(TimeZone::fixed(Offset::from_seconds(seconds).ok()?))
}

/// The zone of an offset such as `+0530`.
pub(super) fn zone_of_offset(written: &str) -> Option<TimeZone> {
    fixed_zone(seconds(written)?)
}

/// Parses `+0530`, `-08:00`, `+5` or `+013015`.
pub(super) fn seconds(written: &str) -> Option<i32> {
    let sign = match written.chars().next()? {
        '+' => 1,
        '-' | '\u{2212}' => -1,
        _ => return None,
    };
    let digits = written.trim_start_matches(['+', '-', '\u{2212}']);
    let (hours, rest) = match digits.split_once(':') {
        Some((hours, rest)) => (hours, rest.replace(':', "")),
        None => {
            let (hours, rest) = digits.split_at_checked(if digits.len().is_multiple_of(2) { 2 } else { 1 })?;
            (hours, rest.to_owned())
        }
    };
    let number = |text: &str| text.parse::<u8>().ok().filter(|number| *number < 60).map(i32::from);
    let pair = |from: usize| match rest.get(from..from + 2) {
        Some(digits) => number(digits),
        None => (rest.len() == from).then_some(0),
    };
    let (hours, minutes) = (number(hours)?, pair(0)?);
    let seconds = if rest.len() > 2 { pair(2)? } else { 0 };
    let is_whole = rest.len() <= 4;
    Some(sign * (hours * 3600 + minutes * 60 + seconds)).filter(|seconds| is_whole && seconds.abs() < 24 * 3600)
}
