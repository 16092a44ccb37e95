//! The server functions for signing in: `session`, `renew`, `sign-in` and `sign-out`.

use std::sync::Arc;

use serde_json::json;

use crate::{
    browser::Browser,
    provider::{NOW, SetClock, asked, start},
    world::{CONF, Setup, USERS},
};

#[tokio::test]
async fn a_script_learns_where_to_sign_in_and_out() {
    let (_clock, idp, world) = start("", "    enableGuestAccess: true\n").await;
    let mut browser = Browser::new(&world);
    let begun = browser.json("/fn/sign-in", r#"{"return_to":"/home/alpha?x=1"}"#).await.expect_status(200);
    assert_eq!(begun.header("cache-control"), "no-store");
    let address = begun.json()["address"].as_str().unwrap().to_owned();
    let (_, parameters) = asked(&address);
    assert_eq!(parameters["redirect_uri"], "http://dash.lan");
    let back = browser.get(&idp.consent(&address)).await.expect_status(303);
    assert_eq!(back.header("location"), "/home/alpha?x=1");
    let session = browser.json("/fn/session", "{}").await.expect_status(200).json();
    assert_eq!((&session["name"], &session["now"]), (&json!("carol"), &json!(NOW)));
    let ended = browser.json("/fn/sign-out", "{}").await.expect_status(200).json();
    let (address, parameters) = asked(ended["address"].as_str().unwrap());
    assert_eq!(address.path(), "/end");
    assert_eq!(parameters["id_token_hint"], session["idToken"].as_str().unwrap());
    assert!(browser.cookies.is_empty());
    assert_eq!(browser.json("/fn/session", "{}").await.json()["kind"], "none");
}

#[tokio::test]
async fn both_ways_of_setting_out_ask_for_the_same() {
    let (_clock, _idp, world) = start("", "").await;
    let mut browser = Browser::new(&world);
    let by_script = browser.json("/fn/sign-in", r#"{"return_to":"/"}"#).await.json();
    let by_link = browser.get("/login/provider?return_to=/").await.header("location");
    let (one, mut first) = asked(by_script["address"].as_str().unwrap());
    let (other, mut second) = asked(&by_link);
    for parameters in [&mut first, &mut second] {
        for name in ["state", "nonce", "code_challenge"] {
            assert!(parameters.remove(name).unwrap().len() >= 43);
        }
    }
    assert_eq!((one.path(), first), (other.path(), second));
}

#[tokio::test]
async fn sign_in_never_redirects_to_another_site() {
    let (_clock, idp, world) = start("", "").await;
    for wanted in ["https://evil.example/", "//evil.example", "/\\\\evil.example", "/logout", "/fn/session", ""] {
        let mut browser = Browser::new(&world);
        let arguments = json!({ "return_to": wanted }).to_string();
        let begun = browser.json("/fn/sign-in", &arguments).await.expect_status(200).json();
        let back = browser.get(&idp.consent(begun["address"].as_str().unwrap())).await.expect_status(303);
        assert_eq!(back.header("location"), "/", "{wanted}");
    }
}

#[tokio::test]
async fn an_unreachable_provider_is_reported_and_the_page_stays() {
    let (clock, idp, world) = start("", "").await;
    idp.set(|inner| inner.down = true);
    let mut browser = Browser::new(&world);
    let told = browser.json("/fn/sign-in", r#"{"return_to":"/home/alpha"}"#).await.expect_status(503).json();
    assert_eq!(
        told,
        json!({
            "address": "/login/provider?return_to=/home/alpha",
            "message": "The identity provider cannot be reached.",
        })
    );
    assert!(browser.cookies.is_empty());
    idp.set(|inner| inner.down = false);
    clock.advance(2);
    browser.json("/fn/sign-in", r#"{"return_to":"/"}"#).await.expect_status(200);
}

#[tokio::test]
async fn accounts_sign_in_on_our_own_page() {
    let clock = SetClock::new();
    let conf = format!("{CONF}{USERS}");
    let world = Setup::new().clock(Arc::new(clock)).file("conf.yml", conf).start().await;
    let mut browser = Browser::new(&world);
    let begun = browser.json("/fn/sign-in", r#"{"return_to":"/home/alpha"}"#).await.expect_status(200).json();
    assert_eq!(begun, json!({ "address": "/login?return_to=/home/alpha" }));
    browser.form("/login", &[("user", "bob"), ("password", "bob")]).await.expect_status(303);
    // There is nothing to renew, so nothing has ended either.
    assert_eq!(browser.json("/fn/renew", "{}").await.expect_status(200).json()["kind"], "users");
    let ended = browser.json("/fn/sign-out", "{}").await.expect_status(200).json();
    assert_eq!(ended, json!({ "address": "/login" }));
    assert!(browser.cookies.is_empty());
    let told = browser.json("/fn/session", "{}").await.expect_status(401).json();
    assert_eq!(told["signIn"], "/login?return_to=/");
}

#[tokio::test]
async fn only_scripts_of_our_own_page_may_ask() {
    let (_clock, idp, world) = start("", "").await;
    let mut browser = Browser::new(&world);
    browser.sign_in(&idp).await;
    for function in ["session", "renew", "sign-in", "sign-out"] {
        let path = format!("/fn/{function}");
        browser.form_from("https://evil.example", &path, &[]).await.expect_status(403);
        browser.form(&path, &[]).await.expect_status(415);
        assert!(!browser.get(&path).await.status.is_success(), "{path}");
        let large = json!({ "return_to": "x".repeat(70_000) }).to_string();
        let told = browser.json(&path, &large).await.expect_status(413).json();
        assert_eq!(told["message"], "This is too large: at most 16 KB can be sent.", "{path}");
        let nonsense = browser.json(&path, "[").await;
        assert!(!nonsense.status.is_success() && !nonsense.text.contains("eyJ"), "{path}");
    }
    browser.get("/").await.expect_status(200);
}

#[tokio::test]
async fn arguments_that_cannot_be_read_are_the_senders_fault() {
    let world = Setup::new().file("conf.yml", CONF).start().await;
    for (function, arguments) in [("sign-in", "{bad"), ("sign-in", "{}"), ("panel-action", "[]")] {
        let reply = world.send("POST", &format!("/fn/{function}"), arguments).await;
        assert_eq!(reply.status, 400, "{function} {arguments}: {}", reply.text);
        let message = reply.json()["message"].as_str().unwrap_or_default().to_owned();
        assert!(message.starts_with("the arguments cannot be read: "), "{message}");
    }
    assert_eq!(world.get("/fn/panel").await.status, 400);
}

#[tokio::test]
async fn addresses_and_methods_without_a_function_are_answered_like_all_others() {
    let world = Setup::new().file("conf.yml", CONF).start().await;
    for (method, path, status, allowed) in [
        ("GET", "/fn/session", 405, "POST"),
        ("GET", "/fn/editor-save", 405, "POST"),
        ("HEAD", "/fn/sign-in", 405, "POST"),
        ("DELETE", "/fn/session", 405, "POST"),
        ("POST", "/fn/panel?page=home&section=0&widget=0&kind=clock", 405, "GET, HEAD"),
        ("GET", "/fn/nothing", 404, ""),
        ("POST", "/fn/nothing", 404, ""),
        ("GET", "/fn/session/x", 404, ""),
    ] {
        let reply = world.send(method, path, "{}").await;
        assert_eq!((reply.status.as_u16(), reply.header("allow").as_str()), (status, allowed), "{method} {path}");
        assert!(!reply.text.contains("server function"), "{}", reply.text);
    }
}

#[tokio::test]
async fn nothing_is_read_for_those_who_may_not_send_it() {
    let world = Setup::new().file("conf.yml", format!("{CONF}{USERS}")).start().await;
    for (function, status) in
        [("editor-upload", 401), ("editor-save", 401), ("panel-by-browser", 401), ("sign-in", 413)]
    {
        let large = "x".repeat(3_000_000);
        let reply = world.send("POST", &format!("/fn/{function}"), &large).await;
        assert_eq!(reply.status, status, "{function}: {}", reply.text);
    }
}
