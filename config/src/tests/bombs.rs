//! Files that expand without end are refused at once and without much memory (docs/spec/config.md 13).

use std::fmt::Write as _;

use crate::{Document, document::MAX_DEPTH};

/// The text must be refused for what it expands to, at an alias on this line or before it: how far reading got is a
/// measure of the work that does not depend on the machine.
fn check(text: &str, last_line: usize) {
    let error = Document::parse(text.as_bytes()).unwrap_err();
    assert!(error.message.contains("2 MB"), "{error}");
    assert!(error.line <= last_line, "read up to {error}");
}

#[test]
fn lists_of_lists() {
    let mut text = "a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol, lol]\n".to_owned();
    for level in 1..40 {
        let aliases = vec![format!("*a{}", level - 1); 10].join(", ");
        writeln!(text, "a{level}: &a{level} [{aliases}]").unwrap();
    }
    check(&text, 6);
}

#[test]
fn merged_mappings() {
    let mut text = "a:\n  - &m {".to_owned();
    for key in 0..20_000 {
        write!(text, "k{key}: {key}, ").unwrap();
    }
    text.push_str("}\n");
    for _ in 0..50_000 {
        text.push_str("  - {<<: *m}\n");
    }
    check(&text, 10);
}

#[test]
fn merged_lists_of_mappings() {
    let mut text = "m: &m {k: 'a long enough value to count'}\nl: &l [".to_owned();
    text.push_str(&"*m, ".repeat(2000));
    text.push_str("]\nx:\n");
    text.push_str(&"  - {<<: *l}\n".repeat(2000));
    check(&text, 40);
}

#[test]
fn one_large_text_many_times() {
    let mut text = format!("a: &a {}\nb: [", "x".repeat(1_000_000));
    text.push_str(&"*a,".repeat(100_000));
    text.push_str("]\n");
    check(&text, 2);
}

#[test]
fn depth() {
    let nested = |levels: usize| format!("a: {}{}\n", "[".repeat(levels), "]".repeat(levels));
    assert!(Document::parse(nested(MAX_DEPTH - 1).as_bytes()).is_ok());
    for text in [nested(MAX_DEPTH), nested(100_000), "- ".repeat(100_000), "? ".repeat(100_000), "{a: ".repeat(100_000)]
    {
        assert!(Document::parse(text.as_bytes()).is_err());
    }
    // Depth adds up through aliases as well.
    let mut text = format!("a0: &a0 {}{}\n", "[".repeat(60), "]".repeat(60));
    for level in 1..4 {
        writeln!(text, "a{level}: &a{level} {}*a{}{}", "[".repeat(60), level - 1, "]".repeat(60)).unwrap();
    }
    let error = Document::parse(text.as_bytes()).unwrap_err();
    assert!(error.message.contains("deep"), "{error}");
}

#[test]
fn honest_aliases_are_fine() {
    let item = "&i {title: A, url: 'https://a.example'}";
    let text = format!("sections:\n  - items: [{item}, {}]\n", vec!["*i"; 1000].join(", "));
    let document = Document::parse(text.as_bytes()).unwrap();
    assert_eq!(document.items(&crate::Selector::Index(0)).unwrap().len(), 1001);
}
