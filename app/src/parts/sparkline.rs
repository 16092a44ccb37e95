//! A small line chart without axes.

use leptos::{either::Either, prelude::*};
use widgets::panel::{self, Decimals, Unit};

use super::{
    chart_text::{Extremes, chart_title},
    color::{DrawingColor, level_tone},
    markup::maybe_class,
    notice::Empty,
    path::{WIDTH, push},
    value::Missing,
};

/// The line as its own part.
#[component]
pub fn Sparkline<'a>(sparkline: &'a panel::Sparkline) -> impl IntoView {
    match Extremes::of(values(sparkline)) {
        Some(extremes) => Either::Left(view! {
            <figure class="part part-sparkline">
                <Drawing sparkline class="" extremes/>
                <figcaption class="visually-hidden">{words(extremes)}</figcaption>
            </figure>
        }),
        None => Either::Right(view! { <Empty sentence="No values yet"/> }),
    }
}

/// The line in a table.
#[component]
pub fn CellSparkline<'a>(sparkline: &'a panel::Sparkline) -> impl IntoView {
    match Extremes::of(values(sparkline)) {
        Some(extremes) => Either::Left(view! {
            <Drawing sparkline class="cell-line" extremes/>
            <span class="visually-hidden">{words(extremes)}</span>
        }),
        None => Either::Right(view! { <Missing/> }),
    }
}

fn values(sparkline: &panel::Sparkline) -> impl DoubleEndedIterator<Item = f64> + Clone {
    sparkline.values.iter().flatten().copied().filter(|value| value.is_finite())
}

fn words(extremes: Extremes) -> impl IntoView {
    extremes.words(&Unit::None, Decimals::Significant(4))
}

#[component]
fn Drawing<'a>(sparkline: &'a panel::Sparkline, class: &'static str, extremes: Extremes) -> impl IntoView {
    let (line, area) = paths(&sparkline.values, extremes);
    let color = DrawingColor::new(sparkline.color.as_ref(), level_tone(sparkline.tone), 0);
    view! {
        <svg
            {maybe_class(color.class(class))}
            color=color.css()
            viewBox="0 0 4000 1000"
            preserveAspectRatio="none"
            role="img"
            aria-label=chart_title(&sparkline.title)
        >
            <path class="area" d=area></path>
            <path class="line" d=line></path>
        </svg>
    }
}

/// The line along the values, and the area below it.
fn paths(values: &[Option<f64>], Extremes { lowest, highest, .. }: Extremes) -> (String, String) {
    let (mut line, mut area) = (String::new(), String::new());
    let last = i64::try_from(values.len()).unwrap_or(1).max(2) - 1;
    let finite = |value: &Option<f64>| value.filter(|value| value.is_finite());
    let mut x = 0;
    for run in values.split(|value| finite(value).is_none()) {
        let from = x;
        for value in run.iter().filter_map(finite) {
            // Equal values are a line in the middle.
            let share = if highest > lowest { (value - lowest) / (highest - lowest) } else { 0.5 };
            let y = 950 - (share * 900.0) as i64;
            let letter = if x == from { 'M' } else { 'L' };
            push(&mut line, letter, x * WIDTH / last, y);
            push(&mut area, letter, x * WIDTH / last, y);
            x += 1;
        }
        if !run.is_empty() {
            area.push_str("V1000H");
            area.push_str(&(from * WIDTH / last).to_string());
            area.push('Z');
        }
        if run.len() == 1 {
            line.push_str("h0");
        }
        x += 1;
    }
    (line, area)
}
