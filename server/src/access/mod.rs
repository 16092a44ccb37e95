//! Who is asking: from the request's credentials to a [`config::Viewer`] of pages, or a [`Caller`] of the REST API.

mod access_control;
mod api_tokens;
pub(crate) mod authentication;
mod basic;
mod caller;
mod challenge;
mod clock;
pub(crate) mod cookies;
pub(crate) mod copy_owner;
mod credentials;
pub(crate) mod guesses;
pub(crate) mod policy;
pub(crate) mod provider;
pub(crate) mod proxy;
pub(crate) mod public_address;
mod rejection;
mod seal;
pub(crate) mod session;
mod session_cache;
pub(crate) mod sign_outs;
mod token;
pub(crate) mod valid_session;

use std::sync::{Arc, Once, OnceLock};

pub use self::{
    access_control::{AccessControl, AuthRequest},
    api_tokens::{ApiToken, ApiTokenError, ApiTokens, NewToken, Rights},
    authentication::{Denied, viewer},
    basic::{argon2_hash, sha256_hex},
    caller::{Accepted, Admin, Caller, NotAdmin, Proof, Reader},
    challenge::{BASIC_CHALLENGE, Unauthorized},
    clock::{DatabaseClock, SystemClock, TimeSource},
    provider::{Finding, FindingSeverity, diagnose_config},
    public_address::Encrypted,
    rejection::Rejection,
};
use self::{
    basic::Passwords,
    cookies::Cookies,
    policy::{Policy, viewer_of},
    provider::{IdentityProvider, ProviderSettings},
    seal::Sealer,
    session_cache::SessionCache,
    sign_outs::SignOuts,
};
pub(crate) use self::{
    guesses::{ClaimedAccount, RETRY_AFTER},
    policy::SignInMethod,
    public_address::BrowserLocation,
    seal::{new_secret, random},
};
use crate::{database::Database, http_client::HttpClient, settings::Settings, store::Site};

impl AccessControl {
    /// The Argon2id hash of a password.
    ///
    /// # Errors
    ///
    /// As for [`argon2_hash`].
    pub(crate) async fn hash_password(&self, password: String) -> Result<String, argon2::password_hash::Error> {
        self.passwords.hash(password).await
    }

    /// The access control for these settings and the current config.
    pub fn new(settings: &Settings, site: &Site, http_client: HttpClient, clock: Arc<dyn TimeSource>) -> Self {
        let access_control = Self {
            api_token: settings.api_token.clone(),
            api_tokens: ApiTokens::in_folder(&settings.user_data),
            is_export: settings.export.is_some(),
            http_auth: settings.enable_http_auth,
            static_account: settings.static_account.clone(),
            settled: Arc::default(),
            told: Arc::new(Once::new()),
            reported_proxies: Arc::default(),
            guesses: Arc::default(),
            trusted_proxies: settings.trusted_proxies.clone(),
            sign_outs: Arc::new(SignOuts::read(&settings.user_data, clock.now())),
            passwords: Arc::new(Passwords::new(settings.variables.clone())),
            session_secret: settings.session_secret.clone(),
            user_data: settings.user_data.clone(),
            base: settings.base.clone(),
            sealer: Arc::default(),
            cookies: OnceLock::new(),
            opened: SessionCache::default(),
            clock,
            http_client,
            client_secret: settings.oidc_client_secret.clone(),
            provider: Arc::default(),
            database: None,
        };
        let policy = access_control.policy(site);
        if let SignInMethod::Broken(reason) = policy.kind {
            tracing::error!("sign-in cannot work, so everything stays closed: {reason}");
        }
        if matches!(policy.kind, SignInMethod::Accounts | SignInMethod::Provider { .. }) {
            access_control.cookies();
        }
        let is_for_show = access_control.provider().is_some_and(|provider| !provider.settings.enforced);
        if is_for_show {
            tracing::error!(
                "`disableServerSideCheck` is on: the login page does not protect anything, and anyone who can reach \
                 this server can read and change everything"
            );
        }
        if access_control.static_account.is_some() && policy.static_account.is_none() {
            tracing::warn!("BASIC_AUTH_USERNAME is ignored: ENABLE_HTTP_AUTH is on and the config has users");
        }
        access_control
    }

    /// The same under another path prefix. What was fixed at start applies there too, and guesses are counted
    /// together. Sessions belong to one prefix, like cookies.
    #[must_use]
    pub fn below(&self, base: &str) -> Self {
        Self {
            api_token: self.api_token.clone(),
            api_tokens: self.api_tokens.clone(),
            is_export: self.is_export,
            http_auth: self.http_auth,
            static_account: self.static_account.clone(),
            settled: Arc::clone(&self.settled),
            told: Arc::clone(&self.told),
            reported_proxies: Arc::clone(&self.reported_proxies),
            guesses: Arc::clone(&self.guesses),
            trusted_proxies: self.trusted_proxies.clone(),
            sign_outs: Arc::clone(&self.sign_outs),
            passwords: Arc::clone(&self.passwords),
            session_secret: self.session_secret.clone(),
            user_data: self.user_data.clone(),
            base: base.to_owned(),
            sealer: Arc::clone(&self.sealer),
            cookies: OnceLock::new(),
            opened: SessionCache::default(),
            clock: Arc::clone(&self.clock),
            http_client: self.http_client.clone(),
            client_secret: self.client_secret.clone(),
            provider: Arc::clone(&self.provider),
            database: self.database.clone(),
        }
    }

    /// Shares sign-outs, renewals and failed attempts to sign in with the other servers of a database.
    #[must_use]
    pub fn with_database(self, database: Option<&Arc<Database>>) -> Self {
        if let Some(database) = database {
            self.sign_outs.share(database);
            self.guesses.share(database, self.sealer());
            if let Some(provider) = self.provider.get() {
                provider.share(database, self.sealer());
            }
        }
        Self { database: database.cloned(), ..self }
    }

    /// Learns who signs out at other servers that share the folder, forever.
    pub async fn watch(&self) {
        Arc::clone(&self.sign_outs).watch().await;
    }

    /// Learns who has signed out at other servers.
    pub async fn catch_up(&self) {
        self.sign_outs.catch_up().await;
    }

    fn sealer(&self) -> &Sealer {
        self.sealer.get_or_init(|| Sealer::new(self.session_secret.as_ref(), &self.user_data))
    }

    pub(crate) fn cookies(&self) -> &Cookies {
        self.cookies.get_or_init(|| Cookies::new(self.sealer().clone(), &self.base))
    }

    /// The identity provider, if the config named one at start.
    pub(crate) fn provider(&self) -> Option<&Arc<IdentityProvider>> {
        if let Some(provider) = self.provider.get() {
            return Some(provider);
        }
        let settings = ProviderSettings::of(self.settled.get()?.sign_in())?;
        let make = || {
            let (http_client, clock) = (self.http_client.clone(), Arc::clone(&self.clock));
            let provider = IdentityProvider::new(settings, self.client_secret.clone(), http_client, clock);
            if let Some(database) = &self.database {
                provider.share(database, self.sealer());
            }
            Arc::new(provider)
        };
        Some(self.provider.get_or_init(make))
    }

    /// The identity provider, if people currently sign in with it.
    pub(crate) fn provider_in_use(&self, site: &Site) -> Option<&Arc<IdentityProvider>> {
        let is_used = matches!(self.policy(site).kind, SignInMethod::Provider { .. });
        is_used.then(|| self.provider()).flatten()
    }

    /// Whether everyone may do everything, because no kind of sign-in is enforced.
    pub fn is_open(&self, site: &Site) -> bool {
        matches!(self.policy(site).kind, SignInMethod::Open | SignInMethod::Provider { enforced: false })
    }
}
