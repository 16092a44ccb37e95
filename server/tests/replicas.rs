//! Several servers with one database: real processes and a real PostgreSQL.

use std::{
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use reqwest::{Client, Response};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{
    database::SECRET,
    postgres::{Postgres, name_of},
    world::{C, write_assets},
};

/// How long something that needs no time of its own may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(20);

/// A server: a process with a folder of its own.
pub struct Replica {
    child: Child,
    pub address: String,
    pub folder: TempDir,
}

impl Drop for Replica {
    fn drop(&mut self) {
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

impl Replica {
    /// Starts a server, and waits until it answers.
    pub async fn start(database: &str, variables: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        write_assets(&folder.path().join("dist"));
        Self::start_in(folder, database, variables).await
    }

    /// The same, in the folder of an earlier one.
    pub async fn start_in(folder: TempDir, database: &str, variables: &[(&str, &str)]) -> Self {
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let child = Command::new(env!("CARGO_BIN_EXE_portico"))
            .env_clear()
            .envs([("HOST", "127.0.0.1"), ("ENABLE_API", "true"), ("SESSION_SECRET", SECRET)])
            .env("PORT", port.to_string())
            .env("DATABASE_URL", database)
            .env("USER_DATA_DIR", folder.path().join("data"))
            .env("SSL_PRIV_KEY_PATH", folder.path().join("none"))
            .envs(variables.iter().copied())
            .current_dir(folder.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let replica = Self { child, address: format!("http://127.0.0.1:{port}"), folder };
        let since = Instant::now();
        while client().get(format!("{}/healthz", replica.address)).send().await.is_err() {
            assert!(since.elapsed() < PATIENCE, "it does not start");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        replica
    }

    /// Ends it as a crash does, and leaves its folder.
    pub fn kill(mut self) -> TempDir {
        _ = self.child.kill();
        _ = self.child.wait();
        std::mem::replace(&mut self.folder, tempfile::tempdir().unwrap())
    }

    pub async fn get(&self, path: &str) -> Response {
        client().get(format!("{}{path}", self.address)).send().await.unwrap()
    }

    pub async fn text(&self, path: &str) -> String {
        let response = self.get(path).await;
        assert_eq!(response.status(), 200, "{path}");
        response.text().await.unwrap()
    }

    pub async fn put(&self, title: &str) -> Response {
        let body = json!({ "pageInfo": { "title": title }, "sections": [] }).to_string();
        let request = client().put(format!("{}{C}", self.address)).header("content-type", "application/json");
        request.body(body).send().await.unwrap()
    }

    /// The title of the main config in memory.
    pub async fn title(&self) -> String {
        let value: Value = serde_json::from_str(&self.text(&format!("{C}/pageInfo")).await).unwrap();
        value["title"].as_str().unwrap_or_default().to_owned()
    }
}

fn client() -> Client {
    _ = rustls::crypto::ring::default_provider().install_default();
    Client::builder().no_proxy().build().unwrap()
}

/// Waits until something holds, and returns how long that took.
#[track_caller]
pub async fn until(mut holds: impl AsyncFnMut() -> bool) -> Duration {
    let since = Instant::now();
    while !holds().await {
        assert!(since.elapsed() < PATIENCE, "it does not happen");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    since.elapsed()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_change_reaches_all_servers_within_300_ms() {
    let database = Postgres::shared().database().await;
    let (first, second, third) =
        tokio::join!(Replica::start(&database, &[]), Replica::start(&database, &[]), Replica::start(&database, &[]),);
    let mut times = Vec::new();
    for number in 0..20 {
        let title = format!("Title {number}");
        assert_eq!(first.put(&title).await.status(), 200);
        let since = Instant::now();
        until(async || second.title().await == title && third.title().await == title).await;
        times.push(since.elapsed());
    }
    times.sort_unstable();
    // The machine may be busy with other tests, so the middle counts.
    assert!(times[times.len() / 2] < Duration::from_millis(300), "{times:?}");
    println!("from write to all servers: median {:?}, longest {:?}", times[times.len() / 2], times[times.len() - 1]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_and_a_panel_make_no_query() {
    let server = Postgres::shared();
    let database = server.database().await;
    let replica = Replica::start(&database, &[]).await;
    let items = json!([{ "title": "B", "url": "http://b.example" }]);
    let config = json!({ "sections": [{ "name": "A", "widgets": [{ "type": "clock" }], "items": items }] });
    let put = client().put(format!("{}{C}", replica.address)).header("content-type", "application/json");
    assert_eq!(put.body(config.to_string()).send().await.unwrap().status(), 200);
    until(async || replica.text("/").await.contains("b.example")).await;
    let before = server.statements(name_of(&database)).len();
    assert!(before > 5, "the log has the statements");
    for _ in 0..50 {
        for path in ["/", "/conf.yml", C, "/readyz", "/healthz"] {
            replica.get(path).await.error_for_status().unwrap();
        }
        let panel = client().post(format!("{}/fn/panel", replica.address)).header("content-type", "application/json");
        let panel = panel.body(json!({ "page": "", "section": 0, "widget": 0, "kind": "clock" }).to_string());
        panel.send().await.unwrap();
    }
    let statements = server.statements(name_of(&database));
    let news: Vec<&String> = statements[before..].iter().filter(|line| !line.contains("notify portico")).collect();
    assert!(news.is_empty(), "{news:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_the_database_pages_go_on_and_writes_are_refused_until_it_is_back() {
    let mut server = Postgres::start(&[]);
    let database = server.database().await;
    let (first, second) = tokio::join!(Replica::start(&database, &[]), Replica::start(&database, &[]));
    assert_eq!(first.put("Before").await.status(), 200);
    until(async || second.title().await == "Before").await;
    server.stop();
    until(async || second.text("/readyz").await.contains("degraded")).await;
    for replica in [&first, &second] {
        assert!(replica.text("/").await.contains("Before"));
        let refused = replica.put("Refused").await;
        assert_eq!(refused.status(), 503);
        let answer: Value = serde_json::from_str(&refused.text().await.unwrap()).unwrap();
        let message = answer["message"].as_str().unwrap();
        assert!(message.starts_with("`conf.yml` cannot be changed: the database cannot be used"), "{message}");
        assert!(message.ends_with("try again later"), "{message}");
    }
    // Even a restart shows the files of the last run.
    let folder = second.kill();
    let second = Replica::start_in(folder, &database, &[]).await;
    assert!(second.text("/").await.contains("Before"));
    server.resume();
    let back = Instant::now();
    until(async || second.put("After").await.status() == 200).await;
    until(async || first.title().await == "After").await;
    println!("back after {:?}", back.elapsed());
    until(async || first.text("/readyz").await.contains("\"ready\"")).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lost_connection_is_opened_again_and_nothing_is_missed() {
    let server = Postgres::shared();
    let database = server.database().await;
    let (first, second) = tokio::join!(Replica::start(&database, &[]), Replica::start(&database, &[]));
    let kill = format!(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = '{}' and application_name = 'portico'",
        name_of(&database)
    );
    for number in 0..5 {
        server.run("postgres", &kill).await;
        let title = format!("Title {number}");
        until(async || first.put(&title).await.status() == 200).await;
        until(async || second.title().await == title).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_promoted_standby_takes_over() {
    let mut server = Postgres::start(&[]);
    let database = server.database().await;
    let standby = Postgres::standby_of(&server);
    let database = format!(
        "postgres://portico@127.0.0.1:{},127.0.0.1:{}/{}?sslmode=disable",
        server.port(),
        standby.port(),
        name_of(&database)
    );
    let (first, second) = tokio::join!(Replica::start(&database, &[]), Replica::start(&database, &[]));
    assert_eq!(first.put("Before").await.status(), 200);
    until(async || second.title().await == "Before").await;
    server.stop();
    assert!(first.text("/").await.contains("Before"));
    standby.promote();
    let promoted = Instant::now();
    until(async || first.put("After").await.status() == 200).await;
    until(async || second.title().await == "After").await;
    println!("usable {:?} after the promotion", promoted.elapsed());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_folder_belongs_to_one_server() {
    let database = Postgres::shared().database().await;
    let first = Replica::start(&database, &[]).await;
    let output = Command::new(env!("CARGO_BIN_EXE_portico"))
        .env_clear()
        .envs([("HOST", "127.0.0.1"), ("PORT", "0"), ("SESSION_SECRET", SECRET), ("DATABASE_URL", &database)])
        .env("USER_DATA_DIR", first.folder.path().join("data"))
        .current_dir(first.folder.path())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    assert!(text.contains("another server uses") && text.contains("USER_DATA_DIR"), "{text}");
}
