//! A main config of another name (docs/spec/behavior.md 23). The usual name then belongs to an ordinary page.

use std::fs;

use serde_json::{Value, json};

use crate::{
    editor_functions::{call, done},
    world::{Setup, USERS, World},
};

const START: &str = "\
pageInfo: { title: Harbour }
pages: [ { name: Lab, path: conf.yml }, { name: Root, path: start.yml } ]
sections:
  - name: Notes
    widgets: [ { type: notes, options: { content: '- [ ] one' } } ]
";
const LAB: &str = "pageInfo: { title: Laboratory }\nsections: []\n";

fn setup(start: &str) -> Setup {
    Setup::new().env("VITE_APP_CONFIG_PATH", "/start.yml").file("start.yml", start).file("conf.yml", LAB)
}

async fn world() -> World {
    setup(START).start().await
}

/// The names of the backups that the server has made.
fn backups(world: &World) -> Vec<String> {
    let mut backups = world.backups();
    backups.retain(|name| !name.contains("-1600000000000."));
    backups
}

#[track_caller]
fn assert_only_start_has_changed(world: &World) {
    assert_eq!(world.text("conf.yml"), LAB);
    let backups = backups(world);
    assert!(backups.len() == 1 && backups[0].starts_with("start-"), "{backups:?}");
    assert_eq!(world.text(&format!("config-backups/{}", backups[0])), START);
}

#[tokio::test]
async fn pages_and_files_are_found() {
    let world = world().await;
    for (path, title) in [
        ("/", "<title>Harbour</title>"),
        ("/home/root", "<title>Harbour</title>"),
        ("/home/lab", "<title>Laboratory</title>"),
        ("/start.yml", "title: Harbour"),
        ("/conf.yml", "title: Laboratory"),
        ("/download", "title: Harbour"),
        ("/download?page=root", "title: Harbour"),
        ("/download?page=lab", "title: Laboratory"),
    ] {
        let text = world.get(path).await.expect_status(200).text;
        assert!(text.contains(title), "{path}: {text}");
    }
}

#[tokio::test]
async fn a_change_on_disk_is_seen_and_a_broken_file_is_named() {
    let world = world().await;
    fs::write(world.path("start.yml"), START.replace("Harbour", "Lighthouse")).unwrap();
    world.poll().await;
    assert!(world.get("/").await.text.contains("<title>Lighthouse</title>"));
    fs::write(world.path("start.yml"), "a: [1").unwrap();
    world.poll().await;
    let page = world.get("/").await.expect_status(200).text;
    assert!(page.contains("start.yml cannot be read") && page.contains("<title>Lighthouse</title>"), "{page}");
}

#[tokio::test]
async fn the_api_knows_which_file_is_the_main_one() {
    let world = world().await;
    let unknown = json!({ "sections": [], "banana": 1 }).to_string();
    world.send("PUT", "/api/config/start.yml", &unknown).await.expect_failure(400);
    world.assert_unchanged();
    let changed = json!({ "title": "Quay" }).to_string();
    world.send("PUT", "/api/config/start.yml/pageInfo", &changed).await.expect_status(200);
    assert!(world.get("/").await.text.contains("<title>Quay</title>"));
    assert_only_start_has_changed(&world);
    // The schema is not for the files of pages.
    world.send("PUT", "/api/config/conf.yml", &unknown).await.expect_status(200);
}

#[tokio::test]
async fn programs_that_name_no_file_save_the_main_one() {
    let world = world().await;
    let body = json!({ "config": "pageInfo: { title: Saved }\nsections: []\n" }).to_string();
    let reply = world.send("POST", "/config-manager/save", &body).await.expect_status(200).json();
    assert!(reply["message"].as_str().unwrap().contains("start.yml"), "{reply}");
    assert!(world.get("/").await.text.contains("<title>Saved</title>"));
    assert_only_start_has_changed(&world);
}

#[tokio::test]
async fn the_editor_loads_checks_and_saves_it() {
    let world = world().await;
    let loaded = done(&world, "editor-load", json!({})).await;
    assert_eq!((&loaded["file"], &loaded["text"]), (&json!("start.yml"), &json!(START)));
    assert_eq!(done(&world, "editor-load", json!({ "page": "root" })).await["file"], "start.yml");
    assert_eq!(done(&world, "editor-load", json!({ "page": "lab" })).await["file"], "conf.yml");
    let files = done(&world, "editor-files", json!({})).await;
    let names: Vec<_> = files.as_array().unwrap().iter().map(|file| file["file"].as_str().unwrap()).collect();
    assert_eq!(names.first(), Some(&"start.yml"), "{names:?}");

    let unknown = "banana: 1\nsections: []\n";
    let blocks = |found: &Value| found.as_array().unwrap().iter().any(|problem| problem["message"] != "");
    assert!(blocks(&done(&world, "editor-check", json!({ "text": unknown })).await));

    let text = START.replace("Harbour", "Drafted");
    done(&world, "editor-save", json!({ "text": text, "version": loaded["version"] })).await;
    assert!(world.get("/").await.text.contains("<title>Drafted</title>"));
    assert_only_start_has_changed(&world);
    let backups = done(&world, "editor-backups", json!({})).await;
    let name = backups[0]["name"].as_str().unwrap();
    assert_eq!(done(&world, "editor-backup", json!({ "name": name })).await, START);
    // A page that is added to the list and has a file already keeps it.
    let added = text.replace("pages: [", "pages: [ { name: Start, path: ./start.yml },");
    done(&world, "editor-save", json!({ "text": added, "version": null })).await;
    assert_eq!(world.text("start.yml"), added);
}

#[tokio::test]
async fn messages_name_it() {
    let world = setup(&format!("appConfig: {{ preventWriteToDisk: true }}\n{START}")).start().await;
    let loaded = done(&world, "editor-load", json!({})).await;
    assert!(loaded["readOnly"].as_str().unwrap().starts_with("`start.yml` forbids"), "{loaded}");
    let world = setup(&format!("appConfig: {{ disableConfiguration: true }}\n{START}")).start().await;
    let rejection = call(&world, "editor-load", json!({})).await.expect_status(403).text;
    assert!(rejection.contains("`start.yml` turns editing off"), "{rejection}");
}

#[tokio::test]
async fn tasks_in_its_notes_can_be_ticked() {
    let world = world().await;
    let page = world.get("/").await.text;
    let target = page.split("data-target=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
    let body = json!({
        "page": "home", "section": 0, "widget": 0, "kind": "notes", "action": "tick", "target": target,
    });
    world.send("POST", "/fn/panel-action", &body.to_string()).await.expect_status(200);
    assert!(world.text("start.yml").contains("[x] one"), "{}", world.text("start.yml"));
    assert_only_start_has_changed(&world);
}

#[tokio::test]
async fn its_accounts_protect_everything_and_its_hashes_stay_secret() {
    let world = setup(&format!("{USERS}{START}")).env("ENABLE_HTTP_AUTH", "true").start().await;
    for path in ["/", "/start.yml", "/conf.yml", "/download", "/home/lab", "/api/config/start.yml"] {
        let reply = world.get(path).await;
        assert!(reply.status == 401, "{path}: {}", reply.status);
        assert!(!reply.text.contains("81b637d8"), "{path}");
    }
    let seen = world.request("GET", "/start.yml").basic("bob:bob").send().await.expect_status(200).text;
    assert!(seen.contains("title: Harbour") && !seen.contains("81b637d8"), "{seen}");
    world.request("GET", "/start.yml").basic("anna:anna").send().await.expect_status(200);
}

#[tokio::test]
async fn a_new_folder_gets_a_starter_of_that_name() {
    let folder = tempfile::tempdir().unwrap();
    let world = Setup::new().directory(folder.path()).env("VITE_APP_CONFIG_PATH", "start.yml").start().await;
    let page = world.get("/").await.expect_status(200).text;
    assert!(page.contains("start.yml") && !page.contains("conf.yml"), "{page}");
    assert!(world.path("start.yml").is_file() && !world.path("conf.yml").exists());
}
