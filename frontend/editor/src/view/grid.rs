//! Keys in a grid of elements that are laid out in rows.

use app::browser::root;
use leptos::prelude::document;
use wasm_bindgen::JsCast as _;
use web_sys::{Element, HtmlElement, KeyboardEvent};

/// The elements inside another one that match a selector.
pub fn cells(place: &Element, selector: &str) -> Vec<HtmlElement> {
    let Ok(list) = place.query_selector_all(selector) else { return Vec::new() };
    (0..list.length()).filter_map(|position| list.item(position)?.dyn_into().ok()).collect()
}

/// The position of the element that has the focus.
pub fn focused(cells: &[HtmlElement]) -> Option<usize> {
    let active = document().active_element()?;
    cells.iter().position(|cell| active.is_same_node(Some(cell)))
}

/// Whether an element is in the first row.
pub fn is_in_first_row(cells: &[HtmlElement], position: usize) -> bool {
    cells[position].get_bounding_client_rect().top() < cells[0].get_bounding_client_rect().bottom()
}

/// Moves the focus with a key.
pub fn move_focus(event: &KeyboardEvent, cells: &[HtmlElement]) {
    let Some(at) = focused(cells) else { return };
    if event.ctrl_key() || event.meta_key() || event.alt_key() {
        return;
    }
    let is_reversed = root().get_attribute("dir").as_deref() == Some("rtl");
    let (before, after) = (at.checked_sub(1), Some(at + 1));
    let next = match event.key().as_str() {
        "ArrowRight" => if is_reversed { before } else { after }.and_then(|position| cells.get(position)),
        "ArrowLeft" => if is_reversed { after } else { before }.and_then(|position| cells.get(position)),
        "Home" => cells.first(),
        "End" => cells.last(),
        "ArrowDown" => in_next_row(&cells[at], cells[at + 1..].iter()),
        "ArrowUp" => in_next_row(&cells[at], cells[..at].iter().rev()),
        _ => return,
    };
    event.prevent_default();
    if let Some(next) = next {
        _ = next.focus();
    }
}

/// The element of the nearest row that is closest to a column. `others` has the nearest first.
fn in_next_row<'a>(from: &HtmlElement, others: impl Iterator<Item = &'a HtmlElement>) -> Option<&'a HtmlElement> {
    let place = from.get_bounding_client_rect();
    let (top, left) = (place.top(), place.left());
    let mut row = None;
    let mut best: Option<(f64, &HtmlElement)> = None;
    for cell in others {
        let place = cell.get_bounding_client_rect();
        if (place.top() - top).abs() <= 1.0 {
            continue;
        }
        if (place.top() - *row.get_or_insert(place.top())).abs() > 1.0 {
            break;
        }
        let distance = (place.left() - left).abs();
        if best.is_none_or(|(shortest, _)| distance < shortest) {
            best = Some((distance, cell));
        }
    }
    best.map(|(_, cell)| cell)
}
