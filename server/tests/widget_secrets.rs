//! No key of a widget leaves the server: not in a page, not in a panel, not in an error, not in a log, for nobody.

use std::{
    io,
    sync::{Arc, Mutex},
};

use serde_json::json;

use crate::{
    upstream::{Behavior, Upstream},
    world::{Setup, TestRequest, USERS, World},
};

/// Stand in the file.
const WRITTEN: [&str; 13] = [
    "wr1tten-password",
    "wr1tten-header",
    "wr1tten-query",
    "wr1tten-key",
    "wr1tten-user-password",
    "wr1tten0path9key",
    "wr1tten-session",
    "wr1tten-body",
    "wr1tten-pin",
    "wr1tten-access_control",
    // The end of one that markup, addresses and JSON write in another way than it is.
    "wr1tten-tail",
    // With the user name anna, as HTTP Basic writes them.
    "YW5uYTp3cjF0dGVuLXVzZXItcGFzc3dvcmQ=",
    "YW5uYTp3cjF0dGVuLXBhc3N3b3Jk",
];
/// Stand in the environment; the file holds their names only.
const FROM_ENVIRONMENT: [(&str, &str); 5] = [
    ("VUE_APP_PASSWORD", "env1ronment-password"),
    ("DASHY_TOKEN", "env1ronment-token"),
    ("VITE_APP_KEY", "env1ronment-key"),
    ("PORTICO_PART", "env1ronment-part"),
    ("PORTICO_BODY", "env1ronment-body"),
];
const WIDGETS: [&str; 16] = [
    "dns-sinkhole-stats-v6",
    "api-response",
    "api-response",
    "dns-sinkhole-stats-v6",
    "cron-checks",
    "nas-download",
    "public-ip",
    "api-response",
    "image",
    "rss-feed",
    "custom-list",
    "custom-search",
    "image",
    "api-response",
    "api-response",
    "public-ip",
];

fn config(upstream: &Upstream) -> String {
    let at = |path: &str| upstream.url(path);
    let with_user = at("/host").replace("://", "://anna:wr1tten-user-password@");
    let mapping = json!([{ "field": "state", "label": "State" }]);
    let entries = json!([
        { "type": WIDGETS[0], "options": { "hostname": at(""), "apiKey": "wr1tten-password" } },
        { "type": WIDGETS[1], "options": {
            "url": at("/a?token=wr1tten-query"), "headers": { "X-Key": "wr1tten-header" }, "mappings": mapping,
        } },
        { "type": WIDGETS[2], "options": {
            "url": at("/b/PORTICO_PART/wr1tten0path9key"), "headers": { "Authorization": "Bearer DASHY_TOKEN" }, "mappings": mapping,
        } },
        { "type": WIDGETS[3], "options": { "hostname": at(""), "apiKey": "VUE_APP_PASSWORD" } },
        { "type": WIDGETS[4], "options": { "host": at(""), "apiKey": "wr1tten-key" } },
        { "type": WIDGETS[5], "options": { "hostname": at(""), "username": "anna", "password": "VUE_APP_PASSWORD" } },
        { "type": WIDGETS[6], "useProxy": true, "options": { "apiKey": "VITE_APP_KEY", "provider": "nobody" } },
        { "type": WIDGETS[7], "options": { "url": with_user, "mappings": mapping } },
        { "type": WIDGETS[8], "options": { "imagePath": at("/PORTICO_PART/wr1tten0path9key/cam.png?token=wr1tten-query") } },
        { "type": WIDGETS[9], "options": { "rssUrl": at("/PORTICO_PART/wr1tten0path9key.rss?key=wr1tten-query") } },
        { "type": WIDGETS[10], "options": { "url": at("/PORTICO_PART/wr1tten0path9key/list.json?key=wr1tten-query") } },
        { "type": WIDGETS[11], "options": {
            "engines": [{ "title": "Find", "url": "https://find.example/?key=PORTICO_PART&q=" }],
        } },
        { "type": WIDGETS[12], "options": { "imagePath": with_user } },
        { "type": WIDGETS[13], "options": {
            "url": at("/c"), "username": "anna", "password": "wr1tten-password", "mappings": mapping,
        } },
        { "type": WIDGETS[14], "options": {
            "url": at("/d?sid=wr1tten-session"), "method": "POST", "mappings": mapping,
            "requestBody": { "login": { "password": "wr1tten-body" }, "auth": ["a\"<&\\ wr1tten-tail"], "PIN": "wr1tten-pin", "note": "PORTICO_BODY" },
            "headers": { "X-AccessControl": "wr1tten-access_control" },
        } },
        // The browser asks, and there is no key that it could need.
        { "type": WIDGETS[15], "options": {} },
    ]);
    let users = USERS.replace("  auth:\n", "  auth:\n    enableGuestAccess: true\n");
    format!("{users}sections:\n  - name: Home\n    widgets: {entries}\n")
}

/// Everybody who may see the page.
const VIEWERS: [Option<&str>; 3] = [None, Some("bob:bob"), Some("anna:anna")];

fn by(request: TestRequest, viewer: Option<&str>) -> TestRequest {
    match viewer {
        Some(credentials) => request.basic(credentials),
        None => request,
    }
}

/// Everything that the server says to one viewer about its widgets.
async fn said(world: &World, viewer: Option<&str>) -> Vec<(String, String)> {
    let mut said = Vec::new();
    for _ in 0..2 {
        let page = by(world.request("GET", "/"), viewer).send().await.expect_status(200);
        said.push(("the page".to_owned(), format!("{:?} {}", page.headers, page.text)));
        for (index, kind) in WIDGETS.iter().enumerate() {
            let path = format!("/fn/panel?page=home&section=0&widget={index}&kind={kind}");
            for more in ["", "&force=true", "&locale=VUE_APP_PASSWORD&zone=DASHY_TOKEN"] {
                let reply = by(world.request("GET", &format!("{path}{more}")), viewer).send().await;
                said.push((format!("{path}{more}"), format!("{:?} {}", reply.headers, reply.text)));
            }
        }
    }
    for (index, kind) in WIDGETS.iter().enumerate() {
        let slot = json!({ "page": "home", "section": 0, "widget": index, "kind": kind });
        let with = |name: &str, value: serde_json::Value| {
            let mut slot = slot.clone();
            slot[name] = value;
            slot
        };
        for (function, mut body) in
            [("panel-by-browser", with("responses", json!([]))), ("panel-action", with("action", json!("reload")))]
        {
            body["target"] = json!("VUE_APP_PASSWORD");
            let reply =
                by(world.request("POST", &format!("/fn/{function}")), viewer).body(body.to_string()).send().await;
            said.push((format!("{function} {index}"), format!("{:?} {}", reply.headers, reply.text)));
        }
    }
    for path in
        ["/home/main/home", "/nowhere", "/fn/panel", "/fn/panel?kind=VUE_APP_PASSWORD", "/fn/items-elsewhere?slug=x"]
    {
        let reply = by(world.request("GET", path), viewer).send().await;
        said.push((path.to_owned(), format!("{:?} {}", reply.headers, reply.text)));
    }
    said
}

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[tokio::test(start_paused = true)]
async fn secrets_reach_only_their_service() {
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_ansi(false)
        .with_max_level(tracing::Level::TRACE)
        .with_writer(move || writer.clone())
        .finish();
    let _guard = tracing::subscriber::set_default(subscriber);
    let behavior = [
        Behavior::json(r#"{"state":"fine"}"#),
        Behavior::fails(401),
        Behavior::fails(500),
        Behavior::Says(200, Vec::new(), b"<html>no data</html>".to_vec()),
        Behavior::Repeats(400),
        // A good answer, in which every key stands that was sent.
        Behavior::Repeats(200),
        Behavior::Says(302, vec![("location", "http://169.254.169.254/?token=wr1tten-query".to_owned())], Vec::new()),
        Behavior::Hangs,
    ];
    for behavior in behavior {
        // A log line that another test reached for the first time as this one began to listen counts as unheard since.
        tracing::callsite::rebuild_interest_cache();
        let upstream = Upstream::start(behavior.clone()).await;
        let mut setup = Setup::new().env("ENABLE_HTTP_AUTH", "true").file("conf.yml", config(&upstream));
        for (name, value) in FROM_ENVIRONMENT {
            setup = setup.env(name, value);
        }
        let world = setup.start().await;
        for viewer in VIEWERS {
            for (place, text) in said(&world, viewer).await {
                for secret in WRITTEN.iter().chain(FROM_ENVIRONMENT.iter().map(|(_, value)| value)) {
                    assert!(!text.contains(secret), "{secret} in {place} for {viewer:?}: {behavior:?}");
                }
            }
            if viewer != VIEWERS[2] {
                let file = by(world.request("GET", "/conf.yml"), viewer).send().await.text;
                for secret in WRITTEN.iter().chain(FROM_ENVIRONMENT.iter().map(|(_, value)| value)) {
                    assert!(!file.contains(secret), "{secret} in conf.yml for {viewer:?}");
                }
            }
        }
        assert!(upstream.count() > 0);
    }
    let log = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    assert!(log.contains("widget="), "the log was listened to");
    for line in log.lines().filter(|line| line.contains("server") || line.contains("widget")) {
        for secret in WRITTEN.iter().chain(FROM_ENVIRONMENT.iter().map(|(_, value)| value)) {
            assert!(!line.contains(secret), "{secret} in the log: {line}");
        }
    }
}

#[tokio::test]
async fn values_of_the_environment_reach_the_service_and_only_it() {
    let upstream = Upstream::start(Behavior::json(r#"{"state":"fine"}"#)).await;
    let mut setup = Setup::new().env("ENABLE_HTTP_AUTH", "true").file("conf.yml", config(&upstream));
    for (name, value) in FROM_ENVIRONMENT {
        setup = setup.env(name, value);
    }
    let world = setup.start().await;
    for (index, kind) in [(1, "api-response"), (2, "api-response"), (7, "api-response")] {
        let path = format!("/fn/panel?page=home&section=0&widget={index}&kind={kind}");
        let answer = world.get(&path).await.expect_status(200).json();
        assert_eq!(answer["state"], "content", "{answer}");
    }
    // The server hands the picture out, under an address of its own.
    let page = world.get("/").await.text;
    let start = page.find("/widget-picture/").unwrap();
    world.get(page[start..].split('"').next().unwrap()).await;
    assert!(page.contains("The value of an environment variable would be visible to everyone here."));
    assert!(page.contains("imagePath must not contain a user name or password"));
    let heard = upstream.heard().join("\n");
    assert!(heard.contains("/env1ronment-part/wr1tten0path9key/cam.png?token=wr1tten-query"), "{heard}");
    assert!(
        heard.contains("/b/env1ronment-part/wr1tten0path9key") && heard.contains("Bearer env1ronment-token"),
        "{heard}"
    );
    assert!(heard.contains("/a?token=wr1tten-query") && heard.contains("wr1tten-header"));
    // anna:wr1tten-user-password
    assert!(heard.contains("Basic YW5uYTp3cjF0dGVuLXVzZXItcGFzc3dvcmQ="));
    assert!(!heard.contains("VUE_APP_") && !heard.contains("DASHY_") && !heard.contains("PORTICO_"));
}

#[tokio::test]
async fn an_unset_variable_is_reported_and_never_sent() {
    let upstream = Upstream::start(Behavior::json(r#"{"state":"fine"}"#)).await;
    let world = Setup::new().file("conf.yml", config(&upstream)).start().await;
    let page = world.request("GET", "/").basic("anna:anna").send().await.expect_status(200);
    assert!(page.text.contains("The environment variable VUE_APP_PASSWORD is not set."));
    let path = "/fn/panel?page=home&section=0&widget=2&kind=api-response";
    let answer = world.request("GET", path).basic("anna:anna").send().await.expect_status(200).json();
    assert_eq!(answer["state"], "broken");
    tokio::task::yield_now().await;
    assert!(!upstream.heard().join("\n").contains("/b/"));
}
