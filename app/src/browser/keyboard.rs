//! The keys of the whole page (docs/spec/behavior.md 7).

use std::sync::Arc;

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, HtmlInputElement, KeyboardEvent};

use super::{
    element, elements,
    opening::open_in_frame,
    search::{ResultKey, search_web, use_results},
    tiles::{TILES, focus_first_tile, visible_tiles},
};
use crate::page::{PageSettings, PageState};

/// The code of keys that an input method handles, where the browser does not say that it composes.
const COMPOSING: u32 = 229;

pub(super) fn install(state: PageState, settings: &Arc<PageSettings>) {
    let settings = Arc::clone(settings);
    super::listen(&document(), "keydown", false, move |event: KeyboardEvent| on_key(state, &settings, &event));
}

fn on_key(state: PageState, settings: &PageSettings, event: &KeyboardEvent) {
    if event.default_prevented() || dialog_is_open() {
        return;
    }
    let active = document().active_element();
    let in_search = active.as_ref().is_some_and(|node| node.id() == "search");
    let key = event.key();
    if event.is_composing() || event.key_code() == COMPOSING {
        // Escape ends the composition. Browsers would empty the box too, as it is one for searches.
        if key == "Escape" && in_search {
            event.prevent_default();
        }
        return;
    }
    if key == "Escape" {
        if !state.query.with_untracked(String::is_empty) {
            state.clear_query();
            event.prevent_default();
        } else if in_search {
            blur(active.as_ref());
        }
        return;
    }
    if in_search {
        if key == "ArrowDown" {
            event.prevent_default();
            use_results(ResultKey::Focus, state, settings);
        } else if key == "Enter" && event.shift_key() {
            event.prevent_default();
            search_web(state, settings);
        }
        return;
    }
    if active.as_ref().is_some_and(takes_text) {
        return;
    }
    if key == "Enter" && event.alt_key() {
        if let Some(tile) = active.filter(|node| node.matches(TILES).unwrap_or_default()) {
            event.prevent_default();
            open_in_frame(state, tile.unchecked_ref());
        }
        return;
    }
    if event.ctrl_key() || event.meta_key() || event.alt_key() {
        return;
    }
    let mut characters = key.chars();
    match (key.as_str(), characters.next(), characters.next()) {
        ("?", ..) => state.keys_shown.set(true),
        ("ArrowLeft" | "ArrowRight" | "ArrowUp" | "ArrowDown", ..)
            if active.as_ref().is_none_or(|node| !is_radio(node)) =>
        {
            move_focus(event, &key, active.as_ref());
        }
        (_, Some(digit), None) if digit.is_ascii_digit() => open_hotkey(digit, event),
        (_, Some(letter), None) if letter.is_alphabetic() || "/:!".contains(letter) => {
            // The character itself is typed into the box: the focus moves before the key's default action. The slash is
            // the key that the box shows, so it is no part of the text.
            if letter == '/' {
                event.prevent_default();
                state.by_slash.set_value(state.query.with_untracked(String::is_empty));
            }
            if let Some(search) = element("search") {
                _ = search.focus();
            }
        }
        _ => {}
    }
}

fn dialog_is_open() -> bool {
    document().query_selector("dialog[open]").ok().flatten().is_some()
}

fn takes_text(node: &Element) -> bool {
    let tag = node.tag_name();
    let is_input = tag.eq_ignore_ascii_case("input")
        && !matches!(node.get_attribute("type").as_deref(), Some("radio" | "checkbox" | "button" | "submit"));
    is_input
        || tag.eq_ignore_ascii_case("textarea")
        || tag.eq_ignore_ascii_case("select")
        || node.unchecked_ref::<HtmlElement>().is_content_editable()
}

fn is_radio(node: &Element) -> bool {
    node.dyn_ref::<HtmlInputElement>().is_some_and(|input| input.type_() == "radio")
}

fn blur(node: Option<&Element>) {
    if let Some(node) = node.and_then(|node| node.dyn_ref::<HtmlElement>()) {
        _ = node.blur();
    }
}

fn open_hotkey(digit: char, event: &KeyboardEvent) {
    if let Some(tile) = elements(&format!("#content a[data-hotkey=\"{digit}\"]")).first() {
        event.prevent_default();
        tile.click();
    }
}

/// Moves between tiles: left and right in page order, up and down to the nearest tile of the next row; both wrap
/// around.
fn move_focus(event: &KeyboardEvent, key: &str, active: Option<&Element>) {
    let tiles = visible_tiles();
    let Some(current) = tiles.iter().position(|tile| active.is_some_and(|node| node.is_same_node(Some(tile)))) else {
        // If no tile has the focus, up scrolls the page as usual.
        if ["ArrowRight", "ArrowDown"].contains(&key) {
            event.prevent_default();
            focus_first_tile();
        }
        return;
    };
    let last = tiles.len() - 1;
    let next = match key {
        "ArrowLeft" => current.checked_sub(1).unwrap_or(last),
        "ArrowRight" if current == last => 0,
        "ArrowRight" => current + 1,
        _ => row_neighbor(&tiles, current, key == "ArrowDown"),
    };
    event.prevent_default();
    _ = tiles[next].focus();
}

fn row_neighbor(tiles: &[HtmlElement], current: usize, down: bool) -> usize {
    let centers: Vec<(f64, f64)> = tiles
        .iter()
        .map(|tile| {
            let rect = tile.get_bounding_client_rect();
            (rect.left() + rect.width() / 2.0, rect.top() + rect.height() / 2.0)
        })
        .collect();
    let direction = if down { 1.0 } else { -1.0 };
    let (x, y) = centers[current];
    let height_of = |position: usize| tiles[position].get_bounding_client_rect().height();
    let height = height_of(current);
    // Sideways distance counts double, because the key means straight up or down.
    let nearest = |accept: &dyn Fn(f64) -> bool| {
        let cost = |(cx, cy): (f64, f64)| (cx - x).abs() * 2.0 + (cy - y).abs();
        (0..tiles.len())
            .filter(|&position| accept((centers[position].1 - y) * direction))
            .min_by(|&a, &b| cost(centers[a]).total_cmp(&cost(centers[b])))
    };
    nearest(&|ahead| ahead > height / 2.0)
        .or_else(|| {
            // Past the end: the opposite row, in the same column if possible. A row is as high as its own tiles.
            let ahead = |position: usize| centers[position].1 * direction;
            let far = (0..tiles.len()).min_by(|&a, &b| ahead(a).total_cmp(&ahead(b)))?;
            let edge = ahead(far) + height_of(far) / 2.0;
            (0..tiles.len())
                .filter(|&position| ahead(position) < edge)
                .min_by(|&a, &b| (centers[a].0 - x).abs().total_cmp(&(centers[b].0 - x).abs()))
        })
        .unwrap_or(current)
}
