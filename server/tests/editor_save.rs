//! `POST /config-manager/save` (docs/spec/behavior.md 22.1).

use serde_json::{Value, json};

use crate::{
    faults::FaultyDisk,
    world::{CONF, Reply, Setup, USERS, World},
};

const PATH: &str = "/config-manager/save";
const TEXT: &str = "# mine\npageInfo: { title: Saved }\nsections: []\n";

async fn save(world: &World, body: Value) -> Reply {
    world.send("POST", PATH, &body.to_string()).await
}

fn setup() -> Setup {
    // The user interface saves this way, so it works without the API.
    Setup::new().env("ENABLE_API", "")
}

#[tokio::test]
async fn a_text_is_stored_as_it_is() {
    let world = setup().start().await;
    let reply = save(&world, json!({ "config": TEXT, "timestamp": "now" })).await.expect_status(200).json();
    assert_eq!(world.text("conf.yml"), TEXT);
    let backup = world.backups().pop().unwrap();
    assert_eq!(world.text(&format!("config-backups/{backup}")), CONF);
    assert_eq!(reply["success"], true);
    let message = reply["message"].as_str().unwrap();
    assert!(message.contains("conf.yml") && message.contains(&backup), "{message}");
    assert!(world.get("/").await.text.contains("Saved"));
}

#[tokio::test]
async fn names_are_cut_to_their_last_part() {
    let world = setup().start().await;
    for (sent, written) in [
        (json!("extra.yml"), "extra.yml"),
        (json!("../../etc/new.yaml"), "new.yaml"),
        (json!("C:\\x\\other.yml"), "other.yml"),
        (json!(""), "conf.yml"),
        (json!(5), "conf.yml"),
        (Value::Null, "conf.yml"),
    ] {
        let text = format!("pageInfo: {{ title: '{written}' }}\nsections: []\n");
        save(&world, json!({ "config": text, "filename": sent })).await.expect_status(200);
        assert_eq!(world.text(written), text);
    }
}

#[tokio::test]
async fn what_cannot_be_stored_is_refused() {
    let world = setup().start().await;
    for (body, part) in [
        (json!({}), "config"),
        (json!({ "config": "" }), "config"),
        (json!({ "config": { "sections": [] } }), "config"),
        (json!({ "config": format!("sections: []\n# {}", "x".repeat(262_144)) }), "256"),
        (json!({ "config": TEXT, "filename": "notes.txt" }), ".yml"),
        (json!({ "config": TEXT, "filename": ".hidden.yml" }), ".yml"),
        (json!({ "config": "a: [1" }), "YAML"),
        (json!({ "config": "- 1" }), "mapping"),
    ] {
        let reply = save(&world, body).await.expect_status(400).json();
        assert_eq!(reply["success"], false);
        assert!(reply["message"].as_str().unwrap().contains(part), "{reply}");
    }
    assert_eq!(world.send("POST", PATH, "{").await.expect_status(400).json()["success"], false);
    world.assert_unchanged();
}

#[tokio::test]
async fn schema_problems_are_stored_and_listed() {
    let world = setup().start().await;
    let answer = save(&world, json!({ "config": "sections: []\nmadeUp: 1\n" })).await.expect_status(200).json();
    assert_eq!(answer["warnings"][0]["path"], "/madeUp");
    let answer = save(&world, json!({ "config": "madeUp: 1\n", "filename": "extra.yml" })).await.expect_status(200);
    assert_eq!(answer.json()["warnings"][0]["path"], "/madeUp");
}

#[tokio::test]
async fn the_config_on_disk_may_forbid_it() {
    for app in ["{ preventWriteToDisk: true }", "{ disableConfiguration: true }", "{ allowConfigEdit: false }"] {
        let world = setup().file("conf.yml", format!("{CONF}appConfig: {app}\n")).start().await;
        save(&world, json!({ "config": TEXT })).await.expect_status(403);
        save(&world, json!({ "config": TEXT, "filename": "extra.yml" })).await.expect_status(403);
        world.assert_unchanged();
    }
}

#[tokio::test]
async fn only_admins_save() {
    let world = setup().file("conf.yml", format!("{CONF}{USERS}")).start().await;
    let request = || world.request("POST", PATH).body(json!({ "config": TEXT }).to_string());
    let reply = request().send().await.expect_status(401);
    assert_eq!(reply.json()["success"], false);
    request().basic("bob:bob").send().await.expect_status(403);
    request().basic("anna:wrong").send().await.expect_status(401);
    world.assert_unchanged();
    request().basic("anna:anna").send().await.expect_status(200);
}

#[tokio::test]
async fn other_sites_do_not_save() {
    let world = setup().start().await;
    let request = || world.request("POST", PATH).header("host", "dash.lan").body(json!({ "config": TEXT }).to_string());
    request().header("origin", "https://evil.example").send().await.expect_status(403);
    request().header("sec-fetch-site", "cross-site").send().await.expect_status(403);
    let form = world
        .request("POST", PATH)
        .untyped()
        .header("content-type", "text/plain")
        .body(json!({ "config": TEXT }).to_string());
    form.send().await.expect_status(415);
    world.assert_unchanged();
    request().header("origin", "http://dash.lan").send().await.expect_status(200);
}

#[tokio::test]
async fn reading_is_not_allowed() {
    let reply = setup().start().await.get(PATH).await.expect_status(405);
    assert_eq!(reply.header("allow"), "POST");
}

#[tokio::test]
async fn a_refusing_disk_is_named_with_the_user() {
    let world = setup().disk(FaultyDisk::read_only()).env("DISABLE_CONFIG_BACKUPS", "true").start().await;
    let reply = save(&world, json!({ "config": TEXT })).await.expect_status(500).json();
    let message = reply["message"].as_str().unwrap();
    assert!(message.contains("permission denied") && message.contains("user "), "{message}");
    world.assert_unchanged();
}

#[tokio::test]
async fn a_page_keeps_what_means_nothing_in_its_file() {
    let world = setup().start().await;
    for (text, told) in [
        ("pages: []\n", vec!["/pages"]),
        ("appConfig: { auth: { users: [] } }\n", vec!["/appConfig/auth"]),
        ("# mine\npages: null\nsections: []\n", vec![]),
    ] {
        let reply = save(&world, json!({ "config": text, "filename": "extra.yml" })).await.expect_status(200).json();
        let warnings: Vec<_> = reply["warnings"].as_array().into_iter().flatten().map(|one| &one["path"]).collect();
        assert_eq!(warnings, told, "{text}");
        assert_eq!(world.text("extra.yml"), text);
    }
}
