//! The life of a session: sign-out, guests, the login page, accounts (docs/spec/behavior.md 19).

use std::sync::Arc;

use serde_json::{Value, json};

use crate::{
    browser::Browser,
    provider::{Idp, NOW, SetClock, asked, start},
    world::{CONF, Setup, USERS, World},
};

async fn users(clock: &SetClock, auth: &str) -> World {
    let conf = format!("{CONF}{USERS}{auth}");
    Setup::new().clock(Arc::new(clock.clone())).file("conf.yml", conf).start().await
}

#[tokio::test]
async fn signing_out_reaches_the_provider() {
    let (_clock, idp, world) = start(", postLogoutRedirectUri: 'https://dash.example/bye'", "").await;
    let mut browser = Browser::new(&world);
    browser.sign_in(&idp).await;
    let token = browser.session().await["idToken"].as_str().unwrap().to_owned();
    let reply = browser.form("/logout", &[]).await.expect_status(200);
    let refresh = reply.header("refresh");
    let (address, parameters) = asked(refresh.strip_prefix("0; url=").unwrap());
    assert_eq!(address.path(), "/end");
    assert_eq!(parameters["id_token_hint"], token);
    assert_eq!(parameters["client_id"], "dashboard");
    assert_eq!(parameters["post_logout_redirect_uri"], "https://dash.example/bye");
    assert!(parameters["state"].len() > 20);
    assert!(browser.cookies.is_empty());
    browser.get("/").await.expect_status(303);
}

#[tokio::test]
async fn signing_out_works_without_the_provider() {
    let (_clock, idp, world) = start("", "").await;
    idp.set(|inner| inner.description["end_session_endpoint"] = Value::Null);
    let mut browser = Browser::new(&world);
    browser.sign_in(&idp).await;
    let reply = browser.form("/logout", &[]).await.expect_status(303);
    assert_eq!(reply.header("location"), "/signed-out");
    assert!(browser.cookies.is_empty());
    // The page says so and does not redirect.
    let page = browser.get("/signed-out").await.expect_status(200);
    assert!(page.text.contains("href=\"/login/provider\"") && page.header("refresh").is_empty());
}

#[tokio::test]
async fn signing_out_works_while_the_provider_is_away() {
    for path in ["/logout", "/fn/sign-out"] {
        let (clock, idp, world) = start("", "").await;
        let mut browser = Browser::new(&world);
        browser.sign_in(&idp).await;
        idp.set(|inner| inner.down = true);
        // A server that was restarted, and has not contacted the provider yet.
        let again = idp.setup(&clock, "", "").directory(&world.path("")).start().await;
        let mut other = Browser::new(&again);
        other.cookies.clone_from(&browser.cookies);
        other.get("/").await.expect_status(200);
        let reply = if path == "/logout" { other.form(path, &[]).await } else { other.json(path, "{}").await };
        assert_eq!(reply.status, if path == "/logout" { 303 } else { 200 });
        assert!(other.cookies.is_empty(), "{path}");
        other.get("/").await.expect_status(303);
    }
}

#[tokio::test]
async fn guests_see_what_is_for_guests() {
    let (_clock, idp, world) = start("", "    enableGuestAccess: true\n").await;
    let mut browser = Browser::new(&world);
    let page = browser.get("/").await.expect_status(200);
    assert!(page.text.contains("href=\"/login/provider?return_to="), "{}", page.text);
    assert!(browser.get("/conf.yml").await.expect_status(200).text.contains("Alpha"));
    let session = browser.session().await;
    assert_eq!(session, json!({ "kind": "none", "name": "", "isAdmin": false, "now": NOW }));
    browser.json("/config-manager/save", r#"{"config":"sections: []"}"#).await.expect_status(403);
    browser.sign_in_via_link(&idp).await;
    let page = browser.get("/").await.expect_status(200);
    assert!(page.text.contains("<p class=\"account-name\">carol</p>"));
}

#[tokio::test]
async fn the_login_page_comes_first_until_a_user_signs_in() {
    let (_clock, idp, world) = start(", showLoginPage: true", "    enableGuestAccess: true\n").await;
    let mut browser = Browser::new(&world);
    for _ in 0..4 {
        let reply = browser.get("/home/alpha").await.expect_status(303);
        assert_eq!(reply.header("location"), "/login?return_to=/home/alpha");
        let page = browser.get(&reply.header("location")).await.expect_status(200);
        assert!(page.text.contains("/login/provider?return_to=%2Fhome%2Falpha"), "{}", page.text);
        assert!(page.text.contains("/home/alpha?guest"));
        assert!(browser.get("/home/alpha?guest").await.expect_status(200).text.contains("Alpha"));
    }
    browser.sign_in_via_link(&idp).await;
    browser.get("/").await.expect_status(200);
    let page = browser.get("/login").await.expect_status(200);
    assert!(page.text.contains("carol"));
    // Without guests, the provider is the only way in.
    let (_clock, _idp, world) = start(", showLoginPage: true", "").await;
    let mut browser = Browser::new(&world);
    let page = browser.get("/login").await.expect_status(200);
    assert!(!page.text.contains("?guest"));
    browser.get("/?guest").await.expect_status(303);
}

#[tokio::test]
async fn the_config_tells_strangers_how_to_sign_in_and_nothing_more() {
    let (_clock, idp, world) = start("", "").await;
    let mut browser = Browser::new(&world);
    let reply = browser.get("/conf.yml").await.expect_status(200);
    assert!(reply.header("cache-control").contains("no-store"));
    let told: Value = serde_yaml::from_str(&reply.text).unwrap();
    assert_eq!(told["appConfig"]["auth"]["oidc"]["clientId"], "dashboard");
    assert_eq!(told["pageInfo"], json!({ "title": "Base" }));
    assert_eq!(told["_bootstrap"], json!({ "authenticated": false, "timestamp": NOW * 1000 }));
    assert!(!reply.text.contains("Alpha"));
    for path in ["/extra.yml", "/download", "/notes.txt"] {
        browser.get(path).await.expect_status(401);
    }
    browser.sign_in(&idp).await;
    assert!(browser.get("/conf.yml").await.expect_status(200).text.contains("Alpha"));
}

#[tokio::test]
async fn a_check_for_show_keeps_nothing_closed() {
    let (_clock, idp, world) = start(", disableServerSideCheck: true", "").await;
    let mut browser = Browser::new(&world);
    assert!(browser.get("/conf.yml").await.expect_status(200).text.contains("Alpha"));
    // The page requires a sign-in, in the browser only.
    browser.sign_in(&idp).await;
    let page = browser.get("/").await.expect_status(200);
    assert!(page.text.contains("<p class=\"account-name\">carol</p>"));
    browser.json("/config-manager/save", r#"{"config":"sections: []"}"#).await.expect_status(200);
}

#[tokio::test]
async fn the_login_form_says_what_is_missing_and_nothing_about_who_exists() {
    let clock = SetClock::new();
    let world = users(&clock, "").await;
    let mut browser = Browser::new(&world);
    for (user, password, words) in [
        ("", "x", "Enter your user name."),
        (" ", "x", "Enter your user name."),
        ("anna", "", "Enter your password."),
        ("anna", "wrong", "User name or password is wrong."),
        ("nobody", "wrong", "User name or password is wrong."),
    ] {
        let reply = browser.form("/login", &[("user", user), ("password", password)]).await.expect_status(401);
        assert!(reply.text.contains(words), "{user} {password}");
        assert!(reply.header("www-authenticate").is_empty());
        assert!(browser.cookies.is_empty());
    }
    let reply = browser.form("/login", &[("user", "<b>"), ("password", "x")]).await;
    assert!(!reply.text.contains("<b>"));
    let large = "x".repeat(20_000);
    browser.form("/login", &[("user", "anna"), ("password", &large)]).await.expect_status(413);
}

#[tokio::test(start_paused = true)]
async fn guessing_on_the_login_page_takes_time() {
    let clock = SetClock::new();
    let world = users(&clock, "").await;
    let mut browser = Browser::new(&world);
    for _ in 0..5 {
        browser.form("/login", &[("user", "anna"), ("password", "guess")]).await.expect_status(401);
    }
    let before = tokio::time::Instant::now();
    browser.form("/login", &[("user", "anna"), ("password", "guess")]).await.expect_status(401);
    assert_eq!(before.elapsed().as_millis(), 250);
    let before = tokio::time::Instant::now();
    browser.form("/login", &[("user", "anna"), ("password", "anna")]).await.expect_status(303);
    assert_eq!(before.elapsed().as_millis(), 0);
}

#[tokio::test]
async fn sessions_of_accounts_last_as_long_as_was_asked_for() {
    for (remember, seconds) in
        [("4h", 4 * 3600), ("1d", 24 * 3600), ("1w", 7 * 24 * 3600), ("1y", 365 * 24 * 3600), ("never", 30 * 24 * 3600)]
    {
        let clock = SetClock::new();
        let world = users(&clock, "").await;
        let mut browser = Browser::new(&world);
        let fields = [("user", "bob"), ("password", "bob"), ("remember", remember)];
        let reply = browser.form("/login", &fields).await.expect_status(303);
        assert_eq!(reply.header("set-cookie").contains("Max-Age"), remember != "never");
        clock.advance(seconds - 1);
        browser.get("/").await.expect_status(200);
        clock.advance(1);
        browser.get("/").await.expect_status(303);
    }
}

#[tokio::test]
async fn a_changed_password_ends_the_sessions_of_its_user() {
    let clock = SetClock::new();
    let world = users(&clock, "").await;
    let (mut anna, mut bob) = (Browser::new(&world), Browser::new(&world));
    anna.form("/login", &[("user", "anna"), ("password", "anna")]).await.expect_status(303);
    bob.form("/login", &[("user", "bob"), ("password", "bob")]).await.expect_status(303);
    let conf = world.text("conf.yml").replace("81b637d8", "91b637d8");
    anna.json("/config-manager/save", &json!({ "config": conf }).to_string()).await.expect_status(200);
    bob.get("/").await.expect_status(303);
    anna.get("/").await.expect_status(200);
    // Upper and lower case of a hash mean the same.
    let conf = conf.replace("55579B55", "55579b55");
    anna.json("/config-manager/save", &json!({ "config": conf }).to_string()).await.expect_status(200);
    anna.get("/").await.expect_status(200);
    bob.json("/config-manager/save", &json!({ "config": conf }).to_string()).await.expect_status(401);
    // Somebody who is no longer an admin stays signed in, as an ordinary user.
    let conf = conf.replace(", type: admin", "");
    anna.json("/config-manager/save", &json!({ "config": conf }).to_string()).await.expect_status(200);
    anna.json("/config-manager/save", &json!({ "config": conf }).to_string()).await.expect_status(403);
}

#[tokio::test]
async fn with_http_auth_browsers_ask_for_the_password_and_the_login_page_works_too() {
    let clock = SetClock::new();
    let conf = format!("{CONF}{USERS}");
    let setup = Setup::new().clock(Arc::new(clock)).env("ENABLE_HTTP_AUTH", "true").file("conf.yml", conf);
    let world = setup.start().await;
    let mut browser = Browser::new(&world);
    let reply = browser.get("/").await.expect_status(401);
    assert!(reply.header("www-authenticate").starts_with("Basic"));
    browser.form("/login", &[("user", "bob"), ("password", "bob")]).await.expect_status(303);
    browser.get("/").await.expect_status(200);
}

#[tokio::test]
async fn only_documents_are_led_to_sign_in() {
    let (_clock, _idp, world) = start("", "").await;
    for (path, mode) in
        [("/", "cors"), ("/home/alpha", "same-origin"), ("/notes.txt", "no-cors"), ("/get-user", "cors")]
    {
        let reply = world.request("GET", path).header("sec-fetch-mode", mode).send().await;
        assert!(reply.status == 401 || path == "/get-user", "{path}");
    }
    for path in ["/healthz", "/login/provider", "/signed-out", "/schema.json", "/main-0123456789abcdef.css"] {
        let reply = world.get(path).await;
        assert!(reply.status == 200 || reply.status == 303, "{path}");
    }
}

#[tokio::test]
async fn keycloak_is_a_provider_with_a_computed_issuer() {
    let clock = SetClock::new();
    let idp = Idp::start_at(&clock, "/auth/realms/home").await;
    let server = idp.issuer.strip_suffix("/auth/realms/home").unwrap();
    let conf = format!(
        "{CONF}appConfig:\n  auth:\n    enableKeycloak: true\n    keycloak: {{ serverUrl: '{server}/', realm: home, \
         clientId: dashboard, idpHint: github, legacySupport: true, adminRole: boss }}\n"
    );
    let world = idp.setup(&clock, "", "").file("conf.yml", conf).start().await;
    idp.set(|inner| inner.claims = json!({ "realm_access": { "roles": ["boss"] } }));
    let mut browser = Browser::new(&world);
    let away = browser.get("/login/provider").await.header("location");
    assert_eq!(asked(&away).1["kc_idp_hint"], "github");
    browser.sign_in(&idp).await;
    assert_eq!(browser.session().await["isAdmin"], true);
}

#[tokio::test]
async fn everything_stands_below_the_path_prefix() {
    let clock = SetClock::new();
    let idp = Idp::start(&clock).await;
    let world = idp.setup(&clock, "", "").env("BASE_URL", "/start").start().await;
    let mut browser = Browser::secure(&world);
    let reply = browser.get("/start/home/alpha").await.expect_status(303);
    assert_eq!(reply.header("location"), "/start/login/provider?return_to=/start/home/alpha");
    let away = browser.get(&reply.header("location")).await.header("location");
    assert_eq!(asked(&away).1["redirect_uri"], "https://dash.lan/start");
    let back = browser.get(&idp.consent(&away)).await.expect_status(303);
    assert_eq!(back.header("location"), "/start/home/alpha");
    browser.get("/start").await.expect_status(200);
}

#[tokio::test]
async fn a_user_header_from_an_untrusted_peer_has_no_effect() {
    let conf = format!("{CONF}{USERS}    enableHeaderAuth: true\n    headerAuth: {{ proxyWhitelist: [ 10.0.0.2 ] }}\n");
    let world = Setup::new().file("conf.yml", conf).start().await;
    for peer in ["10.0.0.3", "127.0.0.1"] {
        let request = |path: &str| world.request("GET", path).peer(peer).header("remote-user", "anna").send();
        for path in ["/", "/conf.yml"] {
            assert_eq!(request(path).await.expect_status(401).json()["success"], false, "{path}");
        }
        assert_eq!(request("/get-user").await.text, "{}");
    }
    let page = world.request("GET", "/").peer("10.0.0.2").header("remote-user", "anna").send().await.expect_status(200);
    assert!(page.text.contains("Anna") && !page.text.contains("\"/logout\""), "{}", page.text);
}
