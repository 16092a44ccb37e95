//! What programs that watch the server see: metrics, readiness, numbers of requests, and traces.

use std::collections::BTreeSet;

use crate::{
    exchange::{Reply, TestRequest},
    upstream::{Behavior, Upstream},
    world::{C, CONF, Setup, USERS, World},
};

const TRACE: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

impl World {
    async fn scrape(&self) -> String {
        let router = server::routes::metrics::router(self.portico());
        TestRequest::new(router, "GET", "/metrics").send().await.expect_status(200).text
    }
}

/// The value of a sample; zero if there is none yet.
fn sample(metrics: &str, name: &str) -> f64 {
    let line = metrics.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    line.map_or(0.0, |value| value.parse().unwrap())
}

#[tokio::test]
async fn what_happens_is_counted() {
    let world = Setup::new().env("METRICS_ADDR", "127.0.0.1:0").start().await;
    let before = world.scrape().await;
    world.get("/home").await.expect_status(200);
    world.get("/home").await.expect_status(200);
    world.get("/healthz").await.expect_status(200);
    world.get("/nowhere").await.expect_status(404);
    world.get(&format!("{C}/pageInfo")).await.expect_status(200);
    world.send("PUT", &format!("{C}/pageInfo"), "{\"title\": \"New\"}").await.expect_status(200);
    world.send("PUT", &format!("{C}/pageInfo"), "{\"description\": \"no title\"}").await.expect_status(400);
    let after = world.scrape().await;
    let grown = |name: &str| sample(&after, name) - sample(&before, name);
    for (name, at_least) in [
        ("portico_http_requests_total{route=\"/home\",status=\"2xx\"}", 2.0),
        ("portico_http_requests_total{route=\"/healthz\",status=\"2xx\"}", 1.0),
        ("portico_http_requests_total{route=\"/config/{filename}/{key}\",status=\"2xx\"}", 2.0),
        ("portico_http_request_duration_seconds_count{route=\"/home\"}", 2.0),
        ("portico_page_cache_requests_total{result=\"miss\"}", 1.0),
        ("portico_page_cache_requests_total{result=\"hit\"}", 1.0),
        ("portico_config_writes_total{result=\"success\"}", 1.0),
        ("portico_config_writes_total{result=\"failure\"}", 1.0),
    ] {
        assert!(grown(name) >= at_least, "{name} has grown by {}\n{after}", grown(name));
    }
    for (name, value) in [("portico_config_valid", 1.0), ("portico_folder_writable", 1.0)] {
        assert_eq!(sample(&after, name), value, "{name}");
    }
    assert!(after.contains("portico_build_info{version=\""), "{after}");
}

#[tokio::test]
async fn metrics_are_not_on_the_public_port() {
    let world = Setup::new().env("METRICS_ADDR", "127.0.0.1:0").start().await;
    world.get("/metrics").await.expect_status(404);
}

#[tokio::test]
async fn names_and_labels_follow_the_rules() {
    let world = Setup::new()
        .env("METRICS_ADDR", "127.0.0.1:0")
        .env("BASIC_AUTH_USERNAME", "operator-zq7")
        .env("BASIC_AUTH_PASSWORD", "secret-zq7")
        .start()
        .await;
    world.request("GET", "/home/path-zq7").basic("operator-zq7:secret-zq7").peer("198.51.100.7").send().await;
    world.request("GET", "/home").basic("operator-zq7:wrong").peer("198.51.100.7").send().await;
    let text = world.scrape().await;
    assert!(!text.contains("zq7") && !text.contains("198.51"), "{text}");
    let failed = sample(&text, "portico_sign_ins_total{method=\"basic\",result=\"failure\"}");
    assert!(failed >= 1.0, "{text}");
    let types: Vec<(&str, &str)> =
        text.lines().filter_map(|line| line.strip_prefix("# TYPE ")?.split_once(' ')).collect();
    let names: BTreeSet<&str> = types.iter().map(|(name, _)| *name).collect();
    assert!(types.len() > 20 && names.len() == types.len(), "{names:?}");
    for (name, kind) in types {
        assert!(name.starts_with("portico_") || name.starts_with("process_"), "{name}");
        assert_eq!(name.ends_with("_total"), kind == "counter", "{name} is a {kind}");
        assert!(text.contains(&format!("# HELP {name} ")), "{name}");
        assert!(!name.contains("duration") || name.ends_with("_seconds"), "{name} names no unit");
    }
}

#[tokio::test]
async fn a_scrape_of_many_widgets_is_small() {
    let upstream = Upstream::start(Behavior::fails(500)).await;
    let mut conf = "sections:\n  - name: A\n    widgets:\n".to_owned();
    let kinds: Vec<&str> = widgets::Kind::ALL.iter().map(|kind| kind.name()).collect();
    for number in 0..500 {
        let kind = kinds[number % kinds.len()];
        conf += &format!(
            "      - {{ type: {kind}, label: w{number}, options: {{ url: '{}', hostname: '{}' }} }}\n",
            upstream.url("/a"),
            upstream.url("/b")
        );
    }
    let world =
        Setup::new().env("METRICS_ADDR", "127.0.0.1:0").env("OFFLINE", "true").file("conf.yml", conf).start().await;
    for path in ["/home", "/minimal", "/workspace", "/healthz", "/readyz", "/schema.json", "/login", "/nowhere", C] {
        world.get(path).await;
    }
    let metrics = server::platform::metrics::turn_on();
    for kind in kinds {
        metrics.lookup(kind, true, std::time::Duration::from_millis(20));
        metrics.lookup(kind, false, std::time::Duration::from_secs(20));
    }
    let length = world.scrape().await.len();
    assert!(length <= 100_000, "{length} bytes");
}

#[tokio::test]
async fn readiness_names_each_part_and_its_reason() {
    let world = World::new().await;
    let ready = world.get("/readyz").await.expect_status(200).json();
    assert_eq!(ready["status"], "ready");
    assert_eq!(ready["parts"]["config"]["ok"], true);
    assert_eq!(ready["parts"]["folder"]["ok"], true);
    std::fs::write(world.path("conf.yml"), "secret-mark: 1\na: [1\n").unwrap();
    world.poll().await;
    let reply = world.get("/readyz").await.expect_status(200);
    let degraded = reply.json();
    assert_eq!(degraded["status"], "degraded", "the last good version is still shown");
    let reason = degraded["parts"]["config"]["reason"].as_str().unwrap();
    assert!(reason.contains("not valid at line") && !reply.text.contains("mark"), "{reason}");
    let closed = Setup::new().file("conf.yml", "a: [1").start().await;
    assert_eq!(closed.get("/readyz").await.expect_status(503).json()["status"], "closed");
}

#[tokio::test]
async fn readiness_says_that_the_provider_is_away() {
    let conf = format!(
        "{CONF}appConfig:\n  auth:\n    enableOidc: true\n    oidc: {{ clientId: a, endpoint: 'http://127.0.0.1:9' }}\n"
    );
    let world = Setup::new().file("conf.yml", conf).start().await;
    let reply = world.get("/readyz").await.expect_status(200).json();
    assert_eq!(reply["status"], "degraded");
    let reason = reply["parts"]["provider"]["reason"].as_str().unwrap();
    assert!(reason.contains("does not respond"), "{reason}");
}

#[tokio::test]
async fn each_request_has_a_number() {
    let world = Setup::new().file("conf.yml", "a: [1").start().await;
    let from = async |peer: &str| -> Reply {
        world.request("GET", "/home").header("x-request-id", "from-the-proxy").peer(peer).send().await
    };
    let proxied = from("127.0.0.1").await.expect_status(500);
    assert_eq!(proxied.header("x-request-id"), "from-the-proxy");
    assert!(proxied.text.contains("<code>from-the-proxy</code>"), "the page of the error names it: {}", proxied.text);
    let foreign = from("198.51.100.7").await;
    assert_eq!(foreign.header("x-request-id").len(), 16);
    assert_ne!(from("198.51.100.7").await.header("x-request-id"), foreign.header("x-request-id"));
}

#[tokio::test]
async fn services_get_the_trace_of_the_request() {
    let upstream = Upstream::start(Behavior::json("{\"ip\": \"192.0.2.1\"}")).await;
    let conf = format!(
        "{USERS}sections:\n  - name: A\n    widgets:\n      - {{ type: api-response, options: {{ url: '{}' }} }}\n",
        upstream.url("/data")
    );
    for (peer, is_passed_on) in [("127.0.0.1", true), ("198.51.100.7", false)] {
        let world = Setup::new().file("conf.yml", conf.clone()).start().await;
        let before = upstream.count();
        world
            .request("GET", "/home")
            .basic("Anna:anna")
            .header("traceparent", TRACE)
            .peer(peer)
            .send()
            .await
            .expect_status(200);
        while upstream.count() == before {
            tokio::task::yield_now().await;
        }
        let heard = upstream.heard().pop().unwrap();
        let passed_on = heard.split_once("\"traceparent\": \"").map(|(_, rest)| rest[..TRACE.len()].to_owned());
        let is_same = passed_on.as_deref().is_some_and(|passed_on| passed_on.starts_with(&TRACE[..36]));
        assert_eq!(is_same, is_passed_on, "{heard}");
        assert_ne!(passed_on.as_deref(), Some(TRACE), "the parent is the request of the server");
    }
}
