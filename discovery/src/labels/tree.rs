//! Labels as a tree: `widgets[0].type` and `widgets.0.type` are the same place. A mapping whose keys are all numbers is a
//! list.

use serde_json::{Map, Value};

/// Maximum number of steps of a label.
const MAX_DEPTH: usize = 8;

/// Adds a value; `false` if the label has too many steps, or contradicts another one.
pub fn insert(tree: &mut Map<String, Value>, label: &str, value: &str) -> bool {
    let steps: Vec<&str> = label.split(['.', '[', ']']).filter(|step| !step.is_empty()).collect();
    let Some((last, parents)) = steps.split_last().filter(|_| steps.len() <= MAX_DEPTH) else { return false };
    let mut place = tree;
    for step in parents {
        let inner = place.entry(*step).or_insert_with(|| Value::Object(Map::new()));
        let Value::Object(inner) = inner else { return false };
        place = inner;
    }
    if place.get(*last).is_some_and(Value::is_object) {
        return false;
    }
    place.insert((*last).to_owned(), value.into());
    true
}

/// The tree with its lists.
pub fn with_lists(value: Value) -> Value {
    let Value::Object(mapping) = value else { return value };
    let is_list = !mapping.is_empty() && mapping.keys().all(|key| key.bytes().all(|byte| byte.is_ascii_digit()));
    let mut entries: Vec<_> = mapping.into_iter().map(|(key, value)| (key, with_lists(value))).collect();
    if !is_list {
        return Value::Object(entries.into_iter().collect());
    }
    // Gaps close, so a large number costs nothing.
    entries.sort_by_key(|(key, _)| (key.parse::<u64>().unwrap_or(u64::MAX), key.clone()));
    Value::Array(entries.into_iter().map(|(_, value)| value).collect())
}
