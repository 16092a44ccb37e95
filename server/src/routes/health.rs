//! `GET /healthz`: the health check, open to everyone.

use axum::{Json, extract::State, response::IntoResponse};
use http::{Uri, header};
use serde_json::json;

use super::state::Started;

/// Responds with the status, the uptime in whole seconds and the version (docs/spec/behaviour.md 22).
pub async fn health(State(Started(started)): State<Started>) -> impl IntoResponse {
    let body = json!({
        "status": "ok",
        "uptime": started.elapsed().as_secs(),
        "version": env!("CARGO_PKG_VERSION"),
    });
    ([(header::CACHE_CONTROL, "no-store")], Json(body))
}

/// Whether a request asks for the health check, below whatever path prefix.
pub fn is_check(uri: &Uri) -> bool {
    uri.path().ends_with("/healthz")
}
