//! The server functions of the editor in the page (docs/editing.md): what they show, and how they save.

use std::os::unix::fs::MetadataExt as _;

use serde_json::{Value, json};

use crate::{
    faults::{FaultyDisk, Operation, Rule},
    world::{CONF, Reply, Setup, World},
};

const HOMER: &str = "services: [{ name: Apps, items: [{ name: Pump, url: 'http://pump.example', type: Emby }] }]\n";
const TEXT: &str = "pageInfo: { title: Drafted }\nsections: [{ name: New, items: [{ title: Added }] }]\n";
pub const ALL: [&str; 12] = [
    "editor-load",
    "editor-preview",
    "editor-panel",
    "editor-values",
    "editor-service-file",
    "editor-check",
    "editor-save",
    "editor-backups",
    "editor-backup",
    "editor-import",
    "editor-files",
    "editor-hash-password",
];

pub fn arguments(function: &str) -> Value {
    match function {
        "editor-preview" | "editor-check" => json!({ "text": TEXT }),
        "editor-panel" => json!({ "entry": "{\"type\":\"clock\"}" }),
        "editor-values" => {
            json!({ "entry": "{\"type\":\"api-response\",\"options\":{\"url\":\"http://127.0.0.1:1/\"}}" })
        }
        "editor-service-file" => {
            let options = json!({ "url": "http://127.0.0.1:1/", "mappings": [{ "field": "a" }] });
            json!({ "entry": json!({ "type": "api-response", "options": options }).to_string() })
        }
        "editor-save" => json!({ "text": TEXT, "version": null }),
        "editor-backup" => json!({ "name": "conf-1600000000000.backup.yml" }),
        "editor-import" => json!({ "files": [{ "name": "config.yml", "text": HOMER }] }),
        "editor-hash-password" => json!({ "password": "winch" }),
        _ => json!({}),
    }
}

pub async fn call(world: &World, function: &str, arguments: Value) -> Reply {
    world.send("POST", &format!("/fn/{function}"), &arguments.to_string()).await
}

pub async fn done(world: &World, function: &str, arguments: Value) -> Value {
    call(world, function, arguments).await.expect_status(200).json()["done"].take()
}

pub async fn refused(world: &World, function: &str, arguments: Value, status: u16) -> (String, String) {
    let rejection = call(world, function, arguments).await.expect_status(status).json()["refused"].take();
    let text = |key: &str| rejection[key].as_str().unwrap().to_owned();
    (text("kind"), text("message"))
}

pub fn setup() -> Setup {
    // The editor works without the API.
    Setup::new().env("ENABLE_API", "")
}

#[tokio::test]
async fn an_admin_loads_sees_and_saves_a_draft() {
    let world = setup().start().await;
    let loaded = done(&world, "editor-load", json!({})).await;
    assert_eq!((&loaded["file"], &loaded["text"]), (&json!("conf.yml"), &json!(CONF)));
    assert_eq!(loaded.get("readOnly"), None);
    let html = loaded["preview"]["html"].as_str().unwrap();
    assert!(html.contains("data-edit=\"add-section\"") && html.contains("data-edit=\"section-0\""), "{html}");

    let seen = done(&world, "editor-preview", json!({ "text": TEXT })).await;
    let html = seen["html"].as_str().unwrap();
    assert!(html.contains("Drafted") && html.contains("id=\"i-0-0\"") && html.contains("data-edit=\"add-item-0\""));
    assert_eq!(seen["problems"], json!([]));
    world.assert_unchanged();

    let saved = done(&world, "editor-save", json!({ "text": TEXT, "version": loaded["version"] })).await;
    let backup = world.backups().pop().unwrap();
    assert_eq!(world.text(&format!("config-backups/{backup}")), CONF);
    assert!(saved["message"].as_str().unwrap().contains(&backup), "{saved}");
    assert!(world.text("conf.yml").contains("title: Added"));
    let page = world.get("/").await.text;
    assert!(
        page.contains("Drafted") && page.contains("aria-label=\"Edit this page\"") && !page.contains("data-edit=\"")
    );
    // The next draft starts from the saved text.
    done(&world, "editor-save", json!({ "text": CONF, "version": saved["version"] })).await;
}

#[tokio::test]
async fn a_save_over_a_newer_file_is_rejected() {
    let world = setup().start().await;
    let version = done(&world, "editor-load", json!({})).await["version"].take();
    let theirs = "pageInfo: { title: Theirs }\nsections: []\n";
    std::fs::write(world.path("conf.yml"), theirs).unwrap();
    world.poll().await;
    let (kind, message) = refused(&world, "editor-save", json!({ "text": TEXT, "version": version }), 409).await;
    assert_eq!(kind, "changed");
    assert!(message.contains("Your draft is kept"), "{message}");
    assert_eq!(world.text("conf.yml"), theirs);
    // With the current version it is allowed, and the other person's text is in the backup.
    done(&world, "editor-save", json!({ "text": TEXT, "version": null })).await;
    let backup = world.backups().pop().unwrap();
    assert_eq!(world.text(&format!("config-backups/{backup}")), theirs);
}

#[tokio::test]
async fn a_folder_that_cannot_be_written_is_named_with_the_user() {
    let world = setup().disk(FaultyDisk::read_only()).env("DISABLE_CONFIG_BACKUPS", "true").start().await;
    let (kind, message) = refused(&world, "editor-save", arguments("editor-save"), 500).await;
    assert_eq!(kind, "failed");
    assert!(message.contains("permission denied") && message.contains("user "), "{message}");
    world.assert_unchanged();
}

#[tokio::test]
async fn what_the_schema_forbids_is_listed_and_what_was_wrong_before_may_stay() {
    let world = setup().start().await;
    let wrong = "sections: [{ name: A, items: [{ title: B, statusCheckInterval: soon }] }]\n";
    let seen = done(&world, "editor-preview", json!({ "text": wrong })).await;
    let problem = json!({ "path": "/sections/0/items/0/statusCheckInterval", "blocks": true });
    assert_eq!((&seen["problems"][0]["path"], &seen["problems"][0]["blocks"]), (&problem["path"], &problem["blocks"]));
    let reply = call(&world, "editor-save", json!({ "text": wrong, "version": null })).await.expect_status(400).json();
    assert_eq!(reply["refused"]["kind"], "invalid");
    assert_eq!(reply["refused"]["problems"][0]["path"], problem["path"]);
    let (_, message) = refused(&world, "editor-preview", json!({ "text": "a: [1" }), 400).await;
    assert!(message.contains("not valid YAML"), "{message}");
    let large = format!("pageInfo: {{ title: A, description: {} }}\nsections: []\n", "y".repeat(262_144));
    let (_, message) = refused(&world, "editor-save", json!({ "text": large, "version": null }), 400).await;
    assert!(message.contains("256 KB"), "{message}");
    world.assert_unchanged();

    let world = setup().file("conf.yml", wrong).start().await;
    let seen = done(&world, "editor-preview", json!({ "text": wrong })).await;
    assert_eq!((&seen["problems"][0]["path"], &seen["problems"][0]["blocks"]), (&problem["path"], &json!(false)));
    let mended = wrong.replace("name: A", "name: C");
    done(&world, "editor-save", json!({ "text": mended, "version": null })).await;
    assert!(world.text("conf.yml").contains("name: C"));
}

/// As in a container where only `conf.yml` is mounted.
#[tokio::test]
async fn a_file_that_is_mounted_on_its_own_is_saved_in_place() {
    let rule: Rule =
        |op, path| (op == Operation::Rename && path.ends_with("/conf.yml")).then_some(std::io::ErrorKind::ResourceBusy);
    let world = setup().disk(FaultyDisk(rule)).start().await;
    let inode = || std::fs::metadata(world.path("conf.yml")).unwrap().ino();
    let before = inode();
    let version = done(&world, "editor-load", json!({})).await["version"].take();
    let saved = done(&world, "editor-save", json!({ "text": TEXT, "version": version })).await;
    assert_eq!((world.text("conf.yml").as_str(), inode()), (TEXT, before));
    let backup = world.backups().pop().unwrap();
    assert_eq!(world.text(&format!("config-backups/{backup}")), CONF);
    assert!(world.get("/").await.text.contains("Drafted"));
    // The next draft starts from the saved text.
    done(&world, "editor-save", json!({ "text": CONF, "version": saved["version"] })).await;
}

#[tokio::test]
async fn a_text_is_saved_as_it_is_written() {
    let world = setup().start().await;
    let typed = "# Mine\r\npageInfo: {title:  'Typed'}   # kept\r\nsections: &none []\r\n";
    done(&world, "editor-save", json!({ "text": typed, "version": null })).await;
    assert_eq!(world.text("conf.yml"), typed);
    assert!(world.get("/").await.text.contains("Typed"));
    assert_eq!(done(&world, "editor-load", json!({})).await["text"], typed);
}

#[tokio::test]
async fn problems_in_a_text_have_a_line() {
    let world = setup().start().await;
    let check = async |text: &str| done(&world, "editor-check", json!({ "text": text })).await;
    assert_eq!(check(TEXT).await, json!([]));
    let found =
        check("pageInfo: { title: One }\nsections:\n  - name: A\n    items:\n      - title: B\n        hotkey: soon\n    sort: 1\n").await;
    let found = found.as_array().unwrap();
    let places: Vec<_> = found.iter().map(|problem| (&problem["line"], &problem["column"])).collect();
    assert_eq!(places, [(&json!(6), &json!(9)), (&json!(7), &json!(5))], "{found:?}");
    assert!(found.iter().all(|problem| problem["syntax"] == false && problem["message"] != ""), "{found:?}");
    assert_eq!(found[0]["blocks"], true);
    let syntax = check("pageInfo:\n  title: A\n sections: [\n").await;
    assert_eq!(
        (syntax.as_array().unwrap().len(), &syntax[0]["line"], &syntax[0]["syntax"]),
        (1, &json!(3), &json!(true))
    );
    let list = check("- a\n").await;
    assert_eq!((&list[0]["line"], &list[0]["syntax"], &list[0]["blocks"]), (&json!(1), &json!(true), &json!(true)));
    let large = check(&format!("pageInfo: {{ title: A }}\nsections: []\n# {}\n", "y".repeat(262_144))).await;
    assert!(large[0]["blocks"] == true && large[0]["message"].as_str().unwrap().contains("256 KB"), "{large}");
    world.assert_unchanged();
}

#[tokio::test]
async fn a_sub_page_is_edited_in_its_own_file() {
    let conf = format!(
        "{CONF}pages: [{{ name: Work, path: work.yml }}, {{ name: Far, path: 'https://far.example/a.yml' }}]\n"
    );
    let work = "sections: [{ name: Desk }]\n";
    let world = setup().file("conf.yml", conf.clone()).file("work.yml", work).start().await;
    let loaded = done(&world, "editor-load", json!({ "page": "work" })).await;
    assert_eq!((&loaded["file"], &loaded["text"]), (&json!("work.yml"), &json!(work)));
    let text = "sections: [{ name: Chair }]\n";
    let seen = done(&world, "editor-preview", json!({ "page": "work", "text": text })).await;
    assert!(seen["html"].as_str().unwrap().contains("Chair"));
    let saving = json!({ "page": "work", "text": text, "version": loaded["version"] });
    done(&world, "editor-save", saving).await;
    assert!(world.text("work.yml").contains("Chair"));
    assert_eq!(world.text("conf.yml"), conf);
    // Fields that mean nothing in the file of a page are marked, and kept.
    let more = "sections: []\npages: [{ name: B, path: b.yml }]\nappConfig: { auth: { users: [] } }\n";
    let found = done(&world, "editor-check", json!({ "page": "work", "text": more })).await;
    let lines: Vec<_> =
        found.as_array().unwrap().iter().map(|problem| (&problem["line"], &problem["blocks"])).collect();
    assert_eq!(lines, [(&json!(2), &json!(false)), (&json!(3), &json!(false))], "{found}");
    assert!(found[0]["message"].as_str().unwrap().contains("has no effect in the file of a page"), "{found}");
    done(&world, "editor-save", json!({ "page": "work", "text": more, "version": null })).await;
    assert_eq!(world.text("work.yml"), more);
    let (_, message) = refused(&world, "editor-load", json!({ "page": "far" }), 403).await;
    assert!(message.contains("another host"), "{message}");
}

#[tokio::test]
async fn a_backup_keeps_and_an_import_leaves_out_what_means_nothing_in_the_file_of_a_page() {
    let conf = format!("{CONF}pages: [{{ name: Work, path: work.yml }}]\n");
    let old = "sections: []\nappConfig: { theme: nord, auth: { users: [] } }\n";
    let world = setup()
        .file("conf.yml", conf)
        .file("work.yml", "sections: []\n")
        .file("config-backups/work-1600000000000.backup.yml", old)
        .start()
        .await;
    let backup = json!({ "page": "work", "name": "work-1600000000000.backup.yml" });
    let text = done(&world, "editor-backup", backup).await;
    assert_eq!(text, old);
    let dashy = "pages: [{ name: B, path: b.yml }]\nappConfig: { auth: { users: [] } }\nsections: [{ name: Apps }]\n";
    let files = json!({ "page": "work", "files": [{ "name": "conf.yml", "text": dashy }] });
    let imported = done(&world, "editor-import", files).await;
    let keys: Vec<_> = imported.as_object().unwrap().keys().map(String::as_str).collect();
    assert!(keys.iter().all(|key| ["sections", "summary", "lost", "changed"].contains(key)), "{keys:?}");
    assert_eq!(imported["sections"], r#"[{"name":"Apps"}]"#);
    world.assert_unchanged();
    done(&world, "editor-save", json!({ "page": "work", "text": text, "version": null })).await;
    assert_eq!(world.text("work.yml"), old);
}

#[tokio::test]
async fn an_import_of_sections_names_no_containers_of_servers_that_stay_behind() {
    let world = setup().start().await;
    let files = json!({ "files": [
        { "name": "services.yaml", "text": "- Den:\n  - Films: { href: 'http://films.lan', server: here, container: films }\n" },
        { "name": "docker.yaml", "text": "here: { socket: /run/docker.sock }\n" },
    ] });
    let imported = done(&world, "editor-import", files).await;
    assert_eq!(imported["sections"], r#"[{"name":"Den","items":[{"title":"Films","url":"http://films.lan"}]}]"#);
    assert!(imported["changed"].to_string().contains("other settings"), "{imported}");
}

#[tokio::test]
async fn backups_are_listed_and_read_by_their_names_alone() {
    let world = setup().start().await;
    done(&world, "editor-save", arguments("editor-save")).await;
    let list = done(&world, "editor-backups", json!({})).await;
    let list = list.as_array().unwrap();
    assert_eq!(list.len(), 2);
    assert_eq!(list[1], json!({ "name": "conf-1600000000000.backup.yml", "at": 1_600_000_000_000_u64, "bytes": 13 }));
    let newest = done(&world, "editor-backup", json!({ "name": list[0]["name"] })).await;
    assert_eq!(newest, CONF);
    for name in
        ["../conf.yml", "conf.yml", "extra-1600000000000.backup.yml", "../config-backups/conf-1600000000000.backup.yml"]
    {
        let (kind, message) = refused(&world, "editor-backup", json!({ "name": name }), 404).await;
        assert_eq!(kind, "missing");
        assert!(message.contains("Choose another one"), "{message}");
    }
}

#[tokio::test]
async fn a_file_that_cannot_be_read_is_mended_first() {
    let world = setup().start().await;
    std::fs::write(world.path("conf.yml"), "sections: [\n").unwrap();
    world.poll().await;
    let (_, message) = refused(&world, "editor-load", json!({}), 400).await;
    assert!(message.contains("repair the file first") && message.contains("line"), "{message}");
}

#[tokio::test]
async fn what_is_wrong_may_be_copied_but_not_made() {
    let item = "{ title: A, hotkey: soon }";
    let conf = |items: &str| format!("sections: [{{ name: S, items: [{items}] }}]\n");
    let world = setup().file("conf.yml", conf(item)).start().await;
    let copied = conf(&[item, item].join(", "));
    let seen = done(&world, "editor-preview", json!({ "text": copied })).await;
    let problems = seen["problems"].as_array().unwrap();
    assert!(problems.len() == 2 && problems.iter().all(|problem| problem["blocks"] == false), "{problems:?}");
    done(&world, "editor-save", json!({ "text": copied, "version": null })).await;
    assert_eq!(world.text("conf.yml").matches("hotkey: soon").count(), 2);
    let made = conf("{ title: A, hotkey: soon }, { title: B, hotkey: now }, { title: C, hotkey: later }");
    let reply = call(&world, "editor-save", json!({ "text": made, "version": null })).await.expect_status(400).json();
    assert_eq!(reply["refused"]["problems"][0]["path"], "/sections/0/items/2/hotkey", "{reply}");
    // Content from an older version of the file may be restored.
    let restored = conf("{ title: A, madeUp: 1 }");
    done(&world, "editor-save", json!({ "text": restored, "version": null })).await;
}

#[tokio::test]
async fn the_draft_of_a_page_that_is_gone_is_not_saved_over_another_file() {
    let world = setup().start().await;
    for function in ALL.into_iter().filter(|function| *function != "editor-files") {
        let mut arguments = arguments(function);
        arguments["page"] = json!("gone");
        let (kind, message) = refused(&world, function, arguments, 404).await;
        assert_eq!(kind, "missing", "{function}");
        assert!(message.contains("no longer in the config"), "{message}");
    }
    world.assert_unchanged();
}

#[tokio::test]
async fn files_of_other_dashboards_become_sections() {
    let world = setup().start().await;
    let imported = done(&world, "editor-import", arguments("editor-import")).await;
    let sections: Value = serde_json::from_str(imported["sections"].as_str().unwrap()).unwrap();
    let pump = json!({ "title": "Pump", "url": "http://pump.example", "target": "sametab", "statusCheck": true });
    assert_eq!(sections, json!([{ "name": "Apps", "items": [pump] }]));
    assert_eq!(imported["summary"], "Imported from Homer: 1 section, 1 item, 0 widgets.");
    assert!(imported["lost"][0].as_str().unwrap().starts_with("config.yml, Apps / Pump: `type: Emby`"), "{imported}");

    let file = json!([{ "name": "config.yml", "text": HOMER }]);
    for (arguments, expected) in [
        (json!({ "source": "glance", "files": file }), "none of the files is a config of Glance"),
        (json!({ "source": "nonsense", "files": file }), "is not a kind of dashboard"),
        (json!({ "files": [] }), "the files are empty"),
        (json!({ "files": [{ "name": "", "text": "a: [1" }] }), "the pasted text cannot be read"),
    ] {
        let (kind, message) = refused(&world, "editor-import", arguments, 400).await;
        assert_eq!(kind, "invalid");
        assert!(message.contains(expected), "{message}");
    }
    world.assert_unchanged();
}

#[tokio::test]
async fn a_local_config_is_drawn_as_it_is_looked_at() {
    let conf = "sections:\n  - name: A\n    widgets: [{ type: clock }, { type: joke }]\n";
    let world = setup().file("conf.yml", conf).start().await;
    let text = conf
        .replace("type: joke", "type: joke, label: Fun")
        .replace("sections:", "pageInfo: { title: Mine }\nsections:");
    let seen = done(&world, "editor-preview", json!({ "text": text, "shown": "" })).await;
    let html = seen["html"].as_str().unwrap();
    assert!(html.contains("Mine") && html.contains("aria-label=\"Edit this page\"") && !html.contains("data-edit=\""));
    let loaded = done(&world, "editor-load", json!({})).await;
    assert_eq!(loaded.get("noLocal"), None);
    let entry = r#"{"type":"joke","label":"Fun"}"#;
    let version = &loaded["version"];
    let about =
        json!({ "file": "conf.yml", "version": version, "keepsBackups": true, "otherWidgets": { "0-1": entry } });
    assert_eq!(seen["local"], about);
    let minimal = done(&world, "editor-preview", json!({ "text": text, "shown": "view=minimal" })).await;
    assert!(minimal["html"].as_str().unwrap().contains("view-minimal"));
    let (kind, _) = refused(&world, "editor-preview", json!({ "text": text, "shown": "page=none" }), 404).await;
    assert_eq!(kind, "missing");
    // The file decides who may edit, not the draft.
    let shut = format!("{conf}appConfig: {{ disableConfiguration: true, preventLocalSave: true }}\n");
    let seen = done(&world, "editor-preview", json!({ "text": shut, "shown": "" })).await;
    assert!(seen["html"].as_str().unwrap().contains("aria-label=\"Edit this page\""));
    world.assert_unchanged();

    let conf = format!("{conf}appConfig: {{ preventLocalSave: true, preventWriteToDisk: true }}\n");
    let world = setup().file("conf.yml", conf).start().await;
    let (kind, message) = refused(&world, "editor-preview", json!({ "text": text, "shown": "" }), 403).await;
    assert_eq!(kind, "forbidden");
    assert!(message.contains("Remove `preventLocalSave`"), "{message}");
    let loaded = done(&world, "editor-load", json!({})).await;
    assert!(loaded["noLocal"].as_str().unwrap().contains("preventLocalSave"), "{loaded}");
}

#[tokio::test]
async fn all_config_files_are_listed_with_what_is_wrong_in_them() {
    let conf = "pageInfo: { title: Harbour }\npages:\n  - { name: Work, path: work.yml }\n  - { name: Gone, path: gone.yml }\n  \
                - { name: Far, path: 'https://far.example/a.yml' }\nsections:\n  - name: A\n    items: [{ title: B, hotkey: soon }]\n    \
                widgets: [{ type: clock }]\n";
    let world = setup().file("conf.yml", conf).file("work.yml", "sections: [{ name: Desk }]\n").start().await;
    let files = done(&world, "editor-files", json!({})).await;
    let files = files.as_array().unwrap();
    let names: Vec<_> = files.iter().map(|file| (file["page"].as_str(), file["file"].as_str().unwrap())).collect();
    let far = "https://far.example/a.yml";
    assert_eq!(names, [(None, "conf.yml"), (Some("work"), "work.yml"), (Some("gone"), "gone.yml"), (Some("far"), far)]);
    let counts = |position: usize| ["sections", "items", "widgets"].map(|key| files[position][key].as_u64().unwrap());
    assert_eq!((counts(0), counts(1), counts(2)), ([1, 1, 1], [1, 0, 0], [0, 0, 0]));
    assert_eq!(files[0]["title"], "Harbour");
    let problems = files[0]["problems"].as_array().unwrap();
    assert!(problems.len() == 1 && problems[0].as_str().unwrap().starts_with("Line 8: "), "{problems:?}");
    assert!(files[0].get("unreadable").is_none() && files[1]["problems"] == json!([]), "{files:?}");
    assert!(files[2]["unreadable"].is_string() && files[3]["remote"] == true, "{files:?}");
}

#[tokio::test]
async fn passwords_of_accounts_are_hashed_as_on_the_command_line() {
    let world = setup().start().await;
    let hash = done(&world, "editor-hash-password", json!({ "password": "winch" })).await;
    let hash = hash.as_str().unwrap();
    assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{hash}");
    let again = done(&world, "editor-hash-password", json!({ "password": "winch" })).await;
    assert_ne!(again, hash, "each hash has its own salt");
    let (kind, message) = refused(&world, "editor-hash-password", json!({ "password": "" }), 400).await;
    assert_eq!((kind.as_str(), message.as_str()), ("invalid", "The password is empty."));
    world.assert_unchanged();

    // The hash signs in with the password.
    let auth = format!(
        "pageInfo: {{ title: A }}\nappConfig: {{ auth: {{ users: [{{ user: ann, hash: '{hash}', type: admin }}] }} }}\n"
    );
    let world = setup().file("conf.yml", auth).env("ENABLE_HTTP_AUTH", "true").start().await;
    world.get("/").await.expect_status(401);
    world.request("GET", "/").basic("ann:winch").send().await.expect_status(200);
}

#[tokio::test]
async fn a_draft_knows_where_its_backup_will_be() {
    let world = setup().start().await;
    let loaded = done(&world, "editor-load", json!({})).await;
    assert_eq!(loaded["nextBackup"], "config-backups/conf-{time}.backup.yml");
    done(&world, "editor-save", json!({ "text": TEXT, "version": loaded["version"] })).await;
    let backup = format!("config-backups/{}", world.backups().pop().unwrap());
    let (start, end) = ("config-backups/conf-", ".backup.yml");
    assert!(backup.starts_with(start) && backup.ends_with(end), "{backup}");

    let world = setup().env("DISABLE_CONFIG_BACKUPS", "true").start().await;
    assert_eq!(done(&world, "editor-load", json!({})).await.get("nextBackup"), None);
}
