//! What a person does to a config, as changes of the document and in words.

mod spot;

use config::{Change, Document, ValuePath};
use serde_json::{Value, json};

pub(crate) use self::spot::name_of;
pub use self::spot::{Block, List, Spot};

/// Something that a person did.
#[derive(Clone, Debug, PartialEq)]
pub struct Edit {
    /// What it was, in words: `Move “Jellyfin” to Media`.
    pub words: String,
    /// The changes, one after the other.
    pub changes: Vec<Change>,
    /// Where the thing is afterwards, if it still is.
    pub spot: Option<Spot>,
}

/// Adds a thing at the end of a list.
#[must_use]
pub fn add(document: &Document, list: List, value: Value) -> Edit {
    let words = format!("Add {} “{}”", list.noun(), name_of(list, &value));
    let index = list.len(document);
    Edit { words, changes: vec![insertion(document, list, index, value)], spot: Some(Spot { list, index }) }
}

/// Gives a thing another value; none if it has this one.
#[must_use]
pub fn replace(document: &Document, spot: Spot, value: Value) -> Option<Edit> {
    let at = spot.place();
    let old = document.at(&at)?;
    if *old == value {
        return None;
    }
    let words = format!("Edit {} “{}”", spot.list.noun(), name_of(spot.list, &value));
    Some(Edit { words, changes: vec![Change::Replace { at, value }], spot: Some(spot) })
}

/// Gives `pageInfo` or `appConfig` another value; none if it has this one.
#[must_use]
pub fn replace_block(document: &Document, block: Block, value: Value) -> Option<Edit> {
    let at = ValuePath::top().key(block.key());
    let change = match document.at(&at) {
        Some(old) if *old == value => return None,
        Some(_) => Change::Replace { at, value },
        None if value.as_object().is_some_and(serde_json::Map::is_empty) => return None,
        None => with_key(document, ValuePath::top(), block.key(), value),
    };
    Some(Edit { words: format!("Edit {}", block.noun()), changes: vec![change], spot: None })
}

/// Takes a thing out.
#[must_use]
pub fn delete(document: &Document, spot: Spot) -> Edit {
    let words = format!("Delete {} “{}”", spot.list.noun(), spot.name(document));
    let left = spot.list.len(document).saturating_sub(1);
    let next = (left > 0).then(|| Spot { index: spot.index.min(left - 1), ..spot });
    Edit { words, changes: vec![Change::Remove { list: spot.list.place(), index: spot.index }], spot: next }
}

/// Puts a copy of a thing behind it.
#[must_use]
pub fn duplicate(document: &Document, spot: Spot) -> Option<Edit> {
    let mut value = document.at(&spot.place())?.clone();
    let words = format!("Duplicate {} “{}”", spot.list.noun(), name_of(spot.list, &value));
    // The address of a section is made of its name.
    if let (List::Sections, Some(Value::String(name))) = (spot.list, value.get_mut("name")) {
        name.push_str(" (copy)");
    }
    let index = spot.index + 1;
    let change = Change::Insert { list: spot.list.place(), index, value };
    Some(Edit { words, changes: vec![change], spot: Some(Spot { index, ..spot }) })
}

/// Moves a thing within its list; none at its ends.
#[must_use]
pub fn shift(document: &Document, spot: Spot, later: bool) -> Option<Edit> {
    let index = if later { spot.index + 1 } else { spot.index.checked_sub(1)? };
    if index >= spot.list.len(document) {
        return None;
    }
    let words = format!("Move “{}” {}", spot.name(document), if later { "down" } else { "up" });
    move_to(document, spot, Spot { index, ..spot }, words)
}

/// Moves an item or a widget to another section, at the end or before one of its things.
#[must_use]
pub fn carry(document: &Document, spot: Spot, section: usize, before: Option<usize>) -> Option<Edit> {
    let list = match spot.list {
        List::Sections | List::Pages => return None,
        List::Items(_) => List::Items(section),
        List::Widgets(_) => List::Widgets(section),
    };
    let name = Spot { list: List::Sections, index: section }.name(document);
    let index = if list == spot.list {
        let index = before.unwrap_or_else(|| list.len(document));
        if index > spot.index { index - 1 } else { index }
    } else {
        before.unwrap_or_else(|| list.len(document))
    };
    let words = format!("Move “{}” to {name}", spot.name(document));
    move_to(document, spot, Spot { list, index }, words)
}

/// Moves a thing to a position that is counted without it.
pub(crate) fn move_to(document: &Document, from: Spot, to: Spot, words: String) -> Option<Edit> {
    if from == to {
        return None;
    }
    let value = document.at(&from.place())?.clone();
    let removal = Change::Remove { list: from.list.place(), index: from.index };
    let changes = if from.list == to.list {
        vec![removal, Change::Insert { list: to.list.place(), index: to.index, value }]
    } else {
        vec![insertion(document, to.list, to.index, value), removal]
    };
    Some(Edit { words, changes, spot: Some(to) })
}

/// A further element of a list that may not be there yet.
pub(crate) fn insertion(document: &Document, list: List, index: usize, value: Value) -> Change {
    match document.at(&list.place()) {
        Some(Value::Array(_)) => Change::Insert { list: list.place(), index, value },
        _ => {
            let (owner, key) = list.owner();
            with_key(document, owner, key, json!([value]))
        }
    }
}

/// A key more, or another value of it, in the mapping at a place.
pub(crate) fn with_key(document: &Document, owner: ValuePath, key: &str, value: Value) -> Change {
    let mut mapping = document.at(&owner).cloned().unwrap_or_else(|| json!({}));
    if !mapping.is_object() {
        mapping = json!({});
    }
    mapping[key] = value;
    Change::Replace { at: owner, value: mapping }
}

#[cfg(test)]
mod tests;
