//! Calls a server function of [`crate::backend`] by hand: we need the status, which the generated client does not
//! return, and using the browser's own JSON parser makes this a quarter of the size.

use gloo_net::http::{Request, RequestBuilder};
use js_sys::JSON;
use wasm_bindgen::JsValue;

use crate::timeout::AbortOnDrop;

/// Status and result; `None` if the server cannot be reached or does not respond with JSON.
pub(super) async fn call(base: &str, name: &str, arguments: &str) -> Option<(u16, JsValue)> {
    let request = Request::post(&address(base, name)).header("Content-Type", "application/json");
    send(request, Some(arguments)).await
}

/// The address of a function.
pub(super) fn address(base: &str, name: &str) -> String {
    [base, "/fn/", name].concat()
}

/// Status and result, like [`call`]; a rejection need not be JSON. Dropping the future cancels the request.
pub(super) async fn send(request: RequestBuilder, body: Option<&str>) -> Option<(u16, JsValue)> {
    let guard = AbortOnDrop::new();
    let signal = guard.as_ref().map(AbortOnDrop::signal);
    let request = request.header("Accept", "application/json").abort_signal(signal.as_ref());
    let response = match body {
        Some(body) => request.body(body).ok()?.send().await,
        None => request.send().await,
    };
    let response = response.ok()?;
    let status = response.status();
    match JSON::parse(&response.text().await.ok()?) {
        Ok(answer) => Some((status, answer)),
        Err(_) => matches!(status, 400..=499).then_some((status, JsValue::NULL)),
    }
}
