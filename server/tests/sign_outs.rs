//! Signing out ends a session on the server too, even for copies of its cookie (docs/spec/behavior.md
//! 19.4).

use std::{sync::Arc, time::Duration};

use serde_json::Value;

use crate::{
    browser::Browser,
    provider::{Idp, SetClock, asked, start},
    world::{CONF, Setup, USERS, World},
};

const RENEWS: &str = ", enableSilentRenew: true";

/// A browser with a copy of another's cookies.
fn thief<'a>(world: &'a World, browser: &Browser<'_>) -> Browser<'a> {
    let mut thief = Browser::new(world);
    thief.cookies.clone_from(&browser.cookies);
    thief
}

async fn assert_signed_out(thief: &mut Browser<'_>) {
    assert!(!thief.get("/conf.yml").await.text.contains("Alpha"));
    thief.json("/fn/session", "{}").await.expect_status(401);
    thief.json("/fn/renew", "{}").await.expect_status(401);
    thief.json("/config-manager/save", r#"{"config":"sections: []"}"#).await.expect_status(401);
    thief.get("/").await.expect_status(303);
}

async fn users(clock: &SetClock) -> World {
    Setup::new().clock(Arc::new(clock.clone())).file("conf.yml", format!("{CONF}{USERS}")).start().await
}

async fn sign_in_as(browser: &mut Browser<'_>, name: &str) {
    let fields = [("user", name), ("password", name), ("remember", "1y")];
    browser.form("/login", &fields).await.expect_status(303);
}

#[tokio::test]
async fn a_copied_cookie_is_dead_after_signing_out() {
    for path in ["/logout", "/fn/sign-out"] {
        let clock = SetClock::new();
        let world = users(&clock).await;
        let (mut anna, mut bob) = (Browser::new(&world), Browser::new(&world));
        sign_in_as(&mut anna, "anna").await;
        sign_in_as(&mut bob, "bob").await;
        let copy = thief(&world, &anna);
        thief(&world, &copy).get("/").await.expect_status(200);
        if path == "/logout" {
            anna.form(path, &[]).await
        } else {
            anna.json(path, "{}").await
        };
        assert_signed_out(&mut thief(&world, &copy)).await;
        // Nobody else is signed out, and signing in again works, even in the same second.
        bob.get("/").await.expect_status(200);
        sign_in_as(&mut anna, "anna").await;
        anna.get("/").await.expect_status(200);
        assert_signed_out(&mut thief(&world, &copy)).await;
        // A restart changes nothing about that.
        let again = Setup::new().clock(Arc::new(clock.clone())).directory(&world.path("")).start().await;
        assert_signed_out(&mut thief(&again, &copy)).await;
        thief(&again, &anna).get("/").await.expect_status(200);
        // Only the owner can read the file.
        for name in ["/.signed-out", "/%2esigned-out"] {
            assert!(!anna.get(name).await.text.contains("people"), "{name}");
        }
        assert!(world.backups().iter().all(|name| !name.contains("signed-out")));
    }
}

#[tokio::test]
async fn signing_out_ends_the_session_of_a_provider_and_its_renewal() {
    let (clock, idp, world) = start(RENEWS, "").await;
    idp.set(|inner| {
        let address = inner.description["token_endpoint"].as_str().unwrap().replace("/token", "/revoke");
        inner.description["revocation_endpoint"] = address.into();
    });
    let mut browser = Browser::new(&world);
    browser.sign_in(&idp).await;
    let copy = thief(&world, &browser);
    browser.form("/logout", &[]).await.expect_status(200);
    assert_signed_out(&mut thief(&world, &copy)).await;
    // The refresh token is revoked too.
    let revoked = async {
        loop {
            if let Some(form) = idp.last_form_to("/revoke") {
                return form;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    let form = tokio::time::timeout(Duration::from_secs(10), revoked).await.unwrap();
    assert_eq!(form["token_type_hint"], "refresh_token");
    assert_eq!(form["client_id"], "dashboard");
    assert!(form["token"].starts_with("refresh-"), "{form:?}");
    // Nor does it return when the ID token has expired.
    let asked = idp.count("/token");
    clock.advance(400);
    assert_signed_out(&mut thief(&world, &copy)).await;
    assert_eq!(idp.count("/token"), asked);
    // The user signs in again.
    browser.sign_in(&idp).await;
    browser.get("/").await.expect_status(200);
}

/// The server neither waits for the provider nor trusts it to end anything.
#[tokio::test]
async fn signing_out_ends_a_session_that_could_still_be_renewed() {
    let (clock, idp, world) = start(RENEWS, "").await;
    let mut browser = Browser::new(&world);
    browser.sign_in(&idp).await;
    let copy = thief(&world, &browser);
    clock.advance(400);
    idp.set(|inner| inner.down = true);
    browser.form("/logout", &[]).await;
    assert!(browser.cookies.is_empty());
    idp.set(|inner| inner.down = false);
    clock.advance(100);
    assert_signed_out(&mut thief(&world, &copy)).await;
}

#[tokio::test]
async fn a_session_that_was_renewed_since_is_signed_out_with_the_others() {
    let (clock, idp, world) = start(RENEWS, "").await;
    let mut browser = Browser::new(&world);
    browser.sign_in(&idp).await;
    let mut other = thief(&world, &browser);
    clock.advance(250);
    other.json("/fn/renew", "{}").await.expect_status(200);
    other.get("/").await.expect_status(200);
    browser.form("/logout", &[]).await.expect_status(200);
    assert_signed_out(&mut other).await;
}

/// A session whose ID token has expired and that cannot be renewed has ended everywhere.
#[tokio::test]
async fn a_session_that_cannot_be_renewed_is_over_everywhere() {
    let (clock, idp, world) = start(RENEWS, "").await;
    let mut browser = Browser::new(&world);
    browser.sign_in(&idp).await;
    idp.set(|inner| inner.error = Some(serde_json::json!({ "error": "invalid_grant" })));
    clock.advance(400);
    for path in ["/conf.yml", "/extra.yml", "/notes.txt", "/"] {
        let mut copy = thief(&world, &browser);
        let reply = copy.get(path).await;
        assert!(reply.status != 200 || !reply.text.contains("Alpha"), "{path}");
    }
    assert_signed_out(&mut thief(&world, &browser)).await;
}

/// If the folder is read-only, the sign-out is remembered until the server stops.
#[tokio::test]
async fn without_a_writable_folder_the_sign_out_counts_all_the_same() {
    let clock = SetClock::new();
    let world = users(&clock).await;
    std::fs::create_dir(world.path(".signed-out")).unwrap();
    let mut anna = Browser::new(&world);
    sign_in_as(&mut anna, "anna").await;
    let copy = thief(&world, &anna);
    anna.form("/logout", &[]).await.expect_status(303);
    assert_signed_out(&mut thief(&world, &copy)).await;
}

/// Servers with the same key need not share a folder: signing in at one after a sign-out works at all of them.
#[tokio::test]
async fn servers_with_one_key_stay_exchangeable() {
    let clock = SetClock::new();
    let idp = Idp::start(&clock).await;
    let server = || idp.setup(&clock, "", "").env("SESSION_SECRET", "a key of thirty-two characters or more");
    let worlds = [server().start().await, server().start().await];
    let mut browser = Browser::new(&worlds[0]);
    browser.sign_in(&idp).await;
    browser.form("/logout", &[]).await.expect_status(200);
    clock.advance(1);
    let mut elsewhere = Browser::new(&worlds[1]);
    elsewhere.sign_in(&idp).await;
    let mut back = thief(&worlds[0], &elsewhere);
    back.get("/").await.expect_status(200);
    assert_eq!(back.session().await["kind"], Value::from("oidc"));
}

#[tokio::test]
async fn signing_out_leads_where_the_config_says() {
    let clock = SetClock::new();
    for (address, expected) in [
        ("https://sso.example/logout?rd=a b", "https://sso.example/logout?rd=a%20b"),
        ("/oauth2/sign_out", "/oauth2/sign_out"),
    ] {
        let conf = format!("{CONF}{USERS}    logoutRedirectUrl: '{address}'\n");
        let world = Setup::new().clock(Arc::new(clock.clone())).file("conf.yml", conf).start().await;
        let mut anna = Browser::new(&world);
        sign_in_as(&mut anna, "anna").await;
        let copy = thief(&world, &anna);
        let page = anna.form("/logout", &[]).await.expect_status(200);
        assert_eq!(page.header("refresh"), format!("0; url={expected}"));
        assert!(page.text.contains(&format!("href=\"{expected}\"")) && !page.text.contains("identity provider"));
        assert!(anna.cookies.is_empty());
        assert_signed_out(&mut thief(&world, &copy)).await;
        sign_in_as(&mut anna, "anna").await;
        let next = anna.json("/fn/sign-out", "{}").await.expect_status(200).json();
        assert_eq!(next["address"], expected);
    }
}

/// A proxy ends its session itself, so there is nothing to sign out of here, unless the config says where.
#[tokio::test]
async fn people_whom_a_proxy_signs_in_leave_by_the_way_that_the_config_names() {
    for (line, expected) in [("", None), ("    logoutRedirectUrl: /oauth2/sign_out\n", Some("/oauth2/sign_out"))] {
        let auth = "    enableHeaderAuth: true\n    headerAuth: { proxyWhitelist: [ 10.0.0.2 ] }\n";
        let world = Setup::new().file("conf.yml", format!("{CONF}{USERS}{auth}{line}")).start().await;
        let request = |method, path| {
            world.request(method, path).peer("10.0.0.2").header("remote-user", "anna").header("host", "dash.lan")
        };
        let page = request("GET", "/").send().await.expect_status(200);
        assert_eq!(page.text.contains("action=\"/logout\""), expected.is_some(), "{line}");
        if let Some(expected) = expected {
            let out = request("POST", "/logout").header("origin", "http://dash.lan").send().await.expect_status(200);
            assert_eq!(out.header("refresh"), format!("0; url={expected}"));
        }
    }
}

#[tokio::test]
async fn a_provider_is_asked_to_send_people_where_the_config_says() {
    let named = "    logoutRedirectUrl: https://portal.example/bye\n";
    for (oidc, auth, back) in [
        ("", named, Some("https://portal.example/bye")),
        (", postLogoutRedirectUri: 'https://dash.example/'", named, Some("https://dash.example/")),
        ("", "    logoutRedirectUrl: /bye\n", None),
        ("", "", None),
    ] {
        let (_clock, idp, world) = start(oidc, auth).await;
        let mut browser = Browser::new(&world);
        browser.sign_in(&idp).await;
        let next = browser.json("/fn/sign-out", "{}").await.expect_status(200).json();
        let (address, parameters) = asked(next["address"].as_str().unwrap());
        assert!(address.as_str().contains("/end"), "{address}");
        assert_eq!(parameters.get("post_logout_redirect_uri").map(String::as_str), back, "{oidc} {auth}");
    }
    // If the provider has no sign-out, the browser goes there at once.
    let (_clock, idp, world) = start("", named).await;
    idp.set(|inner| inner.description["end_session_endpoint"].take());
    let mut browser = Browser::new(&world);
    browser.sign_in(&idp).await;
    let next = browser.json("/fn/sign-out", "{}").await.expect_status(200).json();
    assert_eq!(next["address"], "https://portal.example/bye");
}
