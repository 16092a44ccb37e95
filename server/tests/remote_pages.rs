//! Pages whose file is on another host (docs/spec/config.md 4).

use std::time::Duration;

use config::MAX_WRITTEN_BYTES;

use crate::{
    upstream::{Behavior, Upstream},
    world::{Setup, World},
};

const PAGE: &str = "pageInfo: { title: Far away }\nsections: [ { name: S, items: [ { title: Lighthouse } ] } ]\n";

fn page(text: &str) -> Behavior {
    Behavior::Says(200, vec![("content-type", "text/yaml".to_owned())], text.as_bytes().to_vec())
}

/// A dashboard with one page, whose file is on another host.
async fn world(service: &Upstream) -> World {
    let conf = format!("pages: [ {{ name: Far, path: '{}' }} ]\nsections: []\n", service.url("/far.yml"));
    Setup::new().env("ENABLE_API", "").file("conf.yml", conf).start().await
}

async fn pass(time: Duration) {
    tokio::time::pause();
    tokio::time::advance(time).await;
    tokio::time::resume();
}

#[tokio::test]
async fn a_page_is_fetched_once_and_shown_to_all() {
    let service = Upstream::start(page(PAGE)).await;
    let world = world(&service).await;
    let early = world.get("/home/far").await.expect_status(500);
    assert!(early.text.contains("The page “Far” is not there yet"), "{}", early.text);
    assert_eq!(service.count(), 0, "no visitor makes the server fetch");
    world.fetch_pages().await;
    for _ in 0..2 {
        let shown = world.get("/home/far").await.expect_status(200).text;
        assert!(shown.contains("Far away") && shown.contains("Lighthouse"), "{shown}");
        world.fetch_pages().await;
    }
    assert_eq!(service.count(), 1);
    // Changes at the source arrive after a while, without changes of our own files.
    service.now(page(&PAGE.replace("Lighthouse", "Beacon")));
    pass(Duration::from_secs(301)).await;
    world.fetch_pages().await;
    assert!(world.get("/home/far").await.expect_status(200).text.contains("Beacon"));
}

#[tokio::test]
async fn a_page_that_is_too_large_is_none() {
    let filler = "#".repeat(MAX_WRITTEN_BYTES - PAGE.len() - 1);
    let service = Upstream::start(page(&format!("{PAGE}{filler}\n"))).await;
    let largest = world(&service).await;
    largest.fetch_pages().await;
    largest.get("/home/far").await.expect_status(200);
    service.now(page(&format!("{PAGE}{filler}#\n")));
    let world = world(&service).await;
    world.fetch_pages().await;
    let failed = world.get("/home/far").await.expect_status(500).text;
    assert!(failed.contains("is too large") && !failed.contains("Lighthouse"), "{failed}");
}

#[tokio::test]
async fn a_source_that_does_not_answer_is_given_up() {
    let service = Upstream::start(Behavior::Hangs).await;
    let world = world(&service).await;
    tokio::time::pause();
    let began = tokio::time::Instant::now();
    world.fetch_pages().await;
    let took = began.elapsed().as_secs();
    tokio::time::resume();
    assert!((5..10).contains(&took), "{took}");
    let failed = world.get("/home/far").await.expect_status(500).text;
    assert!(failed.contains("The page is on another host"), "{failed}");
    // It is tried again after a minute, not before.
    service.now(page(PAGE));
    let asked = service.count();
    world.fetch_pages().await;
    assert_eq!(service.count(), asked);
    pass(Duration::from_secs(61)).await;
    world.fetch_pages().await;
    assert!(world.get("/home/far").await.expect_status(200).text.contains("Lighthouse"));
}

#[tokio::test]
async fn the_last_good_copy_stays_while_its_source_is_down() {
    let service = Upstream::start(page(PAGE)).await;
    let world = world(&service).await;
    world.fetch_pages().await;
    for broken in [Behavior::fails(503), page("sections: [ unclosed")] {
        service.now(broken);
        pass(Duration::from_secs(301)).await;
        world.fetch_pages().await;
        let shown = world.get("/home/far").await.expect_status(200).text;
        assert!(shown.contains("Lighthouse"), "{shown}");
        assert!(shown.contains("The source of “Far” cannot be read") && shown.contains("the last copy"), "{shown}");
    }
    service.now(page(PAGE));
    pass(Duration::from_secs(301)).await;
    world.fetch_pages().await;
    assert!(!world.get("/home/far").await.expect_status(200).text.contains("cannot be read"));
}

#[tokio::test]
async fn a_page_from_elsewhere_shows_nothing_of_our_own() {
    let frame = |url: &str| format!("{{ type: iframe, options: {{ url: '{url}' }} }}");
    let widgets = [
        "{ type: custom-list, options: { url: /private.json } }".to_owned(),
        frame("http://192.168.7.7/reboot"),
        frame("/private.json"),
        frame("http://router.lan/"),
    ];
    let service = Upstream::start(Behavior::Hangs).await;
    service.now(page(&format!(
        "appConfig: {{ workspaceLandingUrl: 'http://192.168.7.8/' }}
sections:
  - name: S
    items:
      - {{ title: Far, url: 'https://far.example/', localUrl: 'http://192.168.7.9/' }}
      - {{ title: Group, subItems: [ {{ title: Sub, url: 'https://sub.example/', localUrl: 'http://router.lan/' }} ] }}
      - {{ title: Own, url: 'https://far.example/own', localUrl: '{}' }}
    widgets: [ {} ]
",
        service.url("/local"),
        widgets.join(", "),
    )));
    let conf = format!("pages: [ {{ name: Far, path: '{}' }} ]\nsections: []\n", service.url("/far.yml"));
    let world = Setup::new().env("ENABLE_API", "").file("conf.yml", conf);
    let world = world
        .file("private.json", r#"[ { "link": { "text": "our own data", "url": "https://example.com/" } } ]"#)
        .start()
        .await;
    world.fetch_pages().await;
    for path in ["/home/far", "/workspace/far", "/fn/items-elsewhere?slug=home"] {
        let reply = world.get(path).await.expect_status(200);
        let shown = format!("{} {}", reply.text, reply.header("content-security-policy"));
        for private in ["192.168.7.9", "router.lan", "192.168.7.8"] {
            assert!(!shown.contains(private), "{path}: {private}: {shown}");
        }
    }
    assert!(world.get("/home/far").await.text.contains(&service.url("/local")), "the page's own host may stay");
    for (widget, kind) in ["custom-list", "iframe", "iframe", "iframe"].into_iter().enumerate() {
        let path = format!("/fn/panel?page=far&section=0&widget={widget}&kind={kind}");
        let panel = world.get(&path).await.expect_status(200);
        assert_eq!(panel.json()["state"], "error", "{widget}: {}", panel.text);
        assert!(!panel.text.contains("our own data") && !panel.text.contains("<iframe"), "{}", panel.text);
    }
}
