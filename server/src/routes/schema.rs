//! The JSON Schema of `conf.yml` as editors get it: that of the config, and for each type of widget that of its options.
//!
//! It says more than what a write is checked against: options are for the widget to judge (docs/spec/config.md 1.3), so
//! an editor marks one that cannot be read, and saving it is allowed.

use serde_json::{Map, Value, json};
use widgets::Kind;

/// The schema.
pub fn json_schema() -> Value {
    let mut options = Map::new();
    for kind in Kind::ALL {
        let mut schema = kind.schema().to_value();
        allow_null(&mut schema);
        for name in kind.names() {
            // Types are known in any case; these are the two that people write.
            for name in [name.to_owned(), name.to_ascii_lowercase()] {
                options.insert(name, schema.clone());
            }
        }
    }
    config::json_schema_with(options.into())
}

/// An option without a value, as it stands while someone types, acts as if it were not there.
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
