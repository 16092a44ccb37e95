//! Sessions at services end when widgets no longer need them, and when the server stops.

use std::time::Duration;

use serde_json::json;

use crate::{
    upstream::{Behavior, Upstream},
    world::{Setup, World},
};

/// What all requests get: a login with a session, and numbers.
fn ad_blocker() -> Behavior {
    let session = json!({ "valid": true, "sid": "a+b/c=", "validity": 1800 });
    Behavior::json(&json!({ "session": session, "history": [], "blocking": "enabled" }).to_string())
}

fn nas() -> Behavior {
    let apis = json!({ "SYNO.API.Auth": { "path": "entry.cgi", "maxVersion": 7 }, "SYNO.DownloadStation.Task": { "path": "task.cgi" },
        "sid": "5id", "tasks": [] });
    Behavior::json(&json!({ "success": true, "data": apis }).to_string())
}

fn widget(kind: &str, upstream: &Upstream, password: &str) -> String {
    let options = match kind {
        "nas-download" => json!({ "hostname": upstream.url(""), "username": "anna", "password": password }),
        _ => json!({ "hostname": upstream.url(""), "apiKey": password }),
    };
    json!({ "type": kind, "options": options }).to_string()
}

fn config(widgets: &[String]) -> String {
    format!("sections:\n  - name: Home\n    widgets: [{}]\n", widgets.join(", "))
}

async fn world(widgets: &[String]) -> World {
    Setup::new().file("conf.yml", config(widgets)).start().await
}

async fn show(world: &World, index: usize, kind: &str) {
    let answer = world.get(&format!("/fn/panel?page=home&section=0&widget={index}&kind={kind}")).await;
    let answer = answer.expect_status(200).json();
    assert_eq!(answer["state"], "content", "{answer}");
}

async fn change(world: &World, widgets: &[String]) {
    std::fs::write(world.path("conf.yml"), config(widgets)).unwrap();
    world.poll().await;
}

/// The requests of this method and path that the service has got.
fn heard(upstream: &Upstream, start: &str) -> Vec<String> {
    upstream.heard().into_iter().filter(|line| line.starts_with(start)).collect()
}

/// Waits until the service has heard so many of these.
async fn await_heard(upstream: &Upstream, start: &str, count: usize) -> Vec<String> {
    for _ in 0..2000 {
        let heard = heard(upstream, start);
        if heard.len() >= count {
            return heard;
        }
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    panic!("{start} was not heard {count} times: {:?}", upstream.heard());
}

const STATS: &str = "dns-sinkhole-stats-v6";
const TRAFFIC: &str = "dns-sinkhole-traffic-v6";

#[tokio::test]
async fn a_session_ends_with_the_last_widget_that_uses_it() {
    let upstream = Upstream::start(ad_blocker()).await;
    let [stats, traffic] = [STATS, TRAFFIC].map(|kind| widget(kind, &upstream, "pw"));
    let world = world(&[stats, traffic.clone()]).await;
    show(&world, 1, TRAFFIC).await;
    world.get("/").await;
    show(&world, 0, STATS).await;
    assert_eq!(heard(&upstream, "POST /api/auth").len(), 1, "all share one session");
    change(&world, &[traffic]).await;
    show(&world, 0, TRAFFIC).await;
    change(&world, &[]).await;
    let ended = await_heard(&upstream, "DELETE /api/auth", 1).await;
    assert!(ended.len() == 1 && ended[0].contains(r#""x-ftl-sid": "a+b/c=""#), "{ended:?}");
}

#[tokio::test]
async fn another_password_is_another_session() {
    let upstream = Upstream::start(ad_blocker()).await;
    let world = world(&[widget(TRAFFIC, &upstream, "old")]).await;
    show(&world, 0, TRAFFIC).await;
    change(&world, &[widget(TRAFFIC, &upstream, "new")]).await;
    await_heard(&upstream, "DELETE /api/auth", 1).await;
    show(&world, 0, TRAFFIC).await;
    assert_eq!(heard(&upstream, "POST /api/auth").len(), 2);
    assert_eq!(heard(&upstream, "DELETE /api/auth").len(), 1);
}

#[tokio::test]
async fn a_download_manager_is_left_through_its_own_path() {
    let upstream = Upstream::start(nas()).await;
    let world = world(&[widget("nas-download", &upstream, "pw")]).await;
    show(&world, 0, "nas-download").await;
    change(&world, &[]).await;
    let ended = await_heard(&upstream, "GET /webapi/entry.cgi", 1).await;
    assert!(ended[0].contains("version=3&method=logout&session=DownloadStation&_sid=5id"), "{ended:?}");
}

#[tokio::test]
async fn all_sessions_end_when_the_server_stops() {
    let [ads, files] = [Upstream::start(ad_blocker()).await, Upstream::start(nas()).await];
    let world = world(&[widget(TRAFFIC, &ads, "pw"), widget("nas-download", &files, "pw")]).await;
    show(&world, 0, TRAFFIC).await;
    show(&world, 1, "nas-download").await;
    world.stop().await;
    assert_eq!(heard(&ads, "DELETE /api/auth").len(), 1);
    assert_eq!(heard(&files, "GET /webapi/entry.cgi").len(), 1);
    // Who asks during the last seconds begins a session that ends as well.
    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(120)).await;
    tokio::time::resume();
    show(&world, 0, TRAFFIC).await;
    await_heard(&ads, "DELETE /api/auth", 2).await;
    assert_eq!(heard(&ads, "POST /api/auth").len(), 2);
}

#[tokio::test]
async fn a_service_that_hangs_delays_the_end_by_two_seconds() {
    let upstream = Upstream::start(ad_blocker()).await;
    let world = world(&[widget(TRAFFIC, &upstream, "pw")]).await;
    show(&world, 0, TRAFFIC).await;
    upstream.now(Behavior::Hangs);
    tokio::time::pause();
    let begun = tokio::time::Instant::now();
    world.stop().await;
    assert!(begun.elapsed() <= Duration::from_millis(2100), "{:?}", begun.elapsed());
    assert_eq!(heard(&upstream, "DELETE /api/auth").len(), 1);
}
