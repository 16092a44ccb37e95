//! What a widget shows while it is edited (docs/editing.md): its real panel, without being saved, for admins alone.

use serde_json::{Value, json};

use crate::{
    upstream::{Manner, Upstream},
    widget_panels::up,
    world::{Setup, World},
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

    // The page shows it too now, and asks for nothing itself, however much is typed.
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
async fn what_is_wrong_is_said_in_the_words_of_the_panel() {
    let upstream = Upstream::start(Manner::fails(503)).await;
    let world = Setup::new().start().await;
    for (entry, expected) in [
        (entry(&upstream), "503"),
        (json!({ "type": "weather" }), "A city, or lat and lon, is required."),
        (json!({ "type": "wether" }), "Did you mean weather?"),
        (json!({ "type": "clock" }), "part-clock"),
    ] {
        let seen = preview(&world, &entry).await;
        assert!(seen["html"].as_str().unwrap().contains(expected), "{expected}: {seen}");
    }
    let embedded = preview(&world, &json!({ "type": "html-embed", "options": { "html": "<b>x</b>" } })).await;
    assert_eq!(embedded.get("html"), None);
    assert!(embedded["note"].as_str().unwrap().contains("once the page is saved"), "{embedded}");
    for entry in ["[1", "7", "\"clock\""] {
        let reply = world.send("POST", "/fn/editor-panel", &json!({ "entry": entry }).to_string()).await;
        let message = reply.expect_status(400).json()["refused"]["message"].take();
        assert!(message.as_str().unwrap().contains("a mapping with a `type`"), "{message}");
    }
}

#[tokio::test]
async fn no_secret_is_echoed() {
    let upstream = Upstream::start(Manner::json(r#"{"state":"the key is hush-hush-hush"}"#)).await;
    let world = Setup::new().env("PORTICO_KEY", "hush-hush-hush").start().await;
    let mut entry = entry(&upstream);
    entry["options"]["headers"] = json!({ "X-Key": "PORTICO_KEY" });
    let seen = preview(&world, &entry).await;
    assert!(seen["html"].as_str().unwrap().contains("the key is"), "{seen}");
    assert!(!seen.to_string().contains("hush"), "{seen}");
}
