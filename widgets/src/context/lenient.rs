//! Reads responses of which a part is not as expected. That part counts as missing, and does not affect the others.

use crate::deserialize::{self, Path, Step};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Maximum size in bytes of a response that is read in this way: larger ones are not worth the memory.
const LARGEST: usize = 2 * 1024 * 1024;
/// Maximum number of times that a document is read, and of bytes that are read in all.
const MAX_TIMES: usize = 64;
const MAX_BYTES: usize = 16 * 1024 * 1024;

/// Reads a document without the members that are `null`, and without what is of another type than expected: plain values,
/// and entries of lists. `None` if that does not help: a whole object or list of another type is a response of
/// another kind.
pub(super) fn read<T: DeserializeOwned>(document: &[u8]) -> Option<T> {
    if document.len() > LARGEST {
        return None;
    }
    let value = serde_json::from_slice(document).ok()?;
    read_value(value, MAX_TIMES.min(MAX_BYTES / document.len().max(1)))
}

/// Like [`read`], for a document that is known to be small.
pub(crate) fn from_value_leniently<T: DeserializeOwned>(value: Value) -> Option<T> {
    read_value(value, MAX_TIMES)
}

fn read_value<T: DeserializeOwned>(mut value: Value, times: usize) -> Option<T> {
    drop_nulls(&mut value);
    for _ in 0..times {
        match deserialize::from_value(&value) {
            Ok(read) => return Some(read),
            Err(error) => leave_out(&mut value, &error.path, &error.reason)?,
        }
    }
    None
}

/// Removes the members that are `null` from a value and from everything in it.
pub(crate) fn drop_nulls(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.retain(|_, member| !member.is_null());
            members.values_mut().for_each(drop_nulls);
        }
        Value::Array(values) => values.iter_mut().for_each(drop_nulls),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Leaves out the value at the path; `None` if the document makes no sense without it.
fn leave_out(document: &mut Value, path: &Path, problem: &str) -> Option<()> {
    let (last, before) = path.0.split_last()?;
    let is_index = |step: &Step| matches!(step, Step::Index(_));
    if !path.0.iter().any(is_index) && !is_of_plain_value(problem) {
        return None;
    }
    let is_whole_list = !before.iter().any(is_index);
    let parent = before.iter().try_fold(document, |value, step| match step {
        Step::Index(index) => value.get_mut(*index),
        Step::Key(key) => value.get_mut(key),
    })?;
    match (last, parent) {
        (Step::Key(key), Value::Object(members)) => members.remove(key).map(drop),
        // A list of which nothing is left is a response of another kind.
        (Step::Index(_), Value::Array(values)) if is_whole_list && values.len() == 1 && values[0].is_null() => None,
        (Step::Index(index), Value::Array(values)) => {
            let entry = values.get_mut(*index)?;
            // In a list of values that may be missing, the others keep their positions.
            if entry.is_null() {
                values.remove(*index);
            } else {
                *entry = Value::Null;
            }
            Some(())
        }
        _ => None,
    }
}

/// Whether a plain value was expected, not an object or a list. Only the text of errors says so.
fn is_of_plain_value(problem: &str) -> bool {
    let expected = problem.rsplit_once("expected ").map(|(_, expected)| expected);
    let is_plain = |expected: &str| {
        !["struct ", "a map", "a sequence", "a tuple", "an array"].iter().any(|kind| expected.starts_with(kind))
    };
    expected.is_some_and(is_plain)
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::json;

    use super::*;

    #[derive(Debug, Default, PartialEq, Deserialize)]
    #[serde(default)]
    struct Item {
        name: String,
        size: Option<u8>,
        sizes: Vec<Option<u8>>,
        places: Vec<(u8, f64)>,
        inner: Vec<Named>,
    }

    #[derive(Debug, PartialEq, Deserialize)]
    struct Named {
        name: String,
        #[serde(default)]
        size: Option<u8>,
    }

    fn item(written: &Value) -> Option<Item> {
        read(written.to_string().as_bytes())
    }

    #[test]
    fn what_is_wrong_is_missing() {
        let named = |name: &str| Named { name: name.to_owned(), size: None };
        let name = || "a".to_owned();
        for (written, expected) in [
            (json!({ "name": null, "size": "large" }), Item::default()),
            (json!({ "name": "a", "size": 1000 }), Item { name: name(), ..Item::default() }),
            (
                json!({ "sizes": [1, "two", {}, 4] }),
                Item { sizes: vec![Some(1), None, None, Some(4)], ..Item::default() },
            ),
            (
                json!({ "places": [[1, 1.5], [2], "three", [4, "x"]] }),
                Item { places: vec![(1, 1.5)], ..Item::default() },
            ),
            (
                json!({ "inner": [{ "name": "b", "size": [] }, {}, { "name": 3 }, null, 5] }),
                Item { inner: vec![named("b")], ..Item::default() },
            ),
        ] {
            assert_eq!(item(&written), Some(expected), "{written}");
        }
    }

    #[test]
    fn another_response_is_no_response() {
        assert_eq!(item(&json!({ "name": "a", "sizes": "none" })), None);
        assert_eq!(item(&json!({ "inner": { "name": "a" } })), None);
        assert_eq!(item(&json!([1, 2])), None);
        assert_eq!(item(&json!({ "inner": [{ "size": 1 }] })), None);
        assert_eq!(item(&json!({ "inner": vec![json!(1); 100] })), None, "nearly everything is wrong");
    }
}
