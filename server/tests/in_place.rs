//! Files that cannot be replaced are overwritten, through every endpoint and for many at once (docs/spec/api.md 9.2).
//! The disk is a double that refuses what a mount point or a strange directory refuses, so this needs no rights on the
//! machine;
//! `mounts.rs` does some of it with real mounts.

use std::{
    fs::{self, File},
    io::{self, ErrorKind, Write as _},
    os::unix::fs::MetadataExt as _,
    path::Path,
    sync::{
        Arc, Condvar, Mutex,
        atomic::{AtomicBool, Ordering},
    },
};

use serde_json::json;
use server::store::{Disk, LocalDisk};
use tokio::task::JoinSet;

use crate::{
    faults::{FaultyDisk, Operation, Rule},
    world::{C, Setup, World, names_in},
};

/// All the ways in which a place refuses new files or renames: a mount of a single file, a link to another file system,
/// a directory that somebody else owns, a directory that is read-only around a file that is not.
const REFUSALS: [Rule; 4] = [
    |op, path| (op == Operation::Rename && path.ends_with("/conf.yml")).then_some(ErrorKind::ResourceBusy),
    |op, path| (op == Operation::Rename && path.ends_with("/conf.yml")).then_some(ErrorKind::CrossesDevices),
    |op, path| (op == Operation::Create && path.contains("/.conf.yml.tmp-")).then_some(ErrorKind::PermissionDenied),
    |op, path| (op == Operation::Create && path.contains("/.conf.yml.tmp-")).then_some(ErrorKind::ReadOnlyFilesystem),
];

/// Every kind of write, in an order in which each has something to do.
const WRITES: [(&str, &str, &str); 8] = [
    ("POST", "/sections", r#"{"name":"Gamma","items":[{"title":"i"}]}"#),
    ("PATCH", "/sections/Gamma", r#"{"icon":"mdi-lan"}"#),
    ("POST", "/sections/Gamma/items", r#"{"title":"j"}"#),
    ("PATCH", "/sections/Gamma/items/j", r#"{"url":"https://j.example"}"#),
    ("DELETE", "/sections/Gamma/items/i", ""),
    ("DELETE", "/sections/0", ""),
    ("PUT", "/pageInfo", r#"{"title":"New"}"#),
    ("PUT", "", r#"{"sections":[]}"#),
];

fn inode(world: &World) -> u64 {
    fs::metadata(world.path("conf.yml")).unwrap().ino()
}

#[track_caller]
fn assert_clean(world: &World) {
    for folder in ["", "config-backups"] {
        let left: Vec<String> =
            names_in(&world.path(folder)).into_iter().filter(|name| name.contains(".tmp-")).collect();
        assert!(left.is_empty(), "{left:?}");
    }
}

#[tokio::test]
async fn every_kind_of_write_overwrites() {
    for rule in REFUSALS {
        let (normal, refusing) = (World::new().await, Setup::new().disk(FaultyDisk(rule)).start().await);
        let before = inode(&refusing);
        for (method, path, body) in WRITES {
            let address = format!("{C}{path}");
            let old = refusing.text("conf.yml");
            let mut expected = normal.send(method, &address, body).await.json();
            let mut answer = refusing.send(method, &address, body).await.json();
            assert_eq!(answer["success"], true, "{method} {path}: {answer}");
            let backup = answer["backup"].as_str().unwrap().to_owned();
            assert_eq!(refusing.text(&format!("config-backups/{backup}")), old, "{method} {path}");
            for answer in [&mut expected, &mut answer] {
                answer["backup"].take();
            }
            assert_eq!(answer, expected, "{method} {path}");
            assert_eq!(refusing.text("conf.yml"), normal.text("conf.yml"), "{method} {path}");
            assert_eq!(refusing.get("/conf.yml").await.text, normal.text("conf.yml"));
        }
        assert_eq!(inode(&refusing), before);
        assert_clean(&refusing);
    }
}

#[tokio::test]
async fn without_a_backup_nothing_is_overwritten() {
    for rejection in [ErrorKind::StorageFull, ErrorKind::PermissionDenied] {
        let rule: Rule = match rejection {
            ErrorKind::StorageFull => |op, path| match op {
                Operation::Rename if path.ends_with("/conf.yml") => Some(ErrorKind::ResourceBusy),
                Operation::Fill if path.contains("config-backups") => Some(ErrorKind::StorageFull),
                _ => None,
            },
            _ => |op, path| match op {
                Operation::Rename if path.ends_with("/conf.yml") => Some(ErrorKind::ResourceBusy),
                Operation::Create if path.contains("config-backups") => Some(ErrorKind::PermissionDenied),
                _ => None,
            },
        };
        let world = Setup::new().disk(FaultyDisk(rule)).start().await;
        for (method, path, body) in WRITES.into_iter().filter(|(_, path, _)| !path.contains("Gamma")) {
            world.send(method, &format!("{C}{path}"), body).await.expect_failure(500);
        }
        world.assert_unchanged();
    }
}

/// There is nothing to overwrite where no file is.
#[tokio::test]
async fn a_new_file_is_not_begun_where_it_cannot_be_finished() {
    for kind in [
        (|op, path| (op == Operation::Rename && path.ends_with("/new.yml")).then_some(ErrorKind::ResourceBusy)) as Rule,
        |op, path| (op == Operation::Create && path.contains("/.new.yml.tmp-")).then_some(ErrorKind::PermissionDenied),
        |op, path| (op == Operation::Fill && path.contains("/.new.yml.tmp-")).then_some(ErrorKind::StorageFull),
    ] {
        let world = Setup::new().disk(FaultyDisk(kind)).start().await;
        world.send("PUT", "/api/config/new.yml", "{}").await.expect_failure(500);
        world.assert_unchanged();
    }
}

/// Other failures are not taken for a rejection of the place: the old file is not touched.
#[tokio::test]
async fn a_full_disk_is_no_reason_to_overwrite() {
    for rule in [
        (|op, path| (op == Operation::Fill && path.contains("/.conf.yml.tmp-")).then_some(ErrorKind::StorageFull))
            as Rule,
        |op, path| (op == Operation::Fill && path.contains("/.conf.yml.tmp-")).then_some(ErrorKind::QuotaExceeded),
        |op, path| (op == Operation::Rename && path.ends_with("/conf.yml")).then_some(ErrorKind::Other),
        |op, path| match op {
            Operation::Rename if path.ends_with("/conf.yml") => Some(ErrorKind::ResourceBusy),
            Operation::Open if path.ends_with("/conf.yml") => Some(ErrorKind::ReadOnlyFilesystem),
            _ => None,
        },
    ] {
        let world = Setup::new().disk(FaultyDisk(rule)).start().await;
        world.send("PUT", C, r#"{"sections":[]}"#).await.expect_failure(500);
        world.assert_unchanged();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn many_writers_overwrite_one_after_the_other() {
    let world = Arc::new(Setup::new().disk(FaultyDisk(REFUSALS[0])).start().await);
    let before = inode(&world);
    let stop = Arc::new(AtomicBool::new(false));
    let reader = tokio::spawn({
        let (world, stop) = (Arc::clone(&world), Arc::clone(&stop));
        async move {
            while !stop.load(Ordering::Relaxed) {
                assert!(world.value(C).await["sections"].is_array());
                world.get("/conf.yml").await.expect_status(200);
            }
        }
    });
    let mut writers = JoinSet::new();
    for number in 0..20 {
        let world = Arc::clone(&world);
        let body = json!({ "name": format!("section {number}") }).to_string();
        writers.spawn(async move {
            world.send("POST", &format!("{C}/sections"), &body).await.expect_status(201);
        });
    }
    writers.join_all().await;
    stop.store(true, Ordering::Relaxed);
    reader.await.unwrap();
    assert_eq!(world.value(&format!("{C}/sections")).await.as_array().unwrap().len(), 26);
    assert_eq!(world.backups().len(), 21);
    assert_eq!(inode(&world), before);
}

/// Stops in the middle of overwriting until it is released.
#[derive(Debug, Default)]
struct SlowDisk {
    /// Whether it is in the middle, and whether it may go on.
    state: Arc<(Mutex<(bool, bool)>, Condvar)>,
}

fn is_config(path: &Path) -> bool {
    path.ends_with("conf.yml") || path.ends_with("extra.yml")
}

impl Disk for SlowDisk {
    fn create(&self, path: &Path) -> io::Result<File> {
        LocalDisk.create(path)
    }

    fn open(&self, path: &Path) -> io::Result<File> {
        LocalDisk.open(path)
    }

    fn fill(&self, file: &mut File, bytes: &[u8]) -> io::Result<()> {
        let path = fs::read_link(format!("/proc/self/fd/{}", std::os::fd::AsRawFd::as_raw_fd(file)))?;
        if is_config(&path) {
            file.write_all(&bytes[..bytes.len() / 2])?;
            let (state, changed) = &*self.state;
            let mut state = state.lock().unwrap();
            state.0 = true;
            changed.notify_all();
            drop(changed.wait_while(state, |(_, may_go_on)| !*may_go_on).unwrap());
        }
        LocalDisk.fill(file, bytes)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        if is_config(to) {
            return Err(ErrorKind::ResourceBusy.into());
        }
        LocalDisk.rename(from, to)
    }
}

/// Of the main config, which is in memory, and of one that no page is made of.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_reader_during_a_write_gets_the_old_file() {
    for name in ["conf.yml", "extra.yml"] {
        let disk = SlowDisk::default();
        let state = Arc::clone(&disk.state);
        let world = Arc::new(Setup::new().disk(disk).start().await);
        let (api, plain) = (format!("/api/config/{name}"), format!("/{name}"));
        let old = (world.get(&api).await.text, world.get(&plain).await.text, world.text(name));
        let writer = tokio::spawn({
            let (world, api) = (Arc::clone(&world), api.clone());
            let body = r#"{"pageInfo":{"title":"New"},"sections":[]}"#;
            async move { world.send("PUT", &api, body).await.expect_status(200) }
        });
        let wait = Arc::clone(&state);
        tokio::task::spawn_blocking(move || {
            let (state, changed) = &*wait;
            drop(changed.wait_while(state.lock().unwrap(), |(is_in_the_middle, _)| !*is_in_the_middle).unwrap());
        })
        .await
        .unwrap();
        // On the disk is a mixture now.
        assert_ne!(world.text(name), old.2);
        for _ in 0..3 {
            assert_eq!(world.get(&api).await.expect_status(200).text, old.0);
            assert_eq!(world.get(&plain).await.expect_status(200).text, old.1);
            world.poll().await;
            assert!(world.get("/").await.expect_status(200).text.contains("Base"));
        }
        assert!(!writer.is_finished());
        let (go_on, changed) = &*state;
        go_on.lock().unwrap().1 = true;
        changed.notify_all();
        writer.await.unwrap();
        assert_eq!(world.value(&api).await["pageInfo"]["title"], "New");
    }
}
