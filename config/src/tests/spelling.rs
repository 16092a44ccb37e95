//! A write leaves scalars as they are written, and changes only what it names (docs/spec/config.md 13).

use proptest::prelude::*;
use serde_json::{Value, json};

use super::document;
use crate::{Change, Config, Document, Selector, ValuePath};

/// Scalars that a reader of YAML 1.1 or 1.2 could take for something else than text, or for another text.
pub(super) fn odd_scalar() -> impl Strategy<Value = String> {
    let words = prop::sample::select(vec![
        "1.10",
        "4.50",
        "0443",
        "007",
        "017",
        "0x1F",
        "0o17",
        "0b11",
        "+12",
        "-0",
        ".5",
        "1.",
        "1e3",
        "12e4",
        "00000e12",
        "1E5",
        "0012345",
        "12345678901234567890123456789012",
        "18446744073709551616",
        "1e999",
        "0.30000000000000000001",
        "1_000",
        "0x_1F",
        "12:30",
        "190:20:30",
        "2024-01-01",
        "2024-01-01T10:00:00Z",
        ".inf",
        "-.INF",
        ".NaN",
        "True",
        "FALSE",
        "yes",
        "No",
        "on",
        "OFF",
        "y",
        "N",
        "=",
        "1.2.3",
        "443",
        "1.5",
        "-7",
        "+",
        ".",
        "0x",
        "<",
    ]);
    prop_oneof![
        3 => words.prop_map(str::to_owned),
        1 => "[-+]?[0-9]{1,40}",
        1 => "[-+]?[0-9]{0,20}[.][0-9]{0,20}([eE][-+]?[0-9]{1,3})?",
        1 => "0[xob][0-9a-fA-F]{1,20}",
        1 => "[0-9]{1,2}(:[0-5][0-9]){1,2}",
    ]
    .prop_filter("a scalar", |text| !text.is_empty() && text != "." && text != "-" && text != "-.")
}

/// The file that the tests change; the scalars are in places that want text.
fn file(odd: &[String]) -> String {
    let [title, tag, key, header, user, group] = odd else { panic!("six scalars") };
    format!(
        "\
pageInfo:
  title: {title}
appConfig:
  auth:
    users:
      - user: {user}
        hash: {key}
        type: admin
    oidc:
      adminGroup: {group}
sections:
  - name: One
    items:
      - title: {title}
        url: http://a.lan
        tags:
          - {tag}
          - x
      - title: Other
        url: http://b.lan
    widgets:
      - type: api-response
        options:
          apiKey: {key}
          headers:
            X-Key: {header}
"
    )
}

fn odd_scalars() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(odd_scalar(), 6)
}

/// The text of a value as a text option of a widget gets it.
fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(60) })]

    #[test]
    fn a_scalar_keeps_its_text_where_text_belongs(odd in odd_scalars()) {
        let document = document(&file(&odd));
        let config = Config::read(&document).unwrap();
        let [title, tag, key, header, user, group] = odd.as_slice() else { unreachable!() };
        prop_assert_eq!(config.page_info.title.as_deref(), Some(title.as_str()));
        let item = &config.sections[0].items[0];
        prop_assert_eq!((&item.title, &item.tags[0]), (title, tag));
        let auth = document.value().pointer("/appConfig/auth").unwrap();
        prop_assert_eq!(text(&auth["users"][0]["user"]), user.clone());
        prop_assert_eq!(text(&auth["oidc"]["adminGroup"]), group.clone());
        let options = document.value().pointer("/sections/0/widgets/0/options").unwrap();
        prop_assert_eq!((text(&options["apiKey"]), text(&options["headers"]["X-Key"])), (key.clone(), header.clone()));
    }

    #[test]
    fn a_write_changes_only_what_it_names(odd in odd_scalars()) {
        let text = file(&odd);
        let expected = text.replace("http://b.lan\n", "http://b.lan\n        description: new\n");
        let fields = json!({ "description": "new" });
        // The API.
        let mut edited = document(&text);
        let (section, item) = (Selector::Index(0), Selector::Index(1));
        edited.patch_item(&section, &item, fields.as_object().unwrap().clone()).unwrap();
        prop_assert_eq!(edited.print(), expected.clone());
        // The form: it writes the whole item.
        let mut draft = document(&text);
        let at = ValuePath::section(0).key("items").index(1);
        let mut value = draft.at(&at).unwrap().clone();
        value["description"] = "new".into();
        let back = draft.apply(Change::Replace { at, value }).unwrap();
        prop_assert_eq!(draft.print(), expected.clone());
        draft.apply(back).unwrap();
        prop_assert_eq!(draft.print(), text.clone());
        // A client of the API that sends back all that it got.
        let all = Document::from_json(edited.to_json()).spelled_like(&document(&text));
        prop_assert_eq!(all.print(), expected);
    }

    #[test]
    fn whatever_moves_keeps_its_text(odd in odd_scalars()) {
        let read = document(&file(&odd));
        let mut moved = read.clone();
        let items = ValuePath::section(0).key("items");
        let first = moved.at(&items.clone().index(0)).unwrap().clone();
        moved.apply(Change::Remove { list: items.clone(), index: 0 }).unwrap();
        moved.apply(Change::Insert { list: items, index: 1, value: first.clone() }).unwrap();
        let again = document(&moved.print());
        prop_assert_eq!(again.value(), moved.value());
        let line = format!("- title: {}\n", odd[0]);
        prop_assert!(moved.print().contains(&line));
    }

    #[test]
    fn what_is_in_quotes_stays_in_quotes(odd in odd_scalar()) {
        let text = format!("a: '{odd}'\nb: x\n");
        let mut read = document(&text);
        prop_assert_eq!(&read.value()["a"], &json!(odd));
        read.apply(Change::Replace { at: ValuePath::top().key("b"), value: "y".into() }).unwrap();
        let again = document(&read.print());
        prop_assert_eq!(&again.value()["a"], &json!(odd));
        // Where a key has both, both are in quotes: nobody reads that as something else.
        let mut both = document(&format!("- a: '{odd}'\n- a: {odd}\n- b: x\n"));
        both.apply(Change::Remove { list: ValuePath::top(), index: 2 }).unwrap();
        let again = document(&both.print());
        prop_assert_eq!(&again.value()[0]["a"], &json!(odd));
        prop_assert_eq!(self::text(&again.value()[1]["a"]), odd);
    }
}

#[test]
fn empty_values_and_keys_stay_as_they_are_written() {
    let text = "\
1.10: a
on: b
443: c
'no': d
appConfig:
  statusCheckInterval: 030
  statusCheck: True
  theme: ~
sections:
  - name: One
    items:
    widgets: null
  - name: Two
    items:
";
    let mut document = document(text);
    document.apply(Change::Replace { at: ValuePath::section(0).key("name"), value: "1".into() }).unwrap();
    assert_eq!(document.print(), text.replace("name: One", "name: '1'"));
}

#[test]
fn a_new_text_is_printed_unambiguously() {
    let mut read = document("sections:\n  - name: 1.10\n    items: []\n");
    let section = json!({ "name": "1.20" });
    read.add_section(section.as_object().unwrap().clone()).unwrap();
    assert_eq!(read.print(), "sections:\n  - name: 1.10\n    items: []\n  - name: '1.20'\n");
}
