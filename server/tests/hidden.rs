//! Nobody gets a byte of what is hidden from them, wherever it might stand (config.md 10).

use serde_json::json;

use crate::{
    browser::Browser,
    provider::{Idp, SetClock},
};

#[tokio::test]
async fn a_byte_search_finds_nothing_hidden() {
    let clock = SetClock::new();
    let idp = Idp::start(&clock).await;
    let conf = format!(
        "{}
pages:
  - {{ name: Open, path: extra.yml }}
  - {{ name: MARK-page-admins, path: odd.yml, displayData: {{ showForKeycloakUsers: {{ groups: [ admins ] }} }} }}
",
        idp.conf("", "    enableGuestAccess: true\n    users: [ { user: MARK-account, hash: '81b637d8fcd2c6da6359e6963113a1170de795e4b725b84d1e0b4cfd9ec58ce9' } ]\n")
    );
    let conf = conf.replacen(
        "sections:\n",
        "sections:\n\
         \x20 - name: MARK-section-members\n    displayData: { hideForGuests: true }\n    items: [ { title: MARK-item-members, url: 'https://mark-members.example/' } ]\n\
         \x20 - name: Mixed\n    items:\n      - { title: MARK-item-admins, url: 'https://mark-admins.example/', displayData: { showForKeycloakUsers: { groups: [ admins ] } } }\n      - { title: MARK-item-carol, displayData: { showForUsers: [ carol ] } }\n      - { title: MARK-item-not-carol, displayData: { hideForUsers: [ carol ] } }\n",
        1,
    );
    let world = idp.setup(&clock, "", "").file("conf.yml", conf).start().await;
    let paths = [
        "/",
        "/home",
        "/home/mixed",
        "/home/mark-section-members",
        "/home/open",
        "/home/mark-page-admins",
        "/conf.yml",
        "/download",
        "/extra.yml",
        "/odd.yml",
        "/login",
        "/signed-out",
        "/nothing",
        "/get-user",
        "/?guest",
        "/home/open/mixed",
        "/.session-key",
    ];
    for (who, claims, hidden) in [
        (
            "guest",
            None,
            vec![
                "mark-section-members",
                "mark-item-members",
                "mark-item-admins",
                "mark-item-carol",
                "mark-members.example",
                "mark-admins.example",
                "mark-page",
            ],
        ),
        (
            "user",
            Some(json!({})),
            vec!["mark-item-admins", "mark-admins.example", "mark-page-admins", "mark-item-not-carol"],
        ),
        (
            "other",
            Some(json!({ "preferred_username": "dave" })),
            vec!["mark-item-admins", "mark-item-carol", "mark-page-admins"],
        ),
        ("admin", Some(json!({ "groups": ["admins"] })), vec![]),
    ] {
        let mut browser = Browser::new(&world);
        let is_admin = who == "admin";
        if let Some(claims) = claims {
            idp.set(|inner| inner.claims = claims);
            browser.sign_in_via_link(&idp).await;
        }
        let mut all = String::new();
        for path in paths {
            let reply = browser.get(path).await;
            // An address that somebody makes up comes back in the page that says that nothing is there.
            let said = if reply.status == 404 { reply.text.replace(path, "") } else { reply.text.clone() };
            all.push_str(&said);
            all.push_str(&format!("{:?}", reply.headers));
        }
        for (function, body) in
            [("/fn/session", "{}"), ("/fn/renew", "{}"), ("/fn/items_elsewhere", r#"{"slug":"open"}"#)]
        {
            all.push_str(&browser.json(function, body).await.text);
        }
        let all = all.to_lowercase();
        for word in hidden {
            assert!(!all.contains(word), "{who} sees {word}");
        }
        assert_eq!(all.contains("81b637d8fcd2"), is_admin, "{who}: hashes");
        assert_eq!(all.contains("mark-item-admins"), is_admin, "{who}");
        assert_eq!(all.contains("mark-section-members"), who != "guest", "{who}");
    }
}

#[tokio::test]
async fn nobody_else_sees_the_name_on_a_page() {
    let clock = SetClock::new();
    let idp = Idp::start(&clock).await;
    let world = idp.world(&clock, "", "").await;
    let mut pages = Vec::new();
    for name in ["carol", "dave", "CAROL"] {
        idp.set(|inner| inner.claims = json!({ "preferred_username": name }));
        let mut browser = Browser::new(&world);
        browser.sign_in(&idp).await;
        pages.push(browser.get("/").await.expect_status(200).text);
    }
    assert!(pages[0].contains(">carol<") && !pages[0].contains("dave"));
    assert!(pages[1].contains(">dave<") && !pages[1].contains("carol"));
}
