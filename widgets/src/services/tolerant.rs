//! Reads responses in which a field may have the wrong type: a number in quotes, or an empty list instead of an object.
//! Such a field counts as missing, and does not affect the others.

use serde::{Deserialize, Deserializer, de::DeserializeOwned};
use serde_json::Value;

use crate::{
    context::{drop_nulls, from_value_leniently},
    deserialize,
};

/// A number, possibly in quotes and with commas between thousands.
pub(crate) fn as_number(value: &Value) -> Option<f64> {
    let number = match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().replace(',', "").parse().ok(),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    };
    number.filter(|number: &f64| number.is_finite())
}

/// A text that is not blank. Numbers are converted to text.
fn as_text(value: Value) -> Option<String> {
    let text = match value {
        Value::String(text) => text,
        Value::Number(number) => number.to_string(),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => return None,
    };
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// The entries of a list that can be read.
pub(crate) fn as_entries<T: DeserializeOwned>(value: Value) -> Vec<T> {
    let Value::Array(entries) = value else { return Vec::new() };
    entries.into_iter().filter_map(as_entry).collect()
}

/// One entry of a list, if it can be read. A member that is `null` where another type is expected counts as missing.
pub(crate) fn as_entry<T: DeserializeOwned>(mut value: Value) -> Option<T> {
    deserialize::from_value(&value).ok().or_else(|| {
        drop_nulls(&mut value);
        deserialize::from_value(&value).ok()
    })
}

/// For `deserialize_with`: see [`as_number`].
pub(crate) fn number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    Value::deserialize(deserializer).map(|value| as_number(&value))
}

/// For `deserialize_with`: a text that is not blank.
pub(crate) fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    Value::deserialize(deserializer).map(as_text)
}

/// For `deserialize_with`: a text that is not blank, with the white space at its ends, which belongs to names of files.
pub(crate) fn untrimmed<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    Value::deserialize(deserializer).map(|value| match value {
        Value::String(text) if !text.trim().is_empty() => Some(text),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    })
}

/// For `deserialize_with`: a boolean.
pub(crate) fn flag<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<bool>, D::Error> {
    Value::deserialize(deserializer).map(|value| crate::option_types::truth(&value))
}

/// For `deserialize_with`: the entries of a list that can be read.
pub(crate) fn entries<'de, D: Deserializer<'de>, T: DeserializeOwned>(deserializer: D) -> Result<Vec<T>, D::Error> {
    Value::deserialize(deserializer).map(as_entries)
}

/// For `deserialize_with`: the values of a list by their positions; `None` for those that cannot be read.
pub(crate) fn positions<'de, D: Deserializer<'de>, T: DeserializeOwned>(
    deserializer: D,
) -> Result<Vec<Option<T>>, D::Error> {
    Ok(match Value::deserialize(deserializer)? {
        Value::Array(values) => values.iter().map(|value| deserialize::from_value(value).ok()).collect(),
        _ => Vec::new(),
    })
}

/// For `deserialize_with`: a part of the response; `None` if it has another shape.
pub(crate) fn part<'de, D: Deserializer<'de>, T: DeserializeOwned>(deserializer: D) -> Result<Option<T>, D::Error> {
    // A struct whose fields all have defaults could otherwise be read from an empty list.
    let value = Value::deserialize(deserializer)?;
    Ok(if value.is_object() { deserialize::from_value(&value).ok() } else { None })
}

/// For `deserialize_with`: a part of the response; its default if it has another shape. What is of another type in it
/// counts as missing.
pub(crate) fn lenient_part<'de, D: Deserializer<'de>, T: DeserializeOwned + Default>(
    deserializer: D,
) -> Result<T, D::Error> {
    let value = Value::deserialize(deserializer)?;
    Ok(if value.is_object() { from_value_leniently(value).unwrap_or_default() } else { T::default() })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[derive(Debug, Default, PartialEq, Deserialize)]
    #[serde(default)]
    struct Response {
        #[serde(deserialize_with = "number")]
        size: Option<f64>,
        #[serde(deserialize_with = "text")]
        name: Option<String>,
        #[serde(deserialize_with = "flag")]
        on: Option<bool>,
        #[serde(deserialize_with = "entries")]
        ids: Vec<u8>,
        #[serde(deserialize_with = "part")]
        inner: Option<Box<Self>>,
    }

    #[test]
    fn values_keep_their_positions() {
        #[derive(Deserialize)]
        struct Lists {
            #[serde(deserialize_with = "positions")]
            places: Vec<Option<u8>>,
        }
        let read = |places: Value| serde_json::from_value::<Lists>(json!({ "places": places })).unwrap().places;
        assert_eq!(read(json!([1, null, "two", 3])), [Some(1), None, None, Some(3)]);
        assert_eq!(read(json!("one")), []);
    }

    #[test]
    fn a_field_of_another_type_costs_no_more_than_itself() {
        for (written, size) in
            [(json!("48,211"), Some(48211.0)), (json!(" 0 "), Some(0.0)), (json!("NaN"), None), (json!([1]), None)]
        {
            let reply: Response = serde_json::from_value(
                json!({ "size": written, "name": 7, "on": "true", "ids": [1, "two", 300, 3], "inner": [] }),
            )
            .unwrap();
            let expected = Response { size, name: Some("7".to_owned()), on: Some(true), ids: vec![1, 3], inner: None };
            assert_eq!(reply, expected, "{written}");
        }
        let reply: Response =
            serde_json::from_value(json!({ "ids": {}, "name": " ", "inner": { "size": 2 } })).unwrap();
        let inner = Response { size: Some(2.0), ..Response::default() };
        assert_eq!(reply, Response { inner: Some(Box::new(inner)), ..Response::default() });
    }
}
