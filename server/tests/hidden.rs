//! Nobody receives a byte that is hidden from them, in any response (docs/spec/config.md 10).

use serde_json::{Value, json};

use crate::{
    browser::Browser,
    provider::{CLIENT, Idp, SetClock},
    upstream::{Behavior, Upstream},
};

/// All kinds of requests.
const PATHS: [&str; 40] = [
    "/",
    "/home",
    "/home/mixed",
    "/home/mark-section-members",
    "/home/mark-section-admins",
    "/home/open",
    "/home/open/mixed",
    "/home/mark-page-admins",
    "/minimal",
    "/minimal/mixed",
    "/minimal/open/mixed",
    "/workspace",
    "/workspace/open",
    "/framed?url=http%3A%2F%2F127.0.0.1%3A1%2F",
    "/conf.yml",
    "/download",
    "/extra.yml",
    "/odd.yml",
    "/login",
    "/signed-out",
    "/nothing",
    "/get-user",
    "/?guest",
    "/?q=example",
    "/home/open?q=item",
    "/minimal?q=example",
    "/.session-key",
    "/config-backups/conf-1600000000000.backup.yml",
    "/schema.json",
    "/events/status?item=0-0",
    "/events/status?item=1-0",
    "/events/status?page=open&item=0-0",
    "/events?page=nothing",
    "/status-check?url=http%3A%2F%2F127.0.0.1%3A1",
    "/system-info",
    "/widget-picture/00",
    "/fn/items-elsewhere?slug=home",
    "/fn/items-elsewhere?slug=open",
    "/api/config",
    "/api/config/conf.yml",
];

/// A viewer, the claims of their token, and the texts that they must not receive.
fn viewers() -> [(&'static str, Option<Value>, Vec<&'static str>); 4] {
    let members = vec!["mark-section-members", "mark-item-members", "mark-members.example", "mark-sub-members"];
    let admins = vec![
        "mark-section-admins",
        "mark-item-admins",
        "mark-admins.example",
        "mark-page-admins",
        "mark-sub-admins",
        "mark-panel-admins",
        "mark-key",
    ];
    [
        ("guest", None, [members, admins.clone(), vec!["mark-item-carol", "mark-panel-members"]].concat()),
        ("user", Some(json!({})), [admins.clone(), vec!["mark-item-not-carol"]].concat()),
        ("other", Some(json!({ "preferred_username": "dave" })), [admins, vec!["mark-item-carol"]].concat()),
        ("admin", Some(json!({ "groups": ["admins"] })), vec![]),
    ]
}

fn widget(upstream: &Upstream) -> Value {
    let options = json!({
        "url": upstream.url("/"), "headers": { "X-Key": "mark-key" }, "mappings": [{ "field": "state", "label": "State" }],
    });
    json!([{ "type": "api-response", "options": options }])
}

#[tokio::test]
async fn a_byte_search_finds_nothing_hidden() {
    let clock = SetClock::new();
    let idp = Idp::start(&clock).await;
    let members = Upstream::start(Behavior::json(r#"{"state":"mark-panel-members"}"#)).await;
    let admins = Upstream::start(Behavior::json(r#"{"state":"mark-panel-admins"}"#)).await;
    let for_admins = json!({ "showForKeycloakUsers": { "groups": ["admins"] } });
    let hash = "81b637d8fcd2c6da6359e6963113a1170de795e4b725b84d1e0b4cfd9ec58ce9";
    let conf = json!({
        "appConfig": { "auth": {
            "enableOidc": true,
            "oidc": { "clientId": CLIENT, "endpoint": idp.issuer, "adminGroup": "admins" },
            "enableGuestAccess": true,
            "users": [{ "user": "MARK-account", "hash": hash }],
        } },
        "pages": [
            { "name": "Open", "path": "extra.yml" },
            { "name": "MARK-page-admins", "path": "odd.yml", "displayData": for_admins },
        ],
        "sections": [
            {
                "name": "MARK-section-members", "displayData": { "hideForGuests": true },
                "items": [{ "title": "MARK-item-members", "url": "https://mark-members.example/" }],
                "widgets": widget(&members),
            },
            {
                "name": "Mixed",
                "items": [
                    { "title": "MARK-item-admins", "url": "https://mark-admins.example/", "displayData": for_admins },
                    { "title": "MARK-item-carol", "displayData": { "showForUsers": ["carol"] } },
                    { "title": "MARK-item-not-carol", "displayData": { "hideForUsers": ["carol"] } },
                ],
            },
            { "name": "MARK-section-admins", "displayData": for_admins, "widgets": widget(&admins) },
        ],
    });
    let extra = json!({ "sections": [{ "name": "Mixed", "items": [
        { "title": "MARK-sub-members", "url": "https://a.example", "displayData": { "hideForGuests": true } },
        { "title": "MARK-sub-admins", "url": "https://b.example", "displayData": for_admins },
    ] }] });
    let setup = idp.setup(&clock, "", "").file("conf.yml", conf.to_string()).file("extra.yml", extra.to_string());
    let world = setup.start().await;
    // In order of increasing rights, and once more: cached content of one viewer must not reach another.
    for (who, claims, hidden) in viewers().into_iter().chain(viewers()) {
        let mut browser = Browser::new(&world);
        if let Some(claims) = &claims {
            idp.set(|inner| inner.claims = claims.clone());
            browser.sign_in_via_link(&idp).await;
        }
        let mut all = String::new();
        for path in PATHS {
            let reply = browser.get(path).await;
            // An address that somebody makes up comes back in the page that says that nothing is there.
            let said = if reply.status == 404 { reply.text.replace(path, "") } else { reply.text };
            all.push_str(&format!("{said}{:?}", reply.headers));
        }
        for (section, page) in [(0, "home"), (1, "home"), (2, "home"), (0, "open"), (0, "mark-page-admins")] {
            let slot = json!({ "page": page, "section": section, "widget": 0, "kind": "api-response", "action": "x", "target": "" });
            let query = format!("page={page}&section={section}&widget=0&kind=api-response");
            for _ in 0..2 {
                all.push_str(&browser.get(&format!("/fn/panel?{query}")).await.text.replace(page, ""));
            }
            all.push_str(&browser.json("/fn/panel-action", &slot.to_string()).await.text);
        }
        for (function, arguments) in
            [("session", "{}"), ("renew", "{}"), ("sign-in", r#"{"return_to":"/home/mark-x"}"#), ("session", "{}")]
        {
            all.push_str(&browser.json(&format!("/fn/{function}"), arguments).await.text.replace("mark-x", ""));
        }
        let all = all.to_lowercase();
        for word in hidden {
            assert!(!all.contains(word), "{who} sees {word}");
        }
        let is_admin = who == "admin";
        for word in ["mark-item-admins", "mark-panel-admins", "mark-sub-admins", "mark-page-admins", &hash[..12]] {
            assert_eq!(all.contains(word), is_admin, "{who}: {word}");
        }
        for word in ["mark-section-members", "mark-panel-members", "mark-sub-members"] {
            assert_eq!(all.contains(word), who != "guest", "{who}: {word}");
        }
    }
    assert!(admins.count() > 0 && members.count() > 0);
}

/// What readers of the API get is not filtered, or else its indexes would be wrong (docs/spec/api.md 3.3): but they
/// must be somebody, and only admins see how people prove who they are.
#[tokio::test]
async fn the_api_reveals_nothing_without_a_token() {
    let clock = SetClock::new();
    let idp = Idp::start(&clock).await;
    let users = "    enableGuestAccess: true\n    users: [ { user: bob, hash: '81b637d8fcd2c6da6359e6963113a1170de795e4b725b84d1e0b4cfd9ec58ce9' } ]\n";
    let world = idp.world(&clock, "", users).await;
    let (user, admin) = (idp.token(json!({})), idp.token(json!({ "groups": ["admins"] })));
    for path in
        ["/api/config", "/api/config/conf.yml", "/api/config/conf.yml/sections", "/api/config/conf.yml/appConfig"]
    {
        let nobody = world.get(path).await.expect_status(401);
        assert!(!nobody.text.contains("Alpha") && !nobody.text.contains("conf.yml"), "{}", nobody.text);
        let by_user = world.request("GET", path).bearer(&user).send().await.expect_status(200);
        assert!(!by_user.text.contains("81b637d8"), "{path}");
        world.request("GET", path).bearer(&admin).send().await.expect_status(200);
    }
    let conf = world.request("GET", "/api/config/conf.yml").bearer(&admin).send().await;
    assert!(conf.text.contains("81b637d8"));
}

#[tokio::test]
async fn the_name_on_a_page_is_visible_only_to_its_user() {
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
