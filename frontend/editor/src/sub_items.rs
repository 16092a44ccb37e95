//! The items of a group (`subItems`): which of their fields have an input of their own.

use serde_json::{Map, Value};

/// The keys and labels of the fields with an input of their own.
pub const FIELDS: [(&str, &str); 4] =
    [("title", "Title"), ("url", "Url"), ("icon", "Icon"), ("description", "Description")];

fn is_own(key: &str) -> bool {
    FIELDS.iter().any(|(own, _)| *own == key)
}

/// The items in a value of `subItems`; `None` if it is not a list of mappings.
#[must_use]
pub fn listed(value: Option<&Value>) -> Option<Vec<Value>> {
    match value {
        None | Some(Value::Null) => Some(Vec::new()),
        Some(Value::Array(items)) => items.iter().all(Value::is_object).then(|| items.clone()),
        Some(_) => None,
    }
}

/// A mapping of the fields without an input of their own; `None` if there are none.
#[must_use]
pub fn others(item: &Value) -> Option<Value> {
    let fields = item.as_object().into_iter().flatten().filter(|(key, _)| !is_own(key));
    let others: Map<String, Value> = fields.map(|(key, value)| (key.clone(), value.clone())).collect();
    (!others.is_empty()).then_some(Value::Object(others))
}

/// Whether a value is a text that is not empty, or a number.
#[must_use]
pub fn is_given(value: Option<&Value>) -> bool {
    match value {
        Some(Value::String(text)) => !text.trim().is_empty(),
        value => value.is_some_and(Value::is_number),
    }
}

/// Whether an item has neither a title nor an icon, so that nobody can see it.
#[must_use]
pub fn is_blank(item: &Value) -> bool {
    !["title", "icon"].iter().any(|key| is_given(item.get(key)))
}

/// Whether a group has an item that nobody can see.
#[must_use]
pub fn has_blank(group: &Value) -> bool {
    group.get("subItems").and_then(Value::as_array).is_some_and(|items| items.iter().any(is_blank))
}

/// Removes the items of a group that nobody can see.
pub fn remove_blank(group: &mut Value) {
    if let Some(items) = group.get_mut("subItems").and_then(Value::as_array_mut) {
        items.retain(|item| !is_blank(item));
    }
}

/// Replaces the fields of an item without an input of their own.
pub fn set_others(item: &mut Value, others: Option<Value>) {
    let Some(mapping) = item.as_object_mut() else { return };
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
    fn items_without_title_and_icon_are_blank() {
        let seen = [json!({ "title": "A" }), json!({ "icon": "fas fa-anchor" }), json!({ "title": 7 })];
        let blank = [json!({}), json!({ "title": " ", "url": "https://rope.example" }), json!({ "title": null })];
        for item in &seen {
            assert!(!is_blank(item), "{item}");
        }
        for item in &blank {
            assert!(is_blank(item), "{item}");
        }
        let mut group = json!({ "title": "Tools", "subItems": seen.iter().chain(&blank).collect::<Vec<_>>() });
        assert!(has_blank(&group));
        remove_blank(&mut group);
        assert_eq!(group, json!({ "title": "Tools", "subItems": seen }));
        assert!(!has_blank(&group));
        let mut none = json!({ "title": "Tools" });
        remove_blank(&mut none);
        assert_eq!((has_blank(&none), none), (false, json!({ "title": "Tools" })));
    }

    #[test]
    fn other_fields_are_told_apart_and_kept() {
        let mut item = json!({ "title": "A", "target": "modal", "x-own": 1 });
        assert_eq!(others(&item), Some(json!({ "target": "modal", "x-own": 1 })));
        set_others(&mut item, Some(json!({ "x-own": 2, "title": "not this way" })));
        assert_eq!(item, json!({ "title": "A", "x-own": 2 }));
        set_others(&mut item, None);
        assert_eq!(item, json!({ "title": "A" }));
        assert_eq!(others(&item), None);
    }
}
