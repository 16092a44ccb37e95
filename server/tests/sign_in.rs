//! Signing in at a provider and on the login page (docs/spec/behavior.md 19): successful sign-ins.

use serde_json::json;

use crate::{
    browser::Browser,
    provider::{Idp, NOW, SetClock, asked},
};

#[tokio::test]
async fn a_person_signs_in_at_the_provider_and_lands_where_they_wanted_to_go() {
    let clock = SetClock::new();
    let idp = Idp::start(&clock).await;
    let world = idp.world(&clock, "", "").await;
    let mut browser = Browser::new(&world);
    let first = browser.get("/home/alpha?x=1").await.expect_status(303);
    assert_eq!(first.header("location"), "/login/provider?return_to=/home/alpha%3Fx%3D1");
    assert_eq!(first.header("cache-control"), "no-store");
    let away = browser.get(&first.header("location")).await.expect_status(303).header("location");
    let (_, parameters) = asked(&away);
    assert_eq!(parameters["redirect_uri"], "http://dash.lan");
    assert_eq!(parameters["scope"], "openid profile email roles groups");
    let back = browser.get(&idp.consent(&away)).await.expect_status(303);
    assert_eq!(back.header("location"), "/home/alpha?x=1");
    browser.get("/").await.expect_status(200);
    assert_eq!(browser.cookies.len(), 1, "{:?}", browser.cookies.keys());
    let session = browser.json("/fn/session", "{}").await.expect_status(200).json();
    assert_eq!(session["kind"], "oidc");
    assert_eq!(session["name"], "carol");
    assert_eq!(session["isAdmin"], false);
    assert_eq!(session["idTokenExpires"], NOW + 300);
    assert_eq!(session.get("renewAt"), None);
    let token = session["idToken"].as_str().unwrap();
    world.request("GET", "/api/config").bearer(token).send().await.expect_status(200);
    // The session ends with the token.
    clock.advance(331);
    let again = browser.get("/").await.expect_status(303);
    assert_eq!(again.header("location"), "/login/provider?return_to=/");
}

#[tokio::test]
async fn built_in_users_sign_in_on_the_login_page() {
    let clock = SetClock::new();
    let conf = format!("{}{}", crate::world::CONF, crate::world::USERS);
    let world =
        crate::world::Setup::new().clock(std::sync::Arc::new(clock.clone())).file("conf.yml", conf).start().await;
    let mut browser = Browser::secure(&world);
    let first = browser.get("/home/alpha").await.expect_status(303);
    assert_eq!(first.header("location"), "/login?return_to=/home/alpha");
    let page = browser.get(&first.header("location")).await.expect_status(200);
    assert!(page.text.contains("name=\"password\"") && page.text.contains("/home/alpha"), "{}", page.text);
    let wrong = browser.form("/login", &[("user", "anna"), ("password", "bob")]).await.expect_status(401);
    assert!(wrong.text.contains("User name or password is wrong.") && wrong.text.contains("value=\"anna\""));
    let fields = [("user", "ANNA"), ("password", "anna"), ("remember", "4h"), ("return_to", "/home/alpha")];
    let right = browser.form("/login", &fields).await.expect_status(303);
    assert_eq!(right.header("location"), "/home/alpha");
    assert!(right.header("set-cookie").contains("Max-Age=14400"));
    browser.get("/").await.expect_status(200);
    let session = browser.json("/fn/session", "{}").await.expect_status(200).json();
    assert_eq!(session, json!({ "kind": "users", "name": "Anna", "isAdmin": true, "now": NOW }));
    let out = browser.form("/logout", &[]).await.expect_status(303);
    assert_eq!(out.header("location"), "/login");
    assert!(browser.cookies.is_empty());
    browser.get("/").await.expect_status(303);
}

#[tokio::test]
async fn a_person_has_the_best_name_that_the_token_knows() {
    let clock = SetClock::new();
    let idp = Idp::start(&clock).await;
    let world = idp.world(&clock, "", "").await;
    for (claims, expected) in [
        (json!({ "preferred_username": "carol", "email": "c@example.org", "name": "Carol C" }), "carol"),
        (json!({ "preferred_username": null, "email": "c@example.org", "name": "Carol C" }), "c@example.org"),
        (json!({ "preferred_username": "", "email": 7 }), "7"),
        (json!({ "preferred_username": null, "name": "Carol C" }), "u-1"),
    ] {
        idp.set(|inner| inner.claims = claims.clone());
        let mut browser = Browser::new(&world);
        browser.sign_in(&idp).await;
        let session = browser.json("/fn/session", "{}").await.expect_status(200).json();
        assert_eq!(session["name"], expected, "{claims}");
    }
}

/// Servers keep no state that another server would need, neither for a sign-in in progress nor for a session.
#[tokio::test]
async fn any_of_several_servers_with_one_key_will_do() {
    let clock = SetClock::new();
    let idp = Idp::start(&clock).await;
    let server = |secret: &str| idp.setup(&clock, ", enableSilentRenew: true", "").env("SESSION_SECRET", secret);
    let secret = "a key of thirty-two characters or more";
    let worlds = [server(secret).start().await, server(secret).start().await, server(secret).start().await];
    let mut first = Browser::new(&worlds[0]);
    let away = first.get("/login/provider?return_to=/home/alpha").await.header("location");
    let mut second = Browser::new(&worlds[1]);
    second.cookies.clone_from(&first.cookies);
    assert_eq!(second.get(&idp.consent(&away)).await.expect_status(303).header("location"), "/home/alpha");
    let mut third = Browser::new(&worlds[2]);
    third.cookies.clone_from(&second.cookies);
    assert_eq!(third.json("/fn/session", "{}").await.expect_status(200).json()["name"], "carol");
    clock.advance(250);
    third.json("/fn/renew", "{}").await.expect_status(200);
    first.cookies.clone_from(&third.cookies);
    first.get("/").await.expect_status(200);
    assert!(!worlds[0].path(".session-key").exists());
    // With another key, the session is invalid.
    let other = server("another key of thirty-two characters").start().await;
    let mut stranger = Browser::new(&other);
    stranger.cookies.clone_from(&third.cookies);
    stranger.get("/").await.expect_status(303);
}

#[tokio::test]
async fn another_provider_in_the_config_waits_for_a_restart() {
    let clock = SetClock::new();
    let idp = Idp::start(&clock).await;
    let world = idp.world(&clock, "", "").await;
    let mut browser = Browser::new(&world);
    browser.sign_in(&idp).await;
    std::fs::write(world.path("conf.yml"), idp.conf("", "").replace("clientId: dashboard", "clientId: other")).unwrap();
    world.poll().await;
    browser.get("/").await.expect_status(200);
    let mut other = Browser::new(&world);
    let away = other.get("/login/provider").await.expect_status(303).header("location");
    assert_eq!(asked(&away).1["client_id"], "dashboard");
    // Turning it off in the file does not open anything either.
    std::fs::write(world.path("conf.yml"), crate::world::CONF).unwrap();
    world.poll().await;
    other.get("/").await.expect_status(303);
    other.get("/extra.yml").await.expect_status(401);
}

#[tokio::test]
async fn passwords_may_stand_in_the_environment() {
    let clock = SetClock::new();
    let conf = format!(
        "{}appConfig: {{ auth: {{ users: [ {{ user: anna, password: VUE_APP_ANNA }}, {{ user: bob, password: DASHY_BOB }}, \
         {{ user: carl, password: VITE_APP_UNSET }} ] }} }}\n",
        crate::world::CONF
    );
    let setup = crate::world::Setup::new().clock(std::sync::Arc::new(clock)).file("conf.yml", conf);
    let world = setup.env("VUE_APP_ANNA", "pass word").env("DASHY_BOB", "b\n").start().await;
    for (user, password, status) in
        [("anna", "pass word", 303), ("bob", "b", 303), ("anna", "VUE_APP_ANNA", 401), ("carl", "VITE_APP_UNSET", 401)]
    {
        let mut browser = Browser::new(&world);
        let reply = browser.form("/login", &[("user", user), ("password", password)]).await;
        assert_eq!(reply.status.as_u16(), status, "{user} {password}");
        browser.get("/").await.expect_status(if status == 303 { 200 } else { 303 });
    }
}
