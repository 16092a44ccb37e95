//! Signing in by people and browsers that mean harm, or make mistakes (docs/spec/behavior.md 19.4).

use serde_json::json;

use crate::{
    browser::Browser,
    provider::{Idp, asked, start},
    world::Reply,
};

/// Sends a browser to the provider and gives the address of the way back.
pub async fn redirect_to_provider(browser: &mut Browser<'_>, idp: &Idp) -> String {
    let away = browser.get("/login/provider?return_to=/").await.expect_status(303).header("location");
    idp.consent(&away)
}

/// Checks a page that says why there is no sign-in.
#[track_caller]
pub fn is_failure(reply: Reply, status: u16, words: &str) {
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
    let back = redirect_to_provider(&mut browser, &idp).await;
    let mine = redirect_to_provider(&mut other, &idp).await;
    starts_again(other.get(&back).await);
    // Somebody else's code with a state of one's own: the code does not fit the verifier.
    let code = |path: &str| asked(&format!("http://x{path}")).1["code"].clone();
    let state = |path: &str| asked(&format!("http://x{path}")).1["state"].clone();
    let swapped = format!("/?code={}&state={}", code(&back), state(&mine));
    is_failure(other.get(&swapped).await, 400, "invalid_grant");
    assert!(other.cookies.keys().all(|name| !name.contains("-session-")));
    let back = redirect_to_provider(&mut browser, &idp).await;
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
        // In time, it works, and leads to where the user wanted to go, if that is still known.
        let mut in_time = Browser::new(&world);
        in_time.cookies.clone_from(&browser.cookies);
        let back = in_time.get(&idp.consent(&again)).await.expect_status(303);
        assert_eq!(back.header("location"), if loses_cookies { "/" } else { "/home/alpha" });
        in_time.get("/").await.expect_status(200);
        // The second time it is too late, an error page explains it.
        is_failure(late(&mut browser, &again).await, 400, "not started here");
    }
}

/// Keycloak, when the login page stands in two tabs and the user has signed in in the other.
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
async fn denied_consent_is_explained_without_further_advice() {
    let (_clock, _idp, world) = start("", "").await;
    let mut browser = Browser::new(&world);
    let away = browser.get("/login/provider").await.header("location");
    let reply = browser.get(&format!("/?error=access_denied&state={}", asked(&away).1["state"])).await;
    for absent in ["PKCE", "scopes", "check-oidc", "What to check"] {
        assert!(!reply.text.contains(absent), "{absent}: {}", reply.text);
    }
    is_failure(reply, 400, "Access was denied at the identity provider");
}

#[tokio::test]
async fn failures_are_in_the_language_of_the_browser() {
    let (_clock, idp, world) = start("", "").await;
    let french = |path: &str| world.request("GET", path).header("accept-language", "fr").send();
    let unknown = french("/?error=server_error&state=unknown").await;
    assert!(unknown.text.contains(" lang=\"fr\""), "{}", unknown.text);
    assert!(unknown.text.contains("Votre navigateur accepte-t-il les cookies de cette adresse ?"), "{}", unknown.text);
    is_failure(unknown, 400, "Cette connexion n’a pas commencé ici");
    // The technical reason stays English, and is marked as English for screen readers.
    idp.set(|inner| inner.down = true);
    let away = french("/login/provider").await;
    assert!(away.text.contains("<p dir=\"auto\">"), "{}", away.text);
    assert!(away.text.contains("Le fournisseur fonctionne-t-il"), "{}", away.text);
    is_failure(away, 503, "Le fournisseur d’identité est injoignable");
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
    is_failure(reply, 508, "The session cookie was missing");
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
    assert!(
        !world.request("GET", "/api/config").bearer(&idp.token(json!({}))).send().await.text.contains("session-key")
    );
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
    let request =
        world.request("PUT", "/api/config/conf.yml").header("cookie", &cookie.join("; ")).body(r#"{"sections":[]}"#);
    request.send().await.expect_status(401);
    world.assert_unchanged();
    browser.json("/config-manager/save", r#"{"config":"sections: []"}"#).await.expect_status(200);
}
