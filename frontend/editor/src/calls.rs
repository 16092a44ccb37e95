//! Calls of the server functions in `app::editing`. Leptos' own client would turn the statuses of refusals into errors.

use app::{
    JsJson,
    editing::{EditorRejection, RejectionKind},
};
use config::json::{FromJson, Json as _};
use gloo_net::http::Request;
use serde_json::Value;

use crate::texts::t;

/// What calls a server function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Caller {
    /// The editor, whose draft is kept if a call fails.
    Editor,
    /// The local config, outside of edit mode.
    LocalConfig,
}

impl Caller {
    fn unreachable(self) -> EditorRejection {
        let message = match self {
            Self::Editor => {
                t("The server cannot be reached. Your draft is kept in this browser; try again in a moment.")
            }
            Self::LocalConfig => t("The server cannot be reached. Try again in a moment."),
        };
        EditorRejection { kind: RejectionKind::Failed, message, problems: Vec::new() }
    }

    /// The rejection of something in front of the server functions, such as a proxy.
    fn rejection_of_proxy(self, status: u16, answer: Option<JsJson>) -> EditorRejection {
        let told = answer.and_then(|body| body.member("message")?.text());
        let (kind, message) = match (status, told) {
            (401, _) => (RejectionKind::SignIn, self.signed_out()),
            (400..500, Some(message)) => (RejectionKind::Forbidden, message),
            _ => (RejectionKind::Failed, self.failed()),
        };
        EditorRejection { kind, message, problems: Vec::new() }
    }

    /// Reads the result of a call.
    ///
    /// # Errors
    ///
    /// It is none of this type.
    pub fn read<T: FromJson>(self, result: &JsJson) -> Result<T, EditorRejection> {
        T::from_json(result).ok_or_else(|| self.rejection_of_proxy(0, None))
    }

    fn signed_out(self) -> String {
        match self {
            Self::Editor => t("Your sign-in has ended."),
            Self::LocalConfig => t("Your sign-in has ended. Sign in again in another tab, then continue here."),
        }
    }

    fn failed(self) -> String {
        match self {
            Self::Editor => t("The server failed; its log says why. Your draft is kept."),
            Self::LocalConfig => t("The server failed; its log says why."),
        }
    }
}

/// Calls a server function for the editor.
///
/// # Errors
///
/// The server refused the call, or cannot be reached.
pub async fn call<T: FromJson>(base: &str, function: &str, arguments: &Value) -> Result<T, EditorRejection> {
    let done = call_by(Caller::Editor, base, function, arguments).await?;
    Caller::Editor.read(&done)
}

/// Calls a server function. Returns its result as JSON.
///
/// # Errors
///
/// The server refused the call, or cannot be reached.
pub async fn call_by(caller: Caller, base: &str, function: &str, arguments: &Value) -> Result<JsJson, EditorRejection> {
    let request = Request::post(&format!("{base}/fn/{function}"))
        .header("Content-Type", "application/json")
        .header("Accept", "application/json")
        .body(arguments.to_string());
    let Ok(request) = request else { return Err(caller.unreachable()) };
    let Ok(response) = request.send().await else { return Err(caller.unreachable()) };
    let Ok(text) = response.text().await else { return Err(caller.unreachable()) };
    // `app::editing::EditorResponse`.
    let answer = JsJson::parse(&text);
    if let Some(done) = answer.as_ref().and_then(|answer| answer.member("done")) {
        return Ok(done);
    }
    let refused = answer.as_ref().and_then(|answer| EditorRejection::from_json(&answer.member("refused")?));
    Err(refused.unwrap_or_else(|| caller.rejection_of_proxy(response.status(), answer)))
}

/// The schema of a config.
///
/// # Errors
///
/// It cannot be loaded.
pub async fn schema(base: &str) -> Result<Value, EditorRejection> {
    let caller = Caller::Editor;
    let Ok(response) = Request::get(&format!("{base}/schema.json")).send().await else {
        return Err(caller.unreachable());
    };
    let text = response.text().await.unwrap_or_default();
    serde_json::from_str(&text).map_err(|_| caller.rejection_of_proxy(response.status(), JsJson::parse(&text)))
}
