//! Access to pages: who gets one, and who is sent to sign in.

use app::{
    page::{SessionKind, SessionView},
    sign_in::SignInFailure,
};
use axum::response::{IntoResponse as _, Response};
use config::Viewer;
use http::{HeaderMap, HeaderValue, StatusCode, header, request::Parts};
use languages::{fill, t};
use url::form_urlencoded;

use super::document::{CHECK, as_guest, failure_page, see_other, sentence, step};
use crate::{
    access::{
        AccessControl, Denied, SignInMethod,
        authentication::{Authentication, NoSession, authentication_of},
        cookies::CookiePurpose,
        public_address::requested_path,
    },
    routes::app_state::AppState,
    store::Site,
};

/// How often a browser may return from the provider without a session within [`RETURN_SECONDS`] until a page
/// explains the problem.
const MAX_RETURNS: u64 = 2;

/// How long such a return counts, in seconds.
const RETURN_SECONDS: u64 = 60;

/// Admits a viewer to a page, or returns the response that leads them to sign in.
///
/// # Errors
///
/// The response for viewers who are not admitted.
pub async fn enter(portico: &AppState, site: &Site, request: &Parts) -> Result<Viewer, Response> {
    let Some(authentication) = authentication_of(&request.extensions) else {
        return Err(Denied::Unauthorized { basic: false }.into_response());
    };
    let policy = portico.access_control.policy(site);
    let provider = portico.access_control.provider_in_use(site);
    let is_for_show = provider.is_some_and(|provider| !provider.settings.enforced);
    let viewer = match &authentication.session {
        Some(signed) => Ok(signed.viewer.clone()),
        None if is_for_show && policy.guests => Ok(Viewer::Guest),
        None if is_for_show => Err(Denied::Unauthorized { basic: false }),
        None => authentication.viewer.clone(),
    };
    let shows_login_first = viewer == Ok(Viewer::Guest)
        && provider.is_some_and(|provider| provider.settings.show_login_page)
        && !has_parameter(request, "guest");
    let denied = match viewer {
        Ok(viewer) if !shows_login_first => return Ok(viewer),
        Ok(_) => Denied::Unauthorized { basic: false },
        Err(denied) => denied,
    };
    // Wrong credentials are refused, and a script that requests a page has no use for a login page.
    let by_script = request.headers.get("sec-fetch-mode").is_some_and(|mode| mode != "navigate");
    if request.headers.contains_key(header::AUTHORIZATION) || by_script {
        return Err(denied.into_response());
    }
    match denied {
        Denied::Unauthorized { basic: false } => {}
        Denied::Unauthorized { basic: true } | Denied::TooManyGuesses => return Err(denied.into_response()),
        Denied::Unavailable(reason) => return Err(closed(portico, request, &reason)),
    }
    let base = &portico.settings.base;
    let return_to = requested_path(request, base);
    Err(match provider {
        None if policy.accepts_basic() => see_other(&step(base, "/login", &return_to)),
        None => denied.into_response(),
        Some(provider) if provider.settings.show_login_page => see_other(&step(base, "/login", &return_to)),
        Some(_) => redirect_to_provider(portico, request, authentication, &return_to),
    })
}

/// Redirects the browser to the provider automatically, unless it has returned from there again and
/// again without a session.
fn redirect_to_provider(
    portico: &AppState,
    request: &Parts,
    authentication: &Authentication,
    return_to: &str,
) -> Response {
    let (count, _) = returns(portico, request, authentication);
    let address = step(&portico.settings.base, "/login/provider", return_to);
    if count >= MAX_RETURNS {
        tracing::warn!("a browser came back from the identity provider {count} times and has no session");
        return redirect_loop(portico, request, authentication.missing, address);
    }
    see_other(&address)
}

/// How often a browser has returned from the provider since it last had a session, and when it first did, in
/// seconds since 1970.
fn returns(portico: &AppState, request: &Parts, authentication: &Authentication) -> (u64, u64) {
    let now = portico.access_control.clock.now();
    let kept = portico.access_control.cookies().read(&request.headers, &authentication.place, CookiePurpose::Returns);
    let kept: Option<(u64, u64)> = kept.and_then(|kept| serde_json::from_slice(&kept).ok());
    kept.filter(|(_, first)| now.saturating_sub(*first) < RETURN_SECONDS).unwrap_or((0, now))
}

/// The cookies that count a return from the provider. The next request with a session removes them.
pub(super) fn count_return(portico: &AppState, request: &Parts, authentication: &Authentication) -> Vec<HeaderValue> {
    let (count, first) = returns(portico, request, authentication);
    let counted = serde_json::to_vec(&(count.saturating_add(1), first)).unwrap_or_default();
    let cookies = portico.access_control.cookies();
    let set =
        cookies.write(&request.headers, &authentication.place, CookiePurpose::Returns, &counted, Some(RETURN_SECONDS));
    set.unwrap_or_default()
}

/// The page of a dashboard whose configured sign-in cannot work.
fn closed(portico: &AppState, request: &Parts, reason: &str) -> Response {
    failure_page(portico, &request.headers, StatusCode::SERVICE_UNAVAILABLE, || SignInFailure {
        title: t("The dashboard is closed").to_owned(),
        reason: t("Its sign-in is not set up correctly.").to_owned(),
        detail: Some(sentence(&languages::message(reason))),
        advice: vec![t("Correct the configuration or the environment, then restart the server.").to_owned()],
        ..SignInFailure::default()
    })
}

/// The page for a browser that keeps signing in without getting a session.
fn redirect_loop(portico: &AppState, request: &Parts, missing: NoSession, retry: String) -> Response {
    failure_page(portico, &request.headers, StatusCode::LOOP_DETECTED, || {
        let rounds = fill(
            "The browser came back from the identity provider {count} times within a minute.",
            &[("count", &MAX_RETURNS.to_string())],
        );
        let (reason, mut advice) = why_it_loops(missing);
        advice.push(t(CHECK));
        SignInFailure {
            title: t("Signing in goes round in circles").to_owned(),
            reason: format!("{rounds} {reason}"),
            advice: advice.into_iter().map(str::to_owned).collect(),
            retry: Some(retry),
            ..SignInFailure::default()
        }
    })
}

/// Why a browser has no session, and what to check.
fn why_it_loops(missing: NoSession) -> (&'static str, Vec<&'static str>) {
    match missing {
        NoSession::Absent => (
            t("The session cookie was missing."),
            vec![
                t("Does your browser accept cookies from this address?"),
                t("Do you always open the dashboard under the same address?"),
            ],
        ),
        NoSession::Unreadable => (
            t("Its session could not be read."),
            vec![
                t("Do all servers behind this address have the same SESSION_SECRET?"),
                t("Does every proxy pass on all cookies?"),
            ],
        ),
        NoSession::Outdated => (
            t("Its session belongs to a different configuration."),
            vec![t("Do all servers behind this address have the same config?")],
        ),
        NoSession::Expired => (
            t("Its ID token had already expired."),
            vec![
                t("Are the clocks of this server and the provider right?"),
                t("Is the lifetime of ID tokens long enough?"),
            ],
        ),
        NoSession::SignedOut => (
            t("The session was signed out earlier."),
            vec![t("Check that all servers behind this address have the correct time.")],
        ),
        NoSession::ProviderAway { .. } => (
            t("Its session could not be renewed, because the provider cannot be reached."),
            vec![t("Is the provider running, and can this server reach it under the configured address?")],
        ),
    }
}

/// The address for continuing as a guest; `None` if guests are not admitted.
pub(super) fn guest_address(access_control: &AccessControl, site: &Site, return_to: &str) -> Option<String> {
    access_control.policy(site).guests.then(|| as_guest(return_to))
}

/// A parameter of the query.
pub(super) fn parameter(request: &Parts, name: &str) -> Option<String> {
    let query = request.uri.query()?;
    form_urlencoded::parse(query.as_bytes()).find(|(key, _)| key == name).map(|(_, value)| value.into_owned())
}

fn has_parameter(request: &Parts, name: &str) -> bool {
    parameter(request, name).is_some()
}

/// The viewer as shown on a page; `None` if no kind of sign-in is configured.
pub fn session_view(portico: &AppState, site: &Site, viewer: &Viewer) -> Option<SessionView> {
    // There is no server to sign in at.
    if portico.settings.export.is_some() {
        return None;
    }
    let policy = portico.access_control.policy(site);
    let kind = match policy.kind {
        SignInMethod::Open | SignInMethod::Unreadable | SignInMethod::Broken(_) => return None,
        SignInMethod::Accounts => SessionKind::Users,
        SignInMethod::Proxy(_) => SessionKind::Proxy,
        SignInMethod::Provider { .. } => SessionKind::Oidc,
    };
    let way_out = site.root.as_ref().and_then(|root| root.config.app.auth.logout_redirect_url.as_ref());
    Some(SessionView {
        kind,
        signs_out: kind != SessionKind::Proxy || way_out.is_some(),
        name: viewer.person().map(|person| person.name.clone()).unwrap_or_default(),
        is_admin: viewer.is_admin(),
        guest: *viewer == Viewer::Guest,
    })
}

/// Whether viewers who are not signed in can sign in.
pub fn offers_sign_in(portico: &AppState, site: &Site) -> bool {
    let kind = portico.access_control.policy(site).kind;
    !matches!(kind, SignInMethod::Open | SignInMethod::Unreadable | SignInMethod::Broken(_))
}

/// The config for programs written for Dashy's own page that have not signed in yet (docs/spec/behavior.md 19.4):
/// how to sign in, and the title. `None` if no provider is enforced, or if the request has wrong
/// credentials.
pub fn how_to_sign_in(portico: &AppState, site: &Site, request: &HeaderMap) -> Option<Response> {
    let is_enforced = portico.access_control.policy(site).kind == SignInMethod::Provider { enforced: true };
    if !is_enforced || request.contains_key(header::AUTHORIZATION) {
        return None;
    }
    let milliseconds = portico.access_control.clock.now().saturating_mul(1000);
    let text = site.root.as_ref()?.document.bootstrap_text(milliseconds);
    let headers = [
        (header::CONTENT_TYPE, "application/yaml; charset=utf-8"),
        (header::CACHE_CONTROL, "no-store"),
        (header::VARY, "Authorization, Cookie"),
    ];
    Some((headers, text).into_response())
}
