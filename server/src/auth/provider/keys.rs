//! The keys with which a provider signs (RFC 7517, 7518, 8037), and the check of a signature.
//!
//! Keys that cannot be used, such as those for encryption or of unknown kinds, are passed over: they say nothing about
//! the others. There is no key for `none` or for HMAC, so nothing that is signed that way can be valid.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use p521::ecdsa::{Signature as P521Signature, VerifyingKey as P521Key, signature::Verifier as _};
use ring::{
    digest,
    signature::{
        ECDSA_P256_SHA256_FIXED, ECDSA_P384_SHA384_FIXED, ED25519, RSA_PKCS1_2048_8192_SHA256,
        RSA_PKCS1_2048_8192_SHA384, RSA_PKCS1_2048_8192_SHA512, RSA_PSS_2048_8192_SHA256, RSA_PSS_2048_8192_SHA384,
        RSA_PSS_2048_8192_SHA512, RsaParameters, RsaPublicKeyComponents, UnparsedPublicKey,
    },
};
use serde_json::Value;

/// Most keys of one provider that are looked at.
const MOST_KEYS: usize = 100;

/// How a token may be signed.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Algorithm {
    Rs256,
    Rs384,
    Rs512,
    Ps256,
    Ps384,
    Ps512,
    Es256,
    Es384,
    Es512,
    /// With a key on the curve Ed25519.
    EdDsa,
}

/// A public key.
#[derive(Clone, Debug)]
struct Key {
    id: Option<String>,
    /// The one algorithm that it is for, if it says so.
    algorithm: Option<String>,
    material: Material,
}

#[derive(Clone, Debug)]
enum Material {
    Rsa { modulus: Vec<u8>, exponent: Vec<u8> },
    P256(Vec<u8>),
    P384(Vec<u8>),
    P521(Vec<u8>),
    Ed25519(Vec<u8>),
}

/// The keys of a provider.
#[derive(Clone, Debug, Default)]
pub(super) struct Keys(Vec<Key>);

impl Algorithm {
    /// By the name in a token's header; none for what is never accepted.
    pub(super) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "RS256" => Self::Rs256,
            "RS384" => Self::Rs384,
            "RS512" => Self::Rs512,
            "PS256" => Self::Ps256,
            "PS384" => Self::Ps384,
            "PS512" => Self::Ps512,
            "ES256" => Self::Es256,
            "ES384" => Self::Es384,
            "ES512" => Self::Es512,
            "EdDSA" | "Ed25519" => Self::EdDsa,
            _ => return None,
        })
    }

    fn names(self) -> &'static [&'static str] {
        match self {
            Self::Rs256 => &["RS256"],
            Self::Rs384 => &["RS384"],
            Self::Rs512 => &["RS512"],
            Self::Ps256 => &["PS256"],
            Self::Ps384 => &["PS384"],
            Self::Ps512 => &["PS512"],
            Self::Es256 => &["ES256"],
            Self::Es384 => &["ES384"],
            Self::Es512 => &["ES512"],
            Self::EdDsa => &["EdDSA", "Ed25519"],
        }
    }

    /// The first half of the digest of a text, as `at_hash` and `c_hash` hold it.
    pub(super) fn half_digest(self, text: &str) -> String {
        let digest = match self {
            Self::Rs256 | Self::Ps256 | Self::Es256 => &digest::SHA256,
            Self::Rs384 | Self::Ps384 | Self::Es384 => &digest::SHA384,
            Self::Rs512 | Self::Ps512 | Self::Es512 | Self::EdDsa => &digest::SHA512,
        };
        let whole = digest::digest(digest, text.as_bytes());
        let (half, _) = whole.as_ref().split_at(whole.as_ref().len() / 2);
        URL_SAFE_NO_PAD.encode(half)
    }
}

impl Keys {
    /// Reads a key set; none if it is none at all.
    pub(super) fn read(set: &Value) -> Option<Self> {
        let keys = set.get("keys")?.as_array()?;
        Some(Self(keys.iter().take(MOST_KEYS).filter_map(Key::read).collect()))
    }

    /// How many can be used.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether one of the keys made the signature. A token that names its key is held against that one, and against
    /// keys without a name; a token that names none is held against all that fit.
    pub(super) fn verify(&self, algorithm: Algorithm, key_id: Option<&str>, message: &str, signature: &[u8]) -> bool {
        let named = |key: &&Key| match (key_id, &key.id) {
            (Some(wanted), Some(id)) => wanted == id,
            _ => true,
        };
        let mut fitting = self.0.iter().filter(named).filter(|key| key.is_for(algorithm));
        fitting.any(|key| key.material.verify(algorithm, message.as_bytes(), signature))
    }
}

impl Key {
    fn read(key: &Value) -> Option<Self> {
        let text = |name: &str| key.get(name).and_then(Value::as_str);
        let bytes = |name: &str| URL_SAFE_NO_PAD.decode(text(name)?.trim_end_matches('=')).ok();
        let operations = key.get("key_ops").and_then(Value::as_array);
        let is_for_signatures = text("use").is_none_or(|purpose| purpose == "sig")
            && operations.is_none_or(|all| all.iter().any(|operation| operation == "verify"));
        if !is_for_signatures {
            return None;
        }
        let point = |length: usize| {
            let padded = |name: &str| {
                let bytes = bytes(name)?;
                let missing = length.checked_sub(bytes.len())?;
                Some([vec![0; missing], bytes].concat())
            };
            Some([vec![4], padded("x")?, padded("y")?].concat())
        };
        let material = match (text("kty")?, text("crv")) {
            ("RSA", _) => {
                let plain = |bytes: Vec<u8>| bytes.into_iter().skip_while(|byte| *byte == 0).collect();
                Material::Rsa { modulus: plain(bytes("n")?), exponent: plain(bytes("e")?) }
            }
            ("EC", Some("P-256")) => Material::P256(point(32)?),
            ("EC", Some("P-384")) => Material::P384(point(48)?),
            ("EC", Some("P-521")) => Material::P521(point(66)?),
            ("OKP", Some("Ed25519")) => Material::Ed25519(bytes("x")?),
            _ => return None,
        };
        Some(Self { id: text("kid").map(str::to_owned), algorithm: text("alg").map(str::to_owned), material })
    }

    fn is_for(&self, algorithm: Algorithm) -> bool {
        self.algorithm.as_deref().is_none_or(|name| algorithm.names().contains(&name))
    }
}

impl Material {
    fn verify(&self, algorithm: Algorithm, message: &[u8], signature: &[u8]) -> bool {
        let rsa = |parameters: &'static RsaParameters, modulus: &Vec<u8>, exponent: &Vec<u8>| {
            RsaPublicKeyComponents { n: modulus, e: exponent }.verify(parameters, message, signature).is_ok()
        };
        match (self, algorithm) {
            (Self::Rsa { modulus, exponent }, Algorithm::Rs256) => rsa(&RSA_PKCS1_2048_8192_SHA256, modulus, exponent),
            (Self::Rsa { modulus, exponent }, Algorithm::Rs384) => rsa(&RSA_PKCS1_2048_8192_SHA384, modulus, exponent),
            (Self::Rsa { modulus, exponent }, Algorithm::Rs512) => rsa(&RSA_PKCS1_2048_8192_SHA512, modulus, exponent),
            (Self::Rsa { modulus, exponent }, Algorithm::Ps256) => rsa(&RSA_PSS_2048_8192_SHA256, modulus, exponent),
            (Self::Rsa { modulus, exponent }, Algorithm::Ps384) => rsa(&RSA_PSS_2048_8192_SHA384, modulus, exponent),
            (Self::Rsa { modulus, exponent }, Algorithm::Ps512) => rsa(&RSA_PSS_2048_8192_SHA512, modulus, exponent),
            (Self::P256(point), Algorithm::Es256) => {
                UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, point).verify(message, signature).is_ok()
            }
            (Self::P384(point), Algorithm::Es384) => {
                UnparsedPublicKey::new(&ECDSA_P384_SHA384_FIXED, point).verify(message, signature).is_ok()
            }
            (Self::P521(point), Algorithm::Es512) => {
                let key = P521Key::from_sec1_bytes(point).ok();
                let signature = P521Signature::from_slice(signature).ok();
                key.zip(signature).is_some_and(|(key, signature)| key.verify(message, &signature).is_ok())
            }
            (Self::Ed25519(point), Algorithm::EdDsa) => {
                UnparsedPublicKey::new(&ED25519, point).verify(message, signature).is_ok()
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Algorithm, Keys};

    #[test]
    fn what_is_no_use_is_passed_over() {
        let set = json!({ "keys": [
            { "kty": "RSA", "n": "AQAB", "e": "AQAB", "alg": "RS256", "use": "sig" },
            { "kty": "RSA", "n": "AQAB", "e": "AQAB", "alg": "RSA-OAEP", "use": "enc" },
            { "kty": "RSA", "n": "AQAB", "e": "AQAB", "key_ops": ["encrypt"] },
            { "kty": "oct", "k": "c2VjcmV0" },
            { "kty": "EC", "crv": "secp256k1", "x": "AQAB", "y": "AQAB" },
            { "kty": "EC", "crv": "P-256", "x": "AQAB" },
            { "kty": "OKP", "crv": "Ed448", "x": "AQAB" },
            { "kty": "AKP", "alg": "ML-DSA-44", "pub": "AQAB" },
            "nonsense",
            { "kty": "OKP", "crv": "Ed25519", "x": "AQAB" },
        ] });
        assert_eq!(Keys::read(&set).unwrap().len(), 2);
        assert_eq!(Keys::read(&json!({ "keys": [] })).unwrap().len(), 0);
        assert!(Keys::read(&json!({ "error": "no" })).is_none());
    }

    #[test]
    fn hashes_of_codes_and_tokens() {
        // OpenID Connect Core, A.4.
        let hash = Algorithm::Rs256.half_digest("jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y");
        assert_eq!(hash, "77QmUPtjPfzWtF2AnpK9RQ");
        for name in ["none", "HS256", "HS512", "RS1", "", "rs256", "ES256K"] {
            assert_eq!(Algorithm::named(name), None, "{name}");
        }
    }
}
