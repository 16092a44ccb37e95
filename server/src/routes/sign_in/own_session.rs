//! The session as our own pages see it. The session itself stays in a cookie that no script can read; the
//! ID token is available to scripts for calls of the API.

use std::sync::Arc;

use app::backend::{SessionStatus, SignedInBy};
use http::{HeaderMap, HeaderValue, StatusCode, header, request::Parts};

use super::{FunctionResponse, document::step};
use crate::{
    access::{
        SignInMethod,
        authentication::{NoSession, ValidSession, authentication_of},
        place::{BrowserLocation, own_path},
        provider::{IdentityProvider, ProviderError},
        session::{ProviderSession, Session},
    },
    routes::portico::Portico,
};

/// The signed-in user and the ID token.
pub fn session(portico: &Portico, request: &Parts) -> FunctionResponse<SessionStatus> {
    let authentication = authentication_of(&request.extensions);
    match authentication.and_then(|authentication| authentication.session.as_deref()) {
        Some(signed) => FunctionResponse::ok(described(portico, signed)),
        None => match portico.access_control.policy(&portico.store.site()).kind {
            SignInMethod::Open | SignInMethod::Unreadable | SignInMethod::Proxy(_) => {
                FunctionResponse::ok(without_session(portico, request))
            }
            _ if crate::access::viewer(&request.extensions).is_ok() => {
                FunctionResponse::ok(without_session(portico, request))
            }
            _ => ended(portico, request),
        },
    }
}

/// Renews the session and returns the new one.
pub async fn renew(portico: &Portico, request: &Parts) -> FunctionResponse<SessionStatus> {
    let Some(authentication) = authentication_of(&request.extensions) else { return ended(portico, request) };
    let Some(signed) = authentication.session.as_deref() else {
        let away = authentication.missing == NoSession::ProviderAway;
        return if away { unreachable(portico, request) } else { ended(portico, request) };
    };
    let (Session::Provider(old), Some(provider)) = (&signed.session, portico.access_control.provider()) else {
        return FunctionResponse::ok(described(portico, signed));
    };
    if old.refresh_token.is_none() {
        return ended(portico, request);
    }
    let now = portico.access_control.clock.now();
    // Another tab, or this request itself, has already renewed it.
    if provider.renew_at(old, signed.expires).is_some_and(|due| now < due) && old.received + FRESH_SECONDS > now {
        return FunctionResponse::ok(described(portico, signed));
    }
    match renewed(portico, provider, old, &request.headers, &authentication.place).await {
        Ok((signed, set_cookies)) => {
            FunctionResponse { set_cookies, ..FunctionResponse::ok(described(portico, &signed)) }
        }
        Err(error) if error.is_temporary() => unreachable(portico, request),
        Err(_) => {
            // The refresh token is used up; without it, the session is still valid until it expires.
            let rest = Session::Provider(ProviderSession { refresh_token: None, ..old.clone() });
            let set_cookies =
                portico.access_control.keep(&rest, &request.headers, &authentication.place, None).unwrap_or_default();
            FunctionResponse { set_cookies, ..ended(portico, request) }
        }
    }
}

/// Minimum age of a session for a renewal, in seconds.
const FRESH_SECONDS: u64 = 2;

async fn renewed(
    portico: &Portico,
    provider: &Arc<IdentityProvider>,
    old: &ProviderSession,
    headers: &HeaderMap,
    place: &BrowserLocation,
) -> Result<(ValidSession, Vec<HeaderValue>), ProviderError> {
    let signed = ValidSession::from(provider.renew(old).await?);
    let set_cookies = portico
        .access_control
        .keep(&signed.session, headers, place, None)
        .map_err(|_| ProviderError::Response("the renewed session is too large for cookies".to_owned()))?;
    Ok((signed, set_cookies))
}

fn described(portico: &Portico, signed: &ValidSession) -> SessionStatus {
    let mut value = SessionStatus {
        kind: SignedInBy::Users,
        name: signed.viewer.person().map(|person| person.name.clone()).unwrap_or_default(),
        is_admin: signed.viewer.is_admin(),
        now: portico.access_control.clock.now(),
        ..SessionStatus::default()
    };
    if let (Session::Provider(session), Some(provider)) = (&signed.session, portico.access_control.provider()) {
        value.kind = SignedInBy::Oidc;
        value.id_token = Some(session.id_token.0.clone());
        value.id_token_expires = Some(signed.expires);
        value.renew_at = provider.renew_at(session, signed.expires);
    }
    value
}

fn without_session(portico: &Portico, request: &Parts) -> SessionStatus {
    let viewer = crate::access::viewer(&request.extensions).unwrap_or_default();
    SessionStatus {
        name: viewer.person().map(|person| person.name.clone()).unwrap_or_default(),
        is_admin: viewer.is_admin(),
        now: portico.access_control.clock.now(),
        ..SessionStatus::default()
    }
}

fn ended(portico: &Portico, request: &Parts) -> FunctionResponse<SessionStatus> {
    let value = SessionStatus {
        now: portico.access_control.clock.now(),
        sign_in: Some(sign_in_path(portico, request)),
        ..SessionStatus::default()
    };
    FunctionResponse { status: StatusCode::UNAUTHORIZED, ..FunctionResponse::ok(value) }
}

fn unreachable(portico: &Portico, request: &Parts) -> FunctionResponse<SessionStatus> {
    let FunctionResponse { value, .. } = ended(portico, request);
    let value = SessionStatus { message: Some("The identity provider cannot be reached.".to_owned()), ..value };
    FunctionResponse { status: StatusCode::SERVICE_UNAVAILABLE, ..FunctionResponse::ok(value) }
}

/// Where to sign in again and return to the page that asked.
fn sign_in_path(portico: &Portico, request: &Parts) -> String {
    let base = &portico.settings.base;
    let page = request.headers.get(header::REFERER).and_then(|page| page.to_str().ok());
    let page = page.and_then(|page| url::Url::parse(page).ok());
    let path = page.map(|page| match page.query() {
        Some(query) => format!("{}?{query}", page.path()),
        None => page.path().to_owned(),
    });
    let site = portico.store.site();
    let first = if portico.access_control.provider_in_use(&site).is_some() { "/login/provider" } else { "/login" };
    step(base, first, &own_path(path.as_deref(), base))
}
