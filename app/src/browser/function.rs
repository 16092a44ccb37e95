//! Asks a server function of [`crate::backend`] by hand: the status of an answer matters here, which the client of a
//! server function does not tell, and with the browser's own reader of JSON it weighs a quarter.

use gloo_net::http::Request;
use js_sys::JSON;
use wasm_bindgen::JsValue;

/// Status and answer; none if the server cannot be reached or answers something else.
pub(super) async fn call(base: &str, name: &str, arguments: &str) -> Option<(u16, JsValue)> {
    let request = Request::post(&format!("{base}/fn/{name}")).header("Content-Type", "application/json");
    let response = request.body(arguments).ok()?.send().await.ok()?;
    let answer = JSON::parse(&response.text().await.ok()?).ok()?;
    Some((response.status(), answer))
}
