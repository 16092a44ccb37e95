//! The address of a section or item: an index, or an exact name, of which the first match wins (docs/spec/api.md 5.3).

use std::fmt::{self, Display, Formatter};

use serde_json::Value;

/// Address of an element of a list.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Selector {
    /// Zero-based index.
    Index(usize),
    /// Exact `name` of a section or `title` of an item: no trimming, no normalization.
    Name(String),
}

impl Selector {
    /// Parses a percent-decoded path segment. A segment of digits is always an index, even if an element has that name;
    /// if it does not fit into a number, it is an index beyond every list.
    pub fn parse(segment: &str) -> Self {
        if !segment.is_empty() && segment.bytes().all(|byte| byte.is_ascii_digit()) {
            Self::Index(segment.parse().unwrap_or(usize::MAX))
        } else {
            Self::Name(segment.to_owned())
        }
    }

    /// Index of the addressed element; `key` is the field with its name.
    pub fn find(&self, list: &[Value], key: &str) -> Option<usize> {
        match self {
            Self::Index(index) => (*index < list.len()).then_some(*index),
            Self::Name(name) => list.iter().position(|element| match element.get(key) {
                Some(Value::String(text)) => text == name,
                // A number in the place of a name matches by its text.
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
