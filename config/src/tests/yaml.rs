//! The value of a file's text (docs/spec/config.md 13).

use serde_json::{Value, json};

use super::document;
use crate::Document;

fn check(text: &str, expected: Value) {
    assert_eq!(*document(text).value(), expected, "{text:?}");
}

/// The text must be refused at this line, with a message that contains `part`.
fn check_error(text: &str, line: usize, part: &str) {
    let error = Document::parse(text.as_bytes()).expect_err(text);
    assert!(error.message.contains(part), "{text:?}: {error}");
    assert_eq!(error.line, line, "{text:?}: {error}");
    assert!(line == 0 || error.excerpt.contains('^'), "{text:?}: {}", error.excerpt);
}

#[test]
fn plain_scalars() {
    let cases = [
        ("0", json!(0)),
        ("-7", json!(-7)),
        ("443", json!(443)),
        ("1.5", json!(1.5)),
        ("1.0", json!(1.0)),
        ("9223372036854775807", json!(i64::MAX)),
        ("18446744073709551615", json!(u64::MAX)),
        ("-9223372036854775808", json!(i64::MIN)),
        ("123456789012345678", json!(123_456_789_012_345_678_u64)),
        ("1_000", json!("1_000")),
        ("1_0.5", json!("1_0.5")),
        ("4_109871_", json!("4_109871_")),
        ("12:30", json!("12:30")),
        ("190:20:30", json!("190:20:30")),
        ("2024-01-01", json!("2024-01-01")),
        ("2024-01-01T10:00:00Z", json!("2024-01-01T10:00:00Z")),
        ("yes", json!("yes")),
        ("No", json!("No")),
        ("on", json!("on")),
        ("OFF", json!("OFF")),
        ("y", json!("y")),
        ("true", json!(true)),
        ("false", json!(false)),
        ("tRUE", json!("tRUE")),
        ("~", Value::Null),
        ("", Value::Null),
        ("Null", Value::Null),
        ("nULL", json!("nULL")),
        ("1e999", json!("1e999")),
        ("0x", json!("0x")),
        ("0o8", json!("0o8")),
        (".", json!(".")),
        ("-", json!([null])),
        ("+", json!("+")),
        ("1.2.3", json!("1.2.3")),
        ("192.168.1.1", json!("192.168.1.1")),
        ("!!str 5", json!("5")),
        ("!!int '5'", json!(5)),
        ("!!int 0x1F", json!(31)),
        ("!!float 1.50", json!(1.5)),
        ("!!float .inf", Value::Null),
        ("!!float 5", json!(5)),
        ("!!bool 'true'", json!(true)),
        ("!!null ''", Value::Null),
        ("! 5", json!("5")),
        ("!<tag:yaml.org,2002:str> 5", json!("5")),
        ("!!timestamp 2024-01-01", json!("2024-01-01")),
        ("'5'", json!("5")),
        ("\"\\u00e9\"", json!("é")),
        ("🚀 up", json!("🚀 up")),
    ];
    for (text, expected) in cases {
        if text == "-" {
            check(text, expected);
        } else {
            check(&format!("a: {text}\n"), json!({ "a": expected }));
        }
    }
}

/// Numbers and booleans in another notation than JSON's may be meant as text: keys, versions, group names.
const OTHER_NOTATIONS: [&str; 34] = [
    "010",
    "09",
    "007",
    "00",
    "-0",
    "+5",
    "0x1F",
    "0o17",
    "0b11",
    "-0x10",
    "1.10",
    "4.50",
    "1e3",
    "12e4",
    "00000e12",
    "-25E-1",
    "1e300",
    ".5",
    "1.",
    "-1.5e-3",
    "0012345",
    "12345678901234567890123456789012",
    "18446744073709551616",
    "0.30000000000000000001",
    ".inf",
    "-.INF",
    ".nan",
    "1e-7",
    "1E5",
    "0xdeadbeef",
    "True",
    "TRUE",
    "False",
    "FALSE",
];

#[test]
fn a_number_in_another_notation_stays_text_where_no_field_wants_a_number() {
    for text in OTHER_NOTATIONS {
        check(&format!("a: {text}\n"), json!({ "a": text }));
        check(&format!("a: [{text}, x]\n"), json!({ "a": [text, "x"] }));
        check(&format!("{text}: a\n"), json!({ text: "a" }));
    }
    for (text, expected) in [
        ("appConfig: {statusCheckInterval: 030}\n", json!({ "appConfig": { "statusCheckInterval": 30 } })),
        (
            "sections: [{items: [{hotkey: 0x7, statusCheck: True}]}]\n",
            json!({ "sections": [{ "items": [{ "hotkey": 7, "statusCheck": true }] }] }),
        ),
        (
            "appConfig: {auth: [{user: 007, type: True}]}\n",
            json!({ "appConfig": { "auth": [{ "user": "007", "type": "True" }] } }),
        ),
        (
            "sections: [{widgets: [{useProxy: TRUE, updateInterval: 0060}]}]\n",
            json!({ "sections": [{ "widgets": [{ "useProxy": true, "updateInterval": 60 }] }] }),
        ),
        ("appConfig: {statusCheckInterval: '030'}\n", json!({ "appConfig": { "statusCheckInterval": "030" } })),
    ] {
        check(text, expected);
    }
}

#[test]
fn forms() {
    let cases = [
        ("---\na: 1\n", json!({ "a": 1 })),
        ("\u{feff}a: 1\r\nb: 2\r\n", json!({ "a": 1, "b": 2 })),
        ("a: 1\n...\n", json!({ "a": 1 })),
        ("%YAML 1.2\n---\na: 1\n", json!({ "a": 1 })),
        ("# nothing\n", Value::Null),
        ("", Value::Null),
        ("---\n", Value::Null),
        ("- 1\n- 2\n", json!([1, 2])),
        ("{a: [1, {b: c}], 'd e': }", json!({ "a": [1, { "b": "c" }], "d e": null })),
        ("a: |\n  x\n   y\n\nb: >-\n  long\n  line\n", json!({ "a": "x\n y\n", "b": "long line" })),
        ("a: b # c\nd: e#f\n", json!({ "a": "b", "d": "e#f" })),
        (
            "1: a\ntrue: b\n~: c\n1.5: d\n2024-01-01: e\n",
            json!({ "1": "a", "true": "b", "null": "c", "1.5": "d", "2024-01-01": "e" }),
        ),
        ("a:\n- b\n- c: d\n  e: f\n", json!({ "a": ["b", { "c": "d", "e": "f" }] })),
        ("a: &x [1]\nb: *x\n", json!({ "a": [1], "b": [1] })),
        ("a: &x\nb: *x\n", json!({ "a": null, "b": null })),
        ("a: &x 1\nb: &x 2\nc: *x\n", json!({ "a": 1, "b": 2, "c": 2 })),
        ("&k a: 1\nb: *k\n", json!({ "a": 1, "b": "a" })),
        ("url: https://x.example/a?b=c#d\n", json!({ "url": "https://x.example/a?b=c#d" })),
    ];
    for (text, expected) in cases {
        check(text, expected);
    }
}

#[test]
fn merge_keys() {
    let cases = [
        ("a: &a {x: 1, y: 2}\nb: {<<: *a, y: 3}\n", json!({ "a": { "x": 1, "y": 2 }, "b": { "x": 1, "y": 3 } })),
        ("a: &a {x: 1}\nb: {x: 9, <<: *a}\n", json!({ "a": { "x": 1 }, "b": { "x": 9 } })),
        (
            "a: &a {x: 1}\nb: &b {x: 2, y: 2}\nc: {<<: [*a, *b]}\n",
            json!({ "a": { "x": 1 }, "b": { "x": 2, "y": 2 }, "c": { "x": 1, "y": 2 } }),
        ),
        (
            "a: &a {x: 1}\nb: &b {<<: *a, y: 2}\nc: {<<: *b}\n",
            json!({ "a": { "x": 1 }, "b": { "x": 1, "y": 2 }, "c": { "x": 1, "y": 2 } }),
        ),
        (
            "a: &a {x: 1}\nb: &b {y: 2}\nc:\n  <<: *a\n  <<: *b\n",
            json!({ "a": { "x": 1 }, "b": { "y": 2 }, "c": { "x": 1, "y": 2 } }),
        ),
        ("a: {<<: {x: 1}}\n", json!({ "a": { "x": 1 } })),
        ("a: {'<<': 1}\n", json!({ "a": { "<<": 1 } })),
    ];
    for (text, expected) in cases {
        check(text, expected);
    }
    check_error("a: {<<: 1}\n", 1, "merge");
    check_error("a:\n  <<: [{x: 1}, 2]\n", 2, "merge");
}

#[test]
fn refused_texts() {
    let cases = [
        ("a: 1\nb: 2\na: 3\n", 3, "`a` occurs twice"),
        ("a:\n  x: 1\n  'x': 2\n", 3, "`x` occurs twice"),
        ("1: a\n'1': b\n", 2, "`1` occurs twice"),
        ("{a: 1, a: 2}", 1, "occurs twice"),
        ("a: *b\n", 1, "anchor"),
        ("a: &a [*a]\n", 1, "a value that contains it"),
        ("a: !env X\n", 1, "tag `!env`"),
        ("a: !!js/function 'x'\n", 1, "tag"),
        ("a: !!int x\n", 1, "the type of its tag"),
        ("a: !mine {b: 1}\n", 1, "tag `!mine`"),
        ("a: 1\n---\nb: 2\n", 2, "second document"),
        ("a: 1\n---\n", 2, "second document"),
        ("a: 1\n...\nb: 2\n", 3, "second document"),
        ("a: b\u{0}c\n", 1, "NUL"),
        ("? [a]\n: 1\n", 1, "cannot be a key"),
        ("a: {{ b }}\n", 1, "cannot be a key"),
    ];
    for (text, line, part) in cases {
        check_error(text, line, part);
    }
    for broken in [
        "a: [1",
        "a: 'x",
        "a: \"x",
        "a: {b: 1",
        "a:\n\tb: 1\n",
        "a: b: c\n",
        "a: @x\n",
        "a: 1\n b: 2\n",
        "- a\nb: 1\n",
        "%x\n",
        "a: \"\\q\"\n",
        "a: [1]]\n",
    ] {
        assert!(Document::parse(broken.as_bytes()).is_err(), "{broken:?}");
    }
}

#[test]
fn bytes_that_are_not_utf8() {
    for (bytes, message) in [
        (&b"a: caf\xe9\n"[..], "the file is not UTF-8; save it as UTF-8: byte 0xE9 at line 1, column 7"),
        (
            b"\xef\xbb\xbfa: 1\nb: \xc3\xa4\xff",
            "the file is not UTF-8; save it as UTF-8: byte 0xFF at line 2, column 5",
        ),
        (b"# \xe4\na: 1\n", "the file is not UTF-8; save it as UTF-8: byte 0xE4 at line 1, column 3"),
        (b"\xff\xfea\0:\0", "the file is UTF-16; save it as UTF-8"),
    ] {
        assert_eq!(Document::parse(bytes).unwrap_err().to_string(), message);
    }
    assert_eq!(*document("\u{feff}a: café\n").value(), json!({ "a": "café" }));
}

#[test]
fn files_above_2_mb_are_not_read() {
    let mut text = b"a: ".to_vec();
    text.resize(crate::MAX_READ_BYTES, b'x');
    assert!(Document::parse(&text).is_ok());
    text.push(b'x');
    let error = Document::parse(&text).unwrap_err();
    assert!(error.message.contains("2 MB") && error.line == 0 && error.excerpt.is_empty(), "{error}");
}
