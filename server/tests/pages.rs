//! Pages (docs/spec/behavior.md 1 to 3, 10, 20): the router's responses to a browser without scripts.

use std::{fs, io::Read as _};

use axum::body::Body;
use flate2::read::GzDecoder;
use http::Request;
use http_body_util::BodyExt as _;
use tower::ServiceExt as _;

use crate::world::{Reply, Setup, USERS, World};

pub const HOUSE: &str = "\
pageInfo:
  title: House
  description: All of it
  navLinks: [ { title: Router, path: 'http://192.168.1.1' } ]
pages:
  - { name: The Lab, path: lab.yml }
  - { name: Torn, path: torn.yml }
  - { name: Gone, path: gone.yml }
appConfig: { theme: dracula, language: de }
sections:
  - name: Media & more
    items:
      - { title: '<b>Jelly</b>', url: 'http://nas.lan:8096', description: Films, icon: si-jellyfin, tags: [film] }
      - { title: Odd, url: 'javascript:alert(1)' }
  - name: Attic
    displayData: { collapsed: true, color: tomato, hideForGuests: true }
    items: [ { title: Box, url: 'https://box.example' } ]
";

pub async fn house() -> World {
    let lab = "pageInfo: { title: Lab }\nsections: [ { name: Racks, items: [ { title: Rack, url: 'http://r' } ] } ]\n";
    Setup::new()
        .env("ENABLE_API", "")
        .file("conf.yml", HOUSE)
        .file("lab.yml", lab)
        .file("torn.yml", "a: [1")
        .start()
        .await
}

/// The bytes of `/` in an encoding.
async fn raw(world: &World, coding: &str) -> (String, Vec<u8>) {
    let request = Request::get("/").header("accept-encoding", coding).body(Body::empty()).unwrap();
    let response = world.router().oneshot(request).await.unwrap();
    assert_eq!(response.status(), 200);
    let coding = response.headers().get("content-encoding").map(|value| value.to_str().unwrap().to_owned());
    (coding.unwrap_or_default(), response.into_body().collect().await.unwrap().to_bytes().to_vec())
}

/// Writes `conf.yml` like an editor, and lets the server read it.
pub async fn rewrite(world: &World, text: &str) -> Reply {
    fs::write(world.path("conf.yml"), text).unwrap();
    world.poll().await;
    world.get("/").await
}

#[tokio::test]
async fn a_page_is_complete_and_safe() {
    let world = house().await;
    let page = world.get("/").await.expect_status(200);
    assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
    for wanted in [
        "<title>House</title>",
        "lang=\"de\"",
        "All of it",
        "href=\"http://192.168.1.1\"",
        "href=\"/home/the-lab\"",
        "Media &amp; more",
        "&lt;b&gt;Jelly&lt;/b&gt;",
        "href=\"http://nas.lan:8096",
        "rel=\"noopener noreferrer\"",
        "--section-color:tomato",
    ] {
        assert!(page.text.contains(wanted), "{wanted} is missing");
    }
    for unwanted in ["<b>Jelly", "javascript:", " style=\"", " onclick"] {
        assert!(!page.text.contains(unwanted), "{unwanted}");
    }
}

#[tokio::test]
async fn what_has_no_name_is_called_by_what_it_is() {
    let text = "pages: [ { path: beds.yml } ]\nsections: [ { items: [ { url: 'https://nas.lan/photos' } ] } ]";
    let world = Setup::new().file("conf.yml", text).file("beds.yml", "sections: []").start().await;
    let page = world.get("/").await.expect_status(200);
    for wanted in [">nas.lan</span>", ">beds.yml</a>", "class=\"visually-hidden\">Unnamed section</h2>"] {
        assert!(page.text.contains(wanted), "{wanted} is missing");
    }
    let alone = world.get("/home/main/unnamed-page").await.expect_status(200);
    assert!(alone.text.contains("<title>Unnamed section | Portico</title>"));
    let beds = world.get("/home/unnamed-page").await.expect_status(200);
    assert!(beds.text.contains("written in <code>beds.yml</code>"), "another file is named");
}

#[tokio::test]
async fn the_policy_allows_nothing_but_what_the_page_holds() {
    let page = house().await.get("/").await;
    let policy = page.header("content-security-policy");
    assert!(policy.contains("default-src 'none'") && policy.contains("'wasm-unsafe-eval'"), "{policy}");
    assert!(!policy.contains("unsafe-inline") && !policy.contains("'unsafe-eval'"), "{policy}");
    assert_eq!(page.header("x-content-type-options"), "nosniff");
    assert_eq!(page.header("referrer-policy"), "same-origin");
    // The policy contains the hash of each inline script and style, and nothing else.
    let inline = |open: &str, close: &str| {
        let pieces = page.text.split(open).skip(1);
        let contents = pieces.map(|piece| piece.split(close).next().unwrap().split_once('>').unwrap().1.to_owned());
        contents.collect::<Vec<_>>()
    };
    let texts = [inline("<script", "</script>"), inline("<style", "</style>")].concat();
    let texts: Vec<_> = texts.into_iter().filter(|text| !text.is_empty() && !text.starts_with('{')).collect();
    assert_eq!(texts.len(), policy.matches("'sha256-").count(), "{policy}");
    for text in texts {
        use base64::Engine as _;
        use sha2::Digest as _;
        let hash = base64::engine::general_purpose::STANDARD.encode(sha2::Sha256::digest(&text));
        assert!(policy.contains(&hash), "no hash of {text}");
    }
}

#[tokio::test]
async fn only_sites_that_may_have_opened_a_page_are_kept_from_its_window() {
    let world = house().await;
    let tag = world.get("/").await.header("etag");
    for (site, policy) in [
        ("", "same-origin"),
        ("cross-site", "same-origin"),
        ("same-site", "same-origin"),
        ("same-origin", ""),
        ("none", ""),
    ] {
        for (name, value) in [("accept", "text/html"), ("if-none-match", tag.as_str())] {
            let mut request = world.request("GET", "/").header(name, value);
            if !site.is_empty() {
                request = request.header("sec-fetch-site", site);
            }
            let reply = request.send().await;
            assert_eq!(reply.header("cross-origin-opener-policy"), policy, "{site} with {name}: {}", reply.status);
        }
    }
}

/// The frames of widgets too (`widget_frames.rs`), because browsers request every page around them.
#[tokio::test]
async fn only_named_sites_may_show_the_dashboard_in_a_frame() {
    let policy = |reply: &Reply| reply.header("content-security-policy");
    assert!(policy(&house().await.get("/").await).ends_with("; frame-ancestors 'self'"));
    let world = Setup::new().env("FRAME_ANCESTORS", "https://home.example").start().await;
    for path in ["/", "/nowhere"] {
        let reply = world.request("GET", path).header("accept", "text/html").send().await;
        assert!(
            policy(&reply).ends_with("; frame-ancestors 'self' https://home.example"),
            "{path}: {}",
            policy(&reply)
        );
    }
    assert!(!policy(&world.get("/conf.yml").await).contains("home.example"));
}

#[tokio::test]
async fn addresses_lead_to_pages_and_sections() {
    let world = house().await;
    for (path, title) in [
        ("/home", "<title>House</title>"),
        ("/home/", "<title>House</title>"),
        ("/home/the-lab", "<title>Lab</title>"),
        ("/home/The%20Lab", "<title>Lab</title>"),
        ("/home/the-lab/racks", "<title>Racks | Lab</title>"),
        ("/home/main/attic", "<title>Attic | House</title>"),
        ("/home/attic", "<title>Attic | House</title>"),
    ] {
        let page = world.get(path).await.expect_status(200);
        assert!(page.text.contains(title), "{path}: {title}");
    }
    for path in ["/home/nowhere", "/home/the-lab/nowhere", "/home/main/nowhere", "/nowhere", "/home/a/b/c"] {
        let page = world.get(path).await.expect_status(404);
        assert!(page.text.contains("Nicht gefunden"), "{path}");
        assert_eq!(page.header("etag"), "", "{path}");
    }
}

#[tokio::test]
async fn an_unchanged_page_is_not_sent_again() {
    let world = house().await;
    let page = world.get("/").await;
    let tag = page.header("etag");
    assert!(tag.starts_with("W/\""), "{tag}");
    assert_eq!(page.header("cache-control"), "private, no-cache");
    let again = world.request("GET", "/").header("if-none-match", &tag).send().await.expect_status(304);
    assert_eq!((again.text.as_str(), again.header("etag")), ("", tag.clone()));
    let other = world.request("GET", "/").header("if-none-match", "W/\"other\"").send().await.expect_status(200);
    assert_eq!(other.header("etag"), tag);
    let changed = rewrite(&world, &HOUSE.replace("House", "Castle")).await;
    assert!(changed.text.contains("Castle"));
    assert_ne!(changed.header("etag"), tag);
    world.request("GET", "/").header("if-none-match", &tag).send().await.expect_status(200);
}

#[tokio::test]
async fn all_codings_hold_the_same_page() {
    let world = house().await;
    let plain = raw(&world, "identity").await;
    assert_eq!(plain.0, "");
    for (asked, given) in [("br", "br"), ("gzip", "gzip"), ("zstd", "zstd"), ("gzip;q=0.5, br;q=0", "gzip")] {
        let (coding, bytes) = raw(&world, asked).await;
        assert_eq!(coding, given, "{asked}");
        assert!(bytes.len() < plain.1.len() / 2, "{asked}: {} of {}", bytes.len(), plain.1.len());
        let mut text = Vec::new();
        match given {
            "br" => _ = brotli::Decompressor::new(&bytes[..], 4096).read_to_end(&mut text).unwrap(),
            "gzip" => _ = GzDecoder::new(&bytes[..]).read_to_end(&mut text).unwrap(),
            _ => text = zstd::decode_all(&bytes[..]).unwrap(),
        }
        assert_eq!(text, plain.1, "{asked}");
    }
}

#[tokio::test]
async fn a_prefix_is_in_every_address() {
    let world = Setup::new().env("BASE_URL", "/start").file("conf.yml", HOUSE).start().await;
    let page = world.get("/start").await.expect_status(200);
    assert_eq!(page.text, world.get("/start/").await.text);
    for piece in page.text.split("=\"/").skip(1) {
        let address = piece.split('"').next().unwrap();
        assert!(address == "start" || address.starts_with("start/"), "/{address} is outside of the prefix");
    }
    world.get("/").await.expect_status(404);
    world.get("/healthz").await.expect_status(200);
}

#[tokio::test]
async fn files_stay_inside_of_their_folder() {
    let world = house().await;
    assert_eq!(world.get("/notes.txt").await.expect_status(200).text, "hello");
    for path in
        ["/../Cargo.toml", "/%2e%2e/Cargo.toml", "/..%2fCargo.toml", "/.hidden", "/config-backups/x", "//etc/passwd"]
    {
        let reply = world.get(path).await;
        assert_eq!(reply.status, 404, "{path}");
    }
}

#[tokio::test]
async fn head_is_get_without_the_page() {
    let world = house().await;
    let page = world.get("/").await;
    let head = world.request("HEAD", "/").send().await.expect_status(200);
    assert_eq!((head.text.as_str(), head.header("etag")), ("", page.header("etag")));
    world.request("POST", "/").send().await.expect_status(405);
}

#[tokio::test]
async fn a_page_loads_no_more_program_than_it_needs() {
    let widgets = "sections: [ { name: Now, widgets: [ { type: clock } ] } ]\n";
    let world = Setup::new().env("ENABLE_API", "").file("conf.yml", HOUSE).start().await;
    let plain = world.get("/").await.text;
    assert!(plain.contains("/frontend-") && !plain.contains("/live-") && !plain.contains("/direct-"), "{plain}");
    let lively = rewrite(&world, widgets).await.text;
    assert!(lively.contains("/live-") && !lively.contains("/frontend-") && !lively.contains("/direct-"), "{lively}");
}

#[tokio::test]
async fn pages_may_be_called_main_and_home() {
    let page = |name: &str| {
        let widget = "{ type: custom-list, options: { list: { name: N, title: T } } }";
        format!("pageInfo: {{ title: {name} }}\nsections: [ {{ name: Of {name}, widgets: [ {widget} ] }} ]\n")
    };
    let conf = "pageInfo: { title: Root }\npages:\n  - { name: Main, path: m.yml }\n  - name: Home\n    path: h.yml\nsections: [ { name: Mine } ]\n";
    let world = Setup::new()
        .env("ENABLE_API", "")
        .file("conf.yml", conf)
        .file("m.yml", page("Emma"))
        .file("h.yml", page("Hilda"))
        .start()
        .await;
    for (path, title, data) in [
        ("/", "<title>Root</title>", "\"slug\":\"home\""),
        ("/home", "<title>Root</title>", "\"slug\":\"home\""),
        ("/home/main", "<title>Root</title>", "\"slug\":\"home\""),
        ("/home/main-page", "<title>Emma</title>", "\"slug\":\"main-page\""),
        ("/home/Main%20Page", "<title>Emma</title>", "\"slug\":\"main-page\""),
        ("/home/home", "<title>Hilda</title>", "\"slug\":\"home-\""),
        ("/home/home-", "<title>Hilda</title>", "\"slug\":\"home-\""),
        ("/home/home/of-hilda", "<title>Of Hilda | Hilda</title>", "href=\"/home/home\""),
    ] {
        let page = world.get(path).await.expect_status(200);
        assert!(page.text.contains(title) && page.text.contains(data), "{path}: {}", page.text);
    }
    // Without such pages, these names lead to the root.
    let changed = rewrite(&world, "pageInfo: { title: Root }\nsections: []\n").await;
    assert!(changed.text.contains("<title>Root</title>"));
    for path in ["/home/main-page", "/home/home", "/home/main"] {
        assert!(world.get(path).await.expect_status(200).text.contains("<title>Root</title>"), "{path}");
    }
}

#[tokio::test]
async fn addresses_that_are_no_text_lead_nowhere() {
    let world = house().await;
    for path in ["/home/%ff", "/home/a/%ff", "/home/a/b/%ff", "/icons/mdi/%ff", "/%ff"] {
        let page = world.get(path).await.expect_status(404);
        assert!(page.text.contains("Nicht gefunden | House"), "{path}: {}", page.text);
    }
}

#[tokio::test]
async fn rejected_methods_are_named() {
    let world = house().await;
    for (method, path, allow) in
        [("POST", "/", "GET,HEAD"), ("DELETE", "/home/the-lab", "GET,HEAD"), ("PUT", "/notes.txt", "GET, HEAD")]
    {
        let reply = world.send(method, path, "{}").await;
        assert_eq!(reply.header("allow"), allow, "{path}");
        let body = reply.expect_status(405).json();
        assert_eq!(
            (&body["success"], &body["message"]),
            (&false.into(), &format!("{method} is not allowed here").into())
        );
    }
}

#[tokio::test]
async fn admins_keep_the_options_that_they_hide() {
    let hide = "appConfig:\n  hideComponents: { hideSettings: true }\n";
    let conf = format!("{hide}{}sections: []\n", USERS.trim_start_matches("appConfig:\n"));
    let world = Setup::new().env("ENABLE_API", "").env("ENABLE_HTTP_AUTH", "true").file("conf.yml", conf).start().await;
    let admin = world.request("GET", "/").basic("Anna:anna").send().await.expect_status(200);
    assert!(admin.text.contains("id=\"options-panel\"") && admin.text.contains("toolbar reduced"), "{}", admin.text);
    let other = world.request("GET", "/").basic("bob:bob").send().await.expect_status(200);
    assert!(!other.text.contains("id=\"options-panel\""), "{}", other.text);
    // Without sign-in, hidden content is hidden from everybody.
    let open = Setup::new().env("ENABLE_API", "").file("conf.yml", hide).start().await;
    assert!(!open.get("/").await.text.contains("id=\"options-panel\""));
}

#[tokio::test]
async fn scripts_may_probe_the_local_addresses_of_all_pages_that_their_viewer_sees() {
    let item = |name: &str, more: &str| {
        format!("{{ title: T, url: 'https://t.example', localUrl: 'http://{name}.lan/x'{more} }}")
    };
    let root = format!(
        "{USERS}pages: [ {{ name: Lab, path: lab.yml }}, {{ name: Safe, path: safe.yml, displayData: {{ hideForUsers: [bob] }} }} ]\n"
    );
    let root = format!("{root}sections: [ {{ name: S, items: [ {} ] }} ]\n", item("own", ""));
    let hidden = item("hidden", ", displayData: { hideForUsers: [bob] }");
    let lab = format!(
        "sections: [ {{ name: S, items: [ {}, {hidden}, {{ title: G, subItems: [ {} ] }} ] }} ]\n",
        item("lab", ""),
        item("sub", "")
    );
    let safe = format!("sections: [ {{ name: S, items: [ {} ] }} ]\n", item("safe", ""));
    let world = Setup::new().env("ENABLE_API", "").env("ENABLE_HTTP_AUTH", "true").file("conf.yml", root);
    let world = world.file("lab.yml", lab).file("safe.yml", safe).start().await;
    let policy = async |who: &str| {
        let page = world.request("GET", "/").basic(who).send().await.expect_status(200);
        let policy = page.header("content-security-policy");
        policy.split("connect-src ").nth(1).unwrap().split(';').next().unwrap().to_owned()
    };
    assert_eq!(policy("bob:bob").await, "'self' http://lab.lan http://own.lan http://sub.lan");
    assert_eq!(
        policy("Anna:anna").await,
        "'self' http://hidden.lan http://lab.lan http://own.lan http://safe.lan http://sub.lan"
    );
}
