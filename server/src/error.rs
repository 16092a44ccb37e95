//! The only JSON error body, and the one place where failures become HTTP.

use axum::{
    Json,
    response::{IntoResponse, Response},
};
use http::StatusCode;
use serde_json::json;

/// A failure as a client of the API or a script sees it: `{ "success": false, "message": … }` (api.md 7).
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("{message}")]
pub struct ApiError {
    /// Status of the answer.
    pub status: StatusCode,
    /// One sentence for a person, without secrets and paths.
    pub message: String,
}

impl ApiError {
    /// A failure with a message.
    pub fn new(status: StatusCode, message: impl Into<String>) -> Self {
        Self { status, message: message.into() }
    }

    /// A failure of our own. The client learns nothing; the reason is logged here, once.
    pub fn internal(reason: &dyn std::error::Error) -> Self {
        let mut text = reason.to_string();
        let mut source = reason.source();
        while let Some(cause) = source {
            text.push_str(": ");
            text.push_str(&cause.to_string());
            source = cause.source();
        }
        tracing::error!("internal error: {text}");
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal error, see the server's log")
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let body = Json(json!({ "success": false, "message": self.message }));
        (self.status, [(http::header::CACHE_CONTROL, "no-store")], body).into_response()
    }
}
