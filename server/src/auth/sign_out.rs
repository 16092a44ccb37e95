//! `/logout`: the end of a session, here and at the identity provider (behaviour.md 19.4).

use std::sync::Arc;

use app::{
    document,
    sign_in::{Leaving, SignedOut},
};
use axum::{extract::State, response::Response};
use http::{HeaderValue, StatusCode, header, request::Parts};

use super::{
    Kind,
    cookies::Purpose,
    document::{page, see_other, surroundings},
    door::guest_address,
    session::Session,
    sign_in::forbidden,
    visit::visit_of,
};
use crate::{api::is_cross_site, portico::Portico};

/// `POST /logout`: forgets the session in any case, and takes the browser to the provider to do the same there.
pub async fn logout(State(portico): State<Arc<Portico>>, request: Parts) -> Response {
    if is_cross_site(&request) {
        return forbidden(&portico);
    }
    let gate = &portico.gate;
    let base = &portico.settings.base;
    let (kind, guests) = {
        let site = portico.store.site();
        let policy = gate.policy(&site);
        let is_provider = matches!(policy.kind, Kind::Provider { .. });
        (is_provider.then(|| gate.provider()).flatten(), policy.guests)
    };
    let visit = visit_of(&request.extensions);
    let session = visit.and_then(|visit| visit.session.as_ref()).map(|signed| &signed.session);
    let mut response = match (kind, session) {
        (Some(provider), session) => {
            let session = match session {
                Some(Session::Provider(session)) => Some(session),
                _ => None,
            };
            match provider.sign_out_address(session).await {
                Some(address) => leave(&portico, address.as_str()),
                None => see_other(&format!("{base}/signed-out")),
            }
        }
        (None, Some(_)) if guests => see_other(&format!("{base}/")),
        (None, Some(_)) => see_other(&format!("{base}/login")),
        (None, None) => see_other(&format!("{base}/signed-out")),
    };
    if let Some(visit) = visit {
        // Also one that is over or cannot be read.
        for purpose in [Purpose::Session, Purpose::Hops] {
            for cookie in gate.cookies().remove(&request.headers, &visit.place, purpose) {
                response.headers_mut().append(header::SET_COOKIE, cookie);
            }
        }
    }
    response
}

/// Takes the browser to the provider's end of the session. Not with a redirect: after a form, browsers hold that
/// against the page's `form-action` too.
fn leave(portico: &Portico, address: &str) -> Response {
    let leaving = Leaving { surroundings: surroundings(portico), href: address.to_owned() };
    let style = leaving.surroundings.style.clone();
    let html = document::leaving(leaving, portico.assets.page());
    let mut response = page(portico, StatusCode::OK, html, &style);
    if let Ok(refresh) = HeaderValue::from_str(&format!("0; url={address}")) {
        response.headers_mut().insert(header::REFRESH, refresh);
    }
    response
}

/// `GET /signed-out`: says so, and does not sign in again by itself.
pub async fn signed_out(State(portico): State<Arc<Portico>>, request: Parts) -> Response {
    let base = &portico.settings.base;
    let site = portico.store.site();
    let is_provider = matches!(portico.gate.policy(&site).kind, Kind::Provider { .. });
    let is_signed_in = visit_of(&request.extensions).is_some_and(|visit| visit.session.is_some());
    if is_signed_in {
        return see_other(&format!("{base}/login"));
    }
    let signed_out = SignedOut {
        surroundings: surroundings(&portico),
        sign_in: if is_provider { format!("{base}/login/provider") } else { format!("{base}/login") },
        still_at_provider: is_provider,
        guest: guest_address(&portico.gate, &site, &format!("{base}/")),
    };
    let style = signed_out.surroundings.style.clone();
    page(&portico, StatusCode::OK, document::signed_out(signed_out, portico.assets.page()), &style)
}
