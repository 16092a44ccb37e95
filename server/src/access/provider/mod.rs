//! An OpenID provider: its address, its signing keys, and how people sign in there (docs/spec/behavior.md 19.4).
//!
//! The crate `openidconnect` implements the protocol: the authorization address with state, nonce and PKCE, the
//! exchange of codes and refresh tokens, the sign-out address, and the checks of ID tokens (signature, issuer,
//! audience, expiry, nonce, hashes of access token and code). This module implements
//!
//! - the requests, which go through the guarded client of [`crate::http_client`], and lenient parsing of the discovery
//!   document and of responses, which providers leave incomplete in ways that the crate rejects;
//! - signature verification by `ring` and `p521`, because the crate supports neither ES512 nor keys without an id;
//! - the claims that say who someone is, and `nbf`, `azp`, and the marks of access tokens used in place of ID tokens,
//!   which the crate does not check.

mod claims;
mod client;
mod diagnosis;
mod discovery;
mod flow;
mod keys;
mod renewal;
mod revocation;
mod token;
mod verification;

use std::sync::{
    Arc, OnceLock,
    atomic::{AtomicBool, Ordering},
};

use config::{
    Person, Viewer,
    model::auth::{DEFAULT_SCOPE, Keycloak, Oidc, SecretText, SignIn},
};
use sha2::{Digest as _, Sha256};
use url::Url;

pub use self::diagnosis::{Finding, FindingSeverity, diagnose_config};
use self::{
    claims::Claims,
    discovery::{CachedDocument, Freshness, Metadata},
    keys::PublicKeys,
    renewal::{Lifetime, Renewals},
    token::Token,
    verification::{Expected, Verified},
};
pub(crate) use self::{
    flow::{ATTEMPT_COOKIE_SECONDS, ATTEMPT_SECONDS, Attempt, AuthorizationOptions, is_second_attempt},
    renewal::NotRenewed,
    token::is_encrypted,
    verification::{LEEWAY, TokenError},
};
use super::{clock::TimeSource, session::ProviderSession, sign_outs::PersonId};
use crate::{
    access::seal::Sealer,
    database::Database,
    http_client::{HttpClient, PrivateReach, plain_host},
};

/// Why an operation with a provider failed.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub(crate) enum ProviderError {
    /// The provider does not respond, or its response is invalid; a retry may work.
    #[error("{0}")]
    Unreachable(String),
    /// Something else responds at its address; a retry may work.
    #[error("{0}")]
    NoProvider(String),
    /// The provider refused.
    #[error("the provider refused: `{said}`")]
    Refused {
        /// The error's code, such as `access_denied`.
        code: String,
        /// Code and description.
        said: String,
    },
    /// Its token is not valid.
    #[error("{0}")]
    Token(TokenError),
    /// It is a different provider from the one in the config.
    #[error("the provider calls itself `{named}`, but {by} in the config means `{configured}`")]
    OtherIssuer {
        /// The issuer in its discovery document.
        named: String,
        /// The config keys that name an issuer.
        by: &'static str,
        /// The issuer in the config.
        configured: String,
    },
    /// Its response is incomplete or not for us.
    #[error("{0}")]
    Response(String),
}

impl ProviderError {
    /// Whether a retry may succeed soon.
    pub(crate) fn is_temporary(&self) -> bool {
        matches!(self, Self::Unreachable(_) | Self::NoProvider(_))
    }

    /// Whether the user declined, or may not use the client.
    pub(crate) fn is_denial(&self) -> bool {
        matches!(self, Self::Refused { code, .. } if code == "access_denied")
    }
}

/// How the config writes the address of a Keycloak server.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct KeycloakAddress {
    /// `legacySupport` is on.
    pub legacy: bool,
    /// `serverUrl` ends with `/auth`.
    pub has_auth: bool,
}

/// The provider settings in the config. Keycloak is a provider with a computed issuer.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct ProviderSettings {
    /// The name shown to people.
    pub name: &'static str,
    /// The issuer.
    pub endpoint: String,
    /// The config keys that name it.
    pub named_by: &'static str,
    pub client_id: String,
    pub scope: String,
    pub admin_group: Option<String>,
    pub admin_role: Option<String>,
    pub silent_renew: bool,
    pub show_login_page: bool,
    pub post_logout_redirect_uri: Option<String>,
    pub allowed_issuers: Vec<String>,
    pub idp_hint: Option<String>,
    /// Only for Keycloak.
    pub keycloak: Option<KeycloakAddress>,
    /// Whether the server denies access without sign-in.
    pub enforced: bool,
}

/// A provider that is in use.
#[derive(Debug)]
pub(crate) struct IdentityProvider {
    pub settings: ProviderSettings,
    client_secret: Option<SecretText>,
    /// Distinguishes sessions of this provider and client from others.
    fingerprint: String,
    http_client: HttpClient,
    clock: Arc<dyn TimeSource>,
    metadata: CachedDocument<Metadata>,
    keys: CachedDocument<PublicKeys>,
    verified: Verified,
    renewals: Renewals,
    /// Where renewals are shared with other servers, and what hides them there.
    shared: OnceLock<(Arc<Database>, Sealer)>,
    /// Requesting consent yielded no refresh token either, so it is not requested again.
    consent_is_useless: AtomicBool,
}

/// The outcome of a sign-in or a renewal.
#[derive(Clone, Debug)]
pub(crate) struct Tokens {
    pub session: ProviderSession,
    pub viewer: Viewer,
    /// When the ID token expires, in seconds since 1970.
    pub expires: u64,
    /// Until when these tokens are given to requests that still have the old ones, in seconds since 1970.
    shared_until: u64,
    /// Who has signed in.
    pub person: PersonId,
}

impl From<&Oidc> for ProviderSettings {
    fn from(oidc: &Oidc) -> Self {
        Self {
            name: "OpenID Connect",
            endpoint: oidc.endpoint.clone(),
            named_by: "`endpoint`",
            client_id: oidc.client_id.clone(),
            scope: oidc.scope.clone(),
            admin_group: oidc.admin_group.clone(),
            admin_role: oidc.admin_role.clone(),
            silent_renew: oidc.enable_silent_renew,
            show_login_page: oidc.show_login_page,
            post_logout_redirect_uri: oidc.post_logout_redirect_uri.clone(),
            allowed_issuers: oidc.allowed_issuers.clone(),
            idp_hint: None,
            keycloak: None,
            enforced: !oidc.disable_server_side_check,
        }
    }
}

impl From<&Keycloak> for ProviderSettings {
    fn from(keycloak: &Keycloak) -> Self {
        Self {
            name: "Keycloak",
            endpoint: keycloak.issuer(),
            named_by: "`serverUrl` and `realm`",
            client_id: keycloak.client_id.clone(),
            scope: DEFAULT_SCOPE.to_owned(),
            admin_group: keycloak.admin_group.clone(),
            admin_role: keycloak.admin_role.clone(),
            silent_renew: false,
            show_login_page: false,
            post_logout_redirect_uri: None,
            allowed_issuers: Vec::new(),
            idp_hint: keycloak.idp_hint.clone(),
            keycloak: Some(KeycloakAddress {
                legacy: keycloak.legacy_support,
                has_auth: keycloak.server_url.trim_end_matches('/').ends_with("/auth"),
            }),
            enforced: true,
        }
    }
}

impl ProviderSettings {
    /// The provider that a config names, if it names one.
    pub(crate) fn of(sign_in: SignIn<'_>) -> Option<Self> {
        match sign_in {
            SignIn::Oidc(oidc) => Some(oidc.into()),
            SignIn::Keycloak(keycloak) => Some(keycloak.into()),
            _ => None,
        }
    }

    /// Which private addresses a request to an address in the provider's discovery document may reach: those of the hosts
    /// that the config names. Otherwise a provider could have this server send forms to services of the private network.
    pub(crate) fn reach_of(&self, address: &Url) -> PrivateReach {
        let host = |address: &Url| address.host_str().map(plain_host);
        let named = [&self.endpoint].into_iter().chain(&self.allowed_issuers);
        let is_named =
            named.filter_map(|named| host(&Url::parse(named.trim()).ok()?)).any(|named| Some(named) == host(address));
        if is_named { PrivateReach::OwnHost } else { PrivateReach::Nowhere }
    }

    /// What to check if the provider is not found at its address.
    pub(crate) fn address_advice(&self) -> Vec<&'static str> {
        let Some(keycloak) = self.keycloak else {
            return vec!["Is `endpoint` the address of the issuer, without `/.well-known/openid-configuration`?"];
        };
        let path = if keycloak.legacy {
            "`legacySupport` adds `/auth` to `serverUrl`: turn it off for current versions of Keycloak."
        } else if keycloak.has_auth {
            "Remove `/auth` from the end of `serverUrl`: current versions of Keycloak do not have it."
        } else {
            "For old versions of Keycloak, which have `/auth` in their addresses, turn on `legacySupport`."
        };
        vec!["Is `realm` spelled as in Keycloak? Upper and lower case matter.", path]
    }

    /// What to check if a token comes from another issuer.
    pub(crate) fn identity_advice(&self) -> &'static str {
        if self.keycloak.is_some() {
            "Do `serverUrl`, `realm` and `clientId` in the config name the realm and client that you signed in to?"
        } else {
            "Do `endpoint` and `clientId` in the config name the issuer and client that you signed in to?"
        }
    }

    /// What to check if the provider calls itself something else.
    pub(crate) fn issuer_advice(&self) -> Vec<&'static str> {
        if self.keycloak.is_some() {
            return vec![
                "Write the address into `serverUrl` that Keycloak uses for itself (its `hostname` setting).",
                "Is `realm` spelled as in Keycloak? Upper and lower case matter.",
            ];
        }
        vec![
            "Copy the issuer into `endpoint` exactly as the provider writes it.",
            "If the provider has several issuers, or another name, list its issuers in `allowedIssuers`.",
        ]
    }
}

/// How long the check of readiness waits for the provider's discovery document.
const READY_WAIT: std::time::Duration = std::time::Duration::from_secs(2);

impl IdentityProvider {
    pub(crate) fn new(
        settings: ProviderSettings,
        client_secret: Option<SecretText>,
        http_client: HttpClient,
        clock: Arc<dyn TimeSource>,
    ) -> Self {
        let named = format!("{}\n{}", settings.endpoint, settings.client_id);
        let fingerprint = hex::encode(&Sha256::digest(named)[..8]);
        Self {
            settings,
            client_secret,
            fingerprint,
            http_client,
            clock,
            metadata: CachedDocument::default(),
            keys: CachedDocument::default(),
            verified: Verified::default(),
            renewals: Renewals::default(),
            shared: OnceLock::new(),
            consent_is_useless: AtomicBool::new(false),
        }
    }

    async fn metadata(&self) -> Result<Arc<Metadata>, ProviderError> {
        let fetch = discovery::fetch_metadata(&self.http_client, &self.settings);
        let metadata = self.metadata.get(self.clock.now(), Freshness::Known, fetch).await?;
        Ok(metadata)
    }

    /// What keeps people from signing in now, in words without addresses; `None` if nothing is known to.
    pub(crate) async fn problem(&self) -> Option<&'static str> {
        match tokio::time::timeout(READY_WAIT, self.metadata()).await {
            Ok(Ok(_)) => None,
            Ok(Err(error)) if !error.is_temporary() => {
                Some("its discovery document is not usable; `portico check-oidc` says why")
            }
            Ok(Err(_)) | Err(_) => Some("it does not respond"),
        }
    }

    /// The viewer that an ID token identifies, sent by a program or by our own page.
    pub(crate) async fn viewer_of_token(&self, token: &str) -> Result<Viewer, ProviderError> {
        let now = self.clock.now();
        if let Some(claims) = self.verified.get(token, now) {
            return Ok(self.viewer(&claims));
        }
        let claims = self.verify(&Token::read(token)?, Expected::default()).await?;
        self.verified.add(token, Arc::clone(&claims), now);
        Ok(self.viewer(&claims))
    }

    async fn verify(&self, token: &Token, expected: Expected<'_>) -> Result<Arc<Claims>, ProviderError> {
        let now = self.clock.now();
        let metadata = self.metadata().await?;
        let check =
            |keys: &Arc<PublicKeys>| verification::check(token, keys, &self.settings, &metadata.issuer, now, expected);
        let keys = self
            .keys
            .get(now, Freshness::Known, discovery::fetch_keys(&self.http_client, &self.settings, &metadata))
            .await?;
        let checked = match check(&keys) {
            Err(TokenError::Signature) => {
                // A token that arrived with an access token came from the provider itself, so nobody else can make us
                // fetch with it.
                let need = if expected.access_token.is_some() { Freshness::New } else { Freshness::Newer };
                let fetch = discovery::fetch_keys(&self.http_client, &self.settings, &metadata);
                check(&self.keys.get(now, need, fetch).await?)
            }
            checked => checked,
        };
        Ok(Arc::new(checked?))
    }

    /// The claims of a session, which were verified when it began; `None` if it belongs to another provider or client.
    fn claims_of(&self, session: &ProviderSession) -> Option<Claims> {
        let is_ours = session.provider == self.fingerprint;
        is_ours.then(|| token::claims_of(&session.id_token.0, &self.settings.client_id)).flatten()
    }

    /// Shares renewals with the other servers of a database.
    pub(crate) fn share(&self, database: &Arc<Database>, sealer: &Sealer) {
        // It may have been called before.
        _ = self.shared.set((Arc::clone(database), sealer.clone()));
    }

    /// The viewer of a session, when it expires in seconds since 1970, and whose it is; `None` if it belongs to another
    /// provider or client.
    pub(crate) fn viewer_of_session(&self, session: &ProviderSession) -> Option<(Viewer, u64, PersonId)> {
        let claims = self.claims_of(session)?;
        Some((self.viewer(&claims), claims.expires?, self.person(&claims)))
    }

    /// The user that claims are about.
    fn person(&self, claims: &Claims) -> PersonId {
        let text = |claim: &Option<String>| claim.clone().unwrap_or_default();
        PersonId::of_subject(&self.fingerprint, &text(&claims.issuer), &text(&claims.subject))
    }

    /// The viewer that claims describe.
    fn viewer(&self, claims: &Claims) -> Viewer {
        let has = |wanted: &Option<String>, list: &[String]| wanted.as_ref().is_some_and(|name| list.contains(name));
        let is_admin = has(&self.settings.admin_group, &claims.groups) || has(&self.settings.admin_role, &claims.roles);
        let person = Person { name: claims.name.clone(), groups: claims.groups.clone(), roles: claims.roles.clone() };
        if is_admin { Viewer::Admin(Some(person)) } else { Viewer::User(person) }
    }

    /// Whether to try once more, with consent, because the first response had no refresh token.
    pub(crate) fn wants_consent(&self, attempt: &Attempt, tokens: &Tokens) -> bool {
        if !self.settings.silent_renew || tokens.session.refresh_token.is_some() {
            return false;
        }
        if attempt.options.consent {
            self.consent_is_useless.store(true, Ordering::Relaxed);
            tracing::warn!(
                "`enableSilentRenew` is on, but the provider issues no refresh token: sessions end with their ID token"
            );
        }
        !self.consent_is_useless.load(Ordering::Relaxed)
    }
}
