//! The REST API (docs/spec/api.md): config files as JSON.
//!
//! It has its own router: every failure below `/api/` must be JSON, whatever the rest of the address is, and the
//! order of checks is fixed (docs/spec/api.md 2). `admit` checks what must hold before routing; the rest is
//! checked by the arguments of the handlers, in their order.

mod address;
mod body;
mod change;
mod endpoint;
mod extract;
mod files;
mod items;
mod keys;
mod load;
mod openapi;
mod origin;
mod response;
mod schemas;
mod sections;

use std::sync::Arc;

use axum::{
    Router,
    extract::Request,
    response::{IntoResponse as _, Response},
};
use http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use tower::ServiceExt as _;

pub(crate) use self::body::read_json;
pub(super) use self::change::{check_version, save_draft, version_of};
pub use self::{
    openapi::description,
    origin::{is_cross_site, is_from_own_page},
};
use crate::{
    access::Proof,
    routes::{
        app_state::AppState, error::ApiError, known_hosts, peer::auth_request, router_state::RouterState, with_names,
    },
};

/// The API below a path prefix.
#[derive(Clone)]
pub struct Api {
    portico: Arc<AppState>,
    routes: Router,
}

impl Api {
    /// The API of this server.
    pub fn new(state: RouterState) -> Self {
        let portico = Arc::clone(&state.0);
        let routes = endpoint::routes()
            .fallback(|| async { ApiError::not_found("Not found") })
            .method_not_allowed_fallback(method_not_allowed)
            .with_state(state);
        Self { portico, routes: with_names(routes) }
    }

    /// The path of a request for the API's router; `None` if it is not below `/api`.
    pub fn path(&self, request: &Request) -> Option<String> {
        address::below_api(request.uri().path(), &self.portico.settings.base).map(address::routed)
    }

    /// Responds to a request for a path returned by [`path`](Self::path).
    pub async fn respond(&self, path: &str, mut request: Request) -> Response {
        // A part of an address is itself a valid one; otherwise it has no route.
        *request.uri_mut() = address::with_path(request.uri(), path).unwrap_or_default();
        let mut response = match admit(&self.portico, &mut request).await {
            Ok(()) => {
                let Ok(response) = self.routes.clone().oneshot(request).await;
                response
            }
            Err(error) => error.into_response(),
        };
        complete(response.headers_mut());
        response
    }
}

/// Adds the headers of every response (docs/spec/api.md 10). The router adds the methods that it has routes for.
fn complete(headers: &mut HeaderMap) {
    let methods = headers.get(header::ALLOW).and_then(|methods| methods.to_str().ok());
    if let Some(methods) = methods.map(|methods| format!("{}, OPTIONS", methods.replace(',', ", ")))
        && let Ok(methods) = HeaderValue::try_from(methods)
    {
        headers.insert(header::ALLOW, methods);
    }
    for (name, value) in response::COMMON {
        headers.insert(name, value);
    }
}

/// Passes a request on to its route, with its sender. Anyone may ask which methods a path supports.
async fn admit(portico: &AppState, request: &mut Request) -> Result<(), ApiError> {
    if !portico.settings.enable_api {
        return Err(ApiError::not_found("API not enabled, set ENABLE_API=true to turn it on"));
    }
    if request.method() == Method::OPTIONS {
        return Ok(());
    }
    let site = portico.store.site();
    let caller = portico.access_control.caller(&site, auth_request(request.headers(), request.extensions())).await?;
    if caller.proof() == Proof::Nothing {
        known_hosts::check(request.extensions())?;
    }
    request.extensions_mut().insert(caller);
    Ok(())
}

/// The response to an unsupported method, and to the question which methods are supported. The router adds `Allow`.
async fn method_not_allowed(method: Method) -> Response {
    if method == Method::OPTIONS {
        return StatusCode::NO_CONTENT.into_response();
    }
    ApiError::new(StatusCode::METHOD_NOT_ALLOWED, format!("{method} is not allowed here")).into_response()
}
