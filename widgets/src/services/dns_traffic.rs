//! A chart of the DNS queries of a day, permitted and blocked.
//!
//! Allowed queries have the accent of the theme, not green, which means a state.

use crate::{
    Moment, Panel,
    option_types::ChartStyle,
    panel::{Chart, ChartShape, Datum, Headline, Phrase, Point, Series, Tone, Unit},
};

/// The queries of ten minutes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TimeBucket {
    /// The middle of the bucket in seconds since 1970.
    pub(crate) timestamp: f64,
    /// All queries, including blocked ones.
    pub(crate) total: f64,
    /// The blocked ones.
    pub(crate) blocked: f64,
}

impl TimeBucket {
    /// The time, without fractions of a second.
    fn at(&self) -> Moment {
        Moment::from_seconds(self.timestamp as i64)
    }
}

const TITLE: &str = "Recent queries and ads";

/// Maximum number of bars that can be told apart in a narrow widget.
const MAX_NARROW: usize = 48;

/// A narrow widget shows eight bars of three hours each.
const BARS: usize = 8;
const BAR_SECONDS: f64 = 3.0 * 3600.0;

/// The panel with the chart, or with a sentence if there are no buckets. They may be in any order.
pub(crate) fn panel(mut buckets: Vec<TimeBucket>, style: &ChartStyle) -> Panel {
    if buckets.is_empty() {
        return Panel::empty("No data yet");
    }
    buckets.sort_by(|one, other| one.timestamp.total_cmp(&other.timestamp));
    let narrow = (buckets.len() > MAX_NARROW).then(|| Box::new(chart(&summed(&buckets), style)));
    let chart = Chart { narrow, ..chart(&buckets, style) };
    Panel::new(vec![sum(&buckets).into(), chart.into()]).titled(TITLE)
}

/// How many queries there were, and the share of those that were blocked.
fn sum(buckets: &[TimeBucket]) -> Headline {
    let total: f64 = buckets.iter().map(|bucket| bucket.total).sum();
    let blocked: f64 = buckets.iter().map(|bucket| bucket.blocked).sum();
    let share = if total > 0.0 { (blocked / total).min(1.0) * 100.0 } else { 0.0 };
    let percent = Datum::percent((share * 10.0).round() / 10.0);
    let caption = Phrase::from("queries, {percent} blocked").with("percent", percent);
    Headline { caption: Some(caption), ..Headline::new(Datum::number(total, Unit::None)) }
}

fn chart(buckets: &[TimeBucket], style: &ChartStyle) -> Chart {
    let series = |index: usize, name: &'static str, tone: Tone, value: fn(&TimeBucket) -> f64| Series {
        name: name.into(),
        color: style.color(index),
        tone,
        points: buckets.iter().map(|bucket| Point::at(bucket.at(), Some(value(bucket)))).collect(),
        ..Series::default()
    };
    Chart {
        title: TITLE.into(),
        shape: ChartShape::Bars,
        series: vec![
            // The service counts all queries; the height of a bar is the sum of both series.
            series(0, "Allowed", Tone::Plain, |bucket| (bucket.total - bucket.blocked).max(0.0)),
            series(1, "Blocked", Tone::Danger, |bucket| bucket.blocked),
        ],
        height: style.height(),
        from_zero: true,
        stacked: true,
        ..Chart::default()
    }
}

/// Adds up the buckets of each bar, counting back from the newest. A device that was off has no buckets for that time.
fn summed(buckets: &[TimeBucket]) -> Vec<TimeBucket> {
    let Some(newest) = buckets.last().map(|bucket| bucket.timestamp) else { return Vec::new() };
    let bars = (0..BARS).rev().filter_map(|bar| {
        // The index is small, so the cast is exact.
        let end = newest - bar as f64 * BAR_SECONDS;
        let of_bar = buckets.iter().filter(|bucket| bucket.timestamp <= end && bucket.timestamp > end - BAR_SECONDS);
        of_bar.fold(None, |sum: Option<TimeBucket>, bucket| {
            let (total, blocked) = sum.map_or((0.0, 0.0), |sum| (sum.total, sum.blocked));
            let timestamp = end - BAR_SECONDS / 2.0;
            Some(TimeBucket { timestamp, total: total + bucket.total, blocked: blocked + bucket.blocked })
        })
    });
    bars.collect()
}
