//! `GET /system-info`: facts about the machine that this server runs on.

use std::sync::Arc;

use axum::{
    extract::State,
    response::{IntoResponse as _, Response},
};
use config::Viewer;
use http::{HeaderValue, StatusCode, header, request::Parts};

use super::error::ApiError;
use crate::{access, panels::Panels};

/// Returns the facts to all signed-in viewers. Guests do not get them, because they would mainly help intruders.
pub async fn system_info(State(panels): State<Arc<Panels>>, request: Parts) -> Response {
    match access::viewer(&request.extensions) {
        Ok(Viewer::User(_) | Viewer::Admin(_)) => {}
        Ok(Viewer::Anonymous | Viewer::Guest) => {
            return ApiError::new(StatusCode::UNAUTHORIZED, "Unauthorized").into_response();
        }
        Err(denied) => return denied.into_response(),
    }
    let facts = panels.own_addresses().system_info().await;
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("application/json")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    (headers, facts).into_response()
}
