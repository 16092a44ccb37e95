//! The description of the API.

use std::{fs, path::Path};

use server::access::Accepted;

use crate::world::{Setup, USERS};

#[test]
fn the_stored_description_is_not_stale() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/openapi.json");
    let expected =
        format!("{}\n", serde_json::to_string_pretty(&server::routes::api::description("", Accepted::ANY)).unwrap());
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, &expected).unwrap();
    }
    let stored = fs::read_to_string(&path).unwrap_or_default();
    assert!(stored == expected, "docs/openapi.json is stale, run the tests with UPDATE_DOCS=1");
}

#[tokio::test]
async fn readers_and_admins_get_it() {
    let world = Setup::new().env("BASE_URL", "/start").file("conf.yml", USERS).start().await;
    let path = "/start/api/openapi.json";
    world.get(path).await.expect_failure(401);
    for who in ["bob:bob", "anna:anna"] {
        let description = world.request("GET", path).basic(who).send().await.expect_status(200).json();
        assert_eq!(description["openapi"], "3.1.0");
        assert_eq!(description["servers"][0]["url"], "/start");
        let accepted = Accepted { token: false, basic: true, nothing: false };
        assert_eq!(description, server::routes::api::description("/start", accepted));
    }
    let world = Setup::new().env("ENABLE_API", "").start().await;
    world.get("/api/openapi.json").await.expect_failure(404);
}

/// A client generated from it sends requests that this server accepts.
#[tokio::test]
async fn it_names_the_credentials_that_are_accepted() {
    for (name, value, expected) in [
        ("OTHER", "", "[{}]"),
        ("API_TOKEN", "t0k", r#"[{"token":[]}]"#),
        ("BASIC_AUTH_PASSWORD", "p:w", r#"[{"basic":[]}]"#),
    ] {
        let user = if name == "BASIC_AUTH_PASSWORD" { "admin" } else { "" };
        let world = Setup::new().env("BASIC_AUTH_USERNAME", user).env(name, value).start().await;
        let request = world.request("GET", "/api/openapi.json");
        let request = match name {
            "API_TOKEN" => request.bearer("t0k"),
            "BASIC_AUTH_PASSWORD" => request.basic("admin:p:w"),
            _ => request,
        };
        let description = request.send().await.expect_status(200).json();
        assert_eq!(description["security"].to_string(), expected);
    }
}

/// Every reference exists, every operation has a unique name, every path parameter is described.
#[test]
fn the_description_is_sound() {
    let description = server::routes::api::description("", Accepted::ANY);
    let text = description.to_string();
    for reference in text.split("\"$ref\":\"#").skip(1) {
        let pointer = reference.split('"').next().unwrap();
        assert!(description.pointer(pointer).is_some(), "{pointer}");
    }
    let mut names = Vec::new();
    let mut operations = 0;
    for (path, item) in description["paths"].as_object().unwrap() {
        let described = item.get("parameters").map_or(0, |parameters| parameters.as_array().unwrap().len());
        assert_eq!(path.matches('{').count(), described, "{path}");
        for (_, operation) in item.as_object().unwrap().iter().filter(|(key, _)| *key != "parameters") {
            names.push(operation["operationId"].as_str().unwrap().to_owned());
            operations += 1;
        }
    }
    names.sort();
    names.dedup();
    assert_eq!((operations, names.len()), (17, 17));
}

/// It announces the same methods as `Allow`.
#[tokio::test]
async fn its_methods_are_those_that_are_allowed() {
    let world = Setup::new().start().await;
    let description = server::routes::api::description("", Accepted::ANY);
    for (path, item) in description["paths"].as_object().unwrap() {
        let address = path
            .replace("{filename}", "conf.yml")
            .replace("{key}", "appConfig")
            .replace("{sid}", "0")
            .replace("{iid}", "0");
        let allow = world.request("OPTIONS", &address).send().await.expect_status(204).header("allow");
        for method in item.as_object().unwrap().keys().filter(|key| *key != "parameters") {
            assert!(allow.contains(&method.to_uppercase()), "{path}: {method} is not in {allow}");
        }
    }
}
