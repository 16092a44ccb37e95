//! Elements, attributes and properties of the page.

use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, Event};

/// All elements inside an element that match a selector, in the order of the page.
pub fn all(root: &Element, selector: &str) -> Vec<Element> {
    let Ok(list) = root.query_selector_all(selector) else { return Vec::new() };
    (0..list.length()).filter_map(|position| list.item(position)?.dyn_into().ok()).collect()
}

/// The nearest ancestor (or itself) of an event's target that matches a selector.
pub fn closest(event: &Event, selector: &str) -> Option<Element> {
    event.target()?.dyn_into::<Element>().ok()?.closest(selector).ok()?
}

/// An attribute that is a whole number.
pub fn number_attribute(element: &Element, name: &str) -> Option<usize> {
    let number = number(&element.get_attribute(name)?);
    // Written by the page's script or our own markup: small, and never negative.
    number.is_finite().then_some(number as usize)
}

/// Parses a number with the browser's parser, because the one in the standard library is larger.
pub fn number(text: &str) -> f64 {
    js_sys::Number::from(JsValue::from_str(text)).value_of()
}

/// A property of an object of the browser; undefined if there is none.
pub fn property(object: &JsValue, name: &str) -> JsValue {
    js_sys::Reflect::get(object, &JsValue::from_str(name)).unwrap_or(JsValue::UNDEFINED)
}
