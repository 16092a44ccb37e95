//! The labels of each dashboard.

use config::model::LabelFamily;
use discovery::{LabelProblem, read_labels};
use serde_json::{Value, json};

use crate::labels;

/// The item, section and weight that labels give.
fn read(pairs: &[(&str, &str)], instance: Option<&str>) -> (Value, Option<String>, i64) {
    let mut entries = read_labels(&labels(pairs), &[], instance).unwrap();
    assert_eq!(entries.len(), 1, "{entries:?}");
    let entry = entries.remove(0);
    (Value::Object(entry.item), entry.section, entry.weight)
}

#[test]
fn our_labels_are_the_fields_of_an_item() {
    let (item, section, weight) = read(
        &[
            ("portico.title", "Films"),
            ("portico.url", "https://films.example"),
            ("portico.section", "Media"),
            ("portico.weight", "-5"),
            ("portico.tags", "video, film"),
            ("portico.hotkey", "3"),
            ("portico.statusCheck", "true"),
            ("portico.statusCheckAcceptCodes", "401"),
            ("portico.statusCheckHeaders.X-A", "1"),
            ("portico.displayData.hideForUsers[0]", "anna"),
            ("portico.subItems[1].title", "B"),
            ("portico.subItems[0].title", "A"),
            ("other.label", "x"),
        ],
        None,
    );
    assert_eq!((section.as_deref(), weight), (Some("Media"), -5));
    assert_eq!(
        item,
        json!({
            "title": "Films",
            "url": "https://films.example",
            "tags": ["video", "film"],
            "hotkey": 3,
            "statusCheck": true,
            "statusCheckAcceptCodes": "401",
            "statusCheckHeaders": { "X-A": "1" },
            "displayData": { "hideForUsers": ["anna"] },
            "subItems": [{ "title": "A" }, { "title": "B" }],
        })
    );
}

#[test]
fn labels_of_homepage_become_an_item_with_widgets() {
    let all = labels(&[
        ("homepage.name", "Films"),
        ("homepage.group", "Media"),
        ("homepage.href", "https://films.example"),
        ("homepage.icon", "jellyfin.png"),
        ("homepage.target", "_self"),
        ("homepage.weight", "10"),
        ("homepage.siteMonitor", "http://films:8096"),
        ("homepage.ping", "http://films.lan:80/x"),
        ("homepage.widgets[1].type", "plex"),
        ("homepage.widgets[0].type", "jellyfin"),
        ("homepage.widgets[0].fields", "[\"movies\", \"series\"]"),
        ("homepage.widget.type", "sonarr"),
        ("homepage.widget.fields[0]", "wanted"),
        ("homepage.showStats", "true"),
    ]);
    let entry = read_labels(&all, &[], None).unwrap().remove(0);
    assert_eq!((entry.section.as_deref(), entry.weight), (Some("Media"), 10));
    assert_eq!(
        Value::Object(entry.item),
        json!({
            "title": "Films", "icon": "hl-jellyfin", "url": "https://films.example", "target": "sametab",
            "statusCheck": true, "statusCheckUrl": "http://films:8096",
            "pingCheckEnabled": true, "pingCheckHost": "films.lan",
        })
    );
    let widgets: Vec<Value> = entry.widgets.into_iter().map(Value::Object).collect();
    assert_eq!(
        widgets,
        [
            json!({ "type": "jellyfin", "fields": ["movies", "series"] }),
            json!({ "type": "plex" }),
            json!({ "type": "sonarr", "fields": ["wanted"] }),
        ]
    );
    assert_eq!(entry.notes, ["`homepage.showStats` is not used"]);
}

#[test]
fn labels_of_an_instance_count_only_there() {
    let pairs: &[(&str, &str)] = &[
        ("homepage.name", "All"),
        ("homepage.group", "G"),
        ("homepage.instance.home.name", "Home"),
        ("homepage.instance.work.lab.group", "Lab"),
    ];
    for (instance, name, group) in
        [(None, "All", "G"), (Some("home"), "Home", "G"), (Some("work.lab"), "All", "Lab"), (Some("work"), "All", "G")]
    {
        let (item, section, _) = read(pairs, instance);
        assert_eq!((item["title"].as_str(), section.as_deref()), (Some(name), Some(group)), "{instance:?}");
    }
    for family in ["homepage", "portico"] {
        let own = labels(&[(&format!("{family}.instance.home.name"), "x"), ("glance.name", "y")]);
        let hidden = read_labels(&own, &[], Some("work"));
        assert!(matches!(hidden, Err(LabelProblem::Hidden(_))), "{hidden:?}");
    }
}

#[test]
fn labels_of_glance_and_flame_become_items() {
    let (item, section, _) = read(
        &[
            ("glance.name", "Films"),
            ("glance.url", "https://films.example"),
            ("glance.icon", "si:jellyfin"),
            ("glance.category", "Media"),
            ("glance.same-tab", "true"),
        ],
        None,
    );
    let expected =
        json!({ "title": "Films", "url": "https://films.example", "icon": "si-jellyfin", "target": "sametab" });
    assert_eq!((item, section.as_deref()), (expected, Some("Media")));

    let two = labels(&[
        ("flame.type", "app;app;bookmark"),
        ("flame.name", "One; Two;Three"),
        ("flame.url", "one.example;two.example"),
        ("flame.icon", "rocket;docker"),
    ]);
    let items: Vec<Value> = read_labels(&two, &[], None).unwrap().into_iter().map(|entry| entry.item.into()).collect();
    assert_eq!(
        items,
        [
            json!({ "title": "One", "url": "one.example", "icon": "mdi-rocket" }),
            json!({ "title": "Two", "url": "two.example" }),
        ]
    );
    let bookmark = labels(&[("flame.type", "bookmark"), ("flame.name", "x")]);
    assert!(matches!(read_labels(&bookmark, &[], None), Err(LabelProblem::Incomplete(_))));
}

#[test]
fn the_first_kind_of_labels_counts_and_a_source_may_choose() {
    let all = labels(&[
        ("flame.type", "app"),
        ("flame.name", "F"),
        ("glance.name", "G"),
        ("homepage.name", "H"),
        ("portico.title", "P"),
    ]);
    let family = |families: &[LabelFamily]| read_labels(&all, families, None).unwrap()[0].family;
    assert_eq!(family(&[]), LabelFamily::Portico);
    assert_eq!(family(&[LabelFamily::Flame, LabelFamily::Glance]), LabelFamily::Glance);
    assert_eq!(read_labels(&labels(&[("org.homepage.name", "x")]), &[], None), Err(LabelProblem::None));
    for (name, value) in [("portico.enable", "false"), ("glance.hide", "true")] {
        assert!(matches!(read_labels(&labels(&[(name, value)]), &[], None), Err(LabelProblem::Hidden(_))), "{name}");
    }
}
