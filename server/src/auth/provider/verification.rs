//! Whether a token is an ID token of this provider for this client, and still good (behaviour.md 19.4).

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use sha2::{Digest as _, Sha256};

use super::{ProviderError, ProviderSettings, claims::Claims, token::Token};
use crate::auth::basic::is_same;

/// How far clocks may be apart, in seconds.
pub(in crate::auth) const LEEWAY: u64 = 30;

/// Most tokens whose check is remembered.
const MOST_REMEMBERED: usize = 1024;

/// Why a token is refused.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub(in crate::auth) enum TokenError {
    /// It is not of the form that it must have.
    #[error("the token cannot be read")]
    Malformed,
    /// It is signed in a way that is not accepted.
    #[error("the token is signed with `{0}`, which is not accepted")]
    Algorithm(String),
    /// No key of the provider made its signature.
    #[error("the token is not signed with a key of the provider")]
    Signature,
    /// It comes from another issuer.
    #[error("the token comes from the issuer `{found}`, and not from {expected}")]
    Issuer {
        /// The issuer that it names.
        found: String,
        /// The issuers that would be right, in words.
        expected: String,
    },
    /// It is for another client.
    #[error("the token is not made for the client `{0}`")]
    Audience(String),
    /// Its time is over.
    #[error("the token has expired")]
    Expired,
    /// Its time has not begun.
    #[error("the token is dated in the future: are the clocks of this server and the provider right?")]
    Future,
    /// It belongs to another sign-in.
    #[error("the token belongs to another attempt to sign in")]
    Nonce,
    /// It belongs to another access token or code.
    #[error("the token does not belong to the rest of the provider's answer")]
    Hash,
    /// It is good for something else.
    #[error("the token tells nobody's identity: {0}")]
    OtherUse(&'static str),
    /// It is about nobody.
    #[error("the token does not say who it is about")]
    Subject,
}

/// What a token must fit beyond what all must.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Expected<'a> {
    /// The number of the sign-in that it must repeat.
    pub nonce: Option<&'a str>,
    /// The access token that came with it.
    pub access_token: Option<&'a str>,
    /// The code that it was exchanged for.
    pub code: Option<&'a str>,
}

/// Checks everything but the signature. `discovered` is the issuer that the provider's own description names.
pub(super) fn check(
    token: &Token<'_>,
    settings: &ProviderSettings,
    discovered: &str,
    now: u64,
    expected: Expected<'_>,
) -> Result<(), TokenError> {
    let claims = &token.claims;
    let found = claims.issuer.as_deref().unwrap_or_default();
    if !is_issuer(found, settings, discovered) {
        let expected = if settings.allowed_issuers.is_empty() {
            format!("`{discovered}`")
        } else {
            "one of `allowedIssuers`".to_owned()
        };
        return Err(TokenError::Issuer { found: found.to_owned(), expected });
    }
    let client = &settings.client_id;
    let is_other_party = claims.authorized_party.as_ref().is_some_and(|party| party != client);
    if !claims.audiences.contains(client) || is_other_party {
        return Err(TokenError::Audience(client.clone()));
    }
    match claims.expires {
        Some(expires) if now <= expires.saturating_add(LEEWAY) => {}
        _ => return Err(TokenError::Expired),
    }
    let begins = [claims.issued_at, claims.not_before];
    if begins.into_iter().flatten().any(|time| time > now.saturating_add(LEEWAY)) {
        return Err(TokenError::Future);
    }
    if let Some(reason) = claims.other_use {
        return Err(TokenError::OtherUse(reason));
    }
    if claims.subject.is_none() {
        return Err(TokenError::Subject);
    }
    if let Some(nonce) = expected.nonce
        && !claims.nonce.as_deref().is_some_and(|given| is_same(given, nonce))
    {
        return Err(TokenError::Nonce);
    }
    let hashes = [(&claims.access_token_hash, expected.access_token), (&claims.code_hash, expected.code)];
    for (hash, of) in hashes {
        if let (Some(hash), Some(of)) = (hash, of)
            && *hash != token.algorithm.half_digest(of)
        {
            return Err(TokenError::Hash);
        }
    }
    Ok(())
}

/// `allowedIssuers` replaces the comparison with the issuer that discovery names.
fn is_issuer(found: &str, settings: &ProviderSettings, discovered: &str) -> bool {
    if !settings.allowed_issuers.is_empty() {
        return settings.allowed_issuers.iter().any(|issuer| issuer == found);
    }
    // Google's older tokens leave the scheme out, as its documentation says.
    found == discovered || (found == "accounts.google.com" && discovered == "https://accounts.google.com")
}

/// The tokens that were found good, by their digest, until they expire.
#[derive(Debug, Default)]
pub(super) struct Verified(Mutex<HashMap<[u8; 32], Arc<Claims>>>);

impl Verified {
    /// The claims of a token that was found good before and still is.
    pub(super) fn get(&self, token: &str, now: u64) -> Option<Arc<Claims>> {
        let verified = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        verified.get(&digest(token)).filter(|claims| is_current(claims, now)).cloned()
    }

    /// Remembers a token that was found good.
    pub(super) fn add(&self, token: &str, claims: Arc<Claims>, now: u64) {
        let mut verified = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if verified.len() >= MOST_REMEMBERED {
            verified.retain(|_, claims| is_current(claims, now));
            if verified.len() >= MOST_REMEMBERED {
                verified.clear();
            }
        }
        verified.insert(digest(token), claims);
    }
}

/// Whether the time of a token that was found good has not run out since.
pub(super) fn is_current(claims: &Claims, now: u64) -> bool {
    claims.expires.is_some_and(|expires| now <= expires.saturating_add(LEEWAY))
}

fn digest(token: &str) -> [u8; 32] {
    Sha256::digest(token.as_bytes()).into()
}

impl From<TokenError> for ProviderError {
    fn from(error: TokenError) -> Self {
        Self::Token(error)
    }
}
