//! The path to a value in a response.

use serde::{Deserialize, Deserializer, de};
use serde_json::Value;

/// The names and positions on the way to a value: `locations.1.name`, or a list of them if a name contains a dot. Empty
/// for the whole response.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct FieldPath(Vec<String>);

impl FieldPath {
    /// Parses a path with dots.
    pub(super) fn dotted(written: &str) -> Self {
        Self(written.trim().split('.').filter(|step| !step.is_empty()).map(str::to_owned).collect())
    }

    /// The path of these steps.
    pub(super) fn of(steps: &[String]) -> Self {
        Self(steps.to_vec())
    }

    /// The steps, from the whole response to the value.
    pub(super) fn steps(&self) -> &[String] {
        &self.0
    }

    /// The last step; `None` for the whole response.
    pub(super) fn last(&self) -> Option<&str> {
        self.0.last().map(String::as_str)
    }

    /// The value at the end of the path; `None` for `null`.
    pub(super) fn find<'a>(&self, root: &'a Value) -> Option<&'a Value> {
        self.reach(root).filter(|value| !value.is_null())
    }

    /// The value at the end of the path, which may be `null`.
    pub(super) fn reach<'a>(&self, root: &'a Value) -> Option<&'a Value> {
        let step = |value: &'a Value, step: &String| match value {
            Value::Object(fields) => fields.get(step),
            Value::Array(values) => values.get(step.parse::<usize>().ok()?),
            _ => None,
        };
        self.0.iter().try_fold(root, step)
    }
}

impl<'de> Deserialize<'de> for FieldPath {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let step = |value: Value| match value {
            Value::String(name) => Ok(name),
            Value::Number(position) => Ok(position.to_string()),
            _ => Err(de::Error::custom("must be a path such as data.0.name, or a list of its steps")),
        };
        match Value::deserialize(deserializer)? {
            Value::Null => Ok(Self::default()),
            Value::String(written) => Ok(Self::dotted(&written)),
            Value::Array(steps) => steps.into_iter().map(step).collect::<Result<_, _>>().map(Self),
            other => step(other).map(|step| Self(vec![step])),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{from_value, json};

    use super::*;

    #[test]
    fn paths_lead_through_objects_and_lists() {
        let root = json!({ "a": [{ "b.c": 1 }, { "d": null }], "0": "zero" });
        for (path, expected) in [
            (json!(null), Some(root.clone())),
            (json!(""), Some(root.clone())),
            (json!("a.0"), Some(json!({ "b.c": 1 }))),
            (json!(["a", 0, "b.c"]), Some(json!(1))),
            (json!(0), Some(json!("zero"))),
            (json!("a.0.b.c"), None),
            (json!("a.1.d"), None),
            (json!("a.7"), None),
            (json!("a.x"), None),
            (json!("0.x"), None),
        ] {
            let found = from_value::<FieldPath>(path.clone()).unwrap();
            assert_eq!(found.find(&root), expected.as_ref(), "{path}");
        }
        assert!(from_value::<FieldPath>(json!({ "a": "b" })).is_err());
    }
}
