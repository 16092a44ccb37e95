//! The masonry layout for browsers that do not support it: each section spans as many thin grid rows as it is high. An
//! inline script of the page decides in which column it stands (`app/src/document/inline/state.js`). Without scripts, the
//! style sheet falls back to text columns.

use config::dashboard::Layout;
use js_sys::Reflect;
use leptos::prelude::*;
use wasm_bindgen::{JsCast, JsValue, prelude::Closure};
use web_sys::{HtmlElement, ResizeObserver};

use super::{element, elements};
use crate::{SETTINGS_ELEMENT, page::PageState};

/// Height of a grid row in pixels; the style sheet has the same number.
const ROW: f64 = 4.0;

/// Follows the layout and the heights of the sections.
pub(super) fn install(state: PageState) {
    let on_resize = Closure::<dyn FnMut()>::new(pack);
    let Ok(observer) = ResizeObserver::new(on_resize.as_ref().unchecked_ref()) else { return };
    on_resize.forget();
    // So that the page's loader can stop it if the bundle fails.
    if let Some(settings) = element(SETTINGS_ELEMENT) {
        _ = Reflect::set(&settings, &JsValue::from_str("sizes"), &observer);
    }
    Effect::new(move |_| {
        observer.disconnect();
        state.changes.track();
        let Some(content) = element("content") else { return };
        let packed = state.layout.get() == Layout::Masonry;
        _ = content.toggle_attribute_with_force("data-packed", packed);
        if packed {
            // Immediately, not when the observer first reports sizes: until then all sections would overlap.
            pack();
            for body in elements("#content > section > details") {
                observer.observe(&body);
            }
        }
    });
}

fn pack() {
    let sections = elements("#content[data-packed] > section");
    // Read all heights before setting any: one layout instead of one per section.
    let rows: Vec<f64> = sections.iter().map(rows_of).collect();
    for (section, rows) in sections.iter().zip(rows) {
        _ = section.style().set_property("--packed-rows", &(rows as u32).to_string());
    }
}

fn rows_of(section: &HtmlElement) -> f64 {
    let margin = window().get_computed_style(section).ok().flatten().and_then(|style| {
        // The number parser of the standard library would noticeably enlarge the bundle.
        Some(js_sys::Number::parse_float(&style.get_property_value("margin-block-end").ok()?))
            .filter(|px| px.is_finite())
    });
    ((f64::from(section.offset_height()) + margin.unwrap_or_default()) / ROW).ceil()
}
