//! Collapse states that are remembered, and the orders of items that only a browser can make.

use config::dashboard::BrowserSort;
use js_sys::Reflect;
use leptos::prelude::*;
use wasm_bindgen::JsValue;
use web_sys::{Event, HtmlDetailsElement, HtmlElement};

use super::{
    closest, elements, listen,
    preferences::{read_object, write_object},
    tiles,
};
use crate::{page::PageSettings, parts::live::property};

/// Storage key of the collapse states: a mapping from the section's key to "is open".
const COLLAPSE_STATE: &str = "collapseState";

/// The states were applied by a script before the first paint; from now on every change is kept. During a search
/// sections open by themselves, which is not the person's choice.
pub(super) fn restore_and_keep(settings: &PageSettings) {
    if settings.single_section {
        return;
    }
    listen(&document(), "click", false, |event: Event| {
        let Some(details) = closest(&event, "summary.section-heading")
            .and_then(|summary| summary.parent_element())
            .and_then(|details| wasm_bindgen::JsCast::dyn_into::<HtmlDetailsElement>(details).ok())
        else {
            return;
        };
        let Some(key) = details.get_attribute("data-key") else { return };
        // The click is answered before the element toggles.
        let open = !details.open();
        let states = read_object(COLLAPSE_STATE);
        _ = Reflect::set(&states, &JsValue::from_str(&key), &open.into());
        write_object(COLLAPSE_STATE, &states);
    });
}

/// Puts the tiles of sections with a usage order, or a random one, into that order.
pub(super) fn sort(settings: &PageSettings) {
    for &(section, order) in &settings.sorted {
        match order {
            BrowserSort::None => {}
            BrowserSort::Random => reorder(section, |_| js_sys::Math::random()),
            BrowserSort::MostUsed => by_counter(section, "mostUsed"),
            BrowserSort::LastUsed => by_counter(section, "lastUsed"),
        }
    }
}

fn by_counter(section: usize, key: &str) {
    let counts = read_object(key);
    reorder(section, |tile| {
        let count = tiles::counter_id(tile).and_then(|id| property(&counts, &id).as_f64());
        -count.unwrap_or_default()
    });
}

/// Moves the tiles into the order of a rank; equal ranks keep the file's order.
fn reorder(section: usize, rank: impl Fn(&HtmlElement) -> f64) {
    let mut tiles: Vec<(f64, HtmlElement)> =
        elements(&format!("#s-{section} .items > *")).into_iter().map(|tile| (rank(&tile), tile)).collect();
    tiles.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    for (_, tile) in tiles {
        if let Some(parent) = tile.parent_element() {
            _ = parent.append_child(&tile);
        }
    }
}
