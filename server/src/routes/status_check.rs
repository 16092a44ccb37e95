//! `GET /status-check`: checks one service now, for existing dashboards and scripts (docs/spec/behaviour.md 11.2).
//!
//! The response is always JSON with status 200, whether the service is up or down.

use std::sync::Arc;

use axum::{
    Json,
    extract::State,
    response::{IntoResponse as _, Response},
};
use config::{
    Viewer,
    model::{PageSource, StatusTarget, status_check::accept_codes},
};
use http::{HeaderValue, StatusCode, header, request::Parts};
use serde_json::{Value, json};
use url::{Url, form_urlencoded};

use super::{api::is_cross_site, error::ApiError, known_hosts, own_page::PARAMETER, portico::Portico};
use crate::{
    access,
    status::{Check, Outcome},
    store::ConfigFile,
};

/// The purpose of the proof.
const PURPOSE: &str = "/status-check";

/// The parameters of the request.
#[derive(Debug, Default)]
struct CheckQuery {
    url: String,
    enable_insecure: bool,
    accept_codes: Vec<(u16, u16)>,
    max_redirects: Option<u32>,
}

impl CheckQuery {
    fn of(query: &str) -> Self {
        let mut wish = Self::default();
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            match &*name {
                "url" => wish.url = value.trim().to_owned(),
                "enableInsecure" => wish.enable_insecure = !value.is_empty(),
                "acceptCodes" => wish.accept_codes = accept_codes(&value).0,
                "maxRedirects" => wish.max_redirects = value.trim().parse().ok(),
                _ => {}
            }
        }
        wish
    }

    /// The check of an address that an admin may choose freely. The headers are those of the config for this address.
    fn target(&self, headers: Vec<(String, String)>) -> StatusTarget {
        StatusTarget {
            url: self.url.clone(),
            headers,
            allow_insecure: self.enable_insecure,
            accept_codes: self.accept_codes.clone(),
            max_redirects: self.max_redirects,
            interval: 0,
        }
    }
}

/// Checks a service. Admins may name any service; others only those of items that they see, which are then checked
/// as the config says. The first response to a new address only contains the proof that must be sent with it.
pub async fn status_check(State(portico): State<Arc<Portico>>, request: Parts) -> Response {
    let viewer = match access::viewer(&request.extensions) {
        Ok(Viewer::Anonymous) => return ApiError::new(StatusCode::UNAUTHORIZED, "Unauthorized").into_response(),
        Ok(viewer) => viewer,
        Err(denied) => return denied.into_response(),
    };
    let wish = CheckQuery::of(request.uri.query().unwrap_or_default());
    if wish.url.is_empty() {
        return refused("❌ Missing or Malformed URL");
    }
    if is_cross_site(&request) {
        return refused("❌ Pages of other sites may not check services");
    }
    if let Err(unknown) = known_hosts::check(&request.extensions) {
        return refused(&format!("❌ {}", unknown.message));
    }
    let named = named(&portico, &viewer, &wish.url);
    let check = if viewer.is_admin() {
        // A page on another host has no say in what is sent.
        let headers = named.filter(|(_, host)| host.is_none()).map(|(target, _)| target.headers);
        Check::new(&wish.target(headers.unwrap_or_default()), None)
    } else {
        match named {
            Some((target, host)) => Check::new(&target, host.as_deref()),
            None => return refused("❌ Only services of the dashboard can be checked"),
        }
    };
    if !portico.own_page.is_in(&request, &viewer, PURPOSE, &wish.url) {
        let proof = portico.own_page.token(&viewer, PURPOSE, &wish.url);
        return respond(json!({
            "successStatus": false,
            "message": format!("❌ Not checked yet: ask again, with `&{PARAMETER}={proof}` in the address"),
            PARAMETER: proof,
        }));
    }
    let outcome = portico.checker.check_now(&portico.checker.wanted(check, 0)).await;
    respond(check_response(&outcome))
}

/// The check of an address as the config has it, and the host of its page if that is not ours; `None` if no item that
/// the viewer sees has this address.
fn named(portico: &Portico, viewer: &Viewer, url: &str) -> Option<(StatusTarget, Option<String>)> {
    let wanted = Url::parse(url).ok()?;
    let is_meant = |written: &str| Url::parse(written).is_ok_and(|written| written == wanted);
    for file in visible_files(portico, viewer) {
        let sections = file.config.sections.iter().filter(|section| viewer.sees(&section.display.visibility));
        let items = sections.flat_map(|section| &section.items);
        for item in items.filter(|item| viewer.sees(&item.display.visibility)) {
            let Some(target) = file.config.status_request(item) else { continue };
            if is_meant(&target.url) {
                return Some((target, file.host.clone()));
            }
            if let Some(own) = item.url.as_deref().filter(|own| is_meant(own)) {
                // The headers are for the other address.
                let target = StatusTarget { url: own.to_owned(), headers: Vec::new(), ..target };
                return Some((target, file.host.clone()));
            }
        }
    }
    None
}

/// The files of the pages that a viewer sees.
pub(super) fn visible_files(portico: &Portico, viewer: &Viewer) -> Vec<Arc<ConfigFile>> {
    let site = portico.store.site();
    let Some(root) = &site.root else { return Vec::new() };
    let pages = root.config.pages.iter().filter(|page| viewer.sees(&page.visibility));
    let files = pages.filter_map(|page| match &page.source {
        PageSource::File(path) => site.pages.get(path)?.file.clone(),
        PageSource::Remote(address) => portico.remote_pages.get(address)?.file,
    });
    std::iter::once(Arc::clone(root)).chain(files).collect()
}

fn check_response(outcome: &Outcome) -> Value {
    let mut body = json!({ "successStatus": outcome.is_up, "message": outcome.message() });
    if let Ok(status) = &outcome.answer {
        body["statusCode"] = status.as_u16().into();
        body["statusText"] = status.canonical_reason().unwrap_or_default().into();
        body["timeTaken"] = outcome.millis().into();
    }
    if let Some(name) = &outcome.server_name {
        body["serverName"] = name.as_str().into();
    }
    body
}

fn refused(reason: &str) -> Response {
    respond(json!({ "successStatus": false, "message": reason }))
}

fn respond(body: Value) -> Response {
    ([(header::CACHE_CONTROL, HeaderValue::from_static("no-store"))], Json(body)).into_response()
}
