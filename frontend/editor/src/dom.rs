//! Elements and timers of the page.

use std::time::Duration;

use js_sys::Promise;
use leptos::prelude::{document, window};
use wasm_bindgen::JsCast as _;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Document, Element, Event};

/// The id of the element that contains the editor.
pub const ELEMENT: &str = "editor";

/// Waits.
pub async fn wait(duration: Duration) {
    let milliseconds = i32::try_from(duration.as_millis()).unwrap_or(i32::MAX);
    let pause = Promise::new(&mut |done, _| {
        _ = window().set_timeout_with_callback_and_timeout_and_arguments_0(&done, milliseconds);
    });
    _ = JsFuture::from(pause).await;
}

/// The elements of a document that match a selector.
pub fn all_in(document: &Document, selector: &str) -> Vec<Element> {
    let Ok(list) = document.query_selector_all(selector) else { return Vec::new() };
    (0..list.length()).filter_map(|position| list.item(position)?.dyn_into().ok()).collect()
}

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

/// Loads a style sheet that the page may not have, such as that of widgets.
pub fn load_style_sheet(href: &str) {
    if document().query_selector(&format!("link[rel=stylesheet][href='{href}']")) != Ok(None) {
        return;
    }
    if let (Ok(link), Some(head)) = (document().create_element("link"), document().head()) {
        _ = link.set_attribute("rel", "stylesheet");
        _ = link.set_attribute("href", href);
        _ = head.append_child(&link);
    }
}
