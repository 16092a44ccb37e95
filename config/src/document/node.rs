//! The nodes of a text, with their positions.

use std::{cell::OnceCell, collections::HashMap, rc::Rc};

use saphyr_parser::Marker;
use serde_json::Value;

/// A position in the text; line and column count from 1.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(super) struct TextPosition {
    pub line: usize,
    pub column: usize,
}

/// A value with its position.
#[derive(Debug)]
pub(super) struct PositionedValue {
    pub place: TextPosition,
    pub content: Content,
    /// Approximate size in bytes with all aliases expanded.
    pub(super) size: usize,
    /// Number of nested levels of lists and mappings.
    pub(super) depth: usize,
}

#[derive(Debug)]
pub(super) enum Content {
    Scalar(Scalar),
    List(Vec<Rc<PositionedValue>>),
    Mapping(MappingEntries),
}

/// A scalar, and how it is written.
#[derive(Debug)]
pub(super) struct Scalar {
    /// What it is where anything may be.
    pub(super) value: Value,
    /// The text in the file, if it has neither quotes nor a tag, and we would write the value in another way.
    pub written: Option<Box<str>>,
    /// Whether it has neither quotes nor a tag.
    pub(super) is_plain: bool,
}

/// The entries of a mapping, in the order of the text. No two have the same key.
#[derive(Debug)]
pub(super) struct MappingEntries {
    list: Vec<MappingEntry>,
    /// The index of each key, built when the first one is looked up: a file with many wrong keys has a problem, and so a
    /// lookup, for each of them.
    by_key: OnceCell<HashMap<Rc<str>, usize>>,
}

/// An entry of a mapping. The position is that of the key itself, also after a merge.
#[derive(Clone, Debug)]
pub(super) struct MappingEntry {
    pub key: Rc<str>,
    /// Whether the key has neither quotes nor a tag.
    pub is_plain: bool,
    pub place: TextPosition,
    pub value: Rc<PositionedValue>,
}

impl MappingEntries {
    pub fn new(list: Vec<MappingEntry>) -> Self {
        Self { list, by_key: OnceCell::new() }
    }

    /// The entry with a key.
    pub fn get(&self, key: &str) -> Option<&MappingEntry> {
        let index = || self.list.iter().enumerate().map(|(at, entry)| (Rc::clone(&entry.key), at)).collect();
        let at = *self.by_key.get_or_init(index).get(key)?;
        self.list.get(at)
    }

    pub fn iter(&self) -> std::slice::Iter<'_, MappingEntry> {
        self.list.iter()
    }
}

impl From<&Marker> for TextPosition {
    fn from(marker: &Marker) -> Self {
        Self { line: marker.line(), column: marker.col() + 1 }
    }
}
