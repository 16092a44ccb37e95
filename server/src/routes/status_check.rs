//! `GET /status-check` and `GET /ping-check`: check one service or host now, for existing dashboards and scripts
//! (docs/spec/behavior.md 11.2).
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
    model::{PageSource, PingTarget, StatusTarget, accept_codes},
};
use http::{HeaderValue, StatusCode, header, request::Parts};
use serde_json::{Value, json};
use url::{Url, form_urlencoded};

use super::{api::is_cross_site, app_state::AppState, error::ApiError, known_hosts, own_page::PARAMETER};
use crate::{
    access,
    status::{Answer, Check, Outcome},
    store::ConfigFile,
};

/// The purposes of the proofs.
const STATUS: &str = "/status-check";
const PING: &str = "/ping-check";

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
            certificate_days: 0,
        }
    }
}

/// Checks a service. Admins may name any service; others only those of items that they see, which are then checked
/// as the config says. The first response to a new address only contains the proof that must be sent with it.
pub async fn status_check(State(portico): State<Arc<AppState>>, request: Parts) -> Response {
    let wish = CheckQuery::of(request.uri.query().unwrap_or_default());
    let viewer = match admitted(&request, &wish.url, "❌ Missing or Malformed URL") {
        Ok(viewer) => viewer,
        Err(response) => return *response,
    };
    let named = named(&portico, &viewer, &wish.url).await;
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
    if let Err(response) = proved(&portico, &request, &viewer, STATUS, &wish.url) {
        return *response;
    }
    let outcome = portico.checker.check_now(&portico.checker.wanted(check, 0)).await;
    respond(check_response(&outcome))
}

/// Pings a host. Admins may name any host; others only those of items that they see, which are then pinged as the config
/// says. It needs the same kind of proof.
pub async fn ping_check(State(portico): State<Arc<AppState>>, request: Parts) -> Response {
    let wish = PingQuery::of(request.uri.query().unwrap_or_default());
    let viewer = match admitted(&request, &wish.host, "❌ Missing or Malformed Host") {
        Ok(viewer) => viewer,
        Err(response) => return *response,
    };
    let check = if viewer.is_admin() {
        Check::ping(&PingTarget::new(&wish.host, wish.count, wish.timeout, 0), None)
    } else {
        match pinged(&portico, &viewer, &wish.host).await {
            Some((target, host)) => Check::ping(&target, host.as_deref()),
            None => return refused("❌ Only hosts of the dashboard can be pinged"),
        }
    };
    if let Err(response) = proved(&portico, &request, &viewer, PING, &wish.host) {
        return *response;
    }
    let outcome = portico.checker.check_now(&portico.checker.wanted(check, 0)).await;
    let mut body = json!({ "successStatus": outcome.is_up, "message": outcome.message() });
    if outcome.is_up {
        // In milliseconds; pings in a local network take less than one.
        body["timeTaken"] = json!((outcome.took.as_secs_f64() * 100_000.0).round() / 100.0);
    }
    respond(body)
}

/// The parameters of a ping.
#[derive(Debug, Default)]
struct PingQuery {
    host: String,
    count: u32,
    timeout: u32,
}

impl PingQuery {
    fn of(query: &str) -> Self {
        let mut wish = Self::default();
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            match &*name {
                "host" => wish.host = value.trim().to_owned(),
                "count" => wish.count = value.trim().parse().unwrap_or_default(),
                "timeout" => wish.timeout = value.trim().parse().unwrap_or_default(),
                _ => {}
            }
        }
        wish
    }
}

/// The viewer who asks for a check of something, or why nothing is checked.
fn admitted(request: &Parts, named: &str, missing: &str) -> Result<Viewer, Box<Response>> {
    let viewer = match access::viewer(&request.extensions) {
        Ok(Viewer::Anonymous) => {
            return Err(Box::new(ApiError::new(StatusCode::UNAUTHORIZED, "Unauthorized").into_response()));
        }
        Ok(viewer) => viewer,
        Err(denied) => return Err(Box::new(denied.into_response())),
    };
    if named.is_empty() {
        return Err(Box::new(refused(missing)));
    }
    if is_cross_site(request) {
        return Err(Box::new(refused("❌ Pages of other sites may not check services")));
    }
    match known_hosts::check(&request.extensions) {
        Ok(()) => Ok(viewer),
        Err(unknown) => Err(Box::new(refused(&format!("❌ {}", unknown.message)))),
    }
}

/// Whether a request has the proof for what it names; otherwise the response that contains it.
fn proved(
    portico: &AppState,
    request: &Parts,
    viewer: &Viewer,
    purpose: &str,
    named: &str,
) -> Result<(), Box<Response>> {
    if portico.own_page.is_in(request, viewer, purpose, named) {
        return Ok(());
    }
    let proof = portico.own_page.token(viewer, purpose, named);
    Err(Box::new(respond(json!({
        "successStatus": false,
        "message": format!("❌ Not checked yet: ask again, with `&{PARAMETER}={proof}` in the address"),
        PARAMETER: proof,
    }))))
}

/// The ping of a host as the config has it, and the host of its page if that is not ours; `None` if no item that the
/// viewer sees is on this host.
async fn pinged(portico: &AppState, viewer: &Viewer, host: &str) -> Option<(PingTarget, Option<String>)> {
    for file in visible_files(portico, viewer) {
        let addresses = portico.item_addresses.of(&file).await;
        let mut items = addresses.items_on(host, &file.config, viewer);
        if let Some(target) = items.find_map(|item| file.config.ping_request(item)) {
            return Some((target, file.host.clone()));
        }
    }
    None
}

/// The check of an address as the config has it, and the host of its page if that is not ours; `None` if no item that
/// the viewer sees has this address.
async fn named(portico: &AppState, viewer: &Viewer, url: &str) -> Option<(StatusTarget, Option<String>)> {
    let wanted = Url::parse(url).ok()?;
    let is_meant = |written: &str| Url::parse(written).is_ok_and(|written| written == wanted);
    for file in visible_files(portico, viewer) {
        let addresses = portico.item_addresses.of(&file).await;
        for item in addresses.items_at(&wanted, &file.config, viewer) {
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
pub(super) fn visible_files(portico: &AppState, viewer: &Viewer) -> Vec<Arc<ConfigFile>> {
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
    if let Ok(Answer::Status(status)) = &outcome.answer {
        body["statusCode"] = status.as_u16().into();
        body["statusText"] = status.canonical_reason().unwrap_or_default().into();
    }
    if let Some(millis) = outcome.millis() {
        body["timeTaken"] = millis.into();
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
