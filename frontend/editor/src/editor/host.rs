//! Calls of the host, `frontend/edit.js`.

use js_sys::{Function, Promise, Reflect};
use wasm_bindgen::{JsCast as _, JsValue};

use crate::page_view::Stream;

/// A property of the host, as text.
pub fn host_text(host: &JsValue, name: &str) -> Option<String> {
    Reflect::get(host, &name.into()).ok()?.as_string()
}

/// The module `frontend/stream.js`.
pub fn host_stream(host: &JsValue) -> Option<Stream> {
    let stream = Reflect::get(host, &"stream".into()).ok()?;
    (!stream.is_undefined()).then(|| stream.unchecked_into())
}

/// Calls a function of the host; logs its exception.
pub fn host_call(host: &JsValue, name: &str, arguments: &[JsValue]) {
    let function = Reflect::get(host, &name.into()).ok().and_then(|function| function.dyn_into::<Function>().ok());
    let Some(function) = function else { return };
    if let Err(error) = function.apply(host, &arguments.iter().collect::<js_sys::Array>()) {
        leptos::logging::error!("{error:?}");
    }
}

/// Calls a function of the host that returns a promise.
pub(super) fn host_promise(host: &JsValue, name: &str) -> Option<Promise> {
    let function: Function = Reflect::get(host, &name.into()).ok()?.dyn_into().ok()?;
    function.call0(host).ok()?.dyn_into().ok()
}
