//! Finds the spellings of a file.

use std::sync::Arc;

use serde_json::Value;

use super::{
    node::{Content, PositionedValue},
    print,
    spelling::{Spellings, Tables},
};

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
