//! Signing in at a provider: the redirect there, and how the response is handled (OpenID Connect Core 3.1, RFC 7636).

use std::{fmt::Write as _, time::Duration};

use openidconnect::{
    AuthorizationCode, ClientId, CsrfToken, LogoutRequest, Nonce, OAuth2TokenResponse as _, PkceCodeChallenge,
    PkceCodeVerifier, PostLogoutRedirectUrl, RefreshToken, Scope,
    core::{CoreAuthPrompt, CoreAuthenticationFlow},
};
use serde::{Deserialize, Serialize};
use tokio::time::timeout;
use url::Url;

use super::{
    claims::Claims,
    client::{ProviderTokenResponse, TokenHttpClient},
    discovery::Metadata,
    error::{ProviderError, words},
    identity_provider::IdentityProvider,
    renewals::Lifetime,
    token::Token,
    tokens::Tokens,
    verification::Expected,
};
use crate::access::session::{IdToken, ProviderSession};

/// Maximum length of an ID token that is sent as a hint when someone signs out, in bytes. Servers reject longer
/// addresses; without the hint the provider only asks which account is meant.
const MAX_HINT_LENGTH: usize = 6 * 1024;

/// How long someone may take at the provider, in seconds. After that the sign-in restarts automatically.
pub(crate) const ATTEMPT_SECONDS: u64 = 600;

/// How long an attempt's cookie is kept, in seconds, so that a late response still leads to the requested page.
pub(crate) const ATTEMPT_COOKIE_SECONDS: u64 = 3600;

/// How long signing out waits for the provider's discovery document.
const SIGN_OUT_WAIT: Duration = Duration::from_secs(2);

/// The scope that requests a refresh token.
const OFFLINE: &str = "offline_access";

/// Prefix of the state of a second attempt, which must be recognizable even if the browser stores no cookies.
const AGAIN: &str = "again.";

/// Variations of the request, for a provider that rejected the first one.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, Serialize, Deserialize)]
pub(crate) struct AuthorizationOptions {
    /// With `prompt=consent`: some providers issue no refresh token without it, others fail with it.
    #[serde(rename = "c")]
    pub consent: bool,
    /// With only the scopes that the provider lists.
    #[serde(rename = "n")]
    pub listed_scopes: bool,
    /// A second attempt, because the first took too long.
    #[serde(rename = "a", default)]
    pub again: bool,
}

/// A sign-in in progress at the provider, as stored in its cookie.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Attempt {
    /// Returned with the authorization response.
    #[serde(rename = "s")]
    pub state: CsrfToken,
    /// Returned in the ID token.
    #[serde(rename = "n")]
    pub nonce: Nonce,
    /// Proves that the client that redeems the code also requested it.
    #[serde(rename = "v")]
    pub verifier: PkceCodeVerifier,
    /// The page that the user wanted to open.
    #[serde(rename = "r")]
    pub return_to: String,
    /// The redirect address sent to the provider.
    #[serde(rename = "u")]
    pub redirect: String,
    /// When it began, in seconds since 1970.
    #[serde(rename = "t")]
    pub started: u64,
    #[serde(rename = "m")]
    pub options: AuthorizationOptions,
}

impl IdentityProvider {
    /// A new attempt, and the address to redirect the browser to.
    pub(crate) async fn begin(
        &self,
        return_to: String,
        redirect: String,
        options: AuthorizationOptions,
    ) -> Result<(Attempt, Url), ProviderError> {
        self.attempt(&*self.metadata().await?, return_to, redirect, options)
    }

    /// Like [`IdentityProvider::begin`], with an already fetched discovery document.
    pub(crate) fn attempt(
        &self,
        metadata: &Metadata,
        return_to: String,
        redirect: String,
        options: AuthorizationOptions,
    ) -> Result<(Attempt, Url), ProviderError> {
        let client = self.client(metadata, Some(&redirect))?;
        let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
        let lead = if options.again { AGAIN } else { "" };
        let state = move || CsrfToken::new(format!("{lead}{}", CsrfToken::new_random_len(32).secret()));
        let nonce = || Nonce::new_random_len(32);
        let mut request = client
            .authorize_url(CoreAuthenticationFlow::AuthorizationCode, state, nonce)
            .add_scopes(self.scopes(metadata, options).into_iter().map(|scope| Scope::new(scope.to_owned())))
            .set_pkce_challenge(challenge);
        if options.consent {
            request = request.add_prompt(CoreAuthPrompt::Consent);
        }
        if let Some(hint) = &self.settings.idp_hint {
            request = request.add_extra_param("kc_idp_hint", hint);
        }
        let (address, state, nonce) = request.url();
        let started = self.clock.now();
        Ok((Attempt { state, nonce, verifier, return_to, redirect, started, options }, address))
    }

    /// The scopes to request in addition to `openid`, which the crate always requests: without it there is no ID token.
    fn scopes<'a>(&'a self, metadata: &Metadata, options: AuthorizationOptions) -> Vec<&'a str> {
        let mut scopes = Vec::new();
        let wanted = self.settings.scope.split_whitespace();
        for scope in wanted.chain(self.settings.silent_renew.then_some(OFFLINE)) {
            let listed = metadata.scopes.as_ref().is_none_or(|listed| listed.iter().any(|name| name == scope));
            if scope != "openid" && !scopes.contains(&scope) && (listed || !options.listed_scopes) {
                scopes.push(scope);
            }
        }
        scopes
    }

    /// Whether requesting only the listed scopes would make a difference.
    pub(crate) async fn has_unlisted_scopes(&self) -> bool {
        let Ok(metadata) = self.metadata().await else { return false };
        let ask = |listed_scopes| {
            self.scopes(&metadata, AuthorizationOptions { listed_scopes, ..AuthorizationOptions::default() })
        };
        ask(true) != ask(false)
    }

    /// Exchanges the code of an authorization response for tokens, and checks them. `issuer` is the one named in the
    /// response, if any (RFC 9207).
    pub(crate) async fn finish(
        &self,
        attempt: &Attempt,
        code: &str,
        issuer: Option<&str>,
    ) -> Result<Tokens, ProviderError> {
        let metadata = self.metadata().await?;
        if let Some(issuer) = issuer
            && issuer != metadata.issuer.as_str()
            && self.settings.allowed_issuers.is_empty()
        {
            return Err(ProviderError::Response(format!(
                "the response comes from another issuer, `{}`",
                words(issuer)
            )));
        }
        let code = AuthorizationCode::new(code.to_owned());
        let mut origin = None;
        let mut given = self.redeem(&metadata, attempt, &code, None).await;
        if given.as_ref().is_err_and(wants_origin) {
            origin = Url::parse(&attempt.redirect).ok().map(|address| address.origin().ascii_serialization());
            given = self.redeem(&metadata, attempt, &code, origin.as_deref()).await;
        }
        let given = given?;
        let Some(token) = given.token()? else {
            return Err(ProviderError::Response(
                "the provider sent no ID token: does the client have the scope `openid`?".to_owned(),
            ));
        };
        let expected = Expected { nonce: Some(&attempt.nonce), access_token: given.access(), code: Some(&code) };
        let claims = self.verify(token, expected).await?;
        Ok(self.tokens(token, &claims, &given, given.refresh_token(), self.clock.now(), origin))
    }

    /// Sends an authorization code to the token endpoint.
    pub(crate) async fn redeem(
        &self,
        metadata: &Metadata,
        attempt: &Attempt,
        code: &AuthorizationCode,
        origin: Option<&str>,
    ) -> Result<ProviderTokenResponse, ProviderError> {
        let client = self.client(metadata, Some(&attempt.redirect))?;
        let verifier = PkceCodeVerifier::new(attempt.verifier.secret().clone());
        let request = client.exchange_code(code.clone()).set_pkce_verifier(verifier);
        Ok(request.request_async(&self.token_http_client(metadata, origin)).await?)
    }

    /// Gets new tokens with the refresh token of a session.
    pub(crate) async fn refresh(&self, session: &ProviderSession, refresh: &str) -> Result<Tokens, ProviderError> {
        let metadata = self.metadata().await?;
        let client = self.client(&metadata, None)?;
        let refresh = RefreshToken::new(refresh.to_owned());
        let line = self.token_http_client(&metadata, session.origin.as_deref());
        let given = client.exchange_refresh_token(&refresh).request_async(&line).await?;
        let Some(token) = given.token()? else {
            return Err(ProviderError::Response("the provider renewed the session without an ID token".to_owned()));
        };
        let expected = Expected { access_token: given.access(), ..Expected::default() };
        let claims = self.verify(token, expected).await?;
        let before = self.claims_of(session).unwrap_or_default();
        let is_other_nonce = claims.nonce.is_some() && claims.nonce != before.nonce;
        if claims.subject != before.subject || claims.issuer != before.issuer || is_other_nonce {
            return Err(ProviderError::Response("the renewed session belongs to someone else".to_owned()));
        }
        // If there is no new refresh token, the old one stays valid.
        let refresh = given.refresh_token().unwrap_or(&refresh);
        Ok(self.tokens(token, &claims, &given, Some(refresh), session.began, session.origin.clone()))
    }

    fn token_http_client(&self, metadata: &Metadata, origin: Option<&str>) -> TokenHttpClient {
        TokenHttpClient::new(&self.http_client, self.settings.reach_of(metadata.token.url()), origin)
    }

    fn tokens(
        &self,
        token: &Token,
        claims: &Claims,
        given: &ProviderTokenResponse,
        refresh: Option<&RefreshToken>,
        began: u64,
        origin: Option<String>,
    ) -> Tokens {
        let now = self.clock.now();
        let lifetime = Lifetime::of(given.expires_in(), claims, now);
        let session = ProviderSession {
            provider: self.fingerprint.clone(),
            id_token: IdToken(token.text.clone()),
            refresh_token: refresh.filter(|_| self.settings.silent_renew).map(|token| token.secret().clone()),
            renew_at: lifetime.renew_at(now),
            received: now,
            began,
            origin,
        };
        let person = self.person(claims);
        Tokens {
            session,
            viewer: self.viewer(claims),
            expires: claims.expires.unwrap_or(now),
            shared_until: lifetime.shared_until(now),
            person,
        }
    }

    /// Where to redirect the browser so that the provider ends its session too (OpenID Connect RP-Initiated Logout
    /// 1.0); `None` if the provider has no such endpoint. From there it returns to `postLogoutRedirectUri`, or else to
    /// `way_out` if that is a whole address.
    pub(crate) async fn sign_out_address(
        &self,
        session: Option<&ProviderSession>,
        way_out: Option<&str>,
    ) -> Option<Url> {
        // Signing out does not wait for a provider that is down.
        let metadata = timeout(SIGN_OUT_WAIT, self.metadata()).await.ok()?.ok()?;
        let mut request = LogoutRequest::from(metadata.end_session.clone()?)
            .set_client_id(ClientId::new(self.settings.client_id.clone()))
            .set_state(CsrfToken::new_random_len(32));
        let back = self.settings.post_logout_redirect_uri.as_deref().or(way_out);
        let back = back.and_then(|back| PostLogoutRedirectUrl::new(back.to_owned()).ok());
        if let Some(back) = back {
            request = request.set_post_logout_redirect_uri(back);
        }
        let mut address = request.http_get_url();
        if let Some(session) = session.filter(|session| session.id_token.0.len() <= MAX_HINT_LENGTH) {
            // Built by hand: the crate would serialize the token differently, and the provider would not recognize it.
            address.query_pairs_mut().append_pair("id_token_hint", &session.id_token.0);
        }
        Some(address)
    }
}

impl ProviderError {
    /// An error in the provider's words (RFC 6749, 4.1.2.1 and 5.2).
    pub(crate) fn refused(error: &str, description: Option<&str>) -> Self {
        let mut said = words(error);
        if let Some(description) = description.map(words).filter(|text| !text.is_empty()) {
            _ = write!(said, ": {description}");
        }
        Self::Refused { code: words(error), said }
    }
}

/// Whether an attempt with this state is a second one. Anyone can forge such a state, but gains nothing by it.
pub(crate) fn is_second_attempt(state: &str) -> bool {
    state.starts_with(AGAIN)
}

/// Whether the provider treats the client as a single-page application, like Dashy, and so issues tokens only to
/// requests with an origin. Entra does so for redirect addresses that are registered for a single-page application.
pub(crate) fn wants_origin(error: &ProviderError) -> bool {
    matches!(error, ProviderError::Refused { said, .. } if said.contains("AADSTS9002327"))
}
