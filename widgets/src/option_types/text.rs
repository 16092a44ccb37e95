//! Texts, and secret texts.

use std::{fmt, ops::Deref};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use serde_json::Value;

/// A text, trimmed. Unquoted numbers and booleans are accepted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct Text(String);

impl Text {
    /// Whether the text is not empty.
    #[must_use]
    pub fn is_set(&self) -> bool {
        !self.0.is_empty()
    }

    /// The text, if it is not empty.
    #[must_use]
    pub fn get(&self) -> Option<&str> {
        self.is_set().then_some(self.0.as_str())
    }
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Text {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Self(text.trim().to_owned())
    }
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        scalar(deserializer).map(|text| Self::from(text.as_str()))
    }
}

/// Reads a text, number or boolean as text.
pub(super) fn scalar<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    match Value::deserialize(deserializer)? {
        Value::Null => Ok(String::new()),
        Value::String(text) => Ok(text),
        Value::Number(number) => Ok(number.to_string()),
        Value::Bool(flag) => Ok(flag.to_string()),
        Value::Array(_) | Value::Object(_) => Err(de::Error::custom("must be text")),
    }
}

/// A key, a token or a password. Prints as `***`, serializes as an empty text, and is read only to build a request.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// The secret itself, for the request it is meant for.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Whether it is not empty.
    #[must_use]
    pub fn is_set(&self) -> bool {
        !self.0.is_empty()
    }
}

impl From<&str> for Secret {
    fn from(text: &str) -> Self {
        Self(text.trim().to_owned())
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("***")
    }
}

impl Serialize for Secret {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str("")
    }
}

impl<'de> Deserialize<'de> for Secret {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        scalar(deserializer).map(|text| Self::from(text.as_str()))
    }
}

#[cfg(feature = "server")]
super::schema!(Text, { "type": ["string", "number", "boolean"] });
#[cfg(feature = "server")]
super::schema!(Secret, { "type": ["string", "number"], "writeOnly": true });
