//! Real mounts: a read-only folder, a single mounted file, a full disk. Each test enters a mount namespace of its own
//! by running this program once more. Where the machine does not let us, that is said, and the same rules stand proved
//! by the doubles of `disk.rs` and `in_place.rs`, which refuse what these mounts refuse.

use std::{
    fs,
    io::{self, Write as _},
    path::Path,
    process::Command,
};

use crate::world::{C, CONF, Setup};

const ROLE: &str = "PORTICO_TEST_MOUNT";
const FOLDER: &str = "PORTICO_TEST_FOLDER";
const BODY: &str = r#"{"pageInfo":{"title":"New"},"sections":[]}"#;

/// Runs a part of this file with mounts that a script creates in `$D`.
#[track_caller]
fn behind(script: &str, role: &str) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("conf.yml"), CONF).unwrap();
    fs::create_dir(folder.path().join("config-backups")).unwrap();
    let Some(unshare) = namespaces() else {
        // Not with a macro: their output is shown only if a test fails.
        let said = writeln!(
            io::stderr(),
            "mounts.rs: this machine forbids mount namespaces, so `{role}` is tested with a double of the disk alone"
        );
        return said.unwrap();
    };
    let program = std::env::current_exe().unwrap();
    let script = format!("set -e\nD=\"${FOLDER}\"\n{script}\nexec \"$0\" --exact mounts::inside --nocapture");
    let output = Command::new("unshare")
        .args(unshare)
        .args(["sh", "-c", &script])
        .arg(program)
        .env(ROLE, role)
        .env(FOLDER, folder.path())
        .output()
        .unwrap();
    let printed = String::from_utf8_lossy(&output.stdout);
    let done = output.status.success() && printed.contains("the part was played");
    assert!(done, "{printed}\n{}", String::from_utf8_lossy(&output.stderr));
}

/// The command for a mount namespace, if there is one.
fn namespaces() -> Option<&'static [&'static str]> {
    [&["-m"] as &[&str], &["-Urm"]].into_iter().find(|arguments| {
        let probe = Command::new("unshare").args(*arguments).args(["sh", "-c", "mount -t tmpfs tmpfs /tmp"]).output();
        probe.is_ok_and(|probe| probe.status.success())
    })
}

#[test]
fn case_107_a_real_read_only_backup_folder() {
    behind("mount --bind $D/config-backups $D/config-backups; mount -o remount,ro,bind $D/config-backups", "no backup");
}

#[test]
fn case_108_a_real_read_only_folder() {
    behind("mount --bind $D $D; mount -o remount,ro,bind $D", "read-only");
}

#[test]
fn case_109_a_real_single_file_mount() {
    behind("cp $D/conf.yml $D/other; mount --bind $D/other $D/conf.yml", "single file");
}

#[test]
fn a_real_full_disk() {
    behind("mount -t tmpfs -o size=64k tmpfs $D; mkdir $D/config-backups", "full");
}

/// Runs the part that [`behind`] names; without one, it does nothing.
#[tokio::test]
async fn inside() {
    let (Ok(role), Ok(folder)) = (std::env::var(ROLE), std::env::var(FOLDER)) else { return };
    let folder = Path::new(&folder);
    match role.as_str() {
        "no backup" => {
            let world = Setup::new().directory(folder).start().await;
            let message = world.send("PUT", C, BODY).await.expect_status(500).json()["message"].to_string();
            assert!(message.contains("DISABLE_CONFIG_BACKUPS") && message.contains("read-only"), "{message}");
            world.assert_unchanged();
        }
        "read-only" => {
            for disabled in ["", "true"] {
                let world = Setup::new().directory(folder).env("DISABLE_CONFIG_BACKUPS", disabled).start().await;
                let message = world.send("PUT", C, BODY).await.expect_status(500).json()["message"].to_string();
                assert!(message.contains("read-only") && !message.contains("DISABLE_CONFIG_BACKUPS"), "{message}");
                world.assert_unchanged();
            }
        }
        "single file" => {
            let world = Setup::new().directory(folder).start().await;
            world.send("PUT", C, BODY).await.expect_status(200);
            assert_eq!(world.text("conf.yml"), "pageInfo:\n  title: New\nsections: []\n");
            assert_eq!(world.text("other"), world.text("conf.yml"));
        }
        "full" => full(folder).await,
        other => panic!("{other}"),
    }
    println!("the part was played");
}

/// Grows a config until the disk is full. The last stored version remains.
async fn full(folder: &Path) {
    fs::write(folder.join("conf.yml"), CONF).unwrap();
    let world = Setup::new().directory(folder).env("CONFIG_BACKUP_LIMIT", "1").start().await;
    let mut stored = world.text("conf.yml");
    for kilobytes in 1..100 {
        let title = "x".repeat(kilobytes * 1024);
        let reply = world.send("PUT", C, &format!(r#"{{"pageInfo":{{"title":"{title}"}},"sections":[]}}"#)).await;
        if reply.status == 500 {
            assert!(reply.text.contains("the disk is full"), "{}", reply.text);
            assert_eq!(world.text("conf.yml"), stored);
            world.get(C).await.expect_status(200);
            return;
        }
        reply.expect_status(200);
        stored = world.text("conf.yml");
    }
    panic!("the disk never got full");
}
