//! The preview of a widget while it is edited (docs/editing.md): its real panel, without being saved, for admins only.

use serde_json::{Value, json};

use crate::{
    upstream::{Behavior, Upstream},
    widget_panels::up,
    world::{Setup, USERS, World},
};

async fn preview(world: &World, entry: &Value) -> Value {
    let arguments = json!({ "entry": entry.to_string(), "locale": "en-US", "zone": "Europe/Vienna" });
    let reply = world.send("POST", "/fn/editor-panel", &arguments.to_string()).await.expect_status(200);
    assert_eq!(reply.header("cache-control"), "no-store");
    reply.json()["done"].take()
}

fn entry(upstream: &Upstream) -> Value {
    let options = json!({ "url": upstream.url("/state"), "mappings": [{ "field": "state", "label": "State" }] });
    json!({ "type": "api-response", "label": "Well", "options": options })
}

#[tokio::test]
async fn an_entry_shows_its_panel_before_it_is_saved() {
    let upstream = Upstream::start(up()).await;
    let world = Setup::new().start().await;
    let seen = preview(&world, &entry(&upstream)).await;
    assert_eq!((&seen["kind"], &seen["label"], seen.get("next")), (&json!("api-response"), &json!("Well"), None));
    assert!(seen["html"].as_str().unwrap().contains("all is well"), "{seen}");
    assert!(seen["styleSheet"].as_str().unwrap().contains("/widgets-"), "{seen}");
    assert_eq!(upstream.count(), 1);
    world.assert_unchanged();

    // Now the page shows it too, and typing causes no requests to the service.
    let draft = |entry: &Value| json!({ "sections": [{ "name": "A", "widgets": [entry] }] }).to_string();
    let drawn = async |entry: &Value| {
        let arguments = json!({ "text": draft(entry) }).to_string();
        let reply = world.send("POST", "/fn/editor-preview", &arguments).await.expect_status(200);
        reply.json()["done"]["html"].as_str().unwrap().to_owned()
    };
    assert!(drawn(&entry(&upstream)).await.contains("all is well"));
    let mut typed = entry(&upstream);
    typed["options"]["url"] = upstream.url("/sta").into();
    assert!(drawn(&typed).await.contains("widget-skeleton"));
    assert_eq!(upstream.count(), 1);
}

#[tokio::test]
async fn problems_are_reported_in_the_words_of_the_panel() {
    let upstream = Upstream::start(Behavior::fails(503)).await;
    let world = Setup::new().start().await;
    for (entry, expected) in [
        (entry(&upstream), "503"),
        (
            json!({ "type": "weather" }),
            "Set the option <code>city</code> to a place (or set lat and lon), for example <code>London</code>.",
        ),
        (json!({ "type": "wether" }), "Did you mean weather?"),
        (json!({ "type": "clock" }), "part-clock"),
    ] {
        let seen = preview(&world, &entry).await;
        assert!(seen["html"].as_str().unwrap().contains(expected), "{expected}: {seen}");
    }
    for entry in ["[1", "7", "\"clock\""] {
        let reply = world.send("POST", "/fn/editor-panel", &json!({ "entry": entry }).to_string()).await;
        let message = reply.expect_status(400).json()["refused"]["message"].take();
        assert!(message.as_str().unwrap().contains("a mapping with a `type`"), "{message}");
    }
}

#[tokio::test]
async fn what_a_draft_embeds_is_in_a_frame_for_the_person_who_edits_it() {
    let setup = Setup::new().env("ENABLE_HTTP_AUTH", "true");
    let world = setup.file("conf.yml", format!("{USERS}sections: []\n")).start().await;
    let shown = async |options: Value| {
        let arguments = json!({ "entry": json!({ "type": "html-embed", "options": options }).to_string() });
        let reply = world.request("POST", "/fn/editor-panel").basic("Anna:anna").body(arguments.to_string());
        let html = reply.send().await.expect_status(200).json()["done"]["html"].as_str().unwrap().to_owned();
        let address = html.split_once("src=\"").unwrap().1.split('"').next().unwrap().to_owned();
        (html, address)
    };
    let (html, address) = shown(json!({ "html": "<b>draft</b>" })).await;
    assert!(address.starts_with("/widget-draft/") && !html.contains("<b>draft</b>"), "{html}");
    assert!(html.contains("sandbox=\"allow-scripts allow-forms"), "{html}");
    let document = world.request("GET", &address).basic("Anna:anna").send().await.expect_status(200);
    assert!(document.text.contains("<body><b>draft</b></body>"), "{}", document.text);
    let policy = document.header("content-security-policy");
    assert!(policy.contains("default-src 'none'") && policy.contains("; sandbox allow-scripts"), "{policy}");
    assert!(!policy.contains("same-origin"), "{policy}");
    for (who, status) in [("bob:bob", 404), ("", 401)] {
        let request = world.request("GET", &address);
        let request = if who.is_empty() { request } else { request.basic(who) };
        request.send().await.expect_status(status);
    }
    world.request("GET", "/widget-draft/00").basic("Anna:anna").send().await.expect_status(404);
    // The page with the draft shows the same; widgets in the file keep their addresses.
    let text = format!(
        "{USERS}sections: [{{ name: A, widgets: [{{ type: html-embed, options: {{ html: '<b>draft</b>' }} }}] }}]\n"
    );
    let page = async || {
        let request =
            world.request("POST", "/fn/editor-preview").basic("Anna:anna").body(json!({ "text": text }).to_string());
        request.send().await.expect_status(200).json()["done"]["html"].as_str().unwrap().to_owned()
    };
    assert!(page().await.contains(&format!("src=\"{address}\"")));
    let saved = json!({ "text": text, "version": null }).to_string();
    world.request("POST", "/fn/editor-save").basic("Anna:anna").body(saved).send().await.expect_status(200);
    let after = page().await;
    assert!(after.contains("src=\"/widget-frame/home/0/0\"") && !after.contains("/widget-draft/"), "{after}");
    // Only the newest are kept.
    for number in 0..64 {
        shown(json!({ "html": format!("{number}") })).await;
    }
    world.request("GET", &address).basic("Anna:anna").send().await.expect_status(404);
}

#[tokio::test]
async fn no_secret_is_echoed() {
    let upstream = Upstream::start(Behavior::json(r#"{"state":"the key is hush-hush-hush"}"#)).await;
    let world = Setup::new().env("PORTICO_KEY", "hush-hush-hush").start().await;
    let mut entry = entry(&upstream);
    entry["options"]["headers"] = json!({ "X-Key": "PORTICO_KEY" });
    let seen = preview(&world, &entry).await;
    assert!(seen["html"].as_str().unwrap().contains("the key is"), "{seen}");
    assert!(!seen.to_string().contains("hush"), "{seen}");
}
