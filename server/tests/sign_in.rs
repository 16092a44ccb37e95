//! Signing in at a provider and on the login page (behaviour.md 19): the ways that work.

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
    world.ask("GET", "/api/config").bearer(token).send().await.expect_status(200);
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
