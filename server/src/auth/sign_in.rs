//! `/login`: our own login page, its form, and the way to the identity provider (behaviour.md 19.2 and 19.4).

use std::sync::Arc;

use app::{
    document,
    sign_in::{Remember, SignInFailure, SignInKind, SignInPage},
};
use axum::{
    body::Body,
    extract::{Request, State},
    response::{IntoResponse as _, Response},
};
use http::{StatusCode, header, request::Parts};
use http_body_util::{BodyExt as _, Limited};
use url::form_urlencoded;

use super::{
    Asking, Kind,
    document::{failure_page, page, see_other, surroundings},
    door::{guest_address, parameter, set_out},
    place::own_path,
    provider::Manner,
    session::{AccountSession, Session},
    visit::visit_of,
};
use crate::{api::is_cross_site, portico::Portico};

/// Largest form, in bytes.
const MOST_BYTES: usize = 16 * 1024;

/// How long a sign-in lasts that ends with the browser, in seconds: some browsers never end.
const UNREMEMBERED_SECONDS: u64 = 30 * 24 * 3600;

/// What the login form sends.
#[derive(Debug, Default)]
struct Form {
    user: String,
    password: String,
    remember: Remember,
    return_to: Option<String>,
}

/// `GET /login`: the login page.
pub async fn login(State(portico): State<Arc<Portico>>, request: Parts) -> Response {
    let return_to = own_path(parameter(&request, "return_to").as_deref(), &portico.settings.base);
    login_page(&portico, &request, Form::default(), return_to, None, StatusCode::OK)
}

/// `POST /login`: signs somebody in with a name and a password of the config.
pub async fn login_form(State(portico): State<Arc<Portico>>, request: Request) -> Response {
    let (request, body) = request.into_parts();
    if is_cross_site(&request) {
        return forbidden(&portico);
    }
    let Some(form) = read_form(body).await else {
        return (StatusCode::PAYLOAD_TOO_LARGE, "the form is too large\n").into_response();
    };
    let return_to = own_path(form.return_to.as_deref(), &portico.settings.base);
    let again = |form: Form, return_to: String, message: &str| {
        login_page(&portico, &request, form, return_to, Some(message.to_owned()), StatusCode::UNAUTHORIZED)
    };
    if form.user.trim().is_empty() {
        return again(form, return_to, "Enter your user name.");
    }
    if form.password.is_empty() {
        return again(form, return_to, "Enter your password.");
    }
    let site = portico.store.site();
    let gate = &portico.gate;
    let policy = gate.policy(&site);
    let name = form.user.trim();
    let viewer = gate.account(&policy, name, &form.password).await;
    let known = viewer.as_ref().and_then(|viewer| viewer.person());
    let session = known.and_then(|person| {
        let binding = gate.binding_of_account(&policy, &person.name)?;
        let seconds = form.remember.seconds().unwrap_or(UNREMEMBERED_SECONDS);
        let expires = gate.clock.now().saturating_add(seconds);
        Some(Session::Account(AccountSession { name: person.name.clone(), binding, expires }))
    });
    let (Some(session), Some(visit)) = (session, visit_of(&request.extensions)) else {
        gate.attempts.failed(Asking::new(&request.headers, &request.extensions).peer).await;
        return again(form, return_to, "User name or password is wrong.");
    };
    let mut response = see_other(&return_to);
    let set_cookies = gate.keep(&session, &request.headers, &visit.place, form.remember.seconds());
    for cookie in set_cookies.unwrap_or_default() {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    response
}

/// `GET /login/provider`: sends the browser to the identity provider.
pub async fn to_provider(State(portico): State<Arc<Portico>>, request: Parts) -> Response {
    let base = &portico.settings.base;
    let return_to = own_path(parameter(&request, "return_to").as_deref(), base);
    let site = portico.store.site();
    let is_on = matches!(portico.gate.policy(&site).kind, Kind::Provider { .. });
    let (Some(provider), Some(visit)) = (portico.gate.provider().filter(|_| is_on), visit_of(&request.extensions))
    else {
        return see_other(&format!("{base}/login"));
    };
    set_out(&portico, provider, &request, visit, return_to, Manner::default()).await
}

fn login_page(
    portico: &Portico,
    request: &Parts,
    form: Form,
    return_to: String,
    message: Option<String>,
    status: StatusCode,
) -> Response {
    let site = portico.store.site();
    let policy = portico.gate.policy(&site);
    let kind = match policy.kind {
        Kind::Provider { .. } => {
            let name = portico.gate.provider().map_or("", |provider| provider.settings.name);
            SignInKind::Provider { name: name.to_owned() }
        }
        Kind::Accounts => SignInKind::Users,
        // There is nothing to sign in to, or no way to do so, and the page there says why.
        Kind::Open | Kind::Unreadable | Kind::Proxy(_) | Kind::Broken(_) => {
            return see_other(&format!("{}/", portico.settings.base));
        }
    };
    let visit = visit_of(&request.extensions);
    let signed = visit.and_then(|visit| visit.session.as_ref());
    let login = SignInPage {
        surroundings: surroundings(portico),
        guest: guest_address(&portico.gate, &site, &return_to),
        return_to,
        kind,
        message,
        user: form.user,
        remember: form.remember,
        signed_in_as: signed.and_then(|signed| signed.viewer.person()).map(|person| person.name.clone()),
    };
    let style = login.surroundings.style.clone();
    page(portico, status, document::sign_in(login, portico.assets.page()), &style)
}

/// The page for a request that another site's page made the browser send.
pub(super) fn forbidden(portico: &Portico) -> Response {
    let failure = SignInFailure {
        title: "This request comes from another site".to_owned(),
        reason: "Signing in and out is possible from the dashboard's own pages only.".to_owned(),
        advice: vec!["Does the proxy in front of the dashboard pass on the `Host` header?".to_owned()],
        retry: Some(format!("{}/login", portico.settings.base)),
        ..SignInFailure::default()
    };
    failure_page(portico, StatusCode::FORBIDDEN, failure)
}

async fn read_form(body: Body) -> Option<Form> {
    let bytes = Limited::new(body, MOST_BYTES).collect().await.ok()?.to_bytes();
    let mut form = Form::default();
    for (name, value) in form_urlencoded::parse(&bytes) {
        match name.as_ref() {
            "user" => form.user = value.into_owned(),
            "password" => form.password = value.into_owned(),
            "remember" => form.remember = Remember::of_word(&value),
            "return_to" => form.return_to = Some(value.into_owned()),
            _ => {}
        }
    }
    Some(form)
}
