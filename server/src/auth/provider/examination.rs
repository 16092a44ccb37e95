//! `portico check-oidc`: what is wrong between the config and the provider, in words.

use std::sync::Arc;

use config::model::auth::Secret;
use http::{HeaderMap, StatusCode, header};
use jiff::fmt::rfc2822;
use openidconnect::AuthorizationCode;
use serde_json::Value;
use url::{Host, Url};

use super::{
    Attempt, Manner, Metadata, Provider, ProviderError, ProviderSettings,
    discovery::{WELL_KNOWN, description_address},
    flow::{wants_origin, words},
    keys::Keys,
    verification::LEEWAY,
};
use crate::{
    auth::clock::SystemClock,
    outbound::{Outbound, Purpose, Reply, Request},
};

/// How much something matters.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Weight {
    /// As it should be.
    Good,
    /// Worth knowing; signing in may work all the same.
    Note,
    /// Signing in cannot work, or not for admins.
    Problem,
}

/// Something that was found out.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Finding {
    /// How much it matters.
    pub weight: Weight,
    /// What it is, in one sentence.
    pub text: String,
}

/// What is examined, and with what.
#[derive(Clone, Debug)]
pub struct Examination {
    pub(in crate::auth) settings: ProviderSettings,
    /// Whether `clientId` is a number in the file.
    pub(in crate::auth) numeric_client: bool,
    /// The address of the dashboard with its path prefix, if it is known.
    pub(in crate::auth) redirect: Option<String>,
    /// Secret of the client, if it has one.
    pub(in crate::auth) client_secret: Option<Secret>,
    /// Seconds since 1970.
    pub(in crate::auth) now: u64,
}

#[derive(Debug, Default)]
struct Findings(Vec<Finding>);

impl Findings {
    fn good(&mut self, text: impl Into<String>) {
        self.0.push(Finding { weight: Weight::Good, text: text.into() });
    }

    fn note(&mut self, text: impl Into<String>) {
        self.0.push(Finding { weight: Weight::Note, text: text.into() });
    }

    fn problem(&mut self, text: impl Into<String>) {
        self.0.push(Finding { weight: Weight::Problem, text: text.into() });
    }
}

/// Looks at everything, in the order in which signing in would meet it.
pub(in crate::auth) async fn examine(examination: &Examination, outbound: &Outbound) -> Vec<Finding> {
    let mut findings = Findings::default();
    look_at_config(examination, &mut findings);
    let Some(metadata) = look_at_description(examination, outbound, &mut findings).await else { return findings.0 };
    look_at_issuer(&examination.settings, &metadata, &mut findings);
    look_at_abilities(&examination.settings, &metadata, &mut findings);
    look_at_keys(&metadata, outbound, &mut findings).await;
    look_at_registration(examination, &metadata, outbound, &mut findings).await;
    findings.0
}

fn look_at_config(examination: &Examination, findings: &mut Findings) {
    let settings = &examination.settings;
    if examination.numeric_client {
        findings.problem(format!(
            "`clientId` is a number in the config: put it in quotes, as long numbers lose their last digits (read as \
             `{}`)",
            settings.client_id
        ));
    }
    if settings.endpoint.contains(WELL_KNOWN.trim_start_matches('/')) {
        findings
            .problem(format!("`endpoint` is the address of the description: write the issuer, without `{WELL_KNOWN}`"));
    }
    let scopes: Vec<&str> = settings.scope.split_whitespace().collect();
    if !scopes.contains(&"openid") {
        findings.note("`scope` lacks `openid`; it is asked for all the same, as there is no ID token without it");
    }
    if settings.admin_group.is_some() && !scopes.contains(&"groups") {
        findings.note(
            "`adminGroup` is set, but `scope` lacks `groups`: with most providers the token then holds no groups, and \
             nobody is an admin",
        );
    }
    if settings.admin_group.is_none() && settings.admin_role.is_none() {
        findings.note("neither `adminGroup` nor `adminRole` is set, so nobody is an admin");
    }
    if settings.post_logout_redirect_uri.as_ref().is_some_and(|back| Url::parse(back).is_err()) {
        findings.problem("`postLogoutRedirectUri` is no whole address, so it is not sent: it begins with `https://`");
    }
    if !settings.enforced {
        findings.problem("`disableServerSideCheck` is on: the server gives everything to everybody");
    }
}

async fn look_at_description(
    examination: &Examination,
    outbound: &Outbound,
    findings: &mut Findings,
) -> Option<Metadata> {
    let address = description_address(&examination.settings.endpoint);
    let Ok(url) = Url::parse(&address) else {
        findings.problem("`endpoint` is no address: it begins with `https://`");
        return None;
    };
    if url.scheme() == "http" && !is_near(&url) {
        findings.note("`endpoint` is an http address: tokens and codes can be read on the way");
    }
    let reply = match outbound.send(Request::get(Purpose::Configured, address.as_str())).await {
        Ok(reply) => reply,
        Err(error) => {
            findings.problem(format!("the provider cannot be reached: {error}"));
            return None;
        }
    };
    if !reply.status.is_success() {
        let hint = if reply.status == StatusCode::NOT_FOUND {
            ": `endpoint` may lack a part of the issuer's path, such as `/realms/…` or `/application/o/…/`"
        } else {
            ""
        };
        findings.problem(format!("{address} answers {}{hint}", reply.status));
        return None;
    }
    look_at_clock(&reply.headers, examination.now, findings);
    let read = serde_json::from_slice::<Value>(&reply.body).map_err(|_| "it is no JSON".to_owned());
    match read.and_then(|value| Metadata::read(&value)) {
        Ok(metadata) => {
            findings.good(format!("the provider describes itself at {address}"));
            Some(metadata)
        }
        Err(reason) => {
            findings.problem(format!("{address} is no description of a provider: {reason}"));
            None
        }
    }
}

fn look_at_clock(headers: &HeaderMap, now: u64, findings: &mut Findings) {
    let date = headers.get(header::DATE).and_then(|date| date.to_str().ok());
    let Some(theirs) = date.and_then(|date| rfc2822::parse(date).ok()) else { return };
    let ours = i64::try_from(now).unwrap_or(i64::MAX);
    let apart = theirs.timestamp().as_second().abs_diff(ours);
    if apart > LEEWAY {
        findings.problem(format!(
            "the clocks of this server and the provider are {apart} s apart; more than {LEEWAY} s are not accepted"
        ));
    } else {
        findings.good("the clocks agree");
    }
}

fn look_at_issuer(settings: &ProviderSettings, metadata: &Metadata, findings: &mut Findings) {
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
            "the issuer `{issuer}` stands for many tenants: list the issuers of those who may enter in `allowedIssuers`"
        ));
    } else if issuer == settings.endpoint {
        findings.good("`endpoint` is the issuer that the provider names");
    } else if metadata.is_of(&settings.endpoint) {
        findings
            .note(format!("the issuer is `{issuer}`, which differs from `endpoint` by a slash at the end: that works"));
    } else {
        findings.problem(format!(
            "the provider calls itself `{issuer}`, and not `{}`, as {} in the config would have it: write it there letter \
             by letter, or, if the provider is reached under another name, list the issuers of its tokens in \
             `allowedIssuers`",
            settings.endpoint, settings.named_by
        ));
    }
}

fn look_at_abilities(settings: &ProviderSettings, metadata: &Metadata, findings: &mut Findings) {
    match &metadata.challenge_methods {
        Some(methods) if methods.iter().any(|method| method == "S256") => {
            findings.good("the provider knows PKCE (S256)")
        }
        Some(_) => findings.problem("the provider does not know PKCE with S256, which signing in needs"),
        None => findings.note("the provider does not say whether it knows PKCE (S256), which signing in needs"),
    }
    if let Some(listed) = &metadata.scopes {
        let offline = settings.silent_renew.then_some("offline_access");
        for scope in settings.scope.split_whitespace().chain(offline) {
            if !listed.iter().any(|name| name == scope) {
                findings.note(format!(
                    "the provider does not list the scope `{scope}`; it may refuse it, or know it all the same"
                ));
            }
        }
    }
    let lists = |name: &str| metadata.claims.as_ref().is_none_or(|claims| claims.iter().any(|claim| claim == name));
    if settings.admin_group.is_some() && !lists("groups") {
        findings.note("the provider does not list the claim `groups`: check that ID tokens hold it");
    }
    if settings.admin_role.is_some() && !lists("roles") && !lists("realm_access") {
        findings.note("the provider does not list the claim `roles`: check that ID tokens hold it");
    }
    if metadata.end_session.is_none() {
        findings.note("the provider has no address for signing out: people stay signed in there");
    }
}

async fn look_at_keys(metadata: &Metadata, outbound: &Outbound, findings: &mut Findings) {
    let address = &metadata.keys;
    let reply = match outbound.send(Request::get(Purpose::Configured, address.as_str())).await {
        Ok(reply) => reply,
        Err(error) => return findings.problem(format!("the keys cannot be fetched: {error}")),
    };
    let keys = serde_json::from_slice(&reply.body).ok().and_then(|value| Keys::read(&value));
    match keys.map(|keys| keys.len()) {
        None => findings.problem(format!("{address} gives no list of keys")),
        Some(0) => findings.problem(format!("{address} lists no key that could be used")),
        Some(1) => findings.good("the provider has a key that can be used"),
        Some(count) => findings.good(format!("the provider has {count} keys that can be used")),
    }
}

/// Begins a sign-in as it is begun for people, but with a code that cannot be right.
async fn look_at_registration(
    examination: &Examination,
    metadata: &Metadata,
    outbound: &Outbound,
    findings: &mut Findings,
) {
    let secret = examination.client_secret.clone();
    let provider = Provider::new(examination.settings.clone(), secret, outbound.clone(), Arc::new(SystemClock));
    let redirect = examination.redirect.clone().unwrap_or_else(|| "http://localhost".to_owned());
    // As the second attempt would be, if the provider did not know a scope.
    let manner = Manner { listed_scopes: true, ..Manner::default() };
    match provider.attempt(metadata, String::new(), redirect, manner) {
        Ok((attempt, address)) => {
            look_at_login_page(examination, address, outbound, findings).await;
            look_at_client(&provider, metadata, &attempt, findings).await;
        }
        Err(error) => findings.problem(error.to_string()),
    }
}

/// Asks for a sign-in that needs nobody, and looks at how the provider takes client and redirect address.
async fn look_at_login_page(examination: &Examination, address: Url, outbound: &Outbound, findings: &mut Findings) {
    let Some(redirect) = &examination.redirect else {
        return findings.note("give the dashboard's address with `--url` to check its registration as well");
    };
    let mut address = address;
    address.query_pairs_mut().append_pair("prompt", "none");
    let request = Request { max_redirects: 0, ..Request::get(Purpose::Configured, address.as_str()) };
    let reply = match outbound.send(request).await {
        Ok(reply) => reply,
        Err(error) => return findings.problem(format!("the provider's login page cannot be reached: {error}")),
    };
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
        None if reply.status.is_client_error() || reply.status.is_server_error() => findings.problem(format!(
            "the login page answers {}{}: is the client id right, and is {redirect} registered exactly so?",
            reply.status,
            hint_of(&reply),
        )),
        None => findings.note(format!(
            "the provider did not say whether {redirect} is registered: if its login page shows an error, compare the two"
        )),
    }
}

/// What a refusal is about, if its page uses the words.
fn hint_of(reply: &Reply) -> &'static str {
    let text = String::from_utf8_lossy(&reply.body).to_ascii_lowercase();
    let mentions = |word: &str| text.contains(word);
    if mentions("redirect") {
        " and speaks of the redirect address"
    } else if mentions("client") {
        " and speaks of the client"
    } else {
        ""
    }
}

/// Brings a code that cannot be right, and looks at whether the provider minds the code or the client.
async fn look_at_client(provider: &Provider, metadata: &Metadata, attempt: &Attempt, findings: &mut Findings) {
    let code = AuthorizationCode::new("check".to_owned());
    match provider.redeem(metadata, attempt, &code, None).await {
        Err(error) if wants_origin(&error) => {
            findings.good("the provider takes the client for one that lives in a page, which works too");
        }
        Err(ProviderError::Refused { code, said }) => match code.as_str() {
            "invalid_grant" if provider.client_secret.is_some() => {
                findings.good("the provider accepts the client and its secret");
            }
            "invalid_grant" => findings.good("the provider accepts the client without a secret of its own"),
            "invalid_client" | "unauthorized_client" => findings.problem(format!(
                "the provider refuses the client (`{said}`): is the client id right, and is it registered as a public \
                 client with PKCE?"
            )),
            _ => findings.note(format!("the token endpoint answers `{said}` to a code that is none")),
        },
        Err(ProviderError::Unreachable(reason)) => {
            findings.problem(format!("the provider's token endpoint cannot be reached: {reason}"));
        }
        Err(error) => findings.note(format!("a code that is none was brought to the token endpoint: {error}")),
        Ok(_) => findings.note("the token endpoint gives tokens for a code that is none"),
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
