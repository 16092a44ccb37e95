//! Several servers with one database: real processes and a real PostgreSQL.

use std::{
    process::{Child, Command, Stdio},
    sync::Arc,
    time::{Duration, Instant},
};

use reqwest::{Client, Response};
use serde_json::{Value, json};
use server::{
    database::Database,
    settings::Settings,
    store::transfer::{self, Place},
};
use tempfile::TempDir;

use crate::{
    browser::Browser,
    database::SECRET,
    postgres::{Postgres, name_of},
    provider::{Idp, SetClock},
    upstream::{Behavior, Upstream},
    widget_panels::PANEL,
    world::{C, World, write_assets},
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
    /// Starts a server, and waits until it answers. An empty address means none.
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
            .envs((!database.is_empty()).then_some(("DATABASE_URL", database)))
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

    /// Asks it to stop.
    pub fn terminate(&self) {
        let id = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(id, rustix::process::Signal::TERM).unwrap();
    }

    pub fn has_ended(&mut self) -> bool {
        self.child.try_wait().unwrap().is_some()
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

    /// Signs someone in whose password is the name. Returns the cookies.
    pub async fn sign_in(&self, name: &str) -> String {
        let form = format!("user={name}&password={name}&remember=1y");
        let request = visitor().post(format!("{}/login", self.address)).header("origin", &self.address);
        let request = request.header("content-type", "application/x-www-form-urlencoded").body(form);
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), 303, "{name}");
        let cookies = response.headers().get_all("set-cookie").iter();
        let cookies: Vec<_> = cookies.map(|line| line.to_str().unwrap().split(';').next().unwrap()).collect();
        cookies.join("; ")
    }

    /// Signs out the person with these cookies.
    pub async fn sign_out(&self, cookies: &str) {
        let request = visitor().post(format!("{}/logout", self.address)).header("origin", &self.address);
        assert_eq!(request.header("cookie", cookies).send().await.unwrap().status(), 303);
    }

    /// Whether these cookies open the dashboard.
    pub async fn lets_in(&self, cookies: &str) -> bool {
        let request = visitor().get(format!("{}/", self.address)).header("cookie", cookies);
        let request = request.header("sec-fetch-mode", "navigate").header("sec-fetch-dest", "document");
        request.send().await.unwrap().status() == 200
    }

    /// The title of the main config in memory.
    pub async fn title(&self) -> String {
        let value: Value = serde_json::from_str(&self.text(&format!("{C}/pageInfo")).await).unwrap();
        value["title"].as_str().unwrap_or_default().to_owned()
    }
}

pub fn client() -> Client {
    _ = rustls::crypto::ring::default_provider().install_default();
    Client::builder().no_proxy().build().unwrap()
}

/// A client that shows where it is sent.
fn visitor() -> Client {
    _ = rustls::crypto::ring::default_provider().install_default();
    Client::builder().no_proxy().redirect(reqwest::redirect::Policy::none()).build().unwrap()
}

/// Waits until something holds, and returns how long that took.
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
    let news: Vec<&String> =
        statements[before..].iter().filter(|line| !line.contains("pg_notify('portico', 'hello ")).collect();
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

/// Puts the files of a folder into a database.
async fn push(folder: &std::path::Path, address: &str) {
    _ = rustls::crypto::ring::default_provider().install_default();
    let database = Database::at(address, &Settings::default()).unwrap();
    transfer::copy(&Place::Folder(folder.to_owned()), &Place::Database(Box::new(database)), false).await.unwrap();
}

/// A database with this main config.
pub async fn database_with(config: &str) -> String {
    database_of(Postgres::shared(), config).await
}

/// A database of this PostgreSQL with this main config.
pub async fn database_of(server: &Postgres, config: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("conf.yml"), config).unwrap();
    let address = server.database().await;
    push(folder.path(), &address).await;
    address
}

fn widget(upstream: &Upstream, interval: u32) -> String {
    let options = json!({ "url": upstream.url("/state"), "mappings": [{ "field": "state", "label": "State" }] });
    format!(
        "sections: [{{ name: Home, widgets: [{{ type: api-response, updateInterval: {interval}, options: {options} }}] }}]"
    )
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_widget_is_looked_up_once_per_interval_in_the_whole_cluster() {
    let upstream = Upstream::start(Behavior::json(r#"{"state":"all is well"}"#)).await;
    let database = database_with(&widget(&upstream, 5)).await;
    let replicas = [(); 3].map(|()| Replica::start(&database, &[]));
    let replicas = futures_util::future::join_all(replicas).await;
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(12) {
        for replica in &replicas {
            let panel = replica.text(PANEL).await;
            if began.elapsed() > Duration::from_secs(3) {
                assert!(panel.contains("all is well"), "{panel}");
            }
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    // One at the beginning, and one for each interval that has gone by.
    assert!((2..=3).contains(&upstream.count()), "{}", upstream.count());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_failure_is_shared_and_a_dead_server_is_replaced_within_ten_seconds() {
    let upstream = Upstream::start(Behavior::Hangs).await;
    let database = database_with(&widget(&upstream, 5)).await;
    let (first, second) = tokio::join!(Replica::start(&database, &[]), Replica::start(&database, &[]));
    // The first one has the turn, and dies in the middle of its lookup.
    first.get(PANEL).await;
    until(async || upstream.count() == 1).await;
    first.kill();
    upstream.now(Behavior::json(r#"{"state":"all is well"}"#));
    let died = Instant::now();
    until(async || second.text(PANEL).await.contains("all is well")).await;
    assert!(died.elapsed() < Duration::from_secs(10), "{:?}", died.elapsed());
    println!("taken over after {:?}", died.elapsed());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_service_is_checked_once_and_one_server_sends_the_alert() {
    let (service, receiver) =
        tokio::join!(Upstream::start(Behavior::fails(500)), Upstream::start(Behavior::json("{}")));
    let config = format!(
        "appConfig: {{ statusCheck: true, statusCheckInterval: 5, alerts: [{{ type: webhook, url: '{}', failures: 1 }}] }}
sections: [{{ name: Media, items: [{{ title: Jellyfin, url: '{}' }}] }}]",
        receiver.url("/hook"),
        service.url("/"),
    );
    let database = database_with(&config).await;
    let mut replicas = Vec::new();
    for _ in 0..3 {
        replicas.push(Replica::start(&database, &[]).await);
    }
    // Tabs on all of them.
    let client = client();
    let mut tabs = Vec::new();
    for replica in &replicas {
        let page = replica.text("/").await;
        let version = page.split("data-version=\"").last().unwrap().split('"').next().unwrap();
        let tab = client.get(format!("{}/events?version={version}", replica.address)).send().await.unwrap();
        tabs.push(tab.error_for_status().unwrap());
    }
    until(async || receiver.count() > 0).await;
    tokio::time::sleep(Duration::from_secs(11)).await;
    assert_eq!(receiver.count(), 1, "{:?}", receiver.heard());
    assert!((2..=4).contains(&service.count()), "{}", service.count());
    // The one that sends alerts was the first. Another one knows of the outage.
    replicas.remove(0).kill();
    service.now(Behavior::json("{}"));
    let died = Instant::now();
    until(async || receiver.count() > 1).await;
    println!("the recovery was sent {:?} after a kill", died.elapsed());
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert_eq!(receiver.count(), 2, "{:?}", receiver.heard());
}

/// Two servers that people sign in to through a provider, and that follow each other.
async fn two_worlds(idp: &Idp, clock: &SetClock) -> [World; 2] {
    let folder = idp.setup(clock, ", enableSilentRenew: true", "").start().await;
    let address = Postgres::shared().database().await;
    push(&folder.path(""), &address).await;
    let start = async || {
        let setup = idp.setup(clock, "", "").env("DATABASE_URL", &address).env("SESSION_SECRET", SECRET);
        let world = setup.start().await;
        tokio::spawn(Arc::clone(&world.portico().store).follow_database(Arc::new(|| false)));
        world
    };
    [start().await, start().await]
}

#[tokio::test]
async fn a_refresh_token_is_used_once_by_all_servers() {
    let clock = SetClock::new();
    let idp = Idp::start(&clock).await;
    let worlds = two_worlds(&idp, &clock).await;
    let mut browser = Browser::new(&worlds[0]);
    browser.sign_in(&idp).await;
    clock.advance(250);
    let before = idp.count("/token");
    let mut tabs: Vec<Browser<'_>> = worlds.iter().chain(&worlds).map(Browser::new).collect();
    for tab in &mut tabs {
        tab.cookies.clone_from(&browser.cookies);
    }
    let renewals = futures_util::future::join_all(tabs.iter_mut().map(|tab| tab.json("/fn/renew", "{}"))).await;
    let sessions: Vec<Value> = renewals.into_iter().map(|reply| reply.expect_status(200).json()).collect();
    assert!(sessions.iter().all(|session| session["idToken"] == sessions[0]["idToken"]), "{sessions:?}");
    assert_eq!(idp.count("/token"), before + 1);
}

#[tokio::test]
async fn who_signs_out_at_one_server_is_signed_out_at_all() {
    let clock = SetClock::new();
    let idp = Idp::start(&clock).await;
    let worlds = two_worlds(&idp, &clock).await;
    let mut browser = Browser::new(&worlds[0]);
    browser.sign_in(&idp).await;
    let mut copy = Browser::new(&worlds[1]);
    copy.cookies.clone_from(&browser.cookies);
    copy.get("/").await.expect_status(200);
    browser.form("/logout", &[]).await.expect_status(200);
    until(async || copy.get("/").await.status == 303).await;
}
