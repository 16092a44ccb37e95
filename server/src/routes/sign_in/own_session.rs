//! The session as our own pages see it. The session itself stays in a cookie that no script can read; the
//! ID token is available to scripts for calls of the API.

use std::sync::Arc;

use app::backend::{SessionStatus, SignedInBy};
use http::{HeaderMap, HeaderValue, StatusCode, header, request::Parts};
use languages::t;

use super::{
    FunctionResponse,
    document::{step, with_locale},
};
use crate::{
    access::{
        SignInMethod,
        authentication::{NoSession, authentication_of},
        cookies::SessionTooLarge,
        provider::{IdentityProvider, NotRenewed},
        public_address::{BrowserLocation, own_path},
        session::{ProviderSession, Session},
        valid_session::ValidSession,
    },
    routes::app_state::AppState,
};

/// The signed-in user and the ID token.
pub fn session(portico: &AppState, request: &Parts) -> FunctionResponse<SessionStatus> {
    let authentication = authentication_of(&request.extensions);
    // The session goes on if the provider is back in time.
    if let Some(NoSession::ProviderAway { retry_at }) = authentication.map(|authentication| authentication.missing) {
        return unreachable(portico, request, retry_at);
    }
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

/// Renews the session if that is due, and returns the current one.
pub async fn renew(portico: &AppState, request: &Parts) -> FunctionResponse<SessionStatus> {
    let Some(authentication) = authentication_of(&request.extensions) else { return ended(portico, request) };
    let Some(signed) = authentication.session.as_deref() else {
        return match authentication.missing {
            NoSession::ProviderAway { retry_at } => unreachable(portico, request, retry_at),
            _ => ended(portico, request),
        };
    };
    let (Session::Provider(old), Some(provider)) = (&signed.session, portico.access_control.provider()) else {
        return FunctionResponse::ok(described(portico, signed));
    };
    let Some(due) = old.due() else { return ended(portico, request) };
    // Another tab, or this request itself, has already renewed it.
    if portico.access_control.clock.now() < due {
        return FunctionResponse::ok(described(portico, signed));
    }
    match renewed(portico, provider, old, &request.headers, &authentication.place).await {
        Ok((signed, set_cookies)) => {
            FunctionResponse { set_cookies, ..FunctionResponse::ok(described(portico, &signed)) }
        }
        Err(NotRenewed::Unreachable { retry_at }) => unreachable(portico, request, retry_at),
        Err(NotRenewed::Refused) => {
            // The refresh token is used up; without it, the session is still valid until it expires.
            let rest = Session::Provider(ProviderSession { refresh_token: None, ..old.clone() });
            let set_cookies =
                portico.access_control.keep(&rest, &request.headers, &authentication.place, None).unwrap_or_default();
            FunctionResponse { set_cookies, ..ended(portico, request) }
        }
    }
}

async fn renewed(
    portico: &AppState,
    provider: &Arc<IdentityProvider>,
    old: &ProviderSession,
    headers: &HeaderMap,
    place: &BrowserLocation,
) -> Result<(ValidSession, Vec<HeaderValue>), NotRenewed> {
    let signed = ValidSession::from(provider.renew(old).await?);
    match portico.access_control.keep(&signed.session, headers, place, None) {
        Ok(set_cookies) => Ok((signed, set_cookies)),
        Err(SessionTooLarge(bytes)) => {
            tracing::info!("a renewed session would take {bytes} bytes of cookies, which is too much");
            Err(NotRenewed::Refused)
        }
    }
}

fn described(portico: &AppState, signed: &ValidSession) -> SessionStatus {
    let mut value = SessionStatus {
        kind: SignedInBy::Users,
        name: signed.viewer.person().map(|person| person.name.clone()).unwrap_or_default(),
        is_admin: signed.viewer.is_admin(),
        now: portico.access_control.clock.now(),
        ..SessionStatus::default()
    };
    if let Session::Provider(session) = &signed.session {
        value.kind = SignedInBy::Oidc;
        value.id_token = Some(session.id_token.0.clone());
        value.id_token_expires = Some(signed.expires);
        value.renew_at = session.due();
    }
    value
}

fn without_session(portico: &AppState, request: &Parts) -> SessionStatus {
    let viewer = crate::access::viewer(&request.extensions).unwrap_or_default();
    SessionStatus {
        name: viewer.person().map(|person| person.name.clone()).unwrap_or_default(),
        is_admin: viewer.is_admin(),
        now: portico.access_control.clock.now(),
        ..SessionStatus::default()
    }
}

fn ended(portico: &AppState, request: &Parts) -> FunctionResponse<SessionStatus> {
    let value = SessionStatus {
        now: portico.access_control.clock.now(),
        sign_in: Some(sign_in_path(portico, request)),
        ..SessionStatus::default()
    };
    FunctionResponse { status: StatusCode::UNAUTHORIZED, ..FunctionResponse::ok(value) }
}

fn unreachable(portico: &AppState, request: &Parts, retry_at: u64) -> FunctionResponse<SessionStatus> {
    let FunctionResponse { value, .. } = ended(portico, request);
    let message = with_locale(portico, &request.headers, || t("The identity provider cannot be reached.").to_owned());
    let value = SessionStatus { retry_at: Some(retry_at), message: Some(message), ..value };
    FunctionResponse { status: StatusCode::SERVICE_UNAVAILABLE, ..FunctionResponse::ok(value) }
}

/// Where to sign in again and return to the page that asked.
fn sign_in_path(portico: &AppState, request: &Parts) -> String {
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
