//! A section or item address: an index, or an exact name where the first match wins (docs/spec/api.md 5.3).

use std::fmt::{self, Display, Formatter};

use serde_json::Value;

/// Address of an element of a list.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Selector {
    /// Zero-based index.
    Index(usize),
    /// Exact `name` of a section or `title` of an item: no trimming, no normalisation.
    Name(String),
}

impl Selector {
    /// Reads a percent-decoded path segment. Digits alone are always an index, even where an element has that name;
    /// more digits than a number can hold are an index that no list reaches.
    pub fn parse(segment: &str) -> Self {
        if !segment.is_empty() && segment.bytes().all(|byte| byte.is_ascii_digit()) {
            Self::Index(segment.parse().unwrap_or(usize::MAX))
        } else {
            Self::Name(segment.to_owned())
        }
    }

    /// Index of the element that is meant; `key` is the field that holds its name.
    pub fn find(&self, list: &[Value], key: &str) -> Option<usize> {
        match self {
            Self::Index(index) => (*index < list.len()).then_some(*index),
            Self::Name(name) => list.iter().position(|element| match element.get(key) {
                Some(Value::String(text)) => text == name,
                // A number that stands where a name should stand is known by its text.
                Some(Value::Number(number)) => number.to_string() == *name,
                _ => false,
            }),
        }
    }
}

impl Display for Selector {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Index(index) => write!(formatter, "{index}"),
            Self::Name(name) => formatter.write_str(name),
        }
    }
}
