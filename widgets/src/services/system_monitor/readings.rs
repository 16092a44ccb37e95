//! A monitor's responses as named values, any of which may be missing, `null`, or a text instead of a number.

use serde::Deserialize;
use serde_json::{Map, Value};

/// The values of one thing, by name.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(transparent)]
pub(crate) struct Readings(Map<String, Value>);

impl Readings {
    /// The entries of a list that have named values; `None` if there are entries but none of them has any.
    pub(crate) fn of_list(list: Vec<Value>) -> Option<Vec<Self>> {
        let was_empty = list.is_empty();
        let entries: Vec<Self> = list.into_iter().filter_map(Self::of).collect();
        (was_empty || !entries.is_empty()).then_some(entries)
    }

    /// The named values of an entry; `None` if it is not an object.
    pub(crate) fn of(value: Value) -> Option<Self> {
        match value {
            Value::Object(values) => Some(Self(values)),
            _ => None,
        }
    }

    /// A finite number.
    pub(crate) fn number(&self, name: &str) -> Option<f64> {
        number(self.0.get(name)?)
    }

    /// A number above zero.
    pub(crate) fn above_zero(&self, name: &str) -> Option<f64> {
        self.number(name).filter(|number| *number > 0.0)
    }

    /// A text that is not blank.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty())
    }

    /// A boolean.
    pub(crate) fn flag(&self, name: &str) -> Option<bool> {
        self.0.get(name).and_then(Value::as_bool)
    }

    /// Any value.
    pub(crate) fn get(&self, name: &str) -> Option<&Value> {
        self.0.get(name)
    }

    /// A rate per second: either reported as a rate, or as a count since the previous reading. Right after the start
    /// there is neither, because the counts are those since boot.
    pub(crate) fn per_second(&self, rates: &[&str], counts: &[&str]) -> Option<f64> {
        let rate = rates.iter().find_map(|name| self.number(name));
        let counted = || {
            let seconds = self.above_zero("time_since_update")?;
            Some(counts.iter().find_map(|name| self.number(name))? / seconds)
        };
        // Less than a hundredth is not shown.
        rate.or_else(counted).map(|rate| (rate.max(0.0) * 100.0).round() / 100.0)
    }
}

/// A finite number, possibly in quotes.
fn number(value: &Value) -> Option<f64> {
    let number = match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    };
    number.filter(|number: &f64| number.is_finite())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn rates_are_never_totals() {
        let rate = |value: Value| Readings::of(value).unwrap().per_second(&["rate"], &["count"]);
        for (value, expected) in [
            (json!({ "rate": 3, "count": 900, "time_since_update": 2 }), Some(3.0)),
            (json!({ "rate": null, "count": 900, "time_since_update": 2 }), Some(450.0)),
            (json!({ "count": 900, "time_since_update": 0 }), None),
            (json!({ "count": 900 }), None),
            (json!({ "rate": "-4" }), Some(0.0)),
        ] {
            assert_eq!(rate(value.clone()), expected, "{value}");
        }
    }

    #[test]
    fn a_bad_entry_costs_itself() {
        let count = |list: Value| Readings::of_list(serde_json::from_value(list).unwrap()).map(|list| list.len());
        assert_eq!(count(json!([{ "a": 1 }, null, "b", [1]])), Some(1));
        assert_eq!(count(json!([])), Some(0));
        assert_eq!(count(json!(["b", [1]])), None);
    }
}
