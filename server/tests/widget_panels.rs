//! Panels of widgets that the server looks up: one call for all viewers, and no page that waits for a service.

use std::time::Duration;

use serde_json::{Value, json};

use crate::{
    upstream::{Behavior, Upstream},
    world::{Setup, World},
};

/// A page with one widget that shows a field of the service's answer.
pub fn page(upstream: &Upstream, fields: &str) -> String {
    format!(
        "sections:\n  - name: Home\n    widgets:\n      - type: api-response\n        {fields}\n        options: {}\n",
        json!({ "url": upstream.url("/state"), "mappings": [{ "field": "state", "label": "State" }] })
    )
}

pub async fn world(upstream: &Upstream, fields: &str) -> World {
    Setup::new().file("conf.yml", page(upstream, fields)).start().await
}

pub const PANEL: &str = "/fn/panel?page=home&section=0&widget=0&kind=api-response";

pub async fn response_to(world: &World, more: &str) -> Value {
    let reply = world.get(&format!("{PANEL}{more}")).await.expect_status(200);
    assert_eq!(reply.header("cache-control"), "no-store");
    reply.json()
}

/// Asks until there is something else than "wait".
pub async fn settled(world: &World) -> Value {
    for _ in 0..50 {
        let answer = response_to(world, "").await;
        if answer["state"] != "pending" {
            return answer;
        }
    }
    panic!("nothing came");
}

pub fn up() -> Behavior {
    Behavior::json(r#"{"state":"all is well"}"#)
}

#[tokio::test]
async fn many_viewers_cost_one_request_per_interval() {
    let upstream = Upstream::start(up()).await;
    let world = std::sync::Arc::new(world(&upstream, "updateInterval: 60").await);
    let crowd = (0..100).map(|_| {
        let world = std::sync::Arc::clone(&world);
        tokio::spawn(async move { response_to(&world, "").await })
    });
    for answer in crowd.collect::<Vec<_>>() {
        let answer = answer.await.unwrap();
        assert_eq!(answer["state"], "content");
        assert!(answer["html"].as_str().unwrap().contains("all is well"));
        assert!((58..=60).contains(&answer["next"].as_u64().unwrap()), "{answer}");
    }
    world.get("/").await.expect_status(200);
    assert_eq!(upstream.count(), 1);
    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(59)).await;
    response_to(&world, "").await;
    assert_eq!(upstream.count(), 1);
    tokio::time::advance(Duration::from_secs(1)).await;
    tokio::time::resume();
    let seen = settled(&world).await["version"].clone();
    let again = response_to(&world, &format!("&seen={seen}")).await;
    assert_eq!(
        (again["state"].as_str(), again.get("html")),
        (Some("content"), None),
        "the same panel is not sent twice"
    );
    assert_eq!(upstream.count(), 2);
}

#[tokio::test]
async fn what_is_known_is_in_the_first_html() {
    let upstream = Upstream::start(up()).await;
    let world = world(&upstream, "").await;
    let before = world.get("/").await.expect_status(200);
    assert!(before.text.contains(r#"data-state="loading""#) && !before.text.contains("all is well"));
    settled(&world).await;
    let after = world.get("/").await.expect_status(200);
    assert!(after.text.contains(r#"data-state="content""#) && after.text.contains("all is well"), "{}", after.text);
    let before_age = r#"<noscript><p class="widget-note"><span class="widget-age"><span>as of <time data-text=""#;
    let age = after.text.split(before_age).nth(1).expect("whoever has no script sees an age");
    assert!(age.split('"').next().is_some_and(|time| time.contains(", 20") && time.contains(':')), "{age}");
    assert_ne!(before.header("etag"), after.header("etag"));
    let again = world.request("GET", "/").header("if-none-match", &after.header("etag")).send().await;
    again.expect_status(304);
    assert!(!after.text.contains(&upstream.url("")), "a page names no service");
}

#[tokio::test]
async fn a_widget_without_an_interval_is_looked_up_by_each_visit_that_is_not_part_of_a_crowd() {
    let upstream = Upstream::start(up()).await;
    let world = world(&upstream, "updateInterval: false").await;
    let answer = settled(&world).await;
    assert_eq!(answer.get("next"), None, "it is not to be asked for again");
    for (seconds, count) in [(9, 1), (1, 2)] {
        tokio::time::pause();
        tokio::time::advance(Duration::from_secs(seconds)).await;
        tokio::time::resume();
        response_to(&world, &format!("&seen={}", answer["version"])).await;
        assert_eq!(upstream.count(), count);
    }
}

#[tokio::test]
async fn a_lookup_outlives_its_request() {
    let upstream = Upstream::start(up()).await;
    let world = world(&upstream, "updateInterval: 600").await;
    // The page starts a lookup and waits for nothing.
    world.get("/").await;
    for _ in 0..200 {
        if upstream.count() > 0 {
            break;
        }
        tokio::task::yield_now().await;
    }
    settled(&world).await;
    assert_eq!(upstream.count(), 1);
}

#[tokio::test]
async fn what_is_hidden_is_not_there() {
    let upstream = Upstream::start(up()).await;
    let text = page(&upstream, "updateInterval: 60")
        .replace("name: Home\n", "name: Home\n    displayData: { hideForUsers: [bob], hideForGuests: true }\n");
    let users = crate::world::USERS.replace("  auth:\n", "  auth:\n    enableGuestAccess: true\n");
    let setup = Setup::new().env("ENABLE_HTTP_AUTH", "true").file("conf.yml", format!("{users}{text}"));
    let world = setup.start().await;
    let nothing = world.get("/fn/panel?page=home&section=7&widget=0&kind=api-response").await;
    let nothing = nothing.expect_status(200).json();
    assert_eq!(nothing["state"], "broken");
    for hidden in [PANEL.to_owned(), PANEL.replace("home", "nowhere"), PANEL.replace("api-response", "clock")] {
        let guest = world.get(&hidden).await.expect_status(200).json();
        assert_eq!(guest, nothing, "{hidden}");
        let bob = world.request("GET", &hidden).basic("bob:bob").send().await.expect_status(200).json();
        assert_eq!(bob, nothing, "{hidden}");
    }
    assert_eq!(upstream.count(), 0);
    world.request("GET", PANEL).basic("bob:wrong").send().await.expect_status(401);
    let anna = world.request("GET", PANEL).basic("anna:anna").send().await.expect_status(200).json();
    assert_ne!(anna["state"], "broken");
}

#[tokio::test]
async fn panels_require_a_sign_in() {
    let upstream = Upstream::start(up()).await;
    let text = format!("{}{}", crate::world::USERS, page(&upstream, ""));
    let world = Setup::new().env("ENABLE_HTTP_AUTH", "true").file("conf.yml", text).start().await;
    world.get(PANEL).await.expect_status(401);
    world.get("/widget-picture/00").await.expect_status(401);
    world.get("/system-info").await.expect_status(401);
    assert_eq!(upstream.count(), 0);
}

#[tokio::test]
async fn buttons_are_for_our_own_pages() {
    let upstream = Upstream::start(up()).await;
    let world = world(&upstream, "").await;
    let body = json!({
        "page": "home", "section": 0, "widget": 0, "kind": "api-response", "action": "explode", "target": ""
    });
    let body = body.to_string();
    for (name, value) in [("origin", "https://evil.example"), ("sec-fetch-site", "cross-site")] {
        let reply = world.request("POST", "/fn/panel-action").header(name, value).body(&body).send().await;
        reply.expect_status(403);
    }
    let form = world.request("POST", "/fn/panel-action").untyped().header("content-type", "text/plain").body(&body);
    form.send().await.expect_status(415);
    assert!(!world.get("/fn/panel-action?page=home").await.status.is_success());
    assert_eq!(upstream.count(), 0);
    let own = world.request("POST", "/fn/panel-action").header("sec-fetch-site", "same-origin").body(&body);
    let answer = own.send().await.expect_status(200).json();
    assert_eq!(answer["note"], "There is no action explode.");
}

#[tokio::test]
async fn guests_press_no_buttons() {
    let upstream = Upstream::start(up()).await;
    let users = crate::world::USERS.replace("  auth:\n", "  auth:\n    enableGuestAccess: true\n");
    let text = format!("{users}{}", page(&upstream, ""));
    let world = Setup::new().env("ENABLE_HTTP_AUTH", "true").file("conf.yml", text).start().await;
    let body = r#"{"page":"home","section":0,"widget":0,"kind":"api-response","action":"x","target":""}"#;
    world.send("POST", "/fn/panel-action", body).await.expect_status(403);
}

#[tokio::test]
async fn clients_that_accept_html_are_not_redirected() {
    let upstream = Upstream::start(up()).await;
    let world = world(&upstream, "").await;
    let request = world.request("GET", PANEL).header("accept", "text/html").header("referer", "https://evil.example/");
    let reply = request.send().await.expect_status(200);
    assert!(reply.json()["state"].is_string() && reply.header("location").is_empty());
}

#[tokio::test]
async fn panels_come_compressed_where_that_is_worth_it() {
    use tower::ServiceExt as _;
    let rows: Vec<Value> = (0..40).map(|number| json!({ "name": format!("disk {number}"), "size": number })).collect();
    let upstream = Upstream::start(Behavior::json(&json!({ "items": rows, "state": "fine" }).to_string())).await;
    let list = json!({ "items": "items", "name": "name", "label": "size" });
    let options = json!({ "url": upstream.url("/state"), "display": "dynamic-list", "mappings": list });
    let text =
        format!("sections:\n  - name: Home\n    widgets:\n      - {{ type: api-response, options: {options} }}\n");
    let world = Setup::new().file("conf.yml", text).start().await;
    let plain = settled(&world).await;
    assert!(plain["html"].as_str().unwrap().len() > 2000);
    for (accepted, coding) in
        [("gzip, deflate, br, zstd", "br"), ("gzip, deflate", "gzip"), ("zstd", "zstd"), ("identity", ""), ("", "")]
    {
        let request = http::Request::builder().uri(PANEL).header("accept-encoding", accepted);
        let response = world.router().oneshot(request.body(axum::body::Body::empty()).unwrap()).await.unwrap();
        let header = |name: &str| response.headers().get(name).map_or("", |value| value.to_str().unwrap()).to_owned();
        assert_eq!((header("content-encoding").as_str(), header("cache-control").as_str()), (coding, "no-store"));
        assert!(header("vary").contains("Accept-Encoding"));
        let bytes = axum::body::to_bytes(response.into_body(), usize::MAX).await.unwrap();
        let mut text = Vec::new();
        match coding {
            "br" => _ = std::io::copy(&mut brotli::Decompressor::new(&bytes[..], 4096), &mut text).unwrap(),
            "gzip" => _ = std::io::copy(&mut flate2::read::GzDecoder::new(&bytes[..]), &mut text).unwrap(),
            "zstd" => text = zstd::bulk::decompress(&bytes, 1 << 20).unwrap(),
            _ => text = bytes.to_vec(),
        }
        let answer: Value = serde_json::from_slice(&text).unwrap();
        assert_eq!(answer["html"], plain["html"], "{accepted}");
        assert!(coding.is_empty() || bytes.len() * 3 < text.len(), "{} of {}", bytes.len(), text.len());
    }
    // What the browser has already is too short to be compressed.
    let seen = plain["version"].clone();
    let again = world.request("GET", &format!("{PANEL}&seen={seen}")).header("accept-encoding", "br").send().await;
    assert_eq!(again.expect_status(200).header("content-encoding"), "");
}

#[tokio::test]
async fn a_server_that_is_offline_asks_for_what_the_config_names_and_for_nothing_else() {
    let upstream = Upstream::start(up()).await;
    let elsewhere = Upstream::start(Behavior::json("{}")).await;
    let text = format!(
        "{}    items:\n      - {{ title: Nas, url: '{}', icon: favicon }}\n\
         pages:\n  - {{ name: Far, path: '{}' }}\n",
        page(&upstream, "updateInterval: 60"),
        elsewhere.url("/"),
        elsewhere.url("/far.yml"),
    );
    let world = Setup::new().env("OFFLINE", "true").file("conf.yml", text).start().await;
    let html = world.get("/").await.expect_status(200).text;
    assert_eq!(settled(&world).await["state"], "content");
    assert_eq!(upstream.count(), 1);
    let icons: Vec<&str> = html.split("src=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    let icons = icons.into_iter().filter(|address| address.starts_with("/icons/"));
    for icon in icons {
        world.get(icon).await;
    }
    world.get("/home/far").await;
    assert_eq!(elsewhere.count(), 0);
}

#[tokio::test]
async fn facts_about_the_machine_are_not_cached() {
    let world = World::new().await;
    let reply = world.get("/system-info").await.expect_status(200);
    assert_eq!(
        (reply.header("cache-control"), reply.header("content-type")),
        ("no-store".into(), "application/json".into())
    );
    assert!(reply.json()["success"].is_boolean());
}

#[tokio::test]
async fn a_widget_may_see_where_a_redirect_leads() {
    let upstream = Upstream::start(Behavior::Says(302, vec![("location", "/login.html".to_owned())], Vec::new())).await;
    let widget = json!({ "type": "dns-filter-stats", "options": { "hostname": upstream.url("") } });
    let config = format!("sections:\n  - name: Home\n    widgets: [{widget}]\n");
    let world = Setup::new().file("conf.yml", config).start().await;
    let answer = world.get("/fn/panel?page=home&section=0&widget=0&kind=dns-filter-stats").await;
    let answer = answer.expect_status(200).json();
    assert_eq!(answer["state"], "error", "{answer}");
    assert_eq!(answer["note"], "127.0.0.1: sign-in needed (username and password).");
    assert_eq!(upstream.count(), 1);
}
