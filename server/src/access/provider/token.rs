//! Parses a signed token (RFC 7515), and normalizes it so that the crate `openidconnect` can read it. Only the format
//! is checked here.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use openidconnect::{
    IssuerUrl,
    core::{CoreIdToken, CoreJwsSigningAlgorithm},
};
use serde_json::{Map, Value, json};

use super::{
    claims::{Claims, audiences, text_of, time_of},
    error::TokenError,
    keys::{PublicKeys, algorithm},
};

/// Maximum size of a token, in bytes.
const MAX_BYTES: usize = 256 * 1024;

/// Issuer for tokens that name none, or one that is not an address. No provider has this issuer.
const NOBODY: &str = "urn:nobody";

/// Later than any token lasts, in seconds since 1970; the crate's time range ends soon after.
const LATEST: u64 = 253_402_300_799;

/// A token.
#[derive(Clone)]
pub(crate) struct Token {
    /// The original token from the provider.
    pub text: String,
    pub algorithm: CoreJwsSigningAlgorithm,
    pub key_id: Option<String>,
    /// The same token with normalized claims for the crate. This form is not signed.
    pub plain: CoreIdToken,
    /// The issuer that its claims name.
    pub issuer: IssuerUrl,
    payload: Map<String, Value>,
    signature: Vec<u8>,
}

impl std::fmt::Debug for Token {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Token(***)")
    }
}

impl Token {
    /// Parses a token.
    pub(crate) fn read(text: &str) -> Result<Self, TokenError> {
        if text.len() > MAX_BYTES {
            return Err(TokenError::Malformed);
        }
        if is_encrypted(text) {
            return Err(TokenError::Encrypted);
        }
        let (message, signature) = text.rsplit_once('.').ok_or(TokenError::Malformed)?;
        let (header, payload) = message.split_once('.').ok_or(TokenError::Malformed)?;
        let mut header = mapping(header)?;
        let payload = mapping(payload)?;
        let name = header.get("alg").and_then(Value::as_str).unwrap_or_default();
        let algorithm = algorithm(name).ok_or_else(|| TokenError::Algorithm(shortened(name)))?;
        header.insert("alg".to_owned(), json!(algorithm));
        let key_id = header.get("kid").and_then(Value::as_str).map(str::to_owned);
        if key_id.is_none() {
            header.remove("kid");
        }
        let issuer = payload.get("iss").and_then(text_of).and_then(|issuer| IssuerUrl::new(issuer).ok());
        let issuer = issuer.or_else(|| IssuerUrl::new(NOBODY.to_owned()).ok()).ok_or(TokenError::Malformed)?;
        let encode = |part: Value| URL_SAFE_NO_PAD.encode(part.to_string());
        let plain = format!("{}.{}.{signature}", encode(Value::Object(header)), encode(in_order(&payload, &issuer)));
        let plain = plain.parse().map_err(|_| TokenError::Malformed)?;
        let signature = URL_SAFE_NO_PAD.decode(signature).map_err(|_| TokenError::Malformed)?;
        Ok(Self { text: text.to_owned(), algorithm, key_id, plain, issuer, payload, signature })
    }

    /// Whether one of the provider's keys signed the token, byte for byte as received.
    pub(crate) fn is_signed_by(&self, keys: &PublicKeys) -> bool {
        let message = self.text.rsplit_once('.').map_or("", |(message, _)| message);
        keys.verify(&self.algorithm, self.key_id.as_deref(), message.as_bytes(), &self.signature)
    }

    /// Its claims.
    pub(crate) fn claims(&self, client_id: &str) -> Claims {
        Claims::read(&self.payload, client_id)
    }
}

/// The claims that the crate checks, in the standard format. The crate rejects a whole token if one claim has another
/// format, even if nobody needs that claim, and providers differ. So malformed claims are left out, and missing claims
/// get values that fail every check or, for `iat`, pass every check.
fn in_order(payload: &Map<String, Value>, issuer: &IssuerUrl) -> Value {
    let text = |name: &str| payload.get(name).and_then(text_of);
    let time = |name: &str| time_of(payload, name).unwrap_or_default().min(LATEST);
    let mut claims = json!({
        "iss": issuer,
        "sub": text("sub").unwrap_or_default(),
        "aud": audiences(payload.get("aud")),
        "exp": time("exp"),
        "iat": time("iat"),
    });
    for name in ["azp", "nonce", "at_hash", "c_hash"] {
        if let Some(text) = text(name) {
            claims[name] = json!(text);
        }
    }
    claims
}

/// The claims of a token that was verified before.
pub(crate) fn claims_of(token: &str, client_id: &str) -> Option<Claims> {
    let claims = mapping(token.split('.').nth(1)?).ok()?;
    Some(Claims::read(&claims, client_id))
}

/// Whether a token is encrypted: it has five parts, and its header says how its content is encrypted (RFC 7516, 3.1 and
/// 4.1.2).
pub(crate) fn is_encrypted(token: &str) -> bool {
    let mut parts = token.split('.');
    let header = parts.next().and_then(|header| mapping(header).ok());
    parts.count() == 4 && header.is_some_and(|header| header.contains_key("enc"))
}

fn mapping(part: &str) -> Result<Map<String, Value>, TokenError> {
    let bytes = URL_SAFE_NO_PAD.decode(part).map_err(|_| TokenError::Malformed)?;
    serde_json::from_slice(&bytes).map_err(|_| TokenError::Malformed)
}

fn shortened(name: &str) -> String {
    name.chars().filter(|character| character.is_ascii_alphanumeric()).take(20).collect()
}

#[cfg(test)]
mod tests {
    use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
    use ring::signature::{Ed25519KeyPair, KeyPair as _};
    use serde_json::json;

    use super::{PublicKeys, Token};

    #[test]
    fn the_signature_is_that_of_the_bytes_that_came() {
        let pair = Ed25519KeyPair::from_seed_unchecked(&[7; 32]).unwrap();
        let key = json!({ "kty": "OKP", "crv": "Ed25519", "x": URL_SAFE_NO_PAD.encode(pair.public_key()) });
        let keys = PublicKeys::read(&json!({ "keys": [key] })).unwrap();
        let message = |header: &str, claims: &str| {
            format!("{}.{}", URL_SAFE_NO_PAD.encode(header), URL_SAFE_NO_PAD.encode(claims))
        };
        let sent = message(r#"{ "alg": "EdDSA" }"#, r#"{ "sub" : "u" }"#);
        let signature = URL_SAFE_NO_PAD.encode(pair.sign(sent.as_bytes()));
        let token = |message: &str| Token::read(&format!("{message}.{signature}")).unwrap();
        assert!(token(&sent).is_signed_by(&keys));
        for other in [
            message(r#"{"alg":"EdDSA"}"#, r#"{"sub":"u"}"#),
            message(r#"{ "alg": "EdDSA" }"#, r#"{ "sub" : "u"}"#),
            message(r#"{ "alg": "EdDSA", "x": 1 }"#, r#"{ "sub" : "u" }"#),
        ] {
            assert_eq!(token(&other).claims(""), token(&sent).claims(""));
            assert!(!token(&other).is_signed_by(&keys), "{other}");
        }
        assert!(!token(&sent).is_signed_by(&PublicKeys::default()));
    }
}
