//! `GET /widget-frame/{page}/{section}/{widget}`: the documents in frames that show content written in the config file.

use std::sync::Arc;

use app::backend::WidgetAddress;
use axum::{
    extract::{Path, State, rejection::PathRejection},
    response::{IntoResponse as _, Response},
};
use config::Viewer;
use http::{HeaderMap, HeaderValue, StatusCode, header, request::Parts};
use widgets::{
    Kind,
    panel::{Embedded, SafeUrl},
};

use super::{app_state::AppState, headers::is_unchanged, pages};
use crate::{
    access,
    http_client::{HttpRequest, Purpose},
    panels::{PlannedWidget, embedded},
    platform::assets::etag,
    store::user_files,
};

/// Maximum size of a script or a page that is put into a document, in bytes.
const MAX_SOURCE: usize = 4 * 1024 * 1024;
/// Embedded content of other sites may know the origin of the dashboard, but not the page.
const REFERRER: HeaderValue = HeaderValue::from_static("strict-origin-when-cross-origin");

/// Returns one document to viewers who may see its widget. For others, it does not exist.
pub async fn widget_frame(
    State(portico): State<Arc<AppState>>,
    path: Result<Path<(String, usize, usize)>, PathRejection>,
    request: Parts,
) -> Response {
    let find = |viewer: &Viewer| {
        let Path((page, section, widget)) = path.ok()?;
        let slot = WidgetAddress { page, section, widget, kind: Kind::HtmlEmbed.name().to_owned() };
        pages::planned(&portico, viewer, &slot)
    };
    respond(&portico, &request, find).await
}

/// The document of the widget that `find` returns for the viewer; 404 if there is no such widget or document.
pub async fn respond(
    portico: &AppState,
    request: &Parts,
    find: impl FnOnce(&Viewer) -> Option<Arc<PlannedWidget>> + Send,
) -> Response {
    let planned = match access::viewer(&request.extensions) {
        Ok(viewer) => find(&viewer),
        Err(denied) => return denied.into_response(),
    };
    let document = match planned {
        Some(planned) => document(portico, &planned, request).await,
        None => None,
    };
    document.unwrap_or_else(|| (StatusCode::NOT_FOUND, [(header::CACHE_CONTROL, "no-store")]).into_response())
}

/// The markup at an address: one of the user's files, or on the web. What is wrong goes into the log.
async fn markup(portico: &AppState, planned: &PlannedWidget, url: &SafeUrl) -> Option<String> {
    if !url.is_remote() {
        let found = user_files::source(portico.store.directory(), url.as_str(), &[".html", ".htm"], MAX_SOURCE).await;
        if found.is_none() {
            tracing::warn!("html-embed: there is no page `{}` in the user-data directory", url.as_str());
        }
        return found;
    }
    let request = HttpRequest {
        timeout: planned.entry.timeout,
        max_bytes: MAX_SOURCE,
        accept_invalid_certs: planned.entry.insecure,
        ..HttpRequest::get(Purpose::Configured, url.as_str())
    };
    match portico.http_client.send(request).await {
        Ok(reply) if reply.status.is_success() => Some(String::from_utf8_lossy(&reply.body).into_owned()),
        Ok(reply) => {
            tracing::warn!("html-embed: `htmlSrc` responded with {}", reply.status);
            None
        }
        Err(error) => {
            tracing::warn!("html-embed: `htmlSrc` cannot be loaded: {error}");
            None
        }
    }
}

/// The document of a widget, with the policy that isolates it; `None` if it has none.
async fn document(portico: &AppState, planned: &PlannedWidget, request: &Parts) -> Option<Response> {
    let (content, rights) = portico.panels.embedded(planned)?;
    let own = content.script_src.as_ref().filter(|url| !url.is_remote() && rights == embedded::Rights::Scripts);
    let file = match own {
        Some(url) => user_files::source(portico.store.directory(), url.as_str(), &[".js"], MAX_SOURCE).await,
        None => None,
    };
    let html = match &content.html_src {
        // The author of a page on another host may not show our files to its viewers, nor have this server fetch any.
        Some(url) if planned.page_host.is_none() => markup(portico, planned, url).await,
        _ => None,
    };
    let content = &Embedded { html: html.or_else(|| content.html.clone()), ..content.clone() };
    if let Some(url) = own.filter(|_| file.is_none()) {
        tracing::warn!("html-embed: there is no script `{}` in the user-data directory", url.as_str());
    }
    let body = embedded::document(content, rights, file.as_deref());
    let tag = etag(body.as_bytes());
    let mut headers = HeaderMap::new();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    headers.insert(header::ETAG, tag.clone());
    headers.insert(header::REFERRER_POLICY, REFERRER);
    if let Ok(policy) = HeaderValue::try_from(rights.policy()) {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    if is_unchanged(&request.headers, &tag) {
        return Some((StatusCode::NOT_MODIFIED, headers).into_response());
    }
    Some((headers, body).into_response())
}
