//! Keys with which a test's provider, or an impostor, signs tokens.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use p521::ecdsa::{Signature as P521Signature, SigningKey as P521Key, signature::Signer as _};
use ring::{
    hmac,
    rand::SystemRandom,
    rsa,
    signature::{
        ECDSA_P256_SHA256_FIXED_SIGNING, ECDSA_P384_SHA384_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair, KeyPair as _,
        RSA_PKCS1_SHA256, RSA_PKCS1_SHA384, RSA_PKCS1_SHA512, RSA_PSS_SHA256, RSA_PSS_SHA384, RSA_PSS_SHA512,
        RsaEncoding,
    },
};
use serde_json::{Value, json};

/// A key with which a provider signs.
pub struct Signer {
    algorithm: &'static str,
    id: Option<String>,
    pkcs8: Vec<u8>,
}

const RSA: &[u8] = include_bytes!("keys/rsa-2048.pk8");

impl Signer {
    /// A key for an algorithm. Except for RSA, it is new each time.
    pub fn new(algorithm: &'static str, id: Option<&str>) -> Self {
        let random = SystemRandom::new();
        let pkcs8 = match algorithm {
            "ES256" => {
                EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random).unwrap().as_ref().to_vec()
            }
            "ES384" => {
                EcdsaKeyPair::generate_pkcs8(&ECDSA_P384_SHA384_FIXED_SIGNING, &random).unwrap().as_ref().to_vec()
            }
            "EdDSA" => Ed25519KeyPair::generate_pkcs8(&random).unwrap().as_ref().to_vec(),
            // A number below the order of the curve.
            "ES512" => (0..66).map(|at| if at == 0 { 0 } else { 7 }).collect(),
            _ => RSA.to_vec(),
        };
        Self { algorithm, id: id.map(str::to_owned), pkcs8 }
    }

    pub fn public(&self) -> Value {
        let random = SystemRandom::new();
        let encode = |bytes: &[u8]| URL_SAFE_NO_PAD.encode(bytes);
        let curve = |name: &str, point: &[u8]| {
            let (x, y) = point[1..].split_at(point.len() / 2);
            json!({ "kty": "EC", "crv": name, "x": encode(x), "y": encode(y) })
        };
        let mut key = match self.algorithm {
            "ES256" => {
                let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &self.pkcs8, &random).unwrap();
                curve("P-256", pair.public_key().as_ref())
            }
            "ES384" => {
                let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P384_SHA384_FIXED_SIGNING, &self.pkcs8, &random).unwrap();
                curve("P-384", pair.public_key().as_ref())
            }
            "ES512" => {
                let key = P521Key::from_slice(&self.pkcs8).unwrap();
                let point = p521::ecdsa::VerifyingKey::from(&key).to_sec1_point(false);
                curve("P-521", point.as_bytes())
            }
            "EdDSA" => {
                let pair = Ed25519KeyPair::from_pkcs8(&self.pkcs8).unwrap();
                json!({ "kty": "OKP", "crv": "Ed25519", "x": encode(pair.public_key().as_ref()) })
            }
            _ => {
                let pair = rsa::KeyPair::from_pkcs8(&self.pkcs8).unwrap();
                let public = rsa::PublicKeyComponents::<Vec<u8>>::from(pair.public());
                json!({ "kty": "RSA", "n": encode(&public.n), "e": encode(&public.e) })
            }
        };
        if let Some(id) = &self.id {
            key["kid"] = json!(id);
        }
        key
    }

    pub fn sign(&self, message: &str) -> Vec<u8> {
        let random = SystemRandom::new();
        let message = message.as_bytes();
        let rsa = |encoding: &'static dyn RsaEncoding| {
            let pair = rsa::KeyPair::from_pkcs8(&self.pkcs8).unwrap();
            let mut signature = vec![0; pair.public().modulus_len()];
            pair.sign(encoding, &random, message, &mut signature).unwrap();
            signature
        };
        match self.algorithm {
            "ES256" => EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &self.pkcs8, &random)
                .unwrap()
                .sign(&random, message)
                .unwrap()
                .as_ref()
                .to_vec(),
            "ES384" => EcdsaKeyPair::from_pkcs8(&ECDSA_P384_SHA384_FIXED_SIGNING, &self.pkcs8, &random)
                .unwrap()
                .sign(&random, message)
                .unwrap()
                .as_ref()
                .to_vec(),
            "ES512" => {
                let signature: P521Signature = P521Key::from_slice(&self.pkcs8).unwrap().sign(message);
                signature.to_bytes().to_vec()
            }
            "EdDSA" => Ed25519KeyPair::from_pkcs8(&self.pkcs8).unwrap().sign(message).as_ref().to_vec(),
            "RS384" => rsa(&RSA_PKCS1_SHA384),
            "RS512" => rsa(&RSA_PKCS1_SHA512),
            "PS256" => rsa(&RSA_PSS_SHA256),
            "PS384" => rsa(&RSA_PSS_SHA384),
            "PS512" => rsa(&RSA_PSS_SHA512),
            _ => rsa(&RSA_PKCS1_SHA256),
        }
    }

    /// A token with these claims.
    pub fn token(&self, claims: &Value) -> String {
        let mut header = json!({ "alg": self.algorithm, "typ": "JWT" });
        if let Some(id) = &self.id {
            header["kid"] = json!(id);
        }
        self.token_with(&header, claims)
    }

    /// A token with any header.
    pub fn token_with(&self, header: &Value, claims: &Value) -> String {
        let message = unsigned(header, claims);
        let signature = self.sign(&message);
        format!("{message}.{}", URL_SAFE_NO_PAD.encode(signature))
    }
}

/// Header and claims of a token.
pub fn unsigned(header: &Value, claims: &Value) -> String {
    let encode = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
    format!("{}.{}", encode(header), encode(claims))
}

/// A token that is "signed" with a public text.
pub fn hmac_token(claims: &Value, key: &[u8]) -> String {
    let message = unsigned(&json!({ "alg": "HS256", "typ": "JWT" }), claims);
    let signature = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, key), message.as_bytes());
    format!("{message}.{}", URL_SAFE_NO_PAD.encode(signature))
}
