//! Converts values to the texts in the inputs of a form, and back.

use config::{Document, document::print};
use serde_json::{Map, Value};

use super::Input;

/// The text of a value in an input.
#[must_use]
pub fn to_text(input: &Input, value: Option<&Value>) -> String {
    match (input, value) {
        (Input::Secret | Input::SecretYaml, _) | (_, None | Some(Value::Null)) => String::new(),
        (Input::List(_), Some(Value::Array(elements))) => {
            elements.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(", ")
        }
        (Input::Yaml, Some(value)) => print(value),
        (_, Some(Value::String(text))) => text.clone(),
        (_, Some(value)) => value.to_string(),
    }
}

/// The value of a text in an input; `None` for an empty one.
///
/// # Errors
///
/// A sentence for the person who typed it.
pub fn parse(input: &Input, text: &str) -> Result<Option<Value>, String> {
    let trimmed = text.trim();
    if trimmed.is_empty() {
        return Ok(None);
    }
    Ok(Some(match input {
        Input::Number(..) => number(trimmed).ok_or_else(|| "This must be a number.".to_owned())?,
        Input::List(one) => {
            let mut words: Vec<Value> =
                trimmed.split(',').map(str::trim).filter(|word| !word.is_empty()).map(Value::from).collect();
            if *one && words.len() == 1 { words.remove(0) } else { Value::Array(words) }
        }
        Input::Yaml | Input::SecretYaml => {
            let document =
                Document::parse(text.as_bytes()).map_err(|error| format!("This is not valid YAML: {error}."))?;
            document.to_json()
        }
        _ => Value::from(text),
    }))
}

/// A number as in the file.
fn number(text: &str) -> Option<Value> {
    let document = Document::parse(text.as_bytes()).ok()?;
    Some(document.to_json()).filter(Value::is_number)
}

/// The value at a path of keys.
#[must_use]
pub fn get<'a>(value: &'a Value, path: &[String]) -> Option<&'a Value> {
    path.iter().try_fold(value, |value, key| value.get(key))
}

/// Sets or removes the value at a path of keys. Mappings below the top that become empty are removed too.
pub fn set(value: &mut Value, path: &[String], new: Option<Value>) {
    let Some((key, rest)) = path.split_first() else { return };
    if !value.is_object() {
        *value = Value::Object(Map::new());
    }
    let Some(mapping) = value.as_object_mut() else { return };
    if rest.is_empty() {
        match new {
            Some(new) => _ = mapping.insert(key.clone(), new),
            None => _ = mapping.shift_remove(key),
        }
        return;
    }
    let inner = mapping.entry(key.clone()).or_insert_with(|| Value::Object(Map::new()));
    set(inner, rest, new);
    if inner.as_object().is_some_and(Map::is_empty) {
        mapping.shift_remove(key);
    }
}
