//! What the views use of the browser: its history, scrolling, and clicks.

use js_sys::{Object, Reflect};
use wasm_bindgen::{JsCast as _, JsValue, prelude::wasm_bindgen};
use web_sys::{Element, MouseEvent};

#[wasm_bindgen]
extern "C" {
    /// An element that can be scrolled with options.
    type Scrolled;

    #[wasm_bindgen(method, js_name = scrollIntoView)]
    fn scroll_into_view(this: &Scrolled, options: &JsValue);

    #[wasm_bindgen(method, js_name = scrollBy)]
    fn scroll_by(this: &Scrolled, options: &JsValue);

    /// Adds an entry to the history of the tab.
    #[wasm_bindgen(js_namespace = history, js_name = pushState)]
    pub fn push_state(state: &JsValue, title: &str, address: &str);

    /// Replaces the current entry of the history of the tab.
    #[wasm_bindgen(js_namespace = history, js_name = replaceState)]
    pub fn replace_state(state: &JsValue, title: &str, address: &str);
}

fn object(entries: &[(&str, JsValue)]) -> Object {
    let object = Object::new();
    for (name, value) in entries {
        _ = Reflect::set(&object, &JsValue::from_str(name), value);
    }
    object
}

/// Scrolls no further than needed to see an element.
pub fn bring_into_view(element: &Element) {
    let options = object(&[("block", "nearest".into()), ("inline", "nearest".into())]);
    element.unchecked_ref::<Scrolled>().scroll_into_view(&options);
}

/// Scrolls an element sideways, by so many pixels.
pub fn scroll_sideways(element: &Element, distance: f64) {
    let options = object(&[("left", distance.into()), ("behavior", "smooth".into())]);
    element.unchecked_ref::<Scrolled>().scroll_by(&options);
}

/// Whether a click has its usual meaning. With a key it may open a tab or a window.
pub fn is_plain(event: &MouseEvent) -> bool {
    !(event.ctrl_key() || event.meta_key() || event.shift_key() || event.alt_key())
}
