//! What the menus need to know of the page.

use app::browser::root;
use leptos::prelude::{document, window};
use wasm_bindgen::JsValue;
use web_sys::{Element, MouseEvent};

/// Where a menu opens, in pixels of the window.
#[derive(Clone, Copy, Debug, Default)]
pub struct Point {
    /// From the left.
    pub x: f64,
    /// From the top.
    pub y: f64,
}

impl Point {
    /// Where an event happened.
    pub fn of(event: &MouseEvent) -> Self {
        Self { x: event.client_x().into(), y: event.client_y().into() }
    }
}

/// Whether the page is in edit mode.
pub fn is_editing() -> bool {
    root().has_attribute("data-editing")
}

/// The text of an element, without spaces around it.
pub fn text_of(element: Option<&Element>) -> String {
    element.and_then(|element| element.text_content()).map(|text| text.trim().to_owned()).unwrap_or_default()
}

/// The size of the window, in pixels.
pub fn window_size() -> (f64, f64) {
    let size = |size: Result<JsValue, JsValue>| size.ok().and_then(|size| size.as_f64()).unwrap_or_default();
    (size(window().inner_width()), size(window().inner_height()))
}

/// Whether a dialog is open.
pub fn has_dialog() -> bool {
    document().query_selector("dialog[open]").ok().flatten().is_some()
}
