//! A click in the legend of a chart removes a series from the drawing, or puts it back.

use js_sys::Array;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::Element;

use super::{
    dom::{all, property},
    plot::PlotData,
};
use crate::parts::path::{self, Mark};

/// The buttons of a legend.
const BUTTONS: &str = ".legend button";

/// Shows or hides the series of a button.
pub fn on_click(button: &Element) {
    set_shown(button, !is_shown(button));
    if let Ok(Some(chart)) = button.closest(".part-chart") {
        draw(&chart);
    }
}

/// Hides in the new charts of a refresh what the viewer has hidden in the current ones. Series are identified by their
/// names, since others may have come or gone.
pub fn keep_hidden(root: &Element, fresh: &Element) {
    for (old, new) in all(root, ".part-chart").iter().zip(&all(fresh, ".part-chart")) {
        let hidden = all(old, BUTTONS).into_iter().filter(|button| !is_shown(button));
        let names: Vec<_> = hidden.map(|button| button.text_content()).collect();
        if names.is_empty() {
            continue;
        }
        for button in all(new, BUTTONS) {
            set_shown(&button, !names.contains(&button.text_content()));
        }
        draw(new);
    }
}

/// Which series of a plot are visible; empty if none can be hidden.
pub fn visible(plot: &Element) -> Vec<bool> {
    let chart = plot.closest(".part-chart").ok().flatten();
    chart.map(|chart| all(&chart, BUTTONS).iter().map(is_shown).collect()).unwrap_or_default()
}

fn is_shown(button: &Element) -> bool {
    button.get_attribute("aria-pressed").as_deref() == Some("true")
}

fn set_shown(button: &Element, is_shown: bool) {
    _ = button.set_attribute("aria-pressed", if is_shown { "true" } else { "false" });
}

/// Draws the visible series; stacks are computed without the hidden ones.
fn draw(chart: &Element) {
    let Ok(Some(plot)) = chart.query_selector(".plot") else { return };
    let Some(readings) = PlotData::of(&plot) else { return };
    let number = |name: &str| property(&property(&readings.0, "stack"), name).as_f64();
    let stack = number("low").zip(number("span"));
    let places = readings.places();
    let mut tops = vec![0.0; places.len()];
    // The first series is drawn last, so that it is in front.
    let series = readings.list("series");
    for ((button, group), series) in all(chart, BUTTONS).iter().zip(all(&plot, "g").iter().rev()).zip(series.iter()) {
        if !is_shown(button) {
            _ = group.set_attribute("display", "none");
            continue;
        }
        _ = group.remove_attribute("display");
        let Some((low, span)) = stack else { continue };
        let values: Array = property(&series, "values").dyn_into().unwrap_or_default();
        let mut marks = Vec::new();
        for ((x, top), value) in places.iter().zip(&mut tops).zip(values.iter()) {
            if value == JsValue::FALSE {
                continue;
            }
            let range = value.as_f64().map(|value| {
                let base = *top;
                *top += value;
                (path::line_of(base, low, span), path::line_of(*top, low, span))
            });
            // Whole units of the grid.
            marks.push(Mark { x: *x as i64, range });
        }
        let steps = match number("bar").map(|width| width as i64) {
            Some(width) => [path::bars(&marks, -width / 2, width), String::new()],
            None => {
                let (line, area) = path::lines(&marks);
                [area, line]
            }
        };
        for (path, steps) in all(group, "path").iter().zip(&steps) {
            _ = path.set_attribute("d", steps);
        }
    }
}
