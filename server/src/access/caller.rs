//! Who calls the REST API, and with which credentials (docs/spec/api.md 3). A handler gets a [`Reader`] or an
//! [`Admin`], which only a check can create.

use config::{Person, Viewer};

use super::{
    AccessControl, ApiToken, ApiTokens, AuthRequest, Rights, SignInMethod,
    challenge::{Unauthorized, unauthorized},
    provider::is_encrypted,
    proxy,
    rejection::Rejection,
    token::{self, Authorization},
};
use crate::store::Site;

/// How a caller proved who they are.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Proof {
    /// With an `Authorization` header, which no other site can make a browser send.
    Authorization,
    /// Through a trusted proxy, which vouches for every request that it forwards.
    Proxy,
    /// Not at all: no kind of sign-in is configured.
    Nothing,
}

/// Someone who may call the API.
#[derive(Clone, Debug)]
pub struct Caller {
    viewer: Viewer,
    proof: Proof,
    /// The token with a name that they sent.
    token: Option<ApiToken>,
}

/// The right to read.
#[derive(Clone, Debug)]
pub struct Reader(Caller);

/// The right to read and write.
#[derive(Clone, Debug)]
pub struct Admin(Caller);

/// The caller is not an admin, and only admins may write.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct NotAdmin;

impl Caller {
    pub(crate) fn new(viewer: Viewer, proof: Proof) -> Self {
        Self { viewer, proof, token: None }
    }

    fn with_token(token: ApiToken) -> Self {
        let viewer = match token.rights {
            Rights::Write => Viewer::Admin(None),
            Rights::Read => Viewer::User(Person { name: token.name.clone(), ..Person::default() }),
        };
        Self { viewer, proof: Proof::Authorization, token: Some(token) }
    }

    /// The only config file that the caller may use, if there is such a limit.
    pub fn only_file(&self) -> Option<&str> {
        self.token.as_ref()?.file.as_deref()
    }

    /// The only section of that file that the caller may use, if there is such a limit.
    pub fn only_section(&self) -> Option<&str> {
        self.token.as_ref()?.section.as_deref()
    }

    /// How the caller proved who they are.
    pub fn proof(&self) -> Proof {
        self.proof
    }

    /// Anyone who may call the API may read.
    pub fn into_reader(self) -> Reader {
        Reader(self)
    }

    /// Only admins may write.
    ///
    /// # Errors
    ///
    /// [`NotAdmin`].
    pub fn into_admin(self) -> Result<Admin, NotAdmin> {
        if self.viewer.is_admin() { Ok(Admin(self)) } else { Err(NotAdmin) }
    }
}

impl Admin {
    /// The name of the caller, for the log.
    pub fn name(&self) -> String {
        match (&self.0.token, self.0.proof) {
            (Some(token), _) => format!("the API token `{}`", token.name),
            (None, Proof::Authorization) if self.0.viewer.person().is_none() => "the API token".to_owned(),
            (None, _) => self.0.viewer.name_for_log().to_owned(),
        }
    }
}

impl Reader {
    /// Whether the reader may also write, and may therefore see users' credentials.
    pub fn is_admin(&self) -> bool {
        self.0.viewer.is_admin()
    }
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

impl AccessControl {
    /// The caller of the API (docs/spec/api.md 3).
    ///
    /// # Errors
    ///
    /// [`Rejection`].
    pub async fn caller(&self, site: &Site, request: AuthRequest<'_>) -> Result<Caller, Rejection> {
        let policy = self.policy(site);
        let challenge = |refused| Rejection::Unauthorized(unauthorized(self, &policy, request.headers, refused));
        let Some(authorization) = token::authorization(request.headers)? else {
            return match policy.kind {
                SignInMethod::Open | SignInMethod::Provider { enforced: false } if !self.requires_token() => {
                    Some(Caller::new(Viewer::Admin(None), Proof::Nothing))
                }
                SignInMethod::Proxy(proxy) => {
                    proxy::user(proxy, request).map(|name| Caller::new(policy.known_or_new(name), Proof::Proxy))
                }
                _ => None,
            }
            .ok_or_else(|| challenge(false));
        };
        let Some(turn) = self.turn_for(&authorization, request).await? else { return Err(challenge(false)) };
        let (viewer, is_bearer) = match &authorization {
            Authorization::Bearer(given) if self.is_api_token(given) => {
                turn.succeeded();
                return Ok(Caller::new(Viewer::Admin(None), Proof::Authorization));
            }
            Authorization::Bearer(given) if ApiTokens::is_ours(given) => {
                if let Some(token) = self.api_tokens.find(given, self.clock.now()) {
                    turn.succeeded();
                    return Ok(Caller::with_token(token));
                }
                (None, true)
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
                let encrypted_bearer = matches!(&authorization, Authorization::Bearer(given) if is_encrypted(given));
                let refused = unauthorized(self, &policy, request.headers, is_bearer);
                Err(Rejection::Unauthorized(Unauthorized { encrypted_bearer, ..refused }))
            }
        }
    }

    /// The credentials that the API currently accepts.
    pub fn accepted(&self, site: &Site) -> Accepted {
        let policy = self.policy(site);
        Accepted {
            token: self.accepts_tokens(&policy),
            basic: policy.accepts_basic(),
            nothing: match policy.kind {
                SignInMethod::Open => !self.requires_token(),
                SignInMethod::Proxy(_) => true,
                SignInMethod::Provider { enforced } => !enforced && !self.requires_token(),
                SignInMethod::Accounts | SignInMethod::Broken(_) | SignInMethod::Unreadable => false,
            },
        }
    }
}
