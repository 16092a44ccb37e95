//! The result of an import.

use config::Document;
use serde_json::Value;

use crate::report::Report;

/// A converted config.
#[derive(Clone, Debug)]
pub struct Imported {
    /// The text of a `conf.yml`.
    pub yaml: String,
    /// Its sections, as in the text.
    pub sections: Vec<Value>,
    /// Whether the text also has `pageInfo` or `appConfig`.
    pub has_settings: bool,
    /// What was carried over, and what was not.
    pub report: Report,
}

pub(crate) fn has_settings(document: &Document) -> bool {
    ["pageInfo", "appConfig"].iter().any(|key| document.value().get(key).is_some())
}

pub(crate) fn sections(document: &Document) -> Vec<Value> {
    document.value().get("sections").and_then(Value::as_array).cloned().unwrap_or_default()
}
