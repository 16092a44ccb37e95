//! The parts of a group (`subItems`): which of their fields a form shows one by one.

use serde_json::{Map, Value};

/// The fields with an input of their own: key and label.
pub const FIELDS: [(&str, &str); 4] =
    [("title", "Title"), ("url", "Url"), ("icon", "Icon"), ("description", "Description")];

fn is_own(key: &str) -> bool {
    FIELDS.iter().any(|(own, _)| *own == key)
}

/// The parts of a value of `subItems`; `None` if there is something else in it than mappings.
#[must_use]
pub fn listed(value: Option<&Value>) -> Option<Vec<Value>> {
    match value {
        None | Some(Value::Null) => Some(Vec::new()),
        Some(Value::Array(parts)) => parts.iter().all(Value::is_object).then(|| parts.clone()),
        Some(_) => None,
    }
}

/// A mapping of the fields without an input of their own; `None` if there are none.
#[must_use]
pub fn others(part: &Value) -> Option<Value> {
    let fields = part.as_object().into_iter().flatten().filter(|(key, _)| !is_own(key));
    let others: Map<String, Value> = fields.map(|(key, value)| (key.clone(), value.clone())).collect();
    (!others.is_empty()).then_some(Value::Object(others))
}

/// Gives a part other fields than it has, but for those with an input of their own.
pub fn set_others(part: &mut Value, others: Option<Value>) {
    let Some(mapping) = part.as_object_mut() else { return };
    mapping.retain(|key, _| is_own(key));
    if let Some(Value::Object(others)) = others {
        mapping.extend(others.into_iter().filter(|(key, _)| !is_own(key)));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_lists_of_mappings_have_a_form() {
        assert_eq!(listed(None), Some(vec![]));
        assert_eq!(listed(Some(&json!([{ "title": "A" }]))), Some(vec![json!({ "title": "A" })]));
        assert_eq!(listed(Some(&json!(["A"]))), None);
        assert_eq!(listed(Some(&json!("A"))), None);
    }

    #[test]
    fn other_fields_are_told_apart_and_kept() {
        let mut part = json!({ "title": "A", "target": "modal", "x-own": 1 });
        assert_eq!(others(&part), Some(json!({ "target": "modal", "x-own": 1 })));
        set_others(&mut part, Some(json!({ "x-own": 2, "title": "not this way" })));
        assert_eq!(part, json!({ "title": "A", "x-own": 2 }));
        set_others(&mut part, None);
        assert_eq!(part, json!({ "title": "A" }));
        assert_eq!(others(&part), None);
    }
}
