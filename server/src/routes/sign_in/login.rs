//! `/login`: our own login page, its form, and the redirect to the identity provider (docs/spec/behavior.md 19.2 and 19.4).

use std::sync::Arc;

use app::{
    backend::NextAddress,
    document,
    sign_in::{Remember, SignInFailure, SignInKind, SignInPage},
};
use axum::{
    extract::{Request, State},
    response::{IntoResponse as _, Response},
};
use http::{HeaderValue, StatusCode, header, request::Parts};
use languages::{fill, t};
use url::{Url, form_urlencoded};

use super::{
    FunctionResponse,
    document::{failure_page, page, provider_failure, see_other, step, surroundings, with_cookies, with_locale},
    page_access::{guest_address, parameter},
};
use crate::{
    access::{
        ClaimedAccount, RETRY_AFTER, SignInMethod,
        authentication::{Authentication, authentication_of},
        cookies::CookiePurpose,
        provider::{ATTEMPT_COOKIE_SECONDS, AuthorizationOptions, IdentityProvider, ProviderError},
        public_address::own_path,
        session::{AccountSession, Session, UNREMEMBERED_SECONDS},
        sign_outs::PersonId,
    },
    platform::{blocking_pool, metrics::metrics},
    routes::{api::is_cross_site, app_state::AppState, peer::auth_request, request_body},
};

/// Maximum size of the form, in bytes.
const MAX_BYTES: usize = 16 * 1024;

/// The fields of the login form.
#[derive(Debug, Default)]
struct LoginForm {
    user: String,
    password: String,
    remember: Remember,
    return_to: Option<String>,
}

/// `GET /login`: the login page.
pub async fn login(State(portico): State<Arc<AppState>>, request: Parts) -> Response {
    let draw = move || {
        let return_to = own_path(parameter(&request, "return_to").as_deref(), &portico.settings.base);
        login_page(&portico, &request, LoginForm::default(), return_to, None, StatusCode::OK)
    };
    // Anybody may ask for it.
    blocking_pool::compute(draw).await.unwrap_or_else(|_| StatusCode::INTERNAL_SERVER_ERROR.into_response())
}

/// `POST /login`: signs a user in with a name and a password from the config.
pub async fn login_form(State(portico): State<Arc<AppState>>, request: Request) -> Response {
    let (request, body) = request.into_parts();
    if is_cross_site(&request) {
        return forbidden(&portico, &request);
    }
    let form = match request_body::read(body, MAX_BYTES).await {
        Ok(form) => parse_form(&form),
        Err(unread) => return unread.into_error("the form is too large").into_response(),
    };
    let return_to = own_path(form.return_to.as_deref(), &portico.settings.base);
    let again = |form: LoginForm, return_to: String, message: &'static str| {
        let message = with_locale(&portico, &request.headers, || t(message).to_owned());
        login_page(&portico, &request, form, return_to, Some(message), StatusCode::UNAUTHORIZED)
    };
    if form.user.trim().is_empty() {
        return again(form, return_to, "Enter your user name.");
    }
    if form.password.is_empty() {
        return again(form, return_to, "Enter your password.");
    }
    let site = portico.store.site();
    let access_control = &portico.access_control;
    let policy = access_control.policy(&site);
    let name = form.user.trim();
    let client = access_control.client(auth_request(&request.headers, &request.extensions));
    let Ok(turn) = access_control.guesses.begin(client, ClaimedAccount::Named(name)).await else {
        let message = with_locale(&portico, &request.headers, || {
            fill("Too many failed attempts. Try again in {count} seconds.", &[("count", &RETRY_AFTER.to_string())])
        });
        let mut response =
            login_page(&portico, &request, form, return_to, Some(message), StatusCode::TOO_MANY_REQUESTS);
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(RETRY_AFTER));
        return response;
    };
    let viewer = access_control.account(&policy, name, &form.password).await;
    let known = viewer.as_ref().and_then(|viewer| viewer.person());
    let session = known.and_then(|person| {
        let fingerprint = access_control.password_fingerprint_of_account(&policy, &person.name)?;
        let seconds = form.remember.seconds().unwrap_or(UNREMEMBERED_SECONDS);
        let now = access_control.clock.now();
        let began = access_control.sign_outs.beginning(&PersonId::of_account(&person.name), now);
        let expires = now.saturating_add(seconds);
        Some(Session::Account(AccountSession { name: person.name.clone(), fingerprint, expires, began }))
    });
    let (Some(session), Some(authentication)) = (session, authentication_of(&request.extensions)) else {
        count_sign_in("password", false);
        turn.failed().await;
        return again(form, return_to, "User name or password is wrong.");
    };
    turn.succeeded();
    count_sign_in("password", true);
    let set_cookies = access_control.keep(&session, &request.headers, &authentication.place, form.remember.seconds());
    with_cookies(see_other(&return_to), set_cookies.unwrap_or_default())
}

/// Counts an attempt to sign in; `method` is a word of ours.
pub(super) fn count_sign_in(method: &'static str, is_ok: bool) {
    if let Some(metrics) = metrics() {
        metrics.sign_in(method, is_ok);
    }
}

/// `GET /login/provider`: sends the browser to the identity provider.
pub async fn to_provider(State(portico): State<Arc<AppState>>, request: Parts) -> Response {
    let base = &portico.settings.base;
    let return_to = own_path(parameter(&request, "return_to").as_deref(), base);
    let (Some(provider), Some(authentication)) =
        (portico.access_control.provider_in_use(&portico.store.site()), authentication_of(&request.extensions))
    else {
        return see_other(&format!("{base}/login"));
    };
    redirect_to_provider(&portico, provider, &request, authentication, return_to, AuthorizationOptions::default()).await
}

/// Begins a sign-in for a script of our own page: returns where the browser has to go, or why it should stay.
pub async fn begin_sign_in(portico: &AppState, request: &Parts, return_to: &str) -> FunctionResponse<NextAddress> {
    let base = &portico.settings.base;
    let return_to = own_path(Some(return_to), base);
    let provider = portico.access_control.provider_in_use(&portico.store.site());
    let (Some(provider), Some(authentication)) = (provider, authentication_of(&request.extensions)) else {
        return FunctionResponse::ok(NextAddress { address: step(base, "/login", &return_to), message: None });
    };
    match begin(portico, provider, request, authentication, return_to.clone(), AuthorizationOptions::default()).await {
        Ok((address, set_cookies)) => {
            let answer = NextAddress { address: address.into(), message: None };
            FunctionResponse { set_cookies, ..FunctionResponse::ok(answer) }
        }
        Err(error) => {
            tracing::warn!("a sign-in could not begin: {error}");
            // Other problems are better explained on a page.
            let is_away = matches!(error, ProviderError::Unreachable(_));
            let message = is_away.then(|| {
                with_locale(portico, &request.headers, || t("The identity provider cannot be reached.").to_owned())
            });
            let answer = NextAddress { address: step(base, "/login/provider", &return_to), message };
            FunctionResponse { status: StatusCode::SERVICE_UNAVAILABLE, ..FunctionResponse::ok(answer) }
        }
    }
}

/// Begins a sign-in: redirects to the provider, with a cookie for the attempt.
pub(super) async fn redirect_to_provider(
    portico: &AppState,
    provider: &Arc<IdentityProvider>,
    request: &Parts,
    authentication: &Authentication,
    return_to: String,
    options: AuthorizationOptions,
) -> Response {
    let retry = step(&portico.settings.base, "/login/provider", &return_to);
    let guest = guest_address(&portico.access_control, &portico.store.site(), &return_to);
    match begin(portico, provider, request, authentication, return_to, options).await {
        Ok((address, set_cookies)) => with_cookies(see_other(address.as_str()), set_cookies),
        Err(error) => provider_failure(portico, &request.headers, provider, &error, retry, guest),
    }
}

/// The address at the provider, and the cookies for the attempt.
async fn begin(
    portico: &AppState,
    provider: &Arc<IdentityProvider>,
    request: &Parts,
    authentication: &Authentication,
    return_to: String,
    options: AuthorizationOptions,
) -> Result<(Url, Vec<HeaderValue>), ProviderError> {
    let redirect = format!("{}{}", authentication.place.origin, portico.settings.base);
    let (attempt, address) = provider.begin(return_to, redirect, options).await?;
    let cookies = portico.access_control.cookies();
    let (headers, place) = (&request.headers, &authentication.place);
    let mut set_cookies = cookies.make_room_for_attempt(headers, place);
    let mark = cookies.mac_of(attempt.state.secret());
    let kept = serde_json::to_vec(&attempt).unwrap_or_default();
    let set = cookies.write(headers, place, CookiePurpose::Attempt(&mark), &kept, Some(ATTEMPT_COOKIE_SECONDS));
    set_cookies.extend(set.unwrap_or_default());
    Ok((address, set_cookies))
}

fn login_page(
    portico: &AppState,
    request: &Parts,
    form: LoginForm,
    return_to: String,
    message: Option<String>,
    status: StatusCode,
) -> Response {
    let site = portico.store.site();
    let policy = portico.access_control.policy(&site);
    let kind = match policy.kind {
        SignInMethod::Provider { .. } => {
            let name = portico.access_control.provider().map_or("", |provider| provider.settings.name);
            SignInKind::Provider { name: name.to_owned() }
        }
        SignInMethod::Accounts => SignInKind::Users,
        // There is no sign-in, or it cannot work, and the page there says why.
        SignInMethod::Open | SignInMethod::Unreadable | SignInMethod::Proxy(_) | SignInMethod::Broken(_) => {
            return see_other(&format!("{}/", portico.settings.base));
        }
    };
    let authentication = authentication_of(&request.extensions);
    let signed = authentication.and_then(|authentication| authentication.session.as_ref());
    let login = SignInPage {
        surroundings: surroundings(portico),
        guest: guest_address(&portico.access_control, &site, &return_to),
        return_to,
        kind,
        message,
        user: form.user,
        remember: form.remember,
        signed_in_as: signed.and_then(|signed| signed.viewer.person()).map(|person| person.name.clone()),
    };
    let around = login.surroundings.clone();
    let html = with_locale(portico, &request.headers, || document::sign_in(login, portico.assets.page()));
    page(portico, status, html, &around)
}

/// The page for a request caused by a page of another site.
pub(super) fn forbidden(portico: &AppState, request: &Parts) -> Response {
    failure_page(portico, &request.headers, StatusCode::FORBIDDEN, || SignInFailure {
        title: t("This request comes from another site").to_owned(),
        reason: t("You can only sign in and out from the dashboard's own pages.").to_owned(),
        advice: vec![t("Does the proxy in front of the dashboard pass on the `Host` header?").to_owned()],
        retry: Some(format!("{}/login", portico.settings.base)),
        ..SignInFailure::default()
    })
}

fn parse_form(bytes: &[u8]) -> LoginForm {
    let mut form = LoginForm::default();
    for (name, value) in form_urlencoded::parse(bytes) {
        match name.as_ref() {
            "user" => form.user = value.into_owned(),
            "password" => form.password = value.into_owned(),
            "remember" => form.remember = Remember::of_word(&value),
            "return_to" => form.return_to = Some(value.into_owned()),
            _ => {}
        }
    }
    form
}
