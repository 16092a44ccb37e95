//! Asks a server function of [`crate::backend`] by hand: the status of an answer matters here, which the client of a
//! server function does not tell, and with the browser's own reader of JSON it weighs a quarter.

use gloo_net::http::{Request, RequestBuilder};
use js_sys::JSON;
use wasm_bindgen::JsValue;

use crate::within::AbortOnDrop;

/// Status and answer; none if the server cannot be reached or answers something else.
pub(super) async fn call(base: &str, name: &str, arguments: &str) -> Option<(u16, JsValue)> {
    let request = Request::post(&address(base, name)).header("Content-Type", "application/json");
    send(request, Some(arguments)).await
}

/// The address of a function.
pub(super) fn address(base: &str, name: &str) -> String {
    [base, "/fn/", name].concat()
}

/// Status and answer, as [`call`] gives them; what is refused need not be told in JSON. Anyone who does not wait for it
/// any more ends the request.
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
