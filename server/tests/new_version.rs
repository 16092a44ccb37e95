//! `GET /new-version` (docs/spec/behavior.md 22).

use std::time::Duration;

use serde_json::json;

use crate::{
    upstream::{Behavior, Upstream},
    world::{Setup, USERS, World},
};

const PATH: &str = "/new-version";

fn release(tag: &str) -> Behavior {
    Behavior::json(
        &json!({ "tag_name": tag, "html_url": "https://git.example/releases/9", "draft": false }).to_string(),
    )
}

fn setup(service: &Upstream, app: &str) -> Setup {
    let conf = format!("appConfig: {{ {app} }}\nsections: []\n");
    Setup::new().file("conf.yml", conf).env("UPDATE_URL", &service.url("/latest"))
}

async fn newer_version(world: &World) -> serde_json::Value {
    world.get(PATH).await.expect_status(200).json()
}

#[tokio::test]
async fn a_newer_version_is_reported_and_queried_once_a_day() {
    let service = Upstream::start(release("v99.0.1")).await;
    let world = setup(&service, "").start().await;
    assert_eq!(service.count(), 0, "nobody wants to know yet");
    for _ in 0..3 {
        assert_eq!(
            newer_version(&world).await,
            json!({ "version": "99.0.1", "page": "https://git.example/releases/9" })
        );
    }
    assert_eq!(service.count(), 1);
    service.now(release(&format!("v{}", env!("CARGO_PKG_VERSION"))));
    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(24 * 60 * 60 + 1)).await;
    tokio::time::resume();
    assert_eq!(newer_version(&world).await, json!({}));
    assert_eq!(service.count(), 2);
}

#[tokio::test]
async fn failures_are_quiet() {
    for behavior in [Behavior::fails(500), Behavior::json("[]"), Behavior::json("{\"tag_name\":\"nightly\"}")] {
        let service = Upstream::start(behavior).await;
        let world = setup(&service, "").start().await;
        for _ in 0..2 {
            assert_eq!(newer_version(&world).await, json!({}));
        }
        assert_eq!(service.count(), 1);
    }
    assert_eq!(newer_version(&World::new().await).await, json!({}));
}

#[tokio::test]
async fn it_is_switched_off() {
    let service = Upstream::start(release("v99.0.1")).await;
    assert_eq!(newer_version(&setup(&service, "disableUpdateChecks: true").start().await).await, json!({}));
    assert_eq!(newer_version(&setup(&service, "").env("OFFLINE", "true").start().await).await, json!({}));
    assert_eq!(service.count(), 0);
}

#[tokio::test]
async fn only_admins_get_the_new_version() {
    let service = Upstream::start(release("v99.0.1")).await;
    let world = setup(&service, "").file("conf.yml", format!("{USERS}sections: []\n")).env("ENABLE_HTTP_AUTH", "true");
    let world = world.start().await;
    for (credentials, status) in [("bob:bob", 403), ("anna:anna", 200)] {
        world.request("GET", PATH).basic(credentials).send().await.expect_status(status);
    }
    world.get(PATH).await.expect_status(401);
    assert_eq!(service.count(), 1);
}
