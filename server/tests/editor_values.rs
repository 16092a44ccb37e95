//! The values of a service's response, from which an admin chooses what an `api-response` shows (docs/spec/behavior.md 14).

use serde_json::{Value, json};

use crate::{
    upstream::{Behavior, Upstream},
    world::{Setup, USERS, World},
};

const STATE: &str = r#"{"state":"all is well","uptime_seconds":86400,"disks":[{"free":7},{"free":9}]}"#;

async fn values(world: &World, options: Value) -> Value {
    let entry = json!({ "type": "CustomApi", "options": options });
    let arguments = json!({ "entry": entry.to_string(), "locale": "en-US", "zone": "Europe/Vienna" });
    let reply = world.send("POST", "/fn/editor-values", &arguments.to_string()).await.expect_status(200);
    assert_eq!(reply.header("cache-control"), "no-store");
    reply.json()["done"].take()
}

/// The mappings of all values, in their order.
fn mappings(node: &Value) -> Vec<Value> {
    let own = node["mapping"].as_str().map(|mapping| serde_json::from_str(mapping).unwrap());
    own.into_iter().chain(node["nodes"].as_array().into_iter().flatten().flat_map(mappings)).collect()
}

#[tokio::test]
async fn an_admin_gets_the_values_with_their_mappings() {
    let upstream = Upstream::start(Behavior::json(STATE)).await;
    let world = Setup::new().start().await;
    // What is chosen already, even if it is wrong, is no part of the question.
    let found = values(&world, json!({ "url": upstream.url("/state"), "useProxy": false })).await;
    assert_eq!((found.get("note"), found.get("text"), &found["tree"]["text"]), (None, None, &json!("{3}")));
    assert_eq!(
        mappings(&found["tree"]),
        [
            json!({ "field": "state", "label": "State" }),
            json!({ "field": "uptime_seconds", "label": "Uptime seconds", "format": "duration" }),
            json!({ "field": "disks.0.free", "label": "Free 1" }),
            json!({ "field": "disks.1.free", "label": "Free 2" }),
        ]
    );
    assert_eq!(
        found["tree"]["nodes"][0],
        json!({
            "name": "state", "text": "all is well", "mapping": r#"{"field":"state","label":"State"}"#, "more": 0,
        })
    );
    // Each of them is what the widget shows.
    let options = json!({ "url": upstream.url("/state"), "mappings": mappings(&found["tree"]) });
    let entry = json!({ "type": "api-response", "options": options }).to_string();
    let reply = world.send("POST", "/fn/editor-panel", &json!({ "entry": entry }).to_string()).await;
    let html = reply.expect_status(200).json()["done"]["html"].as_str().unwrap().to_owned();
    for expected in ["all is well", "Uptime seconds", "Free 2", ">9<"] {
        assert!(html.contains(expected), "{expected}: {html}");
    }
    world.assert_unchanged();
}

#[tokio::test]
async fn the_service_gets_the_request_of_the_widget() {
    let upstream = Upstream::start(Behavior::Repeats(200)).await;
    let world = Setup::new().env("PORTICO_KEY", "hush-hush-hush").env("PORTICO_PLACE", "harbour").start().await;
    let options = json!({
        "url": upstream.url("/PORTICO_PLACE"),
        "method": "POST",
        "requestBody": { "place": "quay", "password": "PORTICO_KEY" },
        "headers": { "X-Key": "PORTICO_KEY" },
    });
    let found = values(&world, options).await.to_string();
    let heard = upstream.heard().join("\n");
    assert!(heard.starts_with("POST /harbour") && heard.contains("\"x-key\": \"hush-hush-hush\""), "{heard}");
    // The service repeats the address and the headers.
    assert!(found.contains("x-key") && found.contains("***"), "{found}");
    assert!(!found.contains("harbour") && !found.contains("hush"), "{found}");
}

#[tokio::test]
async fn no_secret_is_in_the_values() {
    let echo = r#"{"key":"hush-hush-hush","hush-hush-hush":1,"number":123456789,"text":"PADDING hush-hush-hush"}"#;
    let upstream = Upstream::start(Behavior::json(&echo.replace("PADDING", &"x".repeat(70)))).await;
    let world = Setup::new().env("PORTICO_KEY", "hush-hush-hush").env("PORTICO_PIN", "123456789").start().await;
    let options = json!({
        "url": upstream.url("/"), "headers": { "X-Key": "PORTICO_KEY", "X-Pin": "PORTICO_PIN" },
    });
    let found = values(&world, options.clone()).await.to_string();
    assert!(found.contains("key") && !found.contains("hush") && !found.contains("12345"), "{found}");
    upstream.now(Behavior::Says(200, Vec::new(), b"not JSON, but hush-hush-hush".to_vec()));
    let found = values(&world, options).await;
    assert_eq!(found["text"], "not JSON, but ***");
}

#[tokio::test]
async fn what_is_wrong_is_said_with_what_to_do() {
    let upstream = Upstream::start(Behavior::Says(200, Vec::new(), b"<h1>Sign in</h1>".to_vec())).await;
    let world = Setup::new().env("OUTBOUND_FORBIDDEN_HOSTS", "forbidden.example").start().await;
    let at = |url: String| json!({ "url": url });
    let found = values(&world, at(upstream.url("/"))).await;
    assert_eq!((&found["text"], found.get("tree")), (&json!("<h1>Sign in</h1>"), None));
    assert!(found["note"].as_str().unwrap().starts_with("The response is not JSON"), "{found}");
    let closed = json!({ "url": "http://127.0.0.1:1/" });
    let large = format!("[{}1]", "1,".repeat(600 * 1024));
    for (behavior, options, expected) in [
        (Behavior::fails(401), at(upstream.url("/")), "Check the headers, the user name and the password"),
        (Behavior::fails(403), at(upstream.url("/")), "Check the headers, the user name and the password"),
        (Behavior::fails(500), at(upstream.url("/")), "answered 500."),
        (Behavior::json(&large), at(upstream.url("/")), "Use an address that returns less"),
        (Behavior::json("{}"), at(upstream.url("/")), "The response is empty"),
        (Behavior::json(""), at(upstream.url("/")), "The response is empty"),
        (Behavior::json(STATE), closed, "Check the address, and that the service is running."),
        (Behavior::json(STATE), at("http://forbidden.example/".to_owned()), "Use another address"),
        (Behavior::json(STATE), at("http://169.254.169.254/".to_owned()), "Use another address"),
        (Behavior::json(STATE), at("nas.lan".to_owned()), "url must begin with"),
        (Behavior::json(STATE), at("http://PORTICO_NONE/".to_owned()), "PORTICO_NONE is not set"),
    ] {
        upstream.now(behavior);
        let found = values(&world, options.clone()).await;
        assert_eq!((found.get("tree"), found.get("text")), (None, None), "{options}: {found}");
        assert!(found["note"].as_str().unwrap().contains(expected), "{expected}: {found}");
    }
}

#[tokio::test]
async fn only_admins_get_them_and_only_for_this_type() {
    let upstream = Upstream::start(Behavior::json(STATE)).await;
    let users = USERS.replace("  auth:\n", "  auth:\n    enableGuestAccess: true\n");
    let world = Setup::new().file("conf.yml", format!("{users}sections: []\n")).start().await;
    let arguments = |kind: &str| {
        let entry = json!({ "type": kind, "options": { "url": upstream.url("/state") } });
        json!({ "entry": entry.to_string() }).to_string()
    };
    let ask = |kind: &str| world.request("POST", "/fn/editor-values").body(arguments(kind));
    for (request, status) in [
        (ask("api-response"), 401),
        (ask("api-response").basic("bob:bob"), 403),
        (ask("clock").basic("anna:anna"), 400),
        (ask("dns-sinkhole-stats-v6").basic("anna:anna"), 400),
        (world.request("POST", "/fn/editor-values").body(json!({ "entry": "[1" }).to_string()).basic("anna:anna"), 400),
    ] {
        let reply = request.send().await.expect_status(status);
        assert!(!reply.text.contains("all is well"), "{}", reply.text);
    }
    assert_eq!(upstream.count(), 0);
    let reply = ask("api-response").basic("anna:anna").send().await.expect_status(200);
    assert!(reply.text.contains("all is well"), "{}", reply.text);
    let other = ask("api-response").basic("anna:anna").header("origin", "https://elsewhere.example").send().await;
    other.expect_status(403);
    assert_eq!(upstream.count(), 1);
}

#[tokio::test]
async fn what_is_shown_can_be_downloaded_as_a_service_file() {
    let world = Setup::new().env("PORTICO_NAS_KEY", "dory").start().await;
    let file = async |options: Value, status| {
        let entry = json!({ "type": "CustomApi", "label": "NAS", "options": options }).to_string();
        let arguments = json!({ "entry": entry }).to_string();
        world.send("POST", "/fn/editor-service-file", &arguments).await.expect_status(status).json()
    };
    let options = json!({
        "url": "http://nas.lan/state", "headers": { "X-Key": "PORTICO_NAS_KEY" }, "mappings": [{ "field": "state" }],
    });
    let done = file(options, 200).await["done"].take();
    let text = done["text"].as_str().unwrap();
    assert_eq!(done["name"], "nas.toml");
    assert!(text.contains("value = \"$.response.state\"") && text.contains("X-Key = \"{key}\""), "{text}");
    assert!(!text.contains("dory") && !text.contains("PORTICO_NAS_KEY") && !text.contains("nas.lan"), "{text}");
    let refused = file(json!({ "url": "http://nas.lan/state" }), 400).await["refused"].take();
    assert_eq!(refused["message"], "Choose the values for the file first.");
}
