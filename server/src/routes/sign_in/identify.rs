//! Identifies the viewer of a request, before any handler sees it.

use axum::extract::Request;
use http::{HeaderValue, Method};

use crate::{
    access::{AccessControl, AuthRequest, public_address::BrowserLocation},
    routes::{app_state::AppState, peer::auth_request},
    settings::Settings,
};

/// Finds the viewer of a request once, for all handlers. Returns the values of `Set-Cookie` for its response.
pub async fn identify(portico: &AppState, request: &mut Request) -> Vec<HeaderValue> {
    let (authentication, set_cookies) = {
        let AppState { settings, access_control, store, .. } = portico;
        let site = store.site();
        let parts = auth_request(request.headers(), request.extensions());
        let place = BrowserLocation::of(settings, request.headers(), request.uri(), request.extensions(), parts.peer);
        report_unknown_proxy(settings, access_control, parts);
        access_control.authenticate(&site, parts, place, is_worth_renewing(request)).await
    };
    request.extensions_mut().insert(authentication);
    set_cookies
}

/// Logs once that a peer that may be a proxy is not trusted: otherwise its users would see redirects to an address that
/// is not theirs, without an explanation.
fn report_unknown_proxy(settings: &Settings, access_control: &AccessControl, parts: AuthRequest<'_>) {
    let Some(peer) = parts.peer else { return };
    let speaks = ["x-forwarded-proto", "x-forwarded-host"].iter().any(|name| parts.headers.contains_key(*name));
    let is_proxy = settings.trusted_proxies.cover(peer);
    if speaks && !is_proxy && settings.public_origin.is_none() && access_control.reported_proxies.is_new(peer) {
        tracing::warn!(
            "X-Forwarded headers from {peer} are ignored: if that is your proxy, name it in TRUSTED_PROXIES"
        );
    }
}

/// Pages and their scripts' requests renew the session; pictures do not.
fn is_worth_renewing(request: &Request) -> bool {
    let path = request.uri().path();
    let is_part = request
        .headers()
        .get("sec-fetch-dest")
        .is_some_and(|destination| !["document", "empty", "iframe"].iter().any(|worthy| destination == worthy));
    request.method() == Method::POST || !(is_part || path.starts_with("/icons/"))
}
