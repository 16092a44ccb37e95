//! The way back from the identity provider: its answer becomes a session (docs/spec/behaviour.md 19.4).

use std::sync::Arc;

use app::sign_in::SignInFailure;
use axum::response::Response;
use http::{Method, StatusCode, request::Parts};

use super::{
    cookies::Purpose,
    document::{failure_page, provider_failure, see_other, step, with_cookies},
    door::{guest_address, parameter},
    provider::{ATTEMPT_SECONDS, Attempt, Manner, Provider, ProviderError, Tokens},
    session::Session,
    sign_in::set_out,
    visit::{Visit, visit_of},
};
use crate::portico::Portico;

/// The answer to a provider's answer, which comes to the start page: the redirect address is the dashboard's own, as
/// registrations made for Dashy have it. None if the request is no such answer.
pub async fn call_back(portico: &Portico, request: &Parts) -> Option<Response> {
    let visit = visit_of(&request.extensions)?;
    let provider = portico.gate.provider()?;
    let parameter = |name: &str| parameter(request, name).filter(|value| !value.is_empty());
    let state = parameter("state")?;
    let (code, error) = (parameter("code"), parameter("error"));
    if request.method != Method::GET || (code.is_none() && error.is_none()) {
        return None;
    }
    let answer = Answer { state, code, error, description: parameter("error_description"), issuer: parameter("iss") };
    Some(answer.meet(portico, provider, request, visit).await)
}

/// What a provider sends with the browser.
struct Answer {
    state: String,
    code: Option<String>,
    error: Option<String>,
    description: Option<String>,
    issuer: Option<String>,
}

impl Answer {
    async fn meet(self, portico: &Portico, provider: &Arc<Provider>, request: &Parts, visit: &Visit) -> Response {
        let gate = &portico.gate;
        let cookies = gate.cookies();
        let mark = cookies.mark_of(&self.state);
        let kept = cookies.read(&request.headers, &visit.place, Purpose::Attempt(&mark));
        let attempt: Option<Attempt> = kept.and_then(|kept| serde_json::from_slice(&kept).ok());
        let now = gate.clock.now();
        let attempt = attempt.filter(|attempt| {
            *attempt.state.secret() == self.state && now.saturating_sub(attempt.started) < ATTEMPT_SECONDS
        });
        let base = &portico.settings.base;
        let Some(attempt) = attempt else {
            // The way back in the browser's history, or a second click.
            if visit.session.is_some() {
                return see_other(&format!("{base}/"));
            }
            return unknown_attempt(portico);
        };
        let response = self.settle(portico, provider, request, visit, &attempt).await;
        with_cookies(response, cookies.remove(&request.headers, &visit.place, Purpose::Attempt(&mark)))
    }

    async fn settle(
        self,
        portico: &Portico,
        provider: &Arc<Provider>,
        request: &Parts,
        visit: &Visit,
        attempt: &Attempt,
    ) -> Response {
        let gate = &portico.gate;
        let base = &portico.settings.base;
        let retry = || step(base, "/login/provider", &attempt.return_to);
        let guest = || guest_address(gate, &portico.store.site(), &attempt.return_to);
        if let Some(error) = &self.error {
            // Consent was asked for to get a refresh token; the sign-in itself had already worked.
            if attempt.manner.consent && visit.session.is_some() {
                return see_other(&attempt.return_to);
            }
            let is_scope = error == "invalid_scope" && !attempt.manner.listed_scopes;
            if is_scope && provider.has_unlisted_scopes().await {
                let manner = Manner { listed_scopes: true, ..attempt.manner };
                return set_out(portico, provider, request, visit, attempt.return_to.clone(), manner).await;
            }
            let error = ProviderError::refused(error, self.description.as_deref());
            return provider_failure(portico, &error, retry(), guest());
        }
        let code = self.code.as_deref().unwrap_or_default();
        let tokens = match provider.finish(attempt, code, self.issuer.as_deref()).await {
            Ok(tokens) => tokens,
            Err(error) => return provider_failure(portico, &error, retry(), guest()),
        };
        tracing::info!("`{}` signed in", tokens.viewer.person().map_or("", |person| &person.name));
        let response = if provider.wants_consent(attempt, &tokens) {
            let manner = Manner { consent: true, ..attempt.manner };
            set_out(portico, provider, request, visit, attempt.return_to.clone(), manner).await
        } else {
            see_other(&attempt.return_to)
        };
        let Tokens { session, .. } = tokens;
        match gate.keep(&Session::Provider(session), &request.headers, &visit.place, None) {
            Ok(set_cookies) => with_cookies(response, set_cookies),
            Err(too_large) => too_large_for_cookies(portico, too_large.0, retry()),
        }
    }
}

fn unknown_attempt(portico: &Portico) -> Response {
    let failure = SignInFailure {
        title: "This sign-in was not begun here".to_owned(),
        reason: "The answer of the identity provider does not belong to a sign-in that this browser has begun in the \
                 last ten minutes."
            .to_owned(),
        advice: vec![
            "Try again: it may simply have taken too long.".to_owned(),
            "Are cookies allowed for this address?".to_owned(),
            "Is the dashboard opened under the same address that is registered at the provider?".to_owned(),
        ],
        retry: Some(format!("{}/login/provider", portico.settings.base)),
        ..SignInFailure::default()
    };
    failure_page(portico, StatusCode::BAD_REQUEST, failure)
}

/// Cookies are all that keeps a session, and browsers and proxies limit them.
fn too_large_for_cookies(portico: &Portico, bytes: usize, retry: String) -> Response {
    tracing::warn!("an ID token is too large: its session would take {bytes} bytes of cookies");
    let failure = SignInFailure {
        title: "The identity provider says too much".to_owned(),
        reason: format!(
            "The session would take {} KB of cookies, which browsers and proxies do not pass on.",
            bytes.div_ceil(1024)
        ),
        advice: vec![
            "Have the provider put fewer groups into the ID token, for example only those that belong to this client."
                .to_owned(),
            "Leave scopes that are not needed out of `scope`.".to_owned(),
        ],
        retry: Some(retry),
        ..SignInFailure::default()
    };
    failure_page(portico, StatusCode::BAD_GATEWAY, failure)
}
