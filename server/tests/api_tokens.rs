//! Tokens of the REST API: made and revoked by the command line, used at once by the server (docs/spec/api.md 3.5).

use std::{
    path::Path,
    process::{Command, Output},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use serde_json::{Value, json};
use server::access::{ApiTokens, NewToken, TimeSource};

use crate::world::{C, Setup, USERS, World};

const NEW_TITLE: &str = "{\"title\": \"New\"}";

/// A clock that a test sets.
#[derive(Debug, Default)]
struct TestClock(AtomicU64);

impl TimeSource for TestClock {
    fn now(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

fn portico(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_portico"));
    command.env_clear().env("USER_DATA_DIR", folder).arg("token").args(arguments).output().unwrap()
}

/// A token from the command line.
fn created(world: &World, arguments: &[&str]) -> String {
    let output = portico(&world.path(""), &[&["create"], arguments].concat());
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

async fn status(world: &World, method: &str, path: &str, token: &str) -> u16 {
    let mut request = world.request(method, path);
    if method != "GET" {
        request = request.body(NEW_TITLE);
    }
    request.bearer(token).send().await.status.as_u16()
}

#[tokio::test]
async fn a_token_may_do_what_its_rights_say() {
    let world = World::new().await;
    let title = format!("{C}/pageInfo");
    let (reader, writer) = (created(&world, &["reader"]), created(&world, &["writer", "--rights", "write"]));
    assert_ne!(reader, writer);
    assert_eq!(status(&world, "GET", &title, &reader).await, 200);
    assert_eq!(status(&world, "PUT", &title, &reader).await, 403);
    assert_eq!(status(&world, "PUT", &title, &writer).await, 200);
    world.get(&title).await.expect_failure(401);
}

#[tokio::test]
async fn a_token_for_one_file_is_refused_elsewhere() {
    let world = World::new().await;
    let token = created(&world, &["lab", "--rights", "write", "--file", "extra.yml"]);
    assert_eq!(status(&world, "PUT", "/api/config/extra.yml/pageInfo", &token).await, 200);
    for path in [C, "/api/config", &format!("{C}/pageInfo")] {
        assert_eq!(status(&world, "GET", path, &token).await, 403, "{path}");
    }
    assert_eq!(status(&world, "PUT", &format!("{C}/pageInfo"), &token).await, 403);
}

#[tokio::test]
async fn a_token_for_one_section_is_refused_elsewhere() {
    let world = World::new().await;
    let token = created(&world, &["alpha", "--rights", "write", "--file", "conf.yml", "--section", "A/B & C"]);
    let own = format!("{C}/sections/A%2FB%20%26%20C");
    for (method, path, expected) in [
        ("GET", own.clone(), 200),
        ("GET", format!("{own}/items"), 200),
        ("GET", format!("{C}/%73ections/A%2FB%20&%20C/items/0"), 200),
        ("GET", format!("{C}/sections/Alpha"), 403),
        ("GET", format!("{C}/sections/0"), 403),
        ("GET", format!("{C}/sections"), 403),
        ("GET", format!("{C}/pageInfo"), 403),
        ("GET", C.to_owned(), 403),
        ("PUT", format!("{C}/pageInfo"), 403),
        ("GET", "/api/config/extra.yml/sections/A%2FB%20%26%20C".to_owned(), 403),
    ] {
        assert_eq!(status(&world, method, &path, &token).await, expected, "{method} {path}");
    }
    assert!(!portico(&world.path(""), &["create", "x", "--section", "Alpha"]).status.success());
}

#[tokio::test]
async fn a_reader_sees_no_hashes_of_users() {
    let world = Setup::new().file("conf.yml", USERS).start().await;
    let (reader, writer) = (created(&world, &["reader"]), created(&world, &["writer", "--rights", "write"]));
    let auth = async |token: &str| world.value_with_token(&format!("{C}/appConfig"), token).await.to_string();
    assert!(!auth(&reader).await.contains("hash"));
    assert!(auth(&writer).await.contains("hash"));
}

#[tokio::test]
async fn a_revoked_token_stops_working_at_once() {
    let world = World::new().await;
    let (first, second) = (created(&world, &["first"]), created(&world, &["second"]));
    assert_eq!(status(&world, "GET", C, &first).await, 200);
    let listed = String::from_utf8(portico(&world.path(""), &["list"]).stdout).unwrap();
    assert!(listed.contains("first\tread\tall files") && !listed.contains(&first), "{listed}");
    assert!(portico(&world.path(""), &["revoke", "first"]).status.success());
    assert_eq!(status(&world, "GET", C, &first).await, 401);
    assert_eq!(status(&world, "GET", C, &second).await, 200);
    assert!(!portico(&world.path(""), &["revoke", "first"]).status.success());
}

#[tokio::test]
async fn an_expired_token_is_refused_and_opens_nothing() {
    let clock = Arc::new(TestClock::default());
    clock.0.store(1_000, Ordering::Relaxed);
    let world = Setup::new().clock(clock.clone()).start().await;
    let token = ApiTokens::in_folder(&world.path(""))
        .create(NewToken { name: "ci".to_owned(), expires: Some(2_000), ..NewToken::default() }, 1_000)
        .unwrap();
    assert_eq!(status(&world, "GET", C, &token).await, 200);
    clock.0.store(2_000, Ordering::Relaxed);
    assert_eq!(status(&world, "GET", C, &token).await, 401);
    world.get(C).await.expect_failure(401);
}

#[tokio::test]
async fn the_file_has_no_token_and_is_for_its_owner_only() {
    let world = World::new().await;
    let token = created(&world, &["ci"]);
    let text = world.text(".api-tokens");
    assert!(!text.contains(&token) && text.contains("\"hash\""), "{text}");
    assert_eq!(token.len(), "portico_".len() + 43);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        assert_eq!(world.path(".api-tokens").metadata().unwrap().permissions().mode() & 0o777, 0o600);
    }
    world.get("/.api-tokens").await.expect_status(404);
    assert!(!portico(&world.path(""), &["create", "ci"]).status.success(), "names are unique");
}

#[tokio::test]
async fn a_damaged_file_keeps_the_api_closed() {
    let world = World::new().await;
    let token = created(&world, &["ci"]);
    std::fs::write(world.path(".api-tokens"), "[").unwrap();
    assert_eq!(status(&world, "GET", C, &token).await, 401);
    world.get(C).await.expect_failure(401);
}

#[tokio::test]
async fn a_token_of_a_newer_program_is_refused_and_stays_in_the_file() {
    let world = World::new().await;
    let folder = world.path("");
    let (older, newer) = (created(&world, &["older"]), created(&world, &["newer"]));
    let mut tokens: Vec<Value> = serde_json::from_str(&world.text(".api-tokens")).unwrap();
    assert_eq!(tokens[0]["version"], 1);
    // Tokens of the first programs had no version, and a later one may add what this one need not know.
    tokens[0].as_object_mut().unwrap().remove("version");
    tokens[0]["more"] = json!([1]);
    tokens[1]["version"] = json!(2);
    tokens[1]["networks"] = json!(["10.0.0.0/8"]);
    std::fs::write(world.path(".api-tokens"), json!(tokens).to_string()).unwrap();
    assert_eq!((status(&world, "GET", C, &older).await, status(&world, "GET", C, &newer).await), (200, 401));
    assert!(!portico(&folder, &["create", "newer"]).status.success(), "the name is taken");
    let third = created(&world, &["third"]);
    assert_eq!(status(&world, "GET", C, &third).await, 200);
    let kept: Vec<Value> = serde_json::from_str(&world.text(".api-tokens")).unwrap();
    assert_eq!(kept[..2], tokens[..]);
    for name in ["older", "third"] {
        assert!(portico(&folder, &["revoke", name]).status.success());
    }
    world.get(C).await.expect_failure(401);
    let last = portico(&folder, &["revoke", "newer"]);
    assert!(String::from_utf8_lossy(&last.stderr).contains("the API is open to everybody"), "{last:?}");
    world.get(C).await.expect_status(200);
}

#[tokio::test]
async fn guesses_are_refused() {
    let world = World::new().await;
    let token = created(&world, &["ci"]);
    for wrong in [format!("{token}A"), token.to_uppercase(), token.replacen("portico_", "", 1)] {
        assert_eq!(status(&world, "GET", C, &wrong).await, 401, "{wrong}");
    }
    assert_eq!(status(&world, "GET", C, "portico_").await, 401);
}
