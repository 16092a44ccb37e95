//! Files that are not valid YAML but work elsewhere (docs/spec/config.md 1.2 and 13).

use proptest::prelude::*;
use serde_json::{Value, json};

use super::document;
use crate::{
    Document,
    document::{print, relaxed_text},
};

fn check(text: &str, expected: Value) {
    let read = Document::parse(text.as_bytes()).unwrap_or_else(|error| panic!("{text:?}: {error}"));
    assert_eq!(*read.value(), expected, "{text:?}");
    // The printed text is YAML for everyone: it needs no mending.
    assert_eq!(relaxed_text(&read.print()).unwrap_or_else(|| read.print()), read.print());
    assert_eq!(*document(&read.print()).value(), expected, "{text:?}");
}

#[test]
fn what_stands_in_brackets_needs_no_indentation() {
    for (text, expected) in [
        ("sections: [\n]\n", json!({ "sections": [] })),
        (
            "sections: [\n{name: a}, {name: b}\n]\nc: d\n",
            json!({ "sections": [{ "name": "a" }, { "name": "b" }], "c": "d" }),
        ),
        (
            "sections:\n  - name: a\n    items: [\n      {title: a}\n    ]\n  - name: b\n",
            json!({ "sections": [{ "name": "a", "items": [{ "title": "a" }] }, { "name": "b" }] }),
        ),
        ("pageInfo: {\ntitle: x\n}\n", json!({ "pageInfo": { "title": "x" } })),
        ("pageInfo: {\ntitle: 'x\ny', # [ {\n\"a\":\"b\"\n}\n", json!({ "pageInfo": { "title": "x y", "a": "b" } })),
        ("a: &x [\n1,\n2\n]\nb: *x\n", json!({ "a": [1, 2], "b": [1, 2] })),
        ("a: {\n\tb: c,\n\t\td: [\n\te ]\n}\n", json!({ "a": { "b": "c", "d": ["e"] } })),
        ("\"a b\": [\nit's, say \"x\"\n]\nc: it's [fine\n", json!({ "a b": ["it's", "say \"x\""], "c": "it's [fine" })),
        ("a:\n  - [\n  1\n  ]\n", json!({ "a": [[1]] })),
    ] {
        check(text, expected);
    }
}

#[test]
fn tabs_around_values_are_blanks() {
    for (text, expected) in [
        ("title:\tx\n", json!({ "title": "x" })),
        ("title: \t x\ty\n", json!({ "title": "x\ty" })),
        ("'title':\t'x\ty'\n", json!({ "title": "x\ty" })),
        ("a: {title:\tx,\tb:\t[c,\td]}\n", json!({ "a": { "title": "x", "b": ["c", "d"] } })),
        ("a:\n  - b:\t1\n    c:\t|\n     x:\ty\n    d:\t2\n", json!({ "a": [{ "b": 1, "c": "x:\ty\n", "d": 2 }] })),
        ("a: x\n  y:z\tw\nb:\tc # d:\te\n", json!({ "a": "x y:z\tw", "b": "c" })),
    ] {
        check(text, expected);
    }
}

#[test]
fn quoted_texts_go_on_where_their_keys_stand() {
    for (text, expected) in [
        ("a: 'x\ny'\nb: c\n", json!({ "a": "x y", "b": "c" })),
        ("a:\n  b: \"x\n  y: [\n\n  z\"\n  c: d\n", json!({ "a": { "b": "x y: [\nz", "c": "d" } })),
        ("a: \"x\\\ny\"\nb: 'it''s\n# no comment'\n", json!({ "a": "xy", "b": "it's # no comment" })),
        ("- - 'x\n\ty'\n- z\n", json!([["x y"], "z"])),
    ] {
        check(text, expected);
    }
}

#[test]
fn characters_may_come_in_halves_and_byte_order_marks_anywhere() {
    for (text, expected) in [
        ("a: \"\\ud83d\\ude00!\"\n", json!({ "a": "😀!" })),
        ("{\"a\": \"\\uD83D\\uDE00\\\\ud83d\"}\n", json!({ "a": "😀\\ud83d" })),
        ("a: \"\\ud83d.\"\n", json!({ "a": "\u{fffd}." })),
        ("a: x\u{feff}y\nb: \u{e000}\n", json!({ "a": "x\u{feff}y", "b": "\u{e000}" })),
        ("a: \u{feff}x\n", json!({ "a": "\u{feff}x" })),
        ("a: |\n  \u{feff}x\n", json!({ "a": "\u{feff}x\n" })),
    ] {
        check(text, expected);
    }
}

#[test]
fn places_are_those_of_the_file() {
    let read = document("sections: [\n{name: a, \"\\ud83d\\ude00\": 1, items: 5},\n\t{name: b}\n]\n");
    assert_eq!(read.locate("/sections/0/name"), Some((2, 2)));
    assert_eq!(read.locate("/sections/0/items"), Some((2, 30)));
    assert_eq!(read.locate("/sections/1/name"), Some((3, 3)));
    assert!(!read.has_comments());
    let read = document("a: { \"\\ud83d\\ude00\": 1, \"\\ud83d\\ude00.\": 2,\nb: 3 }\n");
    assert_eq!((read.locate("/a/😀."), read.locate("/a/b")), (Some((1, 25)), Some((2, 1))));
    assert!(document("a: [\n] # why\n").has_comments());
    assert!(!document("a: [\n'#x'\n]\n").has_comments());
    let error = Document::parse(b"a: [\n]\nb: {\nc: 1,\nc: 2\n}\n").unwrap_err();
    assert_eq!(
        (error.line, error.column, error.message.as_str()),
        (5, 1, "the key `c` occurs twice; it is already in line 4")
    );
}

#[test]
fn what_is_wrong_stays_wrong() {
    for text in [
        "a: [1",
        "a: [\nb: c\n",
        "a: 'x\nb: c\n",
        "a:\n\tb: c\n",
        "a: [\n]]\n",
        "a: [\n]\n---\nb: c\n",
        "a: \"\\ud83d\n",
        "a: 'x\n---\ny'\n",
    ] {
        assert!(Document::parse(text.as_bytes()).is_err(), "{text:?}");
    }
}

/// This would take minutes if every key or escape scanned the whole line.
#[test]
fn long_lines_cost_no_more_than_long_files() {
    for piece in ["a: ", "\"\\ud83d\\ude00\", ", "[", "'a' ", "- ", "&a "] {
        let text = format!("a: [\n]\nb: [ {}", piece.repeat(1_000_000 / piece.len()));
        assert!(Document::parse(text.as_bytes()).is_err(), "{piece}");
    }
}

/// Pieces from which texts are composed that contain everything relevant here.
const PIECES: [&str; 34] = [
    "a",
    "b c",
    ":",
    ": ",
    ":\t",
    "- ",
    "-",
    "[",
    "]",
    "{",
    "}",
    ", ",
    ",",
    "'",
    "\"",
    "''",
    "\\",
    "\\ud83d\\ude00",
    "#",
    " #",
    " ",
    "  ",
    "\t",
    "\n",
    "\n",
    "\n  ",
    "\n    ",
    "|",
    ">",
    "&x ",
    "*x",
    "? ",
    "---",
    "it's",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn what_parses_means_the_same_after_mending(pieces in prop::collection::vec(0..PIECES.len(), 1..40)) {
        let text: String = pieces.into_iter().map(|piece| PIECES[piece]).collect();
        if let (true, Ok(read), Some(mended)) =
            (is_strict(&text), Document::parse(text.as_bytes()), relaxed_text(&text))
        {
            prop_assert!(is_strict(&mended), "{:?} became {:?}", text, mended);
            let again = Document::parse(mended.as_bytes());
            prop_assert_eq!(Some(read.value()), again.as_ref().map(Document::value).ok(), "{:?} became {:?}", text, mended);
        }
    }

    #[test]
    fn what_we_print_needs_no_mending(title in ".*", list in prop::collection::vec("[ -~\t\n]{0,20}", 0..6)) {
        let printed = print(&json!({ "title": title, "list": list }));
        let mended = relaxed_text(&printed).unwrap_or_else(|| printed.clone());
        let (mended, printed) = (document(&mended), document(&printed));
        prop_assert_eq!(mended.value(), printed.value());
    }
}

/// Whether the parser accepts a text as it is.
fn is_strict(text: &str) -> bool {
    saphyr_parser::Parser::new_from_str(text).all(|event| event.is_ok())
}
