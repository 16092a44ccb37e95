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

use super::{api::is_cross_site, error::ApiError, known_hosts, portico::Portico};
use crate::{
    access,
    status::{Check, Outcome},
    store::ConfigFile,
};

/// The parameters of the request.
#[derive(Debug, Default)]
struct CheckQuery {
    url: String,
    headers: Vec<(String, String)>,
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
                "headers" => wish.headers = headers(&value),
                "enableInsecure" => wish.enable_insecure = !value.is_empty(),
                "acceptCodes" => wish.accept_codes = accept_codes(&value).0,
                "maxRedirects" => wish.max_redirects = value.trim().parse().ok(),
                _ => {}
            }
        }
        wish
    }

    fn target(self) -> StatusTarget {
        StatusTarget {
            url: self.url,
            headers: self.headers,
            allow_insecure: self.enable_insecure,
            accept_codes: self.accept_codes,
            max_redirects: self.max_redirects,
            interval: 0,
        }
    }
}

/// Headers as a JSON object; anything else counts as no headers.
fn headers(text: &str) -> Vec<(String, String)> {
    let Ok(Value::Object(headers)) = serde_json::from_str(text) else { return Vec::new() };
    let text = |value: Value| match value {
        Value::String(text) => Some(text),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    headers.into_iter().filter_map(|(name, value)| Some((name, text(value)?))).collect()
}

/// Checks a service. Admins may name any service; others only those of items that they see, which are then checked
/// as the config says.
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
    let may_name_any = viewer.is_admin() && known_hosts::check(&request.extensions).is_ok();
    let check = if may_name_any {
        Check::new(&wish.target(), None)
    } else {
        match named(&portico, &viewer, &wish.url) {
            Some(check) => check,
            None => return refused("❌ Only services of the dashboard can be checked"),
        }
    };
    let outcome = portico.checker.check_now(&portico.checker.wanted(check, 0)).await;
    respond(check_response(&outcome))
}

/// The check of an address, if the config has it in an item that the viewer sees.
fn named(portico: &Portico, viewer: &Viewer, url: &str) -> Option<Check> {
    let wanted = Url::parse(url).ok()?;
    let is_meant = |written: &str| Url::parse(written).is_ok_and(|written| written == wanted);
    for file in visible_files(portico, viewer) {
        let sections = file.config.sections.iter().filter(|section| viewer.sees(&section.display.visibility));
        let items = sections.flat_map(|section| &section.items);
        for item in items.filter(|item| viewer.sees(&item.display.visibility)) {
            let Some(target) = file.config.status_request(item) else { continue };
            if is_meant(&target.url) {
                return Some(Check::new(&target, file.host.as_deref()));
            }
            if let Some(own) = item.url.as_deref().filter(|own| is_meant(own)) {
                // The headers are for the other address.
                let target = StatusTarget { url: own.to_owned(), headers: Vec::new(), ..target };
                return Some(Check::new(&target, file.host.as_deref()));
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
