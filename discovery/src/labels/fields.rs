//! The values of our labels: labels are text, and the fields of an item have types. The schema of `conf.yml` says which.

use std::sync::OnceLock;

use serde_json::{Map, Value};

/// The fields of an item, in their types where the text is a value of that type. Anything else stays text, which the check of the
/// item reports.
pub fn typed_item(tree: Map<String, Value>) -> Map<String, Value> {
    static SCHEMA: OnceLock<Value> = OnceLock::new();
    let schema = SCHEMA.get_or_init(config::json_schema);
    let item = schema.pointer("/$defs/Item").unwrap_or(&Value::Null);
    match typed(Value::Object(tree), item, schema) {
        Value::Object(item) => item,
        _ => Map::new(),
    }
}

fn typed(value: Value, rule: &Value, schema: &Value) -> Value {
    let rule = resolved(rule, schema);
    match value {
        Value::Object(mapping) => {
            let of_key =
                |key: &str| rule.pointer("/properties").and_then(|known| known.get(key)).unwrap_or(&Value::Null);
            let fields = mapping.into_iter().map(|(key, value)| {
                let value = typed(value, of_key(&key), schema);
                (key, value)
            });
            Value::Object(fields.collect())
        }
        Value::Array(list) => {
            let of_element = rule.get("items").unwrap_or(&Value::Null);
            Value::Array(list.into_iter().map(|value| typed(value, of_element, schema)).collect())
        }
        Value::String(text) => from_text(text, rule),
        other => other,
    }
}

fn resolved<'a>(rule: &'a Value, schema: &'a Value) -> &'a Value {
    let reference = rule.get("$ref").and_then(Value::as_str).and_then(|name| name.strip_prefix('#'));
    reference.and_then(|pointer| schema.pointer(pointer)).unwrap_or(rule)
}

fn from_text(text: String, rule: &Value) -> Value {
    let trimmed = text.trim();
    match rule.get("type").and_then(Value::as_str) {
        Some("boolean") => match trimmed.to_ascii_lowercase().as_str() {
            "true" | "yes" | "on" => true.into(),
            "false" | "no" | "off" => false.into(),
            _ => text.into(),
        },
        Some("number") => match serde_json::from_str(trimmed) {
            Ok(number @ Value::Number(_)) => number,
            _ => text.into(),
        },
        Some("array") => match serde_json::from_str(trimmed) {
            Ok(list @ Value::Array(_)) => list,
            _ => trimmed.split(',').map(str::trim).filter(|part| !part.is_empty()).map(Value::from).collect(),
        },
        Some("object") => match serde_json::from_str(trimmed) {
            Ok(mapping @ Value::Object(_)) => mapping,
            _ => text.into(),
        },
        _ => text.into(),
    }
}
