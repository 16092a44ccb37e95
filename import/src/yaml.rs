//! Parses the YAML of other dashboards, within the limits of `config::Document`.

use config::Document;
use serde_json::Value;

use crate::{ImportError, report::PASTED};

/// The value of a file; null if it is empty or has only comments.
///
/// # Errors
///
/// The text is not YAML, is nested too deeply, is larger than 2 MB, or has aliases that expand to too much.
pub fn parse(file: &str, text: &str) -> Result<Value, ImportError> {
    match Document::parse(text.as_bytes()) {
        Ok(document) => Ok(document.to_json()),
        Err(error) => Err(ImportError::Unreadable { file: quoted(file), reason: error.to_string() }),
    }
}

/// How messages refer to a file.
pub fn quoted(file: &str) -> String {
    if file.is_empty() { PASTED.to_owned() } else { format!("`{file}`") }
}
