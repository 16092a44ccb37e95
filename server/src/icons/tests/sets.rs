use config::icon::Icon;

use super::small_pack;
use crate::icons::sets;

fn name(icon: Option<crate::icons::pack::PackedIcon<'_>>) -> String {
    icon.map_or_else(|| "-".to_owned(), |icon| format!("{}/{}", icon.set, icon.name))
}

#[test]
fn font_awesome_styles_and_old_names() {
    let pack = small_pack();
    for (written, expected) in [
        ("fas fa-desktop", "fa-solid/desktop"),
        ("fas fa-Desktop", "fa-solid/desktop"),
        ("fa-solid fa-tachometer-alt", "fa-solid/gauge-high"),
        ("far fa-smile-beam", "fa-regular/face-smile-beam"),
        ("far fa-file-lines", "fa-regular/file-lines"),
        ("far fa-briefcase", "fa-solid/briefcase"),
        ("fal fa-desktop", "fa-solid/desktop"),
        ("fad fa-desktop", "fa-solid/desktop"),
        ("fat fa-desktop", "fa-solid/desktop"),
        ("fass fa-desktop", "fa-solid/desktop"),
        ("fal fa-browser", "fa-solid/window-maximize"),
        ("fad fa-alien", "mdi/alien"),
        ("fal fa-face-smile-beam", "fa-regular/face-smile-beam"),
        ("fab fa-github", "fa-brands/github"),
        ("fas fa-github", "fa-brands/github"),
        ("fab fa-plex", "si/plex"),
        ("fa fa-file-text-o", "fa-regular/file-lines"),
        ("fa fa-github", "fa-brands/github"),
        ("fas fa-no-such-icon", "-"),
    ] {
        let Icon::FontAwesome { style, name: icon } = Icon::parse(written) else { panic!("{written}") };
        assert_eq!(name(sets::font_awesome(&pack, style, &icon)), expected, "{written}");
    }
}

#[test]
fn material_design_and_simple_icons() {
    let pack = small_pack();
    for (written, expected) in [
        ("alien", "mdi/alien"),
        ("Alien", "mdi/alien"),
        ("settings", "mdi/cog"),
        ("plex", "si/plex"),
        ("openai", "fa-brands/openai"),
        ("x-y-z", "-"),
    ] {
        assert_eq!(name(sets::material_design(&pack, written)), expected, "mdi-{written}");
    }
    for (written, expected) in [
        ("plex", "si/plex"),
        ("Plex", "si/plex"),
        ("home-assistant", "si/homeassistant"),
        ("node.js", "si/nodedotjs"),
        ("twitter", "si/x"),
        ("chatgpt", "fa-brands/openai"),
        ("openai", "fa-brands/openai"),
        ("hulu", "mdi/hulu"),
        ("nothing", "-"),
    ] {
        assert_eq!(name(sets::simple_icons(&pack, written)), expected, "si-{written}");
    }
}

#[test]
fn applications() {
    let pack = small_pack();
    for (written, expected) in [
        ("plex", "si/plex"),
        ("plex-light", "si/plex"),
        ("home-assistant", "si/homeassistant"),
        ("router", "mdi/router"),
        ("grocy", "-"),
    ] {
        assert_eq!(name(sets::application_glyph(&pack, written)), expected, "{written}");
    }
    assert_eq!(sets::application_picture(&pack, "pi-hole"), Some("<svg id=\"pihole\"/>".to_owned()));
    assert_eq!(sets::application_picture(&pack, "sonarr-dark"), Some("<svg id=\"sonarr\"/>".to_owned()));
    assert_eq!(sets::application_picture(&pack, "plex"), None);
}

#[test]
fn addresses_are_exact() {
    let pack = small_pack();
    assert_eq!(name(sets::by_address(&pack, "mdi", "alien")), "mdi/alien");
    assert_eq!(name(sets::by_address(&pack, "si", "twitter")), "si/x");
    for (set, icon) in [("mdi", "Alien"), ("mdi", "plex"), ("homelab", "sonarr"), ("fa-v4", "file-text-o")] {
        assert_eq!(name(sets::by_address(&pack, set, icon)), "-", "{set}/{icon}");
    }
}
