//! Edits: what a user does to a config, as changes of the document with a label for the history.

use config::{Change, Document, PageCopy, ValuePath};
use serde_json::{Value, json};

use crate::{
    page_files,
    texts::{fill, t},
};

pub(crate) use crate::spot::name_of;
pub use crate::spot::{ConfigBlock, List, Spot};

/// One step of the history.
#[derive(Clone, Debug, PartialEq)]
pub struct Edit {
    /// The label of the step: `Move “Jellyfin” to Media`.
    pub label: String,
    /// The changes, in order.
    pub changes: Vec<Change>,
    /// Where to put the focus afterwards.
    pub spot: Option<Spot>,
    /// What saving then writes to files of other pages.
    pub copies: Vec<PageCopy>,
}

impl Edit {
    /// An edit of this file alone.
    #[must_use]
    pub fn new(label: String, changes: Vec<Change>, spot: Option<Spot>) -> Self {
        Self { label, changes, spot, copies: Vec::new() }
    }
}

/// A direction in a list.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum ListDirection {
    /// Towards the beginning.
    Up,
    /// Towards the end.
    Down,
}

impl ListDirection {
    /// The index next to another one; `None` above the first.
    #[must_use]
    pub fn next_to(self, index: usize) -> Option<usize> {
        match self {
            Self::Up => index.checked_sub(1),
            Self::Down => Some(index + 1),
        }
    }

    fn text(self) -> &'static str {
        match self {
            Self::Up => "Move “{name}” up",
            Self::Down => "Move “{name}” down",
        }
    }
}

/// Adds an element at the end of a list.
#[must_use]
pub fn add(document: &Document, list: List, value: Value) -> Edit {
    let label = fill(list.texts().add, &[("name", &name_of(list, &value))]);
    let index = list.len(document);
    Edit::new(label, vec![insertion(document, list, index, value)], Some(Spot { list, index }))
}

/// Replaces the value of an element; `None` if it is the same.
#[must_use]
pub fn replace(document: &Document, spot: Spot, value: Value) -> Option<Edit> {
    let at = spot.path();
    let old = document.at(&at)?;
    if *old == value {
        return None;
    }
    let label = fill(spot.list.texts().edit, &[("name", &name_of(spot.list, &value))]);
    Some(Edit::new(label, vec![Change::Replace { at, value }], Some(spot)))
}

/// Replaces `pageInfo` or `appConfig`; `None` if it is the same.
#[must_use]
pub fn replace_block(document: &Document, block: ConfigBlock, value: Value) -> Option<Edit> {
    let at = ValuePath::top().key(block.key());
    let change = match document.at(&at) {
        Some(old) if *old == value => return None,
        Some(_) => Change::Replace { at, value },
        None if value.as_object().is_some_and(serde_json::Map::is_empty) => return None,
        None => with_key(document, ValuePath::top(), block.key(), value),
    };
    Some(Edit::new(t(block.edit_text()), vec![change], None))
}

/// Deletes an element.
#[must_use]
pub fn delete(document: &Document, spot: Spot) -> Edit {
    let label = fill(spot.list.texts().delete, &[("name", &spot.name(document))]);
    let left = spot.list.len(document).saturating_sub(1);
    let next = match left {
        0 => spot.list.parent().filter(|_| matches!(spot.list, List::SubItems(..))),
        left => Some(Spot { index: spot.index.min(left - 1), ..spot }),
    };
    Edit::new(label, vec![removal(document, spot)], next)
}

/// Inserts a copy of an element after it. `main` is the name of the main config.
#[must_use]
pub fn duplicate(document: &Document, main: &str, spot: Spot) -> Option<Edit> {
    let mut value = document.at(&spot.path())?.clone();
    let label = fill(spot.list.texts().duplicate, &[("name", &name_of(spot.list, &value))]);
    // The addresses of sections and pages are made of their names.
    if let (List::Sections | List::Pages, Some(Value::String(name))) = (spot.list, value.get_mut("name")) {
        *name = free_name(document, spot.list, name);
    }
    let copies = match spot.list {
        List::Pages => page_files::take_copy(document, main, &mut value).into_iter().collect(),
        _ => Vec::new(),
    };
    let index = spot.index + 1;
    let change = Change::Insert { list: spot.list.path(), index, value };
    Some(Edit { copies, ..Edit::new(label, vec![change], Some(Spot { index, ..spot })) })
}

/// The name of a copy, which no other element of the list has: `Media (copy)`, `Media (copy 2)`.
fn free_name(document: &Document, list: List, name: &str) -> String {
    let is_taken = |name: &str| (0..list.len(document)).any(|index| Spot { list, index }.name(document) == name);
    let numbered = |number: usize| fill("{name} (copy {number})", &[("name", name), ("number", &number.to_string())]);
    let first = fill("{name} (copy)", &[("name", name)]);
    if !is_taken(&first) {
        return first;
    }
    numbered((2_usize..).find(|number| !is_taken(&numbered(*number))).unwrap_or_default())
}

/// Moves an element up or down by one; `None` at the end of the list.
#[must_use]
pub fn move_one(document: &Document, spot: Spot, direction: ListDirection) -> Option<Edit> {
    let index = direction.next_to(spot.index)?;
    if index >= spot.list.len(document) {
        return None;
    }
    let label = fill(direction.text(), &[("name", &spot.name(document))]);
    move_to(document, spot, Spot { index, ..spot }, label)
}

/// Moves an element into a list of its kind, before one of its elements or to the end.
#[must_use]
pub fn move_into(document: &Document, spot: Spot, list: List, before: Option<usize>) -> Option<Edit> {
    let name = list.parent()?.name(document);
    let index = if list == spot.list {
        let index = before.unwrap_or_else(|| list.len(document));
        if index > spot.index { index - 1 } else { index }
    } else {
        before.unwrap_or_else(|| list.len(document))
    };
    let label = fill("Move “{name}” to {section}", &[("name", &spot.name(document)), ("section", &name)]);
    move_to(document, spot, Spot { list, index }, label)
}

/// Moves an element to an index that is counted without it.
pub(crate) fn move_to(document: &Document, from: Spot, to: Spot, label: String) -> Option<Edit> {
    if from == to {
        return None;
    }
    let value = document.at(&from.path())?.clone();
    let changes = if from.list == to.list {
        let removal = Change::Remove { list: from.list.path(), index: from.index };
        vec![removal, Change::Insert { list: to.list.path(), index: to.index, value }]
    } else {
        vec![insertion(document, to.list, to.index, value), removal(document, from)]
    };
    Some(Edit::new(label, changes, Some(to)))
}

/// Removes an element. With its last sub-item, a group is an item without a list of them.
fn removal(document: &Document, spot: Spot) -> Change {
    let (owner, key) = spot.list.owner();
    if let (List::SubItems(..), 1, Some(Value::Object(group))) =
        (spot.list, spot.list.len(document), document.at(&owner))
    {
        let mut group = group.clone();
        group.shift_remove(key);
        return Change::Replace { at: owner, value: group.into() };
    }
    Change::Remove { list: spot.list.path(), index: spot.index }
}

/// Inserts an element into a list that may not exist yet.
pub(crate) fn insertion(document: &Document, list: List, index: usize, value: Value) -> Change {
    match document.at(&list.path()) {
        Some(Value::Array(_)) => Change::Insert { list: list.path(), index, value },
        _ => {
            let (owner, key) = list.owner();
            with_key(document, owner, key, json!([value]))
        }
    }
}

/// Sets a key of the mapping at a path.
pub(crate) fn with_key(document: &Document, owner: ValuePath, key: &str, value: Value) -> Change {
    let mut mapping = document.at(&owner).cloned().unwrap_or_else(|| json!({}));
    if !mapping.is_object() {
        mapping = json!({});
    }
    mapping[key] = value;
    Change::Replace { at: owner, value: mapping }
}

/// Changes the type of a widget, which comes first if it had none.
pub fn set_kind(widget: &mut Value, kind: &str) {
    let Some(members) = widget.as_object_mut() else { return };
    if !members.contains_key("type") {
        let rest = std::mem::take(members);
        members.insert("type".to_owned(), Value::Null);
        members.extend(rest);
    }
    members["type"] = kind.into();
}

#[cfg(test)]
mod tests;
