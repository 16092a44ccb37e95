//! The drawing of a chart: its grid, and the lines, areas or bars of its series.

use leptos::{either::Either, prelude::*};
use widgets::panel::{self, ChartShape};

use super::{
    color::dash_class,
    markup::maybe_class,
    path::{self, Mark, WIDTH, push},
    series::{palette_position, series_color, value},
    x_axis::XAxis,
    y_axis::YAxis,
};

/// One value in the drawing: its x position, and where it starts and ends.
#[derive(Clone, Copy)]
pub struct Stacked {
    x: i64,
    range: Option<(f64, f64)>,
}

impl Stacked {
    fn mark(self, axis: &YAxis) -> Mark {
        Mark { x: self.x, range: self.range.map(|(base, top)| (axis.y(base), axis.y(top))) }
    }
}

/// The values of every series, stacked if the chart is.
pub fn stacks(chart: &panel::Chart, x_axis: &XAxis) -> Vec<Vec<Stacked>> {
    let stacked = chart.stacked && chart.series.len() > 1;
    let (mut above, mut below) = (Vec::<(i64, f64)>::new(), Vec::<(i64, f64)>::new());
    let mut stacks = Vec::new();
    for series in &chart.series {
        let mut marks = Vec::with_capacity(series.points.len());
        let tops = if series.below { &mut below } else { &mut above };
        for point in &series.points {
            let x = x_axis.x(point.0, chart);
            let range = value(point).map(|value| {
                let value = if series.below { -value } else { value };
                if !stacked {
                    return (0.0, value);
                }
                match tops.iter_mut().find(|(at, _)| *at == x) {
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

/// The axis that fits all values.
pub fn y_axis(chart: &panel::Chart, stacks: &[Vec<Stacked>]) -> YAxis {
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
    // Equal values are a flat line in the middle, even if they are all zero.
    if !stands_on_zero && low == 0.0 && high == 0.0 {
        (low, high) = (-1.0, 1.0);
    }
    YAxis::new(low, high, &chart.unit)
}

/// The drawing. It has its own fixed grid, which the browser stretches to the section.
#[component]
pub fn ChartDrawing<'a>(
    chart: &'a panel::Chart,
    stacks: &'a [Vec<Stacked>],
    x_axis: &'a XAxis,
    y_axis: &'a YAxis,
) -> impl IntoView {
    // If there are positive and negative values, all of them start at the zero line.
    let has_zero = y_axis.low < 0.0 && y_axis.low + y_axis.span() > 0.0;
    let drawn = |(position, stack): (usize, &Vec<Stacked>)| {
        let marks: Vec<Mark> = stack.iter().map(|value| value.mark(y_axis)).collect();
        view! { <SeriesDrawing chart position marks x_axis/> }
    };
    // The first series is in front.
    let series: Vec<_> = stacks.iter().enumerate().rev().map(drawn).collect();
    view! {
        <svg
            viewBox="0 0 4000 1000"
            preserveAspectRatio="none"
            height=chart.height.max(40).to_string()
            aria-hidden="true"
        >
            <path class="grid" d=levels(y_axis.values(), y_axis)></path>
            {has_zero.then(|| view! { <path class="grid zero" d=levels(std::iter::once(0.0), y_axis)></path> })}
            {series}
        </svg>
    }
}

/// Lines across the whole width.
fn levels(values: impl Iterator<Item = f64>, axis: &YAxis) -> String {
    let mut steps = String::new();
    for value in values {
        push(&mut steps, 'M', 0, axis.y(value));
        steps.push('H');
        steps.push_str(&WIDTH.to_string());
    }
    steps
}

#[component]
fn SeriesDrawing<'a>(chart: &'a panel::Chart, position: usize, marks: Vec<Mark>, x_axis: &'a XAxis) -> impl IntoView {
    let series = &chart.series[position];
    let color = series_color(series, position);
    let drawing = if chart.shape == ChartShape::Bars {
        Either::Left(view! { <path class="bars" d=bars(chart, &marks, position, x_axis)></path> })
    } else {
        let (line, area) = path::lines(&marks);
        let area = (chart.shape == ChartShape::Area).then(|| view! { <path class="area" d=area></path> });
        Either::Right(view! {
            {area}
            <path class=dash_class(palette_position(series, position)) d=line></path>
        })
    };
    view! { <g {maybe_class(color.class(""))} color=color.css()>{drawing}</g> }
}

/// The total width of the bars at one x position.
pub fn bar_width(axis: &XAxis) -> i64 {
    let slot = WIDTH / axis.count;
    (slot * if axis.count > 60 { 9 } else { 7 } / 10).max(1)
}

/// A bar for each value; those at the same x position are side by side or stacked.
fn bars(chart: &panel::Chart, marks: &[Mark], position: usize, axis: &XAxis) -> String {
    let group = bar_width(axis);
    let side_by_side = if chart.stacked { 1 } else { i64::try_from(chart.series.len()).unwrap_or(1).max(1) };
    let width = (group / side_by_side).max(1);
    let shift = if chart.stacked { 0 } else { width * i64::try_from(position).unwrap_or_default() };
    // Bars at the same x position do not touch.
    let drawn = if side_by_side > 1 { (width * 9 / 10).max(1) } else { width };
    path::bars(marks, shift - group / 2, drawn)
}
