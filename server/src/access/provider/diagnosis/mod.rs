//! `portico check-oidc`: finds mismatches between the config and the provider, and explains them.

mod finding;
mod input;

use std::sync::Arc;

use config::{Config, Document, model::auth::SignIn};
use http::{HeaderMap, StatusCode, header};
use jiff::fmt::rfc2822;
use openidconnect::AuthorizationCode;
use serde_json::Value;
use url::{Host, Url};

pub use self::finding::{Finding, FindingSeverity};
use self::{finding::Findings, input::DiagnosisInput};
use super::{
    Attempt, AuthorizationOptions, IdentityProvider, Metadata, ProviderError, ProviderSettings,
    discovery::{WELL_KNOWN, discovery_url},
    error::words,
    flow::wants_origin,
    keys::PublicKeys,
    verification::LEEWAY,
};
use crate::{
    access::clock::{SystemClock, TimeSource as _},
    http_client::{HttpClient, HttpRequest, HttpResponse, Purpose},
    settings::Settings,
};

/// Examines the provider in a config, for `portico check-oidc`. `url` is the address of the dashboard.
///
/// # Errors
///
/// Why there is no provider to diagnose.
pub async fn diagnose_config(
    document: &Document,
    config: &Config,
    url: Option<&str>,
    settings: &Settings,
    http_client: &HttpClient,
) -> Result<Vec<Finding>, String> {
    let sign_in = config.app.auth.sign_in();
    if let SignIn::Broken(reason) = sign_in {
        return Err(reason.to_owned());
    }
    let Some(provider) = ProviderSettings::of(sign_in) else {
        return Err("the config turns on neither `enableOidc` nor `enableKeycloak`".to_owned());
    };
    let auth = document.value().get("appConfig").and_then(|app| app.get("auth"));
    let block = if matches!(sign_in, SignIn::Oidc(_)) { "oidc" } else { "keycloak" };
    let client = auth.and_then(|auth| auth.get(block)?.get("clientId"));
    let origin = url.map(|url| url.trim_end_matches('/').to_owned());
    let diagnosis = DiagnosisInput {
        settings: provider,
        numeric_client: client.is_some_and(|client| client.is_number()),
        redirect: origin.or_else(|| settings.public_origin.as_ref().map(|origin| format!("{origin}{}", settings.base))),
        client_secret: settings.oidc_client_secret.clone(),
        now: SystemClock.now(),
    };
    Ok(diagnose(&diagnosis, http_client).await)
}

/// Checks everything, in the order of a real sign-in.
async fn diagnose(diagnosis: &DiagnosisInput, http_client: &HttpClient) -> Vec<Finding> {
    let mut findings = Findings::default();
    check_config(diagnosis, &mut findings);
    let Some(metadata) = check_discovery(diagnosis, http_client, &mut findings).await else { return findings.0 };
    check_issuer(&diagnosis.settings, &metadata, &mut findings);
    check_capabilities(&diagnosis.settings, &metadata, &mut findings);
    check_keys(&diagnosis.settings, &metadata, http_client, &mut findings).await;
    check_registration(diagnosis, &metadata, http_client, &mut findings).await;
    findings.0
}

fn check_config(diagnosis: &DiagnosisInput, findings: &mut Findings) {
    let settings = &diagnosis.settings;
    if diagnosis.numeric_client {
        findings.problem(format!(
            "`clientId` is a number in the config and was read as `{}`: put it in quotes, because long numbers lose \
             their last digits",
            settings.client_id
        ));
    }
    if settings.endpoint.contains(WELL_KNOWN.trim_start_matches('/')) {
        findings.problem(format!("`endpoint` must be the issuer, without `{WELL_KNOWN}`"));
    }
    let scopes: Vec<&str> = settings.scope.split_whitespace().collect();
    if !scopes.contains(&"openid") {
        findings
            .note("`scope` lacks `openid`; the dashboard requests it anyway, because there is no ID token without it");
    }
    if settings.admin_group.is_some() && !scopes.contains(&"groups") {
        findings.note(
            "`adminGroup` is set, but `scope` lacks `groups`: most providers then leave the groups out of the token, and \
             nobody is an admin",
        );
    }
    if settings.admin_group.is_none() && settings.admin_role.is_none() {
        findings.note("neither `adminGroup` nor `adminRole` is set, so nobody is an admin");
    }
    if settings.post_logout_redirect_uri.as_ref().is_some_and(|back| Url::parse(back).is_err()) {
        findings
            .problem("`postLogoutRedirectUri` is not a full address, so it is not sent: it must begin with `https://`");
    }
    if !settings.enforced {
        findings.problem("`disableServerSideCheck` is on: the server serves everything to everyone");
    }
}

async fn check_discovery(
    diagnosis: &DiagnosisInput,
    http_client: &HttpClient,
    findings: &mut Findings,
) -> Option<Metadata> {
    let address = discovery_url(&diagnosis.settings.endpoint);
    let Ok(url) = Url::parse(&address) else {
        let key = if diagnosis.settings.keycloak.is_some() { "serverUrl" } else { "endpoint" };
        findings.problem(format!("`{key}` is not an address: it must begin with `https://`"));
        return None;
    };
    if url.scheme() == "http" && !is_near(&url) {
        findings.note("the provider is reached over http: others on the network can read tokens and codes");
    }
    let reply = match http_client.send(HttpRequest::get(Purpose::Configured, address.as_str())).await {
        Ok(reply) => reply,
        Err(error) => {
            findings.problem(format!("the provider cannot be reached: {error}"));
            return None;
        }
    };
    if !reply.status.is_success() {
        findings.problem(format!("{address} responded with {}", reply.status));
        if reply.status == StatusCode::NOT_FOUND {
            look_for_mistakes(&diagnosis.settings, findings);
        }
        return None;
    }
    check_clock(&reply.headers, diagnosis.now, findings);
    let read = serde_json::from_slice::<Value>(&reply.body).map_err(|_| "it is not JSON".to_owned());
    match read.and_then(|value| Metadata::read(&value)) {
        Ok(metadata) => {
            findings.good(format!("the provider describes itself at {address}"));
            Some(metadata)
        }
        Err(reason) => {
            findings.problem(format!("the response from {address} does not describe a provider: {reason}"));
            look_for_mistakes(&diagnosis.settings, findings);
            None
        }
    }
}

/// Explains the usual mistakes when no provider is found at an address.
fn look_for_mistakes(settings: &ProviderSettings, findings: &mut Findings) {
    if settings.keycloak.is_none() {
        return findings
            .note("`endpoint` may lack a part of the issuer's path, such as `/realms/…` or `/application/o/…/`");
    }
    for advice in settings.address_advice() {
        findings.note(advice);
    }
}

fn check_clock(headers: &HeaderMap, now: u64, findings: &mut Findings) {
    let date = headers.get(header::DATE).and_then(|date| date.to_str().ok());
    let Some(theirs) = date.and_then(|date| rfc2822::parse(date).ok()) else { return };
    let ours = i64::try_from(now).unwrap_or(i64::MAX);
    let apart = theirs.timestamp().as_second().abs_diff(ours);
    if apart > LEEWAY {
        findings.problem(format!(
            "the clocks of this server and the provider differ by {apart} s; at most {LEEWAY} s are accepted"
        ));
    } else {
        findings.good("the clocks agree");
    }
}

fn check_issuer(settings: &ProviderSettings, metadata: &Metadata, findings: &mut Findings) {
    let issuer = metadata.issuer.as_str();
    if !settings.allowed_issuers.is_empty() {
        findings.good("tokens are accepted from the issuers in `allowedIssuers`");
        if settings
            .allowed_issuers
            .iter()
            .any(|allowed| allowed != issuer && allowed.trim_end_matches('/') == issuer.trim_end_matches('/'))
        {
            findings
                .note(format!("an entry of `allowedIssuers` differs from the issuer `{issuer}` by a slash at the end"));
        }
    } else if issuer.contains('{') {
        findings.problem(format!(
            "the issuer `{issuer}` is a placeholder for many tenants: list the issuers of the tenants that may sign in \
             under `allowedIssuers`"
        ));
    } else if issuer == settings.endpoint {
        findings.good("the provider names the configured issuer");
    } else if metadata.is_of(&settings.endpoint) {
        findings
            .note(format!("the issuer is `{issuer}`, which differs from the config by a slash at the end: that works"));
    } else {
        findings.problem(format!(
            "the provider calls itself `{issuer}`, but {} in the config means `{}`",
            settings.named_by, settings.endpoint
        ));
        for advice in settings.issuer_advice() {
            findings.note(advice);
        }
    }
}

fn check_capabilities(settings: &ProviderSettings, metadata: &Metadata, findings: &mut Findings) {
    match &metadata.challenge_methods {
        Some(methods) if methods.iter().any(|method| method == "S256") => {
            findings.good("the provider supports PKCE (S256)")
        }
        Some(_) => findings.problem("the provider does not support PKCE with S256, which signing in needs"),
        None => findings.note("the provider does not say whether it supports PKCE (S256), which signing in needs"),
    }
    if let Some(listed) = &metadata.scopes {
        let offline = settings.silent_renew.then_some("offline_access");
        for scope in settings.scope.split_whitespace().chain(offline) {
            if !listed.iter().any(|name| name == scope) {
                findings.note(format!(
                    "the provider does not list the scope `{scope}`; it may refuse it, or support it anyway"
                ));
            }
        }
    }
    let lists = |name: &str| metadata.claims.as_ref().is_none_or(|claims| claims.iter().any(|claim| claim == name));
    if settings.admin_group.is_some() && !lists("groups") {
        findings.note("the provider does not list the claim `groups`: check that ID tokens contain it");
    }
    if settings.admin_role.is_some() && !lists("roles") && !lists("realm_access") {
        findings.note("the provider does not list the claim `roles`: check that ID tokens contain it");
    }
    if metadata.encryption.as_ref().is_some_and(|algorithms| !algorithms.is_empty()) {
        findings.note("the provider can encrypt ID tokens: that must be off for this client, because the dashboard cannot read them");
    }
    if metadata.end_session.is_none() {
        findings.note("the provider offers no sign-out: users stay signed in there");
    }
}

async fn check_keys(
    settings: &ProviderSettings,
    metadata: &Metadata,
    http_client: &HttpClient,
    findings: &mut Findings,
) {
    let address = &metadata.keys;
    let request = HttpRequest::get(Purpose::Configured, address.as_str());
    let request = HttpRequest { private_reach: settings.reach_of(address.url()), ..request };
    let reply = match http_client.send(request).await {
        Ok(reply) => reply,
        Err(error) => return findings.problem(format!("the keys cannot be fetched: {error}")),
    };
    let keys = serde_json::from_slice(&reply.body).ok().and_then(|value| PublicKeys::read(&value));
    match keys.map(|keys| keys.len()) {
        None => findings.problem(format!("there is no key set at {}", address.as_str())),
        Some(0) => findings.problem(format!("the key set at {} has no usable key", address.as_str())),
        Some(1) => findings.good("the provider has a usable key"),
        Some(count) => findings.good(format!("the provider has {count} usable keys")),
    }
}

/// Starts a sign-in as for a user, but with a code that cannot be valid.
async fn check_registration(
    diagnosis: &DiagnosisInput,
    metadata: &Metadata,
    http_client: &HttpClient,
    findings: &mut Findings,
) {
    let secret = diagnosis.client_secret.clone();
    let provider =
        IdentityProvider::new(diagnosis.settings.clone(), secret, http_client.clone(), Arc::new(SystemClock));
    let redirect = diagnosis.redirect.clone().unwrap_or_else(|| "http://localhost".to_owned());
    // Like the second attempt when the provider rejects a scope.
    let options = AuthorizationOptions { listed_scopes: true, ..AuthorizationOptions::default() };
    match provider.attempt(metadata, String::new(), redirect, options) {
        Ok((attempt, address)) => {
            check_login_page(diagnosis, address, http_client, findings).await;
            check_client(&provider, metadata, &attempt, findings).await;
        }
        Err(error) => findings.problem(error.to_string()),
    }
}

/// Requests a sign-in without user interaction, and checks whether the provider accepts the client and redirect
/// address.
async fn check_login_page(diagnosis: &DiagnosisInput, address: Url, http_client: &HttpClient, findings: &mut Findings) {
    let Some(redirect) = &diagnosis.redirect else {
        return findings.note("pass the dashboard's address with `--url` to check its registration as well");
    };
    let plain = address.clone();
    let mut address = address;
    address.query_pairs_mut().append_pair("prompt", "none");
    let ask = async |address: &Url| {
        http_client
            .send(HttpRequest { max_redirects: 0, ..HttpRequest::get(Purpose::Configured, address.as_str()) })
            .await
    };
    let mut reply = match ask(&address).await {
        Ok(reply) => reply,
        Err(error) => return findings.problem(format!("the provider's login page cannot be reached: {error}")),
    };
    if reply.status.is_server_error() {
        // Some providers fail without a session if they may not prompt.
        findings.note(format!("the login page responded with {} to a request without a prompt", reply.status));
        reply = match ask(&plain).await {
            Ok(reply) => reply,
            Err(error) => return findings.problem(format!("the provider's login page cannot be reached: {error}")),
        };
        if reply.status.is_server_error() {
            return findings.note(format!(
                "the login page responded with {} to an ordinary request too, so whether {redirect} is registered is unknown: \
                 try to sign in, and look at the provider's log",
                reply.status
            ));
        }
    }
    let location = reply.headers.get(header::LOCATION).and_then(|location| location.to_str().ok());
    let target = location.and_then(|location| address.join(location).ok());
    let back = target.as_ref().filter(|target| target.as_str().starts_with(redirect.as_str()));
    let said = back.map(|target| {
        let text = |name: &str| target.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned());
        (text("error").unwrap_or_default(), text("error_description").unwrap_or_default())
    });
    match said {
        Some((error, description)) => match error.as_str() {
            "" | "login_required" | "interaction_required" | "consent_required" | "account_selection_required" => {
                findings.good(format!("the provider knows the client and the redirect address {redirect}"));
            }
            error => findings.problem(format!("the provider refuses to sign in: `{}` {}", words(error), words(&description))),
        },
        None if reply.status.is_client_error() => findings.problem(format!(
            "the login page responded with {}{}: is the client id right, and is exactly {redirect} registered?",
            reply.status,
            hint_of(&reply),
        )),
        None => findings.note(format!(
            "the provider did not say whether {redirect} is registered: if its login page shows an error, compare the two"
        )),
    }
}

/// What a rejection is about, if its page contains the words.
fn hint_of(reply: &HttpResponse) -> &'static str {
    let text = String::from_utf8_lossy(&reply.body).to_ascii_lowercase();
    let mentions = |word: &str| text.contains(word);
    if mentions("redirect") {
        " and mentions the redirect address"
    } else if mentions("client") {
        " and mentions the client"
    } else {
        ""
    }
}

/// Sends an invalid code to the token endpoint, and checks whether the provider rejects the code or the client.
async fn check_client(provider: &IdentityProvider, metadata: &Metadata, attempt: &Attempt, findings: &mut Findings) {
    let code = AuthorizationCode::new("check".to_owned());
    match provider.redeem(metadata, attempt, &code, None).await {
        Err(error) if wants_origin(&error) => {
            findings.good("the provider has the client registered as a single-page application, which works too");
        }
        Err(ProviderError::Refused { code, said }) => match code.as_str() {
            "invalid_grant" if provider.client_secret.is_some() => {
                findings.good("the provider accepts the client and its secret");
            }
            "invalid_grant" => findings.good("the provider accepts the client without a secret"),
            "invalid_client" | "unauthorized_client" => findings.problem(format!(
                "the provider refuses the client (`{said}`): is the client id right, and is it registered as a public \
                 client with PKCE?"
            )),
            _ => findings.note(format!("the token endpoint rejected a made-up authorization code with `{said}`")),
        },
        Err(ProviderError::Unreachable(reason)) => {
            findings.problem(format!("the provider's token endpoint cannot be reached: {reason}"));
        }
        Err(error) => findings.note(format!("the token endpoint rejected a made-up authorization code: {error}")),
        Ok(given) => {
            findings.problem("the token endpoint gave tokens for a made-up authorization code");
            if let Err(error) = given.token() {
                findings.problem(error.to_string());
            }
        }
    }
}

/// Whether an address is on this machine.
fn is_near(address: &Url) -> bool {
    match address.host() {
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(Host::Ipv4(ip)) => ip.is_loopback(),
        Some(Host::Ipv6(ip)) => ip.is_loopback(),
        None => false,
    }
}
