//! Groups and entries, as Homepage writes them.

use serde_json::{Map, Value};

use crate::{
    fields::{addresses, text_of},
    report::{Report, SourceLocation},
};

/// The names and contents of a list of mappings with one key each, as Homepage writes groups and entries.
pub fn named(value: Value, place: &SourceLocation, report: &mut Report) -> Vec<(String, Value)> {
    let elements = match value {
        Value::Array(list) => list,
        Value::Null => Vec::new(),
        // Written as a mapping, without dashes.
        mapping @ Value::Object(_) => vec![mapping],
        other => {
            report.lost(place, format!("a list is expected here{}", addresses(&other)));
            Vec::new()
        }
    };
    let mut found = Vec::new();
    for element in elements {
        match element {
            Value::Object(mapping) if has_fields_beside_name(&mapping) => {
                let mut fields = mapping.into_iter();
                let name = fields.next().map(|(name, _)| name).unwrap_or_default();
                report.changed(
                    &place.child(&name),
                    "its fields are beside its name, not indented below it; they are its own now",
                );
                found.push((name, Value::Object(fields.collect())));
            }
            Value::Object(mapping) => found.extend(mapping),
            Value::Null => {}
            other => report.lost(place, format!("an entry without a name{}", addresses(&other))),
        }
    }
    found
}

/// Whether an entry has its fields at the level of its name, which is easily written by mistake: a name without a value,
/// and then single values.
pub fn has_fields_beside_name(entry: &Map<String, Value>) -> bool {
    let mut values = entry.values();
    values.next().is_some_and(Value::is_null) && values.any(|value| text_of(value).is_some())
}

/// How something opens.
pub fn target(written: Option<String>, place: &SourceLocation, report: &mut Report) -> Option<&'static str> {
    match written?.as_str() {
        "_blank" => Some("newtab"),
        "_self" => Some("sametab"),
        "_top" => Some("top"),
        "_parent" => Some("parent"),
        other => {
            report.lost(place, format!("the target `{other}`"));
            None
        }
    }
}
