//! Sessions of a provider are renewed before they end (docs/spec/behavior.md 19.4).

use serde_json::{Value, json};
use server::platform::page_files::HashedFile;

use crate::{
    browser::Browser,
    provider::{Idp, NOW, SetClock, asked, start},
    world::World,
};

const RENEWS: &str = ", enableSilentRenew: true";

#[tokio::test]
async fn sessions_are_renewed_over_many_lifetimes() {
    let (clock, idp, world) = start(RENEWS, "").await;
    let mut browser = Browser::new(&world);
    let away = browser.get("/login/provider").await.header("location");
    let (_, parameters) = asked(&away);
    assert_eq!(parameters["scope"], "openid profile email roles groups offline_access");
    assert_eq!(parameters.get("prompt"), None);
    browser.get(&idp.consent(&away)).await.expect_status(303);
    let mut before = browser.session().await;
    for _ in 0..4 {
        let due = before["renewAt"].as_u64().unwrap();
        assert!(due < before["idTokenExpires"].as_u64().unwrap());
        clock.advance(245);
        let after = browser.json("/fn/renew", "{}").await.expect_status(200).json();
        assert_ne!(after["idToken"], before["idToken"]);
        assert_eq!(after["renewAt"].as_u64().unwrap(), due + 245);
        assert_eq!(browser.session().await, after);
        before = after;
    }
    assert_eq!(idp.last_form()["grant_type"], "refresh_token");
    // Somebody who returns later still has a session, without a redirect to the provider.
    clock.advance(5000);
    browser.get("/").await.expect_status(200);
    assert_eq!(browser.session().await["idTokenExpires"], NOW + 4 * 245 + 5000 + 300);
}

#[tokio::test]
async fn renewal_is_due_before_the_first_of_the_tokens_ends() {
    for (answer, claims, expected) in [
        (json!({ "expires_in": 60 }), json!({}), 45),
        (json!({ "expires_in": 3600 }), json!({ "exp": NOW + 100 }), 75),
        (json!({ "expires_in": 3600 }), json!({ "exp": NOW + 4000 }), 3540),
        (json!({ "expires_in": null }), json!({ "exp": NOW + 400 }), 340),
        (json!({ "expires_in": "80" }), json!({}), 60),
    ] {
        let (_clock, idp, world) = start(RENEWS, "").await;
        idp.set(|inner| (inner.answer, inner.claims) = (answer.clone(), claims));
        let mut browser = Browser::new(&world);
        browser.sign_in(&idp).await;
        assert_eq!(browser.session().await["renewAt"], NOW + expected, "{answer}");
    }
}

#[tokio::test]
async fn a_refresh_token_is_used_once_however_many_tabs_ask() {
    let (clock, idp, world) = start(RENEWS, "").await;
    let mut browser = Browser::new(&world);
    browser.sign_in(&idp).await;
    clock.advance(250);
    let mut others: Vec<Browser<'_>> = (0..8).map(|_| Browser::new(&world)).collect();
    for other in &mut others {
        other.cookies.clone_from(&browser.cookies);
    }
    let before = idp.count("/token");
    let mut tasks = Vec::new();
    let (first, rest) = others.split_at_mut(4);
    let [a, b, c, d] = first else { unreachable!("there are four") };
    tasks.extend(
        tokio::join!(
            a.json("/fn/renew", "{}"),
            b.json("/fn/renew", "{}"),
            c.json("/fn/renew", "{}"),
            d.json("/fn/renew", "{}")
        )
        .into_iter_all(),
    );
    // Also requests a moment later with the old cookie.
    clock.advance(3);
    for other in rest {
        tasks.push(other.json("/fn/renew", "{}").await);
    }
    let tokens: Vec<Value> =
        tasks.into_iter().map(|reply| reply.expect_status(200).json()["idToken"].clone()).collect();
    assert!(tokens.iter().all(|token| *token == tokens[0]));
    assert_eq!(idp.count("/token"), before + 1);
}

/// Puts the answers of a `join!` into a list.
trait IntoIterAll<T> {
    fn into_iter_all(self) -> [T; 4];
}

impl<T> IntoIterAll<T> for (T, T, T, T) {
    fn into_iter_all(self) -> [T; 4] {
        [self.0, self.1, self.2, self.3]
    }
}

#[tokio::test]
async fn an_answer_without_a_new_refresh_token_keeps_the_old_one() {
    let (clock, idp, world) = start(RENEWS, "").await;
    let mut browser = Browser::new(&world);
    browser.sign_in(&idp).await;
    idp.set(|inner| inner.refreshed = json!({ "refresh_token": null }));
    for _ in 0..3 {
        clock.advance(250);
        browser.json("/fn/renew", "{}").await.expect_status(200);
    }
}

#[tokio::test]
async fn a_renewal_that_fails_leads_to_sign_in_and_is_not_tried_again() {
    for (refreshed, claims) in [
        (json!({ "id_token": null }), json!({})),
        (json!({ "id_token": "x" }), json!({})),
        (json!({}), json!({ "sub": "somebody else" })),
        (json!({}), json!({ "nonce": "other" })),
        (json!({}), json!({ "aud": "other" })),
    ] {
        let (clock, idp, world) = start(RENEWS, "").await;
        let mut browser = Browser::new(&world);
        browser.sign_in(&idp).await;
        idp.set(|inner| (inner.refreshed, inner.claims) = (refreshed.clone(), claims.clone()));
        clock.advance(250);
        let reply = browser.json("/fn/renew", "{}").await.expect_status(401);
        assert_eq!(reply.json()["signIn"], "/login/provider?return_to=/", "{refreshed} {claims}");
        let asked = idp.count("/token");
        // The rest of the session is still valid, but cannot be renewed.
        assert_eq!(browser.session().await.get("renewAt"), None);
        browser.json("/fn/renew", "{}").await.expect_status(401);
        browser.get("/").await.expect_status(200);
        clock.advance(200);
        browser.get("/").await.expect_status(303);
        assert_eq!(idp.count("/token"), asked);
    }
}

#[tokio::test]
async fn a_provider_that_is_away_costs_no_session() {
    let (clock, idp, world) = start(RENEWS, "").await;
    let mut browser = Browser::new(&world);
    browser.sign_in(&idp).await;
    idp.set(|inner| inner.down = true);
    clock.advance(250);
    let reply = browser.json("/fn/renew", "{}").await.expect_status(503);
    assert!(reply.json()["signIn"].is_string() && reply.json()["message"].is_string());
    browser.get("/").await.expect_status(200);
    clock.advance(200);
    browser.get("/").await.expect_status(303);
    // Nobody is signed out: the session goes on if the provider is back.
    for function in ["/fn/session", "/fn/renew"] {
        let told = browser.json(function, "{}").await.expect_status(503).json();
        assert_eq!(told["retryAt"], told["now"].as_u64().unwrap() + 10, "{function}");
    }
    idp.set(|inner| inner.down = false);
    clock.advance(10);
    browser.json("/fn/renew", "{}").await.expect_status(200);
    browser.get("/").await.expect_status(200);
}

#[tokio::test]
async fn consent_is_asked_for_once_and_only_if_it_is_needed() {
    let (_clock, idp, world) = start(RENEWS, "").await;
    idp.set(|inner| inner.answer = json!({ "refresh_token": null }));
    let mut browser = Browser::new(&world);
    let away = browser.get("/login/provider?return_to=/home/alpha").await.header("location");
    let second = browser.get(&idp.consent(&away)).await.expect_status(303).header("location");
    assert_eq!(asked(&second).1["prompt"], "consent");
    // The user is signed in, whatever the result.
    let mut other = Browser::new(&world);
    other.cookies.clone_from(&browser.cookies);
    let refused = format!("/?error=consent_required&state={}", asked(&second).1["state"]);
    assert_eq!(other.get(&refused).await.expect_status(303).header("location"), "/home/alpha");
    other.get("/").await.expect_status(200);
    idp.set(|inner| inner.answer = json!({}));
    browser.get(&idp.consent(&second)).await.expect_status(303);
    assert!(browser.session().await["renewAt"].is_u64());
    // A provider that still issues none gets no further requests.
    idp.set(|inner| inner.answer = json!({ "refresh_token": null }));
    for _ in 0..2 {
        let mut browser = Browser::new(&world);
        let away = browser.get("/login/provider").await.header("location");
        let mut reply = browser.get(&idp.consent(&away)).await.expect_status(303);
        if reply.header("location").starts_with("http") {
            reply = browser.get(&idp.consent(&reply.header("location"))).await.expect_status(303);
        }
        assert_eq!(reply.header("location"), "/");
        browser.get("/").await.expect_status(200);
        assert_eq!(browser.session().await.get("renewAt"), None);
    }
    let away = browser.get("/login/provider").await.header("location");
    assert_eq!(browser.get(&idp.consent(&away)).await.expect_status(303).header("location"), "/");
}

#[tokio::test]
async fn a_client_that_is_registered_as_a_page_is_served_as_one() {
    let (clock, idp, world) = start(RENEWS, "").await;
    idp.set(|inner| inner.wants_origin = true);
    let mut browser = Browser::new(&world);
    browser.sign_in(&idp).await;
    clock.advance(250);
    browser.json("/fn/renew", "{}").await.expect_status(200);
    browser.get("/").await.expect_status(200);
}

/// A cache would give one viewer's session to the next.
#[tokio::test]
async fn no_cache_may_store_an_answer_with_a_renewed_session() {
    let (clock, idp, world) = start(RENEWS, "").await;
    let mut browser = Browser::new(&world);
    browser.sign_in(&idp).await;
    let script = format!("/{}", HashedFile::ALL[0].with_hash("0123456789abcdef"));
    // The first request with the session removes the cookie that counts returns from the provider.
    browser.get("/").await;
    let usual = browser.get(&script).await.expect_status(200);
    assert!(usual.header("cache-control").contains("immutable"));
    for path in [&script, "/healthz", "/themes/x/list.json", "/"] {
        clock.advance(400);
        let reply = browser.get(path).await;
        assert!(reply.header("set-cookie").contains("-session-0="), "{path}");
        let directives = reply.header("cache-control");
        assert!(directives.contains("no-store") || directives.contains("private"), "{path}: {directives}");
        assert!(!directives.contains("public") && !directives.contains("immutable"), "{path}: {directives}");
    }
}

/// What a provider does with the refresh token at a renewal.
#[derive(Clone, Copy, Debug)]
enum Refresh {
    /// It sends a new one, and refuses the old one.
    Rotates,
    /// It sends the same one again.
    Repeats,
    /// It sends none, and the old one stays valid.
    Keeps,
}

const REFRESHES: [Refresh; 3] = [Refresh::Rotates, Refresh::Repeats, Refresh::Keeps];

/// A provider whose tokens live for some seconds, and a server that trusts it.
async fn start_with(refresh: Refresh, lifetime: u64) -> (SetClock, Idp, World) {
    let (clock, idp, world) = start(RENEWS, "").await;
    idp.set(|inner| {
        inner.lifetime = lifetime;
        inner.answer = match refresh {
            Refresh::Repeats => json!({ "refresh_token": "the same" }),
            Refresh::Rotates | Refresh::Keeps => json!({}),
        };
        inner.refreshed = match refresh {
            Refresh::Keeps => json!({ "refresh_token": null }),
            Refresh::Rotates | Refresh::Repeats => json!({}),
        };
    });
    (clock, idp, world)
}

/// Does what the script of an open page does when it wakes up: asks for the session, and renews it if that is due.
/// Returns when it wakes up next.
async fn wake(browser: &mut Browser<'_>) -> u64 {
    let known = browser.session().await;
    let number = |value: &Value, key: &str| value[key].as_u64().unwrap_or_else(|| panic!("{key} in {value}"));
    if number(&known, "renewAt") > number(&known, "now") {
        return number(&known, "renewAt");
    }
    let reply = browser.json("/fn/renew", "{}").await;
    let renewed = reply.json();
    if reply.status == 503 { number(&renewed, "retryAt") } else { number(&renewed, "renewAt") }
}

/// Keeps pages open until a time, in seconds since they were opened; returns when the provider was asked to renew.
async fn stay(clock: &SetClock, idp: &Idp, browsers: &mut [Browser<'_>], seconds: u64) -> Vec<u64> {
    let mut wakes = vec![NOW; browsers.len()];
    let mut asked = Vec::new();
    while let Some(next) = wakes.iter().copied().min().filter(|next| *next <= NOW + seconds) {
        clock.set(next);
        let before = idp.count("/token");
        for (browser, wake_up) in browsers.iter_mut().zip(&mut wakes) {
            if *wake_up == next {
                *wake_up = wake(browser).await;
                assert!(*wake_up > next, "asks again at once");
            }
        }
        asked.extend(std::iter::repeat_n(next - NOW, idp.count("/token") - before));
    }
    asked
}

#[tokio::test]
async fn a_page_renews_once_per_lifetime_and_never_later_than_its_tokens_end() {
    const DAY: u64 = 24 * 3600;
    for (lifetime, stays, expected) in [
        (20, 100, vec![15, 30, 45, 60, 75, 90]),
        (60, 200, vec![45, 90, 135, 180]),
        (80, 250, vec![60, 120, 180, 240]),
        (300, 1000, vec![240, 480, 720, 960]),
        (DAY, 3 * DAY, vec![DAY - 60, 2 * (DAY - 60), 3 * (DAY - 60)]),
        // Not more often than every few seconds.
        (4, 22, vec![5, 10, 15, 20]),
    ] {
        for refresh in REFRESHES {
            for ahead in [0, 30, -30] {
                let (clock, idp, world) = start_with(refresh, lifetime).await;
                idp.set(|inner| inner.clock_ahead = ahead);
                let mut browser = Browser::new(&world);
                browser.sign_in(&idp).await;
                let asked = stay(&clock, &idp, std::slice::from_mut(&mut browser), stays).await;
                assert_eq!(asked, expected, "{lifetime} s, {refresh:?}, {ahead} s ahead");
            }
        }
    }
}

#[tokio::test]
async fn tabs_and_copied_cookies_cost_no_further_renewals() {
    for lifetime in [20, 60, 80, 300] {
        for refresh in REFRESHES {
            let (clock, idp, world) = start_with(refresh, lifetime).await;
            let mut browsers: Vec<Browser<'_>> = (0..2).map(|_| Browser::new(&world)).collect();
            browsers[0].sign_in(&idp).await;
            browsers[1].cookies = browsers[0].cookies.clone();
            let asked = stay(&clock, &idp, &mut browsers, 4 * lifetime).await;
            let step = lifetime - (lifetime / 4).min(60);
            let expected: Vec<u64> =
                (1..).map(|number| number * step).take_while(|time| *time <= 4 * lifetime).collect();
            assert_eq!(asked, expected, "{lifetime} s, {refresh:?}");
            // A tab shares its cookies with the others, so the next one finds the session renewed.
            clock.advance(step);
            let before = idp.count("/token");
            for _ in 0..2 {
                wake(&mut browsers[0]).await;
            }
            assert_eq!(idp.count("/token"), before + 1, "{lifetime} s, {refresh:?}");
        }
    }
}

#[tokio::test]
async fn a_replaced_session_gets_the_new_one_only_while_that_is_good() {
    for refresh in REFRESHES {
        let (clock, idp, world) = start_with(refresh, 20).await;
        let mut browser = Browser::new(&world);
        browser.sign_in(&idp).await;
        let mut late = Browser::new(&world);
        late.cookies = browser.cookies.clone();
        clock.advance(15);
        let renewed = browser.json("/fn/renew", "{}").await.expect_status(200).json();
        clock.advance(14);
        let before = idp.count("/token");
        let mut copy = Browser::new(&world);
        copy.cookies = late.cookies.clone();
        assert_eq!(copy.json("/fn/renew", "{}").await.expect_status(200).json()["idToken"], renewed["idToken"]);
        assert_eq!(idp.count("/token"), before, "{refresh:?}");
        clock.advance(1);
        let reply = late.json("/fn/renew", "{}").await;
        assert_eq!(idp.count("/token"), before + 1, "{refresh:?}");
        match refresh {
            // What the provider does about a token that is used twice is its own affair.
            Refresh::Rotates => assert_eq!(reply.status, 401),
            Refresh::Repeats | Refresh::Keeps => {
                assert!(reply.json()["idTokenExpires"].as_u64() > renewed["idTokenExpires"].as_u64(), "{refresh:?}");
            }
        }
    }
}

#[tokio::test]
async fn a_refused_refresh_token_is_tried_once_by_all_browsers() {
    for lifetime in [20, 80] {
        let (clock, idp, world) = start_with(Refresh::Rotates, lifetime).await;
        let mut browser = Browser::new(&world);
        browser.sign_in(&idp).await;
        let mut other = Browser::new(&world);
        other.cookies = browser.cookies.clone();
        idp.set(|inner| inner.error = Some(json!({ "error": "invalid_grant" })));
        clock.advance(lifetime);
        let before = idp.count("/token");
        for browser in [&mut browser, &mut other] {
            for _ in 0..3 {
                browser.json("/fn/renew", "{}").await.expect_status(401);
                clock.advance(1);
            }
        }
        assert_eq!(idp.count("/token"), before + 1, "{lifetime} s");
    }
}

#[tokio::test]
async fn the_wait_after_failures_grows_and_the_session_goes_on_afterwards() {
    // Away, and asking for patience.
    for patience in [None, Some(json!({ "error": "temporarily_unavailable" }))] {
        for refresh in REFRESHES {
            let (clock, idp, world) = start_with(refresh, 20).await;
            let mut browsers: Vec<Browser<'_>> = (0..2).map(|_| Browser::new(&world)).collect();
            browsers[0].sign_in(&idp).await;
            browsers[1].cookies = browsers[0].cookies.clone();
            idp.set(|inner| (inner.down, inner.error) = (patience.is_none(), patience.clone()));
            clock.advance(15);
            let mut times = Vec::new();
            for _ in 0..6 {
                let before = idp.count("/token");
                let told = browsers[0].json("/fn/renew", "{}").await.expect_status(503).json();
                browsers[1].json("/fn/renew", "{}").await.expect_status(503);
                assert_eq!(idp.count("/token"), before + 1, "{refresh:?}");
                times.push(told["retryAt"].as_u64().unwrap() - told["now"].as_u64().unwrap());
                clock.advance(*times.last().unwrap());
            }
            assert_eq!(times, [5, 10, 20, 40, 60, 60]);
            idp.set(|inner| (inner.down, inner.error) = (false, None));
            browsers[0].json("/fn/renew", "{}").await.expect_status(200);
            browsers[0].get("/").await.expect_status(200);
        }
    }
}
