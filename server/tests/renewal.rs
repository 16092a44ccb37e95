//! Sessions of a provider are renewed before they end (docs/spec/behaviour.md 19.4).

use serde_json::{Value, json};

use crate::{
    browser::Browser,
    provider::{NOW, asked, start},
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
    browser.json("/fn/renew", "{}").await.expect_status(503);
    idp.set(|inner| inner.down = false);
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
    // The person is signed in, whatever the result.
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
