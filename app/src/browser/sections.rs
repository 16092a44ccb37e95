//! Remembered collapse states, and the orders of items that only a browser can apply.

use std::collections::BinaryHeap;

use config::dashboard::BrowserSort;
use js_sys::Reflect;
use leptos::prelude::*;
use wasm_bindgen::JsValue;
use web_sys::{Event, HtmlDetailsElement, HtmlElement};

use super::{
    closest, elements, listen,
    storage::{COLLAPSE_STATE, LAST_USED, MOST_USED, read_object, write_object},
    tiles,
};
use crate::{page::PageSettings, parts::live::property};

/// A script has applied the states before the first paint; this stores every change from now on. During a search,
/// sections open automatically, which is not the user's choice.
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
        // The click is handled before the element toggles.
        let open = !details.open();
        let states = read_object(COLLAPSE_STATE);
        _ = Reflect::set(&states, &JsValue::from_str(&key), &open.into());
        write_object(COLLAPSE_STATE, &states);
    });
}

/// Sorts the tiles of sections with an order by usage, or a random one.
pub(super) fn sort(settings: &PageSettings) {
    for &(section, order) in &settings.sorted {
        match order {
            BrowserSort::None => {}
            BrowserSort::Random => reorder(section, &|_| js_sys::Math::random().to_bits()),
            BrowserSort::MostUsed => by_counter(section, MOST_USED),
            BrowserSort::LastUsed => by_counter(section, LAST_USED),
        }
    }
}

fn by_counter(section: usize, key: &str) {
    let counts = read_object(key);
    reorder(section, &|tile| {
        let count = tiles::counter_id(tile).and_then(|id| property(&counts, &id).as_f64());
        u64::MAX - count.unwrap_or_default().to_bits()
    });
}

/// Sorts the tiles by a rank; tiles of equal rank keep the file's order. The bits of numbers from 0 on are in the order of the
/// numbers. A heap sorts, because the code that sorts slices is a hundredth of the bundle.
fn reorder(section: usize, rank: &dyn Fn(&HtmlElement) -> u64) {
    let tiles = elements(&format!("#s-{section} .items > *"));
    let ranks: BinaryHeap<_> = tiles.iter().map(rank).zip(0_usize..).collect();
    for (_, index) in ranks.into_sorted_vec() {
        let tile = &tiles[index];
        if let Some(parent) = tile.parent_element() {
            _ = parent.append_child(tile);
        }
    }
}
