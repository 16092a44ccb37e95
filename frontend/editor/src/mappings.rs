//! The option `mappings` of an `api-response`, while people choose values of its response.

use serde_json::Value;

use crate::schema::is_given;

/// The options that say how the response is shown, not what the service is asked.
const OF_DISPLAY: [&str; 3] = ["mappings", "display", "format"];

/// The path of the option in an entry.
#[must_use]
pub fn path() -> Vec<String> {
    ["options", "mappings"].map(str::to_owned).to_vec()
}

/// The entry of a widget with only what the service is asked. `None` if no values can be chosen: without an address, or if the
/// option is not a list of fields.
#[must_use]
pub fn asked(entry: &Value) -> Option<Value> {
    let options = &entry["options"];
    let is_list = match &options["mappings"] {
        Value::Null | Value::Array(_) => options["display"] != "dynamic-list",
        written => written == "",
    };
    if !is_list || !is_given(options.get("url")) {
        return None;
    }
    let mut asked = entry.clone();
    asked.as_object_mut()?.shift_remove("label");
    asked["options"].as_object_mut()?.retain(|name, _| !OF_DISPLAY.contains(&name.as_str()));
    Some(asked)
}

/// The paths of the fields that an entry shows.
#[must_use]
pub fn chosen(entry: &Value) -> Vec<Vec<String>> {
    listed(entry).iter().filter_map(steps).collect()
}

/// The option after a value was pressed: with its mapping, or without it if it was there; `None` if nothing is left.
#[must_use]
pub fn toggled(entry: &Value, mapping: &Value) -> Option<Value> {
    let mut all = listed(entry).to_vec();
    let before = all.len();
    all.retain(|other| steps(other) != steps(mapping));
    if all.len() == before {
        all.push(mapping.clone());
    }
    (!all.is_empty()).then(|| all.into())
}

/// The steps of the path in a mapping, which may be written with dots or as a list.
#[must_use]
pub fn steps(mapping: &Value) -> Option<Vec<String>> {
    Some(match mapping.get("field")? {
        Value::String(written) => {
            written.trim().split('.').filter(|step| !step.is_empty()).map(str::to_owned).collect()
        }
        Value::Array(steps) => {
            steps.iter().map(|step| step.as_str().map_or_else(|| step.to_string(), str::to_owned)).collect()
        }
        other => vec![other.to_string()],
    })
}

fn listed(entry: &Value) -> &[Value] {
    entry["options"]["mappings"].as_array().map_or(&[], Vec::as_slice)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn entry(options: Value) -> Value {
        json!({ "type": "api-response", "label": "NAS", "options": options })
    }

    #[test]
    fn a_value_is_added_and_removed_by_its_path() {
        let [free, name] = [json!({ "field": "disks.0.free", "label": "Free 1" }), json!({ "field": ["a.b", "c"] })];
        let mut now = entry(json!({ "url": "http://nas.lan" }));
        for (pressed, expected) in
            [(&free, json!([free])), (&name, json!([free, name])), (&free, json!([name])), (&name, json!(null))]
        {
            now["options"]["mappings"] = toggled(&now, pressed).unwrap_or_default();
            assert_eq!(now["options"]["mappings"], expected);
        }
        // However it is written, and whatever its label is now. What is not understood stays.
        let own = json!([{ "field": ["disks", 0, "free"], "label": "Room" }, { "field": 7 }, {}, "odd"]);
        let now = entry(json!({ "mappings": own }));
        assert_eq!(chosen(&now), [vec!["disks", "0", "free"], vec!["7"]]);
        assert_eq!(toggled(&now, &free), Some(json!([{ "field": 7 }, {}, "odd"])));
    }

    #[test]
    fn the_service_is_asked_the_same_whatever_is_shown() {
        let asks = json!({ "url": "http://nas.lan", "method": "POST" });
        let of = |more: Value| {
            let mut options = asks.clone();
            more.as_object().unwrap().iter().for_each(|(name, value)| options[name] = value.clone());
            asked(&entry(options))
        };
        let expected = Some(json!({ "type": "api-response", "options": asks }));
        for more in [json!({}), json!({ "mappings": [{ "field": "a" }], "display": "list", "format": "json" })] {
            assert_eq!(of(more.clone()), expected, "{more}");
        }
        for more in [
            json!({ "url": " " }),
            json!({ "url": null }),
            json!({ "display": "dynamic-list" }),
            json!({ "mappings": { "name": "a", "label": "b" } }),
        ] {
            assert_eq!(of(more.clone()), None, "{more}");
        }
    }
}
