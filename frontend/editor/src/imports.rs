//! Adds the sections of another dashboard to a draft, and prepares its files for the server.

use config::{Change, Document, ValuePath};
use serde_json::{Value, json};

use crate::edits::{Edit, List, Spot};
use crate::texts::t_count;

/// Adds imported sections at the end of the page; `None` if there are none.
#[must_use]
pub fn append(document: &Document, sections: Vec<Value>) -> Option<Edit> {
    let label = match sections.len() {
        0 => return None,
        count => t_count("Import 1 section", "Import {count} sections", count, &[]),
    };
    Some(put(document, sections, label, false))
}

/// Adds sections at the end of the page, or replaces those of the page.
#[must_use]
pub fn put(document: &Document, sections: Vec<Value>, label: String, replaces: bool) -> Edit {
    let list = List::Sections.path();
    let index = if replaces { 0 } else { List::Sections.len(document) };
    let change = match document.at(&list) {
        Some(Value::Array(old)) => {
            let kept: &[Value] = if replaces { &[] } else { old };
            let all = kept.iter().cloned().chain(sections).collect();
            Change::Replace { at: list, value: all }
        }
        _ => {
            let mut top = document.value().clone();
            if !top.is_object() {
                top = json!({});
            }
            top["sections"] = sections.into();
            Change::Replace { at: ValuePath::top(), value: top }
        }
    };
    Edit::new(label, vec![change], Some(Spot { list: List::Sections, index }))
}

/// Exported bookmarks without their embedded pictures, which make up most of the size and are not imported.
#[must_use]
pub fn without_pictures(text: &str) -> String {
    const START: &str = "ICON=\"data:";
    let mut result = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(START) {
        let (before, picture) = rest.split_at(start);
        // The attribute stays, so that the report counts it.
        result.push_str(before);
        result.push_str("ICON=\"\"");
        let after = &picture[START.len()..];
        rest = after.find('"').map_or("", |end| &after[end + 1..]);
    }
    result.push_str(rest);
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draft::Draft;

    #[test]
    fn sections_come_at_the_end_in_one_step() {
        for (text, expected) in [
            ("x: 1\nsections:\n  - name: Old\n", "x: 1\nsections:\n  - name: Old\n  - name: A\n  - name: B\n"),
            ("x: 1\nsections:\n", "x: 1\nsections:\n  - name: A\n  - name: B\n"),
            ("x: 1\n", "x: 1\nsections:\n  - name: A\n  - name: B\n"),
        ] {
            let document = Document::parse(text.as_bytes()).unwrap();
            let mut draft = Draft::new(document.clone());
            let edit = append(&document, vec![json!({ "name": "A" }), json!({ "name": "B" })]).unwrap();
            assert_eq!(edit.label, "Import 2 sections");
            draft.apply(edit).unwrap();
            assert_eq!(draft.document().print(), expected);
            assert_eq!(draft.undo().as_deref(), Some("Import 2 sections"));
            assert_eq!(draft.document().value(), document.value());
        }
    }

    #[test]
    fn a_template_takes_the_place_of_the_example_and_leaves_the_rest() {
        let document = Document::parse(b"x: 1\nsections:\n  - name: Old\n").unwrap();
        for (replaces, expected) in
            [(true, "x: 1\nsections:\n  - name: A\n"), (false, "x: 1\nsections:\n  - name: Old\n  - name: A\n")]
        {
            let mut draft = Draft::new(document.clone());
            draft.apply(put(&document, vec![json!({ "name": "A" })], "Start".to_owned(), replaces)).unwrap();
            assert_eq!((draft.document().print().as_str(), draft.undo_label()), (expected, Some("Start")));
        }
    }

    #[test]
    fn no_sections_are_no_step() {
        assert_eq!(append(&Document::parse(b"sections: []\n").unwrap(), Vec::new()), None);
    }

    #[test]
    fn bookmarks_are_sent_without_their_pictures() {
        for (text, expected) in [
            ("<A HREF=\"a\" ICON=\"data:image/png;base64,AA==\">T</A>", "<A HREF=\"a\" ICON=\"\">T</A>"),
            ("<A ICON=\"data:x", "<A ICON=\"\""),
            ("- icon: a.png\n", "- icon: a.png\n"),
        ] {
            assert_eq!(without_pictures(text), expected);
        }
    }
}
