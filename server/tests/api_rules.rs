//! docs/spec/api.md 11: methods, headers, other sites, and hostile bodies.

use serde_json::{Value, json};

use crate::world::{C, Setup, World};

#[tokio::test]
async fn case_097_other_methods() {
    let world = World::new().await;
    for (method, path, allow) in [
        ("DELETE", "", "GET, HEAD, PUT, OPTIONS"),
        ("POST", "", "GET, HEAD, PUT, OPTIONS"),
        ("PATCH", "/pageInfo", "GET, HEAD, PUT, OPTIONS"),
        ("DELETE", "/banana", "GET, HEAD, PUT, OPTIONS"),
        ("PUT", "/sections/0", "GET, HEAD, PATCH, DELETE, OPTIONS"),
        ("PATCH", "/sections/0/items", "GET, HEAD, POST, OPTIONS"),
        ("PUT", "/sections/0/items/0", "GET, HEAD, PATCH, DELETE, OPTIONS"),
        ("TRACE", "/sections", "GET, HEAD, PUT, POST, OPTIONS"),
    ] {
        let reply = world.request(method, &format!("{C}{path}")).send().await;
        assert_eq!(reply.header("allow"), allow, "{method} {path}");
        reply.expect_failure(405);
    }
    world.request("POST", "/api/config").send().await.expect_failure(405);
    world.assert_unchanged();
}

#[tokio::test]
async fn case_098_options() {
    let world = Setup::new().env("API_TOKEN", "t0k").start().await;
    let reply = world.request("OPTIONS", &format!("{C}/sections")).send().await.expect_status(204);
    assert_eq!(reply.header("allow"), "GET, HEAD, PUT, POST, OPTIONS");
    assert_eq!(reply.text, "");
    for (path, expected) in [
        ("config", "GET, HEAD, OPTIONS"),
        ("config/", "GET, HEAD, OPTIONS"),
        ("config/conf.yml", "GET, HEAD, PUT, OPTIONS"),
        ("config/conf.yml/appConfig", "GET, HEAD, PUT, OPTIONS"),
        ("config/conf.yml/sections", "GET, HEAD, PUT, POST, OPTIONS"),
        ("config/conf.yml/%73ections", "GET, HEAD, PUT, POST, OPTIONS"),
        ("config/conf.yml/banana", "GET, HEAD, PUT, OPTIONS"),
        ("config/conf.yml/sections/0", "GET, HEAD, PATCH, DELETE, OPTIONS"),
        ("config/conf.yml/sections/0/items", "GET, HEAD, POST, OPTIONS"),
        ("config/conf.yml/sections/0/items/0", "GET, HEAD, PATCH, DELETE, OPTIONS"),
        ("%6fpenapi.json", "GET, HEAD, OPTIONS"),
    ] {
        let reply = world.request("OPTIONS", &format!("/api/{path}")).send().await.expect_status(204);
        assert_eq!(reply.header("allow"), expected, "{path}");
    }
    for path in ["nonsense", "config/conf.yml/pageInfo/0", "config/conf.yml/sections/0/widgets", "", "config//"] {
        world.request("OPTIONS", &format!("/api/{path}")).send().await.expect_failure(404);
    }
}

#[tokio::test]
async fn case_099_headers_of_all_answers() {
    let world = World::new().await;
    for (method, path, status) in
        [("GET", C, 200), ("GET", "/api/nonsense", 404), ("DELETE", C, 405), ("OPTIONS", C, 204), ("HEAD", C, 200)]
    {
        let request = world.request(method, path).header("origin", "https://other.example");
        let reply = request.send().await.expect_status(status);
        assert_eq!(reply.header("content-type"), "application/json; charset=utf-8");
        assert_eq!(reply.header("cache-control"), "no-store");
        assert_eq!(reply.header("vary"), "Authorization, Cookie");
        assert_eq!(reply.header("x-content-type-options"), "nosniff");
        assert!(!reply.headers.keys().any(|name| name.as_str().starts_with("access-control-")));
    }
}

#[tokio::test]
async fn case_103_comments_and_anchors_go() {
    let old = "# comment\npageInfo: &info { title: Base }\nsections: []\nappConfig: { language: de } # more\n";
    let world = Setup::new().file("conf.yml", old).start().await;
    let value = world.value(C).await;
    world.send("PUT", C, &value.to_string()).await.expect_status(200);
    assert!(!world.text("conf.yml").contains(['#', '&']));
    assert_eq!(world.value(C).await, value);
}

#[tokio::test]
async fn case_104_texts_stay_texts() {
    let world = World::new().await;
    let info = json!({ "title": "yes", "description": "12:30" });
    world.send("PUT", &format!("{C}/pageInfo"), &info.to_string()).await.expect_status(200);
    assert_eq!(world.value(&format!("{C}/pageInfo")).await, info);
    let item = json!({ "title": "1e3", "description": "0x1f\n~\n", "url": "", "icon": "!@", "provider": "2024-01-01" });
    world.send("POST", &format!("{C}/sections/0/items"), &item.to_string()).await.expect_status(201);
    assert_eq!(world.value(&format!("{C}/sections/0/items/3")).await, item);
}

#[tokio::test]
async fn case_132_pages_of_other_sites() {
    let world = World::new().await;
    let write = |headers: &[(&str, &str)]| {
        let request = world.request("PUT", C).header("host", "dash.lan").body(r#"{"sections":[]}"#);
        headers.iter().fold(request, |request, (name, value)| request.header(name, value)).send()
    };
    write(&[("origin", "https://evil.example")]).await.expect_failure(403);
    write(&[("origin", "null")]).await.expect_failure(403);
    write(&[("sec-fetch-site", "cross-site")]).await.expect_failure(403);
    world.assert_unchanged();
    world.request("GET", C).header("origin", "https://evil.example").send().await.expect_status(200);
    write(&[("origin", "http://dash.lan"), ("sec-fetch-site", "same-origin")]).await.expect_status(200);
}

#[tokio::test]
async fn requests_with_credentials_in_a_header_need_no_origin() {
    let world = Setup::new().env("API_TOKEN", "t0k").start().await;
    let request =
        world.request("PUT", C).bearer("t0k").header("origin", "https://tool.example").body(r#"{"sections":[]}"#);
    request.send().await.expect_status(200);
}

#[tokio::test]
async fn case_138_doubled_slashes() {
    let world = World::new().await;
    for path in [
        "//api//config".to_owned(),
        "/api//config".to_owned(),
        "/api/config//".to_owned(),
        format!("{C}/sections//items"),
        format!("{C}/sections/0//"),
    ] {
        world.get(&path).await.expect_failure(404);
    }
}

#[tokio::test]
async fn case_139_deep_nesting() {
    let world = World::new().await;
    for levels in [200, 100_000] {
        let body = format!("{}1{}", "{\"a\":".repeat(levels), "}".repeat(levels));
        world.send("PUT", C, &body).await.expect_failure(400);
        world.send("PUT", "/api/config/extra.yml", &body).await.expect_failure(400);
    }
    world.assert_unchanged();
    // Accepted values can be read back.
    let body = format!("{}1{}", "{\"a\":".repeat(64), "}".repeat(64));
    world.send("PUT", "/api/config/extra.yml", &body).await.expect_status(200);
    assert_eq!(world.value("/api/config/extra.yml").await, serde_json::from_str::<Value>(&body).unwrap());
}

#[tokio::test]
async fn case_140_alias_bombs() {
    let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..10 {
        let aliases = vec![format!("*a{}", level - 1); 10].join(", ");
        bomb.push_str(&format!("a{level}: &a{level} [{aliases}]\n"));
    }
    let world = Setup::new().file("bomb.yml", bomb).start().await;
    assert!(world.get("/api/config/bomb.yml").await.expect_failure(500).contains("bomb.yml"));
    world.send("PATCH", "/api/config/bomb.yml/sections/0", "{}").await.expect_failure(500);
    world.assert_unchanged();
}

#[tokio::test]
async fn only_regular_files_inside_are_config_files() {
    let outside = tempfile::tempdir().unwrap();
    std::fs::write(outside.path().join("secret.yml"), "a: 1\n").unwrap();
    let world = World::new().await;
    std::fs::create_dir(world.path("folder.yml")).unwrap();
    std::os::unix::fs::symlink(outside.path().join("secret.yml"), world.path("leak.yml")).unwrap();
    std::os::unix::fs::symlink("extra.yml", world.path("alias.yml")).unwrap();
    for name in ["folder.yml", "leak.yml"] {
        let path = format!("/api/config/{name}");
        world.get(&path).await.expect_failure(404);
        world.send("PUT", &path, "{}").await.expect_failure(404);
    }
    assert_eq!(std::fs::read_to_string(outside.path().join("secret.yml")).unwrap(), "a: 1\n");
    assert_eq!(world.value("/api/config/alias.yml").await["pageInfo"]["title"], "Extra");
    let files = world.value("/api/config").await["files"].to_string();
    assert!(files.contains("alias.yml") && !files.contains("leak") && !files.contains("folder"), "{files}");
}

#[tokio::test]
async fn names_of_255_bytes_can_be_written_twice() {
    let name = format!("{}.yml", "n".repeat(251));
    let world = World::new().await;
    let path = format!("/api/config/{name}");
    world.send("PUT", &path, "{}").await.expect_status(200);
    world.send("PUT", &path, r#"{"sections":[]}"#).await.expect_status(200);
    world.send("PUT", &format!("/api/config/n{name}"), "{}").await.expect_failure(400);
}
