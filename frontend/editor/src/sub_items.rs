//! The invisible items of a group (`subItems`).

use serde_json::Value;

use crate::schema::is_given;

/// Whether an item has neither a title nor an icon, so that it is invisible.
#[must_use]
pub fn is_blank(item: &Value) -> bool {
    !["title", "icon"].iter().any(|key| is_given(item.get(key)))
}

/// Whether a group has an invisible item.
#[must_use]
pub fn has_blank(group: &Value) -> bool {
    group.get("subItems").and_then(Value::as_array).is_some_and(|items| items.iter().any(is_blank))
}

/// Removes the invisible items of a group.
pub fn remove_blank(group: &mut Value) {
    if let Some(items) = group.get_mut("subItems").and_then(Value::as_array_mut) {
        items.retain(|item| !is_blank(item));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

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
}
