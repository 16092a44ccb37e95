//! Signing in against people and providers that mean harm, or make mistakes (docs/spec/behaviour.md 19.4).

use serde_json::{Value, json};

use crate::{
    browser::Browser,
    provider::{Idp, SetClock, asked, changed, start},
    signer::Signer,
    world::{CONF, Reply},
};

/// Sends a browser to the provider and gives the address of the way back.
async fn set_out(browser: &mut Browser<'_>, idp: &Idp) -> String {
    let away = browser.get("/login/provider?return_to=/").await.expect_status(303).header("location");
    idp.consent(&away)
}

#[track_caller]
fn is_failure(reply: Reply, status: u16, words: &str) {
    let reply = reply.expect_status(status);
    assert!(reply.text.contains(words), "{words}: {}", reply.text);
    assert_eq!(reply.header("cache-control"), "no-store");
    assert!(reply.header("content-security-policy").contains("default-src 'none'"));
    assert!(!reply.header("set-cookie").contains("-session-"), "{}", reply.header("set-cookie"));
}

#[tokio::test]
async fn an_answer_is_good_once_and_only_in_the_browser_that_asked() {
    let (_clock, idp, world) = start("", "").await;
    let mut browser = Browser::new(&world);
    let mut other = Browser::new(&world);
    let back = set_out(&mut browser, &idp).await;
    let mine = set_out(&mut other, &idp).await;
    starts_again(other.get(&back).await);
    // Somebody else's code with a state of one's own: the code does not fit the verifier.
    let code = |path: &str| asked(&format!("http://x{path}")).1["code"].clone();
    let state = |path: &str| asked(&format!("http://x{path}")).1["state"].clone();
    let swapped = format!("/?code={}&state={}", code(&back), state(&mine));
    is_failure(other.get(&swapped).await, 400, "invalid_grant");
    assert!(other.cookies.keys().all(|name| !name.contains("-session-")));
    let back = set_out(&mut browser, &idp).await;
    browser.get(&back).await.expect_status(303);
    // A second time, the session that is there counts.
    assert_eq!(browser.get(&back).await.expect_status(303).header("location"), "/");
    browser.cookies.clear();
    starts_again(browser.get(&back).await);
    for path in ["/?error=access_denied&state=y", "/?code=x&state=again.y", "/home?code=x&state=again.y"] {
        is_failure(browser.get(path).await, 400, "not started here");
    }
    // These are no answers.
    for path in ["/?code=x", "/?state=y", "/?code=&state="] {
        browser.cookies.clear();
        browser.get(path).await.expect_status(303);
    }
}

/// The browser is sent to the provider once more, by itself.
#[track_caller]
fn starts_again(reply: Reply) -> String {
    let away = reply.expect_status(303).header("location");
    let (address, parameters) = asked(&away);
    assert_eq!(address.path(), "/authorize");
    assert!(parameters["state"].starts_with("again."), "{away}");
    away
}

#[tokio::test]
async fn a_sign_in_that_took_too_long_starts_again_once() {
    for loses_cookies in [false, true] {
        let (clock, idp, world) = start("", "").await;
        let mut browser = Browser::new(&world);
        let late = async |browser: &mut Browser<'_>, away: &str| {
            let back = idp.consent(away);
            clock.advance(601);
            if loses_cookies {
                browser.cookies.clear();
            }
            browser.get(&back).await
        };
        let away = browser.get("/login/provider?return_to=/home/alpha").await.header("location");
        let again = starts_again(late(&mut browser, &away).await);
        // In time, it works, and leads to where the person wanted to go, if that is still known.
        let mut in_time = Browser::new(&world);
        in_time.cookies.clone_from(&browser.cookies);
        let back = in_time.get(&idp.consent(&again)).await.expect_status(303);
        assert_eq!(back.header("location"), if loses_cookies { "/" } else { "/home/alpha" });
        in_time.get("/").await.expect_status(200);
        // Too late again, a page says so.
        is_failure(late(&mut browser, &again).await, 400, "not started here");
    }
}

/// Keycloak, when the login page stands in two tabs and the person has signed in in the other.
#[tokio::test]
async fn a_provider_that_gave_up_waiting_is_asked_once_more() {
    let (_clock, idp, world) = start("", "").await;
    let mut browser = Browser::new(&world);
    let one = browser.get("/login/provider?return_to=/home/alpha").await.header("location");
    let two = browser.get("/login/provider?return_to=/home/beta").await.header("location");
    let given_up = |away: &str| {
        let state = asked(away).1["state"].clone();
        format!("/?error=temporarily_unavailable&error_description=authentication_expired&state={state}")
    };
    let mut without = Browser::new(&world);
    without.cookies.clone_from(&browser.cookies);
    browser.get(&idp.consent(&one)).await.expect_status(303);
    // With a session there is nothing left to do.
    assert_eq!(browser.get(&given_up(&two)).await.expect_status(303).header("location"), "/home/beta");
    // Without one the sign-in starts again, once.
    let again = starts_again(without.get(&given_up(&two)).await);
    is_failure(without.get(&given_up(&again)).await, 400, "authentication_expired");
    // Also where the browser has forgotten it.
    without.cookies.clear();
    starts_again(without.get(&given_up(&two)).await);
    is_failure(without.get(&given_up(&again)).await, 400, "not started here");
}

#[tokio::test]
async fn who_says_no_is_told_just_that() {
    let (_clock, _idp, world) = start("", "").await;
    let mut browser = Browser::new(&world);
    let away = browser.get("/login/provider").await.header("location");
    let reply = browser.get(&format!("/?error=access_denied&state={}", asked(&away).1["state"])).await;
    for absent in ["PKCE", "scopes", "check-oidc", "What to check"] {
        assert!(!reply.text.contains(absent), "{absent}: {}", reply.text);
    }
    is_failure(reply, 400, "Access was denied at the identity provider");
}

/// RFC 9207: providers that name themselves in the answer.
#[tokio::test]
async fn an_answer_names_the_issuer_that_was_asked() {
    let (_clock, idp, world) = start("", "").await;
    let mut browser = Browser::new(&world);
    let back = set_out(&mut browser, &idp).await;
    is_failure(browser.get(&format!("{back}&iss=https://evil.example")).await, 502, "another issuer");
    assert_eq!(idp.count("/token"), 0);
    let back = set_out(&mut browser, &idp).await;
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
        let back = set_out(&mut browser, &idp).await;
        is_failure(browser.get(&back).await, 401, words);
        assert!(browser.cookies.is_empty(), "{claims}");
        browser.get("/").await.expect_status(303);
    }
    idp.set(|inner| {
        inner.claims = json!({});
        inner.signer = Signer::new("ES256", Some("first"));
    });
    let mut browser = Browser::new(&world);
    let back = set_out(&mut browser, &idp).await;
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
        let back = set_out(&mut browser, &idp).await;
        is_failure(browser.get(&back).await, status, words);
    }
    for (error, words) in [
        (json!({ "error": "invalid_client" }), "invalid_client"),
        (json!({ "error": "invalid_grant", "error_description": "<b>no</b>" }), "invalid_grant: &lt;b&gt;no"),
    ] {
        idp.set(|inner| inner.error = Some(error.clone()));
        let back = set_out(&mut browser, &idp).await;
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
async fn a_provider_that_is_away_is_said_and_found_again() {
    let (clock, idp, world) = start("", "").await;
    idp.set(|inner| inner.down = true);
    let mut browser = Browser::new(&world);
    let first = browser.get("/").await.expect_status(303);
    is_failure(browser.get(&first.header("location")).await, 503, "cannot be reached");
    idp.set(|inner| inner.down = false);
    clock.advance(2);
    let back = set_out(&mut browser, &idp).await;
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
        world.ask("GET", "/api/config").bearer(&token).send().await.expect_status(401);
        let begun = browser.json("/fn/sign-in", r#"{"return_to":"/"}"#).await.expect_status(503).json();
        assert_eq!(begun, json!({ "address": "/login/provider?return_to=/" }));
        assert_eq!(idp.count("/keys"), 0);
        // Whoever lists issuers has named them, and then tokens are held against these.
        let clock = SetClock::new();
        let world = idp.world(&clock, ", allowedIssuers: [ 'https://login.example/t1/v2.0' ]", "").await;
        idp.set(|inner| inner.claims = json!({ "iss": "https://login.example/t1/v2.0" }));
        Browser::new(&world).sign_in(&idp).await;
        idp.set(|inner| inner.claims = json!({}));
        let mut browser = Browser::new(&world);
        let back = set_out(&mut browser, &idp).await;
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
async fn circles_end_after_two_rounds() {
    let (clock, idp, world) = start("", "").await;
    let mut browser = Browser::new(&world);
    for _ in 0..2 {
        let back = browser.sign_in_from(&idp, "/").await;
        back.expect_status(303);
        browser.cookies.retain(|name, _| !name.contains("-session-"));
    }
    let reply = browser.get("/").await;
    is_failure(reply, 508, "the session cookie was missing");
    // A way out that is clicked is no round.
    browser.get("/login/provider").await.expect_status(303);
    clock.advance(61);
    browser.get("/").await.expect_status(303);
    // A token whose time is over at once.
    let mut browser = Browser::new(&world);
    for _ in 0..2 {
        browser.sign_in_from(&idp, "/").await.expect_status(303);
        clock.advance(29);
        for (name, value) in &mut browser.cookies {
            if name.contains("-session-") {
                value.push('A');
            }
        }
    }
    is_failure(browser.get("/").await, 508, "could not be read");
}

#[tokio::test]
async fn many_tabs_that_are_opened_signed_out_are_no_circle() {
    let (_clock, idp, world) = start("", "").await;
    let mut browser = Browser::new(&world);
    let mut away = Vec::new();
    for _ in 0..6 {
        let login = browser.get("/").await.expect_status(303).header("location");
        away.push(browser.get(&login).await.expect_status(303).header("location"));
    }
    // All answers come before the first page is loaded.
    for address in &away {
        let back = idp.consent(address);
        browser.get(&back).await.expect_status(303);
    }
    browser.get("/").await.expect_status(200);
    assert!(browser.cookies.keys().all(|name| !name.contains("-returns-")), "{:?}", browser.cookies.keys());
}

#[tokio::test]
async fn huge_tokens_are_kept_as_long_as_cookies_can() {
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
    world.ask("GET", "/api/config").bearer(&token).send().await.expect_status(200);
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
    let back = set_out(&mut browser, &idp).await;
    is_failure(browser.get(&back).await, 502, "KB of cookies");
    assert!(browser.cookies.keys().all(|name| !name.contains("-session-")));
}

#[tokio::test]
async fn two_tabs_sign_in_at_once() {
    let (_clock, idp, world) = start("", "").await;
    let mut browser = Browser::new(&world);
    let one = browser.get("/login/provider?return_to=/home/alpha").await.header("location");
    let two = browser.get("/login/provider?return_to=/home/beta").await.header("location");
    let (one, two) = (idp.consent(&one), idp.consent(&two));
    assert_eq!(browser.get(&two).await.expect_status(303).header("location"), "/home/beta");
    assert_eq!(browser.get(&one).await.expect_status(303).header("location"), "/home/alpha");
    browser.get("/").await.expect_status(200);
    assert_eq!(browser.cookies.len(), 1);
    // Attempts that were given up do not pile up.
    for _ in 0..30 {
        browser.get("/login/provider").await.expect_status(303);
    }
    assert!(browser.cookies.len() <= 10, "{}", browser.cookies.len());
}

#[tokio::test]
async fn other_sites_neither_sign_in_nor_out() {
    let (_clock, idp, world) = start("", "").await;
    let mut browser = Browser::new(&world);
    browser.sign_in(&idp).await;
    for path in ["/logout", "/login"] {
        browser.form_from("https://evil.example", path, &[("user", "a"), ("password", "b")]).await.expect_status(403);
    }
    for path in ["/fn/session", "/fn/renew", "/config-manager/save"] {
        let reply = browser.form_from("https://evil.example", path, &[]).await;
        reply.expect_status(403);
    }
    // Nor can a form of our own origin pass for a script.
    browser.form("/fn/session", &[]).await.expect_status(415);
    browser.get("/").await.expect_status(200);
    browser.get("/logout").await.expect_status(405);
    browser.get("/").await.expect_status(200);
}

#[tokio::test]
async fn sessions_of_other_settings_and_keys_are_none() {
    let (clock, idp, world) = start("", "").await;
    let mut browser = Browser::new(&world);
    browser.sign_in(&idp).await;
    browser.get("/").await.expect_status(200);
    let cookies = browser.cookies.clone();
    let key = std::fs::read(world.path(".session-key")).unwrap();
    for path in ["/.session-key", "/%2esession-key", "/./.session-key", "/config-backups/../.session-key"] {
        let reply = browser.get(path).await;
        assert_ne!(reply.status, 200, "{path}");
    }
    assert!(!world.ask("GET", "/api/config").bearer(&idp.token(json!({}))).send().await.text.contains("session-key"));
    // The same folder: a restart, or a second server.
    let again = idp.setup(&clock, "", "").directory(&world.path("")).start().await;
    let mut browser = Browser::new(&again);
    browser.cookies.clone_from(&cookies);
    browser.get("/").await.expect_status(200);
    // Another client.
    let conf = idp.conf("", "").replace("clientId: dashboard", "clientId: other");
    std::fs::write(world.path("conf.yml"), conf).unwrap();
    let again = idp.setup(&clock, "", "").directory(&world.path("")).start().await;
    let mut browser = Browser::new(&again);
    browser.cookies.clone_from(&cookies);
    browser.get("/").await.expect_status(303);
    // Another key.
    std::fs::write(world.path("conf.yml"), idp.conf("", "")).unwrap();
    std::fs::write(world.path(".session-key"), key.iter().map(|byte| !byte).collect::<Vec<u8>>()).unwrap();
    let again = idp.setup(&clock, "", "").directory(&world.path("")).start().await;
    let mut browser = Browser::new(&again);
    browser.cookies.clone_from(&cookies);
    browser.get("/").await.expect_status(303);
}

#[tokio::test]
async fn the_api_never_reads_the_session() {
    let (_clock, idp, world) = start("", "    enableGuestAccess: true\n").await;
    idp.set(|inner| inner.claims = json!({ "groups": ["admins"] }));
    let mut browser = Browser::new(&world);
    browser.sign_in_via_link(&idp).await;
    let cookie: Vec<String> = browser.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let ask = world.ask("PUT", "/api/config/conf.yml").header("cookie", &cookie.join("; ")).body(r#"{"sections":[]}"#);
    ask.send().await.expect_status(401);
    world.assert_unchanged();
    browser.json("/config-manager/save", r#"{"config":"sections: []"}"#).await.expect_status(200);
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
    let back = set_out(&mut browser, &idp).await;
    is_failure(browser.get(&back).await, 401, "is an access token");
    world.ask("GET", "/api/config").bearer(access.as_str().unwrap()).send().await.expect_status(401);
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
    for (conf, words, absent) in
        [(keycloak, "Remove `/auth` from the end of `serverUrl`", "`endpoint`"), (oidc, "Is `endpoint`", "`serverUrl`")]
    {
        let world = idp.setup(&clock, "", "").file("conf.yml", conf).start().await;
        let reply = Browser::new(&world).get("/login/provider").await;
        assert!(reply.text.contains("404 Not Found") && reply.text.contains(words), "{}", reply.text);
        for absent in ["cannot be reached", "Http://", absent] {
            assert!(!reply.text.contains(absent), "{absent}: {}", reply.text);
        }
        is_failure(reply, 503, "no identity provider at the configured address");
    }
}
