//! Scalars that a reader of YAML could take for something else than text, on their way through the whole program: page,
//! widget, sign-in, API and editor (docs/spec/config.md 13).

use std::sync::Arc;

use serde_json::json;

use crate::{
    browser::Browser,
    editor_functions::done,
    provider::{Idp, SetClock},
    upstream::{Behavior, Upstream},
    widget_panels::settled,
    world::{C, Setup, USERS},
};

const ODD: [&str; 16] = [
    "1.10",
    "0443",
    "0x1F",
    "0o17",
    "+12",
    ".5",
    "00000e12",
    "12e4",
    "0012345",
    "12345678901234567890123456789012",
    "1_000",
    "12:30",
    "2024-01-01",
    ".inf",
    "True",
    "no",
];

/// A file with this scalar in places that want text, as we print it, so that only changes are visible.
fn conf(odd: &str, url: &str) -> String {
    format!(
        "\
pageInfo:
  title: {odd}
sections:
  - name: {odd}
    items:
      - title: {odd}
        url: http://a.lan
        tags:
          - {odd}
      - title: Other
        url: http://b.lan
    widgets:
      - type: api-response
        options:
          url: {url}
          headers:
            X-Key: {odd}
          mappings:
            - field: state
"
    )
}

#[tokio::test]
async fn page_and_widget_get_the_text_and_a_write_keeps_it() {
    let upstream = Upstream::start(Behavior::json(r#"{"state":"fine"}"#)).await;
    for odd in ODD {
        let text = conf(odd, &upstream.url("/x"));
        let world = Setup::new().file("conf.yml", text.clone()).start().await;
        let page = world.get("/").await.expect_status(200).text;
        assert!(page.contains(&format!("<title>{odd}</title>")), "{odd}: {page}");
        assert!(page.matches(&format!(">{odd}<")).count() >= 3, "{odd}: {page}");
        settled(&world).await;
        let heard = upstream.heard().pop().unwrap_or_default();
        assert!(heard.contains(&format!("{odd}\"")), "{odd}: {heard}");

        // The API and the editor name what they change.
        let changed = text.replace("http://b.lan\n", "http://b.lan\n        description: new\n");
        let path = format!("{C}/sections/0/items/1");
        world.send("PATCH", &path, r#"{"description":"new"}"#).await.expect_status(200);
        assert_eq!(world.text("conf.yml"), changed);
        let all = world.get(C).await.expect_status(200).json();
        assert_eq!(all["sections"][0]["items"][0]["title"], json!(odd));
        world.send("PUT", C, &all.to_string()).await.expect_status(200);
        assert_eq!(world.text("conf.yml"), changed);
        done(&world, "editor-save", json!({ "text": text, "version": null })).await;
        assert_eq!(world.text("conf.yml"), text);
    }
}

#[tokio::test]
async fn names_of_accounts_keep_their_digits() {
    let clock = SetClock::new();
    let users = USERS.replace("Anna", "0042").replace("bob,", "1.10,");
    let conf = format!("{users}sections: []\n");
    let world = Setup::new().clock(Arc::new(clock.clone())).file("conf.yml", conf).start().await;
    for (user, password, is_right) in
        [("42", "anna", false), ("0042", "anna", true), ("1.1", "bob", false), ("1.10", "bob", true)]
    {
        let mut browser = Browser::secure(&world);
        let status = if is_right { 303 } else { 401 };
        browser.form("/login", &[("user", user), ("password", password)]).await.expect_status(status);
    }
}

#[tokio::test]
async fn client_ids_and_groups_of_a_provider_keep_their_digits() {
    let clock = SetClock::new();
    let idp = Idp::start(&clock).await;
    let conf = idp.conf("", "").replace("clientId: dashboard", "clientId: 0042").replace("admins", "0001");
    let world = Setup::new().clock(Arc::new(clock.clone())).file("conf.yml", conf).start().await;
    for (claims, status) in [
        (json!({ "aud": "42", "groups": ["0001"] }), 401),
        (json!({ "aud": "0042", "groups": ["1"] }), 403),
        (json!({ "aud": "0042", "groups": ["0001"] }), 200),
    ] {
        let token = idp.token(claims.clone());
        let body = world.request("GET", C).bearer(&idp.token(json!({ "aud": "0042" }))).send().await.json();
        let reply = world.request("PUT", C).bearer(&token).body(body.to_string()).send().await;
        assert_eq!(reply.status.as_u16(), status, "{claims}");
    }
}
