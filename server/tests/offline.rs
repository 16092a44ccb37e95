//! The offline worker, its scripts, the manifest, and the headers that say how long to keep responses
//! (docs/spec/behavior.md 21).

use std::sync::Arc;

use serde_json::Value;
use server::access::TimeSource;

use crate::{
    browser::Browser,
    world::{Reply, Setup, World},
};

const PROXY: &str = "10.0.0.2";

fn conf(app: &str) -> String {
    format!(
        "pageInfo: {{ title: Harbour house, description: Boats and more }}
appConfig:
  {app}
pages:
  - {{ name: Boat House, path: boats.yml }}
  - {{ name: Cellar, path: cellar.yml, displayData: {{ hideForGuests: true }} }}
sections: [ {{ name: Quay, items: [ {{ title: Crane, url: 'https://crane.example' }} ] }} ]
"
    )
}

const ON: &str = "enableServiceWorker: true";
const USERS: &str = "
  auth:
    enableGuestAccess: true
    users:
      - { user: Anna, hash: 55579B557896D0CE1764C47FED644F9B35F58BAD620674AF23F356D80ED0C503, type: admin }
      - { user: bob, hash: 81b637d8fcd2c6da6359e6963113a1170de795e4b725b84d1e0b4cfd9ec58ce9 }";

fn setup(app: &str) -> Setup {
    let files = ["boats.yml", "cellar.yml"];
    let setup = Setup::new().env("ENABLE_API", "").file("conf.yml", conf(app));
    files.into_iter().fold(setup, |setup, name| setup.file(name, "sections: []\n"))
}

async fn world(app: &str) -> World {
    setup(app).start().await
}

/// The settings that the server puts before a worker.
fn settings(script: &Reply) -> Value {
    let line = script.text.lines().next().unwrap();
    serde_json::from_str(line.strip_prefix("const PORTICO=").unwrap().trim_end_matches(';')).unwrap()
}

fn is_removal(script: &Reply) -> bool {
    script.text.contains("unregister()") && !script.text.contains(r#""fetch""#)
}

/// The value of an attribute in a page.
fn attribute<'a>(page: &'a str, name: &str) -> Option<&'a str> {
    page.split(&format!(" {name}=\"")).nth(1)?.split('"').next()
}

#[tokio::test]
async fn the_worker_knows_the_programs_files_and_is_asked_for_each_time() {
    let world = world(ON).await;
    let worker = world.get("/service-worker.js").await.expect_status(200);
    assert_eq!(worker.header("content-type"), "text/javascript; charset=utf-8");
    assert_eq!(worker.header("cache-control"), "no-cache");
    assert_eq!(worker.header("content-security-policy"), "default-src 'none'; connect-src 'self'");
    assert!(!is_removal(&worker));
    let settings = settings(&worker);
    assert_eq!(settings["base"], "");
    let files: Vec<_> = settings["files"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    for name in ["live-0123456789abcdef_bg.wasm", "main-0123456789abcdef.css", "fonts/figtree-latin.woff2"] {
        assert!(files.contains(&name), "{name} is missing in {files:?}");
    }
    // It is not public, and needs the server.
    assert!(files.iter().all(|name| !name.starts_with("edit")), "{files:?}");
    for name in &files {
        let file = world.get(&format!("/{name}")).await.expect_status(200);
        assert_eq!(file.header("cache-control"), "public, max-age=31536000, immutable", "{name}");
    }
    let again = world.request("GET", "/service-worker.js").header("if-none-match", &worker.header("etag")).send().await;
    assert_eq!((again.status.as_u16(), again.header("cache-control").as_str()), (304, "no-cache"));
}

#[tokio::test]
async fn a_page_names_script_version_and_manifest_where_the_worker_is_on() {
    let world = world(ON).await;
    let page = world.get("/").await.expect_status(200).text;
    let worker = settings(&world.get("/service-worker.js").await);
    assert_eq!(attribute(&page, "data-worker"), worker["version"].as_str());
    assert_eq!(attribute(&page, "data-compat"), None);
    assert!(page.contains("<link rel=\"manifest\" crossorigin=\"use-credentials\" href=\"/manifest.json\">"));
    for (hour, scheme) in [("light", themes::Scheme::Light), ("dark", themes::Scheme::Dark)] {
        let color = themes::theme_color("default", scheme);
        assert!(page.contains(&format!("media=\"(prefers-color-scheme:{hour})\" content=\"{color}\"")), "{hour}");
    }
    let script = world.get(attribute(&page, "data-companion").unwrap()).await.expect_status(200);
    assert_eq!(script.header("cache-control"), "public, max-age=31536000, immutable");
    assert!(script.text.contains("serviceWorker"));
    world.get("/offline/page-0123456789abcdef.js").await.expect_status(404);
}

#[tokio::test]
async fn while_it_is_off_the_worker_removes_what_is_there() {
    let world = world("disableUpdateChecks: true").await;
    assert!(is_removal(&world.get("/service-worker.js").await.expect_status(200)));
    let page = world.get("/").await.expect_status(200);
    assert_eq!((attribute(&page.text, "data-worker"), page.header("portico-copy").as_str()), (None, ""));
    assert!(!page.text.contains("rel=\"manifest\"") && !page.text.contains("theme-color"));
    world.get("/manifest.json").await.expect_status(404);
}

#[tokio::test]
async fn the_worker_of_dashy_is_removed_whatever_the_config_says() {
    for app in [ON, "disableUpdateChecks: true"] {
        let worker = world(app).await.get("/sw.js").await.expect_status(200);
        assert!(is_removal(&worker), "{app}");
    }
    let closed = setup(&format!("{ON}{}", USERS.replace("enableGuestAccess: true", "enableGuestAccess: false")));
    let closed = closed.start().await;
    assert!(is_removal(&closed.get("/sw.js").await.expect_status(200)));
    assert!(!is_removal(&closed.get("/service-worker.js").await.expect_status(200)));
}

#[tokio::test]
async fn a_config_that_cannot_be_read_changes_nothing_in_browsers() {
    let world = Setup::new().file("conf.yml", "a: [1").start().await;
    world.get("/service-worker.js").await.expect_status(503);
}

#[tokio::test]
async fn only_pages_and_panels_may_be_stored() {
    let world = world(ON).await;
    let home = world.get("/").await.expect_status(200).header("portico-copy");
    assert!(home.len() == 24 && home.bytes().all(|byte| byte.is_ascii_hexdigit()), "{home}");
    for path in ["/home", "/home/boat-house", "/fn/items-elsewhere?slug=home"] {
        assert_eq!(world.get(path).await.expect_status(200).header("portico-copy"), home, "{path}");
    }
    assert_eq!(world.request("HEAD", "/").send().await.header("portico-copy"), home);
    assert_eq!(world.get("/home/nowhere").await.expect_status(404).header("portico-copy"), "none");
    for path in ["/healthz", "/conf.yml", "/system-info", "/login", "/get-user", "/favicon.svg", "/service-worker.js"] {
        assert_eq!(world.get(path).await.header("portico-copy"), "", "{path}");
    }
    let unchanged = world.get("/").await.header("etag");
    let unchanged = world.request("GET", "/").header("if-none-match", &unchanged).send().await.expect_status(304);
    assert_eq!(unchanged.header("portico-copy"), home);
}

#[tokio::test]
async fn without_the_worker_answers_say_only_that_they_are_ours() {
    let world = world("enableAuthProxyCompat: true").await;
    let page = world.get("/").await.expect_status(200);
    assert_eq!(page.header("portico-copy"), "none");
    assert_eq!((attribute(&page.text, "data-compat"), attribute(&page.text, "data-worker")), (Some(""), None));
}

/// A clock that a test sets.
#[derive(Debug, Default)]
struct Clock(std::sync::atomic::AtomicU64);

impl TimeSource for Clock {
    fn now(&self) -> u64 {
        self.0.load(std::sync::atomic::Ordering::Relaxed)
    }
}

async fn signed_in<'a>(world: &'a World, user: &str, remember: &str) -> Browser<'a> {
    let mut browser = Browser::new(world);
    let password = user.to_lowercase();
    let fields = [("user", user), ("password", &password), ("remember", remember), ("return_to", "/")];
    browser.form("/login", &fields).await.expect_status(303);
    browser
}

#[tokio::test]
async fn each_session_has_copies_of_its_own_for_as_long_as_it_lasts() {
    let clock = Arc::new(Clock::default());
    clock.0.store(1_800_000_000, std::sync::atomic::Ordering::Relaxed);
    let world = setup(&format!("{ON}{USERS}")).clock(Arc::clone(&clock) as _).start().await;
    let copy_owner = |reply: Reply| reply.expect_status(200).header("portico-copy");
    let guest = copy_owner(world.get("/").await);
    assert!(!guest.contains(';'), "{guest}");
    let mut anna = signed_in(&world, "Anna", "1d").await;
    let mut bob = signed_in(&world, "bob", "never").await;
    let (of_anna, of_bob) = (copy_owner(anna.get("/").await), copy_owner(bob.get("/").await));
    let (key_of_anna, terms) = of_anna.split_once("; ").unwrap();
    assert_eq!(terms, "max-age=86400");
    let (key_of_bob, terms) = of_bob.split_once("; ").unwrap();
    assert_eq!(terms, "max-age=2592000; while-open");
    assert!(guest != key_of_anna && key_of_anna != key_of_bob && guest != key_of_bob);
    clock.0.fetch_add(3600, std::sync::atomic::Ordering::Relaxed);
    assert_eq!(copy_owner(anna.get("/").await), format!("{key_of_anna}; max-age=82800"));
    // It contains neither the name nor any part of the cookie.
    assert!(anna.cookies.values().all(|cookie| !cookie.contains(key_of_anna)));
    let later = signed_in(&world, "Anna", "1d").await.get("/").await;
    assert_ne!(copy_owner(later).split(';').next(), Some(key_of_anna), "another session of the same person");
    // The server does not know when the browser forgets the password.
    let basic = copy_owner(world.request("GET", "/").basic("Anna:anna").send().await);
    assert!(basic.ends_with("; max-age=86400"), "{basic}");
    clock.0.fetch_add(86_400, std::sync::atomic::Ordering::Relaxed);
    assert_eq!(copy_owner(anna.get("/").await), guest, "the session is over");
}

#[tokio::test]
async fn who_is_not_let_in_keeps_nothing() {
    let app = format!("{ON}{}", USERS.replace("enableGuestAccess: true", "enableGuestAccess: false"));
    let world = world(&app).await;
    let page = world.request("GET", "/").header("sec-fetch-mode", "navigate").send().await;
    assert_eq!(page.header("portico-copy"), "none");
    let panel = world.get("/fn/panel?page=home&section=0&widget=0&kind=clock").await.expect_status(401);
    assert_eq!(panel.header("portico-copy"), "none");
}

#[tokio::test]
async fn the_manifest_says_what_the_page_says() {
    let world = world(&format!("{ON}{USERS}")).await;
    let manifest = world.get("/manifest.json").await.expect_status(200);
    assert_eq!(manifest.header("content-type"), "application/manifest+json");
    assert_eq!(manifest.header("cache-control"), "private, no-cache");
    let value = manifest.json();
    for (key, expected) in [
        ("id", "/"),
        ("start_url", "/"),
        ("scope", "/"),
        ("name", "Harbour house"),
        ("short_name", "Harbour"),
        ("description", "Boats and more"),
        ("display", "standalone"),
        ("theme_color", &themes::theme_color("default", themes::Scheme::Light)),
        ("background_color", &themes::theme_color("default", themes::Scheme::Light)),
    ] {
        assert_eq!(value[key], expected, "{key}");
    }
    let purposes: Vec<_> = value["icons"].as_array().unwrap().iter().map(|icon| icon["purpose"].clone()).collect();
    assert_eq!(purposes, ["any", "any", "maskable"]);
    let names = |value: &Value| -> Vec<String> {
        let shortcuts = value["shortcuts"].as_array().unwrap();
        shortcuts.iter().map(|page| format!("{} {}", page["name"], page["url"]).replace('"', "")).collect()
    };
    assert_eq!(names(&value), ["Boat House /home/boat-house"]);
    let of_bob = signed_in(&world, "bob", "never").await.get("/manifest.json").await.expect_status(200).json();
    assert_eq!(names(&of_bob), ["Boat House /home/boat-house", "Cellar /home/cellar"]);
}

/// The manifest that a page names.
async fn manifest_of(world: &World, path: &str) -> Value {
    let page = world.get(path).await.expect_status(200).text;
    let link = page.split("<link rel=\"manifest\" crossorigin=\"use-credentials\" href=\"").nth(1).unwrap();
    let address = link.split('"').next().unwrap().replace("&amp;", "&");
    world.get(&address).await.expect_status(200).json()
}

#[tokio::test]
async fn an_installed_page_opens_that_page() {
    let world = world(&format!("{ON}{USERS}")).await;
    for (path, start, name) in [
        ("/", "/", "Harbour house"),
        ("/home", "/", "Harbour house"),
        ("/minimal", "/minimal", "Harbour house"),
        ("/workspace", "/workspace", "Harbour house"),
        ("/home/boat-house", "/home/boat-house", "Boat House"),
        ("/minimal/Boat%20House", "/minimal/boat-house", "Boat House"),
        ("/home/main/quay", "/home/main/quay", "Quay"),
        ("/minimal/main/quay", "/minimal/main/quay", "Quay"),
    ] {
        let manifest = manifest_of(&world, path).await;
        for (key, expected) in [("id", start), ("start_url", start), ("scope", "/"), ("name", name)] {
            assert_eq!(manifest[key], expected, "{path}: {key}");
        }
        world.get(manifest["start_url"].as_str().unwrap()).await.expect_status(200);
    }
    // What does not exist for a guest is like what does not exist.
    let hidden = world.get("/manifest.json?page=cellar").await.expect_status(200).text;
    assert_eq!(hidden, world.get("/manifest.json?page=nowhere").await.text);
    assert_eq!(hidden, world.get("/manifest.json").await.text);
    let of_bob = signed_in(&world, "bob", "never").await.get("/manifest.json?page=cellar").await.json();
    assert_eq!(of_bob["start_url"], "/home/cellar");
}

#[tokio::test]
async fn the_manifest_of_a_closed_dashboard_tells_visitors_its_title_alone() {
    let app = format!("{ON}{}", USERS.replace("enableGuestAccess: true", "enableGuestAccess: false"));
    let manifest = world(&app).await.get("/manifest.json").await.expect_status(200);
    assert_eq!(manifest.json()["name"], "Harbour house");
    assert!(!manifest.text.contains("Boat") && !manifest.text.contains("Cellar"), "{}", manifest.text);
}

#[tokio::test]
async fn a_manifest_of_the_user_wins() {
    let world = setup(ON).file("manifest.json", "{\"name\":\"Mine\"}").start().await;
    assert_eq!(world.get("/manifest.json").await.expect_status(200).json()["name"], "Mine");
}

#[tokio::test]
async fn themes_and_logo_are_those_of_the_config() {
    let text = conf(&format!("{ON}\n  theme: dracula\n  customColors: {{ dracula: {{ background: '#123456' }} }}"))
        .replace("title: Harbour house", "title: Harbour house, logo: /item-icons/anchor.svg");
    let world = setup(ON).file("conf.yml", text).file("item-icons/anchor.svg", "<svg/>").start().await;
    let value = world.get("/manifest.json").await.expect_status(200).json();
    assert_eq!((value["background_color"].as_str(), value["theme_color"].as_str()), (Some("#123456"), Some("#123456")));
    let logo = value["icons"][0]["src"].as_str().unwrap();
    assert!(logo.ends_with("anchor.svg") && value["icons"][0]["sizes"] == "any", "{logo}");
    world.get(logo).await.expect_status(200);
    assert!(world.get("/").await.text.contains("<meta name=\"theme-color\" content=\"#123456\">"));
}

/// The first bytes of a picture, which contain its size.
fn picture(kind: &str, width: u16, height: u16) -> Vec<u8> {
    let [w, h] = [width, height].map(u16::to_be_bytes);
    match kind {
        "png" => [b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0", &w[..], b"\0\0", &h[..], b"\x08\x06\0\0\0"].concat(),
        "jpg" => [b"\xff\xd8\xff\xc0\0\x11\x08", &h[..], &w[..], &[0; 16]].concat(),
        _ => [
            b"RIFF\x20\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0",
            &(width - 1).to_le_bytes()[..],
            b"\0",
            &(height - 1).to_le_bytes(),
            b"\0",
        ]
        .concat(),
    }
}

#[tokio::test]
async fn a_logo_is_an_icon_of_its_true_size_and_our_mark_fills_the_gaps() {
    let mark = |side: u16| format!("/icons/icon-{side}.png {side}x{side}");
    for (kind, width, height, gaps) in [
        ("png", 600, 512, vec![]),
        ("webp", 256, 256, vec![512]),
        ("png", 600, 100, vec![192, 512]),
        // Chromium does not install apps that have only a JPEG icon.
        ("jpg", 800, 800, vec![192, 512]),
    ] {
        let logo = format!("item-icons/logo.{kind}");
        let text = conf(ON).replace("title: Harbour house", &format!("title: Harbour house, logo: /{logo}"));
        let world = setup(ON).file("conf.yml", text).file(&logo, "").start().await;
        std::fs::write(world.path(&logo), picture(kind, width, height)).unwrap();
        let icons = world.get("/manifest.json").await.expect_status(200).json()["icons"].clone();
        let any = icons.as_array().unwrap().iter().filter(|icon| icon["purpose"] == "any");
        let found: Vec<_> = any.map(|icon| format!("{} {}", icon["src"], icon["sizes"]).replace('"', "")).collect();
        let expected: Vec<_> = std::iter::once(format!("/icons/file/logo.{kind} {width}x{height}"))
            .chain(gaps.into_iter().map(mark))
            .collect();
        assert_eq!(found, expected, "{kind} {width}x{height}");
        assert_eq!(icons.as_array().unwrap().iter().filter(|icon| icon["purpose"] == "maskable").count(), 1);
    }
    let text = conf(ON).replace("title: Harbour house", "title: Harbour house, logo: /item-icons/logo.png");
    let broken = setup(ON).file("conf.yml", text).file("item-icons/logo.png", "no picture").start().await;
    let icons = broken.get("/manifest.json").await.expect_status(200).json()["icons"].clone();
    assert_eq!(icons.as_array().unwrap().len(), 3, "{icons}");
}

#[tokio::test]
async fn all_of_it_lies_below_the_path_prefix_of_a_proxy() {
    let world = world(ON).await;
    let through = |path: String| world.request("GET", &path).peer(PROXY).header("x-forwarded-prefix", "/dash").send();
    let page = through("/".to_owned()).await.expect_status(200).text;
    assert!(page.contains("href=\"/dash/manifest.json\""));
    let script = attribute(&page, "data-companion").unwrap();
    through(script.strip_prefix("/dash").unwrap().to_owned()).await.expect_status(200);
    let worker = settings(&through("/service-worker.js".to_owned()).await.expect_status(200));
    assert_eq!(worker["base"], "/dash");
    assert_eq!(attribute(&page, "data-worker"), worker["version"].as_str());
    let manifest = through("/manifest.json".to_owned()).await.expect_status(200).json();
    assert_eq!((manifest["id"].as_str(), manifest["scope"].as_str()), (Some("/dash/"), Some("/dash/")));
    assert_eq!(manifest["shortcuts"][0]["url"], "/dash/home/boat-house");
    assert!(manifest["icons"][0]["src"].as_str().unwrap().starts_with("/dash/icons/"));
}
