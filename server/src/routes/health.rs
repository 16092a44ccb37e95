//! `GET /healthz`: whether the server is well, open to everybody.

use std::sync::Arc;

use axum::{Json, extract::State, response::IntoResponse};
use http::header;
use serde_json::json;

use crate::routes::portico::Portico;

/// Answers status, uptime in whole seconds and version (docs/spec/behaviour.md 22).
pub async fn health(State(portico): State<Arc<Portico>>) -> impl IntoResponse {
    let body = json!({
        "status": "ok",
        "uptime": portico.started.elapsed().as_secs(),
        "version": env!("CARGO_PKG_VERSION"),
    });
    ([(header::CACHE_CONTROL, "no-store")], Json(body))
}
