//! Shows the values of a chart at the position of the pointer or the keys, from the data in the plot's markup
//! ([`crate::parts::chart_text::readings`]).

use js_sys::Array;
use leptos::prelude::*;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, HtmlElement, KeyboardEvent};
use widgets::{
    Moment,
    panel::{Decimals, Unit},
};

use super::{
    dom::{number_attribute, property},
    plot::PlotData,
    series, tip,
};
use crate::parts::{markup::markup, number::Number, path::WIDTH, scale, time::Time, value::DASH};

/// The position of the keys, as an attribute of the plot.
const PLACE: &str = "data-place";

/// The width of the grid of the drawing.
const GRID: f64 = WIDTH as f64;

/// Shows the values nearest to an x position in the window.
pub fn show_at_pointer(plot: &Element, x: f64) {
    let Some(readings) = PlotData::of(plot) else { return };
    let area = plot.get_bounding_client_rect();
    let wanted = (x - area.left()) / area.width() * GRID;
    let places = readings.places();
    let distance = |position: &usize| (places[*position] - wanted).abs();
    let nearest = (0..places.len()).min_by(|left, right| distance(left).total_cmp(&distance(right)));
    if let Some(position) = nearest {
        show(plot, &readings, places[position], position);
    }
}

/// The arrow keys go from value to value, starting at the latest.
pub fn on_key(plot: &Element, event: &KeyboardEvent) {
    let Some(readings) = PlotData::of(plot) else { return };
    let places = readings.places();
    let current = number_attribute(plot, PLACE);
    if let Some(next) = tip::next_position(&event.key(), current, places.len()) {
        event.prevent_default();
        show(plot, &readings, places[next], next);
    }
}

fn show(plot: &Element, readings: &PlotData, x: f64, position: usize) {
    _ = plot.set_attribute(PLACE, &position.to_string());
    let area = plot.get_bounding_client_rect();
    let left = area.width() * x / GRID;
    if let Some(cursor) = cursor(plot) {
        tip::set_pixels(&cursor, "left", left);
    }
    tip::show(&reading(plot, readings, position), area.left() + left, area.top(), area.bottom());
}

/// The time or label, and the value of each visible series there.
fn reading(plot: &Element, readings: &PlotData, position: usize) -> String {
    let at = |list: &Array| u32::try_from(position).map_or(JsValue::UNDEFINED, |position| list.get(position));
    let place = match at(&readings.list("labels")).as_string() {
        Some(label) => label,
        None => markup(time(readings, position)),
    };
    let unit = scale::unit_of(&property(&readings.0, "unit").as_string().unwrap_or_default());
    let decimals = decimals(readings);
    let value_of = |series: &JsValue| at(&property(series, "values").dyn_into().unwrap_or_default());
    let mut series = readings.list("series").to_vec();
    let mut shown = series::visible(plot).into_iter();
    series.retain(|_| shown.next() != Some(false));
    let stack = property(&readings.0, "stack");
    let sum: f64 = series.iter().filter_map(|series| value_of(series).as_f64()).sum();
    // If the values are already percentages, another percentage would be confusing.
    let has_shares = stack.is_object() && sum > 0.0 && unit != Unit::Percent;
    let mut html = ["<p class=\"tooltip-title\">", &place, "</p>"].concat();
    for series in &series {
        let value = value_of(series);
        // Null is a gap; but if the series has ended, a line for it is not worthwhile.
        if value.is_undefined() || value == JsValue::FALSE {
            continue;
        }
        let value = value.as_f64();
        let share = value.filter(|_| has_shares).map(|value| value / sum * 100.0);
        html.push_str("<p class=\"tooltip-value\">");
        html.push_str(&property(series, "mark").as_string().unwrap_or_default());
        html.push_str(&markup(amount(value, &unit, decimals, share)));
        html.push_str("</p>");
    }
    if let Some(word) = property(&stack, "total").as_string() {
        html.push_str(&markup(view! {
            <p class="tooltip-value tooltip-total">
                <span>{word}</span>
                {amount(Some(sum), &unit, decimals, None)}
                {has_shares.then(|| view! { <small></small> })}
            </p>
        }));
    }
    html
}

/// The time at a position. Each time is stored as the difference from the previous one.
fn time(readings: &PlotData, position: usize) -> impl IntoView + use<> {
    let millis: f64 = readings.list("times").iter().take(position + 1).filter_map(|step| step.as_f64()).sum();
    let style = match property(&readings.0, "style").as_string().as_deref() {
        Some("date") => "date",
        Some("precise") => "precise",
        _ => "exact",
    };
    // Whole milliseconds.
    let at = Moment::from_millis(millis as i64);
    view! { <Time at style/> }
}

/// A value, or a placeholder if there is none, and its share of the sum in percent.
fn amount(value: Option<f64>, unit: &Unit, decimals: Decimals, share: Option<f64>) -> impl IntoView + use<> {
    let number = value.map(|value| view! { <Number value unit decimals/> });
    let share = share.map(|share| {
        view! { <small><Number value=share unit=&Unit::Percent decimals=Decimals::Exactly(1)/></small> }
    });
    view! { <strong>{number}{value.is_none().then_some(DASH)}</strong>{share} }
}

fn decimals(readings: &PlotData) -> Decimals {
    // Our own markup contains them: small, and never negative.
    let count = |name: &str| property(&readings.0, name).as_f64().map(|count| count as u8);
    match (count("exactly"), count("significant")) {
        (Some(count), _) => Decimals::Exactly(count),
        (_, Some(count)) => Decimals::Significant(count),
        _ => Decimals::Usual,
    }
}

/// The vertical line at the position, created when first needed.
fn cursor(plot: &Element) -> Option<HtmlElement> {
    let cursor = match plot.query_selector(".cursor").ok()? {
        Some(cursor) => cursor,
        None => {
            let cursor = document().create_element("i").ok()?;
            cursor.set_class_name("cursor");
            plot.append_child(&cursor).ok()?;
            cursor
        }
    };
    cursor.dyn_into().ok()
}
