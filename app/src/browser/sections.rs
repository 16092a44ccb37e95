//! Collapse states that are remembered, and the orders of items that only a browser can make.

use std::collections::HashMap;

use config::dashboard::BrowserSort;
use leptos::prelude::*;
use web_sys::{Event, HtmlDetailsElement, HtmlElement};

use super::{
    closest, elements, listen,
    opening::counters,
    preferences::{read, write},
    tiles,
};
use crate::page::PageSettings;

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
        let mut states: HashMap<String, bool> =
            read(COLLAPSE_STATE).and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
        states.insert(key, open);
        if let Ok(text) = serde_json::to_string(&states) {
            write(COLLAPSE_STATE, Some(&text));
        }
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
    let counts = counters(key);
    reorder(section, |tile| {
        let count = tiles::counter_id(tile).and_then(|id| counts.get(&id).copied());
        -(count.unwrap_or_default() as f64)
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
