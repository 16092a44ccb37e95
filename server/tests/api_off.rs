//! docs/spec/api.md 11, cases 1 to 4: the API is off.

use crate::world::{C, Setup, World};

async fn off() -> World {
    Setup::new().env("ENABLE_API", "").start().await
}

#[tokio::test]
async fn case_001_unset_means_off() {
    let reply = off().await.get("/api/config").await;
    assert_eq!(reply.header("www-authenticate"), "");
    assert!(reply.expect_failure(404).contains("API not enabled"));
}

#[tokio::test]
async fn case_002_other_words_do_not_open() {
    for word in ["false", "1", "yes", "on", " "] {
        let world = Setup::new().env("ENABLE_API", word).start().await;
        for path in ["/api/config", "/api", "/api/", "/api/anything/else", "/api//x", "/api/%zz"] {
            assert!(world.get(path).await.expect_failure(404).contains("ENABLE_API"), "{word} {path}");
        }
    }
}

#[tokio::test]
async fn case_003_off_comes_before_credentials() {
    let world = Setup::new()
        .env("ENABLE_API", "")
        .env("BASIC_AUTH_USERNAME", "admin")
        .env("BASIC_AUTH_PASSWORD", "p")
        .start()
        .await;
    let reply = world.request("PUT", C).basic("admin:wrong").body(r#"{"sections":[]}"#).send().await;
    assert_eq!(reply.header("www-authenticate"), "");
    assert!(reply.expect_failure(404).contains("API not enabled"));
    world.assert_unchanged();
}

#[tokio::test]
async fn case_004_options_too() {
    off().await.request("OPTIONS", C).send().await.expect_failure(404);
}

#[tokio::test]
async fn a_prefix_moves_the_api() {
    let world = Setup::new().env("BASE_URL", "/start").start().await;
    world.get("/start/api/config").await.expect_status(200);
    world.get("/start/api/nonsense").await.expect_failure(404);
    let reply = world.send("POST", "/start/api/config/conf.yml/sections", r#"{"name":"G"}"#).await.expect_status(201);
    assert_eq!(reply.header("location"), "/start/api/config/conf.yml/sections/6");
    assert_eq!(world.get("/api/config").await.status, 404);
}
