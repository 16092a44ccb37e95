//! Who is asking: from the request's credentials to a [`Viewer`] of pages, or a [`Caller`] of the REST API.

pub(crate) mod authentication;
mod basic;
mod challenge;
mod clock;
pub(crate) mod cookies;
mod extract;
pub(crate) mod guesses;
pub(crate) mod keeping;
mod opened;
pub(crate) mod place;
pub(crate) mod policy;
pub(crate) mod provider;
pub(crate) mod proxy;
mod seal;
pub(crate) mod session;
pub(crate) mod sign_outs;
mod token;

use std::{
    net::IpAddr,
    path::PathBuf,
    sync::{Arc, Once, OnceLock},
};

use config::{
    Config, Document, Person, Viewer,
    model::auth::{Auth, SecretText, SignIn, User},
};
use http::{HeaderMap, HeaderValue, StatusCode};

pub use self::{
    authentication::viewer,
    basic::sha256_hex,
    challenge::{BASIC_CHALLENGE, Unauthorized},
    clock::{SystemClock, TimeSource},
    extract::{Admin, Caller, NotAdmin, Proof, Reader},
    place::Encrypted,
    provider::{Finding, Weight},
};
use self::{
    basic::Passwords,
    cookies::Cookies,
    guesses::{GuessPermit, Guesses, TooManyGuesses},
    opened::Opened,
    policy::Policy,
    provider::{Examination, Provider, ProviderError, ProviderSettings, examine},
    seal::Sealer,
    sign_outs::SignOuts,
    token::Authorization,
};
pub(crate) use self::{
    guesses::{ClaimedAccount, RETRY_AFTER},
    place::BrowserLocation,
    policy::SignInMethod,
    seal::random,
};
use crate::{
    http_client::HttpClient,
    platform::peers::{NamedPeers, TrustedProxies},
    settings::{Settings, StaticAccount},
    store::Site,
};

/// The result of a server function, with the status and cookies of its response.
#[derive(Clone, Debug)]
pub struct Answered<T> {
    /// Status of the response.
    pub status: StatusCode,
    /// The values of `Set-Cookie`.
    pub set_cookies: Vec<HeaderValue>,
    /// The result itself.
    pub answer: T,
}

impl<T> Answered<T> {
    pub(crate) fn ok(answer: T) -> Self {
        Self { status: StatusCode::OK, set_cookies: Vec::new(), answer }
    }
}

/// Why a request is denied.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Denied {
    /// Credentials are missing or wrong.
    Unauthorized {
        /// Whether a name and password would help.
        basic: bool,
    },
    /// Too many credentials are waiting to be checked, so this one was not.
    TooManyGuesses,
    /// The config asks for a kind of sign-in that cannot work, for the given reason.
    Unavailable(String),
}

/// Why someone may not call the API.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Refusal {
    /// The request has more than one `Authorization` header.
    Ambiguous,
    /// Credentials are missing or wrong.
    Unauthorized(Unauthorized),
    /// Too many credentials are waiting to be checked, so these were not.
    TooManyGuesses,
}

/// The credentials that the API accepts.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Accepted {
    /// `Authorization: Bearer …`.
    pub token: bool,
    /// `Authorization: Basic …`.
    pub basic: bool,
    /// No credentials in the request: everyone has access, or a proxy vouches for its users.
    pub nothing: bool,
}

impl Accepted {
    /// All credentials that any config could enable.
    pub const ANY: Self = Self { token: true, basic: true, nothing: true };
}

/// Decides who has access. The kind of sign-in is fixed at start (docs/spec/config.md 6); accounts are read from the
/// current config.
#[derive(Debug)]
pub struct Gate {
    api_token: Option<SecretText>,
    http_auth: bool,
    static_account: Option<StaticAccount>,
    /// `appConfig.auth` at start, or when it could be parsed for the first time.
    settled: Arc<OnceLock<Auth>>,
    /// Done once somebody has been told that a change needs a restart.
    told: Arc<Once>,
    /// Untrusted peers that the log has already named.
    pub(crate) strangers: Arc<NamedPeers>,
    pub(crate) guesses: Arc<Guesses>,
    trusted_proxies: TrustedProxies,
    pub(crate) sign_outs: Arc<SignOuts>,
    passwords: Arc<Passwords>,
    session_secret: Option<SecretText>,
    user_data: PathBuf,
    base: String,
    /// Created when first needed: without sign-in there is no key to store.
    sealer: Arc<OnceLock<Sealer>>,
    cookies: OnceLock<Cookies>,
    opened: Opened,
    pub(crate) clock: Arc<dyn TimeSource>,
    http_client: HttpClient,
    client_secret: Option<SecretText>,
    provider: Arc<OnceLock<Arc<Provider>>>,
}

/// The parts of a request that identify the sender.
#[derive(Clone, Copy, Debug)]
pub struct Asking<'a> {
    /// Its headers.
    pub headers: &'a HeaderMap,
    /// The other end of the connection; `None` in tests that have no connection.
    pub peer: Option<IpAddr>,
}

impl Gate {
    /// A gate for these settings and the current config.
    pub fn new(settings: &Settings, site: &Site, http_client: HttpClient, clock: Arc<dyn TimeSource>) -> Self {
        let gate = Self {
            api_token: settings.api_token.clone(),
            http_auth: settings.enable_http_auth,
            static_account: settings.static_account.clone(),
            settled: Arc::default(),
            told: Arc::new(Once::new()),
            strangers: Arc::default(),
            guesses: Arc::default(),
            trusted_proxies: settings.trusted_proxies.clone(),
            sign_outs: Arc::new(SignOuts::read(&settings.user_data, clock.now())),
            passwords: Arc::new(Passwords::new(settings.variables.clone())),
            session_secret: settings.session_secret.clone(),
            user_data: settings.user_data.clone(),
            base: settings.base.clone(),
            sealer: Arc::default(),
            cookies: OnceLock::new(),
            opened: Opened::default(),
            clock,
            http_client,
            client_secret: settings.oidc_client_secret.clone(),
            provider: Arc::default(),
        };
        let policy = gate.policy(site);
        if let SignInMethod::Broken(reason) = policy.kind {
            tracing::error!("sign-in cannot work, so everything stays closed: {reason}");
        }
        if matches!(policy.kind, SignInMethod::Accounts | SignInMethod::Provider { .. }) {
            gate.cookies();
        }
        let is_for_show = gate.provider().is_some_and(|provider| !provider.settings.enforced);
        if is_for_show {
            tracing::error!(
                "`disableServerSideCheck` is on: the login page is for show, and everybody who reaches this server \
                 can read and change everything"
            );
        }
        if gate.static_account.is_some() && policy.static_account.is_none() {
            tracing::warn!("BASIC_AUTH_USERNAME is ignored: ENABLE_HTTP_AUTH is on and the config has users");
        }
        gate
    }

    /// The same gate under another path prefix. What was fixed at start applies there too, and guesses are counted
    /// together. Sessions belong to one prefix, like cookies.
    #[must_use]
    pub fn below(&self, base: &str) -> Self {
        Self {
            api_token: self.api_token.clone(),
            http_auth: self.http_auth,
            static_account: self.static_account.clone(),
            settled: Arc::clone(&self.settled),
            told: Arc::clone(&self.told),
            strangers: Arc::clone(&self.strangers),
            guesses: Arc::clone(&self.guesses),
            trusted_proxies: self.trusted_proxies.clone(),
            sign_outs: Arc::clone(&self.sign_outs),
            passwords: Arc::clone(&self.passwords),
            session_secret: self.session_secret.clone(),
            user_data: self.user_data.clone(),
            base: base.to_owned(),
            sealer: Arc::clone(&self.sealer),
            cookies: OnceLock::new(),
            opened: Opened::default(),
            clock: Arc::clone(&self.clock),
            http_client: self.http_client.clone(),
            client_secret: self.client_secret.clone(),
            provider: Arc::clone(&self.provider),
        }
    }

    pub(crate) fn cookies(&self) -> &Cookies {
        self.cookies.get_or_init(|| {
            let sealer = self.sealer.get_or_init(|| Sealer::new(self.session_secret.as_ref(), &self.user_data));
            Cookies::new(sealer.clone(), &self.base)
        })
    }

    /// The identity provider, if the config named one at start.
    pub(crate) fn provider(&self) -> Option<&Arc<Provider>> {
        if let Some(provider) = self.provider.get() {
            return Some(provider);
        }
        let settings = ProviderSettings::of(self.settled.get()?.sign_in())?;
        let make = || {
            let (http_client, clock) = (self.http_client.clone(), Arc::clone(&self.clock));
            Arc::new(Provider::new(settings, self.client_secret.clone(), http_client, clock))
        };
        Some(self.provider.get_or_init(make))
    }

    /// The identity provider, if people currently sign in with it.
    pub(crate) fn provider_in_use(&self, site: &Site) -> Option<&Arc<Provider>> {
        let is_used = matches!(self.policy(site).kind, SignInMethod::Provider { .. });
        is_used.then(|| self.provider()).flatten()
    }

    /// The caller of the API (docs/spec/api.md 3).
    ///
    /// # Errors
    ///
    /// [`Refusal`].
    pub async fn caller(&self, site: &Site, asking: Asking<'_>) -> Result<Caller, Refusal> {
        let policy = self.policy(site);
        let challenge =
            |refused| Refusal::Unauthorized(challenge::unauthorized(self, &policy, asking.headers, refused));
        let Some(authorization) = token::authorization(asking.headers)? else {
            return match policy.kind {
                SignInMethod::Open | SignInMethod::Provider { enforced: false } if self.api_token.is_none() => {
                    Some(Caller::new(Viewer::Admin(None), Proof::Nothing))
                }
                SignInMethod::Proxy(proxy) => {
                    proxy::user(proxy, asking).map(|name| Caller::new(policy.known_or_new(name), Proof::Proxy))
                }
                _ => None,
            }
            .ok_or_else(|| challenge(false));
        };
        let Some(turn) = self.turn_for(&authorization, asking).await? else { return Err(challenge(false)) };
        let (viewer, is_bearer) = match &authorization {
            Authorization::Bearer(given) if self.is_api_token(given) => {
                turn.succeeded();
                return Ok(Caller::new(Viewer::Admin(None), Proof::Authorization));
            }
            Authorization::Bearer(given) => match self.viewer_of_token(&policy, given).await {
                Ok(viewer) => (viewer, true),
                Err(_) => {
                    turn.unchecked();
                    return Err(challenge(true));
                }
            },
            Authorization::Basic { name, password } => (self.account(&policy, name, password).await, false),
            Authorization::Other => (None, false),
        };
        match viewer {
            Some(viewer) => {
                turn.succeeded();
                Ok(Caller::new(viewer, Proof::Authorization))
            }
            None => {
                turn.failed().await;
                Err(challenge(is_bearer))
            }
        }
    }

    /// The peer that guesses are counted for: the other end, or the client behind an explicitly listed proxy.
    pub(crate) fn client(&self, asking: Asking<'_>) -> Option<IpAddr> {
        asking.peer.map(|peer| self.trusted_proxies.client(peer, asking.headers))
    }

    /// A slot to check the credential in an `Authorization` header; `None` if there is nothing to check.
    async fn turn_for(
        &self,
        authorization: &Authorization,
        asking: Asking<'_>,
    ) -> Result<Option<GuessPermit<'_>>, TooManyGuesses> {
        let account = match authorization {
            Authorization::Basic { name, .. } => ClaimedAccount::Named(name),
            Authorization::Bearer(_) if self.api_token.is_some() => ClaimedAccount::ApiToken,
            Authorization::Bearer(_) => ClaimedAccount::Signed,
            Authorization::Other => return Ok(None),
        };
        self.guesses.begin(self.client(asking), account).await.map(Some)
    }

    /// The viewer that an ID token identifies; `None` if it is not valid, an error if it cannot be verified now.
    async fn viewer_of_token(&self, policy: &Policy<'_>, token: &str) -> Result<Option<Viewer>, ProviderError> {
        let (SignInMethod::Provider { .. }, Some(provider)) = (policy.kind, self.provider()) else { return Ok(None) };
        match provider.viewer_of_token(token).await {
            Ok(viewer) => Ok(Some(viewer)),
            Err(error) if error.is_temporary() => Err(error),
            Err(error) => {
                tracing::debug!("a bearer token is refused: {error}");
                Ok(None)
            }
        }
    }

    /// Whether everyone may do everything, because no kind of sign-in is enforced.
    pub fn is_open(&self, site: &Site) -> bool {
        matches!(self.policy(site).kind, SignInMethod::Open | SignInMethod::Provider { enforced: false })
    }

    /// The credentials that the API currently accepts.
    pub fn accepted(&self, site: &Site) -> Accepted {
        let policy = self.policy(site);
        Accepted {
            token: self.accepts_tokens(&policy),
            basic: policy.accepts_basic(),
            nothing: match policy.kind {
                SignInMethod::Open => self.api_token.is_none(),
                SignInMethod::Proxy(_) => true,
                SignInMethod::Provider { enforced } => !enforced && self.api_token.is_none(),
                SignInMethod::Accounts | SignInMethod::Broken(_) | SignInMethod::Unreadable => false,
            },
        }
    }

    /// Whether a token in `Authorization: Bearer` can be valid.
    fn accepts_tokens(&self, policy: &Policy<'_>) -> bool {
        self.api_token.is_some() || matches!(policy.kind, SignInMethod::Provider { enforced: true })
    }

    fn is_api_token(&self, given: &str) -> bool {
        self.api_token.as_ref().is_some_and(|token| basic::is_same(token.expose(), given))
    }

    /// The viewer with that name and password, if the policy knows it.
    pub(crate) async fn account(&self, policy: &Policy<'_>, name: &str, password: &str) -> Option<Viewer> {
        if !policy.accepts_basic() {
            return None;
        }
        if let Some(account) = policy.static_account {
            // Both are always compared, so that timing reveals nothing about the name.
            let (named, known) =
                (basic::is_same(&account.name, name), basic::is_same(account.password.expose(), password));
            if named & known {
                return Some(Viewer::Admin(Some(Person { name: account.name.clone(), ..Person::default() })));
            }
        }
        let users = if policy.basic_users { policy.users } else { &[] };
        self.passwords.user(users, name, password).await.map(viewer_of)
    }
}

fn viewer_of(user: &User) -> Viewer {
    let person = Person { name: user.name.clone(), ..Person::default() };
    if user.is_admin { Viewer::Admin(Some(person)) } else { Viewer::User(person) }
}

/// Examines the provider in a config, for `portico check-oidc`. `url` is the address of the dashboard.
///
/// # Errors
///
/// Why there is no provider to examine.
pub async fn examine_config(
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
    let examination = Examination {
        settings: provider,
        numeric_client: client.is_some_and(|client| client.is_number()),
        redirect: origin.or_else(|| settings.public_origin.as_ref().map(|origin| format!("{origin}{}", settings.base))),
        client_secret: settings.oidc_client_secret.clone(),
        now: SystemClock.now(),
    };
    Ok(examine(&examination, http_client).await)
}

impl From<TooManyGuesses> for Denied {
    fn from(_: TooManyGuesses) -> Self {
        Self::TooManyGuesses
    }
}

impl From<TooManyGuesses> for Refusal {
    fn from(_: TooManyGuesses) -> Self {
        Self::TooManyGuesses
    }
}
