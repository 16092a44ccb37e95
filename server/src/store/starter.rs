//! The config that a new user starts with.

use std::path::Path;

const TEXT: &str = include_str!("starter.yml");
/// Stands in the text for where the file is.
const FILE_MARKER: &str = "__FILE__";

/// Text of the starter `conf.yml`, which says where it is.
pub fn config(path: &Path) -> String {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    // A string of JSON is one of YAML too, whatever is in it.
    TEXT.replace(FILE_MARKER, &serde_json::Value::from(path.to_string_lossy()).to_string())
}
