//! docs/spec/api.md 11, cases 133 to 137: what the schema rejects and accepts.

use serde_json::json;

use crate::world::{C, CONF, Setup, World};

const ICON: &str = r#"{"icon":"x"}"#;

async fn with(app: &str) -> World {
    Setup::new().file("conf.yml", format!("{CONF}appConfig: {app}\n")).start().await
}

#[tokio::test]
async fn case_133_legacy_keys_do_not_block() {
    let conf = CONF.replace("{ title: Base }", "{ title: Base, footerText: f }");
    let world = Setup::new().file("conf.yml", format!("{conf}appConfig: {{ routingMode: history }}\n")).start().await;
    world.send("PATCH", &format!("{C}/sections/0"), ICON).await.expect_status(200);
    assert_eq!(world.value(&format!("{C}/pageInfo")).await["footerText"], "f");
}

#[tokio::test]
async fn case_134_old_problems_do_not_block() {
    let world = with("{ madeUp: 1 }").await;
    let answer = world.send("PATCH", &format!("{C}/sections/0"), ICON).await.expect_status(200).json();
    assert_eq!(answer["warnings"][0]["path"], "/appConfig/madeUp");
    assert!(answer["warnings"][0]["message"].as_str().unwrap().contains("madeUp"));
    assert_eq!(world.value(&format!("{C}/appConfig")).await["madeUp"], 1);
}

#[tokio::test]
async fn case_135_the_same_problem_again() {
    let world = with("{ madeUp: 1 }").await;
    world.send("PUT", &format!("{C}/appConfig"), r#"{"madeUp":1}"#).await.expect_status(200);
    world.send("PUT", &format!("{C}/appConfig"), r#"{"madeUp":1,"other":1}"#).await.expect_failure(400);
}

#[tokio::test]
async fn case_136_a_whole_file_has_no_before() {
    let world = with("{ madeUp: 1 }").await;
    let value = world.value(C).await;
    let reply = world.send("PUT", C, &value.to_string()).await.expect_status(400);
    let errors = reply.json()["errors"].clone();
    assert_eq!(errors[0]["path"], "/appConfig/madeUp");
    assert!(reply.expect_failure(400).contains("schema"));
    world.assert_unchanged();
}

#[tokio::test]
async fn case_137_sign_in_changes_with_a_restart() {
    let world = with("{ auth: { oidc: { clientId: a, endpoint: 'https://id.example' } } }").await;
    let changed = json!({ "auth": { "oidc": { "clientId": "b", "endpoint": "https://id.example" } } }).to_string();
    let path = format!("{C}/appConfig");
    let answer = world.send("PUT", &path, &changed).await.expect_status(200).json();
    assert_eq!(answer["restartRequired"], true);
    let answer = world.send("PUT", &path, &changed).await.expect_status(200).json();
    assert_eq!(answer.get("restartRequired"), None);
}

#[tokio::test]
async fn at_most_twenty_errors_are_listed() {
    let world = World::new().await;
    let app: serde_json::Map<String, serde_json::Value> =
        (0..30).map(|number| (format!("k{number}"), 1.into())).collect();
    let reply = world.send("PUT", &format!("{C}/appConfig"), &json!(app).to_string()).await.expect_status(400);
    assert_eq!(reply.json()["errors"].as_array().unwrap().len(), 20);
    assert!(reply.expect_failure(400).contains("30"));
}

#[tokio::test]
async fn unknown_keys_of_a_file_survive_a_write() {
    let conf = format!("footer: old\n{CONF}");
    let world = Setup::new().file("conf.yml", conf).start().await;
    world.send("PATCH", &format!("{C}/sections/0"), ICON).await.expect_status(200);
    let value = world.value(C).await;
    let keys: Vec<&String> = value.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["footer", "pageInfo", "sections"]);
}
