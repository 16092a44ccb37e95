use config::dashboard::IconView;
use config::icon::{Icon, IconEntry, IconLookup};

use super::Installation;

#[tokio::test]
async fn what_cdns_have_is_answered_from_here() {
    let place = Installation::offline();
    let jsdelivr = "https://cdn.jsdelivr.net";
    for (address, expected) in [
        (format!("{jsdelivr}/gh/homarr-labs/dashboard-icons/svg/plex.svg"), "hl/plex"),
        (format!("{jsdelivr}/gh/walkxcode/dashboard-icons@master/png/Home-Assistant.png"), "hl/home-assistant"),
        ("https://raw.githubusercontent.com/walkxcode/dashboard-icons/main/png/plex.png".to_owned(), "hl/plex"),
        (
            "https://raw.githubusercontent.com/homarr-labs/dashboard-icons/refs/heads/main/webp/plex.webp".to_owned(),
            "hl/plex",
        ),
        (format!("{jsdelivr}/gh/selfhst/icons/webp/immich.webp?x=1"), "sh/immich"),
        ("https://cdn.simpleicons.org/plex".to_owned(), "si/plex.svg#i"),
        (format!("{jsdelivr}/npm/simple-icons@v13/icons/plex.svg"), "si/plex.svg#i"),
        ("https://unpkg.com/@mdi/svg@7.4.47/svg/alien.svg".to_owned(), "mdi/alien.svg#i"),
        (format!("{jsdelivr}/npm/@fortawesome/fontawesome-free@6/svgs/brands/github.svg"), "fa-brands/github.svg#i"),
    ] {
        let shown = place.icons.resolve(&Icon::parse(&address), &IconEntry { title: "nas", ..IconEntry::default() });
        let (IconView::Image(found) | IconView::Glyph(found)) = shown else { panic!("{address}: {shown:?}") };
        assert_eq!(found, format!("/start/icons/{expected}"), "{address}");
    }
    for address in [
        format!("{jsdelivr}/gh/somebody/dashboard-icons/svg/plex.svg"),
        format!("{jsdelivr}/gh/homarr-labs/dashboard-icons/svg/plex.png"),
        format!("{jsdelivr}/gh/homarr-labs/dashboard-icons/svg/a/plex.svg"),
        format!("{jsdelivr}/npm/simple-icons/icons/nothing.svg"),
        format!("{jsdelivr}/npm/other/icons/plex.svg"),
        "https://cdn.simpleicons.org/plex/ff0000".to_owned(),
        "https://pictures.test/gh/selfhst/icons/webp/immich.webp".to_owned(),
    ] {
        let shown = place.icons.resolve(&Icon::parse(&address), &IconEntry::default());
        assert!(matches!(&shown, IconView::Image(path) if path.starts_with("/start/icons/remote/")), "{shown:?}");
    }
    assert_eq!(place.outside.requests(), [""; 0]);
}
