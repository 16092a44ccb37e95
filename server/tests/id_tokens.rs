//! docs/spec/api.md 11, cases 125 to 128: which ID tokens the API takes, and what they allow.

use std::{
    net::Ipv4Addr,
    sync::atomic::{AtomicU32, Ordering},
};

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use serde_json::json;

use crate::{
    browser::Browser,
    provider::{CLIENT, Idp, NOW, SetClock, changed},
    signer::{Signer, hmac_token, unsigned},
    world::{C, World},
};

const BODY: &str = r#"{"sections":[]}"#;

/// The status of a read. Each from an address of its own, as those who fail often from one have to wait.
pub async fn reads(world: &World, token: &str) -> u16 {
    static ADDRESSES: AtomicU32 = AtomicU32::new(0x0a00_0000);
    let peer = Ipv4Addr::from_bits(ADDRESSES.fetch_add(1, Ordering::Relaxed));
    let reply = world.request("GET", C).peer(&peer.to_string()).bearer(token).send().await;
    if reply.status == 401 {
        assert!(reply.header("www-authenticate").contains("error=\"invalid_token\""));
    }
    reply.status.as_u16()
}

/// The status of a write.
async fn writes(world: &World, token: &str) -> u16 {
    world.request("PUT", C).bearer(token).body(BODY).send().await.status.as_u16()
}

#[tokio::test]
async fn case_125_members_of_the_admin_group_write() {
    let clock = SetClock::new();
    let idp = Idp::start(&clock).await;
    let world = idp.world(&clock, "", "").await;
    let plain = idp.token(json!({}));
    assert_eq!((reads(&world, &plain).await, writes(&world, &plain).await), (200, 403));
    world.assert_unchanged();
    let admin = idp.token(json!({ "groups": ["users", "admins"] }));
    assert_eq!((reads(&world, &admin).await, writes(&world, &admin).await), (200, 200));
}

#[tokio::test]
async fn case_126_tokens_that_are_not_good() {
    let clock = SetClock::new();
    let idp = Idp::start(&clock).await;
    let world = idp.world(&clock, "", "").await;
    let usual = changed(idp.usual_claims(), &json!({ "groups": ["admins"] }));
    assert_eq!(reads(&world, &idp.token(json!({ "groups": ["admins"] }))).await, 200);
    let fetches = idp.count("/keys");
    for (what, claims) in [
        ("expired", json!({ "exp": NOW - 31 })),
        ("without an end", json!({ "exp": null })),
        ("an end that is no number", json!({ "exp": "never" })),
        ("an end before 1970", json!({ "exp": -1 })),
        ("made in the future", json!({ "iat": NOW + 31 })),
        ("not good yet", json!({ "nbf": NOW + 31 })),
        ("for another client", json!({ "aud": "other" })),
        ("for other clients", json!({ "aud": ["other", "more"] })),
        ("for a list in a text", json!({ "aud": "dashboard,other" })),
        ("for nobody", json!({ "aud": null })),
        ("asked for by another client", json!({ "aud": [CLIENT, "other"], "azp": "other" })),
        ("of another issuer", json!({ "iss": "https://evil.example" })),
        ("of an issuer with a slash more", json!({ "iss": format!("{}/", idp.issuer) })),
        ("of no issuer", json!({ "iss": null })),
        ("about nobody", json!({ "sub": null })),
        ("an access token of Keycloak", json!({ "typ": "Bearer", "nonce": "n" })),
        ("a refresh token of Keycloak", json!({ "typ": "Refresh" })),
        ("an access token by its use", json!({ "token_use": "access" })),
        ("an access token by its scope", json!({ "scope": "openid profile" })),
        ("an access token by its client", json!({ "client_id": CLIENT, "jti": "1" })),
        ("a logout token", json!({ "events": { "http://schemas.openid.net/event/backchannel-logout": {} } })),
    ] {
        let mut claims = changed(usual.clone(), &claims);
        if claims["exp"].is_null() && what != "without an end" {
            claims["exp"] = json!(NOW + 300);
        }
        let token = idp.set(|inner| inner.signer.token(&claims));
        assert_eq!(reads(&world, &token).await, 401, "{what}");
    }
    // Nothing of this was worth a look at the keys.
    assert_eq!(idp.count("/keys"), fetches);
    let good = idp.set(|inner| inner.signer.token(&usual));
    let (message, signature) = good.rsplit_once('.').unwrap();
    let public = idp.set(|inner| inner.keys[0].clone());
    for (what, token) in [
        ("signed with another key", Signer::new("ES256", Some("first")).token(&usual)),
        ("signed with another key of another kind", Signer::new("EdDSA", Some("first")).token(&usual)),
        ("signed with a key that nobody knows", Signer::new("ES256", Some("mine")).token(&usual)),
        ("not signed", format!("{}.", unsigned(&json!({ "alg": "none" }), &usual))),
        ("not signed, in capitals", format!("{}.", unsigned(&json!({ "alg": "NONE" }), &usual))),
        (
            "not signed, with the name of a key",
            format!("{}.", unsigned(&json!({ "alg": "ES256", "kid": "first" }), &usual)),
        ),
        ("signed with the public key as a secret", hmac_token(&usual, public.to_string().as_bytes())),
        ("signed with a part of the public key", hmac_token(&usual, public["x"].as_str().unwrap().as_bytes())),
        (
            "changed",
            format!(
                "{}.{signature}",
                unsigned(&json!({ "alg": "ES256", "kid": "first" }), &changed(usual.clone(), &json!({ "sub": "u-2" })))
            ),
        ),
        // The same header and claims, said in other bytes: nobody signed these.
        ("in another order", format!("{}.{signature}", unsigned(&json!({ "kid": "first", "alg": "ES256" }), &usual))),
        ("with a blank", {
            let claims = URL_SAFE_NO_PAD.encode(format!(" {usual}"));
            format!("{}.{claims}.{signature}", message.split('.').next().unwrap())
        }),
        ("cut", message.to_owned()),
        ("longer", format!("{good}A")),
        ("with a part more", format!("{good}.x")),
        ("nonsense", "a.b.c".to_owned()),
        ("dots", "..".to_owned()),
        (
            "with an extension",
            idp.set(|inner| inner.signer.token_with(&json!({ "alg": "ES256", "crit": ["exp"], "exp": 1 }), &usual)),
        ),
        (
            "an access token by its header",
            idp.set(|inner| inner.signer.token_with(&json!({ "alg": "ES256", "typ": "at+jwt" }), &usual)),
        ),
        ("with a key of its own", {
            let mine = Signer::new("ES256", None);
            mine.token_with(&json!({ "alg": "ES256", "jwk": mine.public() }), &usual)
        }),
        ("too large", idp.token(json!({ "pad": "x".repeat(300 * 1024) }))),
    ] {
        assert_eq!(reads(&world, &token).await, 401, "{what}");
    }
    assert_eq!(reads(&world, &good).await, 200);
    world.assert_unchanged();
}

#[tokio::test]
async fn clocks_may_be_half_a_minute_apart() {
    let clock = SetClock::new();
    let idp = Idp::start(&clock).await;
    let world = idp.world(&clock, "", "").await;
    for claims in [
        json!({ "exp": NOW - 30 }),
        json!({ "iat": NOW + 30, "nbf": NOW + 30 }),
        json!({ "iat": null }),
        json!({ "exp": NOW as f64 + 0.5, "auth_time": NOW as f64 - 0.25 }),
    ] {
        assert_eq!(reads(&world, &idp.token(claims.clone())).await, 200, "{claims}");
    }
    // What was found good is so until its time is over, also when it is remembered.
    let token = idp.token(json!({}));
    assert_eq!(reads(&world, &token).await, 200);
    clock.advance(330);
    assert_eq!(reads(&world, &token).await, 200);
    clock.advance(1);
    assert_eq!(reads(&world, &token).await, 401);
}

#[tokio::test]
async fn case_127_where_groups_and_roles_stand() {
    let clock = SetClock::new();
    let idp = Idp::start(&clock).await;
    let world = idp.world(&clock, "", "").await;
    for (claims, expected) in [
        (json!({ "groups": ["admins"] }), 200),
        (json!({ "groups_direct": ["admins"] }), 200),
        (json!({ "groups": "admins" }), 200),
        (json!({ "groups": "users, admins" }), 200),
        (json!({ "roles": ["boss"] }), 200),
        (json!({ "roles": "boss" }), 200),
        (json!({ "realm_access": { "roles": ["boss"] } }), 200),
        (json!({ "resource_access": { CLIENT: { "roles": ["boss"] } } }), 200),
        (json!({ "resource_access": { "other": { "roles": ["boss"] } } }), 403),
        (json!({ "groups": ["boss"], "roles": ["admins"] }), 403),
        (json!({ "groups": ["Admins", "admins2", "/admins"] }), 403),
        (json!({ "groups": "not admins" }), 403),
        (json!({ "groups": { "admins": true } }), 403),
        (json!({ "groups": [["admins"], { "name": "admins" }, null, 7] }), 403),
        (json!({ "realm_access": ["boss"], "resource_access": "boss" }), 403),
        (json!({ "admin": true }), 403),
    ] {
        assert_eq!(writes(&world, &idp.token(claims.clone())).await, expected, "{claims}");
    }
}

#[tokio::test]
async fn case_128_allowed_issuers_replace_the_discovered_one() {
    let clock = SetClock::new();
    let idp = Idp::start(&clock).await;
    let world = idp
        .world(&clock, ", allowedIssuers: [ 'https://login.example/t1/v2.0', 'https://login.example/t2/v2.0' ]", "")
        .await;
    for (issuer, expected) in [
        ("https://login.example/t1/v2.0", 200),
        ("https://login.example/t2/v2.0", 200),
        ("https://login.example/t3/v2.0", 401),
        ("https://login.example/t1/v2.0/", 401),
        (idp.issuer.as_str(), 401),
    ] {
        assert_eq!(reads(&world, &idp.token(json!({ "iss": issuer }))).await, expected, "{issuer}");
    }
    // The rest is still checked.
    let issuer = "https://login.example/t1/v2.0";
    assert_eq!(reads(&world, &idp.token(json!({ "iss": issuer, "aud": "other" }))).await, 401);
    let forged = Signer::new("ES256", Some("first")).token(&changed(idp.usual_claims(), &json!({ "iss": issuer })));
    assert_eq!(reads(&world, &forged).await, 401);
}

#[tokio::test]
async fn without_an_admin_group_there_are_no_admins() {
    let clock = SetClock::new();
    let idp = Idp::start(&clock).await;
    let conf = idp.conf("", "").replace(", adminGroup: admins, adminRole: boss", "");
    let world = idp.setup(&clock, "", "").file("conf.yml", conf).start().await;
    let token = idp.token(json!({ "groups": ["admins", ""], "roles": ["boss", ""] }));
    assert_eq!((reads(&world, &token).await, writes(&world, &token).await), (200, 403));
}

#[tokio::test]
async fn descriptions_of_all_kinds() {
    let clock = SetClock::new();
    for (path, endpoint) in [
        ("", ""),
        ("", "/"),
        ("/realms/home", ""),
        ("/application/o/dashboard/", ""),
        ("/application/o/dashboard", "/"),
        ("", "/.well-known/openid-configuration"),
    ] {
        let idp = Idp::start_at(&clock, path).await;
        let conf = idp.conf("", "").replace(&format!("'{}'", idp.issuer), &format!("'{}{endpoint}'", idp.issuer));
        let world = idp.setup(&clock, "", "").file("conf.yml", conf).start().await;
        assert_eq!(reads(&world, &idp.token(json!({}))).await, 200, "{path} {endpoint}");
    }
    for broken in [json!(null), json!({}), json!([]), json!({ "issuer": 7 })] {
        let idp = Idp::start(&clock).await;
        let token = idp.token(json!({}));
        idp.set(|inner| inner.description = broken.clone());
        let world = idp.world(&clock, "", "").await;
        assert_eq!(reads(&world, &token).await, 401, "{broken}");
    }
}

/// Claims in the shapes that these providers give them, with names and numbers made up here.
#[tokio::test]
async fn claims_of_real_shapes() {
    let clock = SetClock::new();
    let idp = Idp::start(&clock).await;
    let world = idp.world(&clock, "", "").await;
    for (what, claims, expected) in [
        (
            "Keycloak",
            json!({
                "jti": "00000000-0000-4000-8000-000000000001", "auth_time": NOW - 5, "aud": CLIENT, "azp": CLIENT,
                "typ": "ID", "sid": "00000000-0000-4000-8000-000000000002", "at_hash": "AAAAAAAAAAAAAAAAAAAAAA",
                "acr": "1", "email_verified": true, "name": "Carol Example", "preferred_username": "carol",
                "given_name": "Carol", "family_name": "Example", "email": "carol@example.org",
                "realm_access": { "roles": ["offline_access", "uma_authorization", "boss"] },
                "resource_access": { "account": { "roles": ["manage-account", "view-profile"] } },
            }),
            200,
        ),
        (
            "Authelia",
            json!({
                "amr": ["pwd", "otp", "mfa"], "at_hash": "AAAAAAAAAAAAAAAAAAAAAA", "aud": [CLIENT], "auth_time": NOW - 5,
                "azp": CLIENT, "client_id": CLIENT, "jti": "00000000-0000-4000-8000-000000000003",
                "rat": NOW - 9, "sub": "00000000-0000-4000-8000-000000000004", "preferred_username": "carol",
                "groups": ["admins", "dev"], "email": "carol@example.org", "alt_emails": [],
            }),
            200,
        ),
        (
            "Google",
            json!({
                "azp": CLIENT, "sub": "100000000000000000001", "hd": "example.org", "email": "carol@example.org",
                "email_verified": true, "at_hash": "AAAAAAAAAAAAAAAAAAAAAA", "name": "Carol Example",
                "picture": "https://pictures.example/carol", "given_name": "Carol", "preferred_username": null,
            }),
            403,
        ),
        (
            "Entra",
            json!({
                "ver": "2.0", "nbf": NOW - 300, "iat": NOW - 300, "aio": "AAAAAAAA", "rh": "0.AAAAAAAA.",
                "oid": "00000000-0000-4000-8000-000000000005", "tid": "00000000-0000-4000-8000-000000000006",
                "uti": "AAAAAAAA", "name": "Carol Example", "preferred_username": "carol@example.org",
                "roles": ["boss"], "groups": ["00000000-0000-4000-8000-000000000007"],
            }),
            200,
        ),
    ] {
        let token = idp.token(claims);
        assert_eq!(reads(&world, &token).await, 200, "{what}");
        assert_eq!(writes(&world, &token).await, expected, "{what}");
    }
}

/// Other claims of a token do not prevent sign-in, in any form.
#[tokio::test]
async fn other_claims_may_have_any_form() {
    let clock = SetClock::new();
    let idp = Idp::start(&clock).await;
    let world = idp.world(&clock, "", "").await;
    for claims in [
        json!({ "email_verified": "true", "phone_number_verified": "no", "updated_at": "2026-11-21T09:00:00Z" }),
        json!({ "name": null, "given_name": null, "picture": null, "email": null, "locale": null, "address": null }),
        json!({ "name": ["Carol"], "address": "Harbour 1", "zoneinfo": 1, "gender": 2, "birthdate": false }),
        json!({ "amr": "pwd", "acr": 1, "auth_time": "1700000000", "nonce": 7, "azp": null, "at_hash": null }),
        json!({ "name#de": "Carol", "name#de-": 1, "#": 1, "": 1 }),
        json!({ "aud": [CLIENT, 7, null], "sub": 7, "nbf": null, "iat": "now" }),
        json!({ "jti": { "a": [1, { "b": 1e300 }] }, "exp": 1e18 }),
    ] {
        assert_eq!(reads(&world, &idp.token(claims.clone())).await, 200, "{claims}");
    }
    for (header, expected) in [
        (json!({ "alg": "ES256", "kid": 7, "x5t": "AAAA", "jku": "https://keys.example", "typ": "jwt" }), 200),
        (json!({ "alg": "ES256", "kid": null, "typ": "ID+JWT", "more": { "a": 1 } }), 200),
        (json!({ "alg": "ES256", "typ": "" }), 200),
        (json!({ "alg": "ES256", "typ": "application/jwt" }), 200),
        (json!({ "alg": "ES256", "cty": "JWT" }), 401),
        (json!({ "alg": "ES256", "typ": "logout+jwt" }), 401),
        (json!({ "alg": "A128KW", "enc": "A128GCM" }), 401),
        (json!({ "alg": 7 }), 401),
        (json!({}), 401),
    ] {
        let claims = idp.usual_claims();
        let token = idp.set(|inner| inner.signer.token_with(&header, &claims));
        assert_eq!(reads(&world, &token).await, expected, "{header}");
    }
}

#[tokio::test]
async fn an_encrypted_token_is_called_that() {
    let clock = SetClock::new();
    let idp = Idp::start(&clock).await;
    let world = idp.world(&clock, "", "").await;
    let header = URL_SAFE_NO_PAD.encode(r#"{"alg":"RSA-OAEP-256","enc":"A256CBC-HS512","cty":"JWT"}"#);
    let token = format!("{header}.a2V5.aXY.dGV4dA.dGFn");
    let refused = world.request("GET", C).bearer(&token).send().await.expect_failure(401);
    assert!(refused.contains("is encrypted; turn off the encryption of ID tokens for this client"), "{refused}");
    for other in [format!("{header}.a2V5.aXY.dGV4dA"), token.replacen(&header, "eyJhbGciOiJSUzI1NiJ9", 1)] {
        let refused = world.request("GET", C).peer("10.0.0.2").bearer(&other).send().await.expect_failure(401);
        assert!(refused.contains("Invalid or expired token"), "{refused}");
    }
    idp.set(|inner| inner.answer = json!({ "id_token": token }));
    let page = Browser::new(&world).sign_in_from(&idp, "/").await.expect_status(401).text;
    assert!(page.contains("The ID token is encrypted"), "{page}");
    assert!(page.contains("turn off the encryption of ID tokens for this client"), "{page}");
    // That has nothing to do with these.
    for other in ["endpoint", "clientId", "clocks"] {
        assert!(!page.contains(other), "{other}: {page}");
    }
}

#[tokio::test]
async fn a_page_takes_the_token_too() {
    let clock = SetClock::new();
    let idp = Idp::start(&clock).await;
    let world = idp.world(&clock, "", "").await;
    let token = idp.token(json!({ "groups": ["admins"] }));
    let conf = world.request("GET", "/conf.yml").bearer(&token).send().await.expect_status(200);
    assert!(conf.text.contains("Alpha"));
    let save = |token: &str| {
        world.request("POST", "/config-manager/save").bearer(token).body(r#"{"config":"sections: []"}"#).send()
    };
    save(&idp.token(json!({}))).await.expect_status(403);
    world.assert_unchanged();
    save(&token).await.expect_status(200);
    world.request("GET", "/conf.yml").bearer("nonsense").send().await.expect_status(401);
    world.request("GET", "/").bearer("nonsense").send().await.expect_status(401);
}
