//! The values of a chart at the place that the pointer or the keys are at.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, KeyboardEvent};
use widgets::panel::Chart;

use super::{number_attribute, tip, with_chart};
use crate::parts::{Surroundings, chart::Places, markup::Markup, reading::reading};

/// Where the keys are, as an attribute of the plot.
const PLACE: &str = "data-place";

/// Shows the values nearest to a place in the window.
pub fn show_at_pointer(plot: &Element, x: f64) {
    let area = plot.get_bounding_client_rect();
    with_chart(plot, |chart| {
        let Some(places) = Places::of(chart) else { return };
        // The window is far smaller than the numbers are large.
        #[allow(clippy::cast_possible_truncation)]
        let wanted = ((x - area.left()) / area.width() * 1000.0) as i64;
        let points = points(chart);
        let nearest =
            (0..points.len()).min_by_key(|position| places.per_mille(points[*position], chart).abs_diff(wanted));
        if let Some(position) = nearest {
            show(plot, chart, &places, &points, position);
        }
    });
}

/// The arrows go from value to value, from the latest one backwards.
pub fn on_key(plot: &Element, event: &KeyboardEvent) {
    with_chart(plot, |chart| {
        let Some(places) = Places::of(chart) else { return };
        let points = points(chart);
        let current = number_attribute(plot, PLACE);
        if let Some(next) = tip::next_position(&event.key(), current, points.len()) {
            event.prevent_default();
            show(plot, chart, &places, &points, next);
        }
    });
}

fn show(plot: &Element, chart: &Chart, places: &Places, points: &[i64], position: usize) {
    let Some(at) = points.get(position).copied() else { return };
    _ = plot.set_attribute(PLACE, &position.to_string());
    let surroundings = Surroundings::default();
    let mut m = Markup::new(&surroundings);
    reading(chart, places, at, &mut m);
    let area = plot.get_bounding_client_rect();
    // A share of some thousand pixels.
    #[allow(clippy::cast_precision_loss)]
    let x = area.width() * places.per_mille(at, chart) as f64 / 1000.0;
    if let Some(cursor) = cursor(plot) {
        tip::set_pixels(&cursor, "left", x);
    }
    tip::show(&m.finish(), area.left() + x, area.top(), area.bottom());
}

/// The upright line at the place, made when it is needed first.
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

/// The places of the longest series.
fn points(chart: &Chart) -> Vec<i64> {
    let longest = chart.series.iter().max_by_key(|series| series.points.len());
    longest.map(|series| series.points.iter().map(|point| point.0).collect()).unwrap_or_default()
}
