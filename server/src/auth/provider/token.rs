//! A signed token (RFC 7515) taken apart. Nothing here is checked but the form.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use serde_json::{Map, Value};

use super::{claims::Claims, keys::Algorithm, verification::TokenError};

/// Largest token that is looked at, in bytes.
const MOST_BYTES: usize = 256 * 1024;

/// A token and what it says about itself.
#[derive(Debug)]
pub(super) struct Token<'a> {
    pub algorithm: Algorithm,
    pub key_id: Option<String>,
    /// What is signed.
    pub message: &'a str,
    pub signature: Vec<u8>,
    pub claims: Claims,
}

impl<'a> Token<'a> {
    /// Takes a token apart.
    pub(super) fn read(text: &'a str, client_id: &str) -> Result<Self, TokenError> {
        if text.len() > MOST_BYTES {
            return Err(TokenError::Malformed);
        }
        let (message, signature) = text.rsplit_once('.').ok_or(TokenError::Malformed)?;
        let (header, claims) = message.split_once('.').ok_or(TokenError::Malformed)?;
        let header = mapping(header)?;
        let claims = mapping(claims)?;
        let signature = URL_SAFE_NO_PAD.decode(signature).map_err(|_| TokenError::Malformed)?;
        let text_in = |name: &str| header.get(name).and_then(Value::as_str);
        let name = text_in("alg").unwrap_or_default();
        let algorithm = Algorithm::named(name).ok_or_else(|| TokenError::Algorithm(shortened(name)))?;
        // Whoever signs with an extension wants it understood.
        if header.contains_key("crit") {
            return Err(TokenError::Malformed);
        }
        let mut claims = Claims::read(&claims, client_id);
        let kind = text_in("typ").map(str::to_ascii_lowercase).unwrap_or_default();
        if !matches!(kind.trim_start_matches("application/"), "" | "jwt" | "jws" | "id_token" | "id+jwt") {
            claims.other_use = claims.other_use.or(Some("it is a token of another kind"));
        }
        Ok(Self { algorithm, key_id: text_in("kid").map(str::to_owned), message, signature, claims })
    }
}

/// The claims of a token that was checked before.
pub(super) fn claims_of(token: &str, client_id: &str) -> Option<Claims> {
    let claims = mapping(token.split('.').nth(1)?).ok()?;
    Some(Claims::read(&claims, client_id))
}

fn mapping(part: &str) -> Result<Map<String, Value>, TokenError> {
    let bytes = URL_SAFE_NO_PAD.decode(part).map_err(|_| TokenError::Malformed)?;
    serde_json::from_slice(&bytes).map_err(|_| TokenError::Malformed)
}

fn shortened(name: &str) -> String {
    name.chars().filter(|character| character.is_ascii_alphanumeric()).take(20).collect()
}
