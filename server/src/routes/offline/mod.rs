//! Offline use and installation as an app (docs/spec/behavior.md 21): the worker and its scripts, the manifest, and
//! the rules for copies in browsers.
//!
//! Every page, and every response that the worker may keep, names its owner in the header `portico-copy`: `none`, or a
//! key with the number of seconds for which copies may be shown, and `while-open` if they must be gone when the browser is
//! closed. A response without this header is not from this server.

mod exported;
mod manifest;
mod scripts;

use std::sync::Arc;

use axum::{
    extract::{Path, Request, State},
    response::{IntoResponse as _, Response},
};
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};

pub(super) use self::manifest::backgrounds;
use self::scripts::Script;
pub use self::{
    exported::{ExportedScripts, KeptFiles},
    manifest::{MAX_MANIFESTS, Manifests, manifest},
    scripts::OfflineScripts,
};
use super::{app_state::AppState, error::ApiError, files, headers::is_unchanged};
use crate::{
    access::{
        authentication::{Authentication, authentication_of},
        copy_owner::CopyOwner,
    },
    platform::encoding::Encoding,
    store::Site,
};

/// The header that names the owner of a response, and how long it may be kept.
const COPY: HeaderName = HeaderName::from_static("portico-copy");
const NO_COPY: HeaderValue = HeaderValue::from_static("none");
/// The worker sends requests only to this server.
const WORKER_POLICY: HeaderValue = HeaderValue::from_static("default-src 'none'; connect-src 'self'");

/// The parts that the config turns on.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Switches {
    /// `enableServiceWorker`.
    pub worker: bool,
    /// `enableAuthProxyCompat`.
    pub compat: bool,
}

impl Switches {
    /// The switches of the main config.
    pub fn of(site: &Site) -> Self {
        site.root.as_ref().map_or_else(Self::default, |root| Self {
            worker: root.config.app.enable_service_worker,
            compat: root.config.app.enable_auth_proxy_compat,
        })
    }
}

/// `GET /service-worker.js`: the worker, or while it is off, one that removes it. Both are open: a browser requests
/// them by itself, and they reveal nothing about the dashboard.
pub async fn worker(State(portico): State<Arc<AppState>>, request: HeaderMap) -> Response {
    let site = portico.store.site();
    if site.root.is_none() {
        // The config cannot be read, so the browser keeps its worker.
        return ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "the config cannot be read").into_response();
    }
    let is_on = Switches::of(&site).worker;
    let script = if is_on { portico.offline.worker() } else { portico.offline.removal() };
    worker_response(script, &request)
}

/// `GET /sw.js`: the path of the worker of newer versions of Dashy, which would show Dashy until it is removed.
pub async fn foreign_worker(State(portico): State<Arc<AppState>>, request: HeaderMap) -> Response {
    worker_response(portico.offline.removal(), &request)
}

/// `GET /offline/page-….js`: the script of pages.
pub async fn script(State(portico): State<Arc<AppState>>, Path(name): Path<String>, request: HeaderMap) -> Response {
    match portico.offline.page(&name) {
        Some(script) => {
            let mut response = response(script, &request);
            let lifetime = HeaderValue::from_static("public, max-age=31536000, immutable");
            response.headers_mut().insert(header::CACHE_CONTROL, lifetime);
            response
        }
        None => files::not_found(&portico, &format!("/offline/{name}"), &request),
    }
}

fn worker_response(script: &Script, request: &HeaderMap) -> Response {
    let mut response = response(script, request);
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, WORKER_POLICY);
    response
}

fn response(script: &Script, request: &HeaderMap) -> Response {
    let mut headers = HeaderMap::new();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/javascript; charset=utf-8"));
    headers.insert(header::VARY, HeaderValue::from_static("Accept-Encoding"));
    headers.insert(header::ETAG, script.etag.clone());
    if is_unchanged(request, &script.etag) {
        return (StatusCode::NOT_MODIFIED, headers).into_response();
    }
    let (body, encoding) = script.body.get(Encoding::accepted(request));
    if let Some(encoding) = encoding.header() {
        headers.insert(header::CONTENT_ENCODING, encoding);
    }
    (headers, body).into_response()
}

/// Names the owner of a response that may be kept, if any of these parts is on.
#[derive(Debug)]
pub struct CopyNotice {
    switches: Switches,
    authentication: Option<Authentication>,
}

impl CopyNotice {
    /// The value of the header for a request whose viewer is known; `None` if the response may not be stored.
    pub fn of(portico: &AppState, request: &Request) -> Option<Self> {
        let switches = Switches::of(&portico.store.site());
        if switches == Switches::default() || !can_be_kept(request.method(), request.uri().path()) {
            return None;
        }
        Some(Self { switches, authentication: authentication_of(request.extensions()).cloned() })
    }

    /// Adds the header.
    pub fn add(self, portico: &AppState, response: &mut Response) {
        let is_success = matches!(response.status(), StatusCode::OK | StatusCode::NOT_MODIFIED);
        let authentication = self.authentication.filter(|_| is_success && self.switches.worker);
        let value = authentication.and_then(|authentication| copy_owner(portico, &authentication)).unwrap_or(NO_COPY);
        response.headers_mut().insert(COPY, value);
    }
}

fn copy_owner(portico: &AppState, authentication: &Authentication) -> Option<HeaderValue> {
    let CopyOwner { mut key, seconds, while_open } = portico.access_control.copy_owner(authentication)?;
    if let Some(seconds) = seconds {
        key.push_str(&format!("; max-age={seconds}"));
    }
    if while_open {
        key.push_str("; while-open");
    }
    HeaderValue::try_from(key).ok()
}

/// Pages, panels, and the items of other pages.
fn can_be_kept(method: &Method, path: &str) -> bool {
    let first = path.trim_start_matches('/').split('/').next().unwrap_or_default();
    let is_page = matches!(first, "" | "home" | "minimal" | "workspace");
    matches!(*method, Method::GET | Method::HEAD) && (is_page || matches!(path, "/fn/panel" | "/fn/items-elsewhere"))
}
