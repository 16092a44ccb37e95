//! Whether a token is a valid ID token of this provider for this client (docs/spec/behavior.md 19.4).

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, UNIX_EPOCH},
};

use openidconnect::{
    AccessToken, AccessTokenHash, AuthorizationCode, AuthorizationCodeHash, ClaimsVerificationError, ClientId,
    IdTokenVerifier, IssuerUrl, JsonWebKey as _, JsonWebKeySet, JsonWebTokenType, Nonce, NonceVerifier as _,
    core::CoreJwsSigningAlgorithm as Algorithm,
};
use quick_cache::unsync::Cache;
use sha2::{Digest as _, Sha256};

use super::{
    claims::Claims,
    error::{TokenError, words},
    keys::{NoKey, PublicKeys},
    settings::ProviderSettings,
    token::Token,
};

/// Allowed clock skew, in seconds.
pub(crate) const LEEWAY: u64 = 30;

/// Maximum number of tokens whose verification is cached.
const MAX_REMEMBERED: usize = 1024;

/// Additional requirements for a token.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Expected<'a> {
    /// The nonce of the sign-in that it must repeat.
    pub nonce: Option<&'a Nonce>,
    /// The access token that it was issued with.
    pub access_token: Option<&'a AccessToken>,
    /// The code that it was exchanged for.
    pub code: Option<&'a AuthorizationCode>,
}

/// Verifies a token, and returns its claims. `discovered` is the issuer in the provider's discovery document.
pub(crate) fn check(
    token: &Token,
    keys: &PublicKeys,
    settings: &ProviderSettings,
    discovered: &IssuerUrl,
    now: u64,
    expected: Expected<'_>,
) -> Result<Claims, TokenError> {
    let claims = token.claims(&settings.client_id);
    // Checked first, because this error tells a user more than the other faults of such a token.
    if let Some(reason) = claims.other_use {
        return Err(TokenError::OtherUse(reason));
    }
    let issuer = expected_issuer(token, &claims, settings, discovered)?;
    let verifier = claims_verifier(issuer, settings, now);
    let nonce = |given: Option<&Nonce>| expected.nonce.map_or(Ok(()), |nonce| nonce.verify(given));
    let verified =
        token.plain.claims(&verifier, nonce).map_err(|error| rejection(error, &claims, settings, discovered))?;
    // Keys are not fetched for a token that is not for us, or expired. No claim is returned without a verified
    // signature.
    if !token.is_signed_by(keys) {
        return Err(TokenError::Signature);
    }
    if verified.authorized_party().is_some_and(|party| **party != settings.client_id) {
        return Err(TokenError::Audience(settings.client_id.clone()));
    }
    let begins = [u64::try_from(verified.issue_time().timestamp()).ok(), claims.not_before];
    if begins.into_iter().flatten().any(|time| time > now.saturating_add(LEEWAY)) {
        return Err(TokenError::Future);
    }
    if claims.subject.is_none() {
        return Err(TokenError::Subject);
    }
    let key = NoKey::new_symmetric(Vec::new());
    let is_hashed = |is_hash: &dyn Fn(&Algorithm) -> bool| hash_algorithms(&token.algorithm).iter().any(is_hash);
    if let (Some(hash), Some(access)) = (verified.access_token_hash(), expected.access_token)
        && !is_hashed(&|by| AccessTokenHash::from_token(access, by, &key).is_ok_and(|of_access| of_access == *hash))
    {
        return Err(TokenError::Hash);
    }
    if let (Some(hash), Some(code)) = (verified.code_hash(), expected.code)
        && !is_hashed(&|by| AuthorizationCodeHash::from_code(code, by, &key).is_ok_and(|of_code| of_code == *hash))
    {
        return Err(TokenError::Hash);
    }
    Ok(claims)
}

/// The algorithms whose digest `at_hash` and `c_hash` may use: that of the signature. Ed25519 uses SHA-512 internally,
/// but the standard is older, and some providers use SHA-256.
fn hash_algorithms(signature: &Algorithm) -> Vec<Algorithm> {
    match signature {
        Algorithm::EdDsa => vec![Algorithm::EdDsa, Algorithm::EcdsaP256Sha256],
        other => vec![other.clone()],
    }
}

/// Checks type, issuer, audience, expiry and nonce. The signature covers the original token, not the normalized form
/// that the crate reads: [`Token::is_signed_by`] verifies it.
fn claims_verifier<'a>(issuer: IssuerUrl, settings: &ProviderSettings, now: u64) -> IdTokenVerifier<'a, NoKey> {
    // Always a public client's verifier: a client secret must never be used as an HMAC key.
    let client_id = ClientId::new(settings.client_id.clone());
    let kinds = ["", "jwt", "jws", "jose", "id_token", "id+jwt"].map(str::to_owned).map(JsonWebTokenType::new);
    // The crate treats the second of expiry as expired.
    let earlier = UNIX_EPOCH + Duration::from_secs(now.saturating_sub(LEEWAY + 1));
    IdTokenVerifier::new_public_client(client_id, issuer, JsonWebKeySet::default())
        .insecure_disable_signature_check()
        .set_allowed_jose_types(kinds.iter().filter_map(|kind| kind.normalize().ok()))
        // Keycloak and others name all clients whose roles are in the token. It is enough that we are among them.
        .set_other_audience_verifier_fn(|_| true)
        .set_time_fn(move || earlier.into())
}

/// The issuer that a token must name. `allowedIssuers` replaces the comparison with the discovered issuer.
fn expected_issuer(
    token: &Token,
    claims: &Claims,
    settings: &ProviderSettings,
    discovered: &IssuerUrl,
) -> Result<IssuerUrl, TokenError> {
    let Some(found) = &claims.issuer else { return Err(other_issuer(claims, settings, discovered)) };
    if settings.allowed_issuers.is_empty() {
        // Google's older tokens omit the scheme, as its documentation says.
        let is_google = found == "accounts.google.com" && discovered.as_str() == "https://accounts.google.com";
        return Ok(if is_google { token.issuer.clone() } else { discovered.clone() });
    }
    let is_allowed = settings.allowed_issuers.contains(found);
    is_allowed.then(|| token.issuer.clone()).ok_or_else(|| other_issuer(claims, settings, discovered))
}

fn other_issuer(claims: &Claims, settings: &ProviderSettings, discovered: &IssuerUrl) -> TokenError {
    let expected = if settings.allowed_issuers.is_empty() {
        format!("`{}`", discovered.as_str())
    } else {
        "one of `allowedIssuers`".to_owned()
    };
    TokenError::Issuer { found: words(claims.issuer.as_deref().unwrap_or_default()), expected }
}

/// The crate's verification error, in our words.
fn rejection(
    error: ClaimsVerificationError,
    claims: &Claims,
    settings: &ProviderSettings,
    discovered: &IssuerUrl,
) -> TokenError {
    match error {
        ClaimsVerificationError::InvalidIssuer(_) => other_issuer(claims, settings, discovered),
        ClaimsVerificationError::InvalidAudience(_) => TokenError::Audience(settings.client_id.clone()),
        ClaimsVerificationError::Expired(_) => TokenError::Expired,
        ClaimsVerificationError::InvalidNonce(_) => TokenError::Nonce,
        // The header says so.
        ClaimsVerificationError::Unsupported(_) => TokenError::OtherUse("it is a token of another kind"),
        _ => TokenError::Malformed,
    }
}

/// The tokens that were verified, by their digest.
#[derive(Debug)]
pub(crate) struct Verified(Mutex<Cache<[u8; 32], Arc<Claims>>>);

impl Default for Verified {
    fn default() -> Self {
        Self(Mutex::new(Cache::new(MAX_REMEMBERED)))
    }
}

impl Verified {
    /// The claims of a token that was verified before and is still valid.
    pub(crate) fn get(&self, token: &str, now: u64) -> Option<Arc<Claims>> {
        let verified = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        verified.get(&digest(token)).filter(|claims| is_current(claims, now)).cloned()
    }

    /// Stores a verified token.
    pub(crate) fn add(&self, token: &str, claims: Arc<Claims>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(digest(token), claims);
    }
}

/// Whether a verified token has not expired since.
pub(crate) fn is_current(claims: &Claims, now: u64) -> bool {
    claims.expires.is_some_and(|expires| now <= expires.saturating_add(LEEWAY))
}

fn digest(token: &str) -> [u8; 32] {
    Sha256::digest(token.as_bytes()).into()
}
