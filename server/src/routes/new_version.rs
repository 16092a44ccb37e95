//! `GET /new-version`: whether there is a newer version of the program, for admins (docs/spec/behavior.md 22).
//!
//! The server queries `UPDATE_URL` at most once a day, and only when an admin asks. The response has the shape of a
//! release at GitHub, Gitea and Forgejo: `tag_name`, and `html_url` of the release notes.

use std::{sync::Arc, time::Duration};

use axum::{
    Json,
    extract::State,
    response::{IntoResponse as _, Response},
};
use http::{HeaderValue, header, request::Parts};
use serde::Deserialize;
use serde_json::json;
use tokio::{sync::Mutex, time::Instant};

use super::{app_state::AppState, error::ApiError, known_hosts};
use crate::{
    access,
    http_client::{HttpClient, HttpRequest, Purpose},
};

/// How long a result is kept, even a failure.
const INTERVAL: Duration = Duration::from_secs(24 * 60 * 60);
const TIMEOUT: Duration = Duration::from_secs(5);
const MAX_BYTES: usize = 1024 * 1024;

/// The last result.
#[derive(Debug, Default)]
pub struct Releases(Mutex<Option<(Instant, Option<Release>)>>);

/// The relevant part of a release.
#[derive(Clone, Debug, Deserialize)]
struct Release {
    tag_name: String,
    html_url: Option<String>,
}

/// A version that is newer than this program.
#[derive(Clone, Debug)]
pub struct NewVersion {
    /// Its number, without `v`.
    pub version: String,
    /// The address of its release notes.
    pub page: Option<String>,
}

impl Release {
    /// What is new, if it is newer than this program.
    fn newer(self) -> Option<NewVersion> {
        is_newer(&self.tag_name, env!("CARGO_PKG_VERSION")).then(|| NewVersion {
            version: self.tag_name.trim_start_matches('v').to_owned(),
            page: self.html_url.and_then(|address| config::address::web(&address)),
        })
    }
}

/// Queries the newest release at an address such as `UPDATE_URL`; `None` if this program is the newest.
///
/// # Errors
///
/// Why the newest version is unknown, as part of a sentence.
pub async fn find(client: &HttpClient, address: &str) -> Result<Option<NewVersion>, String> {
    fetch_release(client, address).await.map(Release::newer)
}

/// Answers with the version and the page of a newer program, or with an empty object if there is none or it is unknown.
pub async fn new_version(State(portico): State<Arc<AppState>>, request: Parts) -> Response {
    match access::viewer(&request.extensions) {
        Ok(viewer) if viewer.is_admin() => {}
        Ok(_) => return ApiError::admin_required().into_response(),
        Err(denied) => return denied.into_response(),
    }
    if let Err(error) = known_hosts::check(&request.extensions) {
        return error.into_response();
    }
    let is_off = portico.store.site().root.as_ref().is_none_or(|root| root.config.app.disable_update_checks);
    let newest = match &portico.settings.update_url {
        Some(address) if !is_off => portico.releases.newest(&portico.http_client, address).await,
        _ => None,
    };
    let body = newest
        .and_then(Release::newer)
        .map_or_else(|| json!({}), |NewVersion { version, page }| json!({ "version": version, "page": page }));
    ([(header::CACHE_CONTROL, HeaderValue::from_static("no-store"))], Json(body)).into_response()
}

impl Releases {
    async fn newest(&self, client: &HttpClient, address: &str) -> Option<Release> {
        // Others who ask meanwhile wait for the same response.
        let mut known = self.0.lock().await;
        match &*known {
            Some((asked, release)) if asked.elapsed() < INTERVAL => release.clone(),
            _ => {
                let release = fetch_release(client, address).await;
                if let Err(reason) = &release {
                    tracing::debug!("the newest version is not known: {reason}");
                }
                let release = release.ok();
                *known = Some((Instant::now(), release.clone()));
                release
            }
        }
    }
}

async fn fetch_release(client: &HttpClient, address: &str) -> Result<Release, String> {
    let request = HttpRequest { timeout: TIMEOUT, max_bytes: MAX_BYTES, ..HttpRequest::get(Purpose::Lookup, address) };
    let reply = client.send(request).await.map_err(|error| error.to_string())?;
    if !reply.status.is_success() {
        return Err(format!("status {}", reply.status));
    }
    serde_json::from_slice(&reply.body).map_err(|error| error.to_string())
}

/// Whether a tag such as `v1.2.3` is a later version than this one. A pre-release (`1.3.0-rc.1`) never is.
fn is_newer(tag: &str, current: &str) -> bool {
    let numbers = |version: &str| {
        let parts: Option<Vec<u64>> =
            version.trim_start_matches('v').split('.').map(|part| part.parse().ok()).collect();
        parts.filter(|parts| parts.len() == 3)
    };
    numbers(tag) > numbers(current)
}

#[cfg(test)]
mod tests {
    use super::is_newer;

    #[test]
    fn versions_are_compared_by_their_numbers() {
        for (tag, expected) in [
            ("v1.2.4", true),
            ("1.10.0", true),
            ("2.0.0", true),
            ("v1.2.3", false),
            ("1.2.2", false),
            ("0.99.0", false),
            ("1.3.0-rc.1", false),
            ("1.3", false),
            ("nightly", false),
            ("", false),
        ] {
            assert_eq!(is_newer(tag, "1.2.3"), expected, "{tag}");
        }
    }
}
