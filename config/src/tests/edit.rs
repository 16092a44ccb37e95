//! The changes that the REST API makes (docs/spec/api.md 5 and 6).

use serde_json::{Map, Value, json};

use super::document;
use crate::{Document, EditError, Selector, TopLevelKey};

const BASE: &str = "\
pageInfo: { title: Base }
sections:
  - name: Alpha
    icon: mdi-alpha
    items:
      - { title: One, url: 'https://one.example' }
      - { title: Two }
      - { title: One, url: 'https://dup.example' }
  - name: Beta
  - name: Alpha
    items: [{ title: Shadow }]
  - name: 'A/B & C'
    items: text
  - broken
  - name: '2'
  - name: 404
    items: [1, { title: 7.5 }]
";

fn at(address: &str) -> Selector {
    Selector::parse(address)
}

fn fields(value: Value) -> Map<String, Value> {
    value.as_object().unwrap().clone()
}

#[test]
fn addresses() {
    for (segment, expected) in [
        ("0", Selector::Index(0)),
        ("007", Selector::Index(7)),
        ("99999999999999999999", Selector::Index(usize::MAX)),
        ("-1", Selector::Name("-1".into())),
        ("1.5", Selector::Name("1.5".into())),
        ("+1", Selector::Name("+1".into())),
        ("0x1", Selector::Name("0x1".into())),
        ("", Selector::Name(String::new())),
        ("٣", Selector::Name("٣".into())),
        ("A/B", Selector::Name("A/B".into())),
    ] {
        assert_eq!(Selector::parse(segment), expected);
    }
}

#[test]
fn sections_by_address() {
    fn check(address: &str, expected: Option<usize>) {
        let document = document(BASE);
        assert_eq!(document.section(&at(address)).ok().map(|(index, _)| index), expected, "{address}");
    }
    for (address, expected) in [
        ("0", Some(0)),
        ("00", Some(0)),
        ("Alpha", Some(0)),
        ("2", Some(2)),
        ("5", Some(5)),
        ("A/B & C", Some(3)),
        ("4", Some(4)),
        ("alpha", None),
        (" Alpha", None),
        ("-1", None),
        ("7", None),
        ("404", None),
        ("99999999999999999999", None),
    ] {
        check(address, expected);
    }
}

#[test]
fn items_by_address() {
    fn check(section: &str, address: &str, expected: Result<usize, EditError>) {
        let document = document(BASE);
        assert_eq!(document.item(&at(section), &at(address)).map(|(index, _)| index), expected);
    }
    check("0", "One", Ok(0));
    check("0", "2", Ok(2));
    check("6", "7.5", Ok(1));
    check("6", "0", Ok(0));
    let missing = |section: &str, address: &str| EditError::ItemNotFound { section: at(section), address: at(address) };
    check("0", "99", Err(missing("0", "99")));
    check("Beta", "Nope", Err(missing("Beta", "Nope")));
    check("99", "0", Err(EditError::SectionNotFound { address: at("99") }));
    check("3", "0", Err(EditError::NotAList { what: "`items` of section `3`".into() }));
    check("4", "0", Err(EditError::BrokenElement { what: "section `4`".into() }));
}

#[test]
fn lists_that_are_missing_are_empty() {
    let document = document(BASE);
    assert_eq!(document.items(&at("Beta")).unwrap(), &[] as &[Value]);
    assert_eq!(super::document("pageInfo: {}").sections().unwrap(), &[] as &[Value]);
    assert_eq!(super::document("sections:\n").sections().unwrap(), &[] as &[Value]);
    assert_eq!(
        super::document("sections: text").sections().unwrap_err(),
        EditError::NotAList { what: "`sections`".into() }
    );
    for text in ["", "- 1\n", "text\n"] {
        assert_eq!(super::document(text).sections().unwrap_err(), EditError::NotAMapping);
    }
}

#[test]
fn keys() {
    assert_eq!(TopLevelKey::parse("PageInfo"), None);
    assert_eq!(TopLevelKey::parse("banana"), None);
    let mut document = document("pageInfo: { title: A }\nother: 1\n");
    assert_eq!(document.key(TopLevelKey::PageInfo).unwrap(), &json!({ "title": "A" }));
    assert_eq!(document.key(TopLevelKey::AppConfig), Err(EditError::KeyNotFound(TopLevelKey::AppConfig)));
    document.set_key(TopLevelKey::PageInfo, json!({ "title": "B" })).unwrap();
    document.set_key(TopLevelKey::AppConfig, json!({ "theme": "nord" })).unwrap();
    assert_eq!(document.print(), "pageInfo:\n  title: B\nother: 1\nappConfig:\n  theme: nord\n");
    assert_eq!(Document::default().set_key(TopLevelKey::Pages, json!([])), Err(EditError::NotAMapping));
}

#[test]
fn adding() {
    let mut document = document(BASE);
    assert_eq!(document.add_section(fields(json!({ "name": "Alpha", "x": 1 }))), Ok(7));
    assert_eq!(document.section(&at("Alpha")).unwrap().0, 0);
    for bad in [json!({}), json!({ "name": "" }), json!({ "name": null }), json!({ "name": 5 })] {
        assert_eq!(document.add_section(fields(bad)), Err(EditError::NameMissing));
    }
    assert_eq!(document.add_item(&at("Beta"), fields(json!({ "title": "N" }))), Ok(0));
    assert_eq!(document.add_item(&at("0"), fields(json!({ "title": "N" }))), Ok(3));
    assert_eq!(
        document.add_item(&at("99"), fields(json!({ "title": "N" }))),
        Err(EditError::SectionNotFound { address: at("99") })
    );
    // The body is checked before the section.
    assert_eq!(document.add_item(&at("99"), fields(json!({}))), Err(EditError::TitleMissing));
    assert!(matches!(document.add_item(&at("3"), fields(json!({ "title": "N" }))), Err(EditError::NotAList { .. })));

    let mut empty = super::document("pageInfo: {}\n");
    assert_eq!(empty.add_section(fields(json!({ "name": "G" }))), Ok(0));
    let mut scalar = super::document("sections: text\n");
    assert!(matches!(scalar.add_section(fields(json!({ "name": "G" }))), Err(EditError::NotAList { .. })));
}

#[test]
fn patching() {
    let mut document = document(BASE);
    document.patch_section(&at("0"), fields(json!({ "icon": "fas fa-star", "new": null }))).unwrap();
    let (_, section) = document.section(&at("0")).unwrap();
    let order: Vec<_> = section.as_object().unwrap().keys().collect();
    assert_eq!(order, ["name", "icon", "items", "new"]);
    assert_eq!(section["icon"], "fas fa-star");
    assert_eq!(section["items"].as_array().unwrap().len(), 3);

    document.patch_section(&at("0"), fields(json!({ "items": [{ "title": "Only" }] }))).unwrap();
    assert_eq!(document.items(&at("0")).unwrap().len(), 1);
    document.patch_section(&at("Beta"), fields(json!({ "name": "Delta" }))).unwrap();
    assert!(document.section(&at("Beta")).is_err());
    assert_eq!(document.patch_section(&at("99"), fields(json!({ "name": null }))), Err(EditError::NameMissing));
    assert_eq!(document.patch_section(&at("0"), fields(json!({}))), Ok(0));
    assert!(matches!(document.patch_section(&at("4"), fields(json!({}))), Err(EditError::BrokenElement { .. })));

    document.patch_item(&at("0"), &at("Only"), fields(json!({ "description": null }))).unwrap();
    assert_eq!(document.item(&at("0"), &at("0")).unwrap().1, &json!({ "title": "Only", "description": null }));
    assert_eq!(document.patch_item(&at("0"), &at("0"), fields(json!({ "title": "" }))), Err(EditError::TitleMissing));
    assert!(matches!(document.patch_item(&at("6"), &at("0"), fields(json!({}))), Err(EditError::BrokenElement { .. })));
}

#[test]
fn deleting() {
    let mut document = document(BASE);
    assert_eq!(document.delete_section(&at("Alpha")).unwrap()["icon"], "mdi-alpha");
    assert_eq!(document.section(&at("Alpha")).unwrap().0, 1);
    assert!(document.delete_section(&at("99")).is_err());
    document.delete_item(&at("Alpha"), &at("Shadow")).unwrap();
    assert_eq!(document.items(&at("Alpha")).unwrap().len(), 0);
    // A failed change leaves no trace.
    let mut empty = super::document("pageInfo: {}\n");
    assert!(empty.delete_section(&at("0")).is_err());
    assert_eq!(empty, super::document("pageInfo: {}\n"));
}

#[test]
fn unknown_keys_survive_and_leftovers_go() {
    let mut document = document(
        "madeUp: { a: [1] }\nsections:\n  - { name: A, filteredItems: [1], own: 2, items: [{ title: x, id: 3 }] }\n",
    );
    document.patch_section(&at("A"), fields(json!({ "icon": "x" }))).unwrap();
    assert_eq!(
        *document.value(),
        json!({ "madeUp": { "a": [1] }, "sections": [{ "name": "A", "own": 2, "items": [{ "title": "x", "id": 3 }], "icon": "x" }] })
    );
    let put = Document::from_json(json!({ "sections": [{ "name": "A", "filteredItems": [] }] }));
    assert_eq!(*put.value(), json!({ "sections": [{ "name": "A" }] }));
}

#[test]
fn messages_name_the_thing() {
    for (error, expected) in [
        (EditError::SectionNotFound { address: at("News") }, "section `News` not found"),
        (EditError::ItemNotFound { section: at("0"), address: at("x") }, "item `x` not found in section `0`"),
        (EditError::NotAList { what: "`sections`".into() }, "`sections` is not a list"),
        (EditError::KeyNotFound(TopLevelKey::Pages), "the config has no `pages`"),
    ] {
        assert_eq!(error.to_string(), expected);
    }
}
