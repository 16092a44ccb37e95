//! docs/spec/api.md 11: the signatures of ID tokens, and keys that change or cannot be fetched.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256, Sha512};

use crate::{
    browser::Browser,
    id_tokens::reads,
    provider::{CLIENT, Idp, NOW, SetClock, start},
    signer::Signer,
};

#[tokio::test]
async fn every_accepted_algorithm() {
    let clock = SetClock::new();
    let idp = Idp::start(&clock).await;
    let world = idp.world(&clock, "", "").await;
    for algorithm in ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"] {
        for id in [Some("key"), None] {
            clock.advance(60);
            idp.set(|inner| {
                inner.signer = Signer::new(algorithm, id);
                let mut key = inner.signer.public();
                key["alg"] = json!(algorithm);
                key["use"] = json!("sig");
                inner.keys = vec![json!({ "kty": "oct", "k": "AAAA", "kid": "key" }), key];
            });
            assert_eq!(reads(&world, &idp.token(json!({}))).await, 200, "{algorithm} {id:?}");
        }
    }
    // A key says which algorithm it is for.
    clock.advance(60);
    idp.set(|inner| {
        let mut key = Signer::new("RS256", None).public();
        key["alg"] = json!("RS512");
        inner.signer = Signer::new("RS256", None);
        inner.keys = vec![key];
    });
    assert_eq!(reads(&world, &idp.token(json!({}))).await, 401);
}

/// Ed25519 hashes with SHA-512 inside, and so do some providers for `at_hash`; others take SHA-256.
#[tokio::test]
async fn hashes_beside_eddsa_are_of_either_kind() {
    let of_256: fn(&str) -> Value = |token| json!(URL_SAFE_NO_PAD.encode(&Sha256::digest(token)[..16]));
    let of_512: fn(&str) -> Value = |token| json!(URL_SAFE_NO_PAD.encode(&Sha512::digest(token)[..32]));
    let other: fn(&str) -> Value = |_| json!(URL_SAFE_NO_PAD.encode(&Sha256::digest("other")[..16]));
    for (algorithm, hash, expected) in [
        ("EdDSA", of_256, 303),
        ("EdDSA", of_512, 303),
        ("EdDSA", other, 401),
        ("ES256", of_256, 303),
        ("ES256", of_512, 401),
    ] {
        let (_clock, idp, world) = start("", "").await;
        idp.set(|inner| {
            inner.signer = Signer::new(algorithm, Some("key"));
            inner.keys = vec![inner.signer.public()];
            inner.access_hash = Some(hash);
        });
        let reply = Browser::new(&world).sign_in_from(&idp, "/").await;
        assert_eq!(reply.status, expected, "{algorithm}");
    }
}

#[tokio::test]
async fn a_token_without_the_name_of_its_key_is_held_against_all() {
    let clock = SetClock::new();
    let idp = Idp::start(&clock).await;
    let world = idp.world(&clock, "", "").await;
    let token = idp.set(|inner| {
        let claims = json!({
            "iss": inner.description["issuer"], "sub": "u", "aud": [CLIENT, "account"], "azp": CLIENT, "exp": NOW + 9,
        });
        inner.keys.insert(0, Signer::new("ES256", Some("other")).public());
        inner.signer.token_with(&json!({ "alg": "ES256" }), &claims)
    });
    assert_eq!(reads(&world, &token).await, 200);
}

#[tokio::test]
async fn keys_that_change_are_fetched_again_but_not_for_everybody_who_makes_up_a_name() {
    let clock = SetClock::new();
    let idp = Idp::start(&clock).await;
    let world = idp.world(&clock, "", "").await;
    let old = idp.token(json!({}));
    assert_eq!(reads(&world, &old).await, 200);
    clock.advance(20);
    idp.set(|inner| {
        inner.signer = Signer::new("RS512", Some("second"));
        inner.keys = vec![inner.signer.public()];
    });
    assert_eq!(reads(&world, &idp.token(json!({ "sub": "u-2" }))).await, 200);
    assert_eq!(idp.count("/keys"), 2);
    // The first token stays good until it ends; it was checked.
    assert_eq!(reads(&world, &old).await, 200);
    for number in 0..20 {
        let forged = Signer::new("ES256", Some(&format!("made-up-{number}"))).token(&idp.usual_claims());
        assert_eq!(reads(&world, &forged).await, 401);
    }
    assert_eq!(idp.count("/keys"), 2);
    clock.advance(11);
    let forged = Signer::new("ES256", Some("made-up")).token(&idp.usual_claims());
    assert_eq!(reads(&world, &forged).await, 401);
    assert_eq!(idp.count("/keys"), 3);
    assert_eq!(idp.count("/.well-known/openid-configuration"), 1);
}

#[tokio::test]
async fn sessions_survive_an_unreachable_provider() {
    let clock = SetClock::new();
    let idp = Idp::start(&clock).await;
    idp.set(|inner| inner.down = true);
    let world = idp.world(&clock, "", "").await;
    let token = idp.token(json!({}));
    for _ in 0..3 {
        assert_eq!(reads(&world, &token).await, 401);
    }
    // The failure is remembered for a moment.
    assert_eq!(idp.count("/.well-known/openid-configuration"), 1);
    idp.set(|inner| inner.down = false);
    clock.advance(2);
    assert_eq!(reads(&world, &token).await, 200);
    // Later the keys are there, and stay good when they cannot be fetched again.
    idp.set(|inner| inner.down = true);
    clock.advance(7200);
    assert_eq!(reads(&world, &idp.token(json!({}))).await, 200);
}
