//! The JSON Schema of `conf.yml` for editors: that of the config, with the options of each type of widget.
//!
//! It is stricter than the check before a write: options are checked by the widget (docs/spec/config.md 1.3), so
//! an editor marks invalid options, but saving them is allowed.

use serde_json::{Map, Value, json};
use widgets::Kind;

/// The schema.
pub fn json_schema() -> Value {
    let mut options = Map::new();
    for kind in Kind::ALL {
        let mut schema = kind.schema().to_value();
        allow_null(&mut schema);
        for name in kind.names() {
            // Types are recognized in any spelling; these are the two that people write.
            for name in [name.to_owned(), name.to_ascii_lowercase()] {
                options.insert(name, schema.clone());
            }
        }
    }
    config::json_schema_with(options.into())
}

/// An option without a value, as while it is being typed, counts as missing.
fn allow_null(schema: &mut Value) {
    let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
    for property in properties.into_iter().flat_map(Map::values_mut) {
        let Some(property) = property.as_object_mut() else { continue };
        match property.get_mut("type") {
            Some(Value::Array(kinds)) if !kinds.contains(&json!("null")) => kinds.push(json!("null")),
            Some(kind @ Value::String(_)) => *kind = json!([kind.take(), "null"]),
            _ => {}
        }
        if let Some(Value::Array(words)) = property.get_mut("enum")
            && !words.contains(&Value::Null)
        {
            words.push(Value::Null);
        }
    }
}
