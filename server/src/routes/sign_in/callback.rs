//! The callback of the identity provider: its response becomes a session (docs/spec/behavior.md 19.4).

use std::sync::Arc;

use app::sign_in::SignInFailure;
use axum::response::Response;
use http::{Method, StatusCode, request::Parts};
use languages::{fill, t};

use super::{
    document::{failure_page, provider_failure, see_other, step, with_cookies},
    page_access::{count_return, guest_address, parameter},
};
use crate::{
    access::{
        authentication::{Authentication, authentication_of},
        cookies::CookiePurpose,
        provider::{
            ATTEMPT_SECONDS, Attempt, AuthorizationOptions, IdentityProvider, ProviderError, Tokens, is_second_attempt,
        },
        session::Session,
    },
    routes::{
        app_state::AppState,
        sign_in::login::{count_sign_in, redirect_to_provider},
    },
};

/// Handles the provider's response, which arrives at the start page: the redirect address is that of the dashboard, as
/// in registrations made for Dashy. `None` if the request is no such response.
pub async fn call_back(portico: &AppState, request: &Parts) -> Option<Response> {
    let authentication = authentication_of(&request.extensions)?;
    let provider = portico.access_control.provider()?;
    let parameter = |name: &str| parameter(request, name).filter(|value| !value.is_empty());
    let state = parameter("state")?;
    let (code, error) = (parameter("code"), parameter("error"));
    if request.method != Method::GET || (code.is_none() && error.is_none()) {
        return None;
    }
    let query =
        CallbackQuery { state, code, error, description: parameter("error_description"), issuer: parameter("iss") };
    Some(query.respond(portico, provider, request, authentication).await)
}

/// The parameters that a provider sends through the browser.
struct CallbackQuery {
    state: String,
    code: Option<String>,
    error: Option<String>,
    description: Option<String>,
    issuer: Option<String>,
}

impl CallbackQuery {
    async fn respond(
        self,
        portico: &AppState,
        provider: &Arc<IdentityProvider>,
        request: &Parts,
        authentication: &Authentication,
    ) -> Response {
        let access_control = &portico.access_control;
        let cookies = access_control.cookies();
        let mark = cookies.mac_of(&self.state);
        let kept = cookies.read(&request.headers, &authentication.place, CookiePurpose::Attempt(&mark));
        let attempt: Option<Attempt> = kept.and_then(|kept| serde_json::from_slice(&kept).ok());
        let attempt = attempt.filter(|attempt| *attempt.state.secret() == self.state);
        let is_late = |attempt: &Attempt| access_control.clock.now().saturating_sub(attempt.started) >= ATTEMPT_SECONDS;
        let response = match &attempt {
            Some(attempt) if !is_late(attempt) => {
                self.finish(portico, provider, request, authentication, attempt).await
            }
            attempt => self.start_again(portico, provider, request, authentication, attempt.as_ref()).await,
        };
        with_cookies(response, cookies.remove(&request.headers, &authentication.place, CookiePurpose::Attempt(&mark)))
    }

    /// Handles a response that comes too late, or to an attempt that the browser does not know: begins a new one, once.
    async fn start_again(
        self,
        portico: &AppState,
        provider: &Arc<IdentityProvider>,
        request: &Parts,
        authentication: &Authentication,
        attempt: Option<&Attempt>,
    ) -> Response {
        let start_page = || format!("{}/", portico.settings.base);
        let return_to = attempt.map_or_else(start_page, |attempt| attempt.return_to.clone());
        // The back button of the browser, or a second click.
        if authentication.session.is_some() {
            return see_other(&return_to);
        }
        let has_signed_in = self.code.is_some() || self.is_timeout();
        if has_signed_in && !is_second_attempt(&self.state) {
            let options = AuthorizationOptions { again: true, ..AuthorizationOptions::default() };
            return redirect_to_provider(portico, provider, request, authentication, return_to, options).await;
        }
        unknown_attempt(portico, request, &return_to)
    }

    /// Whether the provider gave up waiting. Keycloak does so in one of two tabs when the user has signed in in the
    /// other.
    fn is_timeout(&self) -> bool {
        [&self.error, &self.description]
            .into_iter()
            .flatten()
            .any(|said| said == "temporarily_unavailable" || said == "authentication_expired")
    }

    async fn finish(
        self,
        portico: &AppState,
        provider: &Arc<IdentityProvider>,
        request: &Parts,
        authentication: &Authentication,
        attempt: &Attempt,
    ) -> Response {
        let access_control = &portico.access_control;
        let base = &portico.settings.base;
        let retry = || step(base, "/login/provider", &attempt.return_to);
        let guest = || guest_address(access_control, &portico.store.site(), &attempt.return_to);
        let sign_in_again = |options| {
            redirect_to_provider(portico, provider, request, authentication, attempt.return_to.clone(), options)
        };
        if let Some(error) = &self.error {
            // Consent was requested in order to get a refresh token; the sign-in itself had already worked.
            if attempt.options.consent && authentication.session.is_some() {
                return see_other(&attempt.return_to);
            }
            if self.is_timeout() {
                if authentication.session.is_some() {
                    return see_other(&attempt.return_to);
                }
                if !attempt.options.again {
                    let options = AuthorizationOptions { again: true, ..attempt.options };
                    return sign_in_again(options).await;
                }
            }
            let is_scope = error == "invalid_scope" && !attempt.options.listed_scopes;
            if is_scope && provider.has_unlisted_scopes().await {
                let options = AuthorizationOptions { listed_scopes: true, ..attempt.options };
                return sign_in_again(options).await;
            }
            let error = ProviderError::refused(error, self.description.as_deref());
            return provider_failure(portico, &request.headers, provider, &error, retry(), guest());
        }
        let code = self.code.as_deref().unwrap_or_default();
        let tokens = match provider.finish(attempt, code, self.issuer.as_deref()).await {
            Ok(tokens) => tokens,
            Err(error) => {
                count_sign_in("provider", false);
                return provider_failure(portico, &request.headers, provider, &error, retry(), guest());
            }
        };
        count_sign_in("provider", true);
        tracing::info!("`{}` signed in", tokens.viewer.person().map_or("", |person| &person.name));
        let response = if provider.wants_consent(attempt, &tokens) {
            let options = AuthorizationOptions { consent: true, ..attempt.options };
            redirect_to_provider(portico, provider, request, authentication, attempt.return_to.clone(), options).await
        } else {
            see_other(&attempt.return_to)
        };
        let returns =
            if authentication.session.is_none() { count_return(portico, request, authentication) } else { Vec::new() };
        let Tokens { mut session, person, .. } = tokens;
        session.began = access_control.sign_outs.beginning(&person, session.began);
        match access_control.keep(&Session::Provider(session), &request.headers, &authentication.place, None) {
            Ok(set_cookies) => with_cookies(response, [set_cookies, returns].concat()),
            Err(too_large) => too_large_for_cookies(portico, request, too_large.0, retry()),
        }
    }
}

fn unknown_attempt(portico: &AppState, request: &Parts, return_to: &str) -> Response {
    failure_page(portico, &request.headers, StatusCode::BAD_REQUEST, || SignInFailure {
        title: t("This sign-in was not started here").to_owned(),
        reason: t("This browser did not start this sign-in, or started it more than ten minutes ago.").to_owned(),
        advice: vec![
            t("Try again: it may simply have taken too long.").to_owned(),
            t("Does your browser accept cookies from this address?").to_owned(),
            t("Did you open the dashboard under the address that is registered at the provider?").to_owned(),
        ],
        retry: Some(step(&portico.settings.base, "/login/provider", return_to)),
        ..SignInFailure::default()
    })
}

/// Sessions are kept only in cookies, whose size browsers and proxies limit.
fn too_large_for_cookies(portico: &AppState, request: &Parts, bytes: usize, retry: String) -> Response {
    tracing::warn!("an ID token is too large: its session would take {bytes} bytes of cookies");
    let kilobytes = bytes.div_ceil(1024).to_string();
    failure_page(portico, &request.headers, StatusCode::BAD_GATEWAY, || SignInFailure {
        title: t("The ID token is too large").to_owned(),
        reason: fill(
            "The session would need {count} KB of cookies, more than browsers and proxies accept.",
            &[("count", &kilobytes)],
        ),
        advice: vec![
            t("Have the provider put fewer groups into the ID token, for example only those of this client.")
                .to_owned(),
            t("Remove scopes from `scope` that the dashboard does not need.").to_owned(),
        ],
        retry: Some(retry),
        ..SignInFailure::default()
    })
}
