//! Options that accept one value or several, and values that may be wrong without harm.

use std::slice;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::DeserializeOwned};
use serde_json::Value;

/// A list; a single value without brackets is accepted too, and a missing value is an empty list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct OneOrMany<T>(Vec<T>);

impl<T> OneOrMany<T> {
    /// The values, in order.
    pub fn iter(&self) -> slice::Iter<'_, T> {
        self.0.iter()
    }

    /// The values as a slice.
    #[must_use]
    pub fn as_slice(&self) -> &[T] {
        &self.0
    }

    /// Whether the list is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<T> Default for OneOrMany<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<'a, T> IntoIterator for &'a OneOrMany<T> {
    type Item = &'a T;
    type IntoIter = slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for OneOrMany<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let values = match Value::deserialize(deserializer)? {
            Value::Null => Vec::new(),
            Value::String(text) if text.trim().is_empty() => Vec::new(),
            Value::Array(values) => values,
            value => vec![value],
        };
        let values = values.into_iter().filter(|value| !value.is_null());
        values.map(|value| T::deserialize(value).map_err(serde::de::Error::custom)).collect::<Result<_, _>>().map(Self)
    }
}

/// A value from a fixed set or with a certain form. A wrong one is only noted; the widget still works.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Lenient<T> {
    /// The option is not set.
    #[default]
    Unset,
    /// The value is valid.
    Known(T),
    /// The value as written, which is not valid.
    Unknown(String),
}

impl<T> Lenient<T> {
    /// The value, if it is set and valid.
    #[must_use]
    pub fn get(&self) -> Option<&T> {
        match self {
            Self::Known(value) => Some(value),
            Self::Unset | Self::Unknown(_) => None,
        }
    }

    /// The text of an invalid value.
    #[must_use]
    pub fn unknown(&self) -> Option<&str> {
        match self {
            Self::Unknown(written) => Some(written),
            Self::Unset | Self::Known(_) => None,
        }
    }
}

impl<T> OneOrMany<Lenient<T>> {
    /// Whether there are entries, but none that is valid.
    #[must_use]
    pub fn is_all_wrong(&self) -> bool {
        self.iter().any(|entry| entry.unknown().is_some()) && self.iter().all(|entry| entry.get().is_none())
    }
}

impl<T: Copy + Default> Lenient<T> {
    /// The value, or its default.
    #[must_use]
    pub fn or_default(&self) -> T {
        self.get().copied().unwrap_or_default()
    }
}

impl<T: Serialize> Serialize for Lenient<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Unset => serializer.serialize_none(),
            Self::Known(value) => value.serialize(serializer),
            Self::Unknown(written) => written.serialize(serializer),
        }
    }
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for Lenient<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = match Value::deserialize(deserializer)? {
            Value::Null => return Ok(Self::Unset),
            Value::String(text) if text.trim().is_empty() => return Ok(Self::Unset),
            Value::String(text) => Value::String(text.trim().to_owned()),
            value => value,
        };
        if let Ok(known) = T::deserialize(&value) {
            return Ok(Self::Known(known));
        }
        // Words in capitals are a habit from other software.
        let lower = value.as_str().map(|text| Value::String(text.to_ascii_lowercase()));
        if let Some(Ok(known)) = lower.map(T::deserialize) {
            return Ok(Self::Known(known));
        }
        let written = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        Ok(Self::Unknown(written.chars().take(60).collect()))
    }
}

#[cfg(feature = "server")]
impl<T: schemars::JsonSchema> schemars::JsonSchema for OneOrMany<T> {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        format!("OneOrMany{}", T::schema_name()).into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let one = generator.subschema_for::<T>();
        schemars::json_schema!({ "anyOf": [one.clone(), { "type": "array", "items": one }] })
    }
}

#[cfg(feature = "server")]
impl<T: schemars::JsonSchema> schemars::JsonSchema for Lenient<T> {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        T::schema_name()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        T::json_schema(generator)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{from_value, json};

    use super::*;
    use crate::option_types::Text;

    #[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
    #[serde(rename_all = "camelCase")]
    enum Order {
        #[default]
        PubDate,
        Author,
    }

    #[test]
    fn one_value_is_a_list() {
        for (written, expected) in [
            (json!("btc"), vec!["btc"]),
            (json!(["btc", 7, null]), vec!["btc", "7"]),
            (json!(null), vec![]),
            (json!(""), vec![]),
        ] {
            let read: OneOrMany<Text> = from_value(written).unwrap();
            assert_eq!(read.iter().map(|text| &**text).collect::<Vec<_>>(), expected);
        }
        assert!(from_value::<OneOrMany<Text>>(json!([["btc"]])).is_err());
    }

    #[test]
    fn an_unknown_word_is_named_in_the_note() {
        for (written, expected) in [
            (json!("pubDate"), Lenient::Known(Order::PubDate)),
            (json!("AUTHOR"), Lenient::Known(Order::Author)),
            (json!("size"), Lenient::Unknown("size".to_owned())),
            (json!(3), Lenient::Unknown("3".to_owned())),
            (json!(null), Lenient::Unset),
        ] {
            assert_eq!(from_value::<Lenient<Order>>(written.clone()).unwrap(), expected, "{written}");
        }
    }
}
