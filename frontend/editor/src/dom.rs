//! Elements of the page.

use wasm_bindgen::JsCast as _;
use web_sys::{Element, Event};

/// The nearest ancestor of an element, or itself, that matches a selector.
pub fn closest(element: &Element, selector: &str) -> Option<Element> {
    element.closest(selector).ok().flatten()
}

/// Whether an element matches a selector.
pub fn matches(element: &Element, selector: &str) -> bool {
    element.matches(selector).unwrap_or_default()
}

/// The element that an event happened to.
pub fn target(event: &Event) -> Option<Element> {
    event.target()?.dyn_into().ok()
}

/// The position at the end of the id of an element.
pub fn number(element: &Element) -> usize {
    element.id().rsplit('-').next().and_then(|number| number.parse().ok()).unwrap_or_default()
}
