//! Signing in at a provider: the way there, and what is done with the answer (OpenID Connect Core 3.1, RFC 7636).

use std::fmt::Write as _;

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use url::{Url, form_urlencoded};

use super::{Provider, ProviderError, Tokens, claims::Claims, discovery::Metadata, verification::Expected};
use crate::{
    auth::{
        seal::random_text,
        session::{IdToken, ProviderSession},
    },
    outbound::{Purpose, Request},
};

/// Largest answer to a request for tokens, in bytes.
const MOST_BYTES: usize = 1024 * 1024;

/// Longest text of a provider's own that is shown to a person, in characters.
const LONGEST_WORDS: usize = 300;

/// How long somebody may take at the provider, in seconds.
pub(in crate::auth) const ATTEMPT_SECONDS: u64 = 600;

/// The scope that brings a refresh token.
const OFFLINE: &str = "offline_access";

/// What is asked for differently, when a provider did not like the first way.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, Serialize, Deserialize)]
pub(in crate::auth) struct Manner {
    /// With `prompt=consent`: some providers give no refresh token without it, others fail with it.
    #[serde(rename = "c")]
    pub consent: bool,
    /// Only with the scopes that the provider lists.
    #[serde(rename = "n")]
    pub listed_scopes: bool,
}

/// A sign-in that has gone to the provider, as its cookie keeps it.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
pub(in crate::auth) struct Attempt {
    /// Comes back with the answer.
    #[serde(rename = "s")]
    pub state: String,
    /// Comes back in the ID token.
    #[serde(rename = "n")]
    pub nonce: String,
    /// Proves that whoever brings the code has asked for it.
    #[serde(rename = "v")]
    pub verifier: String,
    /// Where the person wanted to go.
    #[serde(rename = "r")]
    pub return_to: String,
    /// The address that the provider was told.
    #[serde(rename = "u")]
    pub redirect: String,
    /// When it began, in seconds since 1970.
    #[serde(rename = "t")]
    pub started: u64,
    #[serde(rename = "m")]
    pub manner: Manner,
}

/// What a provider's token endpoint gives, unchecked.
struct Given {
    id_token: Option<String>,
    access_token: Option<String>,
    refresh_token: Option<String>,
    expires_in: Option<u64>,
}

impl Provider {
    /// A new attempt, and the address to send the browser to.
    pub(in crate::auth) async fn begin(
        &self,
        return_to: String,
        redirect: String,
        manner: Manner,
    ) -> Result<(Attempt, Url), ProviderError> {
        let metadata = self.metadata().await?;
        let attempt = Attempt {
            state: random_text(),
            nonce: random_text(),
            verifier: random_text(),
            return_to,
            redirect,
            started: self.clock.now(),
            manner,
        };
        let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(&attempt.verifier));
        let mut address = metadata.authorization.clone();
        {
            let mut query = address.query_pairs_mut();
            query
                .append_pair("client_id", &self.settings.client_id)
                .append_pair("response_type", "code")
                .append_pair("scope", &self.scope(&metadata, manner))
                .append_pair("redirect_uri", &attempt.redirect)
                .append_pair("state", &attempt.state)
                .append_pair("nonce", &attempt.nonce)
                .append_pair("code_challenge", &challenge)
                .append_pair("code_challenge_method", "S256");
            if manner.consent {
                query.append_pair("prompt", "consent");
            }
            if let Some(hint) = &self.settings.idp_hint {
                query.append_pair("kc_idp_hint", hint);
            }
        }
        Ok((attempt, address))
    }

    /// The scopes to ask for. Without `openid` there would be no ID token.
    fn scope(&self, metadata: &Metadata, manner: Manner) -> String {
        let mut scopes: Vec<&str> = vec!["openid"];
        let wanted = self.settings.scope.split_whitespace();
        for scope in wanted.chain(self.settings.silent_renew.then_some(OFFLINE)) {
            let listed = metadata.scopes.as_ref().is_none_or(|listed| listed.iter().any(|name| name == scope));
            if !scopes.contains(&scope) && (listed || !manner.listed_scopes) {
                scopes.push(scope);
            }
        }
        scopes.join(" ")
    }

    /// Whether asking for the listed scopes only would make a difference.
    pub(in crate::auth) async fn has_unlisted_scopes(&self) -> bool {
        let Ok(metadata) = self.metadata().await else { return false };
        let ask = |listed_scopes| self.scope(&metadata, Manner { listed_scopes, ..Manner::default() });
        ask(true) != ask(false)
    }

    /// Exchanges the code of an answer for tokens, and checks them. `issuer` is the one that the answer names, if it
    /// names one (RFC 9207).
    pub(in crate::auth) async fn finish(
        &self,
        attempt: &Attempt,
        code: &str,
        issuer: Option<&str>,
    ) -> Result<Tokens, ProviderError> {
        let metadata = self.metadata().await?;
        if let Some(issuer) = issuer
            && issuer != metadata.issuer
            && self.settings.allowed_issuers.is_empty()
        {
            return Err(ProviderError::Answer(format!("the answer comes from another issuer, `{}`", words(issuer))));
        }
        let fields = [
            ("grant_type", "authorization_code"),
            ("code", code),
            ("redirect_uri", attempt.redirect.as_str()),
            ("code_verifier", attempt.verifier.as_str()),
        ];
        let mut origin = None;
        let mut given = self.ask_for_tokens(&metadata, &fields, None).await;
        if given.as_ref().is_err_and(wants_origin) {
            origin = Url::parse(&attempt.redirect).ok().map(|address| address.origin().ascii_serialization());
            given = self.ask_for_tokens(&metadata, &fields, origin.as_deref()).await;
        }
        let given = given?;
        let Some(id_token) = given.id_token.clone() else {
            return Err(ProviderError::Answer(
                "the provider sent no ID token: does the client have the scope `openid`?".to_owned(),
            ));
        };
        let expected =
            Expected { nonce: Some(&attempt.nonce), access_token: given.access_token.as_deref(), code: Some(code) };
        let claims = self.verify(&id_token, expected).await?;
        Ok(self.tokens(id_token, &claims, given.refresh_token, given.expires_in, origin))
    }

    /// New tokens for the refresh token of a session.
    pub(super) async fn refresh(&self, session: &ProviderSession, refresh: &str) -> Result<Tokens, ProviderError> {
        let metadata = self.metadata().await?;
        let fields = [("grant_type", "refresh_token"), ("refresh_token", refresh)];
        let given = self.ask_for_tokens(&metadata, &fields, session.origin.as_deref()).await?;
        let Some(id_token) = given.id_token else {
            return Err(ProviderError::Answer("the provider renewed the session without an ID token".to_owned()));
        };
        let expected = Expected { access_token: given.access_token.as_deref(), ..Expected::default() };
        let claims = self.verify(&id_token, expected).await?;
        let before = self.claims_of(session).unwrap_or_default();
        let is_other_nonce = claims.nonce.is_some() && claims.nonce != before.nonce;
        if claims.subject != before.subject || claims.issuer != before.issuer || is_other_nonce {
            return Err(ProviderError::Answer("the renewed session is that of somebody else".to_owned()));
        }
        // Without a new one the old one stays good.
        let refresh_token = given.refresh_token.or_else(|| Some(refresh.to_owned()));
        Ok(self.tokens(id_token, &claims, refresh_token, given.expires_in, session.origin.clone()))
    }

    fn tokens(
        &self,
        id_token: String,
        claims: &Claims,
        refresh_token: Option<String>,
        expires_in: Option<u64>,
        origin: Option<String>,
    ) -> Tokens {
        let now = self.clock.now();
        let session = ProviderSession {
            provider: self.fingerprint.clone(),
            id_token: IdToken(id_token),
            refresh_token: refresh_token.filter(|_| self.settings.silent_renew),
            access_expires: expires_in.map(|seconds| now.saturating_add(seconds)),
            received: now,
            origin,
        };
        Tokens { session, viewer: self.viewer(claims), expires: claims.expires.unwrap_or(now) }
    }

    /// Asks the token endpoint, as a page with this origin would if there is one.
    async fn ask_for_tokens(
        &self,
        metadata: &Metadata,
        fields: &[(&str, &str)],
        origin: Option<&str>,
    ) -> Result<Given, ProviderError> {
        let form = {
            let mut form = form_urlencoded::Serializer::new(String::new());
            form.extend_pairs(fields).append_pair("client_id", &self.settings.client_id);
            if let Some(secret) = &self.client_secret {
                form.append_pair("client_secret", secret.expose());
            }
            form.finish()
        };
        let request = Request {
            max_bytes: MOST_BYTES,
            max_redirects: 0,
            ..Request::post(Purpose::Configured, metadata.token.as_str(), form)
        };
        let mut request = request
            .with_header("content-type", "application/x-www-form-urlencoded")
            .with_header("accept", "application/json");
        if let Some(origin) = origin {
            request = request.with_header("origin", origin);
        }
        let reply = self.outbound.send(request).await.map_err(|error| ProviderError::Unreachable(error.to_string()))?;
        let value: Value = serde_json::from_slice(&reply.body).unwrap_or_default();
        let text = |name: &str| value.get(name).and_then(Value::as_str).filter(|text| !text.is_empty());
        if let Some(error) = text("error") {
            return Err(ProviderError::refused(error, text("error_description")));
        }
        if reply.status.is_server_error() {
            return Err(ProviderError::Unreachable(format!("{} answers {}", metadata.token, reply.status)));
        }
        if !reply.status.is_success() || !value.is_object() {
            return Err(ProviderError::Answer(format!(
                "the provider answered {} to the request for tokens, without a reason",
                reply.status
            )));
        }
        let seconds = value.get("expires_in");
        Ok(Given {
            id_token: text("id_token").map(str::to_owned),
            access_token: text("access_token").map(str::to_owned),
            refresh_token: text("refresh_token").map(str::to_owned),
            // Some send it as a text.
            expires_in: seconds.and_then(|value| value.as_u64().or_else(|| value.as_str()?.parse().ok())),
        })
    }

    /// Where to send the browser so that the provider forgets the person too; none if it has no such place.
    pub(in crate::auth) async fn sign_out_address(&self, session: Option<&ProviderSession>) -> Option<Url> {
        let metadata = self.metadata().await.ok()?;
        let mut address = metadata.end_session.clone()?;
        {
            let mut query = address.query_pairs_mut();
            query.append_pair("client_id", &self.settings.client_id);
            if let Some(session) = session {
                query.append_pair("id_token_hint", &session.id_token.0);
            }
            if let Some(back) = &self.settings.post_logout_redirect_uri {
                query.append_pair("post_logout_redirect_uri", back);
            }
            query.append_pair("state", &random_text());
        }
        Some(address)
    }
}

impl ProviderError {
    /// An error in the words of the provider (RFC 6749, 4.1.2.1 and 5.2).
    pub(in crate::auth) fn refused(error: &str, description: Option<&str>) -> Self {
        let mut said = words(error);
        if let Some(description) = description.map(words).filter(|text| !text.is_empty()) {
            _ = write!(said, ": {description}");
        }
        Self::Refused { code: words(error), said }
    }
}

/// Whether the provider takes the client for one that lives in a page, as Dashy does, and so gives tokens only to a
/// request with an origin. Entra does so for redirect addresses that are registered for a single-page application.
fn wants_origin(error: &ProviderError) -> bool {
    matches!(error, ProviderError::Refused { said, .. } if said.contains("AADSTS9002327"))
}

/// A foreign text as it may be shown: one line of limited length.
pub(super) fn words(text: &str) -> String {
    let plain = text.chars().map(|character| if character.is_control() { ' ' } else { character });
    plain.take(LONGEST_WORDS).collect::<String>().trim().to_owned()
}
