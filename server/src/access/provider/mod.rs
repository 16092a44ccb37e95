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
mod error;
mod flow;
mod identity_provider;
mod keys;
mod renewal;
mod renewals;
mod revocation;
mod settings;
mod token;
mod tokens;
mod verification;

use std::sync::{
    Arc, OnceLock,
    atomic::{AtomicBool, Ordering},
};

use config::{Person, Viewer, model::auth::SecretText};
use sha2::{Digest as _, Sha256};

pub use self::diagnosis::{Finding, FindingSeverity, diagnose_config};
use self::{
    claims::Claims,
    discovery::{CachedDocument, Freshness, Metadata},
    keys::PublicKeys,
    renewals::Renewals,
    token::Token,
    verification::{Expected, Verified},
};
pub(crate) use self::{
    error::{ProviderError, TokenError},
    flow::{ATTEMPT_COOKIE_SECONDS, ATTEMPT_SECONDS, Attempt, AuthorizationOptions, is_second_attempt},
    identity_provider::IdentityProvider,
    renewals::NotRenewed,
    settings::ProviderSettings,
    token::is_encrypted,
    tokens::Tokens,
    verification::LEEWAY,
};
use super::{clock::TimeSource, session::ProviderSession, sign_outs::PersonId};
use crate::{access::seal::Sealer, database::Database, http_client::HttpClient};

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
        self.verified.add(token, Arc::clone(&claims));
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
