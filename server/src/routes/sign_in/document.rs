//! The sign-in pages as responses. They are never cached, because each belongs to one moment in one browser.

use std::fmt::Write as _;

use app::sign_in::{SignInFailure, Surroundings};
use axum::response::{IntoResponse as _, Response};
use config::{Dashboard, PageRequest, Viewer};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use languages::{full_stop, message, t};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use crate::{
    access::provider::{IdentityProvider, ProviderError, ProviderSettings, TokenError},
    routes::{app_state::AppState, language, pages},
};

/// The characters that are encoded in a query parameter that contains a path.
const IN_QUERY: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// Advice for anyone who runs the server.
pub(super) const CHECK: &str = "Run `portico check-oidc` on the server to find out more.";

/// A page with a status, in these surroundings.
pub(super) fn page(portico: &AppState, status: StatusCode, html: String, surroundings: &Surroundings) -> Response {
    let Surroundings { day_theme, night_theme, style, .. } = surroundings;
    let styles = pages::inline_styles(portico, day_theme, night_theme, style.clone());
    let mut response = (status, html).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::CONTENT_SECURITY_POLICY, portico.policy.header(&styles, &[]));
    response
}

/// Sends the browser to another address with GET.
pub(super) fn see_other(address: &str) -> Response {
    let location = HeaderValue::from_str(address).unwrap_or_else(|_| HeaderValue::from_static("/"));
    let headers = [(header::LOCATION, location), (header::CACHE_CONTROL, HeaderValue::from_static("no-store"))];
    (StatusCode::SEE_OTHER, headers).into_response()
}

/// A response with cookies.
pub(super) fn with_cookies(mut response: Response, set_cookies: Vec<HeaderValue>) -> Response {
    for cookie in set_cookies {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    response
}

/// The parts of the dashboard that the pages show: title and theme, which are not secret.
pub(super) fn surroundings(portico: &AppState) -> Surroundings {
    let base = portico.settings.base.clone();
    let site = portico.store.site();
    let Some(root) = &site.root else { return Surroundings { base, ..Surroundings::default() } };
    let request = PageRequest { base: &base, ..PageRequest::default() };
    match Dashboard::for_viewer(&root.config, &Viewer::Anonymous, &request, &portico.icons) {
        Ok(view) => Surroundings {
            title: view.dashboard.title,
            logo: None,
            style: themes::custom_rules(
                &view.styles.custom_colors,
                &view.dashboard.look.day_theme,
                &view.dashboard.look.night_theme,
            ),
            day_theme: view.dashboard.look.day_theme,
            night_theme: view.dashboard.look.night_theme,
            base,
        },
        Err(_) => Surroundings { base, ..Surroundings::default() },
    }
}

/// Draws a page in the language of who asks for it.
pub(super) fn with_locale<T>(portico: &AppState, request: &HeaderMap, draw: impl FnOnce() -> T) -> T {
    languages::with_locale(&language::of(&portico.store.site(), request), draw)
}

/// The page for a failed sign-in. `failure` describes it in the language of who asks for it.
pub(super) fn failure_page(
    portico: &AppState,
    request: &HeaderMap,
    status: StatusCode,
    failure: impl FnOnce() -> SignInFailure,
) -> Response {
    let surroundings = surroundings(portico);
    let html = with_locale(portico, request, || {
        let failure = SignInFailure { surroundings: surroundings.clone(), ..failure() };
        app::document::sign_in_failure(failure, portico.assets.page())
    });
    page(portico, status, html, &surroundings)
}

/// The page for a problem with the provider, with advice.
pub(super) fn provider_failure(
    portico: &AppState,
    request: &HeaderMap,
    provider: &IdentityProvider,
    error: &ProviderError,
    retry: String,
    guest: Option<String>,
) -> Response {
    tracing::warn!("a sign-in failed: {error}");
    let (status, title, advice) = words_for(error, &provider.settings);
    failure_page(portico, request, status, || {
        let (reason, detail, said) = match error {
            error if error.is_denial() => {
                let reason =
                    t("Access was denied at the identity provider, for example with “No” on its consent page.");
                (reason.to_owned(), None, None)
            }
            ProviderError::Refused { said, .. } => (String::new(), None, Some(said.clone())),
            error => (String::new(), Some(sentence(&message(&error.to_string()))), None),
        };
        let check = (!error.is_denial()).then_some(CHECK);
        SignInFailure {
            title: t(title).to_owned(),
            reason,
            detail,
            said,
            advice: advice.into_iter().chain(check).map(|advice| t(advice).to_owned()).collect(),
            retry: Some(retry),
            guest,
            ..SignInFailure::default()
        }
    })
}

/// The status, the title and the advice of the page for a problem with the provider, in English.
fn words_for(error: &ProviderError, settings: &ProviderSettings) -> (StatusCode, &'static str, Vec<&'static str>) {
    match error {
        ProviderError::Unreachable(_) => {
            let mut advice =
                vec!["Is the provider running, and can this server reach it under the configured address?"];
            advice.extend(settings.address_advice());
            (StatusCode::SERVICE_UNAVAILABLE, "The identity provider cannot be reached", advice)
        }
        ProviderError::NoProvider(_) => (
            StatusCode::SERVICE_UNAVAILABLE,
            "There is no identity provider at the configured address",
            settings.address_advice(),
        ),
        error if error.is_denial() => (StatusCode::BAD_REQUEST, "You were not signed in", Vec::new()),
        ProviderError::Refused { .. } => (
            StatusCode::BAD_REQUEST,
            "The identity provider did not sign you in",
            vec![
                "Is the dashboard registered as a public client with PKCE, with exactly this redirect address?",
                "Is the client allowed to use all scopes that the config asks for?",
            ],
        ),
        // The error itself says what to do.
        ProviderError::Token(TokenError::Encrypted) => {
            (StatusCode::UNAUTHORIZED, "The identity provider's token is not accepted", Vec::new())
        }
        ProviderError::Token(_) => (
            StatusCode::UNAUTHORIZED,
            "The identity provider's token is not accepted",
            vec![settings.identity_advice(), "Are the clocks of this server and the provider right?"],
        ),
        ProviderError::OtherIssuer { .. } => {
            (StatusCode::BAD_GATEWAY, "The identity provider is not the configured one", settings.issuer_advice())
        }
        ProviderError::Response(_) => {
            (StatusCode::BAD_GATEWAY, "The identity provider sent a response that cannot be used", Vec::new())
        }
    }
}

/// A message as a sentence for a page. It begins with a capital letter, unless it begins with an address or a name.
pub(super) fn sentence(message: &str) -> String {
    let first = message.split_whitespace().next().unwrap_or_default();
    let is_word = first.chars().all(char::is_alphabetic);
    let mut characters = message.chars();
    let mut sentence: String = match characters.next() {
        Some(first) if is_word => first.to_uppercase().collect(),
        first => first.into_iter().collect(),
    };
    sentence.push_str(characters.as_str());
    sentence.push_str(full_stop());
    sentence
}

/// The address of a sign-in step that leads back to a path.
pub(super) fn step(base: &str, step: &str, return_to: &str) -> String {
    format!("{base}{step}?return_to={}", utf8_percent_encode(return_to, IN_QUERY))
}

/// The address of a page for guests, if the login page is shown first.
pub(super) fn as_guest(path: &str) -> String {
    let mut address = path.to_owned();
    _ = write!(address, "{}guest", if path.contains('?') { '&' } else { '?' });
    address
}

#[cfg(test)]
mod tests {
    use config::{Config, Document};
    use languages::Language;

    use super::{ProviderError, ProviderSettings, sentence, words_for};

    #[test]
    fn titles_and_advice_are_translated() {
        let german = Language::of_code("de").unwrap();
        let keycloak = |more: &str| {
            format!("enableKeycloak: true, keycloak: {{ realm: r, clientId: c, serverUrl: 'https://id.example{more} }}")
        };
        for auth in [
            "enableOidc: true, oidc: { clientId: c, endpoint: 'https://id.example' }".to_owned(),
            keycloak("'"),
            keycloak("/auth'"),
            keycloak("', legacySupport: true"),
        ] {
            let text = format!("appConfig: {{ auth: {{ {auth} }} }}\nsections: []\n");
            let config = Config::read(&Document::parse(text.as_bytes()).unwrap()).unwrap();
            let settings = ProviderSettings::of(config.app.auth.sign_in()).unwrap();
            for error in [
                ProviderError::Unreachable(String::new()),
                ProviderError::NoProvider(String::new()),
                ProviderError::refused("access_denied", None),
                ProviderError::refused("invalid_scope", None),
                ProviderError::OtherIssuer { named: String::new(), by: "", configured: String::new() },
            ] {
                let (_, title, advice) = words_for(&error, &settings);
                for english in advice.into_iter().chain([title, settings.identity_advice(), super::CHECK]) {
                    assert!(german.text(english).is_some(), "{english}");
                }
            }
        }
    }

    #[test]
    fn addresses_and_names_keep_their_letters() {
        for (message, expected) in [
            ("the token has expired", "The token has expired."),
            ("http://id.example answers 404", "http://id.example answers 404."),
            ("id.example could not be reached", "id.example could not be reached."),
            ("`endpoint` is missing", "`endpoint` is missing."),
            ("ENABLE_HTTP_AUTH is on", "ENABLE_HTTP_AUTH is on."),
            ("", "."),
        ] {
            assert_eq!(sentence(message), expected);
        }
    }
}
