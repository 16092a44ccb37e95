//! `GET /healthz` and `GET /readyz`: whether the program runs, and whether it can show pages; open to everyone.

use std::sync::Arc;

use axum::{Json, extract::State, response::IntoResponse};
use http::{StatusCode, Uri, header};
use serde_json::{Value, json};

use super::{app_state::AppState, router_state::Started};
use crate::store::{FileFailure, FileProblem, Site};

/// Responds with the status, the uptime in whole seconds and the version (docs/spec/behavior.md 22).
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

/// Responds with the state of each part and the reason for it (docs/spec/behavior.md 22.2). Without a config there are no pages
/// (503), and a server that stops is not ready for more requests (503); anything else only degrades the service.
pub async fn ready(State(portico): State<Arc<AppState>>) -> impl IntoResponse {
    let site = portico.store.site();
    let config = config(&site);
    let mut parts = json!({ "config": config });
    let is_writable = portico.store.is_writable();
    if portico.store.database().is_some() {
        let reason = "the database cannot be used, so nothing can be saved; pages are shown as they were last";
        parts["database"] = part((!is_writable).then(|| reason.to_owned()));
    } else {
        let reason = "the user-data folder cannot be written to, so nothing can be saved";
        parts["folder"] = part((!is_writable).then(|| reason.to_owned()));
    }
    if let Some(provider) = portico.access_control.provider_in_use(&site) {
        let problem = provider.problem().await;
        parts["provider"] = part(problem.map(|problem| format!("the identity provider cannot be used: {problem}")));
    }
    let is_degraded = parts.as_object().is_some_and(|parts| parts.values().any(|part| part["ok"] == false));
    let (status, word) = match (&site.root, is_degraded) {
        _ if portico.stopping.is_cancelled() => (StatusCode::SERVICE_UNAVAILABLE, "stopping"),
        (None, _) => (StatusCode::SERVICE_UNAVAILABLE, "closed"),
        (Some(_), true) => (StatusCode::OK, "degraded"),
        (Some(_), false) => (StatusCode::OK, "ready"),
    };
    (status, [(header::CACHE_CONTROL, "no-store")], Json(json!({ "status": word, "parts": parts })))
}

fn part(problem: Option<String>) -> Value {
    match problem {
        Some(reason) => json!({ "ok": false, "reason": reason }),
        None => json!({ "ok": true }),
    }
}

/// The state of the config. Everybody may ask, so nothing of its content is quoted.
fn config(site: &Site) -> Value {
    let broken_pages = site.pages.values().filter(|page| page.failure.is_some()).count();
    part(match &site.failure {
        Some(failure) => Some(message(failure)),
        None if broken_pages > 0 => Some(format!("the files of {broken_pages} pages cannot be used")),
        None => None,
    })
}

fn message(failure: &FileFailure) -> String {
    match (failure.problem, failure.place) {
        (FileProblem::Missing | FileProblem::NoFile, _) => "there is no main config file".to_owned(),
        (FileProblem::Unreadable, _) => "the main config file cannot be read".to_owned(),
        (FileProblem::Content, Some((line, column))) => {
            format!("the main config file is not valid at line {line}, column {column}")
        }
        (FileProblem::Content, None) => "the main config file is not valid".to_owned(),
    }
}
