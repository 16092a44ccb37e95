//! Slips that people make in YAML: each is named in their words, on its own line, with how to mend it.

use crate::{Document, check};

/// A section with an item, whose first entry is the slip. It is on line 4.
fn in_an_item(entry: &str) -> String {
    format!("sections:\n  - name: One\n    items:\n      - {entry}\n        url: http://a.lan\n      - title: Beta\n")
}

fn assert_slip(text: &str, line: usize, part: &str) {
    let Err(error) = Document::parse(text.as_bytes()) else { panic!("{text:?} can be read") };
    assert!(error.message.contains(part), "{text}: {error}");
    assert_eq!(error.line, line, "{text}: {error}");
    assert!(error.excerpt.contains('^'), "{text}: {}", error.excerpt);
}

#[test]
fn mistyped_keys_values_and_themes() {
    let text = "appConfig: { statuscheck: true, layout: verticl, theme: draculla }\nsections: []\n";
    let problems = check(&Document::parse(text.as_bytes()).unwrap());
    let messages = problems.iter().map(|problem| problem.message.as_str()).collect::<Vec<_>>().join("\n");
    for part in [
        "appConfig has no key `statuscheck` (did you mean `statusCheck`?)",
        "`verticl` is not one of auto, horizontal, vertical",
        "(did you mean `vertical`?)",
        "there is no theme `draculla` (did you mean `dracula`?)",
    ] {
        assert!(messages.contains(part), "{part}: {messages}");
    }
}

#[test]
fn a_text_without_the_quotes_that_it_needs() {
    for (entry, part) in [
        ("title: Alpha: the first", "the text of `title` has a colon and a blank in it, so it needs quotes"),
        ("title: Alpha:", "a text that ends with a colon needs quotes"),
        ("title: :rocket:", "a text that ends with a colon needs quotes"),
        ("title: “Alpha: one”", "typographic quotes"),
        ("title: @alpha", "begins with `@` needs quotes"),
        ("title: `alpha`", "begins with a backtick needs quotes"),
        ("title: %alpha", "begins with `%` needs quotes"),
        ("title: *alpha", "begins with `*` in quotes"),
        ("title: * more", "begins with `*` needs quotes"),
        ("title: & more", "begins with `&` needs quotes"),
        ("title: !important", "begins with `!` needs quotes"),
        ("title: !env NAME", "the tag `!env` is not supported"),
        ("title: [Alpha] one", "begins with `[` needs quotes"),
        ("title: {Alpha} one", "begins with `{` needs quotes"),
        ("title: {{ alpha }} x", "begins with `[` or `{` in quotes"),
        ("title: > Alpha", "begins with `>` needs quotes"),
        ("title: | Alpha", "begins with `|` needs quotes"),
        ("title: ? Alpha", "begins with `?` needs quotes"),
        ("title: - Alpha", "begins with `-` needs quotes"),
        ("title: , Alpha", "begins with `,` needs quotes"),
        ("title: ]Alpha", "begins with `]` needs quotes"),
        ("title: }Alpha", "begins with `}` needs quotes"),
    ] {
        assert_slip(&in_an_item(entry), 4, part);
    }
}

#[test]
fn quotes_and_brackets() {
    for (entry, part) in [
        ("title: \"Alpha", "the quote `\"` is not closed"),
        ("title: 'Alpha", "the quote `'` is not closed"),
        ("title: 'it's'", "write an apostrophe inside of single quotes twice"),
        ("title: 'a' b", "the text goes on after its quote `'`"),
        ("title: \"say \"hi\" there\"", "put a text that has `\"` in it in single quotes"),
        ("title: \"C:\\path\"", "use single quotes for a text with backslashes"),
        ("title: [Alpha", "the bracket `[` is not closed"),
        ("title: {Alpha", "the bracket `{` is not closed"),
        ("tags: [a, b]]", "there is no open bracket for this `]`"),
        ("tags: [a, b}", "`}` closes a `[` that was opened in line 4; `]` is missing"),
        ("displayData: {hideForGuests: true sortBy: name}", "a comma is missing between two entries"),
        ("tags: [\"a\" \"b\"]", "comma"),
    ] {
        assert_slip(&in_an_item(entry), 4, part);
    }
    for (text, line, part) in [
        ("sections: [\n", 1, "the bracket `[` is not closed"),
        ("pageInfo: {title: a,\nsections: []\n", 1, "the bracket `{` is not closed"),
        ("sections: [\n  {name: a, items: [}\n]\n", 2, "`]` is missing"),
        ("sections: [{name: a} {name: b}]\n", 1, "a comma is missing between two elements"),
        ("{\"sections\": []}\n}\n", 2, "there is no open bracket for this `}`"),
        ("pageInfo:\n  title: \"a\n\nsections: []\n", 2, "the quote `\"` is not closed"),
    ] {
        assert_slip(text, line, part);
    }
}

#[test]
fn keys_colons_and_dashes() {
    for (text, line, part) in [
        (in_an_item("title:Alpha"), 4, "the colon after `title` needs a blank after it"),
        (in_an_item("title: Alpha\n        url:http://b.lan"), 5, "the colon after `url` needs a blank after it"),
        (in_an_item("title Alpha"), 4, "this line has no colon"),
        (in_an_item("title = Alpha"), 4, "write `title:` with a colon, not with `=`"),
        (in_an_item("title: Alpha\n      -title: Gamma"), 5, "the dash of a list element needs a blank after it"),
        ("sections:\n  -name: One\n    items: []\n".to_owned(), 2, "the dash of a list element needs a blank"),
        ("pageInfo:\n  title: x\nappConfig\n  theme: y\n".to_owned(), 3, "`appConfig` needs a colon after it"),
        (in_an_item("title: a\n        title: b"), 5, "the key `title` occurs twice; it is already in line 4"),
        (in_an_item("title: a\n        // why"), 5, "a comment begins with `#`"),
        ("/* why */\nsections: []\n".to_owned(), 1, "a comment begins with `#`"),
        (
            in_an_item("title: a\n        description: first\n        second line"),
            6,
            "a text that goes on must be indented more",
        ),
        (in_an_item("title: a\n        description: |\n        text"), 6, "after `|` or `>` must be indented more"),
        (
            in_an_item("title: a\n        description: |\n         text\n        more"),
            7,
            "after `|` or `>` must be indented more",
        ),
    ] {
        assert_slip(&text, line, part);
    }
}

#[test]
fn indentation() {
    for (text, line, part) in [
        (in_an_item("title: Alpha\n\t\ticon: x"), 5, "there is a tab in the indentation; use spaces"),
        ("sections:\n\t- name: One\n".to_owned(), 2, "there is a tab in the indentation; use spaces"),
        (
            in_an_item("title: Alpha\n       icon: x"),
            5,
            "indented by 7 spaces, which fits no line above it; perhaps it should be 8",
        ),
        (in_an_item("title: Alpha\n          icon: x"), 5, "indented more than line 4, which already has a value"),
        (in_an_item("title: Alpha\n        icon: x\n     - title: Gamma"), 6, "indented by 5 spaces"),
        (
            in_an_item("title: Alpha\n        icon: x\n        - title: Gamma"),
            6,
            "a list element cannot stand between keys",
        ),
        ("sections:\n  - name: One\n  items: []\n".to_owned(), 3, "a key cannot stand between list elements"),
        ("pageInfo:\n  title: x\n description: y\n".to_owned(), 3, "indented by 1 space, which fits no line"),
    ] {
        assert_slip(&text, line, part);
    }
}

#[test]
fn characters_that_cannot_be_seen_are_named() {
    for (entry, part) in [
        ("title:\u{a0}Alpha", "after the colon of `title` there is a no-break space (U+00A0)"),
        ("title:\u{200b}Alpha", "a zero-width space (U+200B)"),
        ("title:\u{202f}Alpha", "a narrow no-break space (U+202F)"),
        ("title:\u{3000}Alpha", "an ideographic space (U+3000)"),
    ] {
        assert_slip(&in_an_item(entry), 4, part);
    }
    assert_slip(
        &in_an_item("title: a\n\u{a0}       icon: x"),
        5,
        "a no-break space (U+00A0), copied from elsewhere, is not indentation",
    );
    // These can be read, as other keys than they look like.
    for (text, part) in [
        (
            "sections:\n  - name: One\n    items:\n      - title: Alpha\n\u{a0}       url: http://a.lan\n",
            "begins with a no-break space (U+00A0), which is not indentation",
        ),
        ("sections: []\npageInfo\u{200b}: {}\n", "contains a zero-width space (U+200B)"),
    ] {
        let problems = check(&super::document(text));
        assert!(problems.iter().any(|problem| problem.message.contains(part)), "{problems:?}");
    }
}

#[test]
fn what_does_not_belong_into_a_config() {
    for (text, line, part) in [
        (
            in_an_item("title: Alpha\n<<<<<<< HEAD\n        icon: a\n=======\n        icon: b\n>>>>>>> x"),
            5,
            "a mark of an unfinished merge",
        ),
        ("```yaml\nsections: []\n```\n".to_owned(), 1, "this mark of a code block is not part of the config"),
        ("<!DOCTYPE html>\n<html>\n<p>a: b</p>\n".to_owned(), 1, "this is a web page, not a config"),
        ("%sections: []\n".to_owned(), 1, "a line cannot begin with `%`"),
        ("sections: []\n---\npageInfo: {}\n".to_owned(), 2, "a second document begins here"),
        ("sections: []\n...\npageInfo: {}\n".to_owned(), 3, "a second document begins here"),
    ] {
        assert_slip(&text, line, part);
    }
}

/// No value may be in a message: it can be a password.
#[test]
fn messages_have_no_values() {
    for entry in [
        "title: s3cret: x",
        "title: 's3cret's'",
        "title: [s3cret",
        "title: \"s3cret",
        "title: @s3cret",
        "title: s3cret:",
    ] {
        let error = Document::parse(in_an_item(entry).as_bytes()).unwrap_err();
        assert!(!error.message.contains("s3cret"), "{error}");
    }
}
