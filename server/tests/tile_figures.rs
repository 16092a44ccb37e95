//! Live figures in tiles: one request for all viewers, pushed to open pages, and no key on any page.

use std::time::Duration;

use serde_json::{Value, json};

use crate::{
    status_checks::Tab,
    upstream::{Behavior, Upstream},
    world::{Setup, World},
};

const KEY: &str = "0123456789abcdef-secret";

/// A page with a tile that shows figures of Prowlarr, which has one request, and one that only users see.
fn config(upstream: &Upstream, more: &str) -> String {
    let widget = json!({ "type": "prowlarr", "url": upstream.url(""), "key": KEY, "fields": ["numberOfGrabs", "numberOfQueries"] });
    format!(
        "appConfig: {{ auth: {{ enableGuestAccess: true, users: [{{ user: bob, password: bob }}] }} }}\n\
         sections:\n  - name: Home\n    items:\n      - {{ title: Films, url: \"https://films.example\", widget: {widget} {more} }}\n      \
         - {{ title: Secret, hideForGuests: true, figures: [{widget}] }}\n"
    )
}

fn answer(grabs: u32) -> Behavior {
    Behavior::json(&json!({ "indexers": [{ "numberOfGrabs": grabs, "numberOfQueries": 40 }] }).to_string())
}

async fn world(upstream: &Upstream, more: &str) -> World {
    Setup::new().file("conf.yml", config(upstream, more)).start().await
}

/// The next figures of a tile.
async fn figures(tab: &mut Tab) -> Value {
    serde_json::from_str(&tab.wait_for("figures").await).unwrap()
}

#[tokio::test]
async fn figures_are_pushed_to_open_pages_and_stand_in_the_next_one() {
    let upstream = Upstream::start(answer(7)).await;
    let world = world(&upstream, "").await;
    let before = world.get("/").await.expect_status(200).text;
    // The labels take their space before the values are there.
    assert!(before.contains(r#"data-figures="0-0-0""#) && before.contains("<small>Grabs</small>"), "{before}");
    assert_eq!(before.matches("data-count=\"2\"").count(), 1, "{before}");
    let mut tab = Tab::open(&world, "/events?age=0", None).await;
    let news = figures(&mut tab).await;
    let html = news["0-0-0"].as_str().unwrap();
    assert!(html.contains('7') && html.contains("Grabs") && html.contains("40"), "{html}");
    // Guests receive nothing about a tile that they cannot see.
    assert_eq!(news.as_object().unwrap().len(), 1, "{news}");
    let after = world.get("/").await.text;
    assert!(after.contains(html), "{after}");
    for text in [&before, &after, &news.to_string()] {
        assert!(!text.contains(KEY) && !text.contains("127.0.0.1"), "{text}");
    }
}

#[tokio::test]
async fn many_tabs_cost_one_request_per_interval_and_no_tab_costs_none() {
    let upstream = Upstream::start(answer(1)).await;
    let world = world(&upstream, "").await;
    let mut tabs = Vec::new();
    for _ in 0..10 {
        tabs.push(Tab::open(&world, "/events?age=0", None).await);
    }
    for tab in &mut tabs {
        figures(tab).await;
    }
    assert_eq!(upstream.count(), 1);
    upstream.now(answer(2));
    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(61)).await;
    tokio::time::resume();
    for tab in &mut tabs {
        assert!(figures(tab).await["0-0-0"].as_str().unwrap().contains('2'));
    }
    assert_eq!(upstream.count(), 2);
    drop(tabs);
    tokio::time::sleep(Duration::from_millis(100)).await;
    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(600)).await;
    tokio::time::resume();
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(upstream.count(), 2, "nobody looks");
}

#[tokio::test]
async fn a_failure_keeps_the_last_values_and_says_why() {
    let upstream = Upstream::start(answer(5)).await;
    let world = world(&upstream, "").await;
    let mut tab = Tab::open(&world, "/events?age=0", None).await;
    assert!(!figures(&mut tab).await["0-0-0"].as_str().unwrap().contains("figures-trouble"));
    upstream.now(Behavior::fails(500));
    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(61)).await;
    tokio::time::resume();
    let news = figures(&mut tab).await;
    let html = news["0-0-0"].as_str().unwrap();
    assert!(html.contains('5') && html.contains("figures-trouble") && html.contains("has a problem (500)"), "{html}");
}

#[tokio::test]
async fn wrong_options_are_shown_to_those_who_can_fix_them() {
    let world = Setup::new()
        .env("ENABLE_HTTP_AUTH", "true")
        .file(
            "conf.yml",
            "appConfig: { auth: { enableGuestAccess: true, users: [{ user: Anna, hash: 55579B557896D0CE1764C47FED644F9B35F58BAD620674AF23F356D80ED0C503, type: admin }] } }\n\
             sections: [{ name: Home, items: [{ title: Films, figures: [{ type: sonar, url: 'http://a.lan', key: k }] }] }]\n",
        )
        .start()
        .await;
    let guest = world.get("/").await.expect_status(200).text;
    assert!(guest.contains("Films") && !guest.contains("figures-trouble"), "{guest}");
    let admin = world.request("GET", "/").basic("Anna:anna").send().await.expect_status(200).text;
    assert!(admin.contains("There are no figures for a service called sonar. Did you mean sonarr?"), "{admin}");
}
