//! Widgets whose service the viewer's browser asks: the server says what to request, and reads what it sends back.

use serde_json::{Value, json};

use crate::{
    upstream::{Behavior, Upstream},
    world::{Reply, Setup, USERS, World},
};

const CONF: &str = "\
sections:
  - name: Home
    widgets:
      - { type: public-ip, label: Address, timeout: 2000 }
      - { type: public-ip, useProxy: true }
      - { type: clock }
  - name: Family
    displayData: { hideForUsers: [bob] }
    widgets: [ { type: public-ip } ]
";
const PATH: &str = "/fn/panel-by-browser";

async fn world() -> World {
    Setup::new().env("ENABLE_HTTP_AUTH", "true").file("conf.yml", format!("{USERS}{CONF}")).start().await
}

fn question(section: usize, widget: usize, kind: &str, response: Value) -> Value {
    json!({ "page": "home", "section": section, "widget": widget, "kind": kind, "locale": null, "zone": "Europe/Vienna",
        "responses": response })
}

async fn response_to(world: &World, question: &Value) -> Reply {
    world.request("POST", PATH).basic("bob:bob").body(question.to_string()).send().await
}

/// The one request that a widget sends the browser on.
async fn request(world: &World) -> Value {
    let answer = response_to(world, &question(0, 0, "public-ip", json!([]))).await.expect_status(200);
    assert_eq!(answer.header("cache-control"), "no-store");
    let answer = answer.json();
    assert_eq!((answer["requests"].as_array().map(Vec::len), answer.get("panel")), (Some(1), None), "{answer}");
    answer["requests"][0].clone()
}

async fn panel(world: &World, response: Value) -> Value {
    let mut response = response;
    response["id"] = request(world).await["id"].clone();
    let answer = response_to(world, &question(0, 0, "public-ip", json!([response]))).await.expect_status(200).json();
    assert_eq!(answer.get("requests"), None, "{answer}");
    answer["panel"].clone()
}

#[tokio::test]
async fn the_page_contains_no_options_and_the_server_draws_the_response() {
    let world = world().await;
    let page = world.request("GET", "/").basic("bob:bob").send().await.expect_status(200);
    assert!(page.text.contains(r#"data-place="browser""#) && !page.text.contains("data-options"));
    assert!(page.header("content-security-policy").contains("https://ipinfo.io"));
    let request = request(&world).await;
    let asked = json!({ "id": request["id"], "method": "GET", "url": "https://ipinfo.io/json", "headers": [],
        "timeout": 2000, "maxBytes": 400_000 });
    assert_eq!(request, asked);
    let body = json!({ "ip": "203.0.113.7", "city": "<b>Trondheim</b>", "org": "AS64500 Example Net" }).to_string();
    let content = panel(&world, json!({ "status": 200, "body": body })).await;
    assert_eq!(content["state"], "content");
    let html = content["html"].as_str().unwrap();
    assert!(html.contains("203.0.113.7") && html.contains("&lt;b&gt;Trondheim") && !html.contains("<b>"), "{html}");
    // Nobody else sees it, and it is kept nowhere.
    let page = world.request("GET", "/").basic("anna:anna").send().await.expect_status(200).text;
    assert!(!page.contains("203.0.113.7"));
}

#[tokio::test]
async fn errors_are_reported_in_the_words_of_the_widget() {
    let world = world().await;
    let too_many = json!({ "status": 429, "headers": [["retry-after", "120"]], "body": "" });
    for (response, state, note) in [
        (json!({ "status": 200, "body": "<html>" }), "error", "ipinfo.io sent something unexpected"),
        (json!({ "status": 503 }), "error", "ipinfo.io has a problem (503)."),
        (json!({ "failure": "timed-out" }), "error", "ipinfo.io did not answer within 2 s."),
        (json!({ "failure": "too-large" }), "error", "The response from ipinfo.io is too large."),
        (json!({ "failure": "blocked" }), "error", "ipinfo.io could not be reached from this browser"),
        (too_many, "error", "ipinfo.io allows no more requests for now; next try at "),
    ] {
        let panel = panel(&world, response.clone()).await;
        assert_eq!(panel["state"], state, "{response}");
        assert!(panel["note"].as_str().unwrap().starts_with(note), "{response}: {panel}");
        assert_eq!(panel.get("next").is_some(), response["status"] == 429, "{panel}");
    }
}

#[tokio::test]
async fn only_for_widgets_that_a_browser_looks_up_and_people_who_see_them() {
    let world = world().await;
    for (section, widget, kind) in
        [(0, 1, "public-ip"), (0, 2, "clock"), (0, 0, "clock"), (1, 0, "public-ip"), (9, 9, "public-ip")]
    {
        let answer = response_to(&world, &question(section, widget, kind, json!([]))).await.expect_status(200).json();
        assert_eq!(answer["panel"]["state"], "broken", "{section} {widget} {kind}");
        assert_eq!(answer.get("requests"), None);
    }
    let whole = question(0, 0, "public-ip", json!([])).to_string();
    world.request("POST", PATH).body(whole.clone()).send().await.expect_status(401);
    let foreign = world.request("POST", PATH).basic("bob:bob").header("origin", "https://evil.example");
    foreign.body(whole.clone()).send().await.expect_status(403);
    world.request("POST", PATH).basic("bob:bob").untyped().body(whole).send().await.expect_status(415);
    // And the other way round: what a browser asks, the server does not request.
    let path = "/fn/panel?page=home&section=0&widget=0&kind=public-ip";
    let answer = world.request("GET", path).basic("bob:bob").send().await.json();
    assert_eq!(answer["state"], "broken");
}

#[tokio::test]
async fn a_response_from_a_browser_is_bounded_and_causes_no_requests() {
    let upstream = Upstream::start(Behavior::json("{}")).await;
    let world = world().await;
    let body = json!({ "ip": "203.0.113.7", "city": format!("<img src={}>", upstream.url("/")) }).to_string();
    let content = panel(&world, json!({ "status": 200, "body": body })).await;
    assert_eq!(content["state"], "content");
    assert_eq!((upstream.count(), world.get("/widget-picture/x").await.status.as_u16()), (0, 401));
    let many: Vec<Value> = (0..20).map(|number| json!({ "id": number.to_string() })).collect();
    let answer = response_to(&world, &question(0, 0, "public-ip", json!(many))).await.expect_status(200).json();
    assert_eq!(answer["panel"]["note"], "This widget makes too many requests.");
    let huge = json!([{ "id": "x", "status": 200, "body": "x".repeat(1_100_000) }]);
    let refused = response_to(&world, &question(0, 0, "public-ip", huge)).await;
    assert!(refused.status.is_client_error() || refused.status.is_server_error(), "{}", refused.status);
    for wrong in [json!({}), json!({ "responses": 1 }), question(0, 0, "public-ip", json!([{ "failure": "nonsense" }]))]
    {
        response_to(&world, &wrong).await.expect_status(400);
    }
}

#[tokio::test]
async fn the_browser_queries_a_custom_address_if_configured() {
    let conf = "sections:\n  - name: Home\n    widgets:\n      - type: api-response\n        useProxy: false\n        \
                options: { url: 'https://api.example.com:8443/status', mappings: [{ field: state, label: State }] }\n";
    let world = Setup::new().env("ENABLE_HTTP_AUTH", "true").file("conf.yml", format!("{USERS}{conf}")).start().await;
    let page = world.request("GET", "/").basic("bob:bob").send().await.expect_status(200);
    assert!(page.text.contains(r#"data-place="browser""#) && !page.text.contains("/status"));
    assert!(page.header("content-security-policy").contains("https://api.example.com:8443"));
    let first = response_to(&world, &question(0, 0, "api-response", json!([]))).await.expect_status(200).json();
    assert_eq!(first["requests"][0]["url"], "https://api.example.com:8443/status");
    let headers = json!([["content-type", "application/json"]]);
    let body = json!({ "state": "<b>fine</b>", "key": "never shown" }).to_string();
    let response = json!([{ "id": first["requests"][0]["id"], "status": 200, "headers": headers, "body": body }]);
    let panel =
        response_to(&world, &question(0, 0, "api-response", response)).await.expect_status(200).json()["panel"].clone();
    let html = panel["html"].as_str().unwrap();
    assert!(html.contains("&lt;b&gt;fine") && !html.contains("never shown"), "{html}");
}
