//! A main config on another host (docs/spec/behavior.md 23).

use crate::{
    upstream::{Behavior, Upstream},
    world::{C, Setup, World},
};

const CONFIG: &str = "pageInfo: { title: Far away }\npages: [ { name: Near, path: extra.yml } ]\nsections: []\n";

fn says(text: &str) -> Behavior {
    Behavior::Says(200, vec![("content-type", "text/yaml".to_owned())], text.as_bytes().to_vec())
}

async fn world(service: &Upstream) -> World {
    Setup::new().without("conf.yml").env("VITE_APP_CONFIG_PATH", &service.url("/dash.yml")).start().await
}

#[tokio::test]
async fn it_is_shown_and_followed_and_cannot_be_changed() {
    let service = Upstream::start(says(CONFIG)).await;
    let world = world(&service).await;
    let page = world.get("/").await.expect_status(200).text;
    assert!(page.contains("Far away") && !page.contains("aria-label=\"Edit this page\""), "{page}");
    assert!(world.get("/home/near").await.expect_status(200).text.contains("Extra"));
    let refused = world.send("PUT", C, "{\"sections\":[]}").await.expect_failure(403);
    assert!(refused.contains("VITE_APP_CONFIG_PATH"), "{refused}");
    let saved =
        world.send("POST", "/config-manager/save", "{\"config\":\"sections: []\"}").await.expect_status(403).text;
    assert!(saved.contains("VITE_APP_CONFIG_PATH"), "{saved}");
    world.assert_unchanged();

    service.now(says(&CONFIG.replace("Far away", "Farther")));
    assert!(world.fetch_main().await);
    assert!(world.get("/").await.text.contains("Farther"));
    // An invalid config does not replace the last good one.
    for behavior in [says("- 1\n"), says("a: [1"), Behavior::fails(500)] {
        service.now(behavior);
        assert!(!world.fetch_main().await);
        assert!(world.get("/").await.expect_status(200).text.contains("Farther"));
    }
}

#[tokio::test]
async fn until_it_comes_the_dashboard_is_closed() {
    let service = Upstream::start(Behavior::fails(500)).await;
    let place = tempfile::tempdir().unwrap();
    let setup = Setup::new().directory(place.path()).env("VITE_APP_CONFIG_PATH", &service.url("/dash.yml"));
    let world = setup.start().await;
    world.get("/").await.expect_status(500);
    service.now(says(CONFIG));
    assert!(world.fetch_main().await);
    assert!(world.get("/").await.expect_status(200).text.contains("Far away"));
}
