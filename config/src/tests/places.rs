//! Lines, columns and excerpts.

use super::document;
use crate::Document;

fn check(text: &str, path: &str, expected: Option<(usize, usize)>) {
    assert_eq!(document(text).locate(path), expected, "{path} in {text:?}");
}

#[test]
fn keys_and_elements() {
    let text = "# top\npageInfo:\n  title: X\nsections:\n  - name: Ä\n    items: [{title: b}, {title: c}]\n  - name: D\nodd~/key: 1\n";
    for (path, expected) in [
        ("", Some((2, 1))),
        ("/pageInfo", Some((2, 1))),
        ("/pageInfo/title", Some((3, 3))),
        ("/sections/0", Some((5, 5))),
        ("/sections/0/items/1", Some((6, 25))),
        ("/sections/0/items/1/title", Some((6, 26))),
        ("/sections/1/name", Some((7, 5))),
        ("/odd~0~1key", Some((8, 1))),
        ("/sections/2", None),
        ("/sections/x", None),
        ("/pageInfo/title/x", None),
        ("/nothing", None),
    ] {
        check(text, path, expected);
    }
    check("a: &x {b: 1}\nc: *x\nd: {<<: *x}\n", "/c/b", Some((1, 8)));
    check("a: &x {b: 1}\nc: *x\nd: {<<: *x}\n", "/d/b", Some((1, 8)));
}

#[test]
fn missing_keys_are_near_what_lacks_them() {
    let locations = document("sections:\n  - name: A\n    items:\n      - url: x\n").locations();
    assert_eq!(locations.nearest("/sections/0/items/0/title"), Some((4, 9)));
    assert_eq!(locations.nearest("/nothing/at/all"), Some((1, 1)));
}

#[test]
fn a_changed_document_has_no_places() {
    let mut document = document("sections: []\n");
    document.set_key(crate::TopLevelKey::Pages, serde_json::json!([])).unwrap();
    assert_eq!(document.locate("/sections"), None);
}

#[test]
fn excerpts() {
    let error = Document::parse(b"one: 1\ntwo: 2\nthree: 3\nfour: !x 4\nfive: 5\nsix: 6\nseven: 7\n").unwrap_err();
    assert_eq!((error.line, error.column), (4, 7));
    assert_eq!(
        error.excerpt,
        "  2 | two: 2\n  3 | three: 3\n> 4 | four: !x 4\n    |       ^\n  5 | five: 5\n  6 | six: 6"
    );
    let error = Document::parse(format!("a: [{}, !x 1]\n", "1, ".repeat(10_000)).as_bytes()).unwrap_err();
    assert!(error.excerpt.len() < 300, "{}", error.excerpt);
    assert!(error.excerpt.contains("!x 1]"), "{}", error.excerpt);
    // The excerpt has a mark even at the end of the text.
    assert!(Document::parse(b"a: [1").unwrap_err().excerpt.contains('^'));
    assert!(Document::parse(b"a: [1\n").unwrap_err().excerpt.contains('^'));
}

#[test]
fn comments() {
    for (text, expected) in [
        ("a: 1\n", false),
        ("a: 1 # one\n", true),
        ("# top\na: 1\n", true),
        ("a: 1\n# end", true),
        ("a: '# no'\nb: x#y\nc: \"a # b\"\n", false),
        ("a: |\n  # no\n", false),
        ("a: [1, # yes\n  2]\n", true),
        ("a: b # Ä\n", true),
        ("# only\n", true),
    ] {
        assert_eq!(document(text).has_comments(), expected, "{text:?}");
    }
}
