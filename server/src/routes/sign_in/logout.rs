//! `/logout`: ends a session in the browser, on the server and at the identity provider (docs/spec/behavior.md
//! 19.4).

use std::sync::Arc;

use app::{
    backend::NextAddress,
    document,
    sign_in::{SignedOut, SigningOut},
};
use axum::{extract::State, response::Response};
use http::{HeaderValue, StatusCode, header, request::Parts};
use url::{Position, Url};

use super::{
    FunctionResponse,
    document::{page, see_other, surroundings, with_cookies, with_locale},
    page_access::guest_address,
};
use crate::{
    access::{
        authentication::{Authentication, authentication_of},
        cookies::CookiePurpose,
        session::Session,
    },
    routes::{api::is_cross_site, app_state::AppState, sign_in::login::forbidden},
};

/// `POST /logout`: ends the session in any case, and sends the browser to the provider to do the same there.
pub async fn logout(State(portico): State<Arc<AppState>>, request: Parts) -> Response {
    if is_cross_site(&request) {
        return forbidden(&portico, &request);
    }
    let (next, set_cookies) = end(&portico, &request).await;
    let response = match next {
        Next::Provider(address) => leave(&portico, &request, address.as_str(), true),
        Next::Configured(address) => leave(&portico, &request, &address, false),
        Next::Here(address) => see_other(&address),
    };
    with_cookies(response, set_cookies)
}

/// Ends the session for a script of our own page, and returns where the browser has to go.
pub async fn sign_out(portico: &AppState, request: &Parts) -> FunctionResponse<NextAddress> {
    let (next, set_cookies) = end(portico, request).await;
    let address = match next {
        Next::Provider(address) => address.into(),
        Next::Configured(address) | Next::Here(address) => address,
    };
    FunctionResponse { set_cookies, ..FunctionResponse::ok(NextAddress { address, message: None }) }
}

/// Where the browser goes after the sign-out.
enum Next {
    /// To the provider, which ends its own session.
    Provider(Url),
    /// To the address that the config names.
    Configured(String),
    /// To one of our own pages.
    Here(String),
}

/// Ends the session on the server, even if it has expired but could be renewed. Returns where to go, and the cookies that
/// delete it in the browser.
async fn end(portico: &AppState, request: &Parts) -> (Next, Vec<HeaderValue>) {
    let access_control = &portico.access_control;
    let base = &portico.settings.base;
    let authentication = authentication_of(&request.extensions);
    let (provider, guests, signed, way_out) = {
        let site = portico.store.site();
        let policy = access_control.policy(&site);
        let renewable = |authentication: &Authentication| {
            access_control.renewable(&policy, &request.headers, &authentication.place)
        };
        let signed = authentication
            .and_then(|authentication| authentication.session.clone().or_else(|| renewable(authentication)));
        let way_out = site.root.as_ref().and_then(|root| root.config.app.auth.logout_redirect_url.clone());
        (access_control.provider_in_use(&site), policy.guests, signed, way_out)
    };
    if let Some(signed) = &signed {
        access_control.sign_outs.end(&signed.person, signed.session.began(), access_control.clock.now()).await;
    }
    let session = signed.as_ref().map(|signed| &signed.session);
    if let (Some(provider), Some(Session::Provider(session))) = (provider, session) {
        provider.revoke(session);
    }
    let next = if let Some(provider) = provider {
        let session = match session {
            Some(Session::Provider(session)) => Some(session),
            _ => None,
        };
        provider.sign_out_address(session, way_out.as_deref()).await.map(Next::Provider)
    } else {
        None
    };
    let own = || match session {
        _ if provider.is_some() => "/signed-out",
        Some(_) if guests => "/",
        Some(_) => "/login",
        None => "/signed-out",
    };
    let next = next
        .or_else(|| written(&way_out?).map(Next::Configured))
        .unwrap_or_else(|| Next::Here(format!("{base}{}", own())));
    let forget = |authentication: &Authentication| {
        let of = |purpose| access_control.cookies().remove(&request.headers, &authentication.place, purpose);
        [of(CookiePurpose::Session), of(CookiePurpose::Returns)].concat()
    };
    (next, authentication.map(forget).unwrap_or_default())
}

/// The address in `logoutRedirectUrl`, parsed and written again so that it is safe in a header.
fn written(way_out: &str) -> Option<String> {
    if way_out.starts_with('/') {
        let here = Url::parse("http://here").and_then(|here| here.join(way_out)).ok()?;
        return Some(here[Position::BeforePath..].to_owned());
    }
    Url::parse(way_out).ok().map(String::from)
}

/// Sends the browser to the provider to end the session there, or where the config says. Not with a redirect: after a
/// form, browsers check it, and all that follow, against the page's `form-action` too.
fn leave(portico: &AppState, request: &Parts, address: &str, to_provider: bool) -> Response {
    let signing_out = SigningOut { surroundings: surroundings(portico), href: address.to_owned(), to_provider };
    let around = signing_out.surroundings.clone();
    let html = with_locale(portico, &request.headers, || document::signing_out(signing_out, portico.assets.page()));
    let mut response = page(portico, StatusCode::OK, html, &around);
    if let Ok(refresh) = HeaderValue::from_str(&format!("0; url={address}")) {
        response.headers_mut().insert(header::REFRESH, refresh);
    }
    response
}

/// `GET /signed-out`: confirms the sign-out, and does not sign in again by itself.
pub async fn signed_out(State(portico): State<Arc<AppState>>, request: Parts) -> Response {
    let base = &portico.settings.base;
    let site = portico.store.site();
    let is_provider = portico.access_control.provider_in_use(&site).is_some();
    let is_signed_in =
        authentication_of(&request.extensions).is_some_and(|authentication| authentication.session.is_some());
    if is_signed_in {
        return see_other(&format!("{base}/login"));
    }
    let signed_out = SignedOut {
        surroundings: surroundings(&portico),
        sign_in: if is_provider { format!("{base}/login/provider") } else { format!("{base}/login") },
        still_at_provider: is_provider,
        guest: guest_address(&portico.access_control, &site, &format!("{base}/")),
    };
    let around = signed_out.surroundings.clone();
    let html = with_locale(&portico, &request.headers, || document::signed_out(signed_out, portico.assets.page()));
    page(&portico, StatusCode::OK, html, &around)
}
