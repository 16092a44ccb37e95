//! Changes that can be undone: after any number of changes and undos, the document is what it was.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::document;
use crate::{Change, Document, EditError, ValuePath};

const TEXT: &str = "\
x-own: 1
sections:
  - name: A
    items: [{ title: One, x-mine: 2 }, { title: Two }]
  - name: B
    items: []
";

fn items(section: usize) -> ValuePath {
    ValuePath::section(section).key("items")
}

#[test]
fn each_change_gives_the_one_that_takes_it_back() {
    for (change, expected) in [
        (Change::Replace { at: ValuePath::section(1).key("name"), value: json!("C") }, "C"),
        (Change::Insert { list: items(1), index: 0, value: json!({ "title": "Three" }) }, "Three"),
        (Change::Insert { list: items(0), index: 1, value: json!({ "title": "Half" }) }, "Half"),
        (Change::Remove { list: items(0), index: 0 }, "Two"),
        (Change::Replace { at: ValuePath::top(), value: json!({ "sections": [], "x": "gone" }) }, "gone"),
    ] {
        let mut changed = document(TEXT);
        let back = changed.apply(change).unwrap();
        assert!(changed.print().contains(expected), "{}", changed.print());
        assert_eq!(changed.locate("/sections/0"), None, "the text it was read from is another");
        changed.apply(back).unwrap();
        assert_eq!(changed.print(), document(TEXT).print());
    }
}

#[test]
fn what_does_not_fit_changes_nothing() {
    let nothing = |place: &str| EditError::NothingThere { place: place.to_owned() };
    let removal = Change::Remove { list: items(0), index: 0 };
    for (wrong, expected) in [
        (Change::Remove { list: items(0), index: 2 }, nothing("/sections/0/items")),
        (Change::Insert { list: items(1), index: 1, value: json!(1) }, nothing("/sections/1/items")),
        (Change::Insert { list: items(2), index: 0, value: json!(1) }, nothing("/sections/2/items")),
        (Change::Replace { at: ValuePath::top().key("a/b"), value: json!(1) }, nothing("/a~1b")),
        (
            Change::Remove { list: ValuePath::top().key("x-own"), index: 0 },
            EditError::NotAList { what: "`/x-own`".to_owned() },
        ),
    ] {
        let mut changed = document(TEXT);
        assert_eq!(changed.apply_all(vec![removal.clone(), wrong]), Err(expected));
        assert_eq!(changed, document(TEXT));
    }
}

/// A change that fits the document, derived from arbitrary numbers.
fn fitting(document: &Document, kind: u8, section: usize, index: usize, value: Value) -> Option<Change> {
    let sections = document.sections().unwrap().len();
    let list = if kind.is_multiple_of(2) || sections == 0 {
        ValuePath::top().key("sections")
    } else {
        items(section % sections)
    };
    let length = document.at(&list)?.as_array()?.len();
    Some(match kind % 3 {
        0 => {
            Change::Insert { list, index: index % (length + 1), value: json!({ "name": "N", "items": [], "v": value }) }
        }
        _ if length == 0 => return None,
        1 => Change::Remove { list, index: index % length },
        _ => Change::Replace { at: list.index(index % length), value: json!({ "items": [value], "title": "T" }) },
    })
}

proptest! {
    #[test]
    fn any_changes_and_undos_lead_back(
        steps in prop::collection::vec((any::<u8>(), 0..9_usize, 0..9_usize, any::<String>(), any::<bool>()), 0..40)
    ) {
        let mut changed = document(TEXT);
        let mut history: Vec<(String, Change)> = Vec::new();
        for (kind, section, index, text, undo) in steps {
            if undo && let Some((before, back)) = history.pop() {
                changed.apply(back).unwrap();
                prop_assert_eq!(changed.print(), before);
            } else if let Some(change) = fitting(&changed, kind, section, index, text.into()) {
                let before = changed.print();
                history.push((before, changed.apply(change).unwrap()));
            }
            // The text that would be saved reads back as what is shown.
            let read = document(&changed.print());
            prop_assert_eq!(read.value(), changed.value());
        }
        while let Some((before, back)) = history.pop() {
            changed.apply(back).unwrap();
            prop_assert_eq!(changed.print(), before);
        }
        prop_assert_eq!(changed.print(), document(TEXT).print());
    }
}
