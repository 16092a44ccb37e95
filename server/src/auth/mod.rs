//! Who is asking: from the request's credentials to a [`Viewer`] of pages, or to a [`Caller`] of the REST API.

mod attempts;
mod basic;
mod challenge;
mod extract;
mod policy;
mod proxy;
mod token;

use std::{
    net::{IpAddr, SocketAddr},
    sync::{Arc, Once, OnceLock},
};

use axum::{
    Json,
    extract::{ConnectInfo, Request, State},
    middleware::Next,
    response::{IntoResponse, Response},
};
use config::{
    Person, Viewer,
    model::auth::{Auth, Secret, User},
};
use http::{Extensions, HeaderMap, StatusCode, header, request::Parts};
use serde_json::json;

pub use self::extract::{Admin, Caller, Proof, Reader};
use self::{
    attempts::Attempts,
    basic::Passwords,
    challenge::BASIC_CHALLENGE,
    policy::{Kind, Policy},
    token::Authorization,
};
use crate::{
    error::ApiError,
    portico::Portico,
    settings::{Settings, StaticAccount},
    store::Site,
};

/// Why a request is let in nowhere.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Denied {
    /// Credentials are missing or wrong.
    Unauthorized {
        /// Whether name and password would help.
        basic: bool,
    },
    /// The config asks for a kind of sign-in that cannot work; the reason is in words.
    Unavailable(String),
}

/// What the API takes as credentials.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Accepted {
    /// `Authorization: Bearer …`.
    pub token: bool,
    /// `Authorization: Basic …`.
    pub basic: bool,
    /// Nothing in the request: everybody may, or a proxy speaks for its users.
    pub nothing: bool,
}

impl Accepted {
    /// Whatever some config would make count.
    pub const ANY: Self = Self { token: true, basic: true, nothing: true };
}

/// The viewer that [`identify`] found, kept with the request.
#[derive(Clone, Debug)]
struct Access(Result<Viewer, Denied>);

/// Decides who may enter. The kind of sign-in is settled at start (config.md 6), the accounts are those of the moment.
#[derive(Debug)]
pub struct Gate {
    api_token: Option<Secret>,
    http_auth: bool,
    static_account: Option<StaticAccount>,
    /// `appConfig.auth` as it was at start, or when it could be understood for the first time.
    settled: OnceLock<Auth>,
    /// Done when somebody was told that a change waits for a restart.
    told: Once,
    attempts: Attempts,
    passwords: Passwords,
}

/// What of a request tells who is asking.
#[derive(Clone, Copy, Debug)]
pub struct Asking<'a> {
    /// Its headers.
    pub headers: &'a HeaderMap,
    /// The other end of the connection; none in tests that have no connection.
    pub peer: Option<IpAddr>,
}

impl<'a> Asking<'a> {
    /// Takes it from a request.
    pub fn new(headers: &'a HeaderMap, extensions: &Extensions) -> Self {
        let peer = extensions.get::<ConnectInfo<SocketAddr>>().map(|peer| peer.0.ip().to_canonical());
        Self { headers, peer }
    }
}

impl Gate {
    /// A gate for these settings and the config as it is now.
    pub fn new(settings: &Settings, site: &Site) -> Self {
        let gate = Self {
            api_token: settings.api_token.clone(),
            http_auth: settings.enable_http_auth,
            static_account: settings.static_account.clone(),
            settled: OnceLock::new(),
            told: Once::new(),
            attempts: Attempts::default(),
            passwords: Passwords::default(),
        };
        let policy = gate.policy(site);
        if let Kind::Broken(reason) = policy.kind {
            tracing::error!("sign-in cannot work, so everything stays closed: {reason}");
        }
        if gate.static_account.is_some() && policy.static_account.is_none() {
            tracing::warn!("BASIC_AUTH_USERNAME is ignored: ENABLE_HTTP_AUTH is on and the config has users");
        }
        gate
    }

    /// The viewer of a page. Without any kind of sign-in everybody is an admin; as soon as one is configured, nothing
    /// is open but what guest access opens (behaviour.md 19.1). Wrong credentials are never ignored in favour of
    /// guest access. The API token opens nothing here.
    async fn viewer(&self, site: &Site, asking: Asking<'_>) -> Result<Viewer, Denied> {
        let policy = self.policy(site);
        match policy.kind {
            // A proxy in front may demand a password of its own and pass it on, so it is not looked at.
            Kind::Open => return Ok(Viewer::Admin(None)),
            // Only the failure itself is shown.
            Kind::Unreadable => return Ok(Viewer::Anonymous),
            Kind::Proxy(proxy) => {
                // The proxy may have asked for a password and passed that on too; its word is the better one.
                if let Some(name) = proxy::user(proxy, asking) {
                    return Ok(policy.known_or_new(name));
                }
            }
            Kind::Accounts | Kind::Provider(_) | Kind::Broken(_) => {}
        }
        let unauthorized = || Denied::Unauthorized { basic: policy.accepts_basic() };
        if !asking.headers.contains_key(header::AUTHORIZATION) {
            return match policy.kind {
                _ if policy.guests => Ok(Viewer::Guest),
                Kind::Broken(reason) => Err(Denied::Unavailable(format!("{reason}, so everything stays closed"))),
                Kind::Provider(kind) if !policy.accepts_basic() => Err(Denied::Unavailable(format!(
                    "this version cannot sign people in with {kind}, so everything stays closed"
                ))),
                _ => Err(unauthorized()),
            };
        }
        let found = match token::authorization(asking.headers) {
            Ok(Some(Authorization::Basic { name, password })) => self.account(&policy, &name, &password).await,
            _ => None,
        };
        if found.is_none() {
            self.attempts.failed(asking.peer).await;
        }
        found.ok_or_else(unauthorized)
    }

    /// The caller of the API (api.md 3).
    ///
    /// # Errors
    ///
    /// 401 with the challenges that would help, or 400 for two `Authorization` headers.
    pub async fn caller(&self, site: &Site, asking: Asking<'_>) -> Result<Caller, ApiError> {
        let policy = self.policy(site);
        let challenge = |refused_bearer| challenge::unauthorized(self, &policy, asking.headers, refused_bearer);
        let Some(authorization) = token::authorization(asking.headers)? else {
            return match policy.kind {
                Kind::Open if self.api_token.is_none() => Some(Caller::new(Viewer::Admin(None), Proof::Nothing)),
                Kind::Proxy(proxy) => {
                    proxy::user(proxy, asking).map(|name| Caller::new(policy.known_or_new(name), Proof::Proxy))
                }
                _ => None,
            }
            .ok_or_else(|| challenge(false));
        };
        let (viewer, is_bearer) = match &authorization {
            Authorization::Bearer(given) if self.is_api_token(given) => {
                return Ok(Caller::new(Viewer::Admin(None), Proof::Authorization));
            }
            // No provider's tokens are known here, so none is valid.
            Authorization::Bearer(_) => (None, true),
            Authorization::Basic { name, password } => (self.account(&policy, name, password).await, false),
            Authorization::Other => (None, false),
        };
        match viewer {
            Some(viewer) => Ok(Caller::new(viewer, Proof::Authorization)),
            None => {
                self.attempts.failed(asking.peer).await;
                Err(challenge(is_bearer))
            }
        }
    }

    /// What the API takes as credentials at the moment.
    pub fn accepted(&self, site: &Site) -> Accepted {
        let policy = self.policy(site);
        Accepted {
            token: self.accepts_tokens(&policy),
            basic: policy.accepts_basic(),
            nothing: match policy.kind {
                Kind::Open => self.api_token.is_none(),
                Kind::Proxy(_) => true,
                Kind::Accounts | Kind::Provider(_) | Kind::Broken(_) | Kind::Unreadable => false,
            },
        }
    }

    /// Whether a token in `Authorization: Bearer` can be right.
    fn accepts_tokens(&self, policy: &Policy<'_>) -> bool {
        self.api_token.is_some() || matches!(policy.kind, Kind::Provider(_))
    }

    fn is_api_token(&self, given: &str) -> bool {
        self.api_token.as_ref().is_some_and(|token| basic::is_same(token.expose(), given))
    }

    /// The viewer with that name and password, if the policy knows it.
    async fn account(&self, policy: &Policy<'_>, name: &str, password: &str) -> Option<Viewer> {
        if !policy.accepts_basic() {
            return None;
        }
        if let Some(account) = policy.static_account {
            // Both are compared whatever the first says, so that time tells nothing about the name.
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

/// Finds the viewer of a request, once, for every handler behind it.
pub async fn identify(State(portico): State<Arc<Portico>>, mut request: Request, next: Next) -> Response {
    let site = portico.store.site();
    let viewer = portico.gate.viewer(&site, Asking::new(request.headers(), request.extensions())).await;
    request.extensions_mut().insert(Access(viewer));
    next.run(request).await
}

/// `GET /get-user`: the user that a trusted proxy names, and nothing for anybody else (behaviour.md 19.3).
pub async fn get_user(State(portico): State<Arc<Portico>>, request: Parts) -> Response {
    let site = portico.store.site();
    let named = match portico.gate.policy(&site).kind {
        Kind::Proxy(proxy) => proxy::user(proxy, Asking::new(&request.headers, &request.extensions)),
        _ => None,
    };
    let body = named.map_or_else(|| json!({}), |user| json!({ "success": true, "user": user }));
    ([(header::CACHE_CONTROL, "no-store")], Json(body)).into_response()
}

/// The viewer that [`identify`] found.
///
/// # Errors
///
/// [`Denied`]; also when nobody looked, so that a forgotten look opens nothing.
pub fn viewer(request: &Extensions) -> Result<Viewer, Denied> {
    match request.get::<Access>() {
        Some(Access(viewer)) => viewer.clone(),
        None => Err(Denied::Unauthorized { basic: false }),
    }
}

impl From<Denied> for ApiError {
    fn from(denied: Denied) -> Self {
        match denied {
            Denied::Unauthorized { .. } => Self::new(StatusCode::UNAUTHORIZED, "Unauthorized"),
            Denied::Unavailable(reason) => Self::new(StatusCode::SERVICE_UNAVAILABLE, reason),
        }
    }
}

impl IntoResponse for Denied {
    fn into_response(self) -> Response {
        match self {
            Self::Unauthorized { basic } => {
                let mut response = (StatusCode::UNAUTHORIZED, "sign in to see this page\n").into_response();
                if basic {
                    response.headers_mut().insert(header::WWW_AUTHENTICATE, BASIC_CHALLENGE);
                }
                response
            }
            Self::Unavailable(reason) => (StatusCode::SERVICE_UNAVAILABLE, format!("{reason}\n")).into_response(),
        }
    }
}
