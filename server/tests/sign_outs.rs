//! Signing out ends a session on the server too, even for copies of its cookie (docs/spec/behaviour.md
//! 19.4).

use std::{sync::Arc, time::Duration};

use serde_json::Value;

use crate::{
    browser::Browser,
    provider::{Idp, SetClock, start},
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
    // The person signs in again.
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
