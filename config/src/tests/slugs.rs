//! Names in addresses, ids and classes (docs/spec/config.md 12).

use proptest::prelude::*;

use crate::slug::{item_id, page_slug, section_class, section_key};

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

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn twice_is_once(name in any::<String>()) {
        let slug = page_slug(&name);
        prop_assert_eq!(page_slug(&slug), slug.clone());
        prop_assert!(!slug.is_empty() && slug != "main" && !slug.contains(['/', '.', ' ', '?', '#', '%']));
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
