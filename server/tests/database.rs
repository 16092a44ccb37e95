//! Files in PostgreSQL: everything works as with a folder.

use std::{
    collections::BTreeMap,
    fs,
    path::Path,
    process::{Command, Output},
    sync::Arc,
};

use serde_json::json;
use server::store::Via;
use tokio::task::JoinSet;

use crate::{
    editor_functions::{done, refused},
    postgres::{Postgres, name_of},
    world::{C, Setup, World},
};

/// A key of sessions, as all servers of a database need.
pub const SECRET: &str = "a secret of thirty-two characters";

/// A server with its files in a database.
async fn with_database(address: &str) -> World {
    Setup::new().env("DATABASE_URL", address).env("SESSION_SECRET", SECRET).start().await
}

fn portico(arguments: &[&str], database: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_portico"));
    command.args(arguments).env_clear().env("DATABASE_URL", database).current_dir(std::env::temp_dir());
    command.output().unwrap()
}

#[track_caller]
fn output_of(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// All files below a folder, with their bytes.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
                found.insert(name, fs::read(path).unwrap());
            }
        }
    }
    found
}

#[tokio::test]
async fn a_new_database_gets_the_starter_and_the_folder_stays_as_it_is() {
    let address = Postgres::shared().database().await;
    let world = with_database(&address).await;
    let page = world.get("/").await.expect_status(200).text;
    assert!(page.contains("First steps") && !page.contains("Alpha"), "the config of the folder is shown");
    // The copy is in a hidden folder; everything else is as it was.
    let mut now = files(&world.path(""));
    now.retain(|name, _| !name.starts_with(".replica/"));
    assert!(now.contains_key("conf.yml") && now.contains_key("notes.txt") && !now.contains_key(".session-key"));
    assert!(world.text("conf.yml").contains("title: Base"));
}

#[tokio::test]
async fn a_write_has_its_backup_its_author_and_its_difference() {
    let address = Postgres::shared().database().await;
    let world = with_database(&address).await;
    let store = Arc::clone(&world.portico().store);
    let starter = store.site().root.as_ref().unwrap().bytes.clone();
    let answer = world.send("PUT", C, r#"{"pageInfo":{"title":"One"},"sections":[]}"#).await.expect_status(200).json();
    let backup = answer["backup"].as_str().unwrap().to_owned();
    assert_eq!(store.backup("conf.yml", &backup).await.unwrap().unwrap(), starter);
    assert!(store.backup("other.yml", &backup).await.unwrap().is_none());
    let listed = store.backups("conf.yml").await;
    assert_eq!((listed.len(), &listed[0].name, listed[0].bytes), (1, &backup, starter.len() as u64));
    let changes = store.changes(u64::MAX, 10).await.unwrap();
    assert_eq!((changes.len(), changes[0].author.via, &changes[0].backup), (1, Via::Api, &Some(backup)));
    assert!(changes[0].diff.contains("title: One"), "{}", changes[0].diff);
    // Another server has it from its start.
    let other = with_database(&address).await;
    assert_eq!(other.value(&format!("{C}/pageInfo")).await, json!({ "title": "One" }));
    assert_eq!(other.portico().store.changes(u64::MAX, 10).await.unwrap(), changes);
}

#[tokio::test]
async fn as_many_backups_remain_as_the_limit_says() {
    let address = Postgres::shared().database().await;
    let setup = Setup::new().env("DATABASE_URL", &address).env("SESSION_SECRET", SECRET);
    let world = setup.env("CONFIG_BACKUP_LIMIT", "3").start().await;
    for number in 0..6 {
        world
            .send("PUT", C, &json!({ "pageInfo": { "title": format!("Number {number}") }, "sections": [] }).to_string())
            .await
            .expect_status(200);
    }
    let store = &world.portico().store;
    let backups = store.backups("conf.yml").await;
    assert_eq!(backups.len(), 3);
    let newest = store.backup("conf.yml", &backups[0].name).await.unwrap().unwrap();
    assert!(String::from_utf8(newest).unwrap().contains("title: Number 4"));
    assert_eq!(store.changes(u64::MAX, 100).await.unwrap().len(), 6);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_servers_that_write_at_once_lose_nothing() {
    let address = Postgres::shared().database().await;
    let worlds = [Arc::new(with_database(&address).await), Arc::new(with_database(&address).await)];
    worlds[0].send("PUT", C, r#"{"sections":[]}"#).await.expect_status(200);
    let mut tasks = JoinSet::new();
    for number in 0..40 {
        let world = Arc::clone(&worlds[number % 2]);
        tasks.spawn(async move {
            let body = json!({ "name": format!("section {number}") }).to_string();
            world.send("POST", &format!("{C}/sections"), &body).await.expect_status(201);
        });
    }
    tasks.join_all().await;
    let third = with_database(&address).await;
    let sections = third.value(&format!("{C}/sections")).await;
    let mut names: Vec<&str> =
        sections.as_array().unwrap().iter().filter_map(|section| section["name"].as_str()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), 40);
    assert_eq!(third.portico().store.backups("conf.yml").await.len(), 41);
}

#[tokio::test]
async fn a_save_over_a_text_that_another_server_has_changed_is_rejected() {
    let address = Postgres::shared().database().await;
    let (ours, theirs) = (with_database(&address).await, with_database(&address).await);
    let version = done(&ours, "editor-load", json!({})).await["version"].take();
    theirs.send("PUT", C, r#"{"pageInfo":{"title":"Theirs"},"sections":[]}"#).await.expect_status(200);
    let save = json!({ "text": "pageInfo: { title: Ours }\nsections: []\n", "version": version });
    let (kind, _) = refused(&ours, "editor-save", save, 409).await;
    assert_eq!(kind, "changed");
    let third = with_database(&address).await;
    assert_eq!(third.value(&format!("{C}/pageInfo")).await["title"], "Theirs");
}

#[tokio::test]
async fn push_pull_and_copy_are_exact_to_the_byte() {
    let (address, second) = (Postgres::shared().database().await, Postgres::shared().database().await);
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    // A folder with a past: written by a server.
    let world = Setup::new().directory(&folder.path().join("data"));
    fs::create_dir_all(folder.path().join("data/config-backups")).unwrap();
    fs::write(folder.path().join("data/conf.yml"), "pageInfo: { title: Größe } # why\r\nsections: []").unwrap();
    let world = world.start().await;
    for title in ["One", "Two"] {
        world
            .send("PUT", C, &json!({ "pageInfo": { "title": title }, "sections": [] }).to_string())
            .await
            .expect_status(200);
    }
    for (name, bytes) in [
        ("item-icons/a/日本.png", &b"\x89PNG\r\n\x1a\n\0\xff"[..]),
        ("empty.txt", b""),
        ("crlf.yml", b"a: 1\r\n\r\n"),
        ("config-backups/old-1600000000000.backup.yml", b"title: old"),
        ("config-backups/readme.txt", b"by hand"),
        (".api-tokens", b"[]"),
    ] {
        let path = folder.path().join("data").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    fs::create_dir(folder.path().join("data/.cache")).unwrap();
    fs::write(folder.path().join("data/.cache/icon"), "cached").unwrap();
    fs::write(folder.path().join("data/.session-key"), "secret").unwrap();
    let mut expected = files(&folder.path().join("data"));
    expected.retain(|name, _| name != ".session-key" && !name.starts_with(".cache/"));

    let said = output_of(&portico(&["store", "push", &path("data")], &address));
    assert_eq!(said, "copied 6 files, 2 changes in the history and 3 backups\n");
    output_of(&portico(&["store", "pull", &path("pulled")], &address));
    assert_eq!(files(&folder.path().join("pulled")), expected);
    // From one database to another, and from one folder to another.
    output_of(&portico(&["store", "copy", &address, &second], &address));
    output_of(&portico(&["store", "pull", &path("second")], &second));
    assert_eq!(files(&folder.path().join("second")), expected);
    output_of(&portico(&["store", "copy", &path("second"), &path("third")], &address));
    assert_eq!(files(&folder.path().join("third")), expected);
    // Nothing is deleted unasked.
    let rejected = portico(&["store", "push", &path("third")], &address);
    assert!(!rejected.status.success());
    assert!(String::from_utf8_lossy(&rejected.stderr).contains("add --replace"), "{rejected:?}");
    fs::remove_file(folder.path().join("third/crlf.yml")).unwrap();
    expected.remove("crlf.yml");
    output_of(&portico(&["store", "push", "--replace", &path("third")], &address));
    output_of(&portico(&["store", "pull", "--replace", &path("second")], &address));
    assert_eq!(files(&folder.path().join("second")), expected);
}

#[tokio::test]
async fn what_servers_wrote_into_a_database_comes_out_as_a_folder_with_its_past() {
    let address = Postgres::shared().database().await;
    let world = with_database(&address).await;
    for title in ["One", "Two", "Three"] {
        world
            .send("PUT", C, &json!({ "pageInfo": { "title": title }, "sections": [] }).to_string())
            .await
            .expect_status(200);
    }
    let changes = world.portico().store.changes(u64::MAX, 10).await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    output_of(&portico(&["store", "pull", folder.path().to_str().unwrap()], &address));
    let pulled = Setup::new().directory(folder.path()).start().await;
    assert_eq!(pulled.portico().store.changes(u64::MAX, 10).await.unwrap(), changes);
    for change in &changes {
        let (name, store) = (change.backup.as_deref().unwrap(), &pulled.portico().store);
        let before = world.portico().store.backup("conf.yml", name).await.unwrap();
        assert_eq!(store.backup("conf.yml", name).await.unwrap(), before);
    }
}

#[tokio::test]
async fn commands_read_and_write_the_database() {
    let address = Postgres::shared().database().await;
    let world = with_database(&address).await;
    world.send("PUT", C, r#"{"pageInfo":{"title":"Valid"},"sections":[]}"#).await.expect_status(200);
    assert!(output_of(&portico(&["validate"], &address)).contains("conf.yml: valid"));
    let token = output_of(&portico(&["token", "create", "backup"], &address));
    assert!(output_of(&portico(&["token", "list"], &address)).starts_with("backup\tread\t"));
    let twice = portico(&["token", "create", "backup"], &address);
    assert!(String::from_utf8_lossy(&twice.stderr).contains("there is a token `backup` already"));
    let other = with_database(&address).await;
    let read = async |token: &str| other.request("GET", C).bearer(token).send().await.status;
    assert_eq!((read(token.trim()).await.as_u16(), read("portico_wrong").await.as_u16()), (200, 401));
}

#[tokio::test]
async fn without_a_session_secret_the_start_is_refused_with_the_line_to_write() {
    let address = Postgres::shared().database().await;
    let output = portico(&["serve"], &address);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    assert!(text.contains("all servers need the same SESSION_SECRET"), "{text}");
    let line = text.split("SESSION_SECRET=").nth(1).unwrap();
    assert!(line.trim().len() >= 44, "{text}");
}

#[tokio::test]
async fn a_database_of_the_next_version_is_used_side_by_side() {
    let server = Postgres::shared();
    let address = server.database().await;
    let first = with_database(&address).await;
    // What the migration of a next version may do: add.
    let migration = "insert into portico.migrations (number) values (999);
        alter table portico.files add column checksum text;
        alter table portico.revisions add column note text not null default '';
        create table portico.more (id int);";
    server.run(name_of(&address), migration).await;
    first.send("PUT", C, r#"{"pageInfo":{"title":"One"},"sections":[]}"#).await.expect_status(200);
    let second = with_database(&address).await;
    assert_eq!(second.value(&format!("{C}/pageInfo")).await["title"], "One");
    second.send("PUT", C, r#"{"pageInfo":{"title":"Two"},"sections":[]}"#).await.expect_status(200);
    let third = with_database(&address).await;
    assert_eq!(third.value(&format!("{C}/pageInfo")).await["title"], "Two");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn servers_that_start_at_once_create_the_tables_once() {
    let address = Postgres::shared().database().await;
    let mut starting = JoinSet::new();
    for _ in 0..4 {
        let address = address.clone();
        starting.spawn(async move { with_database(&address).await.get("/").await.status });
    }
    assert!(starting.join_all().await.into_iter().all(|status| status == 200));
}

#[tokio::test]
async fn connections_are_encrypted_and_the_certificate_is_checked() {
    let key = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let mut server = Postgres::start(&[]);
    server.stop();
    for (name, text) in [("server.crt", key.cert.pem()), ("server.key", key.signing_key.serialize_pem())] {
        let path = server.file(name);
        fs::write(&path, text).unwrap();
        use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
        let owner = fs::metadata(path.parent().unwrap()).unwrap();
        std::os::unix::fs::chown(&path, Some(owner.uid()), Some(owner.gid())).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    }
    fs::write(server.file("postgresql.auto.conf"), "ssl = on\n").unwrap();
    server.resume();
    let address = server.database().await;
    let address = format!("postgres://portico@localhost:{}/{}?sslmode=require", server.port(), name_of(&address));
    let folder = tempfile::tempdir().unwrap();
    let certificate = folder.path().join("ca.pem");
    fs::write(&certificate, key.cert.pem()).unwrap();
    let pull = |certificate: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_portico"));
        command.args(["store", "pull", "pulled"]).env_clear().env("DATABASE_URL", &address);
        command.env("NODE_EXTRA_CA_CERTS", certificate).current_dir(folder.path());
        String::from_utf8_lossy(&command.output().unwrap().stderr).into_owned()
    };
    assert!(pull("").contains("certificate"), "{}", pull(""));
    // The tables are there, but no files.
    let encrypted = pull(certificate.to_str().unwrap());
    assert!(encrypted.ends_with("portico: there is nothing to copy\n"), "{encrypted}");
}
