//! The bubble with a hint or with the values of a chart. It is the page's bubble for tiles, too.

use std::cell::Cell;

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, KeyboardEvent};

use super::{dom::all, intl};

/// Gap between the bubble and its element, and to the edges of the window, in pixels.
const GAP: f64 = 8.0;

thread_local! {
    /// Whether a bubble is visible, because the pointer leaves elements all the time.
    static SHOWN: Cell<bool> = const { Cell::new(false) };
}

/// Shows our own markup above a point of the window.
pub fn show(html: &str, x: f64, top: f64, bottom: f64) {
    let Some(bubble) = bubble() else { return };
    SHOWN.set(true);
    bubble.set_inner_html(html);
    intl::fill(&bubble);
    bubble.set_hidden(false);
    let size = bubble.get_bounding_client_rect();
    let Some(page) = document().document_element() else { return };
    let room = f64::from(page.client_width()) - size.width() - GAP;
    let left = (x - size.width() / 2.0).min(room).max(GAP);
    let above = top - GAP - size.height();
    let place = if above < GAP { bottom + GAP } else { above };
    set_pixels(&bubble, "left", left);
    set_pixels(&bubble, "top", place);
}

/// Hides the bubble, and the marks of its position. Returns whether there was one.
pub fn hide() -> bool {
    if !SHOWN.replace(false) {
        return false;
    }
    if let Some(bubble) = bubble() {
        bubble.set_hidden(true);
    }
    let Some(page) = document().document_element() else { return true };
    for mark in all(&page, ".panel .cursor") {
        mark.remove();
    }
    for mark in all(&page, ".panel .states > .current") {
        _ = mark.class_list().remove_1("current");
    }
    true
}

/// Shows the hint of an element; for a slice of a ring, its line in the legend.
pub fn show_hint(element: &Element) {
    let html = if element.class_list().contains("slice") {
        let legend = element.closest(".part-donut").ok().flatten().map(|ring| all(&ring, ".legend > li"));
        let position = position(element);
        legend.and_then(|legend| legend.get(position).map(Element::inner_html))
    } else {
        element.query_selector(".hint").ok().flatten().map(|hint| hint.inner_html())
    };
    let Some(html) = html else { return };
    let place = element.get_bounding_client_rect();
    show(&html, place.left() + place.width() / 2.0, place.top(), place.bottom());
}

/// The arrow keys step through a row of states.
pub fn step(states: &Element, event: &KeyboardEvent) {
    let all = all(states, ":scope > li");
    let current = all.iter().position(|state| state.class_list().contains("current"));
    let Some(next) = next_position(&event.key(), current, all.len()) else { return };
    event.prevent_default();
    hide();
    if let Some(state) = all.get(next) {
        _ = state.class_list().add_1("current");
        show_hint(state);
    }
}

/// The position to which a key leads in a row; `None` for other keys.
pub fn next_position(key: &str, current: Option<usize>, count: usize) -> Option<usize> {
    let last = count.checked_sub(1)?;
    match key {
        "ArrowLeft" => Some(current.map_or(last, |current| current.saturating_sub(1))),
        "ArrowRight" => Some(current.map_or(last, |current| (current + 1).min(last))),
        "Home" => Some(0),
        "End" => Some(last),
        _ => None,
    }
}

/// Sets a length in an element's own style, which scripts are allowed to do.
pub fn set_pixels(element: &HtmlElement, property: &str, pixels: f64) {
    // Whole pixels of a window.
    let mut text = (pixels as i32).to_string();
    text.push_str("px");
    _ = element.style().set_property(property, &text);
}

fn position(element: &Element) -> usize {
    let mut position = 0;
    let mut before = element.previous_element_sibling();
    while let Some(sibling) = before {
        position += 1;
        before = sibling.previous_element_sibling();
    }
    position
}

fn bubble() -> Option<HtmlElement> {
    document().get_element_by_id("tooltip")?.dyn_into().ok()
}
