//! How a file spells the scalars that we would write in another way, such as `1.10`, `0x1F` or `True`.
//!
//! A write prints the whole value. With these spellings, scalars that nobody changed stay as a user wrote them, also
//! for other software that reads the file. They are kept per key, not per place, so edits need not know about them.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use serde_json::Value;

use super::{
    compose::{Content, PositionedValue},
    print,
};

/// The spellings of a file.
#[derive(Clone, Debug, Default)]
pub(super) struct Spellings(Option<Arc<Tables>>);

#[derive(Clone, Debug, Default)]
struct Tables {
    /// For the key of the nearest mapping and a scalar as we would write it: how the file writes it.
    values: HashMap<Box<str>, HashMap<Box<str>, Box<str>>>,
    /// The keys that the file writes without quotes although we would add them.
    keys: HashSet<Box<str>>,
}

impl Spellings {
    /// The spellings of a file. Where it has several spellings of the same, ours is used, which nobody misreads.
    pub fn of(root: &PositionedValue, value: &Value) -> Self {
        let mut tables = Tables::default();
        tables.collect(root, value, "");
        if tables.values.is_empty() && tables.keys.is_empty() {
            return Self::default();
        }
        tables.drop_ambiguous(root, value, "");
        Self(Some(Arc::new(tables)))
    }

    /// Adds the spellings of another file. Where both have one, the other's is used.
    pub fn extend(&mut self, other: &Self) {
        let Some(other) = &other.0 else { return };
        let tables = Arc::make_mut(self.0.get_or_insert_default());
        for (key, spellings) in &other.values {
            tables.values.entry(key.clone()).or_default().extend(spellings.clone());
        }
        tables.keys.extend(other.keys.iter().cloned());
    }

    /// How the file writes a scalar of a key; `ours` is how we write it.
    pub fn value(&self, key: &str, ours: &str) -> Option<&str> {
        self.0.as_ref()?.values.get(key)?.get(ours).map(AsRef::as_ref)
    }

    /// Whether the file writes this key without quotes.
    pub fn is_plain_key(&self, key: &str) -> bool {
        self.0.as_ref().is_some_and(|tables| tables.keys.contains(key))
    }
}

impl Tables {
    fn collect(&mut self, node: &PositionedValue, value: &Value, key: &str) {
        match (&node.content, value) {
            (Content::Scalar(scalar), _) => {
                if let Some(written) = &scalar.written {
                    let spellings = self.values.entry(key.into()).or_default();
                    spellings.insert(print::scalar(value).into(), written.clone());
                }
            }
            (Content::List(nodes), Value::Array(elements)) => {
                nodes.iter().zip(elements).for_each(|(node, element)| self.collect(node, element, key));
            }
            (Content::Mapping(entries), Value::Object(mapping)) => {
                for entry in entries.iter() {
                    if entry.is_plain && print::can_be_spelled_as_key(&entry.key) {
                        self.keys.insert(entry.key.as_ref().into());
                    }
                    if let Some(value) = mapping.get(entry.key.as_ref()) {
                        self.collect(&entry.value, value, &entry.key);
                    }
                }
            }
            _ => {}
        }
    }

    /// Drops what the file spells in several ways.
    fn drop_ambiguous(&mut self, node: &PositionedValue, value: &Value, key: &str) {
        match (&node.content, value) {
            (Content::Scalar(scalar), _) => {
                let Some(spellings) = self.values.get_mut(key).filter(|spellings| !spellings.is_empty()) else {
                    return;
                };
                let ours = print::scalar(value);
                if spellings.get(ours.as_str()).is_some_and(|known| Some(known) != scalar.written.as_ref()) {
                    spellings.remove(ours.as_str());
                }
            }
            (Content::List(nodes), Value::Array(elements)) => {
                nodes.iter().zip(elements).for_each(|(node, element)| self.drop_ambiguous(node, element, key));
            }
            (Content::Mapping(entries), Value::Object(mapping)) => {
                for entry in entries.iter() {
                    if !entry.is_plain {
                        self.keys.remove(entry.key.as_ref());
                    }
                    if let Some(value) = mapping.get(entry.key.as_ref()) {
                        self.drop_ambiguous(&entry.value, value, &entry.key);
                    }
                }
            }
            _ => {}
        }
    }
}
