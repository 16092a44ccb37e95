//! Checks the new sections for widgets with incomplete options, and for environment variables where Portico does not
//! replace them.

use config::address::{self, Address};
use serde_json::{Map, Value};
use widgets::{Entry, Kind, OptionProblems};

use crate::{
    draft::Section,
    report::{Place, Report},
    variables::find_variable,
};

/// The name of the new file in notes.
const FILE: &str = "conf.yml";
/// The fields of an item that hold addresses.
const ADDRESSES: [&str; 3] = ["url", "localUrl", "statusCheckUrl"];
/// Most characters of a refused address in a note.
const SHOWN: usize = 80;

/// Removes addresses that Portico would refuse to open, such as `javascript:`, from items, and notes them.
pub fn refuse_addresses(sections: &mut [Section], report: &mut Report) {
    for section in sections {
        let place = Place::file(FILE).child(&section.name);
        for item in &mut section.items {
            let place = place.child(item.get("title").and_then(Value::as_str).unwrap_or_default());
            for key in ADDRESSES {
                let Some(url) = item.get(key).and_then(Value::as_str).filter(|url| is_refused(url)) else { continue };
                let start: String = url.chars().take(SHOWN).collect();
                report.lost(&place, format!("`{key}`: this kind of address runs code in the page ({start})"));
                item.shift_remove(key);
            }
        }
    }
}

fn is_refused(url: &str) -> bool {
    address::parse(url) == Address::Refused
}

/// Notes what the user has to complete.
pub fn check(sections: &[Value], report: &mut Report) {
    for section in sections {
        let place = Place::file(FILE).child(section["name"].as_str().unwrap_or_default());
        for item in entries(section, "items") {
            let place = place.child(item["title"].as_str().unwrap_or_default());
            for (key, value) in item.as_object().into_iter().flatten() {
                if let Some(name) = value.as_str().and_then(find_variable) {
                    report.changed(
                        &place,
                        format!("`{key}` names `{name}`; environment variables work only in widgets, so write the value itself"),
                    );
                }
            }
        }
        check_widgets(section, &place, report);
    }
}

/// Notes types that do not exist, and options that are wrong or missing.
pub fn check_widgets(section: &Value, place: &Place, report: &mut Report) {
    for widget in entries(section, "widgets") {
        let kind = widget["type"].as_str().unwrap_or_default();
        let place = place.child(widget["label"].as_str().unwrap_or(kind));
        let Some(known) = Kind::parse(kind) else {
            report.lost(&place, format!("there is no widget of the type `{kind}`"));
            continue;
        };
        // Their values are not known here.
        if has_variable(widget) {
            continue;
        }
        let mut problems = OptionProblems::default();
        let entry = Entry::read(widget, false, &mut problems);
        let plan = known.plan(&entry, &entry);
        for problem in problems.all().iter().chain(plan.problems.all()) {
            report.changed(&place, format!("widget `{kind}`: {}", problem.sentence));
        }
    }
}

fn entries<'a>(section: &'a Value, key: &str) -> &'a [Value] {
    section.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn has_variable(value: &Value) -> bool {
    let in_mapping = |mapping: &Map<String, Value>| mapping.values().any(has_variable);
    match value {
        Value::String(text) => find_variable(text).is_some(),
        Value::Array(list) => list.iter().any(has_variable),
        Value::Object(mapping) => in_mapping(mapping),
        _ => false,
    }
}
