//! A config that cannot be read opens nothing, and its errors are shown only to those who may see them (docs/spec/config.md 6,
//! docs/spec/behavior.md 20).

use std::{fs, process::Command};

use crate::world::{C, CONF, Reply, Setup, USERS, World};

/// A marker for text that only admins and the log may see.
const MARK: &str = "secret-mark";

/// A text that does not parse, with a secret in the line of the error.
const BROKEN: &str = "appConfig: { note: secret-mark\nsections: [ { name: secret-mark }\n";

/// A file name that reveals something.
const FILE: &str = "secret-mark.yml";

/// All kinds of requests.
const PATHS: [&str; 15] = [
    "/",
    "/home",
    "/home/lab",
    "/home/lab/x",
    "/conf.yml",
    "/secret-mark.yml",
    "/extra.yml",
    "/download",
    "/get-user",
    "/healthz",
    "/login",
    "/system-info",
    "/fn/items-elsewhere?slug=home",
    "/fn/panel?page=home&section=0&widget=0&kind=clock",
    "/nothing",
];

fn accounts(guests: bool) -> String {
    let guests = if guests { "    enableGuestAccess: true\n" } else { "" };
    format!("{USERS}{guests}pages: [ {{ name: Lab, path: {FILE} }} ]\n{CONF}")
}

/// Requests everything with these credentials, and returns all responses.
async fn everything(world: &World, credentials: Option<&str>) -> String {
    let mut all = String::new();
    let api =
        [C, "/api/config/secret-mark.yml", "/api/config/secret-mark.yml/sections", "/api/config/conf.yml/appConfig"];
    for path in PATHS.into_iter().chain(api) {
        for accept in ["text/html", "application/json"] {
            let request = world.request("GET", path).header("accept", accept);
            let Reply { text, headers, .. } = match credentials {
                Some(credentials) => request.basic(credentials).send().await,
                None => request.send().await,
            };
            // A requested path is echoed in the response.
            all.push_str(&format!(
                "{}{headers:?}",
                text.replace(path.rsplit('/').next().unwrap_or(path), "").replace(FILE, "")
            ));
        }
    }
    all
}

#[tokio::test]
async fn a_config_broken_from_the_start_is_shown_to_no_viewer() {
    let world = Setup::new().file("conf.yml", BROKEN).file(FILE, BROKEN).start().await;
    for credentials in [None, Some("anna:anna")] {
        let all = everything(&world, credentials).await;
        assert!(!all.contains(MARK), "{all}");
    }
    let page = world.get("/").await.expect_status(500).text;
    assert!(page.contains("line 1, column 12") && !page.contains("conf.yml"), "{page}");
    // The browser decides about the language, because the config cannot.
    let german = world.request("GET", "/").header("accept-language", "de").send().await.expect_status(500).text;
    for words in
        ["Das Dashboard ist geschlossen", "in Zeile 1, Spalte 12", "<code>portico validate</code> zeigt alle Probleme"]
    {
        assert!(german.contains(words), "{words}: {german}");
    }
}

// Wrong passwords are answered late, which takes minutes in real time.
#[tokio::test(start_paused = true)]
async fn a_config_that_broke_later_is_explained_to_admins_alone() {
    for guests in [true, false] {
        let world = Setup::new()
            .env("ENABLE_HTTP_AUTH", "true")
            .file("conf.yml", accounts(guests))
            .file(FILE, BROKEN)
            .start()
            .await;
        for is_root_broken in [false, true] {
            if is_root_broken {
                fs::write(world.path("conf.yml"), BROKEN).unwrap();
                world.poll().await;
            }
            for credentials in [None, Some("bob:bob"), Some("anna:wrong")] {
                let all = everything(&world, credentials).await;
                assert!(!all.contains(MARK), "{credentials:?}: {all}");
                assert!(!all.contains("class=\"excerpt\""), "{credentials:?}");
            }
            let admin = world.request("GET", "/home/lab").basic("anna:anna").send().await.expect_status(500).text;
            assert!(admin.contains(FILE) && admin.contains("class=\"excerpt\"") && admin.contains(MARK), "{admin}");
            let home = world.request("GET", "/").basic("anna:anna").send().await.expect_status(200).text;
            assert_eq!(home.contains("conf.yml cannot be read"), is_root_broken);
            let home = world.request("GET", "/").basic("bob:bob").send().await.expect_status(200).text;
            assert_eq!(home.contains("may be out of date"), is_root_broken);
            let api = world.request("GET", "/api/config/secret-mark.yml").basic("anna:anna").send().await;
            assert!(api.expect_failure(500).contains("line 1"));
        }
    }
}

#[tokio::test]
async fn whatever_takes_the_place_of_a_missing_config_opens_nothing() {
    let put = r#"{"sections":[]}"#;
    for trouble in ["missing", "directory", "dangling", "not utf-8"] {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("extra.yml"), "sections: [ { name: secret-mark } ]\n").unwrap();
        fs::write(folder.path().join("logo.svg"), "<svg xmlns='http://www.w3.org/2000/svg'><!-- secret-mark --></svg>")
            .unwrap();
        let conf = folder.path().join("conf.yml");
        match trouble {
            "missing" => {}
            "directory" => fs::create_dir(&conf).unwrap(),
            "dangling" => std::os::unix::fs::symlink("elsewhere.yml", &conf).unwrap(),
            _ => fs::write(&conf, b"pageInfo: { title: secret-mark caf\xe9 }\n").unwrap(),
        }
        let world = Setup::new().directory(folder.path()).start().await;
        let page = world.get("/").await.expect_status(500).text;
        assert!(page.contains("The dashboard is closed") && page.contains("main config file"), "{trouble}: {page}");
        assert!(!everything(&world, None).await.contains(MARK), "{trouble}");
        for path in ["/extra.yml", "/logo.svg", "/icons/file/logo.svg"] {
            let reply = world.get(path).await;
            assert!(reply.status != 200 && !reply.text.contains(MARK), "{trouble} {path}: {}", reply.status);
        }
        for path in ["/api/config", "/api/config/extra.yml"] {
            world.get(path).await.expect_failure(401);
        }
        world.send("PUT", C, put).await.expect_failure(401);
        world.send("PUT", "/api/config/new.yml", put).await.expect_failure(401);
        world.send("POST", "/config-manager/save", r#"{"config":"sections: []"}"#).await.expect_status(403);
        world.assert_unchanged();
        // It opens as soon as somebody fixes the file.
        _ = fs::remove_file(&conf);
        _ = fs::remove_dir(&conf);
        fs::write(&conf, "pageInfo: { title: Mended }\n").unwrap();
        world.poll().await;
        assert!(world.get("/").await.expect_status(200).text.contains("<title>Mended</title>"), "{trouble}");
    }
}

#[tokio::test]
async fn a_config_that_vanishes_leaves_its_rules_in_force() {
    let world = Setup::new().env("ENABLE_HTTP_AUTH", "true").file("conf.yml", accounts(false)).start().await;
    for name in ["conf.yml", "extra.yml", "odd.yml", "list.yml", "scalar.yml", "broken.yml"] {
        fs::remove_file(world.path(name)).unwrap();
    }
    fs::remove_dir_all(world.path("config-backups")).unwrap();
    world.poll().await;
    world.get("/").await.expect_status(401);
    world.send("PUT", C, r#"{"sections":[]}"#).await.expect_failure(401);
    world.request("GET", "/").basic("anna:anna").send().await.expect_status(200);
    world.request("GET", "/").basic("bob:bob").send().await.expect_status(200);
}

/// The starter leaves everything open, so it is only for new dashboards, not for a config that has disappeared.
#[tokio::test]
async fn the_starter_is_for_new_folders() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("item-icons")).unwrap();
    fs::write(folder.path().join("item-icons/logo.svg"), "<svg/>").unwrap();
    let world = Setup::new().directory(folder.path()).start().await;
    world.get("/").await.expect_status(200);
    assert!(world.text("conf.yml").contains("pageInfo"));
    fs::remove_file(world.path("conf.yml")).unwrap();
    drop(world);
    fs::write(folder.path().join(".session-key"), "x").unwrap();
    let world = Setup::new().directory(folder.path()).start().await;
    world.get("/").await.expect_status(500);
    // Nor is it written later, when the traces are gone.
    fs::remove_file(world.path(".session-key")).unwrap();
    std::os::unix::fs::symlink("elsewhere", world.path("conf.yml")).unwrap();
    world.poll().await;
    fs::remove_file(world.path("conf.yml")).unwrap();
    world.poll().await;
    world.get("/").await.expect_status(500);
}

/// Writes would destroy a file that cannot be read (docs/spec/config.md 13).
#[tokio::test]
async fn a_file_that_is_not_utf8_is_not_written_to() {
    let world = World::new().await;
    let bytes = b"pageInfo:\n  title: caf\xe9\nsections: []\n";
    fs::write(world.path("extra.yml"), bytes).unwrap();
    let told = world.get("/api/config/extra.yml").await.expect_failure(500);
    assert!(told.contains("save it as UTF-8: byte 0xE9 at line 2, column 13"), "{told}");
    for (method, path, body) in [
        ("PUT", "/api/config/extra.yml/pageInfo", r#"{"title":"x"}"#),
        ("POST", "/api/config/extra.yml/sections", r#"{"name":"x"}"#),
        ("PATCH", "/api/config/extra.yml/sections/0", r#"{"name":"x"}"#),
    ] {
        assert!(world.send(method, path, body).await.expect_failure(500).contains("UTF-8"), "{method} {path}");
    }
    assert_eq!(fs::read(world.path("extra.yml")).unwrap(), bytes);
    // The main config is unaffected.
    fs::write(world.path("conf.yml"), bytes).unwrap();
    world.poll().await;
    let page = world.get("/").await.expect_status(200).text;
    assert!(
        page.contains("Base")
            && page.contains("byte 0xE9")
            && !page.contains('\u{fffd}'.to_string().repeat(2).as_str())
    );
}

/// A typo never turns a protection off.
#[test]
fn an_unreadable_switch_keeps_the_server_from_starting() {
    for (name, value) in
        [("ENABLE_HTTP_AUTH", "enabled"), ("API_TOKEN", ""), ("BASIC_AUTH_PASSWORD", "p"), ("TRUSTED_PROXIES", "x")]
    {
        let folder = tempfile::tempdir().unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_portico"))
            .env_clear()
            .env("USER_DATA_DIR", folder.path())
            .env("HOST", "127.0.0.1")
            .env("PORT", "0")
            .env(name, value)
            .output()
            .unwrap();
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && told.contains(name.get(..10).unwrap_or(name)), "{name}: {told}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "{name}");
    }
}

/// A config whose sign-in cannot be read, or is in the wrong place, closes the dashboard.
#[tokio::test]
async fn sign_in_that_cannot_be_read_closes() {
    for auth in [
        "appConfig: { auth: { user: [ { user: anna } ] } }",
        "appConfig: { auth: { enableGuestAccess: perhaps } }",
        "auth: { users: [] }",
        "appConfig: [ 1 ]",
    ] {
        let world = Setup::new().file("conf.yml", format!("{auth}\n{CONF}")).start().await;
        let page = world.get("/").await.expect_status(503);
        assert!(page.text.contains("The dashboard is closed") && !page.text.contains("Alpha"), "{auth}");
        world.get(C).await.expect_failure(401);
        world.get("/conf.yml").await.expect_status(503);
        world.send("PUT", C, r#"{"sections":[]}"#).await.expect_failure(401);
    }
}
