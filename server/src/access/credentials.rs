//! Checks of the credentials in an `Authorization` header, for pages and for the API.

use std::net::IpAddr;

use config::{Person, Viewer};

use super::{
    AccessControl, ApiTokens, AuthRequest, ClaimedAccount, Policy, SignInMethod, basic,
    guesses::{GuessPermit, TooManyGuesses},
    provider::ProviderError,
    token::Authorization,
    viewer_of,
};

impl AccessControl {
    /// The peer that guesses are counted for: the other end, or the client behind an explicitly listed proxy.
    pub(crate) fn client(&self, request: AuthRequest<'_>) -> Option<IpAddr> {
        request.peer.map(|peer| self.trusted_proxies.client(peer, request.headers))
    }

    /// A slot to check the credential in an `Authorization` header; `None` if there is nothing to check.
    pub(super) async fn turn_for(
        &self,
        authorization: &Authorization,
        request: AuthRequest<'_>,
    ) -> Result<Option<GuessPermit>, TooManyGuesses> {
        let account = match authorization {
            Authorization::Basic { name, .. } => ClaimedAccount::Named(name),
            Authorization::Bearer(given) if self.api_token.is_some() || ApiTokens::is_ours(given) => {
                ClaimedAccount::ApiToken
            }
            Authorization::Bearer(_) => ClaimedAccount::Signed,
            Authorization::Other => return Ok(None),
        };
        self.guesses.begin(self.client(request), account).await.map(Some)
    }

    /// The viewer that an ID token identifies; `None` if it is not valid, an error if it cannot be verified now.
    pub(super) async fn viewer_of_token(
        &self,
        policy: &Policy<'_>,
        token: &str,
    ) -> Result<Option<Viewer>, ProviderError> {
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

    /// Whether a token in `Authorization: Bearer` can be valid.
    pub(super) fn accepts_tokens(&self, policy: &Policy<'_>) -> bool {
        self.requires_token() || matches!(policy.kind, SignInMethod::Provider { enforced: true })
    }

    /// Whether there are tokens of the API, without which it is as open as the dashboard.
    pub(super) fn requires_token(&self) -> bool {
        self.api_token.is_some() || self.api_tokens.are_used()
    }

    pub(super) fn is_api_token(&self, given: &str) -> bool {
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
