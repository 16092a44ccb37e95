//! Converts values to the texts in the inputs of a form, and back.

use config::{
    Document,
    document::{flag, number, print},
};
use serde_json::{Map, Value};

use super::{Input, lists};
use crate::texts::{fill, t};

/// The text of a value in an input.
#[must_use]
pub fn to_text(input: &Input, value: Option<&Value>) -> String {
    match (input, value) {
        (Input::Secret | Input::SecretList | Input::NewPassword | Input::SecretYaml, _)
        | (_, None | Some(Value::Null)) => String::new(),
        (Input::List(_), Some(value)) => {
            let texts = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
            lists::write(&texts.iter().filter_map(Value::as_str).collect::<Vec<_>>()).unwrap_or_default()
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
/// A sentence for the user who typed it.
pub fn parse(input: &Input, text: &str) -> Result<Option<Value>, String> {
    let trimmed = text.trim();
    if trimmed.is_empty() {
        return Ok(None);
    }
    Ok(Some(match input {
        Input::Number(..) => number(trimmed).map(Value::Number).ok_or_else(|| t("This must be a number."))?,
        Input::List(_) | Input::SecretList => {
            let mut texts: Vec<Value> = lists::read(trimmed).into_iter().map(Value::from).collect();
            if texts.is_empty() {
                return Ok(None);
            }
            let one = !matches!(input, Input::List(false));
            if one && texts.len() == 1 { texts.remove(0) } else { Value::Array(texts) }
        }
        Input::Yaml | Input::SecretYaml => {
            let document = Document::parse(text.as_bytes())
                .map_err(|error| fill("This is not valid YAML: {error}.", &[("error", &error.to_string())]))?;
            document.to_json()
        }
        _ => Value::from(text),
    }))
}

/// What is wrong with a typed address that no browser could open, for the person who typed it.
#[must_use]
pub fn misspelled_address(text: &str) -> Option<String> {
    let text = text.trim();
    if text.contains(char::is_whitespace) {
        return Some(t("An address has no spaces: write `%20` for each."));
    }
    let (scheme, rest) = text.split_once(':')?;
    let scheme = scheme.to_lowercase();
    let is_web = ["http", "https"].contains(&scheme.as_str());
    let is_near = ["htp", "htpp", "htt", "ttp", "hppt", "htps", "htpps", "httos", "httpss", "ttps", "hhtp", "hhtps"]
        .contains(&scheme.as_str());
    if is_near || is_web && !rest.starts_with("//") {
        return Some(t("This is no address. Web addresses begin with `http://` or `https://`."));
    }
    None
}

/// A value in the form that the file has: a single text stays in a list if it was in one.
#[must_use]
pub fn as_before(before: Option<&Value>, input: &Input, value: Value) -> Value {
    let is_list = matches!(input, Input::List(_) | Input::SecretList) && before.is_some_and(Value::is_array);
    if is_list && value.is_string() { Value::Array(vec![value]) } else { value }
}

/// The boolean that a value is, also in another notation than JSON's: then the document has its text.
#[must_use]
pub fn truth(value: &Value) -> Option<bool> {
    value.as_bool().or_else(|| flag(value.as_str()?))
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
