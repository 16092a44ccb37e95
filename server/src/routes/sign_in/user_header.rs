//! The user header of a trusted proxy, which nobody else can send (docs/spec/behavior.md 19.3).

use std::sync::Arc;

use axum::{
    Json,
    extract::{Request, State},
    response::{IntoResponse as _, Response},
};
use http::{HeaderName, header, request::Parts};
use serde_json::json;

use crate::{
    access::{AccessControl, SignInMethod, proxy},
    routes::{app_state::AppState, peer::auth_request},
    store::Store,
};

/// `GET /get-user`: the user named by a trusted proxy; empty for everyone else (docs/spec/behavior.md 19.3).
pub async fn get_user(
    State(access_control): State<Arc<AccessControl>>,
    State(store): State<Arc<Store>>,
    request: Parts,
) -> Response {
    let site = store.site();
    let named = match access_control.policy(&site).kind {
        SignInMethod::Proxy(proxy) => proxy::user(proxy, auth_request(&request.headers, &request.extensions)),
        _ => None,
    };
    let body = named.map_or_else(|| json!({}), |user| json!({ "success": true, "user": user }));
    ([(header::CACHE_CONTROL, "no-store")], Json(body)).into_response()
}

/// Removes the user header from requests that do not come from a trusted proxy, before anything can read it
/// (docs/spec/behavior.md 19.3).
pub fn strip_user_header(portico: &AppState, request: &mut Request) {
    let header = {
        let site = portico.store.site();
        match portico.access_control.policy(&site).kind {
            SignInMethod::Proxy(settings) => {
                let parts = auth_request(request.headers(), request.extensions());
                (!proxy::is_trusted(settings, parts)).then(|| settings.user_header.parse::<HeaderName>().ok()).flatten()
            }
            _ => None,
        }
    };
    if let Some(name) = header {
        while request.headers_mut().remove(&name).is_some() {}
    }
}
