//! The product below one path prefix: the steps for every request before routing, and for every response.
//!
//! These steps are one function, not a stack of middleware: each layer of axum costs every request two boxes and a copy of
//! all layers below it, which was more than the work of the layers themselves.

use std::sync::Arc;

use axum::{
    Router,
    body::Body,
    extract::Request,
    response::{IntoResponse as _, Response},
};
use http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use tower::ServiceExt as _;

use super::{
    api::Api,
    app_state::AppState,
    error::ApiError,
    headers, known_hosts,
    observed::observe,
    offline::CopyNotice,
    peer::peer,
    router_state::RouterState,
    routes,
    sign_in::{identify, strip_user_header},
};
use crate::platform::log;

/// Where Dashy's server sends requests that the caller describes. There is no proxy here; the address is listed so that
/// its response does not depend on that.
const PROXY_ENDPOINTS: [&str; 3] = ["/status-check", "/ping-check", "/cors-proxy"];

/// The product below one path prefix.
pub(super) struct Mount {
    portico: Arc<AppState>,
    api: Api,
    routes: Router,
}

impl Mount {
    /// The product below the prefix of its settings.
    pub fn new(portico: Arc<AppState>) -> Self {
        Self { api: Api::new(RouterState(Arc::clone(&portico))), routes: routes(Arc::clone(&portico)), portico }
    }

    /// Responds to any request.
    pub async fn respond(&self, request: Request) -> Response {
        let sender = peer(request.extensions())
            .map(|peer| self.portico.settings.trusted_proxies.client(peer, request.headers()));
        // Boxed, because the layers around it would each hold all of it on the stack, and the gallery has them twice.
        let respond = |request| Box::pin(self.responded(request));
        log::on_behalf_of(sender, observe(&self.portico, sender, request, respond)).await
    }

    async fn responded(&self, mut request: Request) -> Response {
        // Only requests that change something have a body.
        if request.method().is_safe() {
            *request.body_mut() = Body::empty();
        }
        strip_user_header(&self.portico, &mut request);
        known_hosts::note(&self.portico, &mut request);
        let hsts = headers::hsts(&self.portico.settings, &request);
        let has_no_foreign_opener = headers::has_no_foreign_opener(request.headers());
        let mut response = match self.api.path(&request) {
            Some(path) => self.api.respond(&path, request).await,
            None => self.route(request).await,
        };
        let headers = response.headers_mut();
        if let Some(hsts) = hsts {
            headers.insert(header::STRICT_TRANSPORT_SECURITY, hsts);
        }
        headers::add(headers, has_no_foreign_opener);
        headers::allow_frames(headers, &self.portico.settings.frame_ancestors);
        response
    }

    /// Answers requests that are not below `/api`.
    async fn route(&self, mut request: Request) -> Response {
        below_base(&mut request, &self.portico.settings.base);
        if !self.portico.settings.proxy_endpoints && PROXY_ENDPOINTS.contains(&request.uri().path()) {
            return ApiError::new(StatusCode::FORBIDDEN, "DISABLE_PROXY_ENDPOINTS turns this address off")
                .into_response();
        }
        if let Err(error) = known_hosts::check_change(&request) {
            return error.into_response();
        }
        let set_cookies = identify(&self.portico, &mut request).await;
        let notice = CopyNotice::of(&self.portico, &request);
        let Ok(mut response) = self.routes.clone().oneshot(request).await;
        if let Some(notice) = notice {
            notice.add(&self.portico, &mut response);
        }
        for cookie in set_cookies {
            response.headers_mut().append(header::SET_COOKIE, cookie);
        }
        keep_cookies_private(response.headers_mut());
        response
    }
}

/// Keeps caches from storing a response that sets a cookie and is otherwise for everybody: they would give one viewer's
/// session to the next.
fn keep_cookies_private(headers: &mut HeaderMap) {
    let is_private = |value: &HeaderValue| {
        let mut directives = value.to_str().unwrap_or_default().split(',').map(str::trim);
        directives.any(|directive| ["private", "no-store"].iter().any(|name| directive.eq_ignore_ascii_case(name)))
    };
    if headers.contains_key(header::SET_COOKIE) && !headers.get(header::CACHE_CONTROL).is_some_and(is_private) {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
}

/// Removes the path prefix and ignores a trailing slash. A path outside the prefix becomes one that
/// has no route; the checks of health and readiness work with and without the prefix.
fn below_base(request: &mut Request, base: &str) {
    let path = request.uri().path();
    let rest = match path.strip_prefix(base) {
        Some(rest) if rest.is_empty() || rest.starts_with('/') => rest,
        _ if matches!(path, "/healthz" | "/readyz") => path,
        _ => "/.",
    };
    let trimmed = rest.trim_end_matches('/');
    let rest = if trimmed.is_empty() { "/" } else { trimmed };
    if rest != path {
        let query = request.uri().query().map(|query| format!("?{query}")).unwrap_or_default();
        let mut parts = request.uri().clone().into_parts();
        parts.path_and_query = format!("{rest}{query}").parse().ok();
        if let Ok(uri) = Uri::from_parts(parts) {
            *request.uri_mut() = uri;
        }
    }
}
