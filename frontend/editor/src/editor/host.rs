//! Calls of the host, `frontend/edit.js`.

use js_sys::{Function, Reflect};
use wasm_bindgen::{JsCast as _, JsValue};

/// A property of the host, as text.
pub fn host_text(host: &JsValue, name: &str) -> Option<String> {
    Reflect::get(host, &name.into()).ok()?.as_string()
}

/// Calls a function of the host; logs its exception.
pub(super) fn host_call(host: &JsValue, name: &str, arguments: &[JsValue]) {
    let function = Reflect::get(host, &name.into()).ok().and_then(|function| function.dyn_into::<Function>().ok());
    let Some(function) = function else { return };
    if let Err(error) = function.apply(host, &arguments.iter().collect::<js_sys::Array>()) {
        leptos::logging::error!("{error:?}");
    }
}
