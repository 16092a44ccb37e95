//! Matches the elements of three versions of a list.

use serde_json::Value;

use crate::edits::{List, name_of};

/// One element, by its positions in the three versions of its list.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct ElementRow {
    /// Its position when the draft began; `None` if it is not there, as in the other versions.
    pub base: Option<usize>,
    /// Its position in the draft.
    pub mine: Option<usize>,
    /// Its position in the current file.
    pub theirs: Option<usize>,
}

/// Whether an old and a new element are the same one.
type Likeness = fn(List, &Value, &Value) -> bool;

/// The strictest first.
const LIKENESSES: [Likeness; 3] =
    [|_, old, new| old == new, |list, old, new| name_of(list, old) == name_of(list, new), is_similar];

/// The elements of three versions of a list: those in the current file, then those only in the draft.
pub fn rows(list: List, base: &[Value], mine: &[Value], theirs: &[Value]) -> Vec<ElementRow> {
    let mine_of = pairs(list, base, mine, &vec![false; mine.len()]);
    let theirs_of = pairs(list, base, theirs, &vec![false; theirs.len()]);
    let mut rows: Vec<ElementRow> = (0..theirs.len())
        .map(|index| {
            let base = theirs_of[index];
            let mine = base.and_then(|base| mine_of.iter().position(|known| *known == Some(base)));
            ElementRow { base, mine, theirs: Some(index) }
        })
        .collect();
    // Elements that both sides have added.
    let known: Vec<bool> = mine_of.iter().map(Option::is_some).collect();
    let added: Vec<usize> = (0..theirs.len()).filter(|index| theirs_of[*index].is_none()).collect();
    let added_values: Vec<Value> = added.iter().map(|index| theirs[*index].clone()).collect();
    let both_added = pairs(list, &added_values, mine, &known);
    for (index, base) in mine_of.iter().enumerate() {
        if let Some(position) = both_added[index] {
            rows[added[position]].mine = Some(index);
        } else if base.is_none_or(|base| !theirs_of.contains(&Some(base))) {
            rows.push(ElementRow { base: *base, mine: Some(index), theirs: None });
        }
    }
    rows
}

/// The old element that each new one was, if any: an equal one, else one with the same name, else a similar one. Elements
/// that are `known` are skipped.
fn pairs(list: List, old: &[Value], new: &[Value], known: &[bool]) -> Vec<Option<usize>> {
    let mut found = vec![None; new.len()];
    for is_same in LIKENESSES {
        for (index, value) in new.iter().enumerate() {
            if known[index] || found[index].is_some() {
                continue;
            }
            let is_free = |position: &usize| !found.contains(&Some(*position));
            found[index] = (0..old.len()).filter(is_free).find(|position| is_same(list, &old[*position], value));
        }
    }
    found
}

/// Whether two elements with different names are the same one, renamed.
fn is_similar(list: List, one: &Value, other: &Value) -> bool {
    let shared = |key: &str| one.get(key).is_some_and(|value| !value.is_null() && other.get(key) == Some(value));
    match list {
        List::Items(_) | List::SubItems(..) => shared("url"),
        List::Widgets(_) => shared("type"),
        List::Pages => shared("path"),
        List::Sections => ["items", "widgets"].into_iter().any(|key| {
            let elements = |section: &Value| section.get(key).and_then(Value::as_array).cloned().unwrap_or_default();
            let others = elements(other);
            elements(one).iter().any(|element| others.contains(element))
        }),
    }
}
