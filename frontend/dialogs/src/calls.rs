//! Requests to the server.

use app::{
    JsJson,
    browser::root,
    editing::{EditorRejection, EditorResponse},
    property,
};
use config::json::{FromJson, Json as _};
use gloo_net::http::{Request, Response};
use js_sys::{Array, Function};
use leptos::{prelude::window, server_fn::ServerFn};
use serde::Serialize;
use wasm_bindgen::{JsCast, JsValue};

use crate::{page::base, texts::t};

/// Calls a server function of the editor: its type has the path, the arguments and the answer.
///
/// # Errors
///
/// Why it was refused, as a sentence.
pub async fn call<F, T>(function: &F) -> Result<T, String>
where
    F: ServerFn<Output = EditorResponse<T>> + Serialize,
    T: FromJson,
{
    let Ok(body) = serde_json::to_string(function) else { return Err(failed()) };
    let request = Request::post(&[&base(), F::PATH].concat())
        .header("Content-Type", "application/json")
        .header("Accept", "application/json")
        .body(body);
    let Ok(request) = request else { return Err(failed()) };
    let Ok(response) = request.send().await else { return Err(unreachable()) };
    let answer = JsJson::parse(&response.text().await.unwrap_or_default());
    if let Some(done) = answer.as_ref().and_then(|answer| T::from_json(&answer.member("done")?)) {
        return Ok(done);
    }
    let refused = answer.as_ref().and_then(|answer| EditorRejection::from_json(&answer.member("refused")?));
    Err(refused.map_or_else(|| problem_of(&response, answer), |refused| refused.message))
}

/// Why a response is not what was asked for, as a sentence.
pub fn problem_of(response: &Response, answer: Option<JsJson>) -> String {
    if response.status() == 401 {
        return t("Your sign-in has ended. Sign in again, then open this menu once more.");
    }
    // Without a message, a proxy in front of the server has responded.
    answer.and_then(|answer| answer.member("message")?.text()).unwrap_or_else(failed)
}

/// What to say when there is no response.
pub fn unreachable() -> String {
    t("The server cannot be reached. Try again in a moment.")
}

fn failed() -> String {
    t("The server failed; its log says why.")
}

/// A point in time as the viewer's browser writes it. `time` is in milliseconds since 1970, or a text that a browser reads.
pub fn time_text(time: &JsValue) -> String {
    let date = js_sys::Date::new(time);
    // English pages use the date format of the browser's region.
    let language = root().get_attribute("lang").unwrap_or_default();
    let own = window().navigator().language().unwrap_or_default();
    let format =
        if own.starts_with(&language) || language == "zz-pirate" { JsValue::UNDEFINED } else { language.into() };
    let function = property(&date, "toLocaleString").dyn_into::<Function>();
    let written = function.and_then(|function| function.apply(&date, &Array::of1(&format)));
    written.ok().and_then(|text| text.as_string()).unwrap_or_default()
}
