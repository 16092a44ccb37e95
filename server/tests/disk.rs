//! docs/spec/api.md 11, cases 105 to 110: backups, and disk errors.

use std::{fs, io::ErrorKind, os::unix::fs::PermissionsExt as _};

use serde_json::Value;

use crate::{
    faults::{FaultyDisk, Operation, Rule},
    world::{C, Setup, World, names_in},
};

const BODY: &str = r#"{"pageInfo":{"title":"New"},"sections":[]}"#;
const PRINTED: &str = "pageInfo:\n  title: New\nsections: []\n";

async fn faulty(rule: Rule) -> World {
    Setup::new().disk(FaultyDisk(rule)).start().await
}

/// Expects no temporary files in the folder.
#[track_caller]
fn assert_clean(world: &World) {
    for folder in ["", "config-backups"] {
        let hidden: Vec<String> =
            names_in(&world.path(folder)).into_iter().filter(|name| name.contains(".tmp-")).collect();
        assert!(hidden.is_empty(), "{hidden:?}");
    }
}

#[tokio::test]
async fn case_105_no_backups() {
    let world = Setup::new().env("DISABLE_CONFIG_BACKUPS", "true").start().await;
    let answer = world.send("PUT", C, BODY).await.expect_status(200).json();
    assert_eq!(answer["backup"], Value::Null);
    assert_eq!(world.backups().len(), 1);
}

#[tokio::test]
async fn case_106_backups_elsewhere() {
    let elsewhere = tempfile::tempdir().unwrap();
    let folder = elsewhere.path().join("deep/backups");
    let world = Setup::new().env("BACKUP_DIR", folder.to_str().unwrap()).start().await;
    let old = world.text("conf.yml");
    let answer = world.send("PUT", C, BODY).await.expect_status(200).json();
    assert_eq!(world.backups().len(), 1);
    let backup = answer["backup"].as_str().unwrap();
    assert_eq!(names_in(&folder), [backup]);
    assert_eq!(fs::read_to_string(folder.join(backup)).unwrap(), old);
}

#[tokio::test]
async fn case_107_no_backup_no_write() {
    // A file is in the place of the folder.
    let elsewhere = tempfile::NamedTempFile::new().unwrap();
    let world = Setup::new().env("BACKUP_DIR", elsewhere.path().to_str().unwrap()).start().await;
    let message = world.send("PUT", C, BODY).await.expect_failure(500);
    assert!(message.contains("DISABLE_CONFIG_BACKUPS"), "{message}");
    world.assert_unchanged();

    // The folder is read-only, in two ways.
    let refusing: [(Rule, &str); 2] = [
        (
            |op, path| {
                (op == Operation::Create && path.contains("config-backups")).then_some(ErrorKind::PermissionDenied)
            },
            "permission denied: user ",
        ),
        (
            |op, path| {
                (op == Operation::Rename && path.contains("config-backups")).then_some(ErrorKind::ReadOnlyFilesystem)
            },
            "read-only",
        ),
    ];
    for (rule, reason) in refusing {
        let world = faulty(rule).await;
        let message = world.send("PUT", C, BODY).await.expect_failure(500);
        assert!(message.contains("DISABLE_CONFIG_BACKUPS") && message.contains(reason), "{message}");
        world.assert_unchanged();
    }
    // Turning backups off is no remedy for a full disk.
    let world =
        faulty(|op, path| (op == Operation::Fill && path.contains("config-backups")).then_some(ErrorKind::StorageFull))
            .await;
    let message = world.send("PUT", C, BODY).await.expect_failure(500);
    assert!(message.contains("full") && !message.contains("DISABLE_CONFIG_BACKUPS"), "{message}");
    world.assert_unchanged();
}

#[tokio::test]
async fn a_write_that_would_fail_without_a_backup_too_advises_no_way_around_it() {
    let refusing: [(Rule, &str); 2] = [
        (
            |op, _| matches!(op, Operation::Create | Operation::Open).then_some(ErrorKind::PermissionDenied),
            "permission denied: user ",
        ),
        (
            |op, _| matches!(op, Operation::Create | Operation::Open).then_some(ErrorKind::ReadOnlyFilesystem),
            "the file system is read-only",
        ),
    ];
    for (rule, reason) in refusing {
        let world = faulty(rule).await;
        let message = world.send("PUT", C, BODY).await.expect_failure(500);
        assert!(message.starts_with(&format!("`conf.yml` cannot be written: {reason}")), "{message}");
        let folder = world.path("").canonicalize().unwrap();
        let name = folder.file_name().unwrap().to_string_lossy();
        let is_named = message.contains(&format!("may not write to the folder `{name}`"));
        assert_eq!(is_named, reason.contains("user"), "{message}");
        world.assert_unchanged();
    }
    // The file can be written in place, but nothing can be created.
    let world = faulty(|op, _| (op == Operation::Create).then_some(ErrorKind::PermissionDenied)).await;
    let message = world.send("PUT", C, BODY).await.expect_failure(500);
    assert!(message.contains("DISABLE_CONFIG_BACKUPS") && message.contains("may not write to"), "{message}");
    world.assert_unchanged();
}

#[tokio::test]
async fn case_108_a_file_that_cannot_be_written() {
    let is_config = |path: &str| !path.contains("config-backups");
    assert!(is_config("conf.yml"));
    let refusing: [(Rule, &str); 3] = [
        (
            |op, path| {
                let refused = matches!(op, Operation::Create | Operation::Open) && !path.contains("config-backups");
                refused.then_some(ErrorKind::PermissionDenied)
            },
            "permission denied",
        ),
        (
            |op, path| {
                let refused = matches!(op, Operation::Create | Operation::Open) && !path.contains("config-backups");
                refused.then_some(ErrorKind::ReadOnlyFilesystem)
            },
            "read-only",
        ),
        (
            |op, path| (op == Operation::Fill && path.contains("conf.yml.tmp-")).then_some(ErrorKind::StorageFull),
            "the disk is full",
        ),
    ];
    for (rule, reason) in refusing {
        let world = faulty(rule).await;
        let message = world.send("PUT", C, BODY).await.expect_failure(500);
        assert!(message.contains(reason) && message.contains("conf.yml"), "{message}");
        world.assert_unchanged();
        assert_eq!(world.value(&format!("{C}/pageInfo")).await["title"], "Base");
    }
}

#[tokio::test]
async fn case_109_a_file_that_cannot_be_replaced_is_overwritten() {
    for rule in [
        (|op, path| (op == Operation::Rename && path.ends_with("/conf.yml")).then_some(ErrorKind::ResourceBusy))
            as Rule,
        |op, path| (op == Operation::Rename && path.ends_with("/conf.yml")).then_some(ErrorKind::CrossesDevices),
        |op, path| (op == Operation::Create && path.contains("conf.yml.tmp-")).then_some(ErrorKind::PermissionDenied),
        |op, path| (op == Operation::Create && path.contains("conf.yml.tmp-")).then_some(ErrorKind::ReadOnlyFilesystem),
    ] {
        let world = faulty(rule).await;
        let old = world.text("conf.yml");
        let inode = std::os::unix::fs::MetadataExt::ino(&fs::metadata(world.path("conf.yml")).unwrap());
        let answer = world.send("PUT", C, BODY).await.expect_status(200).json();
        assert_eq!(world.text("conf.yml"), PRINTED);
        assert_eq!(world.text(&format!("config-backups/{}", answer["backup"].as_str().unwrap())), old);
        assert_eq!(std::os::unix::fs::MetadataExt::ino(&fs::metadata(world.path("conf.yml")).unwrap()), inode);
        assert_clean(&world);
        assert!(world.get("/").await.text.contains("New"));
    }
}

#[tokio::test]
async fn an_overwriting_that_fails_puts_the_old_content_back() {
    use std::sync::atomic::{AtomicUsize, Ordering};
    static FILLS: AtomicUsize = AtomicUsize::new(0);
    let world = faulty(|op, path| match op {
        Operation::Rename if path.ends_with("/conf.yml") => Some(ErrorKind::ResourceBusy),
        // The first time only: the disk is full, and then the old content fits again.
        Operation::Fill if path.ends_with("/conf.yml") && FILLS.fetch_add(1, Ordering::SeqCst) == 0 => {
            Some(ErrorKind::StorageFull)
        }
        _ => None,
    })
    .await;
    assert!(world.send("PUT", C, BODY).await.expect_failure(500).contains("full"));
    world.assert_unchanged();
}

#[tokio::test]
async fn an_overwriting_that_fails_for_good_leaves_the_backup() {
    let world = faulty(|op, path| match op {
        Operation::Rename if path.ends_with("/conf.yml") => Some(ErrorKind::ResourceBusy),
        Operation::Fill if path.ends_with("/conf.yml") => Some(ErrorKind::StorageFull),
        _ => None,
    })
    .await;
    let old = world.text("conf.yml");
    let body = format!(r#"{{"sections":[],"pageInfo":{{"title":"{}"}}}}"#, "x".repeat(2000));
    world.send("PUT", C, &body).await.expect_failure(500);
    let newest = world.backups().pop().unwrap();
    assert_eq!(world.text(&format!("config-backups/{newest}")), old);
}

#[tokio::test]
async fn case_110_only_the_newest_backups_stay() {
    let world = Setup::new()
        .env("CONFIG_BACKUP_LIMIT", "2")
        .file("config-backups/conf-notes.backup.yml", "mine")
        .file("config-backups/extra-1600000000000.backup.yml", "another file's")
        .start()
        .await;
    let mut made = Vec::new();
    for number in 0..3 {
        let body = format!(r#"{{"title":"{number}"}}"#);
        let answer = world.send("PUT", &format!("{C}/pageInfo"), &body).await.expect_status(200).json();
        made.push(answer["backup"].as_str().unwrap().to_owned());
    }
    let kept: Vec<String> = world.backups().into_iter().filter(|name| name.starts_with("conf-1")).collect();
    assert_eq!(kept, made[1..]);
    for other in ["conf-notes.backup.yml", "extra-1600000000000.backup.yml"] {
        assert!(world.backups().contains(&other.to_owned()), "{other}");
    }
}

#[tokio::test]
async fn a_limit_of_zero_keeps_all() {
    let world = Setup::new().env("CONFIG_BACKUP_LIMIT", "0").start().await;
    for _ in 0..5 {
        world.send("PUT", C, BODY).await.expect_status(200);
    }
    assert_eq!(world.backups().len(), 6);
}

#[tokio::test]
async fn permissions_stay_and_new_files_can_be_read() {
    let world = World::new().await;
    fs::set_permissions(world.path("conf.yml"), fs::Permissions::from_mode(0o640)).unwrap();
    let answer = world.send("PUT", C, BODY).await.expect_status(200).json();
    let mode = |name: &str| fs::metadata(world.path(name)).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode("conf.yml"), 0o640);
    // A backup contains the same secrets.
    assert_eq!(mode(&format!("config-backups/{}", answer["backup"].as_str().unwrap())), 0o640);
    world.send("PUT", "/api/config/new.yml", "{}").await.expect_status(200);
    assert_eq!(mode("new.yml"), 0o640);
    // The user's file stays readable for everybody; our copy does not.
    fs::set_permissions(world.path("conf.yml"), fs::Permissions::from_mode(0o644)).unwrap();
    let answer = world.send("PUT", C, BODY).await.expect_status(200).json();
    assert_eq!(mode("conf.yml"), 0o644);
    assert_eq!(mode(&format!("config-backups/{}", answer["backup"].as_str().unwrap())), 0o640);
    let new = Setup::new().directory(&world.path("fresh")).start().await;
    assert_eq!(fs::metadata(new.path("conf.yml")).unwrap().permissions().mode() & 0o777, 0o640);
}

#[tokio::test]
async fn links_are_followed_and_their_target_replaced() {
    let world = World::new().await;
    fs::create_dir(world.path("..data")).unwrap();
    fs::rename(world.path("conf.yml"), world.path("..data/conf.yml")).unwrap();
    std::os::unix::fs::symlink("..data/conf.yml", world.path("conf.yml")).unwrap();
    world.send("PUT", C, BODY).await.expect_status(200);
    assert!(world.path("conf.yml").is_symlink());
    assert_eq!(world.text("..data/conf.yml"), PRINTED);
}
