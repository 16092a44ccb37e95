//! Printed text reads back the same, here and with another reader (docs/spec/api.md 9.1).

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::{Document, MAX_WRITTEN_BYTES, document::print};

fn check(value: &Value, expected: &str) {
    let text = print(value);
    assert_eq!(text, expected);
    check_reads_back(value);
}

fn check_reads_back(value: &Value) {
    let text = print(value);
    let ours = Document::parse(text.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{}\n{text}", error.excerpt));
    // Compared as text, because the order of the keys counts too.
    assert_eq!(ours.value().to_string(), value.to_string(), "{text}");
    let (stored, read) = Document::from_json(value.clone()).into_stored().unwrap();
    assert_eq!((stored, read), (text.clone().into(), ours), "{text}");
    let other: serde_yaml::Value = serde_yaml::from_str(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(as_json(other), *value, "{text}");
}

/// The other reader's value as JSON. Its keys are texts, because we quote every key that would not be one.
fn as_json(value: serde_yaml::Value) -> Value {
    match value {
        serde_yaml::Value::Null => Value::Null,
        serde_yaml::Value::Bool(flag) => flag.into(),
        serde_yaml::Value::Number(number) => serde_json::to_value(number).unwrap(),
        serde_yaml::Value::String(text) => text.into(),
        serde_yaml::Value::Sequence(elements) => elements.into_iter().map(as_json).collect(),
        serde_yaml::Value::Mapping(mapping) => Value::Object(
            mapping.into_iter().map(|(key, value)| (key.as_str().unwrap().to_owned(), as_json(value))).collect(),
        ),
        serde_yaml::Value::Tagged(tagged) => panic!("unexpected tag {}", tagged.tag),
    }
}

#[test]
fn layout() {
    let value = json!({
        "pageInfo": { "title": "Größe 日本 🚀", "navLinks": [] },
        "appConfig": {},
        "sections": [
            { "name": "A", "items": [{ "title": "x", "tags": ["a", "b"] }, { "title": "y" }] },
            {},
            [[1, 2], []],
            null,
            true,
        ],
        "footer": "one\ntwo\n",
    });
    let expected = "\
pageInfo:
  title: Größe 日本 🚀
  navLinks: []
appConfig: {}
sections:
  - name: A
    items:
      - title: x
        tags:
          - a
          - b
      - title: 'y'
  - {}
  - - - 1
      - 2
    - []
  - null
  - true
footer: |
  one
  two
";
    check(&value, expected);
}

#[test]
fn texts_that_need_quotes() {
    for text in [
        "",
        "yes",
        "No",
        "ON",
        "off",
        "y",
        "N",
        "true",
        "False",
        "null",
        "~",
        "1",
        "1e3",
        "0x1f",
        "0o17",
        "017",
        "0b11",
        "1_000",
        "12:30",
        "190:20:30",
        "1.5",
        ".5",
        "+1",
        "-1",
        ".inf",
        "-.INF",
        ".nan",
        "2024-01-01",
        "2024-01-01T00:00:00Z",
        "2024-01-01 00:00:00 +1",
        "<<",
        "=",
        "-",
        "- a",
        "--- a",
        "...",
        "?",
        "? a",
        ":",
        ": a",
        "a: b",
        "a:",
        "a #b",
        "#a",
        "&a",
        "*a",
        "!a",
        "!!str",
        "|",
        ">",
        "'a'",
        "\"a\"",
        "%a",
        "@a",
        "`a`",
        "[a",
        "]",
        "{a",
        "}",
        ",a",
        " a",
        "a ",
        "\ta",
        "a\tb",
        "1,000",
        "0",
        "00",
        "1e999",
        "it's",
    ] {
        let printed = print(&json!([text]));
        let starts_with_quote = printed.starts_with("- '") || printed.starts_with("- \"");
        assert!(starts_with_quote || text == "it's", "{printed}");
        for value in [json!({ "k": text }), json!([text]), json!({ text: 1 }), json!(text), json!([{ text: text }])] {
            check_reads_back(&value);
        }
    }
}

#[test]
fn texts_that_need_none() {
    for text in [
        "a",
        "https://x.example/a?b=c&d#e",
        "fas fa-rocket",
        "7zip",
        "a:b",
        "a#b",
        "x, y",
        "Größe",
        "🚀",
        "$100",
        "(a)",
        "/item-icons/x.png",
        "true story",
        "a'b\"c",
        "1Password",
    ] {
        assert_eq!(print(&json!([text])), format!("- {text}\n"));
        check_reads_back(&json!([text]));
    }
}

#[test]
fn texts_of_several_lines() {
    for (text, expected) in [
        ("a\nb", "- |-\n  a\n  b\n"),
        ("a\nb\n", "- |\n  a\n  b\n"),
        ("a\n\n\n", "- |+\n  a\n\n\n"),
        (" a\nb", "- |2-\n   a\n  b\n"),
        ("a\n\nb", "- |-\n  a\n\n  b\n"),
        ("a\n  b: c # d\n", "- |\n  a\n    b: c # d\n"),
        ("\n", "- \"\\n\"\n"),
        ("a\n \nb", "- \"a\\n \\nb\"\n"),
        ("a\r\nb", "- \"a\\r\\nb\"\n"),
        ("a\u{85}b", "- \"a\\x85b\"\n"),
        ("a\u{2028}\n", "- \"a\\u2028\\n\"\n"),
        ("\u{feff}", "- \"\\ufeff\"\n"),
        ("\u{1b}[0m", "- \"\\x1b[0m\"\n"),
        ("a\\\"\n\u{0}", "- \"a\\\\\\\"\\n\\x00\"\n"),
    ] {
        if text.contains('\0') {
            assert_eq!(print(&json!([text])), expected);
            assert_eq!(*super::document(expected).value(), json!([text]));
        } else {
            check(&json!([text]), expected);
        }
        if !text.contains('\0') {
            check_reads_back(&json!({ "k": text, "l": { "m": [text, 1] } }));
            check_reads_back(&json!({ text: text }));
            check_reads_back(&json!(text));
        }
    }
}

#[test]
fn numbers() {
    for (value, expected) in [
        (json!(0), "0\n"),
        (json!(u64::MAX), "18446744073709551615\n"),
        (json!(i64::MIN), "-9223372036854775808\n"),
        (json!(1.0), "1.0\n"),
        (json!(1e300), "1.0e+300\n"),
        (json!(1.5e-9), "1.5e-9\n"),
        (json!(-0.5), "-0.5\n"),
    ] {
        check(&value, expected);
    }
}

#[test]
fn long_keys() {
    for length in [500, 513, 1024, 5000] {
        check_reads_back(&json!({ "a".repeat(length): { "b": [1] }, "c": { "d ".repeat(length): "x\ny" } }));
    }
}

#[test]
fn largest_file() {
    // `a: ` before and a line feed after.
    let document = |length: usize| Document::from_json(json!({ "a": "x".repeat(length - 4) }));
    assert_eq!(document(MAX_WRITTEN_BYTES).print_for_storage().unwrap().len(), MAX_WRITTEN_BYTES);
    let error = document(MAX_WRITTEN_BYTES + 1).print_for_storage().unwrap_err();
    assert!(error.to_string().contains("256"), "{error}");
}

/// Texts composed of characters that are special somewhere in YAML.
fn text() -> impl Strategy<Value = String> {
    let special = prop::sample::select(vec![
        " ", "  ", "\n", "\n\n", "\t", "\r", ":", ": ", " #", "#", "-", "- ", "?", "? ", ",", "[", "]", "{", "}", "&",
        "*", "!", "|", ">", "'", "\"", "%", "@", "`", "~", "=", "<<", "...", "---", ".", "_", "e", "x", "0", "1", "60",
        "\\", "\u{85}", "\u{a0}", "\u{2028}", "\u{feff}", "\u{7f}", "\u{1}", "ä", "日", "🚀", "\u{200d}", "\u{fe0f}",
        "yes", "null", "a", "b", "\u{e000}", "\u{fffd}",
    ]);
    prop_oneof![
        3 => prop::collection::vec(special, 0..8).prop_map(|parts| parts.concat()),
        1 => "[ -~\n]{0,20}",
        1 => any::<String>().prop_map(|text| text.replace('\0', "")),
    ]
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        // The other reader has its own float parser; ours is the standard library's.
        (-1.0e9..1.0e9).prop_map(|number: f64| Value::from(number)),
        text().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec((text(), inner), 0..6)
                .prop_map(|pairs| Value::Object(pairs.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_value_reads_back(value in value()) {
        check_reads_back(&value);
    }

    #[test]
    fn any_float_reads_back(number in any::<f64>()) {
        if number.is_finite() {
            let text = print(&json!([number]));
            let read = super::document(&text);
            prop_assert_eq!(read.value(), &json!([number]));
        }
    }

    #[test]
    fn no_text_makes_the_parser_fall(text in text(), more in text()) {
        // Whatever it reads, no matter who wrote it, is the same after printing.
        if let Ok(read) = Document::parse(format!("a: {text}\nb:\n  - {more}\n").as_bytes()) {
            let again = Document::parse(read.print().as_bytes()).unwrap();
            prop_assert_eq!(again.value().to_string(), read.value().to_string());
        }
    }
}
