use super::*;
use crate::draft::Draft;

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

#[test]
fn spots_are_read_from_the_page() {
    assert_eq!(Spot::parse("section-2"), Some(Spot { list: List::Sections, index: 2 }));
    assert_eq!(Spot::parse("widget-2-5"), Some(Spot { list: List::Widgets(2), index: 5 }));
    assert_eq!(Spot::parse("i-2-5-1"), Some(item(2, 5)));
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
            duplicate(&document(), item(0, 0)).unwrap(),
            "Duplicate item “Jellyfin”",
            vec!["Jellyfin", "Jellyfin", "Navidrome"],
            vec![],
        ),
        (
            move_one(&document(), item(0, 0), Direction::Down).unwrap(),
            "Move “Jellyfin” down",
            vec!["Navidrome", "Jellyfin"],
            vec![],
        ),
        (
            move_one(&document(), item(0, 1), Direction::Up).unwrap(),
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

#[test]
fn nothing_to_do_is_no_edit() {
    assert_eq!(move_one(&document(), item(0, 0), Direction::Up), None);
    assert_eq!(move_one(&document(), item(0, 1), Direction::Down), None);
    assert_eq!(replace(&document(), item(0, 1), json!({ "title": "Navidrome" })), None);
    assert_eq!(replace_block(&document(), Block::PageInfo, json!({ "title": "Home" })), None);
    assert_eq!(replace_block(&document(), Block::AppConfig, json!({})), None);
    assert_eq!(move_to_section(&document(), item(0, 1), 0, None), None);
}

#[test]
fn pages_and_settings_are_edited_like_everything_else() {
    let mut draft = Draft::new(document());
    draft.apply(replace_block(&document(), Block::AppConfig, json!({ "layout": "masonry" })).unwrap()).unwrap();
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
