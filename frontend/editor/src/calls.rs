//! Calls of the server functions in `app::editing`. Leptos' own client would turn the statuses of refusals into errors.

use app::{
    JsJson,
    editing::{EditorRejection, RejectionKind},
};
use config::json::{FromJson, Json as _};
use gloo_net::http::Request;
use serde_json::Value;

use crate::texts::t;

/// Calls a server function.
///
/// # Errors
///
/// The server refused the call, or cannot be reached.
pub async fn call<T: FromJson>(base: &str, function: &str, arguments: &Value) -> Result<T, EditorRejection> {
    let done = send(base, function, arguments).await?;
    T::from_json(&done).ok_or_else(|| rejection_of_proxy(0, None))
}

/// What a server function returned.
async fn send(base: &str, function: &str, arguments: &Value) -> Result<JsJson, EditorRejection> {
    let request = Request::post(&format!("{base}/fn/{function}"))
        .header("Content-Type", "application/json")
        .header("Accept", "application/json")
        .body(arguments.to_string());
    let Ok(request) = request else { return Err(unreachable()) };
    let Ok(response) = request.send().await else { return Err(unreachable()) };
    let Ok(text) = response.text().await else { return Err(unreachable()) };
    // `app::editing::EditorResponse`.
    let answer = JsJson::parse(&text);
    if let Some(done) = answer.as_ref().and_then(|answer| answer.member("done")) {
        return Ok(done);
    }
    let refused = answer.as_ref().and_then(|answer| EditorRejection::from_json(&answer.member("refused")?));
    Err(refused.unwrap_or_else(|| rejection_of_proxy(response.status(), answer)))
}

/// The schema of a config.
///
/// # Errors
///
/// It cannot be loaded.
pub async fn schema(base: &str) -> Result<Value, EditorRejection> {
    let Ok(response) = Request::get(&format!("{base}/schema.json")).send().await else { return Err(unreachable()) };
    let text = response.text().await.unwrap_or_default();
    serde_json::from_str(&text).map_err(|_| rejection_of_proxy(response.status(), JsJson::parse(&text)))
}

/// The rejection of something in front of the server functions, such as a proxy.
fn rejection_of_proxy(status: u16, answer: Option<JsJson>) -> EditorRejection {
    let told = answer.and_then(|body| body.member("message")?.text());
    let (kind, message) = match (status, told) {
        (401, _) => (RejectionKind::SignIn, t("Your sign-in has ended.")),
        (400..500, Some(message)) => (RejectionKind::Forbidden, message),
        _ => (RejectionKind::Failed, t("The server failed; its log says why. Your draft is kept.")),
    };
    EditorRejection { kind, message, problems: Vec::new() }
}

fn unreachable() -> EditorRejection {
    let message = t("The server cannot be reached. Your draft is kept in this browser; try again in a moment.");
    EditorRejection { kind: RejectionKind::Failed, message, problems: Vec::new() }
}
