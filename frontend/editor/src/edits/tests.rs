use proptest::prelude::*;

use super::*;
use crate::{draft::Draft, gestures::moves::copy};

/// Name of the main config.
const MAIN: &str = "conf.yml";

const CONF: &str = "\
x-mine: kept
pageInfo:
  title: Home
sections:
  - name: Media
    x-note: kept
    items:
      - title: Jellyfin
        url: http://nas.example:8096
        x-own: 1
      - title: Navidrome
  - name: Empty
";

fn document() -> Document {
    Document::parse(CONF.as_bytes()).unwrap()
}

fn item(section: usize, index: usize) -> Spot {
    Spot { list: List::Items(section), index }
}

fn titles(document: &Document, section: usize) -> Vec<String> {
    (0..List::Items(section).len(document)).map(|index| item(section, index).name(document)).collect()
}

fn move_to_section(document: &Document, spot: Spot, section: usize, before: Option<usize>) -> Option<Edit> {
    move_into(document, spot, spot.list.in_section(section)?, before)
}

#[test]
fn spots_are_read_from_the_page() {
    assert_eq!(Spot::parse("section-2"), Some(Spot { list: List::Sections, index: 2 }));
    assert_eq!(Spot::parse("widget-2-5"), Some(Spot { list: List::Widgets(2), index: 5 }));
    assert_eq!(Spot::parse("i-2-5"), Some(item(2, 5)));
    assert_eq!(Spot::parse("i-2-5-1"), Some(Spot { list: List::SubItems(2, 5), index: 1 }));
    for text in ["", "i-2", "section-x", "add-item-2", "page", "page-x"] {
        assert_eq!(Spot::parse(text), None, "{text}");
    }
}

#[test]
fn each_edit_says_what_it_did_and_can_be_taken_back() {
    let new = json!({ "title": "Added" });
    let edits: Vec<(Edit, &str, Vec<&str>, Vec<&str>)> = vec![
        (
            add(&document(), List::Items(0), new.clone()),
            "Add item “Added”",
            vec!["Jellyfin", "Navidrome", "Added"],
            vec![],
        ),
        (add(&document(), List::Items(1), new), "Add item “Added”", vec!["Jellyfin", "Navidrome"], vec!["Added"]),
        (delete(&document(), item(0, 0)), "Delete item “Jellyfin”", vec!["Navidrome"], vec![]),
        (
            duplicate(&document(), MAIN, item(0, 0)).unwrap(),
            "Duplicate item “Jellyfin”",
            vec!["Jellyfin", "Jellyfin", "Navidrome"],
            vec![],
        ),
        (
            move_one(&document(), item(0, 0), ListDirection::Down).unwrap(),
            "Move “Jellyfin” down",
            vec!["Navidrome", "Jellyfin"],
            vec![],
        ),
        (
            move_one(&document(), item(0, 1), ListDirection::Up).unwrap(),
            "Move “Navidrome” up",
            vec!["Navidrome", "Jellyfin"],
            vec![],
        ),
        (
            move_to_section(&document(), item(0, 0), 1, None).unwrap(),
            "Move “Jellyfin” to Empty",
            vec!["Navidrome"],
            vec!["Jellyfin"],
        ),
        (
            move_to_section(&document(), item(0, 0), 0, None).unwrap(),
            "Move “Jellyfin” to Media",
            vec!["Navidrome", "Jellyfin"],
            vec![],
        ),
        (
            replace(&document(), item(0, 1), json!({ "title": "Other" })).unwrap(),
            "Edit item “Other”",
            vec!["Jellyfin", "Other"],
            vec![],
        ),
    ];
    for (edit, label, first, second) in edits {
        assert_eq!(edit.label, label);
        let mut draft = Draft::new(document());
        draft.apply(edit).unwrap();
        assert_eq!(titles(draft.document(), 0), first, "{label}");
        assert_eq!(titles(draft.document(), 1), second, "{label}");
        let printed = draft.document().print();
        assert_eq!(printed.matches("kept").count(), 2, "{printed}");
        assert_eq!(draft.undo().as_deref(), Some(label));
        assert_eq!(draft.document().print(), document().print());
        draft.redo().unwrap();
        assert_eq!(draft.document().print(), printed);
    }
}

const GROUPS: &str = "\
sections:
  - name: Quay
    items:
      - title: Tools
        x-own: 1
        subItems:
          - title: Winch
            x-mine: kept
          - title: Saw
      - title: Crane
  - name: Office
    items:
      - title: Shelf
        subItems:
          - url: https://ledger.example
";

fn groups() -> Document {
    Document::parse(GROUPS.as_bytes()).unwrap()
}

fn part(section: usize, item: usize, index: usize) -> Spot {
    Spot { list: List::SubItems(section, item), index }
}

/// The names of the sub-items of a group.
fn parts(document: &Document, section: usize, item: usize) -> Vec<String> {
    let list = List::SubItems(section, item);
    (0..list.len(document)).map(|index| Spot { list, index }.name(document)).collect()
}

/// An edit, its words, the titles of the sub-items of both groups after it, and what is selected then.
type EditOfSubItems = (Edit, &'static str, Vec<&'static str>, Vec<&'static str>, Option<Spot>);

#[test]
fn sub_items_are_edited_like_items() {
    let ledger = "https://ledger.example";
    let new = json!({ "title": "Rope" });
    let tools = List::SubItems(0, 0);
    let shelf = List::SubItems(1, 0);
    assert_eq!(List::groups(&groups()), [tools, shelf]);
    let edits: Vec<EditOfSubItems> = vec![
        (
            add(&groups(), tools, new.clone()),
            "Add sub-item “Rope”",
            vec!["Winch", "Saw", "Rope"],
            vec![ledger],
            Some(part(0, 0, 2)),
        ),
        (
            duplicate(&groups(), MAIN, part(0, 0, 0)).unwrap(),
            "Duplicate sub-item “Winch”",
            vec!["Winch", "Winch", "Saw"],
            vec![ledger],
            Some(part(0, 0, 1)),
        ),
        (
            move_one(&groups(), part(0, 0, 0), ListDirection::Down).unwrap(),
            "Move “Winch” down",
            vec!["Saw", "Winch"],
            vec![ledger],
            Some(part(0, 0, 1)),
        ),
        (
            move_into(&groups(), part(0, 0, 0), shelf, None).unwrap(),
            "Move “Winch” to Shelf",
            vec!["Saw"],
            vec![ledger, "Winch"],
            Some(part(1, 0, 1)),
        ),
        (delete(&groups(), part(0, 0, 1)), "Delete sub-item “Saw”", vec!["Winch"], vec![ledger], Some(part(0, 0, 0))),
        (
            replace(&groups(), part(1, 0, 0), new).unwrap(),
            "Edit sub-item “Rope”",
            vec!["Winch", "Saw"],
            vec!["Rope"],
            Some(part(1, 0, 0)),
        ),
        // Without sub-items, an item is no group.
        (
            move_into(&groups(), part(1, 0, 0), tools, Some(0)).unwrap(),
            "Move “https://ledger.example” to Tools",
            vec![ledger, "Winch", "Saw"],
            vec![],
            Some(part(0, 0, 0)),
        ),
        (
            delete(&groups(), part(1, 0, 0)),
            "Delete sub-item “https://ledger.example”",
            vec!["Winch", "Saw"],
            vec![],
            Some(item(1, 0)),
        ),
    ];
    for (edit, label, first, second, spot) in edits {
        assert_eq!((edit.label.as_str(), edit.spot), (label, spot));
        let mut draft = Draft::new(groups());
        draft.apply(edit).unwrap();
        assert_eq!(parts(draft.document(), 0, 0), first, "{label}");
        assert_eq!(parts(draft.document(), 1, 0), second, "{label}");
        let printed = draft.document().print();
        assert_eq!(printed.matches("subItems").count(), if second.is_empty() { 1 } else { 2 }, "{printed}");
        assert!(printed.contains("x-mine: kept") && printed.contains("x-own: 1"), "{printed}");
        assert_eq!(draft.undo().as_deref(), Some(label));
        assert_eq!(draft.document().print(), groups().print());
        draft.redo().unwrap();
        assert_eq!(draft.document().print(), printed);
    }
    assert_eq!(move_into(&groups(), part(0, 0, 1), tools, None), None);
    assert_eq!(move_to_section(&groups(), part(0, 0, 1), 1, None), None);
}

#[test]
fn copies_of_pages_have_names_and_files_of_their_own() {
    let text =
        "pages:\n  - { name: Media, path: media.yml, x: kept }\n  - { name: Far, path: 'https://far.example/a.yml' }\n";
    let page = |index| Spot { list: List::Pages, index };
    let mut draft = Draft::new(Document::parse(text.as_bytes()).unwrap());
    for (index, label, name, path, of) in [
        (0, "Duplicate page “Media”", "Media (copy)", "media-copy.yml", Some("media.yml")),
        (0, "Duplicate page “Media”", "Media (copy 2)", "media-copy-2.yml", Some("media.yml")),
        (3, "Duplicate page “Far”", "Far (copy)", "https://far.example/a.yml", None),
    ] {
        let edit = duplicate(draft.document(), MAIN, page(index)).unwrap();
        assert_eq!(edit.label, label);
        let copy = of.map(|of| PageCopy::Page { file: path.to_owned(), of: of.to_owned() });
        assert_eq!(edit.copies, Vec::from_iter(copy));
        draft.apply(edit).unwrap();
        let made = draft.document().at(&page(index + 1).path()).unwrap();
        assert_eq!((&made["name"], &made["path"]), (&json!(name), &json!(path)));
    }
    assert_eq!(draft.document().print().matches("x: kept").count(), 3);
    assert_eq!(draft.copies().len(), 2);
    draft.undo();
    draft.undo();
    assert_eq!(draft.copies().len(), 1);
    draft.redo();
    assert_eq!(draft.copies().len(), 2);
}

/// An edit that fits the document, derived from arbitrary numbers.
fn fitting(document: &Document, kind: u8, place: usize, target: usize) -> Option<Edit> {
    let mut lists = vec![List::Sections, List::Pages];
    for section in 0..List::Sections.len(document) {
        lists.extend([List::Items(section), List::Widgets(section)]);
    }
    let groups = List::groups(document);
    lists.extend(&groups);
    let list = lists[place % lists.len()];
    if kind.is_multiple_of(6) {
        return Some(add(document, list, json!({ "title": "New", "name": "New", "type": "clock", "path": "new.yml" })));
    }
    let spot = Spot { list, index: target % list.len(document).max(1) };
    document.at(&spot.path())?;
    let other = match list {
        List::SubItems(..) => groups.get(target % groups.len()).copied(),
        _ => list.in_section(target % List::Sections.len(document).max(1)),
    };
    // The beginning or the end.
    let before = place.is_multiple_of(2).then_some(0);
    match kind % 6 {
        1 => duplicate(document, MAIN, spot),
        2 => Some(delete(document, spot)),
        3 => move_one(document, spot, if target.is_multiple_of(2) { ListDirection::Up } else { ListDirection::Down }),
        4 => move_into(document, spot, other?, before),
        _ => copy(document, spot, other?, before),
    }
}

proptest! {
    #[test]
    fn any_edits_and_undos_lead_back(steps in prop::collection::vec((any::<u8>(), 0..40_usize, 0..40_usize), 0..40)) {
        let text = format!("{GROUPS}pages:\n  - {{ name: Media, path: media.yml }}\n");
        let original = Document::parse(text.as_bytes()).unwrap();
        let mut draft = Draft::new(original.clone());
        for (kind, place, target) in steps {
            match kind % 8 {
                0 => drop(draft.undo()),
                1 => drop(draft.redo()),
                _ => {
                    if let Some(edit) = fitting(draft.document(), kind, place, target) {
                        let before = draft.document().print();
                        let copies = draft.copies();
                        draft.apply(edit).unwrap();
                        let after = draft.document().print();
                        draft.undo().unwrap();
                        prop_assert_eq!((draft.document().print(), draft.copies()), (before, copies));
                        draft.redo().unwrap();
                        prop_assert_eq!(draft.document().print(), after);
                    }
                }
            }
            // The text that would be saved reads back as what is shown.
            let text = draft.text();
            let read = Document::parse(text.as_bytes()).unwrap();
            prop_assert_eq!(read.value(), draft.document().value());
        }
        while draft.undo().is_some() {}
        prop_assert_eq!(draft.text(), text);
        prop_assert_eq!(draft.copies(), vec![]);
    }
}

#[test]
fn nothing_to_do_is_no_edit() {
    assert_eq!(move_one(&document(), item(0, 0), ListDirection::Up), None);
    assert_eq!(move_one(&document(), item(0, 1), ListDirection::Down), None);
    assert_eq!(replace(&document(), item(0, 1), json!({ "title": "Navidrome" })), None);
    assert_eq!(replace_block(&document(), ConfigBlock::PageInfo, json!({ "title": "Home" })), None);
    assert_eq!(replace_block(&document(), ConfigBlock::AppConfig, json!({})), None);
    assert_eq!(move_to_section(&document(), item(0, 1), 0, None), None);
}

#[test]
fn pages_and_settings_are_edited_like_everything_else() {
    let mut draft = Draft::new(document());
    draft.apply(replace_block(&document(), ConfigBlock::AppConfig, json!({ "layout": "masonry" })).unwrap()).unwrap();
    let page = json!({ "name": "Work", "path": "work.yml" });
    let edit = add(draft.document(), List::Pages, page);
    assert_eq!(edit.label, "Add page “Work”");
    draft.apply(edit).unwrap();
    let printed = draft.document().print();
    assert!(printed.contains("appConfig:\n  layout: masonry\n"), "{printed}");
    assert!(printed.contains("pages:\n  - name: Work\n    path: work.yml\n"), "{printed}");
    assert_eq!(Spot::parse("page-0"), Some(Spot { list: List::Pages, index: 0 }));
    assert_eq!(move_to_section(draft.document(), Spot { list: List::Pages, index: 0 }, 0, None), None);
    draft.undo();
    assert_eq!(draft.undo().as_deref(), Some("Edit settings"));
    assert_eq!(draft.document().print(), document().print());
}

#[test]
fn an_empty_file_gets_its_first_section() {
    let empty = Document::parse(b"pageInfo: { title: New }\n").unwrap();
    let mut draft = Draft::new(empty.clone());
    draft.apply(add(&empty, List::Sections, json!({ "name": "First" }))).unwrap();
    assert_eq!(draft.document().print(), "pageInfo:\n  title: New\nsections:\n  - name: First\n");
    let document = draft.document().clone();
    draft.apply(add(&document, List::Widgets(0), json!({ "type": "clock" }))).unwrap();
    assert!(draft.document().print().contains("widgets:"));
    draft.undo();
    draft.undo();
    assert_eq!(draft.document().value(), empty.value());
}

#[test]
fn widgets_change_their_type_and_keep_everything_else() {
    let mut widget = json!({ "label": "Time", "type": "clock", "options": { "timeZone": "UTC" }, "x-own": 1 });
    set_kind(&mut widget, "world-clock");
    let changed = r#"{"label":"Time","type":"world-clock","options":{"timeZone":"UTC"},"x-own":1}"#;
    assert_eq!(widget.to_string(), changed);
    let mut widget = json!({ "label": "Time", "x-own": 1 });
    set_kind(&mut widget, "clock");
    assert_eq!(widget.to_string(), r#"{"type":"clock","label":"Time","x-own":1}"#);
}
