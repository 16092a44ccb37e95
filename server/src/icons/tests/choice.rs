use super::{Installation, PNG};
use crate::icons::choice::{IconGroup, MAX_AT_ONCE};

fn found(place: &Installation, words: &str, group: Option<IconGroup>) -> Vec<String> {
    place.icons.search(words, group, 0).icons.into_iter().map(|icon| icon.value).collect()
}

#[test]
fn icons_are_found_by_their_words_the_best_first() {
    let place = Installation::new();
    let all = found(&place, "home assistant", None);
    // The brand is written without a hyphen.
    assert_eq!(all[..2], ["si-homeassistant", "mdi-home-assistant"]);
    assert_eq!(found(&place, "Gauge", None), ["fas fa-gauge-high"]);
    assert_eq!(found(&place, "lines", Some(IconGroup::FontAwesome)), ["fas fa-file-lines", "far fa-file-lines"]);
    assert_eq!(found(&place, "sonarr", None), ["hl-sonarr"]);
    assert_eq!(found(&place, "no such icon", None), [""; 0]);
    let rocket = place.icons.search("rocket", None, 0);
    let rocket = &rocket.icons[0];
    assert_eq!((rocket.value.as_str(), rocket.name.as_str(), &rocket.picture), ("🚀", "rocket", &None));
}

#[test]
fn other_names_of_an_icon_lead_to_it_once() {
    let place = Installation::new();
    assert_eq!(found(&place, "settings", Some(IconGroup::Symbols)), ["mdi-cog"]);
    assert_eq!(found(&place, "chatgpt", Some(IconGroup::Brands)), ["fab fa-openai"]);
    assert_eq!(found(&place, "twitter", None), ["si-x", "fab fa-twitter"]);
    assert_eq!(found(&place, "thumbsup", Some(IconGroup::Emoji)), found(&place, "thumbs up", Some(IconGroup::Emoji)));
}

#[test]
fn pictures_are_on_our_own_origin_and_own_files_come_first() {
    let place = Installation::new();
    place.write("user-data/item-icons/logos/my plex.png", PNG);
    place.write("user-data/item-icons/a:b.png", PNG);
    place.write("user-data/other/plex.png", PNG);
    place.icons.rescan();
    let icons = place.icons.search("plex", None, 0).icons;
    let shown: Vec<_> = icons.iter().map(|icon| (icon.value.as_str(), icon.picture.as_deref().unwrap())).collect();
    assert_eq!(
        shown,
        [("si-plex", "/start/icons/si/plex.svg#i"), ("logos/my plex.png", "/start/icons/file/logos/my%20plex.png"),]
    );
    assert_eq!(found(&place, "", Some(IconGroup::Files)), ["logos/my plex.png"]);
    let sonarr = place.icons.search("sonarr", None, 0).icons;
    assert_eq!(sonarr[0].picture.as_deref(), Some("/start/icons/hl/sonarr"));
}

#[test]
fn pictures_of_selfhst_have_the_names_of_applications_and_of_whatever_is_looked_for() {
    let place = Installation::new();
    place.write("user-data/item-icons/sh/webp/my-son.webp", PNG);
    place.icons.rescan();
    let group = Some(IconGroup::Selfhst);
    assert_eq!(found(&place, "son", group), ["sh-sonarr", "sh-my-son", "sh-son"]);
    assert_eq!(found(&place, "Sonarr", group), ["sh-sonarr"]);
    let icons = place.icons.search("no such thing", group, 0).icons;
    assert_eq!(
        (icons[0].value.as_str(), icons[0].picture.as_deref()),
        ("sh-no-such-thing", Some("/start/icons/sh/no-such-thing"))
    );
    // Among all kinds they would double the applications.
    assert_eq!(found(&place, "sonarr", None), ["hl-sonarr"]);
}

#[test]
fn much_comes_in_pages() {
    let place = Installation::new();
    let first = place.icons.search("", Some(IconGroup::Emoji), 0);
    assert_eq!(first.icons.len(), MAX_AT_ONCE);
    assert!(first.total > 1500);
    let second = place.icons.search("", Some(IconGroup::Emoji), MAX_AT_ONCE);
    assert_ne!(first.icons[0], second.icons[0]);
    let end = place.icons.search("", Some(IconGroup::Emoji), first.total);
    assert_eq!((end.icons.len(), end.total), (0, first.total));
}

#[test]
fn a_service_has_its_picture_or_a_glyph() {
    let place = Installation::new();
    assert_eq!(place.icons.application_or_glyph(Some("Pi-hole"), "alien"), "/start/icons/hl/pi-hole");
    assert_eq!(place.icons.application_or_glyph(Some("Nobody"), "alien"), "/start/icons/mdi/alien.svg#i");
    assert_eq!(place.icons.application_or_glyph(None, "alien"), "/start/icons/mdi/alien.svg#i");
}
