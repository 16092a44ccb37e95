//! Signing in at providers that mean harm, make mistakes or are away (docs/spec/behavior.md 19.4).

use serde_json::{Value, json};

use crate::{
    browser::Browser,
    hostile_sign_in::{is_failure, redirect_to_provider},
    provider::{Idp, SetClock, asked, changed, start},
    signer::Signer,
    world::CONF,
};

/// RFC 9207: providers that name themselves in the answer.
#[tokio::test]
async fn an_answer_names_the_issuer_that_was_asked() {
    let (_clock, idp, world) = start("", "").await;
    let mut browser = Browser::new(&world);
    let back = redirect_to_provider(&mut browser, &idp).await;
    is_failure(browser.get(&format!("{back}&iss=https://evil.example")).await, 502, "another issuer");
    assert_eq!(idp.count("/token"), 0);
    let back = redirect_to_provider(&mut browser, &idp).await;
    browser.get(&format!("{back}&iss={}", idp.issuer)).await.expect_status(303);
}

#[tokio::test]
async fn tokens_that_do_not_belong_to_the_attempt() {
    let (_clock, idp, world) = start("", "").await;
    for (claims, words) in [
        (json!({ "nonce": null }), "a different sign-in"),
        (json!({ "nonce": "other" }), "a different sign-in"),
        (json!({ "aud": "other" }), "not meant for the client"),
        (json!({ "iss": "https://evil.example" }), "https://evil.example"),
        (json!({ "exp": 1 }), "has expired"),
        (json!({ "iat": 2_000_000_000 }), "in the future"),
        (json!({ "at_hash": "AAAAAAAAAAAAAAAAAAAAAA" }), "rest of the provider"),
        (json!({ "c_hash": "AAAAAAAAAAAAAAAAAAAAAA" }), "rest of the provider"),
        (json!({ "sub": null }), "who it is about"),
        (json!({ "typ": "Bearer" }), "of another kind"),
    ] {
        idp.set(|inner| inner.claims = claims.clone());
        let mut browser = Browser::new(&world);
        let back = redirect_to_provider(&mut browser, &idp).await;
        is_failure(browser.get(&back).await, 401, words);
        assert!(browser.cookies.is_empty(), "{claims}");
        browser.get("/").await.expect_status(303);
    }
    idp.set(|inner| {
        inner.claims = json!({});
        inner.signer = Signer::new("ES256", Some("first"));
    });
    let mut browser = Browser::new(&world);
    let back = redirect_to_provider(&mut browser, &idp).await;
    is_failure(browser.get(&back).await, 401, "not signed with a key of the provider");
}

#[tokio::test]
async fn answers_of_the_token_endpoint() {
    let (_clock, idp, world) = start("", "").await;
    let mut browser = Browser::new(&world);
    for (answer, status, words) in [
        (json!({ "id_token": null }), 502, "no ID token"),
        (json!({ "id_token": 7 }), 502, "no ID token"),
        (json!({ "id_token": "opaque" }), 401, "cannot be read"),
    ] {
        idp.set(|inner| inner.answer = answer.clone());
        let back = redirect_to_provider(&mut browser, &idp).await;
        is_failure(browser.get(&back).await, status, words);
    }
    for (error, words) in [
        (json!({ "error": "invalid_client" }), "invalid_client"),
        (json!({ "error": "invalid_grant", "error_description": "<b>no</b>" }), "invalid_grant: &lt;b&gt;no"),
    ] {
        idp.set(|inner| inner.error = Some(error.clone()));
        let back = redirect_to_provider(&mut browser, &idp).await;
        is_failure(browser.get(&back).await, 400, words);
    }
    idp.set(|inner| inner.error = None);
    // An odd answer that holds what is needed is enough.
    for answer in [
        json!({ "token_type": "Bearer", "expires_in": "300", "scope": null }),
        json!({ "token_type": null, "expires_in": null, "access_token": null, "refresh_token": null }),
        json!({ "expires_in": -1, "more": [1, 2] }),
    ] {
        idp.set(|inner| inner.answer = answer.clone());
        let mut browser = Browser::new(&world);
        browser.sign_in(&idp).await;
        browser.get("/").await.expect_status(200);
    }
}

#[tokio::test]
async fn what_the_provider_says_is_shown_and_is_no_markup() {
    let (_clock, idp, world) = start("", "    enableGuestAccess: true\n").await;
    let mut browser = Browser::new(&world);
    let away = browser.get("/login/provider").await.header("location");
    let state = asked(&away).1["state"].clone();
    let said = "error=server_error&error_description=%3Cscript%3Ealert(1)%3C/script%3E%0A%00no";
    let reply = browser.get(&format!("/?{said}&state={state}")).await;
    assert!(!reply.text.contains("<script>alert"), "{}", reply.text);
    assert!(reply.text.contains("/?guest"));
    is_failure(reply, 400, "server_error: &lt;script&gt;");
    // A name that is markup is none on the page either.
    idp.set(|inner| inner.claims = json!({ "preferred_username": "</script><img src=x onerror=alert(1)>\nERROR" }));
    browser.sign_in_via_link(&idp).await;
    let page = browser.get("/").await.expect_status(200);
    assert!(!page.text.contains("<img src=x"), "{}", page.text);
}

#[tokio::test]
async fn scopes_that_the_provider_refuses_are_left_out_once() {
    let (_clock, idp, world) = start("", "").await;
    idp.set(|inner| inner.description["scopes_supported"] = json!(["openid", "profile", "email"]));
    let mut browser = Browser::new(&world);
    let away = browser.get("/login/provider").await.header("location");
    let (_, first) = asked(&away);
    assert_eq!(first["scope"], "openid profile email roles groups");
    let refused = format!("/?error=invalid_scope&state={}", first["state"]);
    let away = browser.get(&refused).await.expect_status(303).header("location");
    let (_, second) = asked(&away);
    assert_eq!(second["scope"], "openid profile email");
    is_failure(browser.get(&format!("/?error=invalid_scope&state={}", second["state"])).await, 400, "invalid_scope");
}

#[tokio::test]
async fn an_unreachable_provider_is_reported_and_found_again() {
    let (clock, idp, world) = start("", "").await;
    idp.set(|inner| inner.down = true);
    let mut browser = Browser::new(&world);
    let first = browser.get("/").await.expect_status(303);
    is_failure(browser.get(&first.header("location")).await, 503, "cannot be reached");
    idp.set(|inner| inner.down = false);
    clock.advance(2);
    let back = redirect_to_provider(&mut browser, &idp).await;
    idp.set(|inner| inner.down = true);
    is_failure(browser.get(&back).await, 503, "cannot be reached");
}

/// OpenID Connect Discovery 1.0, 4.3.
#[tokio::test]
async fn a_provider_must_be_the_one_that_the_config_names() {
    for other in ["https://other.example", "https://login.example/{tenantid}/v2.0"] {
        let (_clock, idp, world) = start("", "").await;
        let token = idp.token(json!({}));
        idp.set(|inner| inner.description["issuer"] = json!(other));
        let mut browser = Browser::new(&world);
        let reply = browser.get("/login/provider?return_to=/").await;
        for words in [other, idp.issuer.as_str(), "allowedIssuers"] {
            assert!(reply.text.contains(words), "{words}: {}", reply.text);
        }
        is_failure(reply, 502, "not the configured one");
        assert!(browser.cookies.is_empty());
        world.request("GET", "/api/config").bearer(&token).send().await.expect_status(401);
        let begun = browser.json("/fn/sign-in", r#"{"return_to":"/"}"#).await.expect_status(503).json();
        assert_eq!(begun, json!({ "address": "/login/provider?return_to=/" }));
        assert_eq!(idp.count("/keys"), 0);
        // If the config lists issuers, tokens must come from one of them.
        let clock = SetClock::new();
        let world = idp.world(&clock, ", allowedIssuers: [ 'https://login.example/t1/v2.0' ]", "").await;
        idp.set(|inner| inner.claims = json!({ "iss": "https://login.example/t1/v2.0" }));
        Browser::new(&world).sign_in(&idp).await;
        idp.set(|inner| inner.claims = json!({}));
        let mut browser = Browser::new(&world);
        let back = redirect_to_provider(&mut browser, &idp).await;
        is_failure(browser.get(&back).await, 401, "allowedIssuers");
    }
}

#[tokio::test]
async fn a_slash_at_the_end_of_the_issuer_is_overlooked() {
    let clock = SetClock::new();
    for (path, endpoint) in
        [("/application/o/dash/", "/application/o/dash"), ("/realms/home", "/realms/home/"), ("", "/")]
    {
        let idp = Idp::start_at(&clock, path).await;
        let origin = idp.issuer.strip_suffix(path).unwrap();
        let conf = idp.conf("", "").replace(&format!("'{}'", idp.issuer), &format!("'{origin}{endpoint}'"));
        let world = idp.setup(&clock, "", "").file("conf.yml", conf).start().await;
        let mut browser = Browser::new(&world);
        browser.sign_in(&idp).await;
        browser.get("/").await.expect_status(200);
    }
}

#[tokio::test]
async fn huge_tokens_are_stored_as_long_as_cookies_allow() {
    let (_clock, idp, world) = start("", "").await;
    // 60 KB of names as people give them.
    let names: Vec<String> =
        (0..2000).map(|number| format!("app-{:04}-department-readers", number * 7 % 2000)).collect();
    assert!(names.concat().len() > 50_000);
    idp.set(|inner| inner.claims = json!({ "groups": names }));
    let mut browser = Browser::new(&world);
    browser.sign_in(&idp).await;
    browser.get("/").await.expect_status(200);
    assert!(browser.cookies.len() > 1, "{:?}", browser.cookies.keys());
    let token = browser.json("/fn/session", "{}").await.json()["idToken"].as_str().unwrap().to_owned();
    world.request("GET", "/api/config").bearer(&token).send().await.expect_status(200);
    // As a part of an address it would be too long.
    let mut other = Browser::new(&world);
    other.cookies.clone_from(&browser.cookies);
    let away = other.form("/logout", &[]).await;
    assert!(away.expect_status(200).header("refresh").len() < 1000);
    // A small session takes the parts away that it does not need.
    idp.set(|inner| inner.claims = json!({}));
    browser.sign_in_via_link(&idp).await;
    browser.get("/").await.expect_status(200);
    assert_eq!(browser.cookies.len(), 1, "{:?}", browser.cookies.keys());
    // 60 KB in which nothing repeats.
    let noise: Vec<String> = (0..1300_u32)
        .map(|number| {
            use sha2::{Digest as _, Sha256};
            hex::encode(&Sha256::digest(number.to_le_bytes())[..24])
        })
        .collect();
    assert!(noise.concat().len() > 60_000);
    idp.set(|inner| inner.claims = json!({ "groups": noise }));
    let mut browser = Browser::new(&world);
    let back = redirect_to_provider(&mut browser, &idp).await;
    is_failure(browser.get(&back).await, 502, "KB of cookies");
    assert!(browser.cookies.keys().all(|name| !name.contains("-session-")));
}

#[tokio::test]
async fn an_access_token_is_no_id_token() {
    let (_clock, idp, world) = start("", "").await;
    // The provider's access token is a signed token of the same issuer for the same client.
    let access =
        changed(idp.usual_claims(), &json!({ "scope": "openid", "client_id": "dashboard", "groups": ["admins"] }));
    let access: Value = idp.set(|inner| json!(inner.signer.token(&access)));
    idp.set(|inner| inner.answer = json!({ "access_token": access, "id_token": access }));
    let mut browser = Browser::new(&world);
    let back = redirect_to_provider(&mut browser, &idp).await;
    is_failure(browser.get(&back).await, 401, "is an access token");
    world.request("GET", "/api/config").bearer(access.as_str().unwrap()).send().await.expect_status(401);
}

/// What answers at the address is not a provider: that is not the same as nobody answering.
#[tokio::test]
async fn an_address_without_a_provider_is_named_as_it_is_written() {
    let clock = SetClock::new();
    let idp = Idp::start_at(&clock, "/realms/home").await;
    let origin = idp.issuer.strip_suffix("/realms/home").unwrap();
    let keycloak = format!(
        "{CONF}appConfig:\n  auth:\n    enableKeycloak: true\n    keycloak: {{ serverUrl: '{origin}/auth', realm: home, \
         clientId: dashboard }}\n"
    );
    let oidc = idp.conf("", "").replace(&idp.issuer, origin);
    for (conf, words, absent) in [
        (keycloak, "Remove <code>/auth</code> from the end of <code>serverUrl</code>", "<code>endpoint</code>"),
        (oidc, "Is <code>endpoint</code>", "<code>serverUrl</code>"),
    ] {
        let world = idp.setup(&clock, "", "").file("conf.yml", conf).start().await;
        let reply = Browser::new(&world).get("/login/provider").await;
        assert!(reply.text.contains("404 Not Found") && reply.text.contains(words), "{}", reply.text);
        for absent in ["cannot be reached", "Http://", absent] {
            assert!(!reply.text.contains(absent), "{absent}: {}", reply.text);
        }
        is_failure(reply, 503, "no identity provider at the configured address");
    }
}

/// Only hosts that the config names may be private: otherwise a provider could have this server send forms to services of
/// the private network.
#[tokio::test]
async fn a_discovery_document_leads_to_no_private_host_that_the_config_does_not_name() {
    for (field, path) in [("token_endpoint", "/token"), ("jwks_uri", "/keys")] {
        for (oidc, allowed, expected) in
            [("", "", 503), ("", "localhost", 303), (", allowedIssuers: ['http://localhost:1', ISSUER]", "", 303)]
        {
            let clock = SetClock::new();
            let idp = Idp::start(&clock).await;
            // The same server under another name.
            let elsewhere = idp.issuer.replace("127.0.0.1", "localhost") + path;
            idp.set(|inner| inner.description[field] = json!(elsewhere));
            let oidc = oidc.replace("ISSUER", &format!("'{}'", idp.issuer));
            let world = idp.setup(&clock, &oidc, "").env("OUTBOUND_ALLOWED_HOSTS", allowed).start().await;
            let mut browser = Browser::new(&world);
            let back = redirect_to_provider(&mut browser, &idp).await;
            let reply = browser.get(&back).await.expect_status(expected);
            assert_eq!(idp.count(path), usize::from(expected == 303), "{field} {oidc} {allowed}");
            if expected == 503 {
                is_failure(reply, 503, "a private address that the configuration does not name");
            }
        }
    }
}

#[tokio::test]
async fn a_refresh_token_is_revoked_at_no_private_host_that_the_config_does_not_name() {
    for (host, expected) in [("localhost", 0), ("127.0.0.1", 1)] {
        let (_clock, idp, world) = start(", enableSilentRenew: true", "").await;
        let elsewhere = idp.issuer.replace("127.0.0.1", host) + "/revoke";
        idp.set(|inner| inner.description["revocation_endpoint"] = json!(elsewhere));
        let mut browser = Browser::new(&world);
        browser.sign_in(&idp).await;
        browser.form("/logout", &[]).await;
        // The request has no effect that a test could wait for if it is not made.
        tokio::time::sleep(std::time::Duration::from_millis(200)).await;
        assert_eq!(idp.count("/revoke"), expected, "{host}");
    }
}
