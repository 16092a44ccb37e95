//! Numbers and booleans, possibly in quotes.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use serde_json::Value;

use crate::OptionProblems;

/// A whole number with bounds and a default. A number out of bounds becomes the nearest bound, so that the widget still
/// works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounded<const MIN: i64, const DEFAULT: i64, const MAX: i64> {
    number: i64,
    clamped: bool,
}

impl<const MIN: i64, const DEFAULT: i64, const MAX: i64> Bounded<MIN, DEFAULT, MAX> {
    /// This number, or the nearest bound.
    #[must_use]
    pub fn new(number: i64) -> Self {
        Self { number: number.clamp(MIN, MAX), clamped: false }
    }

    /// The number.
    #[must_use]
    pub const fn get(self) -> i64 {
        self.number
    }

    /// The number as a count; zero if it is negative.
    #[must_use]
    pub fn count(self) -> usize {
        usize::try_from(self.number).unwrap_or_default()
    }

    /// Notes a value that is out of bounds. `name` is the name of the option.
    pub fn check(self, name: &str, problems: &mut OptionProblems) {
        if self.clamped {
            problems.note(format!("{name} must be between {MIN} and {MAX}; {} is used.", self.number));
        }
    }
}

impl<const MIN: i64, const DEFAULT: i64, const MAX: i64> Default for Bounded<MIN, DEFAULT, MAX> {
    fn default() -> Self {
        Self { number: DEFAULT, clamped: false }
    }
}

impl<const MIN: i64, const DEFAULT: i64, const MAX: i64> Serialize for Bounded<MIN, DEFAULT, MAX> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_i64(self.number)
    }
}

impl<'de, const MIN: i64, const DEFAULT: i64, const MAX: i64> Deserialize<'de> for Bounded<MIN, DEFAULT, MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Some(number) = number(deserializer)? else { return Ok(Self::default()) };
        // Round first: some editors turn 7 into 6.9999999. The cast saturates, and so do the bounds.
        let whole = number.round() as i64;
        let number = whole.clamp(MIN, MAX);
        Ok(Self { number, clamped: number != whole })
    }
}

/// Any finite number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Number(f64);

impl Number {
    /// The number.
    #[must_use]
    pub const fn get(self) -> f64 {
        self.0
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        number(deserializer)?.map(Self).ok_or_else(|| de::Error::custom("must be a number"))
    }
}

/// Reads a number; an empty text is `None`.
fn number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    let number = match Value::deserialize(deserializer)? {
        Value::Null => return Ok(None),
        Value::String(text) if text.trim().is_empty() => return Ok(None),
        Value::String(text) => text.trim().parse().ok(),
        Value::Number(number) => number.as_f64(),
        Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    };
    number.filter(|number| number.is_finite()).map(Some).ok_or_else(|| de::Error::custom("must be a number"))
}

/// A boolean with its default.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Flag<const DEFAULT: bool = false>(bool);

impl<const DEFAULT: bool> Flag<DEFAULT> {
    /// Creates a flag that is on or off.
    #[must_use]
    pub const fn new(is_on: bool) -> Self {
        Self(is_on)
    }

    /// Whether it is on.
    #[must_use]
    pub const fn is_on(self) -> bool {
        self.0
    }
}

impl<const DEFAULT: bool> Default for Flag<DEFAULT> {
    fn default() -> Self {
        Self(DEFAULT)
    }
}

impl<'de, const DEFAULT: bool> Deserialize<'de> for Flag<DEFAULT> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        match truth(&value) {
            _ if value.is_null() || value == "" => Ok(Self::default()),
            Some(flag) => Ok(Self(flag)),
            None => Err(de::Error::custom("must be true or false")),
        }
    }
}

/// The words that people write for true and false.
pub(crate) fn truth(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(flag) => Some(*flag),
        Value::Number(number) if number.as_f64() == Some(0.0) => Some(false),
        Value::Number(number) if number.as_f64() == Some(1.0) => Some(true),
        Value::String(text) => match text.trim().to_ascii_lowercase().as_str() {
            "true" | "yes" | "on" | "1" => Some(true),
            "false" | "no" | "off" | "0" => Some(false),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(feature = "server")]
super::schema!(Number, { "type": ["number", "string"] });

#[cfg(feature = "server")]
impl<const MIN: i64, const DEFAULT: i64, const MAX: i64> schemars::JsonSchema for Bounded<MIN, DEFAULT, MAX> {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        format!("Bounded{MIN}To{MAX}").into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": ["integer", "string"], "minimum": MIN, "maximum": MAX })
    }
}

#[cfg(feature = "server")]
impl<const DEFAULT: bool> schemars::JsonSchema for Flag<DEFAULT> {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Flag".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": ["boolean", "string"] })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{from_value, json};

    use super::*;

    #[test]
    fn numbers_are_clamped_and_may_be_quoted() {
        for (written, expected) in [
            (json!(7), Some(7)),
            (json!("12"), Some(12)),
            (json!(6.9999), Some(7)),
            (json!(0), Some(1)),
            (json!(-1e300), Some(1)),
            (json!("1000"), Some(30)),
            (json!(null), Some(9)),
            (json!(" "), Some(9)),
            (json!("ten"), None),
            (json!("inf"), None),
            (json!([7]), None),
            (json!(true), None),
        ] {
            let read = from_value::<Bounded<1, 9, 30>>(written.clone()).ok().map(Bounded::get);
            assert_eq!(read, expected, "{written}");
        }
    }

    #[test]
    fn flags_may_be_words() {
        for (written, expected) in [
            (json!(true), Some(true)),
            (json!("True"), Some(true)),
            (json!("no"), Some(false)),
            (json!(0), Some(false)),
            (json!(null), Some(true)),
            (json!("maybe"), None),
            (json!({}), None),
        ] {
            let read = from_value::<Flag<true>>(written.clone()).ok().map(Flag::is_on);
            assert_eq!(read, expected, "{written}");
        }
    }
}
