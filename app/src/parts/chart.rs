//! Lines, areas and bars over an axis.
//!
//! The drawing has a fixed grid of its own, which the browser stretches to the section, so it needs no script and no
//! width. Words and numbers stand beside it in HTML, where they are not stretched, and where the viewer's language
//! reaches them.

use widgets::{
    Moment,
    panel::{Axis, Chart, ChartShape, Point, Series},
};

use super::{
    axis::ValueAxis,
    datum,
    ink::{Ink, dash_class},
    markup::Markup,
    phrase, reading, text,
};

/// The grid of the drawing.
const WIDTH: i64 = 4000;
const HEIGHT: i64 = 1000;
/// So many words stand below the drawing at most.
const WORDS: usize = 8;
/// So many bars are drawn at most (widgets/_common.md section 9).
const MOST_SLOTS: i64 = 500;

const DAY: i64 = 86_400_000;

/// The chart.
pub fn chart(chart: &Chart, m: &mut Markup) {
    let Some(places) = Places::of(chart) else {
        return text::empty("No values yet", m);
    };
    let stacks = stacks(chart, &places);
    let axis = value_axis(chart, &stacks);
    m.open("figure", "part part-chart");
    m.open("div", "axis-values");
    m.attr("aria-hidden", "true");
    let is_mirrored = chart.series.iter().any(|series| series.below);
    for value in axis.values().rev() {
        m.open("span", "");
        // Below zero stands what goes the other way, and not less than nothing.
        let value = if is_mirrored { value.abs() } else { value };
        datum::write_scaled(value, &axis.scale, axis.decimals, false, m);
        m.close();
    }
    m.close();
    m.open("div", "plot");
    m.fixed(r#"tabindex="0" role="img""#);
    m.attr("aria-label", &title(chart));
    reading::write_data(chart, &places, m);
    m.open("svg", "");
    m.fixed(r#"viewBox="0 0 4000 1000" preserveAspectRatio="none""#);
    m.number_attr("height", i64::from(chart.height.max(40)));
    m.attr("aria-hidden", "true");
    grid(&axis, m);
    for (position, stack) in stacks.iter().enumerate().rev() {
        let series = &chart.series[position];
        Ink::own(series.color.as_ref(), series.tone, position).open("g", "", m);
        series_attr(position, m);
        match chart.shape {
            ChartShape::Bars => bars(chart, stack, position, &places, &axis, m),
            shape => lines(stack, shape == ChartShape::Area, position, &axis, m),
        }
        m.close();
    }
    m.close();
    m.close();
    places_below(chart, &places, m);
    legend(chart, m);
    reading::alternative(chart, &places, m);
    m.close();
}

/// Where the points stand from left to right.
pub struct Places {
    /// The first place: a time in milliseconds, or zero.
    pub first: i64,
    /// The last one.
    pub last: i64,
    /// How many there are at equal distances; for lines over time, how many points the longest series has.
    count: i64,
}

impl Places {
    /// Nothing if there is nothing to draw.
    pub fn of(chart: &Chart) -> Option<Self> {
        let mut points = chart.series.iter().flat_map(|series| &series.points);
        points.clone().find(|point| value(point).is_some())?;
        let longest = chart.series.iter().max_by_key(|series| series.points.len())?;
        Some(match &chart.axis {
            Axis::Labels(labels) => {
                let count = i64::try_from(labels.len()).unwrap_or(i64::MAX).clamp(1, MOST_SLOTS);
                Self { first: 0, last: count - 1, count }
            }
            Axis::Time => {
                let first = points.clone().map(|point| point.0).min()?;
                let last = points.by_ref().map(|point| point.0).max()?;
                let step = longest.points.windows(2).map(|pair| pair[1].0 - pair[0].0).filter(|gap| *gap > 0).min();
                let count = step.map_or(1, |step| ((last - first) / step + 1).clamp(1, MOST_SLOTS));
                Self { first, last, count }
            }
        })
    }

    /// The place in the grid of a point on a line, or of the middle of a bar.
    fn x(&self, at: i64, in_slots: bool) -> i64 {
        let (part, whole) = (at.saturating_sub(self.first), self.last - self.first);
        if in_slots {
            (2 * self.slot(at) + 1) * WIDTH / (2 * self.count)
        } else if whole == 0 {
            WIDTH / 2
        } else {
            // Milliseconds of a thousand years times the width fit.
            part.saturating_mul(WIDTH) / whole
        }
    }

    /// The number of the bar of a place.
    pub fn slot(&self, at: i64) -> i64 {
        let (part, whole) = (at.saturating_sub(self.first), self.last - self.first);
        let gaps = self.count - 1;
        if whole == 0 { 0 } else { ((2 * part * gaps + whole) / (2 * whole)).clamp(0, gaps) }
    }

    /// The share of the width at which a place is, in thousandths.
    pub fn per_mille(&self, at: i64, chart: &Chart) -> i64 {
        self.x(at, in_slots(chart)) * 1000 / WIDTH
    }
}

/// Whether the places are equal rooms side by side, and not points on a line.
fn in_slots(chart: &Chart) -> bool {
    chart.shape == ChartShape::Bars || matches!(chart.axis, Axis::Labels(_))
}

/// A point's value, if it can be drawn.
pub fn value(point: &Point) -> Option<f64> {
    point.1.filter(|value| value.is_finite())
}

/// One value as it is drawn: at which place of the grid, from where, up to where.
#[derive(Clone, Copy)]
struct Mark {
    x: i64,
    range: Option<(f64, f64)>,
}

/// The values of every series, on top of one another if the chart is stacked.
fn stacks(chart: &Chart, places: &Places) -> Vec<Vec<Mark>> {
    let stacked = chart.stacked && chart.series.len() > 1;
    let (mut above, mut below) = (Vec::<(i64, f64)>::new(), Vec::<(i64, f64)>::new());
    let mut stacks = Vec::new();
    for series in &chart.series {
        let mut marks = Vec::with_capacity(series.points.len());
        let tops = if series.below { &mut below } else { &mut above };
        for point in &series.points {
            let x = places.x(point.0, in_slots(chart));
            let range = value(point).map(|value| {
                let value = if series.below { -value } else { value };
                if !stacked {
                    return (0.0, value);
                }
                match tops.iter_mut().find(|(place, _)| *place == x) {
                    Some((_, top)) => {
                        let below = *top;
                        *top += value;
                        (below, *top)
                    }
                    None => {
                        tops.push((x, value));
                        (0.0, value)
                    }
                }
            });
            marks.push(Mark { x, range });
        }
        stacks.push(marks);
    }
    stacks
}

fn value_axis(chart: &Chart, stacks: &[Vec<Mark>]) -> ValueAxis {
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for (_, top) in stacks.iter().flatten().filter_map(|mark| mark.range) {
        low = low.min(top);
        high = high.max(top);
    }
    let is_mirrored = chart.series.iter().any(|series| series.below);
    if chart.from_zero || chart.stacked || is_mirrored || chart.shape == ChartShape::Bars {
        low = low.min(0.0);
        high = high.max(0.0);
    }
    if let Some(highest) = chart.highest.filter(|highest| highest.is_finite()) {
        high = high.max(highest);
        low = low.min(highest);
    }
    ValueAxis::new(low, high, &chart.unit)
}

fn grid(axis: &ValueAxis, m: &mut Markup) {
    level("grid", axis.values(), axis, m);
    // Where there are values on both sides of it, zero is the line that all of them begin at.
    if axis.low < 0.0 && axis.low + axis.span() > 0.0 {
        level("grid zero", std::iter::once(0.0), axis, m);
    }
}

/// Lines from one side to the other.
fn level(class: &'static str, values: impl Iterator<Item = f64>, axis: &ValueAxis, m: &mut Markup) {
    let mut path = String::new();
    for value in values {
        push(&mut path, 'M', 0, y(value, axis));
        path.push('H');
        path.push_str(&WIDTH.to_string());
    }
    m.open("path", class);
    m.attr("d", &path);
    m.close();
}

/// Lines between the values, with gaps where there is none.
fn lines(marks: &[Mark], filled: bool, position: usize, axis: &ValueAxis, m: &mut Markup) {
    let (mut line, mut area) = (String::new(), String::new());
    for run in marks.split(|mark| mark.range.is_none()) {
        for (index, mark) in run.iter().enumerate() {
            let top = mark.range.map_or(0, |(_, top)| y(top, axis));
            let letter = if index == 0 { 'M' } else { 'L' };
            push(&mut line, letter, mark.x, top);
            if filled {
                push(&mut area, letter, mark.x, top);
            }
        }
        // A value between two gaps is a dot, because the ends of lines are round.
        if run.len() == 1 {
            line.push_str("h0");
        }
        if filled && !run.is_empty() {
            for mark in run.iter().rev() {
                push(&mut area, 'L', mark.x, mark.range.map_or(0, |(base, _)| y(base, axis)));
            }
            area.push('Z');
        }
    }
    if filled {
        m.open("path", "area");
        m.attr("d", &area);
        m.close();
    }
    m.open("path", dash_class(position));
    m.attr("d", &line);
    m.close();
}

/// A bar for each value; those of one place stand side by side, or on one another.
fn bars(chart: &Chart, marks: &[Mark], position: usize, places: &Places, axis: &ValueAxis, m: &mut Markup) {
    let slot = WIDTH / places.count;
    let group = (slot * if places.count > 60 { 9 } else { 7 } / 10).max(1);
    let side_by_side = if chart.stacked { 1 } else { i64::try_from(chart.series.len()).unwrap_or(1).max(1) };
    let width = (group / side_by_side).max(1);
    let shift = if chart.stacked { 0 } else { width * i64::try_from(position).unwrap_or_default() };
    let mut path = String::new();
    for mark in marks {
        let Some((base, top)) = mark.range else { continue };
        let (base, top) = (y(base, axis), y(top, axis));
        push(&mut path, 'M', mark.x - group / 2 + shift, base);
        path.push('V');
        path.push_str(&top.to_string());
        path.push('h');
        // Bars of one place do not touch.
        path.push_str(&(if side_by_side > 1 { (width * 9 / 10).max(1) } else { width }).to_string());
        path.push('V');
        path.push_str(&base.to_string());
        path.push('Z');
    }
    m.open("path", "bars");
    m.attr("d", &path);
    m.close();
}

/// The line of the grid at which a value is.
fn y(value: f64, axis: &ValueAxis) -> i64 {
    let share = (value - axis.low) / axis.span();
    // Clamped; a base below the axis ends at its edge.
    #[allow(clippy::cast_possible_truncation)]
    let up = (share.clamp(0.0, 1.0) * 1000.0 + 0.5) as i64;
    HEIGHT - up
}

pub(super) fn push(path: &mut String, letter: char, x: i64, y: i64) {
    path.push(letter);
    path.push_str(&x.to_string());
    path.push(' ');
    path.push_str(&y.to_string());
}

/// Words or times below the drawing.
fn places_below(chart: &Chart, places: &Places, m: &mut Markup) {
    match &chart.axis {
        Axis::Labels(labels) => {
            m.open("div", "axis-places in-slots");
            m.attr("aria-hidden", "true");
            let every = labels.len().div_ceil(WORDS).max(1);
            for (position, label) in labels.iter().enumerate() {
                // A narrow section shows every second word only.
                let class = if position / every % 2 == 1 { "minor" } else { "" };
                m.open("span", class);
                if position % every == 0 {
                    m.open("span", "");
                    phrase::write(label, m);
                    m.close();
                }
                m.close();
            }
        }
        Axis::Time => {
            m.open("div", "axis-places");
            m.attr("aria-hidden", "true");
            let span = places.last - places.first;
            let ends = if span == 0 { 1 } else { 5 };
            for position in 0..ends {
                m.open("span", if position % 2 == 1 { "minor" } else { "" });
                let at = places.first + span / 4 * position;
                datum::write_time(Moment::from_millis(at), time_style(span), None, m);
                m.close();
            }
        }
    }
    m.close();
}

/// What of a time is worth writing on an axis of this length in milliseconds.
fn time_style(span: i64) -> &'static str {
    match span {
        ..=129_600_000 => "time",
        _ if span < 300 * DAY => "day",
        _ => "month",
    }
}

fn legend(chart: &Chart, m: &mut Markup) {
    if chart.series.len() < 2 {
        return;
    }
    m.open("ul", "legend");
    for (position, series) in chart.series.iter().enumerate() {
        m.open("li", "");
        // A click takes the series out of the drawing, and puts it back.
        m.open("button", "");
        m.fixed(r#"type="button" aria-pressed="true""#);
        series_attr(position, m);
        swatch(chart, position, series, m);
        m.open("span", "legend-label");
        phrase::write(&series.name, m);
        m.close();
        m.close();
        m.close();
    }
    m.close();
}

/// By what the style sheet knows which series a button of the legend belongs to; it knows twelve.
fn series_attr(position: usize, m: &mut Markup) {
    m.attr("data-series", &(position + 1).to_string());
}

/// The sign of a series in a legend.
pub fn swatch(chart: &Chart, position: usize, series: &Series, m: &mut Markup) {
    let line = (chart.shape == ChartShape::Line).then_some(position);
    Ink::own(series.color.as_ref(), series.tone, position).swatch(line, m);
}

/// What the chart shows.
pub fn title(chart: &Chart) -> String {
    if chart.title.is_empty() { phrase::ours("Chart").to_owned() } else { phrase::plain(&chart.title) }
}
