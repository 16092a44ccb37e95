//! Elements and events of the page.

use js_sys::{Function, Object, Reflect};
use leptos::prelude::document;
use wasm_bindgen::{JsCast, JsValue, prelude::Closure};
use web_sys::{Element, Event, EventTarget, HtmlElement};

use crate::parts::live::property;

/// The event that `frontend/stream.js` sends when it has changed the page. Its detail is the page as a document, if it came from
/// the server.
pub(super) const CHANGED: &str = "portico:changed";

/// The `<html>` element.
pub fn root() -> Element {
    document().document_element().expect("a page has a root element")
}

/// Whether the page runs from right to left.
pub fn is_rtl() -> bool {
    root().get_attribute("dir").as_deref() == Some("rtl")
}

/// The element with this id.
pub fn element(id: &str) -> Option<HtmlElement> {
    document().get_element_by_id(id)?.dyn_into().ok()
}

/// The first element that matches a selector.
pub fn first(selector: &str) -> Option<HtmlElement> {
    document().query_selector(selector).ok()??.dyn_into().ok()
}

/// All elements that match a selector, in page order.
pub fn elements(selector: &str) -> Vec<HtmlElement> {
    let Ok(list) = document().query_selector_all(selector) else { return Vec::new() };
    (0..list.length()).filter_map(|position| list.item(position)?.dyn_into().ok()).collect()
}

/// All elements of a type inside an element that match a selector, in page order.
pub fn all<T: JsCast>(place: &Element, selector: &str) -> Vec<T> {
    let Ok(list) = place.query_selector_all(selector) else { return Vec::new() };
    (0..list.length()).filter_map(|position| list.item(position)?.dyn_into().ok()).collect()
}

/// Listens as long as the page lives. `capture` also sees events that do not bubble.
pub fn listen<E: JsCast + 'static>(
    target: &EventTarget,
    event: &str,
    capture: bool,
    mut handler: impl FnMut(E) + 'static,
) {
    let closure = Closure::<dyn FnMut(Event)>::new(move |event: Event| handler(event.unchecked_into()));
    let function = closure.as_ref().unchecked_ref();
    _ = target.add_event_listener_with_callback_and_bool(event, function, capture);
    closure.forget();
}

/// Gives the focus to an element without scrolling to it.
pub fn focus_in_place(element: &HtmlElement) {
    let options = Object::new();
    _ = Reflect::set(&options, &JsValue::from_str("preventScroll"), &JsValue::TRUE);
    if let Ok(focus) = property(element, "focus").dyn_into::<Function>() {
        _ = focus.call1(element, &options);
    }
}

/// The nearest ancestor (or itself) of an event's target that matches a selector.
pub fn closest(event: &Event, selector: &str) -> Option<HtmlElement> {
    event.target()?.dyn_into::<Element>().ok()?.closest(selector).ok()??.dyn_into().ok()
}
