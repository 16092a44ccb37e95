//! The x axis of a chart: the horizontal positions of the values, and the labels below them.

use leptos::{either::Either, prelude::*};
use widgets::{
    Moment,
    panel::{Axis, Chart, ChartShape, Phrase},
};

use super::{
    PanelContext,
    markup::{classes, maybe_class},
    path::WIDTH,
    series::value,
    time::Time,
    value::Words,
};

/// Maximum number of labels below the drawing.
const MAX_LABELS: usize = 8;
/// Maximum number of bars (docs/spec/widgets.md 9).
const MAX_SLOTS: i64 = 500;

const MINUTE: i64 = 60_000;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

/// The horizontal positions of the points.
pub struct XAxis {
    /// The first value: a time in milliseconds, or zero.
    first: i64,
    /// The last value.
    last: i64,
    /// The number of slots of equal width, each for the bars of one position.
    pub count: i64,
    /// The mean distance between points.
    gap: i64,
}

impl XAxis {
    /// Computes the axis; `None` if there is nothing to draw.
    pub fn of(chart: &Chart) -> Option<Self> {
        let mut points = chart.series.iter().flat_map(|series| &series.points);
        points.clone().find(|point| value(point).is_some())?;
        let longest = chart.series.iter().max_by_key(|series| series.points.len())?;
        Some(match &chart.axis {
            Axis::Labels(labels) => {
                let count = i64::try_from(labels.len()).unwrap_or(i64::MAX).clamp(1, MAX_SLOTS);
                Self { first: 0, last: count - 1, count, gap: 1 }
            }
            Axis::Time => {
                let first = points.clone().map(|point| point.0).min()?;
                let last = points.by_ref().map(|point| point.0).max()?;
                let step = longest.points.windows(2).map(|pair| pair[1].0 - pair[0].0).filter(|gap| *gap > 0).min();
                let count = step.map_or(1, |step| ((last - first) / step + 1).clamp(1, MAX_SLOTS));
                let gaps = i64::try_from(longest.points.len()).unwrap_or(i64::MAX).max(2) - 1;
                Self { first, last, count, gap: (last - first) / gaps }
            }
        })
    }

    /// The x position of a point on a line, or of the middle of a bar.
    pub fn x(&self, at: i64, chart: &Chart) -> i64 {
        let (part, whole) = (at.saturating_sub(self.first), self.last - self.first);
        if in_slots(chart) {
            (2 * self.slot(at) + 1) * WIDTH / (2 * self.count)
        } else if whole == 0 {
            WIDTH / 2
        } else {
            // The milliseconds of a thousand years times the width fit.
            part.saturating_mul(WIDTH) / whole
        }
    }

    /// The slot of a position.
    pub fn slot(&self, at: i64) -> i64 {
        let (part, whole) = (at.saturating_sub(self.first), self.last - self.first);
        let gaps = self.count - 1;
        if whole == 0 { 0 } else { ((2 * part * gaps + whole) / (2 * whole)).clamp(0, gaps) }
    }

    /// How the time of a point is shown: precise enough to distinguish it from its neighbors, and no more.
    pub fn time_style(&self) -> &'static str {
        match self.gap {
            1..MINUTE => "precise",
            // One day in spring is an hour shorter.
            gap if gap >= DAY - HOUR => "date",
            _ => "exact",
        }
    }
}

/// Whether the positions are slots side by side, not points on a line.
fn in_slots(chart: &Chart) -> bool {
    chart.shape == ChartShape::Bars || matches!(chart.axis, Axis::Labels(_))
}

/// Labels or times below the drawing.
#[component]
pub fn XAxisLabels<'a>(chart: &'a Chart, axis: &'a XAxis, context: &'a PanelContext) -> impl IntoView {
    match &chart.axis {
        Axis::Labels(labels) => Either::Left(view! {
            <div class="axis-labels by-category" aria-hidden="true">{slots(labels, context)}</div>
        }),
        Axis::Time => Either::Right(view! { <div class="axis-labels" aria-hidden="true">{times(axis)}</div> }),
    }
}

fn slots<'a>(labels: &'a [Phrase], context: &'a PanelContext) -> impl IntoView {
    let every = labels.len().div_ceil(MAX_LABELS).max(1);
    let slot = |(position, phrase)| {
        // A narrow section shows only every second label.
        let class = if position / every % 2 == 1 { "minor" } else { "" };
        let label = (position % every == 0).then(|| view! { <span><Words phrase context/></span> });
        view! { <span {maybe_class(classes([class]))}>{label}</span> }
    };
    labels.iter().enumerate().map(slot).collect_view()
}

fn times(axis: &XAxis) -> impl IntoView + use<> {
    let span = axis.last - axis.first;
    let ends: i64 = if span == 0 { 1 } else { 5 };
    let time = |position: i64| {
        let at = Moment::from_millis(axis.first + span / 4 * position);
        view! {
            <span {maybe_class(classes([if position % 2 == 1 { "minor" } else { "" }]))}>
                {time_styles(span).iter().map(|style| view! { <Time at style/> }).collect_view()}
            </span>
        }
    };
    (0..ends).map(time).collect_view()
}

/// Which parts of a time to show on an axis with this length in milliseconds, one below the other. The ends of a whole
/// day have the same time.
fn time_styles(span: i64) -> &'static [&'static str] {
    match span / HOUR {
        // Minutes would repeat.
        _ if span > 0 && span < 4 * MINUTE => &["seconds"],
        ..=12 => &["time"],
        // Up to five days, the newest of which is not over yet.
        13..=118 => &["time", "short"],
        119..=1500 => &["short"],
        1501..=7200 => &["day"],
        7201.. => &["month"],
    }
}
