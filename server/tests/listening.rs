//! The program at its start: it says where it serves only once it does.

use std::{
    fs,
    io::{BufRead as _, BufReader},
    net::{TcpListener, TcpStream},
    path::Path,
    process::{Command, Stdio},
};

use tempfile::TempDir;

use crate::world::write_assets;

/// A folder with what the program needs.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    write_assets(&folder.path().join("dist"));
    fs::create_dir(folder.path().join("user-data")).unwrap();
    fs::write(folder.path().join("user-data/conf.yml"), "sections: []\n").unwrap();
    folder
}

fn program(folder: &Path, port: u16) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_portico"));
    command
        .env_clear()
        .envs([("HOST", "127.0.0.1"), ("OFFLINE", "true")])
        .env("PORT", port.to_string())
        .env("USER_DATA_DIR", folder.join("user-data"))
        .env("SSL_PRIV_KEY_PATH", folder.join("none"))
        .current_dir(folder)
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    command
}

#[test]
fn the_address_in_the_log_accepts_connections() {
    let folder = folder();
    let mut child = program(folder.path(), 0).spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    let address = lines.find_map(|line| {
        let (_, after) = line.split_once("serving on http://")?;
        Some(after.split('/').next().unwrap().to_owned())
    });
    let connected = address.as_deref().map(TcpStream::connect);
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(matches!(connected, Some(Ok(_))), "{address:?}: {connected:?}");
}

#[test]
fn nothing_is_served_on_a_port_in_use() {
    let folder = folder();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let output = program(folder.path(), taken.local_addr().unwrap().port()).output().unwrap();
    let log = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success());
    assert!(log.contains("another program uses this port"), "{log}");
    assert!(!log.contains("serving on"), "{log}");
}

#[test]
fn a_folder_that_cannot_be_written_is_named_at_start() {
    let folder = folder();
    let mut command = program(folder.path(), 0);
    let mut child = command.env("USER_DATA_DIR", folder.path().join("user-data/conf.yml")).spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    let before: Vec<String> = lines.by_ref().take_while(|line| !line.contains("serving on")).collect();
    child.kill().unwrap();
    child.wait().unwrap();
    let warning = before.iter().find(|line| line.contains("cannot be written"));
    assert!(warning.is_some_and(|line| line.contains("Everything else works")), "{before:?}");
}
