//! The server functions of the editor for icons and for files beside the config: what they find, store and reject, and for whom.

use std::fs;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Value, json};

use crate::world::{CONF, Reply, Setup, USERS, World};

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n....";
const SVG: &[u8] = b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>";
const ALL: [&str; 3] = ["editor-icons", "editor-widgets", "editor-upload"];

fn arguments(function: &str) -> Value {
    match function {
        "editor-icons" => json!({ "words": "rocket", "group": null, "skip": 0 }),
        "editor-upload" => picture("logo.png", PNG),
        _ => json!({}),
    }
}

fn picture(name: &str, bytes: &[u8]) -> Value {
    json!({ "name": name, "data": STANDARD.encode(bytes) })
}

async fn call(world: &World, function: &str, arguments: Value) -> Reply {
    world.send("POST", &format!("/fn/{function}"), &arguments.to_string()).await
}

async fn done(world: &World, function: &str, arguments: Value) -> Value {
    call(world, function, arguments).await.expect_status(200).json()["done"].take()
}

async fn refused(world: &World, function: &str, arguments: Value, status: u16) -> String {
    let mut reply = call(world, function, arguments).await.expect_status(status).json();
    reply["refused"]["message"].take().as_str().unwrap().to_owned()
}

fn setup() -> Setup {
    // The editor works without the API.
    Setup::new().env("ENABLE_API", "")
}

#[tokio::test]
async fn icons_are_found_by_words_and_groups() {
    let world = setup().start().await;
    let found = done(&world, "editor-icons", arguments("editor-icons")).await;
    assert_eq!(found["icons"][0], json!({ "value": "🚀", "name": "rocket", "group": "emoji" }));
    let none = json!({ "words": "rocket", "group": "files", "skip": 0 });
    assert_eq!(done(&world, "editor-icons", none).await, json!({ "icons": [], "total": 0 }));
    let unknown = json!({ "words": "", "group": "../conf.yml", "skip": 0 });
    assert!(refused(&world, "editor-icons", unknown, 400).await.contains("no icon group"));
}

#[tokio::test]
async fn types_of_widgets_are_listed_by_category() {
    let world = setup().start().await;
    let widgets = done(&world, "editor-widgets", json!({})).await;
    let widgets = widgets.as_array().unwrap();
    assert!(widgets.len() > 90, "{}", widgets.len());
    assert_eq!(widgets[0]["category"], "Time and weather");
    let clock = widgets.iter().find(|kind| kind["name"] == "clock").unwrap();
    assert_eq!(clock["title"], "Clock");
    assert!(clock["about"] != "" && clock["picture"] == "/icons/mdi/clock-outline.svg#i", "{clock}");
    let names: Vec<_> = widgets.iter().filter(|kind| kind["category"] == "Network").map(|kind| &kind["name"]).collect();
    assert!(names.is_sorted_by_key(|name| name.as_str()), "{names:?}");
}

#[tokio::test]
async fn a_picture_is_stored_found_and_served_without_running_anything() {
    let world = setup().start().await;
    for (name, bytes, kept, kind) in [
        ("My Logo.GIF", b"GIF89a....".as_slice(), "my-logo.gif", "image/gif"),
        // The type is detected from the bytes.
        ("photo.png", b"RIFF\x04\0\0\0WEBP", "photo.webp", "image/webp"),
        ("evil.html", SVG, "evil.svg", "image/svg+xml"),
    ] {
        let stored = done(&world, "editor-upload", picture(name, bytes)).await;
        assert_eq!(stored["value"], kept);
        assert_eq!(fs::read(world.path(&format!("item-icons/{kept}"))).unwrap(), bytes);
        for address in [format!("/icons/file/{kept}"), format!("/item-icons/{kept}")] {
            let reply = world.get(&address).await.expect_status(200);
            assert_eq!(reply.header("content-type"), kind, "{address}");
            assert_eq!(reply.header("x-content-type-options"), "nosniff", "{address}");
            let policy = reply.header("content-security-policy");
            assert!(
                kind != "image/svg+xml" || policy.contains("default-src 'none'") && policy.contains("sandbox"),
                "{address}: {policy}"
            );
            assert!(!policy.contains("allow-scripts") && !policy.contains("script-src"), "{address}: {policy}");
        }
    }
    let own = json!({ "words": "logo", "group": "files", "skip": 0 });
    let found = done(&world, "editor-icons", own).await;
    assert_eq!(found["icons"][0]["value"], "my-logo.gif");
    assert_eq!(found["icons"][0]["picture"], "/icons/file/my-logo.gif");
    // An item shows it at once.
    let conf = "sections: [{ name: S, items: [{ title: A, icon: my-logo.gif }] }]\n";
    let seen = done(&world, "editor-preview", json!({ "text": conf })).await;
    assert!(seen["html"].as_str().unwrap().contains("/icons/file/my-logo.gif"));
}

#[tokio::test]
async fn a_picture_takes_the_place_of_no_other() {
    let world = setup().file("item-icons/logo.png", "mine").start().await;
    let stored = done(&world, "editor-upload", picture("logo.png", PNG)).await;
    assert_eq!(stored["value"], "logo-2.png");
    assert!(stored["message"].as_str().unwrap().contains("named `logo.png`"), "{stored}");
    assert_eq!(world.text("item-icons/logo.png"), "mine");
    let again = done(&world, "editor-upload", picture("logo.png", PNG)).await;
    assert_eq!(again["value"], "logo-2.png");
    assert!(again["message"].as_str().unwrap().contains("already exists"), "{again}");
    assert!(!world.path("item-icons/logo-3.png").exists());
}

#[tokio::test]
async fn whatever_its_name_a_picture_stays_in_its_folder() {
    let world = setup().start().await;
    for (name, kept) in [
        ("../../evil.png", "evil.png"),
        ("..\\..\\windows.png", "windows.png"),
        ("/etc/cron.d/job.png", "job.png"),
        ("conf.yml", "conf.png"),
        ("../conf.yml\0.png", "conf-yml.png"),
        (".session-key", "picture.png"),
        ("%2e%2e%2fup.png", "2e-2e-2fup.png"),
        ("a.svg.png", "a-svg.png"),
        ("", "picture.png"),
    ] {
        let stored = done(&world, "editor-upload", picture(name, PNG)).await;
        assert_eq!(stored["value"], kept, "{name:?}");
        assert!(world.path(&format!("item-icons/{kept}")).is_file(), "{name:?}");
    }
    assert_eq!(world.text("conf.yml"), CONF);
    assert!(!world.path("../evil.png").exists() && !world.path(".session-key").is_dir());
}

#[tokio::test]
async fn what_is_no_picture_or_too_large_is_not_stored() {
    let world = setup().start().await;
    for bytes in [
        b"<!doctype html><script>alert(1)</script>".as_slice(),
        b"<html><svg></svg></html>",
        b"#!/bin/sh\nrm -rf /",
        b"pageInfo: { title: Stolen }",
        b"BM............................................",
        b"MZ\x90\0",
        b"%PDF-1.7",
        b"",
    ] {
        let message = refused(&world, "editor-upload", picture("logo.png", bytes), 415).await;
        assert!(message.contains("choose a PNG"), "{message}");
    }
    let large = [PNG, vec![0; 1024 * 1024].as_slice()].concat();
    let message = refused(&world, "editor-upload", picture("logo.png", &large), 413).await;
    assert!(message.contains("1024 KB") && message.contains("at most 1 MB"), "{message}");
    let much_larger = picture("logo.png", &vec![0; 3 * 1024 * 1024]);
    let message = refused(&world, "editor-upload", much_larger, 413).await;
    assert!(message.contains("at most 1 MB"), "{message}");
    refused(&world, "editor-upload", json!({ "name": "logo.png", "data": "not base64!" }), 400).await;
    world.assert_unchanged();
    let max = [PNG, vec![0; 1024 * 1024 - PNG.len()].as_slice()].concat();
    done(&world, "editor-upload", picture("logo.png", &max)).await;
}

#[tokio::test]
async fn only_admins_find_and_store() {
    let conf = format!("{CONF}{USERS}").replace("  auth:\n", "  auth:\n    enableGuestAccess: true\n");
    let world = setup().file("conf.yml", conf).start().await;
    for function in ALL {
        let request = || world.request("POST", &format!("/fn/{function}")).body(arguments(function).to_string());
        // A guest may be an admin whose session has ended.
        request().send().await.expect_status(401);
        request().basic("bob:bob").send().await.expect_status(403);
        request().basic("anna:wrong").send().await.expect_status(401);
    }
    world.assert_unchanged();
    for function in ALL {
        let request = world.request("POST", &format!("/fn/{function}")).body(arguments(function).to_string());
        request.basic("anna:anna").send().await.expect_status(200);
    }
    let world = setup().file("conf.yml", format!("{CONF}{USERS}")).start().await;
    for function in ALL {
        call(&world, function, arguments(function)).await.expect_status(401);
    }
    world.assert_unchanged();
}

#[tokio::test]
async fn what_forbids_saving_forbids_new_files() {
    for app in ["{ preventWriteToDisk: true }", "{ allowConfigEdit: false }", "{ disableConfiguration: true }"] {
        let world = setup().file("conf.yml", format!("{CONF}appConfig: {app}\n")).start().await;
        let message = refused(&world, "editor-upload", arguments("editor-upload"), 403).await;
        assert!(message.contains("Remove `"), "{message}");
        world.assert_unchanged();
    }
    let world = setup().file("item-icons", "a file in the way").start().await;
    let message = refused(&world, "editor-upload", arguments("editor-upload"), 500).await;
    assert!(message.contains("cannot be written") && message.contains("user "), "{message}");
    world.assert_unchanged();
}

#[tokio::test]
async fn other_sites_store_nothing() {
    let world = setup().start().await;
    for function in ALL {
        let path = format!("/fn/{function}");
        let request = || world.request("POST", &path).header("host", "dash.lan").body(arguments(function).to_string());
        request().header("origin", "https://evil.example").send().await.expect_status(403);
        request().header("sec-fetch-site", "cross-site").send().await.expect_status(403);
        for kind in ["text/plain", "multipart/form-data; boundary=x", "application/x-www-form-urlencoded"] {
            request().untyped().header("content-type", kind).send().await.expect_status(415);
        }
        assert!(!world.get(&path).await.status.is_success());
    }
    world.assert_unchanged();
}

/// Saves the config with these pages. Returns the message.
async fn save_pages(world: &World, pages: &Value) -> String {
    let text = format!("{CONF}pages: {pages}\n");
    let saved = done(world, "editor-save", json!({ "text": text, "version": null })).await;
    saved["message"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn saving_creates_the_files_of_new_pages() {
    let world = setup().start().await;
    // A draft alone creates no files.
    let draft = format!("{CONF}pages: [{{ name: Media, path: media.yml }}]\n");
    done(&world, "editor-preview", json!({ "text": draft })).await;
    world.assert_unchanged();
    let media = json!({ "name": "Media: all", "path": "media.yml" });
    let said = save_pages(&world, &json!([media, { "name": "Other", "path": "extra.yml" }, { "name": "Far", "path": "https://far.example/a.yml" }])).await;
    assert!(said.contains("`media.yml` was created"), "{said}");
    assert_eq!(world.text("media.yml"), "pageInfo:\n  title: 'Media: all'\nsections: []\n");
    // An existing file is not overwritten.
    assert!(said.contains("`extra.yml` exists already"), "{said}");
    assert_eq!(world.text("extra.yml"), "pageInfo: { title: Extra }\n");
    assert!(!said.contains("far.example"), "{said}");
    assert!(world.get("/home/media-all").await.expect_status(200).text.contains("Media: all"));
    // A page that existed before is not new, even if its file is missing.
    fs::remove_file(world.path("media.yml")).unwrap();
    world.poll().await;
    let said = save_pages(&world, &json!([media])).await;
    assert!(!said.contains("media.yml") && !world.path("media.yml").exists(), "{said}");
}

/// Saves a config with what saving also writes to files of other pages. Returns the message, and what failed.
async fn save_with(world: &World, text: &str, version: Value, copies: Value) -> String {
    let saved = done(world, "editor-save", json!({ "text": text, "version": version, "copies": copies })).await;
    format!("{} {}", saved["message"].as_str().unwrap(), saved["failures"])
}

#[tokio::test]
async fn a_failed_write_of_another_file_is_reported_and_can_be_repeated() {
    let page = |name: &str, path: &str| json!({ "name": name, "path": path });
    let (media, work) = (page("Media", "media.yml"), page("Work", "work.yml"));
    let conf = format!("{CONF}pages: {}\n", json!([media, work]));
    let world = setup()
        .file("conf.yml", conf)
        .file("media.yml", "sections: [{ name: Films }]\n")
        .file("work.yml", "sections: [\n")
        .start()
        .await;
    // Folders are in the place of two new files.
    for name in ["copy.yml", "new.yml"] {
        fs::create_dir(world.path(name)).unwrap();
    }
    let text = format!("{CONF}pages: {}\n", json!([media, work, page("Copy", "copy.yml"), page("New", "new.yml")]));
    let copied = json!({ "page": { "file": "copy.yml", "of": "media.yml" } });
    let section = json!({ "section": { "file": "work.yml", "comments": false, "section": "{\"name\":\"Quay\"}", "moved": false } });
    let copies = json!([copied, section]);
    let saving = json!({ "text": text, "version": null, "copies": copies });
    let saved = done(&world, "editor-save", saving).await;
    assert_eq!(world.text("conf.yml"), text);
    let failures: Vec<_> = saved["failures"].as_array().unwrap().iter().map(|said| said.as_str().unwrap()).collect();
    assert!(failures.len() == 3, "{saved}");
    for (said, start) in failures.iter().zip([
        "`copy.yml` is not created: ",
        "`new.yml` is not created: ",
        "“Quay” was not added to `work.yml`: ",
    ]) {
        assert!(said.starts_with(start), "{saved}");
    }
    let new = json!({ "page": { "file": "new.yml", "of": "new.yml" } });
    assert_eq!(saved["left"], json!([copied, new, section]));
    // Another save writes exactly that.
    for name in ["copy.yml", "new.yml"] {
        fs::remove_dir(world.path(name)).unwrap();
    }
    fs::write(world.path("work.yml"), "sections: []\n").unwrap();
    world.poll().await;
    let backups = world.backups().len();
    let saving = json!({ "text": text, "version": saved["version"], "copies": saved["left"] });
    let saved = done(&world, "editor-save", saving).await;
    assert_eq!((saved.get("failures"), saved.get("left")), (None, None));
    assert_eq!(world.text("copy.yml"), "sections: [{ name: Films }]\n");
    assert_eq!(world.text("new.yml"), "pageInfo:\n  title: New\nsections: []\n");
    assert_eq!(world.text("work.yml"), "sections:\n  - name: Quay\n");
    // Only `work.yml` was written over.
    assert_eq!(world.backups().len(), backups + 1);
}

#[tokio::test]
async fn the_file_of_a_duplicated_page_is_a_copy() {
    let page = |name: &str, path: &str| json!({ "name": name, "path": path });
    let text = |pages: Value| format!("{CONF}pages: {pages}\n");
    let media = page("Media", "./media.yml");
    let written = "# Mine\nsections: [{ name: Films, x: 1 }]\n";
    let world = setup().file("conf.yml", text(json!([media]))).file("media.yml", written).start().await;
    let pages =
        json!([media, page("Copy", "a.yml"), page("Again", "b.yml"), page("New", "c.yml"), page("Own", "d.yml")]);
    let copy = |file: &str, of: &str| json!({ "page": { "file": file, "of": of } });
    // The copy of a copy, one of a file that is no page, and one of a page that was undone.
    let copies = json!([
        copy("a.yml", "./media.yml"),
        copy("b.yml", "a.yml"),
        copy("d.yml", "../secret.yml"),
        copy("e.yml", "media.yml")
    ]);
    let said = save_with(&world, &text(pages), Value::Null, copies).await;
    assert!(
        said.contains("`a.yml` was created and is a copy") && said.contains("`b.yml` was created and is a copy"),
        "{said}"
    );
    assert!(
        said.contains("`c.yml` was created and is still empty")
            && said.contains("`d.yml` was created and is still empty")
    );
    assert_eq!((world.text("a.yml").as_str(), world.text("b.yml").as_str()), (written, written));
    assert!(!world.path("e.yml").exists());
}

#[tokio::test]
async fn sections_are_copied_to_other_pages() {
    let conf = format!("{CONF}pages: [{{ name: Work, path: work.yml }}]\n");
    let world =
        setup().file("conf.yml", conf.clone()).file("work.yml", "x: 1\nsections: [{ name: Desk }]\n").start().await;
    let version = done(&world, "editor-load", json!({})).await["version"].take();
    let copy = |file: &str| json!({ "section": { "file": file, "comments": false, "section": "{\"name\":\"Quay\",\"x\":2}" } });
    let said = save_with(&world, &conf, version.clone(), json!([copy("work.yml"), copy("extra.yml")])).await;
    let backup = world.backups().pop().unwrap();
    assert!(
        said.contains(&format!("“Quay” was added to `work.yml`. Its previous content is in the backup `{backup}`.")),
        "{said}"
    );
    assert!(said.contains("The section was not copied: no page uses `extra.yml`"), "{said}");
    assert_eq!(world.text("work.yml"), "x: 1\nsections:\n  - name: Desk\n  - name: Quay\n    x: 2\n");
    assert_eq!(world.text("extra.yml"), "pageInfo: { title: Extra }\n");
    // The file of the draft has not changed, so it is neither written nor backed up.
    assert_eq!(world.text("conf.yml"), conf);
    assert!(!said.contains("conf.yml"), "{said}");
    // From a page to the main one.
    let loaded = done(&world, "editor-load", json!({ "page": "work" })).await;
    let saving =
        json!({ "page": "work", "text": loaded["text"], "version": loaded["version"], "copies": [copy("conf.yml")] });
    done(&world, "editor-save", saving).await;
    assert!(world.text("conf.yml").contains("name: Quay"));
    // A draft of another version of the file copies nothing.
    let late = json!({ "text": conf, "version": version, "copies": [copy("work.yml")] });
    call(&world, "editor-save", late).await.expect_status(409);
    assert_eq!(world.text("work.yml").matches("Quay").count(), 1);
}

/// A copy of the section `Quay` that moves to the end of a file.
fn moved(file: &str) -> Value {
    json!({ "section": { "file": file, "comments": false, "section": "{\"name\":\"Quay\",\"x\":2}", "moved": true } })
}

#[tokio::test]
async fn sections_move_to_other_pages() {
    let rest = "pages: [{ name: Work, path: work.yml }]\nsections: []\n";
    let conf = format!("{}sections: [{{ name: Quay, x: 2 }}]\n", rest.replace("sections: []\n", ""));
    let world = setup().file("conf.yml", conf).file("work.yml", "sections: [{ name: Desk }]\n").start().await;
    let version = done(&world, "editor-load", json!({})).await["version"].take();
    let said = save_with(&world, rest, version.clone(), json!([moved("work.yml")])).await;
    assert!(said.contains("“Quay” was added to `work.yml`.") && said.contains("`conf.yml` is saved."), "{said}");
    assert_eq!(world.text("work.yml"), "sections:\n  - name: Desk\n  - name: Quay\n    x: 2\n");
    assert_eq!(world.text("conf.yml"), rest);
    // A draft of another version of the file moves nothing.
    let late = json!({ "text": rest, "version": version, "copies": [moved("work.yml")] });
    call(&world, "editor-save", late).await.expect_status(409);
    assert_eq!(world.text("work.yml").matches("Quay").count(), 1);
}

#[tokio::test]
async fn a_section_that_cannot_move_stays() {
    let conf = format!("{CONF}pages: [{{ name: Work, path: work.yml }}, {{ name: Lab, path: lab.yml }}]\n");
    let broken = "sections: [\n";
    let world = setup().file("conf.yml", conf.clone()).file("work.yml", broken).start().await;
    let version = done(&world, "editor-load", json!({})).await["version"].take();
    let backups = world.backups();
    // Of a file that cannot be read, of one that is not there, of no page, and of the page itself.
    for (file, reason) in [
        ("work.yml", "“Quay” cannot move to `work.yml`, so `conf.yml` is not saved: "),
        ("lab.yml", "“Quay” cannot move to `lab.yml`, so `conf.yml` is not saved: "),
        ("extra.yml", "“Quay” cannot move to `extra.yml`, which is not the file of another page."),
        ("conf.yml", "“Quay” cannot move to `conf.yml`, which is not the file of another page."),
    ] {
        let saving = json!({ "text": "sections: []\n", "version": version, "copies": [moved(file)] });
        let reply = call(&world, "editor-save", saving).await;
        assert!(!reply.status.is_success() && reply.status != 409, "{file}: {}", reply.status);
        assert!(reply.text.contains(reason), "{file}: {}", reply.text);
        assert_eq!(world.text("conf.yml"), conf);
    }
    assert_eq!(world.text("work.yml"), broken);
    assert_eq!(world.backups(), backups);
}

#[tokio::test]
async fn a_section_that_was_moved_by_half_is_not_added_twice() {
    let conf = format!("{CONF}pages: [{{ name: Work, path: work.yml }}]\n");
    let world = setup().file("conf.yml", conf.clone()).file("work.yml", "sections: []\n").start().await;
    let version = done(&world, "editor-load", json!({})).await["version"].take();
    let saving = |text: &str| json!({ "text": text, "version": version, "copies": [moved("work.yml")] });
    // The check of the config refuses the draft's own file.
    let invalid = "sections: [{ name: A, items: [{ title: B, statusCheckInterval: soon }] }]\n";
    let said = call(&world, "editor-save", saving(invalid)).await.expect_status(400).text;
    assert!(said.contains("“Quay” was added to `work.yml`.") && said.contains("But `conf.yml` is not saved"), "{said}");
    assert_eq!(world.text("conf.yml"), conf);
    let added = "sections:\n  - name: Quay\n    x: 2\n";
    assert_eq!(world.text("work.yml"), added);
    let text = format!("{conf}# Saved\n");
    let saved = done(&world, "editor-save", saving(&text)).await["message"].to_string();
    assert!(saved.contains("“Quay” is in `work.yml` already."), "{saved}");
    assert_eq!((world.text("work.yml").as_str(), world.text("conf.yml")), (added, text));
}

#[tokio::test]
async fn files_of_pages_have_the_names_of_config_files() {
    for path in ["../up.yml", "sub/page.yml", "/etc/page.yml", "page.html", ".hidden.yml", "a\\b.yml", "page"] {
        let world = setup().start().await;
        let text = format!("{CONF}pages: {}\n", json!([{ "name": "T", "path": path }]));
        let reply = call(&world, "editor-save", json!({ "text": text, "version": null })).await;
        // The check of the config may reject the name earlier.
        assert!(
            reply.status.is_client_error() || reply.text.contains("must end with `.yml`"),
            "{path}: {}",
            reply.text
        );
        for name in ["../up.yml", "sub", "page.html", ".hidden.yml", "a\\b.yml", "page"] {
            assert!(!world.path(name).exists(), "{name}");
        }
    }
}
