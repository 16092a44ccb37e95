//! Clients that connect and send nothing must not block others.

use std::{
    fs,
    process::{Child, Command, Stdio},
    time::Duration,
};

use tokio::net::TcpStream;

use crate::world::{C, CONF, write_assets};

struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        _ = self.0.kill();
        _ = self.0.wait();
    }
}

#[cfg(unix)]
#[tokio::test]
async fn three_hundred_silent_clients_block_no_other_client() {
    _ = rustls::crypto::ring::default_provider().install_default();
    let folder = tempfile::tempdir().unwrap();
    write_assets(&folder.path().join("dist"));
    let data = folder.path().join("user-data");
    fs::create_dir(&data).unwrap();
    fs::write(data.join("conf.yml"), CONF).unwrap();
    let port = crate::over_tls::free_port();
    let log = fs::File::create(folder.path().join("log")).unwrap();
    let child = Command::new("sh")
        .args(["-c", "ulimit -n 256 && exec \"$0\" serve", env!("CARGO_BIN_EXE_portico")])
        .env_clear()
        .envs([("PATH", "/usr/bin:/bin"), ("HOST", "127.0.0.1"), ("ENABLE_API", "true"), ("OFFLINE", "true")])
        .env("PORT", port.to_string())
        .env("USER_DATA_DIR", &data)
        .env("SSL_PRIV_KEY_PATH", folder.path().join("none"))
        .current_dir(folder.path())
        .stdout(Stdio::null())
        .stderr(log)
        .spawn()
        .unwrap();
    let mut program = Running(child);
    let address = format!("http://127.0.0.1:{port}");
    let client = || reqwest::Client::builder().no_proxy().timeout(Duration::from_secs(8)).build().unwrap();
    while client().get(format!("{address}/healthz")).send().await.is_err() {
        assert!(program.0.try_wait().unwrap().is_none(), "the program has ended by itself");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let mut silent = Vec::new();
    for _ in 0..300 {
        silent.push(TcpStream::connect(("127.0.0.1", port)).await.unwrap());
    }
    for path in ["/healthz", "/", "/conf.yml"] {
        let reply = client().get(format!("{address}{path}")).send().await.unwrap();
        assert_eq!(reply.status(), 200, "{path}");
    }
    // The disk needs descriptors too.
    let put = client().put(format!("{address}{C}")).header("content-type", "application/json");
    let written = put.body(r#"{ "sections": [] }"#).send().await.unwrap();
    assert_eq!(written.status(), 200, "{}", written.text().await.unwrap());
    let said = fs::read_to_string(folder.path().join("log")).unwrap();
    assert!(!said.contains("ERROR") && !said.contains("too many"), "{said}");
    assert!(said.contains("at most 128 connections"), "{said}");
    drop(silent);
}
