//! Names in addresses, ids and classes (docs/spec/config.md 12).

use proptest::prelude::*;

use crate::slug::{distinct, item_id, page_slug, section_class, section_key};

fn check(name: &str, expected: &str) {
    assert_eq!(page_slug(name), expected, "{name:?}");
    assert_eq!(page_slug(expected), expected, "{name:?} twice");
}

#[test]
fn slugs() {
    for (name, expected) in [
        ("🌐 Command Center!", "command-center"),
        ("Größe", "größe"),
        ("Gro\u{308}ße", "größe"),
        ("日本語 工具", "日本語-工具"),
        ("$100 Club", "100-club"),
        ("config.yml", "config"),
        ("Main", "main-page"),
        ("main.yml", "main-page"),
        ("main-page", "main-page"),
        ("", "unnamed-page"),
        ("🚀", "unnamed-page"),
        ("☁️ Cloud", "cloud"),
        ("-Homelab", "homelab"),
        ("a \t b", "a-b"),
        ("snake_case", "snake_case"),
        ("../../etc/passwd", "etcpasswd"),
        ("ÀÉ", "àé"),
        ("हिन्दी", "हिन्दी"),
    ] {
        check(name, expected);
    }
}

#[test]
fn equal_names_get_numbers() {
    let check = |names: &[&str], expected: &[&str]| {
        let names: Vec<_> = names.iter().map(|name| (*name).to_owned()).collect();
        assert_eq!(distinct(&names), expected, "{names:?}");
    };
    check(&["a", "b"], &["a", "b"]);
    check(&["a", "a", "a"], &["a", "a-2", "a-3"]);
    check(&["a", "a", "a-2"], &["a", "a-3", "a-2"]);
    check(&["a-2", "a-2", "a", "a"], &["a-2", "a-2-2", "a", "a-3"]);
    check(&["", ""], &["", "-2"]);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn twice_is_once(name in any::<String>()) {
        let slug = page_slug(&name);
        prop_assert_eq!(page_slug(&slug), slug.clone());
        prop_assert!(!slug.is_empty() && slug != "main" && !slug.contains(['/', '.', ' ', '?', '#', '%']));
    }

    #[test]
    fn no_two_are_equal(names in proptest::collection::vec("a?(-[2-4]){0,2}", 0..12)) {
        let unique = distinct(&names);
        prop_assert_eq!(unique.iter().collect::<std::collections::HashSet<_>>().len(), names.len());
        for (position, name) in names.iter().enumerate() {
            prop_assert_eq!(&unique[position] == name, !names[..position].contains(name));
        }
    }
}

#[test]
fn ids_keys_and_classes() {
    assert_eq!(item_id(0, "Favs", "Youtube"), "0_400_youtube");
    assert_eq!(item_id(12, "homelab", "Home Assistant 2"), "12_728_homeassistant");
    assert_eq!(item_id(3, "🚀", "日本"), format!("3_{}_", 0xd83d + 0xde80));
    assert_eq!(section_key("home", "Dev & Cloud"), "home-dev---cloud");
    assert_eq!(section_key("lab", "A1"), "lab-a1");
    assert_eq!(section_class("Dev & Cloud"), "section_dev-&-cloud");
    assert_eq!(section_class(""), "unnamed-section");
}
