//! The user's own files (docs/spec/behavior.md 22, docs/spec/config.md 4): who may read which, and how they are sent.

use std::{
    fs,
    io::Read as _,
    os::unix::fs::symlink,
    time::{Duration, UNIX_EPOCH},
};

use axum::body::Body;
use http::Request;
use http_body_util::BodyExt as _;
use tower::ServiceExt as _;

use crate::world::{CONF, Setup, USERS, World};

/// Part of the hash of a password.
const SECRET: &str = "55579B5578";
/// Stands in what guests must not see.
const HIDDEN: &str = "hidden-mark";

/// A dashboard with guests, a page that is not for them, and files that people leave lying about.
async fn guarded() -> World {
    let conf = "\
pageInfo: { title: House }
pages:
  - { name: Lab, path: sub/lab.yml, displayData: { hideForGuests: true } }
  - { name: Odd, path: odd.txt, displayData: { hideForGuests: true } }
  - { name: Open, path: sub/open.yml }
appConfig:
  auth:
    enableGuestAccess: true
    users:
      - { user: Anna, hash: 55579B557896D0CE1764C47FED644F9B35F58BAD620674AF23F356D80ED0C503, type: admin }
sections: []
";
    let lab = format!("sections: [ {{ name: {HIDDEN} }} ]\n");
    let open =
        format!("sections: [ {{ name: open-mark }}, {{ name: {HIDDEN}, displayData: {{ hideForGuests: true }} }} ]\n");
    let copy = format!("{conf}# {HIDDEN}\n");
    let mut setup = Setup::new().env("ENABLE_API", "").env("ENABLE_HTTP_AUTH", "true").file("conf.yml", conf);
    for name in [
        "conf.yml.bak",
        "conf.yml~",
        "conf.bak",
        "conf.yml.",
        "conf.yaml.2024",
        "sub/conf.yml.old",
        "CONF.YML",
        "config-backups/conf-1600000000000.backup.yml",
    ] {
        setup = setup.file(name, copy.clone());
    }
    let setup = setup.file("sub/lab.yml", lab.clone()).file("odd.txt", lab).file("sub/open.yml", open);
    let world = setup.start().await;
    for (link, target) in [
        ("conf.txt", "conf.yml"),
        ("self", "."),
        ("plain.css", "sub/lab.yml"),
        ("odd.css", "odd.txt"),
        ("old", "config-backups"),
    ] {
        symlink(target, world.path(link)).unwrap();
    }
    world
}

#[tokio::test]
async fn no_way_leads_a_guest_to_what_is_hidden() {
    let world = guarded().await;
    for path in [
        "/conf.yml",
        "/CONF.YML",
        "/conf.yml.",
        "/conf.yml%2e",
        "/conf%2eyml",
        "/conf.yml.bak",
        "/conf.yml~",
        "/conf.yml%7E",
        "/conf.bak",
        "/conf.yaml.2024",
        "/conf.txt",
        "/self/conf.yml",
        "/self%2fconf.yml",
        "/self/self/conf.txt",
        "/self/conf.yml.bak",
        "/sub/lab.yml",
        "/sub/./lab.yml",
        "/sub%2Flab.yml",
        "/sub/lab.yml/",
        "/self/sub/lab.yml",
        "/sub/open.yml",
        "/sub/conf.yml.old",
        "/plain.css",
        "/odd.txt",
        "/odd.css",
        "/self/odd.txt",
        "/icons/file/conf.yml",
        "/config-backups/conf-1600000000000.backup.yml",
        "/self/config-backups/conf-1600000000000.backup.yml",
        "/old/conf-1600000000000.backup.yml",
        "/self/old/conf-1600000000000.backup.yml",
    ] {
        let reply = world.get(path).await;
        assert!(!reply.text.contains(SECRET) && !reply.text.contains(HIDDEN), "{path}: {}", reply.text);
        // What a link leads to is not told either.
        assert!(path.contains("lab") || !reply.text.contains("lab.yml"), "{path}: {}", reply.text);
        let is_shown =
            matches!(path, "/conf.yml" | "/conf.txt" | "/self/conf.yml" | "/self/self/conf.txt" | "/sub/open.yml")
                || path == "/icons/file/conf.yml";
        assert_eq!(reply.status == 200, is_shown, "{path}: {}", reply.status);
    }
    assert!(world.get("/sub/open.yml").await.text.contains("open-mark"));
}

/// Nobody can tell what a file of an unknown kind holds.
#[tokio::test]
async fn guests_get_what_pages_are_made_of_and_nothing_else() {
    let mut setup = Setup::new()
        .env("ENABLE_API", "")
        .env("ENABLE_HTTP_AUTH", "true")
        .file("conf.yml", format!("{USERS}    enableGuestAccess: true\nsections: []\n"));
    let open = ["logo.png", "a/B.SVG", "own.css", "font.woff2", "robots.txt", "frame.html", "film.mp4"];
    let closed =
        ["notes.txt", "conf.txt", "prod.env", "id_ed25519", "dump.sql", "data.json", "photo.png.zip", "own.js"];
    for name in open.into_iter().chain(closed) {
        setup = setup.file(name, "content-mark");
    }
    let world = setup.start().await;
    fs::create_dir(world.path(".hidden")).unwrap();
    fs::write(world.path(".hidden/a.png"), "content-mark").unwrap();
    for (link, target) in [("pretty.png", "prod.env"), ("hidden.png", ".hidden/a.png")] {
        symlink(target, world.path(link)).unwrap();
    }
    for name in open {
        assert_eq!(world.get(&format!("/{name}")).await.expect_status(200).text, "content-mark", "{name}");
    }
    for name in closed.into_iter().chain(["pretty.png", "hidden.png"]) {
        let path = format!("/{name}");
        assert!(!world.get(&path).await.expect_status(404).text.contains("content-mark"), "{name}");
        let by_user = world.request("GET", &path).basic("bob:bob").send().await;
        by_user.expect_status(404);
        let admin = world.request("GET", &path).basic("anna:anna").send().await;
        admin.expect_status(if name == "hidden.png" { 404 } else { 200 });
    }
}

#[tokio::test]
async fn an_admin_gets_every_file_but_backups() {
    let world = guarded().await;
    for (path, part) in [
        ("/conf.yml", SECRET),
        ("/conf.txt", SECRET),
        ("/conf.yml.bak", SECRET),
        ("/CONF.YML", SECRET),
        ("/sub/lab.yml", HIDDEN),
        ("/self/sub/lab.yml", HIDDEN),
        ("/odd.txt", HIDDEN),
    ] {
        let reply = world.request("GET", path).basic("Anna:anna").send().await;
        assert!(reply.status == 200 && reply.text.contains(part), "{path}: {}", reply.status);
    }
    for path in ["/config-backups/conf-1600000000000.backup.yml", "/old/conf-1600000000000.backup.yml"] {
        world.request("GET", path).basic("Anna:anna").send().await.expect_status(404);
    }
}

#[tokio::test]
async fn large_files_are_not_sent_again() {
    let world = Setup::new().file("film.mp4", "x".repeat(2 * 1024 * 1024)).start().await;
    let first = world.get("/film.mp4").await.expect_status(200);
    let tag = first.header("etag");
    assert!(tag.starts_with("W/\"") && first.header("content-length") == "2097152", "{tag}");
    let again = world.request("GET", "/film.mp4").header("if-none-match", &tag).send().await.expect_status(304);
    assert_eq!((again.text.as_str(), again.header("etag")), ("", tag.clone()));
    let file = fs::File::options().write(true).open(world.path("film.mp4")).unwrap();
    file.set_modified(UNIX_EPOCH + Duration::from_secs(1_700_000_000)).unwrap();
    world.request("GET", "/film.mp4").header("if-none-match", &tag).send().await.expect_status(200);
}

#[tokio::test]
async fn texts_are_compressed() {
    let css = ".a { color: red }\n".repeat(100_000);
    let world = Setup::new().file("big.css", css.clone()).file("a.png", "x".repeat(5000)).start().await;
    let get = async |path: &str| {
        let request = Request::get(path).header("accept-encoding", "br").body(Body::empty()).unwrap();
        let response = world.router().oneshot(request).await.unwrap();
        let coding = response.headers().get("content-encoding").cloned();
        (coding, response.into_body().collect().await.unwrap().to_bytes())
    };
    let (coding, bytes) = get("/big.css").await;
    assert_eq!(coding.unwrap(), "br");
    let mut text = String::new();
    brotli::Decompressor::new(&bytes[..], 4096).read_to_string(&mut text).unwrap();
    assert_eq!(text, css);
    assert_eq!(get("/a.png").await.0, None);
    let plain = world.get("/big.css").await;
    assert_eq!((plain.text, plain.headers["vary"].to_str().unwrap()), (css, "Accept-Encoding"));
}

#[tokio::test]
async fn the_config_of_old_containers_is_found() {
    let old = tempfile::tempdir().unwrap();
    fs::create_dir(old.path().join("item-icons")).unwrap();
    for (name, text) in [
        ("conf.yml", "pageInfo: { title: Old }\npages: [ { name: Lab, path: lab.yml } ]\nsections: []\n"),
        ("lab.yml", "pageInfo: { title: Old lab }\nsections: []\n"),
        ("item-icons/cat.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>"),
        ("old.css", "p { color: teal }"),
    ] {
        fs::write(old.path().join(name), text).unwrap();
    }
    let world = Setup::new().old_directory(old.path()).without("conf.yml").start().await;
    assert!(world.get("/").await.expect_status(200).text.contains("<title>Old</title>"));
    assert!(world.get("/home/lab").await.expect_status(200).text.contains("Old lab"));
    assert!(world.get("/api/config/conf.yml/pageInfo").await.expect_status(200).text.contains("\"Old\""));
    for path in ["/item-icons/cat.svg", "/old.css"] {
        world.get(path).await.expect_status(200);
    }
    let changed = world.send("PUT", "/api/config/conf.yml/pageInfo", "{\"title\":\"New\"}").await;
    changed.expect_status(200);
    assert!(fs::read_to_string(old.path().join("conf.yml")).unwrap().contains("New"));
    assert!(old.path().join("config-backups").is_dir() && !world.path("conf.yml").exists());

    // A config in the new folder wins.
    let world = Setup::new().old_directory(old.path()).start().await;
    assert!(world.get("/").await.text.contains("<title>Base</title>"));
}

#[tokio::test]
async fn pictures_and_style_sheets_of_old_containers_are_found() {
    let old = tempfile::tempdir().unwrap();
    fs::create_dir(old.path().join("item-icons")).unwrap();
    for (name, text) in [
        ("item-icons/cat.svg", "<svg xmlns='http://www.w3.org/2000/svg'><title>old cat</title></svg>"),
        ("item-icons/dog.svg", "<svg xmlns='http://www.w3.org/2000/svg'><title>old dog</title></svg>"),
        ("old.css", "p { color: teal }"),
        ("old.txt", HIDDEN),
        ("lab.yml", "sections: [ { name: old-lab } ]\n"),
    ] {
        fs::write(old.path().join(name), text).unwrap();
    }
    let new_cat = "<svg xmlns='http://www.w3.org/2000/svg'><title>new cat</title></svg>";
    let world = Setup::new().old_directory(old.path()).file("item-icons/cat.svg", new_cat).start().await;
    assert_eq!(world.get("/item-icons/cat.svg").await.text, new_cat, "the new folder comes first");
    assert!(world.get("/item-icons/dog.svg").await.text.contains("old dog"));
    let sheet = world.get("/old.css").await;
    let kind = sheet.headers["content-type"].to_str().unwrap();
    assert_eq!((sheet.text.as_str(), kind), ("p { color: teal }", "text/css; charset=utf-8"));
    for path in ["/old.txt", "/lab.yml", "/item-icons/../old.txt", "/item-icons/%2e%2e/old.txt"] {
        assert_eq!(world.get(path).await.status, 404, "{path}");
    }
}

#[tokio::test]
async fn a_doubled_slash_is_a_part_of_the_name() {
    let world = Setup::new().file("conf.yml", CONF).file("one.png", "a picture").start().await;
    world.get("/one.png").await.expect_status(200);
    for path in ["//one.png", "//conf.yml", "///conf.yml", "//favicon.svg", "/%2Fconf.yml"] {
        world.get(path).await.expect_status(404);
    }
}
