//! `/fn/session` and `/fn/renew`: what our own page knows and does about its session. The session itself stays in a
//! cookie that no script can read; the ID token is handed out for calls of the API.

use std::sync::Arc;

use axum::{
    Json,
    extract::{Request, State},
    response::{IntoResponse as _, Response},
};
use http::{HeaderMap, HeaderValue, StatusCode, header, request::Parts};
use serde_json::{Value, json};

use super::{
    Kind,
    document::step,
    place::{Place, own_path},
    provider::{Provider, ProviderError, Tokens},
    session::{ProviderSession, Session},
    visit::{Missing, Signed, visit_of},
};
use crate::{api::is_cross_site, error::ApiError, portico::Portico};

/// `POST /fn/session`: who is signed in, and with which ID token.
pub async fn session(State(portico): State<Arc<Portico>>, request: Request) -> Response {
    let (request, _) = request.into_parts();
    if let Err(error) = from_own_page(&request) {
        return error.into_response();
    }
    let visit = visit_of(&request.extensions);
    match visit.and_then(|visit| visit.session.as_deref()) {
        Some(signed) => answer(StatusCode::OK, described(&portico, signed)),
        None => match portico.gate.policy(&portico.store.site()).kind {
            Kind::Open | Kind::Unreadable | Kind::Proxy(_) => answer(StatusCode::OK, without_session(&request)),
            _ if super::viewer(&request.extensions).is_ok() => answer(StatusCode::OK, without_session(&request)),
            _ => answer(StatusCode::UNAUTHORIZED, json!({ "signIn": sign_in_path(&portico, &request) })),
        },
    }
}

/// `POST /fn/renew`: renews the session and gives the new one.
pub async fn renew(State(portico): State<Arc<Portico>>, request: Request) -> Response {
    let (request, _) = request.into_parts();
    if let Err(error) = from_own_page(&request) {
        return error.into_response();
    }
    let sign_in = || json!({ "signIn": sign_in_path(&portico, &request) });
    let Some(visit) = visit_of(&request.extensions) else { return answer(StatusCode::UNAUTHORIZED, sign_in()) };
    let Some(signed) = visit.session.as_deref() else {
        let away = visit.missing == Missing::ProviderAway;
        return if away { unreachable(&portico, &request) } else { answer(StatusCode::UNAUTHORIZED, sign_in()) };
    };
    let (Session::Provider(old), Some(provider)) = (&signed.session, portico.gate.provider()) else {
        return answer(StatusCode::OK, described(&portico, signed));
    };
    if old.refresh_token.is_none() {
        return answer(StatusCode::UNAUTHORIZED, sign_in());
    }
    let now = portico.gate.clock.now();
    // Another tab was faster, or the request itself was the occasion.
    if provider.renew_at(old, signed.expires).is_some_and(|due| now < due) && old.received + FRESH_SECONDS > now {
        return answer(StatusCode::OK, described(&portico, signed));
    }
    match renewed(&portico, provider, old, &request.headers, &visit.place).await {
        Ok((signed, set_cookies)) => with_cookies(answer(StatusCode::OK, described(&portico, &signed)), set_cookies),
        Err(ProviderError::Unreachable(_)) => unreachable(&portico, &request),
        Err(_) => {
            // The refresh token is spent; without it the rest of the session is still good until it ends.
            let rest = Session::Provider(ProviderSession { refresh_token: None, ..old.clone() });
            let set_cookies = portico.gate.keep(&rest, &request.headers, &visit.place, None).unwrap_or_default();
            with_cookies(answer(StatusCode::UNAUTHORIZED, sign_in()), set_cookies)
        }
    }
}

/// A session that is younger than this is not renewed, in seconds.
const FRESH_SECONDS: u64 = 2;

async fn renewed(
    portico: &Portico,
    provider: &Arc<Provider>,
    old: &ProviderSession,
    headers: &HeaderMap,
    place: &Place,
) -> Result<(Signed, Vec<HeaderValue>), ProviderError> {
    let tokens = provider.renew(old).await?;
    let Tokens { session, viewer, expires } = tokens;
    let session = Session::Provider(session);
    let set_cookies = portico
        .gate
        .keep(&session, headers, place, None)
        .map_err(|_| ProviderError::Answer("the renewed session is too large for cookies".to_owned()))?;
    Ok((Signed { session, viewer, expires }, set_cookies))
}

fn described(portico: &Portico, signed: &Signed) -> Value {
    let mut body = json!({
        "kind": "users",
        "name": signed.viewer.person().map(|person| person.name.as_str()).unwrap_or_default(),
        "isAdmin": signed.viewer.is_admin(),
    });
    if let (Session::Provider(session), Some(provider)) = (&signed.session, portico.gate.provider()) {
        body["kind"] = json!("oidc");
        body["idToken"] = json!(session.id_token.0);
        body["idTokenExpires"] = json!(signed.expires);
        if let Some(due) = provider.renew_at(session, signed.expires) {
            body["renewAt"] = json!(due);
        }
    }
    body
}

fn without_session(request: &Parts) -> Value {
    let viewer = super::viewer(&request.extensions).unwrap_or_default();
    let name = viewer.person().map(|person| person.name.as_str()).unwrap_or_default();
    json!({ "kind": "none", "name": name, "isAdmin": viewer.is_admin() })
}

/// Only scripts of our own pages may ask: a form cannot send JSON, and other sites' scripts are told by their origin.
fn from_own_page(request: &Parts) -> Result<(), ApiError> {
    let kind = request.headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    if is_cross_site(request) {
        let message = "Forbidden - the request comes from a page of another site";
        return Err(ApiError::new(StatusCode::FORBIDDEN, message));
    }
    if !kind.trim_start().to_ascii_lowercase().starts_with("application/json") {
        return Err(ApiError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "send `Content-Type: application/json`"));
    }
    Ok(())
}

/// Where to sign in again, and then come back to the page that asked.
fn sign_in_path(portico: &Portico, request: &Parts) -> String {
    let base = &portico.settings.base;
    let page = request.headers.get(header::REFERER).and_then(|page| page.to_str().ok());
    let page = page.and_then(|page| url::Url::parse(page).ok());
    let path = page.map(|page| match page.query() {
        Some(query) => format!("{}?{query}", page.path()),
        None => page.path().to_owned(),
    });
    let site = portico.store.site();
    let first =
        if matches!(portico.gate.policy(&site).kind, Kind::Provider { .. }) { "/login/provider" } else { "/login" };
    step(base, first, &own_path(path.as_deref(), base))
}

fn unreachable(portico: &Portico, request: &Parts) -> Response {
    let body = json!({
        "message": "the identity provider cannot be reached",
        "signIn": sign_in_path(portico, request),
    });
    answer(StatusCode::SERVICE_UNAVAILABLE, body)
}

fn answer(status: StatusCode, body: Value) -> Response {
    (status, [(header::CACHE_CONTROL, "no-store")], Json(body)).into_response()
}

fn with_cookies(mut response: Response, set_cookies: Vec<HeaderValue>) -> Response {
    for cookie in set_cookies {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    response
}
