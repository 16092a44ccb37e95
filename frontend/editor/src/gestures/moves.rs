//! The edits of menus and gestures: of several items at once, the order of sections, copies and names.

use config::{Change, Document, PageCopy, ValuePath};
use serde_json::{Value, json};

use crate::{
    edits::{ConfigBlock, Edit, List, Spot, delete, insertion, move_to, replace_block, with_key},
    page_files::TargetPage,
    schema,
    texts::{fill, t_count},
};

/// Moves items into a section, before one of its items or to its end, in their order. `None` if nothing would move.
#[must_use]
pub fn move_items(document: &Document, items: &[Spot], section: usize, before: Option<usize>) -> Option<Edit> {
    let items = in_order(items);
    let target = List::Items(section);
    let values: Vec<Value> = items.iter().filter_map(|item| document.at(&item.path()).cloned()).collect();
    if values.is_empty() {
        return None;
    }
    let index = before.unwrap_or_else(|| target.len(document)).min(target.len(document));
    let index = index - items.iter().filter(|item| item.list == target && item.index < index).count();
    let name = Spot { list: List::Sections, index: section }.name(document);
    let label = match items.as_slice() {
        [item] => fill("Move “{name}” to {section}", &[("name", &item.name(document)), ("section", &name)]),
        items => {
            t_count("Move 1 item to {section}", "Move {count} items to {section}", items.len(), &[("section", &name)])
        }
    };
    let mut changes = removals(document, &items, Some(target));
    let mut wanted = without(document, target, &items);
    let index = index.min(wanted.len());
    drop(wanted.splice(index..index, values));
    if changes.is_empty() && document.at(&target.path()).and_then(Value::as_array) == Some(&wanted) {
        return None;
    }
    changes.push(with_list(document, target, wanted));
    Some(Edit::new(label, changes, Some(Spot { list: target, index })))
}

/// Deletes items. `None` if there are none.
#[must_use]
pub fn delete_items(document: &Document, items: &[Spot]) -> Option<Edit> {
    let items = in_order(items);
    let label = match items.as_slice() {
        [] => return None,
        [item] => fill("Delete item “{name}”", &[("name", &item.name(document))]),
        items => t_count("Delete 1 item", "Delete {count} items", items.len(), &[]),
    };
    let section = items.iter().find_map(|item| match item.list {
        List::Items(index) => Some(Spot { list: List::Sections, index }),
        _ => None,
    });
    Some(Edit::new(label, removals(document, &items, None), section))
}

/// Adds a tag to the items that lack it. `None` if none does.
#[must_use]
pub fn tag_items(document: &Document, items: &[Spot], tag: &str) -> Option<Edit> {
    let mut tagged = Vec::new();
    let mut changes = Vec::new();
    for item in in_order(items) {
        let Some(mut value) = document.at(&item.path()).filter(|value| value.is_object()).cloned() else { continue };
        let mut tags = match &value["tags"] {
            Value::Array(tags) => tags.clone(),
            Value::Null => Vec::new(),
            single => vec![single.clone()],
        };
        if tags.iter().any(|own| own.as_str() == Some(tag)) {
            continue;
        }
        tags.push(tag.into());
        value["tags"] = tags.into();
        changes.push(Change::Replace { at: item.path(), value });
        tagged.push(item);
    }
    let label = match tagged.as_slice() {
        [] => return None,
        [item] => fill("Tag “{name}” with “{tag}”", &[("name", &item.name(document)), ("tag", tag)]),
        tagged => t_count("Tag 1 item with “{tag}”", "Tag {count} items with “{tag}”", tagged.len(), &[("tag", tag)]),
    };
    Some(Edit::new(label, changes, tagged.first().copied()))
}

/// Moves a section before another one, or to the end, and optionally into a column of the page, counted from 1. `None` if it is
/// there already.
#[must_use]
pub fn move_section(document: &Document, index: usize, before: Option<usize>, column: Option<usize>) -> Option<Edit> {
    let section = |index| Spot { list: List::Sections, index };
    let count = List::Sections.len(document);
    let before = before.filter(|before| *before < count);
    let name = section(index).name(document);
    let wanted = before.unwrap_or(count);
    let wanted = if wanted > index { wanted - 1 } else { wanted };
    let old = document.at(&section(index).path())?;
    let mut value = old.clone();
    if let Some(column) = column {
        schema::set(&mut value, &["displayData".to_owned(), "column".to_owned()], Some(column.into()));
    }
    let label = match (column, before) {
        (Some(column), _) if value != *old => {
            fill("Move section “{name}” to column {column}", &[("name", &name), ("column", &column.to_string())])
        }
        (_, Some(before)) => {
            let next = section(before).name(document);
            fill("Move section “{name}” before “{next}”", &[("name", &name), ("next", &next)])
        }
        (_, None) => fill("Move section “{name}” to the end", &[("name", &name)]),
    };
    if value == *old {
        return move_to(document, section(index), section(wanted), label);
    }
    let list = List::Sections.path();
    let changes = match wanted == index {
        true => vec![Change::Replace { at: section(index).path(), value }],
        false => vec![Change::Remove { list: list.clone(), index }, Change::Insert { list, index: wanted, value }],
    };
    Some(Edit::new(label, changes, Some(section(wanted))))
}

/// Inserts a copy of an element into a list of its kind, before one of its elements or at the end. `None` for sections and
/// pages.
#[must_use]
pub fn copy(document: &Document, spot: Spot, list: List, before: Option<usize>) -> Option<Edit> {
    let value = document.at(&spot.path())?.clone();
    let (name, section) = (spot.name(document), list.parent()?.name(document));
    let label = fill("Copy “{name}” to {section}", &[("name", &name), ("section", &section)]);
    let index = before.unwrap_or(usize::MAX).min(list.len(document));
    Some(Edit::new(label, vec![insertion(document, list, index, value)], Some(Spot { list, index })))
}

/// Copies or moves a section to the end of another page. Only saving writes that page's file.
#[must_use]
pub fn to_page(document: &Document, section: usize, page: TargetPage, moved: bool) -> Option<Edit> {
    let spot = Spot { list: List::Sections, index: section };
    let TargetPage { file, name, comments } = page;
    let text = match moved {
        true => "Move section “{name}” to page “{page}”",
        false => "Copy section “{name}” to page “{page}”",
    };
    let label = fill(text, &[("name", &spot.name(document)), ("page", &name)]);
    let copy = PageCopy::Section { file, comments, section: document.at(&spot.path())?.to_string(), moved };
    let edit = if moved { delete(document, spot) } else { Edit::new(String::new(), Vec::new(), Some(spot)) };
    Some(Edit { label, copies: vec![copy], ..edit })
}

/// Renames an element. `None` if it has this name already. The focus stays where it is.
#[must_use]
pub fn rename(document: &Document, spot: Spot, name: &str) -> Option<Edit> {
    let key = match spot.list {
        List::Items(_) | List::SubItems(..) => "title",
        List::Sections | List::Pages => "name",
        List::Widgets(_) => "label",
    };
    let mut value = document.at(&spot.path()).filter(|value| value.is_object())?.clone();
    if value[key].as_str() == Some(name) {
        return None;
    }
    let label = fill(spot.list.texts().rename, &[("name", &spot.name(document)), ("new", name)]);
    value[key] = name.into();
    Some(Edit::new(label, vec![Change::Replace { at: spot.path(), value }], None))
}

/// Changes the title of the page. `None` if it has this title already.
#[must_use]
pub fn rename_page(document: &Document, title: &str) -> Option<Edit> {
    let info = document.at(&ValuePath::top().key(ConfigBlock::PageInfo.key()));
    let mut info = info.filter(|info| info.is_object()).cloned().unwrap_or_else(|| json!({}));
    if info["title"].as_str() == Some(title) {
        return None;
    }
    info["title"] = title.into();
    let edit = replace_block(document, ConfigBlock::PageInfo, info)?;
    Some(Edit { label: fill("Rename the page to “{title}”", &[("title", title)]), ..edit })
}

/// The items in the order of the file, without duplicates.
fn in_order(items: &[Spot]) -> Vec<Spot> {
    let place = |spot: &Spot| match spot.list {
        List::Items(section) | List::Widgets(section) => (section, spot.index),
        List::Sections | List::SubItems(..) | List::Pages => (0, spot.index),
    };
    let mut items = items.to_vec();
    items.sort_by_key(place);
    items.dedup();
    items
}

/// The changes that remove items from their lists, except from one list.
fn removals(document: &Document, items: &[Spot], left: Option<List>) -> Vec<Change> {
    let mut lists: Vec<List> = items.iter().map(|item| item.list).filter(|list| Some(*list) != left).collect();
    lists.dedup();
    lists.into_iter().map(|list| with_list(document, list, without(document, list, items))).collect()
}

/// A list without some of its elements.
fn without(document: &Document, list: List, items: &[Spot]) -> Vec<Value> {
    let values = document.at(&list.path()).and_then(Value::as_array).into_iter().flatten().enumerate();
    values.filter(|(index, _)| !items.contains(&Spot { list, index: *index })).map(|(_, value)| value.clone()).collect()
}

/// Replaces a list that may not exist yet.
fn with_list(document: &Document, list: List, values: Vec<Value>) -> Change {
    match document.at(&list.path()) {
        Some(Value::Array(_)) => Change::Replace { at: list.path(), value: values.into() },
        _ => {
            let (owner, key) = list.owner();
            with_key(document, owner, key, json!(values))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draft::Draft;

    const CONF: &str = "\
sections:
  - name: Media
    x-note: kept
    items:
      - title: Jellyfin
        x-own: 1
      - title: Navidrome
        tags: [music]
      - title: Kavita
  - name: Office
    items:
      - title: Ledger
  - name: Empty
    widgets:
      - type: clock
";

    fn document() -> Document {
        Document::parse(CONF.as_bytes()).unwrap()
    }

    fn item(section: usize, index: usize) -> Spot {
        Spot { list: List::Items(section), index }
    }

    /// The titles of all sections, after the edit; checks that it can be taken back and done again.
    fn after(edit: Edit) -> Vec<String> {
        let mut draft = Draft::new(document());
        let label = edit.label.clone();
        draft.apply(edit).unwrap();
        let printed = draft.document().print();
        let all = (0..List::Sections.len(draft.document())).map(|section| {
            let titles = (0..List::Items(section).len(draft.document()))
                .map(|index| item(section, index).name(draft.document()))
                .collect::<Vec<_>>();
            let name = Spot { list: List::Sections, index: section }.name(draft.document());
            format!("{name}: {}", titles.join(", "))
        });
        let all = all.collect();
        assert_eq!(draft.undo(), Some(label));
        assert_eq!(draft.document().print(), document().print());
        draft.redo().unwrap();
        assert_eq!(draft.document().print(), printed);
        all
    }

    #[test]
    fn several_items_move_in_one_step_and_keep_their_order() {
        let edit = move_items(&document(), &[item(0, 2), item(0, 0)], 1, Some(0)).unwrap();
        assert_eq!(edit.label, "Move 2 items to Office");
        assert_eq!(edit.spot, Some(item(1, 0)));
        assert_eq!(after(edit), ["Media: Navidrome", "Office: Jellyfin, Kavita, Ledger", "Empty: "]);

        let edit = move_items(&document(), &[item(0, 0), item(1, 0)], 2, None).unwrap();
        assert_eq!(after(edit), ["Media: Navidrome, Kavita", "Office: ", "Empty: Jellyfin, Ledger"]);

        let edit = move_items(&document(), &[item(0, 0), item(0, 1), item(1, 0)], 0, None).unwrap();
        assert_eq!(after(edit), ["Media: Kavita, Jellyfin, Navidrome, Ledger", "Office: ", "Empty: "]);

        let edit = move_items(&document(), &[item(0, 0), item(0, 2)], 0, Some(2)).unwrap();
        assert_eq!(edit.spot, Some(item(0, 1)));
        assert_eq!(after(edit), ["Media: Navidrome, Jellyfin, Kavita", "Office: Ledger", "Empty: "]);
    }

    #[test]
    fn items_that_are_there_do_not_move() {
        assert_eq!(move_items(&document(), &[item(0, 0), item(0, 1)], 0, Some(0)), None);
        assert_eq!(move_items(&document(), &[item(0, 1), item(0, 2)], 0, None), None);
        assert_eq!(move_items(&document(), &[item(0, 0), item(0, 1)], 0, Some(1)), None);
        assert_eq!(move_items(&document(), &[], 1, None), None);
    }

    #[test]
    fn several_items_are_deleted_in_one_step() {
        let edit = delete_items(&document(), &[item(1, 0), item(0, 0), item(0, 1), item(0, 1)]).unwrap();
        assert_eq!(edit.label, "Delete 3 items");
        assert_eq!(after(edit), ["Media: Kavita", "Office: ", "Empty: "]);
        assert_eq!(delete_items(&document(), &[item(0, 0)]).unwrap().label, "Delete item “Jellyfin”");
        assert_eq!(delete_items(&document(), &[]), None);
    }

    #[test]
    fn several_items_are_tagged_in_one_step() {
        let all = [item(0, 0), item(0, 1), item(1, 0)];
        let edit = tag_items(&document(), &all, "music").unwrap();
        assert_eq!(edit.label, "Tag 2 items with “music”");
        let mut draft = Draft::new(document());
        draft.apply(edit).unwrap();
        for spot in all {
            assert_eq!(draft.document().at(&spot.path()).unwrap()["tags"], json!(["music"]));
        }
        assert_eq!(tag_items(draft.document(), &all, "music"), None);
        let edit = tag_items(draft.document(), &[item(0, 1)], "evening").unwrap();
        assert_eq!(edit.label, "Tag “Navidrome” with “evening”");
        draft.apply(edit).unwrap();
        assert_eq!(draft.document().at(&item(0, 1).path()).unwrap()["tags"], json!(["music", "evening"]));
        draft.undo();
        draft.undo();
        assert_eq!(draft.document().print(), document().print());
    }

    #[test]
    fn sections_are_put_before_others_or_at_the_end() {
        let edit = move_section(&document(), 2, Some(0), None).unwrap();
        assert_eq!(edit.label, "Move section “Empty” before “Media”");
        assert_eq!(after(edit)[..2], ["Empty: ", "Media: Jellyfin, Navidrome, Kavita"]);
        let edit = move_section(&document(), 0, None, None).unwrap();
        assert_eq!(edit.label, "Move section “Media” to the end");
        assert_eq!(edit.spot, Some(Spot { list: List::Sections, index: 2 }));
        assert_eq!(after(edit)[..2], ["Office: Ledger", "Empty: "]);
        let edit = move_section(&document(), 0, Some(2), None).unwrap();
        assert_eq!(after(edit)[..2], ["Office: Ledger", "Media: Jellyfin, Navidrome, Kavita"]);
        assert_eq!(move_section(&document(), 0, Some(1), None), None);
        assert_eq!(move_section(&document(), 2, None, None), None);
        assert_eq!(move_section(&document(), 7, None, None), None);
    }

    #[test]
    fn sections_go_into_columns_of_the_page() {
        let edit = move_section(&document(), 0, None, Some(3)).unwrap();
        assert_eq!(edit.label, "Move section “Media” to column 3");
        let mut draft = Draft::new(document());
        draft.apply(edit).unwrap();
        let moved = draft.document().at(&Spot { list: List::Sections, index: 2 }.path()).unwrap();
        assert_eq!((&moved["name"], &moved["displayData"]), (&json!("Media"), &json!({ "column": 3 })));
        // It is there already.
        assert_eq!(move_section(draft.document(), 2, None, Some(3)), None);
        // Only the column changes.
        let edit = move_section(draft.document(), 2, None, Some(1)).unwrap();
        assert_eq!(edit.changes.len(), 1);
        draft.apply(edit).unwrap();
        let moved = draft.document().at(&Spot { list: List::Sections, index: 2 }.path()).unwrap();
        assert_eq!(moved["displayData"], json!({ "column": 1 }));
        draft.undo();
        draft.undo();
        assert_eq!(draft.document().print(), document().print());
    }

    #[test]
    fn copies_go_to_the_beginning_or_the_end_of_a_section() {
        let edit = copy(&document(), item(0, 0), List::Items(1), None).unwrap();
        assert_eq!(edit.label, "Copy “Jellyfin” to Office");
        assert_eq!(after(edit)[..2], ["Media: Jellyfin, Navidrome, Kavita", "Office: Ledger, Jellyfin"]);
        let edit = copy(&document(), item(0, 0), List::Items(1), Some(0)).unwrap();
        assert_eq!(edit.spot, Some(item(1, 0)));
        assert_eq!(after(edit)[1], "Office: Jellyfin, Ledger");
        let edit = copy(&document(), item(0, 0), List::Items(2), Some(0)).unwrap();
        assert_eq!(after(edit)[2], "Empty: Jellyfin");
        let widget = Spot { list: List::Widgets(2), index: 0 };
        assert_eq!(copy(&document(), widget, List::Widgets(0), None).unwrap().label, "Copy “clock” to Media");
    }

    #[test]
    fn sections_are_copied_to_other_pages_by_saving() {
        let written = format!("# Mine\n{CONF}");
        let mut draft = Draft::new(Document::parse(written.as_bytes()).unwrap());
        let page = TargetPage { file: "boats.yml".to_owned(), name: "Boats".to_owned(), comments: true };
        let edit = to_page(draft.document(), 0, page.clone(), false).unwrap();
        assert_eq!(edit.label, "Copy section “Media” to page “Boats”");
        draft.apply(edit).unwrap();
        // This file stays as it is.
        assert_eq!((draft.text(), draft.steps()), (written.clone(), 1));
        let copies = draft.copies();
        let [PageCopy::Section { file, section, comments: true, moved: false }] = copies.as_slice() else {
            panic!("{copies:?}")
        };
        let section: Value = serde_json::from_str(section).unwrap();
        assert_eq!((file.as_str(), &section["x-note"]), ("boats.yml", &json!("kept")));
        draft.undo();
        assert_eq!((draft.copies(), draft.text()), (vec![], written));
        draft.redo();
        assert_eq!(draft.copies(), copies);
        assert_eq!(to_page(&document(), 7, page, false), None);
    }

    #[test]
    fn sections_that_move_to_other_pages_leave_the_draft() {
        let page = TargetPage { file: "boats.yml".to_owned(), name: "Boats".to_owned(), comments: false };
        let edit = to_page(&document(), 0, page.clone(), true).unwrap();
        assert_eq!(edit.label, "Move section “Media” to page “Boats”");
        assert_eq!(edit.spot, Some(Spot { list: List::Sections, index: 0 }));
        let [PageCopy::Section { file, section, comments: false, moved: true }] = edit.copies.as_slice() else {
            panic!("{edit:?}")
        };
        let value: Value = serde_json::from_str(section).unwrap();
        assert_eq!((file.as_str(), &value["name"], &value["x-note"]), ("boats.yml", &json!("Media"), &json!("kept")));
        let mut draft = Draft::new(document());
        draft.apply(edit.clone()).unwrap();
        assert_eq!(draft.copies(), edit.copies);
        draft.undo();
        assert_eq!(draft.copies(), []);
        assert_eq!(after(edit), ["Office: Ledger", "Empty: "]);
        assert_eq!(to_page(&document(), 7, page, true), None);
    }

    #[test]
    fn names_change_where_they_stand() {
        let edit = rename(&document(), item(0, 0), "Films").unwrap();
        assert_eq!(edit.label, "Rename item “Jellyfin” to “Films”");
        assert_eq!(after(edit)[0], "Media: Films, Navidrome, Kavita");
        let edit = rename(&document(), Spot { list: List::Sections, index: 1 }, "Desk").unwrap();
        assert_eq!(after(edit)[1], "Desk: Ledger");
        assert_eq!(rename(&document(), item(0, 0), "Jellyfin"), None);
        assert_eq!(rename(&document(), item(5, 0), "Jellyfin"), None);
    }

    #[test]
    fn the_page_is_renamed_whether_it_had_a_title_or_not() {
        for (written, expected) in [
            ("pageInfo: { x-own: 1, title: Old }", json!({ "x-own": 1, "title": "Home" })),
            ("pageInfo: Old", json!({ "title": "Home" })),
            ("sections: []", json!({ "title": "Home" })),
        ] {
            let document = Document::parse(written.as_bytes()).unwrap();
            let mut draft = Draft::new(document.clone());
            let edit = rename_page(&document, "Home").unwrap();
            assert_eq!(edit.label, "Rename the page to “Home”");
            draft.apply(edit).unwrap();
            assert_eq!(draft.document().value()["pageInfo"], expected);
            assert_eq!(rename_page(draft.document(), "Home"), None);
            draft.undo();
            assert_eq!(draft.document().print(), document.print());
        }
    }
}
