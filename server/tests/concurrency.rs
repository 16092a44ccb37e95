//! docs/spec/api.md 11, cases 100 to 102: concurrent requests.

use std::{
    collections::BTreeSet,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use serde_json::json;
use tokio::task::{JoinHandle, JoinSet};

use crate::world::{C, Setup, World};

/// Reads in a loop until stopped; every response must be complete. Returns their number.
fn reader(world: &Arc<World>, stop: &Arc<AtomicBool>) -> JoinHandle<usize> {
    let (world, stop) = (Arc::clone(world), Arc::clone(stop));
    tokio::spawn(async move {
        let mut count = 0;
        while !stop.load(Ordering::Relaxed) {
            assert!(world.value(C).await["sections"].is_array());
            world.get("/conf.yml").await.expect_status(200);
            count += 1;
        }
        count
    })
}

async fn many(world: &Arc<World>, method: &'static str, path: String, count: usize, body: fn(usize) -> String) {
    let status = if method == "POST" { 201 } else { 200 };
    let mut tasks = JoinSet::new();
    for number in 0..count {
        let (world, path) = (Arc::clone(world), path.clone());
        tasks.spawn(async move { world.send(method, &path, &body(number)).await.expect_status(status).json() });
    }
    let answers = tasks.join_all().await;
    let backups: BTreeSet<String> =
        answers.iter().map(|answer| answer["backup"].as_str().unwrap().to_owned()).collect();
    assert_eq!(backups.len(), count);
}

async fn appended(world: &Arc<World>) {
    let name = |number| json!({ "name": format!("section {number}") }).to_string();
    many(world, "POST", format!("{C}/sections"), 20, name).await;
    let sections = world.value(&format!("{C}/sections")).await;
    let names: BTreeSet<&str> =
        sections.as_array().unwrap().iter().filter_map(|section| section["name"].as_str()).collect();
    assert_eq!(sections.as_array().unwrap().len(), 26);
    for number in 0..20 {
        assert!(names.contains(format!("section {number}").as_str()), "{number}");
    }
}

async fn patched(world: &Arc<World>) {
    let icon = |number| json!({ "icon": format!("mdi-{number}") }).to_string();
    many(world, "PATCH", format!("{C}/sections/0"), 50, icon).await;
    let icon = world.value(&format!("{C}/sections/0")).await["icon"].as_str().unwrap().to_owned();
    assert!(icon.strip_prefix("mdi-").unwrap().parse::<usize>().unwrap() < 50);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn case_100_parallel_appends_all_land() {
    let world = Arc::new(World::new().await);
    appended(&world).await;
    assert_eq!(world.backups().len(), 21);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn case_101_parallel_patches_leave_one_of_them() {
    patched(&Arc::new(World::new().await)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn case_102_readers_see_whole_files() {
    let world = Arc::new(Setup::new().start().await);
    let stop = Arc::new(AtomicBool::new(false));
    let readers = [reader(&world, &stop), reader(&world, &stop)];
    appended(&world).await;
    patched(&world).await;
    stop.store(true, Ordering::Relaxed);
    for reader in readers {
        assert!(reader.await.unwrap() > 0);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn different_names_of_one_file_share_its_queue() {
    let world = Arc::new(World::new().await);
    std::os::unix::fs::symlink("conf.yml", world.path("alias.yml")).unwrap();
    let mut tasks = JoinSet::new();
    for number in 0..20 {
        let world = Arc::clone(&world);
        let path = if number % 2 == 0 { C } else { "/api/config/alias.yml" };
        let body = json!({ "name": format!("section {number}") }).to_string();
        tasks.spawn(async move {
            world.send("POST", &format!("{path}/sections"), &body).await.expect_status(201);
        });
    }
    tasks.join_all().await;
    assert_eq!(world.value(&format!("{C}/sections")).await.as_array().unwrap().len(), 26);
    // A write through the other name is visible at once, too.
    world.send("PUT", "/api/config/alias.yml/pageInfo", r#"{"title":"Other"}"#).await.expect_status(200);
    assert_eq!(world.value(&format!("{C}/pageInfo")).await["title"], "Other");
    assert!(world.path("alias.yml").is_symlink());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_client_that_goes_away_does_not_stop_a_write() {
    let world = Arc::new(World::new().await);
    for number in 0..20 {
        let body = json!({ "name": format!("section {number}") }).to_string();
        let path = format!("{C}/sections");
        let mut asked = Box::pin(world.send("POST", &path, &body));
        // Polled once and then dropped: the write either happens completely or not at all.
        _ = poll_once(&mut asked).await;
        drop(asked);
    }
    world.send("POST", &format!("{C}/sections"), r#"{"name":"last"}"#).await.expect_status(201);
    assert!(world.value(&format!("{C}/sections/last")).await.is_object());
}

async fn poll_once<F: Future + Unpin>(future: &mut F) -> Option<F::Output> {
    std::future::poll_fn(|context| {
        std::task::Poll::Ready(match std::pin::Pin::new(&mut *future).poll(context) {
            std::task::Poll::Ready(output) => Some(output),
            std::task::Poll::Pending => None,
        })
    })
    .await
}
