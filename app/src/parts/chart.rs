//! Lines, areas and bars over an axis.
//!
//! The drawing has a fixed grid of its own, which the browser stretches to the section, so it needs no script and no
//! width. Words and numbers stand beside it in HTML, where they are not stretched, and where the viewer's language
//! reaches them.

use widgets::panel::{Chart, ChartShape, Point, Series};

use super::{
    axis::ValueAxis,
    datum,
    ink::{Ink, dash_class},
    markup::Markup,
    phrase,
    places::{self, Places},
    reading,
    strokes::{self, Mark, WIDTH, push},
    text,
};

/// The chart, and what stands in its place where there is little room. The style sheet shows one of the two.
pub fn chart(chart: &Chart, m: &mut Markup) {
    match &chart.narrow {
        Some(narrow) => {
            figure(chart, "part part-chart roomy", m);
            figure(narrow, "part part-chart narrow", m);
        }
        None => figure(chart, "part part-chart", m),
    }
}

fn figure(chart: &Chart, class: &'static str, m: &mut Markup) {
    let Some(places) = Places::of(chart) else {
        return text::empty("No values yet", m);
    };
    let stacks = stacks(chart, &places);
    let axis = value_axis(chart, &stacks);
    m.open("figure", class);
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
    reading::write_data(chart, &places, &axis, m);
    m.open("svg", "");
    m.fixed(r#"viewBox="0 0 4000 1000" preserveAspectRatio="none""#);
    m.number_attr("height", i64::from(chart.height.max(40)));
    m.attr("aria-hidden", "true");
    grid(&axis, m);
    for (position, stack) in stacks.iter().enumerate().rev() {
        let series = &chart.series[position];
        let marks: Vec<Mark> = stack.iter().map(|place| place.mark(&axis)).collect();
        ink(series, position).open("g", "", m);
        if chart.shape == ChartShape::Bars {
            bars(chart, &marks, position, &places, m);
        } else {
            lines(&marks, chart.shape == ChartShape::Area, palette_position(series, position), m);
        }
        m.close();
    }
    m.close();
    m.close();
    places::write(chart, &places, m);
    legend(chart, m);
    reading::alternative(chart, &places, m);
    m.close();
}

/// A point's value, if it can be drawn.
pub fn value(point: &Point) -> Option<f64> {
    point.1.filter(|value| value.is_finite())
}

/// One value: at which place of the grid, from where, up to where.
#[derive(Clone, Copy)]
struct Stacked {
    x: i64,
    range: Option<(f64, f64)>,
}

impl Stacked {
    fn mark(self, axis: &ValueAxis) -> Mark {
        Mark { x: self.x, range: self.range.map(|(base, top)| (y(base, axis), y(top, axis))) }
    }
}

/// The values of every series, on top of one another if the chart is stacked.
fn stacks(chart: &Chart, places: &Places) -> Vec<Vec<Stacked>> {
    let stacked = chart.stacked && chart.series.len() > 1;
    let (mut above, mut below) = (Vec::<(i64, f64)>::new(), Vec::<(i64, f64)>::new());
    let mut stacks = Vec::new();
    for series in &chart.series {
        let mut marks = Vec::with_capacity(series.points.len());
        let tops = if series.below { &mut below } else { &mut above };
        for point in &series.points {
            let x = places.x(point.0, chart);
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
            marks.push(Stacked { x, range });
        }
        stacks.push(marks);
    }
    stacks
}

fn value_axis(chart: &Chart, stacks: &[Vec<Stacked>]) -> ValueAxis {
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for (_, top) in stacks.iter().flatten().filter_map(|mark| mark.range) {
        low = low.min(top);
        high = high.max(top);
    }
    let is_mirrored = chart.series.iter().any(|series| series.below);
    let stands_on_zero = chart.from_zero || chart.stacked || is_mirrored || chart.shape == ChartShape::Bars;
    if stands_on_zero {
        low = low.min(0.0);
        high = high.max(0.0);
    }
    if let Some(highest) = chart.highest.filter(|highest| highest.is_finite()) {
        high = highest;
        low = low.min(highest);
    }
    // Equal values are a flat line in the middle, zeros too.
    if !stands_on_zero && low == 0.0 && high == 0.0 {
        (low, high) = (-1.0, 1.0);
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
    let mut steps = String::new();
    for value in values {
        push(&mut steps, 'M', 0, y(value, axis));
        steps.push('H');
        steps.push_str(&WIDTH.to_string());
    }
    path(class, &steps, m);
}

fn lines(marks: &[Mark], filled: bool, position: usize, m: &mut Markup) {
    let (line, area) = strokes::lines(marks);
    if filled {
        path("area", &area, m);
    }
    path(dash_class(position), &line, m);
}

fn path(class: &'static str, steps: &str, m: &mut Markup) {
    m.open("path", class);
    m.attr("d", steps);
    m.close();
}

/// The width of all bars of one place.
pub fn bar_width(places: &Places) -> i64 {
    let slot = WIDTH / places.count;
    (slot * if places.count > 60 { 9 } else { 7 } / 10).max(1)
}

/// A bar for each value; those of one place stand side by side, or on one another.
fn bars(chart: &Chart, marks: &[Mark], position: usize, places: &Places, m: &mut Markup) {
    let group = bar_width(places);
    let side_by_side = if chart.stacked { 1 } else { i64::try_from(chart.series.len()).unwrap_or(1).max(1) };
    let width = (group / side_by_side).max(1);
    let shift = if chart.stacked { 0 } else { width * i64::try_from(position).unwrap_or_default() };
    // Bars of one place do not touch.
    let drawn = if side_by_side > 1 { (width * 9 / 10).max(1) } else { width };
    path("bars", &strokes::bars(marks, shift - group / 2, drawn), m);
}

/// The line of the grid at which a value is.
fn y(value: f64, axis: &ValueAxis) -> i64 {
    strokes::line_of(value, axis.low, axis.span())
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
        m.fixed(r#"type="button" aria-pressed="true" data-series"#);
        swatch(chart, position, series, m);
        m.open("span", "legend-label");
        phrase::write(&series.name, m);
        m.close();
        m.close();
        m.close();
    }
    m.close();
}

/// The sign of a series in a legend.
pub fn swatch(chart: &Chart, position: usize, series: &Series, m: &mut Markup) {
    let line = (chart.shape == ChartShape::Line).then_some(palette_position(series, position));
    ink(series, position).swatch(line, m);
}

fn ink(series: &Series, position: usize) -> Ink<'_> {
    Ink::own(series.color.as_ref(), series.tone, palette_position(series, position))
}

/// Which colour and which dashes of ours a series has.
fn palette_position(series: &Series, position: usize) -> usize {
    series.palette.map_or(position, usize::from)
}

/// What the chart shows.
pub fn title(chart: &Chart) -> String {
    if chart.title.is_empty() { phrase::ours("Chart").to_owned() } else { phrase::plain(&chart.title) }
}
