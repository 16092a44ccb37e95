//! Several servers with one folder, such as a network share: real processes.

use std::{
    collections::BTreeSet,
    fs,
    path::Path,
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::{
    replicas::{Replica, until},
    upstream::{Behavior, Upstream},
    world::{C, names_in},
};

/// Adds a section; returns whether that was acknowledged.
async fn add(address: String, name: String) -> bool {
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let request = client.post(format!("{address}{C}/sections")).header("content-type", "application/json");
    let answer = request.body(json!({ "name": name }).to_string()).send().await;
    answer.is_ok_and(|answer| answer.status() == 201)
}

async fn names(server: &Replica) -> BTreeSet<String> {
    let sections: Value = serde_json::from_str(&server.text(&format!("{C}/sections")).await).unwrap();
    let sections = sections.as_array().unwrap().iter();
    sections.filter_map(|section| section["name"].as_str().map(str::to_owned)).collect()
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("conf.yml"), "sections: []\n").unwrap();
    folder
}

fn hidden(folder: &Path) -> Vec<String> {
    names_in(folder)
        .into_iter()
        .filter(|name| {
            name.starts_with('.') && ![".history", ".cache"].contains(&&**name) && !name.contains(".last-read")
        })
        .collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_servers_with_one_folder_lose_no_write_and_see_each_other_s_within_two_seconds() {
    let folder = folder();
    let data = folder.path().to_str().unwrap();
    let variables = [("USER_DATA_DIR", data)];
    let (first, second) = tokio::join!(Replica::start("", &variables), Replica::start("", &variables));
    let mut tasks = JoinSet::new();
    for number in 0..40 {
        let server = if number % 2 == 0 { &first } else { &second };
        tasks.spawn(add(server.address.clone(), format!("section {number}")));
    }
    assert!(tasks.join_all().await.into_iter().all(|is_done| is_done));
    let since = Instant::now();
    until(async || names(&first).await.len() == 40 && names(&second).await.len() == 40).await;
    assert!(since.elapsed() < Duration::from_secs(2), "{:?}", since.elapsed());
    assert_eq!(names_in(&folder.path().join("config-backups")).len(), 40);
    assert_eq!(hidden(folder.path()), [] as [String; 0]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_is_killed_while_it_writes_stops_no_other() {
    let folder = folder();
    let data = folder.path().to_str().unwrap();
    let second = Replica::start("", &[("USER_DATA_DIR", data)]).await;
    let mut expected = BTreeSet::new();
    for round in 0..5 {
        let first = Replica::start("", &[("USER_DATA_DIR", data)]).await;
        let mut tasks = JoinSet::new();
        for number in 0..10 {
            tasks.spawn(add(first.address.clone(), format!("lost {round} {number}")));
        }
        tokio::time::sleep(Duration::from_millis(3 * round)).await;
        first.kill();
        tasks.join_all().await;
        let name = format!("after {round}");
        let since = Instant::now();
        assert!(add(second.address.clone(), name.clone()).await);
        assert!(since.elapsed() < Duration::from_secs(2), "{:?}", since.elapsed());
        expected.insert(name);
    }
    assert!(names(&second).await.is_superset(&expected));
}

/// The lines of the history, the oldest first.
fn changes(folder: &Path) -> Vec<Value> {
    let text = fs::read_to_string(folder.join(".history")).unwrap_or_default();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_change_while_no_server_runs_is_in_the_history_once() {
    let folder = folder();
    let path = folder.path().join("conf.yml");
    let variables = [("USER_DATA_DIR", folder.path().to_str().unwrap())];
    let last_read = || fs::read_to_string(folder.path().join(".last-read")).unwrap_or_default();
    let server = Replica::start("", &variables).await;
    until(async || last_read().contains("sections")).await;
    // It is not noted again that this server wrote a section, also if it ends before it can save that.
    assert!(add(server.address.clone(), "Quay".to_owned()).await);
    server.kill();
    let text = fs::read_to_string(&path).unwrap();
    let server = Replica::start("", &variables).await;
    until(async || last_read().contains("Quay")).await;
    server.kill();
    assert_eq!(changes(folder.path()).len(), 1);

    let written = text.replace("Quay", "Pier");
    fs::write(&path, &written).unwrap();
    let at = fs::metadata(&path).unwrap().modified().unwrap().duration_since(std::time::UNIX_EPOCH).unwrap();
    tokio::time::sleep(Duration::from_millis(1200)).await;
    for _ in 0..2 {
        let server = Replica::start("", &variables).await;
        until(async || last_read().contains("Pier")).await;
        server.kill();
    }
    let [_, change] = changes(folder.path()).try_into().unwrap();
    assert_eq!((&change["via"], &change["file"], &change["added"]), (&json!("disk"), &json!("conf.yml"), &json!(1)));
    assert_eq!(u128::from(change["at"].as_u64().unwrap()), at.as_millis());
    let backup = folder.path().join("config-backups").join(change["backup"].as_str().unwrap());
    assert_eq!(fs::read_to_string(backup).unwrap(), text);
    // Only the owner can read it: it may contain keys.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = fs::metadata(folder.path().join(".last-read")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_of_two_servers_with_one_folder_sends_alerts() {
    let (service, receiver) =
        tokio::join!(Upstream::start(Behavior::fails(500)), Upstream::start(Behavior::json("{}")));
    let folder = folder();
    let config = format!(
        "appConfig: {{ statusCheck: true, statusCheckInterval: 5, alerts: [{{ type: webhook, url: '{}', failures: 1 }}] }}
sections: [{{ name: Media, items: [{{ title: Jellyfin, url: '{}' }}] }}]",
        receiver.url("/hook"),
        service.url("/"),
    );
    fs::write(folder.path().join("conf.yml"), config).unwrap();
    let variables = [("USER_DATA_DIR", folder.path().to_str().unwrap())];
    let first = Replica::start("", &variables).await;
    let _second = Replica::start("", &variables).await;
    until(async || receiver.count() > 0).await;
    tokio::time::sleep(Duration::from_secs(6)).await;
    assert_eq!(receiver.count(), 1, "{:?}", receiver.heard());
    // The other one knows of the outage, and sends the recovery.
    first.kill();
    service.now(Behavior::json("{}"));
    until(async || receiver.count() > 1).await;
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert_eq!(receiver.count(), 2, "{:?}", receiver.heard());
}
