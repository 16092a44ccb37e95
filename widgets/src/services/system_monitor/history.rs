//! The recent history kept by a monitor.

use std::{collections::BTreeMap, time::Duration};

use serde::{Deserialize, Deserializer, de};
use serde_json::Value;

use crate::{
    Moment,
    panel::{Datum, Phrase, Point},
};

/// Clocks that differ by more than this are in another time zone. In milliseconds.
const MAX_DRIFT: i64 = 10 * 60 * 1000;
/// Time zones differ by multiples of a quarter of an hour.
const QUARTER: i64 = 15 * 60 * 1000;

/// The points of each series by its name, oldest first: pairs of a time and a number.
#[derive(Debug, Default)]
pub(crate) struct HistoryReply(BTreeMap<String, Vec<Value>>);

impl HistoryReply {
    /// The series with their names.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &[Value])> {
        self.0.iter().map(|(name, points)| (name.as_str(), points.as_slice()))
    }
}

/// Series that cannot be read are left out, if there are others.
impl<'de> Deserialize<'de> for HistoryReply {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let written = BTreeMap::<String, Value>::deserialize(deserializer)?;
        let was_empty = written.is_empty();
        let series = written.into_iter().filter_map(|(name, points)| match points {
            Value::Array(points) => Some((name, points)),
            _ => None,
        });
        let series: BTreeMap<String, Vec<Value>> = series.collect();
        if series.is_empty() && !was_empty { Err(de::Error::custom("no series")) } else { Ok(Self(series)) }
    }
}

/// A value at a time; `None` where there is a gap.
pub(crate) type TimedValue = (Moment, Option<f64>);

/// The points of one series, oldest first. Points without a readable time are left out. Times without a zone are those
/// of the monitored machine, which may be in another zone; they are shifted so that the newest is approximately now.
pub(crate) fn timed(points: &[Value], now: Moment) -> Vec<TimedValue> {
    let mut has_zone = false;
    let read = |point: &Value| {
        let written = point.get(0)?.as_str()?;
        let exact = Moment::parse(written);
        has_zone |= exact.is_some();
        let at = exact.or_else(|| Moment::parse_local(written, 0))?;
        Some((at, point.get(1).and_then(Value::as_f64)))
    };
    let mut points: Vec<_> = points.iter().filter_map(read).collect();
    let drift = points.last().map_or(0, |(newest, _)| now.millis().saturating_sub(newest.millis()));
    if !has_zone && drift.abs() > MAX_DRIFT {
        let quarters = (drift + QUARTER.div_euclid(2)).div_euclid(QUARTER);
        for (at, _) in &mut points {
            *at = Moment::from_millis(at.millis().saturating_add(quarters * QUARTER));
        }
    }
    points
}

/// Several series of a history at the same times, as charts need them.
pub(crate) struct Rows<const N: usize> {
    times: Vec<Moment>,
    values: [Vec<Option<f64>>; N],
}

impl<const N: usize> Rows<N> {
    /// The series with these names; `None` if there are fewer than two points.
    pub(crate) fn of(history: &HistoryReply, names: [&str; N], now: Moment) -> Option<Self> {
        let series = names.map(|name| history.0.get(name).map(|points| timed(points, now)).unwrap_or_default());
        let times: Vec<Moment> = series.iter().max_by_key(|points| points.len())?.iter().map(|(at, _)| *at).collect();
        // Times differ by microseconds and lengths by a few points, so match the series from their newest points
        // backwards.
        let values = series.map(|points| {
            let gap = times.len() - points.len();
            std::iter::repeat_n(None, gap).chain(points.iter().map(|(_, value)| *value)).collect()
        });
        (times.len() > 1).then_some(Self { times, values })
    }

    /// The points of one series, with its values rounded to two decimals.
    pub(crate) fn points(&self, series: usize) -> Vec<Point> {
        let values = self.values.get(series).into_iter().flatten();
        let round = |value: f64| (value * 100.0).round() / 100.0;
        self.times.iter().zip(values).map(|(at, value)| Point::at(*at, value.map(round))).collect()
    }

    /// The newest value of one series.
    pub(crate) fn newest(&self, series: usize) -> Option<f64> {
        self.values.get(series)?.iter().rev().find_map(|value| *value)
    }

    /// The title with the time span covered, or without it if all points are of the same second.
    pub(crate) fn title(&self, title: &'static str, with_time: &'static str) -> Phrase {
        let ends = self.times.first().zip(self.times.last());
        let span = ends.map_or(Duration::ZERO, |(first, last)| last.since(*first));
        past(span, title, with_time)
    }
}

/// A title with the time span covered, in whole minutes if it is more than one; without it if the span is zero.
/// `with_time` has a placeholder `{time}`.
pub(crate) fn past(span: Duration, title: &'static str, with_time: &'static str) -> Phrase {
    let seconds = span.as_secs_f64();
    match if seconds < 60.0 { seconds.round() } else { (seconds / 60.0).round() * 60.0 } {
        0.0 => Phrase::from(title),
        seconds => Phrase::from(with_time).with("time", Datum::seconds(seconds)),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn times_without_zone_end_about_now() {
        let now = Moment::from_seconds(1_795_251_600);
        for (newest, expected) in [
            ("2026-11-21T08:59:58", -2),
            ("2026-11-21T10:00:02.5", 2),
            ("2026-11-21T14:29:50", -10),
            ("2026-11-21T03:15:00", 0),
            ("2026-11-21T05:00:00+00:00", -4 * 3600),
        ] {
            let points = timed(&[json!([newest, 1.0])], now);
            assert_eq!(points[0].0.seconds() - now.seconds(), expected, "{newest}");
        }
        assert_eq!(timed(&[json!(["soon", null]), json!(3), json!([])], now), []);
    }

    #[test]
    fn series_are_joined_at_their_ends() {
        let point = |second: u32, value: f64| json!([format!("2026-11-21T09:00:{second:02}.{second:06}Z"), value]);
        let history = HistoryReply(BTreeMap::from([
            ("long".to_owned(), vec![point(0, 1.0), point(5, 2.004), point(10, 3.0)]),
            ("short".to_owned(), vec![point(6, 7.0), point(11, 8.0)]),
        ]));
        let rows = Rows::of(&history, ["long", "short", "none"], Moment::from_seconds(0)).unwrap();
        let values = |series| rows.points(series).iter().map(|point| point.1).collect::<Vec<_>>();
        assert_eq!(values(0), [Some(1.0), Some(2.0), Some(3.0)]);
        assert_eq!(values(1), [None, Some(7.0), Some(8.0)]);
        assert_eq!(values(2), [None, None, None]);
        assert_eq!((rows.newest(1), rows.newest(2)), (Some(8.0), None));
        assert!(Rows::of(&history, ["none"], Moment::from_seconds(0)).is_none());
    }
}
