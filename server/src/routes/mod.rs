//! Every path, in one list.

pub mod api;
pub mod app_state;
pub mod backend;
pub mod compression;
pub mod connections;
mod editing;
mod editor_files;
pub mod error;
pub mod events;
pub mod export;
mod file_stream;
pub mod files;
mod found;
pub mod framed;
mod functions;
mod gallery;
pub mod headers;
pub mod health;
mod importing;
mod item_addresses;
pub mod known_hosts;
mod language;
mod manage;
pub mod metrics;
mod mount;
pub mod new_version;
mod observed;
pub mod offline;
pub mod own_page;
pub mod pages;
pub mod peer;
mod prefixes;
mod request_body;
mod router_state;
pub mod save;
pub mod schema;
pub mod sign_in;
pub mod status_check;
pub mod system_info;
#[cfg(test)]
mod tests;
pub mod themes;
pub mod tls;
mod user_files;
mod widget_draft;
pub mod widget_draft_frame;
pub mod widget_frame;
pub mod widget_picture;
mod widget_write;

use std::sync::Arc;

use axum::{
    Router,
    extract::{Path, Request, State, rejection::PathRejection},
    response::{IntoResponse, Response},
    routing::{any, get, post},
};
use config::Viewer;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use tower::util::MapRequestLayer;

use self::{app_state::AppState, functions::Functions, prefixes::Prefixes, router_state::RouterState};
use crate::{
    access,
    icons::{IconResponse, Icons, Lifetime, collection::Collection, drawing::nothing},
    platform::{assets::etag, metrics::metrics, spans},
    store::GALLERY_PATH,
};

/// The product as served by listeners, under the path prefix of the settings and those named by proxies.
pub fn router(portico: Arc<AppState>) -> Router {
    Prefixes::new(portico).into()
}

/// All routes below the path prefix except those of the API.
fn routes(portico: Arc<AppState>) -> Router {
    let functions = Arc::new(Functions::new(Arc::clone(&portico)));
    let function = move |request: Request| {
        let functions = Arc::clone(&functions);
        async move { functions.call(request).await }
    };
    let routes = Router::new()
        .route("/", get(pages::landing))
        .route("/home", get(pages::home))
        .route("/home/{page}", get(pages::page))
        .route("/home/{page}/{section}", get(pages::section))
        .route("/home/{page}/{section}/{widget}", get(pages::widget))
        .route("/minimal", get(pages::minimal))
        .route("/minimal/{page}", get(pages::minimal_page))
        .route("/minimal/{page}/{section}", get(pages::minimal_section))
        // What the minimal view used to link to.
        .route("/minimal/{page}/{section}/{widget}", get(pages::widget))
        .route("/workspace", get(pages::workspace))
        .route("/workspace/{page}", get(pages::workspace_page))
        .route("/healthz", get(health::health))
        .route("/readyz", get(health::ready))
        .route("/download", get(files::download))
        .route("/framed", get(framed::framed))
        .route("/events", get(events::events))
        .route("/events/status", get(events::status))
        .route("/events/usage", get(events::usage))
        .route("/schema.json", get(files::schema))
        .route("/new-version", get(new_version::new_version))
        .route("/service-worker.js", get(offline::worker))
        .route("/sw.js", get(offline::foreign_worker))
        .route("/offline/{script}", get(offline::script))
        .route("/icons/{set}/{*name}", get(icon))
        .route("/icons/broken.svg", get(broken_icon))
        .route("/fn/{*name}", any(function))
        .route("/config-manager/save", post(save::save))
        .route("/get-user", get(sign_in::get_user))
        .route("/login", get(sign_in::login).post(sign_in::login_form))
        .route("/manage/{tool}", get(manage::show).post(manage::act))
        .route("/login/provider", get(sign_in::to_provider))
        .route("/language", get(language::texts).post(language::choose))
        .route("/logout", post(sign_in::logout))
        .route("/signed-out", get(sign_in::signed_out))
        .route("/ping-check", get(status_check::ping_check))
        .route("/status-check", get(status_check::status_check))
        .route("/system-info", get(system_info::system_info))
        .route("/themes/{version}/{file}", get(themes::theme))
        .route("/widget-draft/{token}", get(widget_draft_frame::widget_draft_frame))
        // Nested, because the paths below it have parameters of their own.
        .nest_service(GALLERY_PATH, any(gallery::gallery).with_state(RouterState(Arc::clone(&portico))))
        .route("/widget-frame/{page}/{section}/{widget}", get(widget_frame::widget_frame))
        .route("/widget-picture/{token}", get(widget_picture::widget_picture))
        .fallback(files::any)
        .method_not_allowed_fallback(files::method_not_allowed)
        .with_state(RouterState(portico));
    with_names(routes)
}

/// Notes the route of each request for metrics and spans. A layer costs every request something, so there is none without them.
fn with_names<S: Clone + Send + Sync + 'static>(routes: Router<S>) -> Router<S> {
    if metrics().is_none() && !spans::are_on() {
        return routes;
    }
    routes.layer(MapRequestLayer::new(observed::note_route))
}

/// Only the health check, for the listener that redirects to HTTPS.
pub fn health_router(portico: Arc<AppState>) -> Router {
    let path = format!("{}/healthz", portico.settings.base);
    Router::new().route(&path, get(health::health)).with_state(RouterState(portico))
}

async fn icon(
    State(portico): State<Arc<AppState>>,
    named: Result<Path<(String, String)>, PathRejection>,
    request: Request,
) -> Response {
    let Ok(Path((set, name))) = named else {
        return files::not_found(&portico, request.uri().path(), request.headers());
    };
    let icons = if known_hosts::may_send(request.extensions()) {
        portico.icons.clone()
    } else {
        portico.icons.without_lookups()
    };
    let is_own = matches!(set.as_str(), "file" | "favicon" | "remote" | "hl" | "sh");
    if is_own {
        match access::viewer(request.extensions()) {
            Ok(Viewer::Anonymous) => return files::not_found(&portico, request.uri().path(), request.headers()),
            Ok(_) => {}
            Err(denied) => return denied.into_response(),
        }
    }
    let answer = match set.as_str() {
        "hl" => icons.application(Collection::Homelab, &name).await,
        "sh" => icons.application(Collection::Selfhst, &name).await,
        "favicon" => icons.favicon(&name).await,
        "remote" => icons.remote(&name).await,
        "generative" => icons.generative(&name),
        "file" => icons.file(&name).await,
        set => {
            let answer = icons.glyph(set, &name);
            if answer.status == StatusCode::NOT_FOUND {
                // The product's own icons are in the same folder as the sets.
                return files::any(State(portico), request).await;
            }
            answer
        }
    };
    let is_background = request.uri().query() == Some("background");
    if is_background && answer.body == icons.broken().body {
        return icon_response(IconResponse::drawn(nothing(), answer.cache), request.headers());
    }
    icon_response(answer, request.headers())
}

async fn broken_icon(State(icons): State<Icons>, request: HeaderMap) -> Response {
    icon_response(icons.broken(), &request)
}

fn icon_response(answer: IconResponse, request: &HeaderMap) -> Response {
    let tag = etag(&answer.body);
    let found = answer.status == StatusCode::OK && answer.cache != Lifetime::None;
    let mut response = if found && headers::is_unchanged(request, &tag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        (answer.status, answer.body).into_response()
    };
    let headers = response.headers_mut();
    if found {
        headers.insert(header::ETAG, tag);
    }
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(answer.content_type));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(answer.cache.cache_control()));
    for (name, value) in answer.headers {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    response
}
