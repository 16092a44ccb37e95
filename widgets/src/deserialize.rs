//! Deserialization of options and responses, through one format.
//!
//! Serde compiles the code that reads a type once for each format: for a text, for a `Value`, for a reference to one, and,
//! with `serde_path_to_error`, for each of them once more. There are several hundred types here, and that code was a tenth
//! of the program. So all of them are read from text, and where an error is follows from its position. A `Value` is written
//! as text first; compared with the request for it, that takes no time.

use std::fmt;

use serde::de::DeserializeOwned;
use serde_json::Value;

/// A value is of another shape than expected.
#[derive(Debug)]
pub(crate) struct ShapeError {
    /// Where in the value.
    pub path: Path,
    /// What is wrong there, as serde says it.
    pub reason: String,
}

/// Reads a JSON value.
///
/// # Errors
///
/// It has another shape than expected.
pub(crate) fn from_value<T: DeserializeOwned>(value: &Value) -> Result<T, ShapeError> {
    let text = value.to_string();
    serde_json::from_slice(text.as_bytes()).map_err(|error| shape_error(&text, &error))
}

/// Compiled once for all types. The text has one line, without white space between its tokens.
fn shape_error(text: &str, error: &serde_json::Error) -> ShapeError {
    let reason = error.to_string();
    // The position is about a text that the user has not seen.
    let position = format!(" at line {} column {}", error.line(), error.column());
    let reason = reason.strip_suffix(&position).unwrap_or(&reason).to_owned();
    ShapeError { path: Path::at(text, error.column()), reason }
}

/// The way to a part of a JSON document; empty for the whole.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Path(pub Vec<Step>);

/// One step down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// To the member of an object.
    Key(String),
    /// To the entry of a list.
    Index(usize),
}

impl Path {
    /// The value that `serde_json` had read, or refused to read, after this number of bytes.
    fn at(text: &str, read: usize) -> Self {
        let bytes = text.as_bytes();
        let mut steps = Vec::new();
        let mut at = 0;
        // Whether the next text in the innermost object is a key, or was one.
        let mut is_key = false;
        while at < read.min(bytes.len()) {
            match bytes[at] {
                b'{' => {
                    steps.push(Step::Key(String::new()));
                    is_key = true;
                }
                b'[' => steps.push(Step::Index(0)),
                b'}' | b']' => {
                    steps.pop();
                    is_key = false;
                }
                b':' => is_key = false,
                b',' => match steps.last_mut() {
                    Some(Step::Index(index)) => *index += 1,
                    Some(Step::Key(_)) => is_key = true,
                    None => {}
                },
                b'"' => {
                    let end = end_of_text(bytes, at);
                    if is_key && let Some(Step::Key(key)) = steps.last_mut() {
                        *key = serde_json::from_str(&text[at..end]).unwrap_or_default();
                    }
                    at = end - 1;
                }
                _ => {}
            }
            at += 1;
        }
        // A key, or the beginning of an object or of a list of plain values: the error is about the whole of it. An object
        // or a list in place of a plain value is not read at all, so it begins here.
        let begins = matches!(bytes.get(read), Some(b'{' | b'['));
        let in_list = read.checked_sub(1).and_then(|last| bytes.get(last)) == Some(&b'[');
        if is_key || in_list && !begins {
            steps.pop();
        }
        Self(steps)
    }
}

/// The position after the closing quote of a text that begins at `start`.
fn end_of_text(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while at < bytes.len() && bytes[at] != b'"' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(bytes.len())
}

/// As people write it: `servers[2].name`.
impl fmt::Display for Path {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, step) in self.0.iter().enumerate() {
            match step {
                Step::Key(key) if number == 0 => write!(formatter, "{key}")?,
                Step::Key(key) => write!(formatter, ".{key}")?,
                Step::Index(index) => write!(formatter, "[{index}]")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::json;

    use super::*;

    #[derive(Debug, Default, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    #[allow(dead_code)]
    struct Shelf {
        name: String,
        sizes: Vec<u8>,
        pairs: Vec<(u8, f64)>,
        kind: Option<Kind>,
        inner: Vec<Named>,
        whole: Box<Option<Self>>,
    }

    #[derive(Debug, Deserialize)]
    #[allow(dead_code)]
    struct Named {
        name: String,
    }

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Kind {
        Wood,
    }

    #[test]
    fn an_error_says_where_and_what() {
        for (value, path, reason) in [
            (json!({ "name": 3 }), "name", "invalid type: integer `3`, expected a string"),
            (json!({ "name": { "a": 1 } }), "name", "invalid type: map, expected a string"),
            (json!({ "name": [[1]] }), "name", "invalid type: sequence, expected a string"),
            (json!({ "sizes": [1, "two, \"{[:" ] }), "sizes[1]", "invalid type: string \"two, \\\"{[:\", expected u8"),
            (json!({ "sizes": [1, { "a": [] }, 3] }), "sizes[1]", "invalid type: map, expected u8"),
            (json!({ "sizes": [[1]] }), "sizes[0]", "invalid type: sequence, expected u8"),
            (json!({ "sizes": "no" }), "sizes", "invalid type: string \"no\", expected a sequence"),
            (json!({ "sizes": [300] }), "sizes[0]", "invalid value: integer `300`, expected u8"),
            (json!({ "pairs": [[1, 2.5], [3]] }), "pairs[1]", "invalid length 1, expected a tuple of size 2"),
            (json!({ "kind": "steel" }), "kind", "unknown variant `steel`, expected `wood`"),
            (json!({ "inner": [{ "name": "a" }, {}] }), "inner[1]", "missing field `name`"),
            (json!({ "inner": [{ "na\"me": 1 }] }), "inner[0]", "missing field `name`"),
            (
                json!({ "whole": { "inner": [{ "name": null }] } }),
                "whole.inner[0].name",
                "invalid type: null, expected a string",
            ),
            (json!({ "whole": { "none": 1 } }), "whole", "unknown field `none`"),
            (json!(3), "", "invalid type: integer `3`"),
            (json!("a"), "", "invalid type: string \"a\""),
        ] {
            let Err(error) = from_value::<Shelf>(&value) else { panic!("{value} can be read") };
            assert_eq!(error.path.to_string(), path, "{value}: {}", error.reason);
            assert!(error.reason.starts_with(reason), "{value}: {}", error.reason);
            assert!(!error.reason.contains(" at line "), "{}", error.reason);
        }
    }

    #[test]
    fn numbers_keep_their_digits() {
        assert_eq!(from_value::<u64>(&json!(u64::MAX)).unwrap(), u64::MAX);
        assert!((from_value::<f64>(&json!(0.1)).unwrap() - 0.1).abs() < f64::EPSILON);
    }
}
