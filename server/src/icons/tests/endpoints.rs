use std::time::Duration;

use config::dashboard::IconView;
use config::icon::IconEntry;
use http::StatusCode;

use super::{ICO, Installation, PNG, SVG, WEBP};
use crate::icons::{
    IconResponse, Lifetime,
    collection::{Collection, clean_name},
    on_dark::black_logo,
};

const PLEX_SVG: &str = "https://cdn.jsdelivr.net/gh/homarr-labs/dashboard-icons/svg/plex.svg";
const PLEX_PNG: &str = "https://cdn.jsdelivr.net/gh/homarr-labs/dashboard-icons/png/plex.png";

pub(super) fn text(answer: &IconResponse) -> String {
    String::from_utf8_lossy(&answer.body).into_owned()
}

pub(super) fn entry(title: &str) -> IconEntry<'_> {
    IconEntry { title, ..IconEntry::default() }
}

/// The last segment of the address that a form of icon has become.
pub(super) fn key(view: IconView) -> String {
    match view {
        IconView::Image(address) => address.rsplit('/').next().unwrap().to_owned(),
        other => panic!("no image: {other:?}"),
    }
}

#[tokio::test]
async fn bundled_glyphs() {
    let place = Installation::new();
    let answer = place.icons.glyph("mdi", "alien.svg");
    assert_eq!(
        (answer.status, answer.content_type, answer.cache),
        (StatusCode::OK, "image/svg+xml", Lifetime::Immutable)
    );
    assert!(text(&answer).contains("<symbol id=\"i\""));
    assert_eq!(answer.headers, [("x-content-type-options", "nosniff")], "a sandboxed symbol cannot be used");
    assert_eq!(text(&place.icons.glyph("si", "twitter.svg")), text(&place.icons.glyph("si", "x.svg")));
    for (set, file) in
        [("mdi", "nothing.svg"), ("mdi", "alien"), ("mdi", "alien.png"), ("homelab", "sonarr.svg"), ("", ".svg")]
    {
        assert_eq!(place.icons.glyph(set, file).status, StatusCode::NOT_FOUND, "{set}/{file}");
    }
    assert_eq!(place.icons.generative("0123456789abcdef.svg").cache, Lifetime::Immutable);
    assert_eq!(place.icons.generative("0123456789abcdef").status, StatusCode::NOT_FOUND);
    assert_eq!(place.icons.generative("nonsense.svg").status, StatusCode::NOT_FOUND);
    assert_eq!(place.icons.broken().status, StatusCode::OK);
}

#[tokio::test]
async fn application_from_the_collection() {
    let place = Installation::new();
    place.outside.picture(PLEX_PNG, PNG);
    place.icons.application_view(Collection::Homelab, "Plex", &entry("Plex"));
    let answer = place.icons.application(Collection::Homelab, "plex").await;
    assert_eq!((answer.content_type, answer.cache, &answer.body[..]), ("image/png", Lifetime::Long, PNG));
    assert_eq!(place.outside.requests(), [PLEX_SVG, PLEX_PNG]);
    place.icons.application(Collection::Homelab, "plex").await;
    assert_eq!(place.outside.requests(), [""; 0], "the second time comes from the cache");

    place.outside.picture("https://cdn.jsdelivr.net/gh/selfhst/icons/webp/immich.webp", WEBP);
    place.icons.application_view(Collection::Selfhst, "immich", &entry("Photos"));
    let answer = place.icons.application(Collection::Selfhst, "immich.png").await;
    assert_eq!((answer.content_type, &answer.body[..]), ("image/webp", WEBP));
}

#[tokio::test]
async fn a_black_logo_of_pixels_has_a_light_variant() {
    let place = Installation::new();
    place.outside.picture(PLEX_PNG, &black_logo());
    place.icons.application_view(Collection::Homelab, "plex", &entry("Plex"));
    let answer = place.icons.application(Collection::Homelab, "plex").await;
    assert_eq!((answer.content_type, answer.cache), ("image/svg+xml", Lifetime::Long));
    assert!(text(&answer).contains("prefers-color-scheme:dark"), "{}", text(&answer));
    assert!(text(&answer).contains("href=\"data:image/png;base64,"), "{}", text(&answer));
    let policy = answer.headers.iter().find(|(name, _)| *name == "content-security-policy").unwrap();
    assert!(policy.1.contains("img-src data:") && policy.1.contains("sandbox"), "{policy:?}");
    place.outside.requests();
    assert_eq!(place.icons.application(Collection::Homelab, "plex").await.body, answer.body);
    assert_eq!(place.outside.requests(), [""; 0], "it is decoded once, and cached as a drawing");

    // What users put into their folder stays as it is, as drawings do.
    place.write("user-data/item-icons/hl/plex.png", &black_logo());
    assert_eq!(place.icons.application(Collection::Homelab, "plex").await.content_type, "image/png");
}

#[tokio::test]
async fn the_users_own_file_comes_first() {
    let place = Installation::new();
    place.outside.picture(PLEX_SVG, SVG);
    place.icons.application_view(Collection::Homelab, "plex", &entry("Plex"));
    place.write("user-data/item-icons/hl/plex.webp", WEBP);
    let answer = place.icons.application(Collection::Homelab, "plex").await;
    assert_eq!((answer.content_type, answer.cache), ("image/webp", Lifetime::Short));
    place.write("user-data/item-icons/hl/plex.png", PNG);
    assert_eq!(place.icons.application(Collection::Homelab, "plex").await.content_type, "image/png");
    assert_eq!(place.outside.requests(), [""; 0]);
    assert_ne!(place.icons.application(Collection::Selfhst, "plex").await.content_type, "image/png");
    place.write("user-data/item-icons/sh/webp/immich.webp", WEBP);
    assert_eq!(place.icons.application(Collection::Selfhst, "immich").await.content_type, "image/webp");
}

#[tokio::test]
async fn applications_without_an_icon_get_a_fallback() {
    let place = Installation::new();
    for (name, expected) in [
        ("pi-hole", "<svg id=\"pihole\"/>"),
        ("plex", "M9"),
        ("router", "M5"),
        ("grocy", ">G<"),
        ("../../etc/passwd", ">E<"),
        ("%00", ">0<"),
    ] {
        place.icons.application_view(Collection::Homelab, name, &entry("title"));
        let answer = place.icons.application(Collection::Homelab, name).await;
        assert_eq!(
            (answer.status, answer.content_type, answer.cache),
            (StatusCode::OK, "image/svg+xml", Lifetime::Short),
            "{name}"
        );
        assert!(text(&answer).contains(expected), "{name}: {}", text(&answer));
    }
}

#[tokio::test]
async fn only_names_of_the_config_are_looked_up() {
    let place = Installation::new();
    place.outside.picture(PLEX_SVG, SVG);
    let answer = place.icons.application(Collection::Homelab, "plex").await;
    assert_eq!(answer.cache, Lifetime::Short);
    assert_eq!(place.outside.requests(), [""; 0]);
    for key in ["0123456789abcdef", "hl/plex", "", "http://192.168.1.1/"] {
        for answer in [place.icons.favicon(key).await, place.icons.remote(key).await] {
            assert_eq!((answer.status, answer.cache), (StatusCode::OK, Lifetime::None), "{key}");
        }
    }
    assert_eq!(place.outside.requests(), [""; 0]);
}

#[tokio::test]
async fn offline_looks_nothing_up_but_serves_what_it_has() {
    let online = Installation::new();
    online.outside.picture(PLEX_SVG, SVG);
    online.icons.application_view(Collection::Homelab, "plex", &entry("Plex"));
    online.icons.application(Collection::Homelab, "plex").await;

    let place = Installation::over(online.folder, true);
    place.pass(365 * 24 * 60 * 60);
    place.icons.application_view(Collection::Homelab, "plex", &entry("Plex"));
    place.icons.application_view(Collection::Homelab, "sonarr", &entry("Sonarr"));
    let favicon =
        key(place.icons.favicon_view(Default::default(), &IconEntry { url: Some("http://nas.lan"), ..entry("Nas") }));
    let remote = key(place.icons.picture_view("https://pictures.test/a.png", &entry("Alps")));
    assert_eq!(&place.icons.application(Collection::Homelab, "plex").await.body[..], SVG);
    assert!(text(&place.icons.application(Collection::Homelab, "sonarr").await).contains("id=\"sonarr\""));
    assert!(text(&place.icons.favicon(&favicon).await).contains(">N<"));
    assert_eq!(place.icons.remote(&remote).await.status, StatusCode::OK);
    assert_eq!(place.outside.requests(), [""; 0]);
    assert!(!Installation::offline().folder.path().join("cache").exists());
}

#[tokio::test]
async fn favicons() {
    let place = Installation::new();
    place.outside.picture("http://nas.lan/favicon.ico", ICO);
    let nas = key(place
        .icons
        .favicon_view(Default::default(), &IconEntry { url: Some("http://nas.lan/?secret=1"), ..entry("Storage") }));
    let answer = place.icons.favicon(&nas).await;
    assert_eq!((answer.content_type, answer.cache, &answer.body[..]), ("image/x-icon", Lifetime::Long, ICO));
    let dead = key(place
        .icons
        .favicon_view(Default::default(), &IconEntry { url: Some("http://printer.lan"), ..entry("Printer") }));
    let answer = place.icons.favicon(&dead).await;
    assert_eq!((answer.status, answer.cache), (StatusCode::OK, Lifetime::Short));
    assert!(text(&answer).contains(">P<"));
    assert_eq!(place.icons.remote(&nas).await.cache, Lifetime::None, "a key is good at its own address only");
}

#[tokio::test(start_paused = true)]
async fn a_slow_host_gets_a_fallback_that_is_not_cached() {
    let place = Installation::new();
    place.outside.picture("http://nas.lan/favicon.ico", ICO);
    place.outside.take(Duration::from_secs(10));
    let nas = key(place
        .icons
        .favicon_view(Default::default(), &IconEntry { url: Some("http://nas.lan"), ..entry("Storage") }));
    let answer = place.icons.favicon(&nas).await;
    assert_eq!(
        (answer.status, answer.cache, answer.cache.cache_control()),
        (StatusCode::OK, Lifetime::None, "no-store")
    );
    assert!(text(&answer).contains(">S<"));
}

#[tokio::test]
async fn files_of_the_user() {
    let place = Installation::new();
    place.write("user-data/item-icons/logos/mine.svg", SVG);
    place.write("user-data/item-icons/UPPER.PNG", PNG);
    place.write("public/item-icons/old.ico", ICO);
    place.write("user-data/item-icons/fake.png", b"<html>");
    place.write("user-data/item-icons/.hidden.png", PNG);
    place.write("user-data/conf.yml", b"secret: true");
    place.write("user-data/outside.png", PNG);
    for (path, content_type) in
        [("logos/mine.svg", "image/svg+xml"), ("UPPER.PNG", "image/png"), ("old.ico", "image/x-icon")]
    {
        let answer = place.icons.file(path).await;
        assert_eq!((answer.content_type, answer.cache), (content_type, Lifetime::Short), "{path}");
    }
    let svg = place.icons.file("logos/mine.svg").await;
    assert!(svg.headers.iter().any(|(name, value)| *name == "content-security-policy" && value.contains("sandbox")));
    for path in [
        "none.png",
        "fake.png",
        ".hidden.png",
        "../outside.png",
        "logos/../../outside.png",
        "/etc/passwd",
        "../conf.yml",
        "logos",
        "logos/",
        "",
        ".",
        "..",
        "logos//mine.svg",
        "..\\outside.png",
        "UPPER.PNG\0.png",
        "a:b.png",
    ] {
        let answer = place.icons.file(path).await;
        assert_eq!((answer.status, answer.content_type), (StatusCode::OK, "image/svg+xml"), "{path}");
        assert!(text(&answer).contains("</text>"), "a letter: {path}");
    }
}

#[cfg(unix)]
#[tokio::test]
async fn links_may_not_leave_the_folder() {
    let place = Installation::new();
    place.write("elsewhere/a.png", PNG);
    place.write("user-data/item-icons/..data/b.png", PNG);
    let icons = place.folder.path().join("user-data/item-icons");
    std::os::unix::fs::symlink(place.folder.path().join("elsewhere/a.png"), icons.join("a.png")).unwrap();
    std::os::unix::fs::symlink("..data/b.png", icons.join("b.png")).unwrap();
    assert!(text(&place.icons.file("a.png").await).contains(">A<"));
    assert_eq!(&place.icons.file("b.png").await.body[..], PNG);
}

#[test]
fn names_of_applications() {
    for (written, expected) in [
        ("plex", Some("plex")),
        ("AdGuard-Home", Some("adguard-home")),
        ("adguard home", Some("adguard-home")),
        ("plex.svg", Some("plex")),
        ("2fauth", Some("2fauth")),
        ("node.js", Some("node.js")),
        ("c++", Some("c++")),
        ("", None),
        (".svg", None),
        ("-plex", None),
        ("a/b", None),
        ("a..b", None),
        ("a?b", None),
        ("a%2fb", None),
        ("größe", None),
    ] {
        assert_eq!(clean_name(written).as_deref(), expected, "{written}");
    }
    assert_eq!(clean_name(&"a".repeat(101)), None);
}

#[tokio::test(start_paused = true)]
async fn few_look_ups_at_once() {
    let place = Installation::new();
    place.outside.take(Duration::from_secs(1));
    for number in 0..20 {
        let host = key(place.icons.favicon_view(
            Default::default(),
            &IconEntry { url: Some(&format!("http://host-{number}.lan")), ..entry("Host") },
        ));
        let icons = place.icons.clone();
        tokio::spawn(async move { icons.favicon(&host).await });
    }
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert_eq!(place.outside.requests().len(), 8);
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert_eq!(place.outside.requests().len(), 32);
}
