//! A provider's signing keys (RFC 7517, 7518, 8037), and signature verification.
//!
//! `ring` and `p521` verify signatures here, over the bytes that the provider sent: the crate `openidconnect` supports
//! neither ES512 nor keys without an id. Unusable keys, such as encryption keys or unknown types, are skipped and do
//! not affect the others. There is no key for `none` or for HMAC, so no token that is signed that way can be valid.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use openidconnect::{
    JsonWebKey, JsonWebKeyAlgorithm, JsonWebKeyId, SignatureVerificationError,
    core::{CoreJsonWebKeyType, CoreJsonWebKeyUse, CoreJwsSigningAlgorithm as Algorithm},
};
use p521::ecdsa::{Signature as P521Signature, VerifyingKey as P521Key, signature::Verifier as _};
use ring::{
    digest,
    signature::{
        ECDSA_P256_SHA256_FIXED, ECDSA_P384_SHA384_FIXED, ED25519, RSA_PKCS1_2048_8192_SHA256,
        RSA_PKCS1_2048_8192_SHA384, RSA_PKCS1_2048_8192_SHA512, RSA_PSS_2048_8192_SHA256, RSA_PSS_2048_8192_SHA384,
        RSA_PSS_2048_8192_SHA512, RsaParameters, RsaPublicKeyComponents, UnparsedPublicKey,
    },
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The accepted signature algorithms. EdDSA means the curve Ed25519.
pub(crate) const ACCEPTED: [Algorithm; 10] = [
    Algorithm::RsaSsaPkcs1V15Sha256,
    Algorithm::RsaSsaPkcs1V15Sha384,
    Algorithm::RsaSsaPkcs1V15Sha512,
    Algorithm::RsaSsaPssSha256,
    Algorithm::RsaSsaPssSha384,
    Algorithm::RsaSsaPssSha512,
    Algorithm::EcdsaP256Sha256,
    Algorithm::EcdsaP384Sha384,
    Algorithm::EcdsaP521Sha512,
    Algorithm::EdDsa,
];

/// Maximum number of keys of one provider that are read.
const MAX_KEYS: usize = 100;

/// A public key.
#[derive(Clone, Debug)]
struct PublicKey {
    id: Option<String>,
    /// The only algorithm it may be used with, if it names one.
    algorithm: Option<Algorithm>,
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
pub(crate) struct PublicKeys(Vec<PublicKey>);

/// The provider's keys as the crate sees them: none. Its types require a key type, but [`PublicKeys::verify`] alone
/// checks signatures, and the crate accepts none.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct NoKey(CoreJsonWebKeyType);

/// An accepted algorithm by its name in a token or a key; `None` for all others.
pub(crate) fn algorithm(name: &str) -> Option<Algorithm> {
    // RFC 9864 gave this algorithm a second name.
    let name = if name == "Ed25519" { "EdDSA" } else { name };
    serde_json::from_value(name.into()).ok().filter(|algorithm| ACCEPTED.contains(algorithm))
}

/// The digest of an algorithm. Every entry of [`ACCEPTED`] has one.
fn digest_of(algorithm: &Algorithm) -> Option<&'static digest::Algorithm> {
    match algorithm {
        Algorithm::RsaSsaPkcs1V15Sha256 | Algorithm::RsaSsaPssSha256 | Algorithm::EcdsaP256Sha256 => {
            Some(&digest::SHA256)
        }
        Algorithm::RsaSsaPkcs1V15Sha384 | Algorithm::RsaSsaPssSha384 | Algorithm::EcdsaP384Sha384 => {
            Some(&digest::SHA384)
        }
        Algorithm::RsaSsaPkcs1V15Sha512
        | Algorithm::RsaSsaPssSha512
        | Algorithm::EcdsaP521Sha512
        | Algorithm::EdDsa => Some(&digest::SHA512),
        _ => None,
    }
}

impl JsonWebKey for NoKey {
    type KeyUse = CoreJsonWebKeyUse;
    type SigningAlgorithm = Algorithm;

    fn key_id(&self) -> Option<&JsonWebKeyId> {
        None
    }

    fn key_type(&self) -> &CoreJsonWebKeyType {
        &self.0
    }

    fn key_use(&self) -> Option<&Self::KeyUse> {
        None
    }

    fn signing_alg(&self) -> JsonWebKeyAlgorithm<&Algorithm> {
        JsonWebKeyAlgorithm::Unsupported
    }

    fn new_symmetric(_: Vec<u8>) -> Self {
        Self(CoreJsonWebKeyType::Symmetric)
    }

    fn verify_signature(&self, _: &Algorithm, _: &[u8], _: &[u8]) -> Result<(), SignatureVerificationError> {
        Err(SignatureVerificationError::NoMatchingKey)
    }

    /// The digest of `at_hash` and `c_hash`, which needs no key.
    fn hash_bytes(&self, bytes: &[u8], algorithm: &Algorithm) -> Result<Vec<u8>, String> {
        let digest = digest_of(algorithm).ok_or("the algorithm has no digest")?;
        Ok(digest::digest(digest, bytes).as_ref().to_vec())
    }
}

impl PublicKeys {
    /// Parses a key set; `None` if it is not one.
    pub(crate) fn read(set: &Value) -> Option<Self> {
        let keys = set.get("keys")?.as_array()?;
        Some(Self(keys.iter().take(MAX_KEYS).filter_map(PublicKey::read).collect()))
    }

    /// How many keys can be used.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether one of the keys signed the message. A token that names its key is checked against that key and keys
    /// without an id; a token that names none is checked against all keys that fit.
    pub(crate) fn verify(&self, algorithm: &Algorithm, id: Option<&str>, message: &[u8], signature: &[u8]) -> bool {
        let named = |key: &&PublicKey| match (id, &key.id) {
            (Some(wanted), Some(id)) => wanted == id,
            _ => true,
        };
        let is_for = |key: &&PublicKey| key.algorithm.as_ref().is_none_or(|only| only == algorithm);
        let mut fitting = self.0.iter().filter(named).filter(is_for);
        fitting.any(|key| key.material.verify(algorithm, message, signature))
    }
}

impl PublicKey {
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
        // A key for an algorithm that is not accepted is useless.
        let algorithm = match text("alg") {
            Some(name) => Some(algorithm(name)?),
            None => None,
        };
        Some(Self { id: text("kid").map(str::to_owned), algorithm, material })
    }
}

impl Material {
    fn verify(&self, algorithm: &Algorithm, message: &[u8], signature: &[u8]) -> bool {
        let rsa = |parameters: &'static RsaParameters, modulus: &Vec<u8>, exponent: &Vec<u8>| {
            RsaPublicKeyComponents { n: modulus, e: exponent }.verify(parameters, message, signature).is_ok()
        };
        match (self, algorithm) {
            (Self::Rsa { modulus, exponent }, algorithm) => {
                let parameters = match algorithm {
                    Algorithm::RsaSsaPkcs1V15Sha256 => &RSA_PKCS1_2048_8192_SHA256,
                    Algorithm::RsaSsaPkcs1V15Sha384 => &RSA_PKCS1_2048_8192_SHA384,
                    Algorithm::RsaSsaPkcs1V15Sha512 => &RSA_PKCS1_2048_8192_SHA512,
                    Algorithm::RsaSsaPssSha256 => &RSA_PSS_2048_8192_SHA256,
                    Algorithm::RsaSsaPssSha384 => &RSA_PSS_2048_8192_SHA384,
                    Algorithm::RsaSsaPssSha512 => &RSA_PSS_2048_8192_SHA512,
                    _ => return false,
                };
                rsa(parameters, modulus, exponent)
            }
            (Self::P256(point), Algorithm::EcdsaP256Sha256) => {
                UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, point).verify(message, signature).is_ok()
            }
            (Self::P384(point), Algorithm::EcdsaP384Sha384) => {
                UnparsedPublicKey::new(&ECDSA_P384_SHA384_FIXED, point).verify(message, signature).is_ok()
            }
            (Self::P521(point), Algorithm::EcdsaP521Sha512) => {
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
    use openidconnect::{AuthorizationCode, AuthorizationCodeHash, JsonWebKey as _};
    use serde_json::json;

    use super::{NoKey, PublicKeys, algorithm};

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
        assert_eq!(PublicKeys::read(&set).unwrap().len(), 2);
        assert_eq!(PublicKeys::read(&json!({ "keys": [] })).unwrap().len(), 0);
        assert!(PublicKeys::read(&json!({ "error": "no" })).is_none());
    }

    #[test]
    fn hashes_of_codes_and_tokens() {
        // OpenID Connect Core, A.4.
        let code = AuthorizationCode::new("jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y".to_owned());
        let rs256 = algorithm("RS256").unwrap();
        let hash = AuthorizationCodeHash::from_code(&code, &rs256, &NoKey::new_symmetric(Vec::new())).unwrap();
        assert_eq!(hash.as_str(), "77QmUPtjPfzWtF2AnpK9RQ");
    }

    #[test]
    fn what_is_never_accepted() {
        for name in ["none", "HS256", "HS512", "RS1", "", "rs256", "ES256K"] {
            assert_eq!(algorithm(name), None, "{name}");
        }
        assert_eq!(algorithm("Ed25519"), algorithm("EdDSA"));
    }
}
