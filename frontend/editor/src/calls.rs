//! Calls of the server functions in `app::editing`. Leptos' own client would turn the statuses of refusals into errors.

use app::editing::{EditorRefusal, EditorResponse, RefusalKind};
use gloo_net::http::Request;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Calls a server function.
///
/// # Errors
///
/// The server refused the call, or cannot be reached.
pub async fn call<T: DeserializeOwned>(base: &str, function: &str, arguments: &Value) -> Result<T, EditorRefusal> {
    let request = Request::post(&format!("{base}/fn/{function}"))
        .header("Content-Type", "application/json")
        .header("Accept", "application/json")
        .body(arguments.to_string());
    let Ok(request) = request else { return Err(unreachable()) };
    let Ok(response) = request.send().await else { return Err(unreachable()) };
    let status = response.status();
    let Ok(text) = response.text().await else { return Err(unreachable()) };
    match serde_json::from_str(&text) {
        Ok(EditorResponse::Done(done)) => Ok(done),
        Ok(EditorResponse::Refused(refusal)) => Err(refusal),
        Err(_) => Err(refusal_of_proxy(status, &text)),
    }
}

/// The schema of a config.
///
/// # Errors
///
/// It cannot be loaded.
pub async fn schema(base: &str) -> Result<Value, EditorRefusal> {
    let Ok(response) = Request::get(&format!("{base}/schema.json")).send().await else { return Err(unreachable()) };
    let text = response.text().await.unwrap_or_default();
    serde_json::from_str(&text).map_err(|_| refusal_of_proxy(response.status(), &text))
}

/// The refusal of something in front of the server functions, such as a proxy.
fn refusal_of_proxy(status: u16, text: &str) -> EditorRefusal {
    let told = serde_json::from_str::<Value>(text).ok();
    let told = told.as_ref().and_then(|body| body["message"].as_str());
    let (kind, message) = match (status, told) {
        (401, _) => (RefusalKind::SignIn, "Your sign-in has ended."),
        (400..500, Some(message)) => (RefusalKind::Forbidden, message),
        _ => (RefusalKind::Failed, "The server failed; its log says why. Your draft is kept."),
    };
    EditorRefusal { kind, message: message.to_owned(), problems: Vec::new() }
}

fn unreachable() -> EditorRefusal {
    let message = "The server cannot be reached. Your draft is kept in this browser; try again in a moment.".to_owned();
    EditorRefusal { kind: RefusalKind::Failed, message, problems: Vec::new() }
}
