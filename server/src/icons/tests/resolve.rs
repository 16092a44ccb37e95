use config::dashboard::IconView;
use config::icon::{Icon, IconEntry, IconLookup};

use super::{Installation, PNG};

fn glyph(path: &str) -> IconView {
    IconView::Glyph(format!("/start/icons/{path}.svg#i"))
}

fn image(path: &str) -> IconView {
    IconView::Image(format!("/start/{path}"))
}

fn nas(url: Option<&str>) -> IconEntry<'_> {
    IconEntry { title: "nas", url, ..IconEntry::default() }
}

#[tokio::test]
async fn every_form() {
    let place = Installation::new();
    place.write("user-data/favicon.ico", PNG);
    place.write("user-data/my logos/größe.png", PNG);
    // A name that looks like an escape but is not one.
    place.write("user-data/item-icons/100%25.png", PNG);
    for icon in ["maltrail.png", "networking/monit.svg", "x y.PNG", "x.png", "my icon.png", "hl-own.png"] {
        place.write(&format!("user-data/item-icons/{icon}"), PNG);
    }
    place.icons.rescan();
    let letter = || IconView::Letter("N".to_owned());
    for (written, expected) in [
        ("fas fa-desktop", glyph("fa-solid/desktop")),
        ("far fa-smile-beam", glyph("fa-regular/face-smile-beam")),
        ("fal fa-tachometer-alt", glyph("fa-solid/gauge-high")),
        ("fas fa-nothing", letter()),
        ("mdi-alien", glyph("mdi/alien")),
        ("mdi-settings", glyph("mdi/cog")),
        ("mdi-nothing", letter()),
        ("si-plex", glyph("si/plex")),
        ("si-twitter", glyph("si/x")),
        ("si-openai", glyph("fa-brands/openai")),
        ("si-nothing", letter()),
        ("hl-AdGuard-Home", image("icons/hl/adguard-home")),
        ("sh-immich", image("icons/sh/immich")),
        ("hl-plex.png", image("icons/hl/plex")),
        ("sh-immich.WEBP", image("icons/sh/immich")),
        ("si-plex.svg", glyph("si/plex")),
        ("mdi-nothing.svg", letter()),
        ("hl-own.png", image("icons/file/hl-own.png")),
        ("favicon-bing", letter()),
        ("maltrail.png", image("icons/file/maltrail.png")),
        ("networking/monit.svg", image("icons/file/networking/monit.svg")),
        ("./item-icons/x y.PNG", image("icons/file/x%20y.PNG")),
        ("/item-icons/x.png", image("icons/file/x.png")),
        ("/item-icons/my%20icon.png", image("icons/file/my%20icon.png")),
        ("/item-icons/100%25.png", image("icons/file/100%2525.png")),
        ("my%20icon.png", image("icons/file/my%20icon.png")),
        ("/my%20logos/gr%C3%B6%C3%9Fe.png", image("my%20logos/gr%C3%B6%C3%9Fe.png")),
        ("/favicon.ico", image("favicon.ico")),
        ("/favicon.svg", image("favicon.svg")),
        ("/none.png", letter()),
        ("data:image/png;base64,AA==", IconView::Image("data:image/png;base64,AA==".to_owned())),
        ("🚀", IconView::Emoji("🚀".to_owned())),
        ("lost.png", letter()),
        ("no form at all", letter()),
    ] {
        assert_eq!(place.icons.resolve(&Icon::parse(written), &nas(Some("http://nas.lan"))), expected, "{written}");
    }
    assert_eq!(place.outside.requests(), [""; 0], "rendering looks nothing up");
}

#[tokio::test]
async fn pictures_from_elsewhere_get_keys() {
    let place = Installation::new();
    let resolve = |written: &str, url: Option<&str>| match place.icons.resolve(&Icon::parse(written), &nas(url)) {
        IconView::Image(address) => address,
        other => panic!("{written}: {other:?}"),
    };
    let cases = [
        ("https://pictures.test/a.png?key=secret", None, "/start/icons/remote/"),
        ("favicon", Some("https://nas.lan/?key=secret"), "/start/icons/favicon/"),
        ("favicon-google", Some("https://nas.lan"), "/start/icons/favicon/"),
        ("generative", Some("https://nas.lan/secret"), "/start/icons/generative/"),
        ("generative", None, "/start/icons/generative/"),
    ];
    let mut seen = std::collections::HashSet::new();
    for (written, url, prefix) in cases {
        let address = resolve(written, url);
        let key = address.strip_prefix(prefix).unwrap().trim_end_matches(".svg").to_owned();
        assert!(matches!(key.len(), 16 | 32) && key.bytes().all(|byte| byte.is_ascii_hexdigit()), "{address}");
        assert_eq!(address, resolve(written, url), "the same each time");
        assert!(seen.insert(key), "{written} has its own key");
    }
    assert_eq!(resolve("favicon", Some("nas.lan")), resolve("favicon", Some("http://nas.lan/#top")));
    for url in [None, Some("mailto:anna@example.com"), Some("")] {
        assert_eq!(place.icons.resolve(&Icon::parse("favicon"), &nas(url)), IconView::Letter("N".to_owned()));
    }
}

#[tokio::test]
async fn images_of_the_page() {
    let place = Installation::new();
    place.write("user-data/logo.png", PNG);
    place.write("user-data/my pictures/größe.jpg", PNG);
    place.write("public/old.svg", PNG);
    place.write("user-data/.hidden.png", PNG);
    place.write("user-data/conf.yml", b"");
    place.write("user-data/item-icons/x.png", PNG);
    assert_eq!(place.icons.image("/logo.png"), None, "before the first listing");
    place.icons.rescan();
    for (written, expected) in [
        ("/logo.png", Some("/start/logo.png")),
        ("logo.png", Some("/start/logo.png")),
        ("./logo.png", Some("/start/logo.png")),
        ("/logo.png?v=2", Some("/start/logo.png")),
        ("/my pictures/größe.jpg", Some("/start/my%20pictures/gr%C3%B6%C3%9Fe.jpg")),
        ("/old.svg", Some("/start/old.svg")),
        ("/favicon.svg", Some("/start/favicon.svg")),
        ("/item-icons/x.png", Some("/start/icons/file/x.png")),
        ("DATA:image/png,x", Some("DATA:image/png,x")),
        ("data:text/html,x", None),
        ("/none.png", None),
        ("/.hidden.png", None),
        ("/conf.yml", None),
        ("/../etc/passwd", None),
        ("javascript:alert(1)", None),
        ("ftp://site.test/a.png", None),
        ("", None),
    ] {
        assert_eq!(place.icons.image(written).as_deref(), expected, "{written}");
    }
    for written in ["https://site.test/a.png", "//site.test/a.png"] {
        assert!(place.icons.image(written).unwrap().starts_with("/start/icons/remote/"), "{written}");
    }
    std::fs::remove_file(place.folder.path().join("user-data/logo.png")).unwrap();
    place.icons.rescan();
    assert_eq!(place.icons.image("/logo.png"), None);
}

#[tokio::test]
async fn style_sheets() {
    let place = Installation::new();
    assert_eq!(place.icons.style_sheet("/own.css").as_deref(), Some("/start/own.css"));
    assert!(place.icons.style_sheet("https://site.test/a.css").unwrap().starts_with("/start/icons/remote/"));
    for wrong in ["own.css", "//site.test/a.css", "javascript:x", "data:text/css,a{}", ""] {
        assert_eq!(place.icons.style_sheet(wrong), None, "{wrong}");
    }
    assert_ne!(place.icons.style_sheet("https://site.test/a"), place.icons.image("https://site.test/a"));
}

#[tokio::test]
async fn a_missing_logo_is_reported() {
    let place = Installation::new();
    place.write("user-data/logo.png", PNG);
    place.icons.rescan();
    assert_eq!(place.icons.image("/logo.png").as_deref(), Some("/start/logo.png"));
    assert_eq!(place.icons.image("/lost.png"), None);
    let warned: Vec<_> = place.icons.inner.warned.lock().unwrap().iter().cloned().collect();
    assert_eq!(warned, ["/lost.png"]);
}

#[tokio::test]
async fn what_goes_straight_to_the_letter_has_its_reason() {
    let place = Installation::new();
    for (written, reason) in [
        ("mdi-nothing", Some("mdi-nothing: no bundled icon has that name")),
        ("lost.png", Some("item-icons/lost.png: there is no such file")),
        ("/lost.png", Some("/lost.png: there is no such picture in the user-data directory")),
        ("favicon-bing", Some("favicon-bing: there is no such favicon service")),
        ("favicon", Some("favicon: the item has no web address")),
        ("no form at all", None),
        ("mdi-alien", None),
    ] {
        let icon = Icon::parse(written);
        let shown = place.icons.resolve(&icon, &nas(None));
        assert_eq!(place.icons.problem(&icon, &shown).as_deref(), reason, "{written}");
        let is_logged = place
            .icons
            .inner
            .warned
            .lock()
            .unwrap()
            .contains(reason.map_or("", |reason| reason.split(':').next().unwrap()));
        assert_eq!(is_logged, reason.is_some(), "{written}");
    }
}
