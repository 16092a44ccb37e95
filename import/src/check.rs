//! Checks the new sections for widgets with incomplete options, and for environment variables where Portico does not
//! replace them.

use config::{
    Document,
    address::{self, Address},
};
use serde_json::{Map, Value};
use widgets::{Entry, Kind, OptionProblems};

use crate::{
    draft::ConfigDraft,
    report::{Report, SourceLocation},
    variables::find_variable,
};

/// The name of the new file in notes.
const FILE: &str = "conf.yml";
/// Keys of addresses, besides those that end like one of [`ENDINGS`].
const ADDRESSES: [&str; 8] =
    ["backgroundImg", "customSearchEngine", "favicon", "icon", "imagePath", "logo", "path", "scriptSrc"];
/// How keys of addresses end, in lower case.
const ENDINGS: [&str; 4] = ["url", "host", "hostname", "endpoint"];
/// Keys of pictures, which may be written out as `data:`.
const PICTURES: [&str; 5] = ["backgroundImg", "favicon", "icon", "imagePath", "logo"];
/// Most characters of a refused address in a note.
const SHOWN: usize = 80;

/// Removes addresses that Portico would refuse to open, such as `javascript:`, and notes them.
pub fn refuse_addresses(draft: &mut ConfigDraft, report: &mut Report) {
    let file = SourceLocation::file(FILE);
    take_refused(&mut draft.page_info, &file.child("pageInfo"), report);
    take_refused(&mut draft.app_config, &file.child("appConfig"), report);
    for section in &mut draft.sections {
        let place = file.child(&section.name);
        for item in &mut section.items {
            let place = place.child(item.get("title").and_then(Value::as_str).unwrap_or_default());
            take_refused(item, &place, report);
        }
        for widget in &mut section.widgets {
            let place = place.child(widget.label.as_deref().unwrap_or(widget.kind));
            take_refused(&mut widget.options, &place, report);
        }
    }
}

/// Takes refused addresses out of a mapping and all that is in it. In markup they are only noted: it is made safe wherever it
/// is shown.
pub fn take_refused(fields: &mut Map<String, Value>, place: &SourceLocation, report: &mut Report) {
    fields.retain(|key, value| match value {
        Value::String(text) if is_address(key) && is_refused(key, text) => {
            let start: String = text.chars().take(SHOWN).collect();
            report.lost(place, format!("`{key}`: this kind of address runs code in the page ({start})"));
            false
        }
        Value::String(text) => {
            if matches!(key.as_str(), "footer" | "html") && has_refused_link(text) {
                report.changed(place, format!("`{key}`: a link in it runs code; it does nothing here"));
            }
            true
        }
        Value::Object(inner) => {
            take_refused(inner, place, report);
            true
        }
        Value::Array(list) => {
            for inner in list.iter_mut().filter_map(Value::as_object_mut) {
                take_refused(inner, place, report);
            }
            true
        }
        _ => true,
    });
}

fn is_address(key: &str) -> bool {
    let lower = key.to_ascii_lowercase();
    ADDRESSES.contains(&key) || ENDINGS.iter().any(|ending| lower.ends_with(ending))
}

fn is_refused(key: &str, text: &str) -> bool {
    let is_picture = PICTURES.contains(&key) && address::is_data_picture(text);
    !is_picture && address::parse(text) == Address::Refused
}

fn has_refused_link(markup: &str) -> bool {
    let lower = markup.to_ascii_lowercase();
    ["javascript:", "vbscript:"].iter().any(|scheme| lower.contains(scheme))
}

/// Notes values that are ignored, and what the user has to complete.
pub fn check(document: &Document, sections: &[Value], report: &mut Report) {
    for problem in config::check(document) {
        let place = place_of(&problem.path, document.value(), &SourceLocation::file(FILE));
        report.changed(&place, format!("{} (`{}`)", problem.sentence(), problem.path));
    }
    for section in sections {
        let place = SourceLocation::file(FILE).child(section["name"].as_str().unwrap_or_default());
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
pub fn check_widgets(section: &Value, place: &SourceLocation, report: &mut Report) {
    for widget in entries(section, "widgets") {
        let kind = widget["type"].as_str().unwrap_or_default();
        let place = place.child(widget["label"].as_str().unwrap_or(kind));
        let Some(known) = Kind::parse(kind) else {
            report.lost(&place, format!("there is no widget of the type `{kind}`"));
            continue;
        };
        let mut problems = OptionProblems::default();
        let entry = Entry::read(widget, false, &mut problems);
        let plan = known.plan(&entry, &entry);
        let options = widget.get("options").and_then(Value::as_object);
        let is_certain =
            |sentence: &str| !has_variable(widget) || options.is_some_and(|all| is_about_known(sentence, all));
        for problem in problems.all().iter().chain(plan.problems.all()).filter(|problem| is_certain(&problem.sentence))
        {
            report.changed(&place, format!("widget `{kind}`: {}", problem.sentence));
        }
    }
}

/// Whether a sentence names options, and none of them contains a variable, whose value is not known here.
fn is_about_known(sentence: &str, options: &Map<String, Value>) -> bool {
    let is_named =
        |key: &str| sentence.split(|letter: char| !letter.is_alphanumeric() && letter != '_').any(|word| word == key);
    let mut named = options.iter().filter(|(key, _)| is_named(key)).peekable();
    named.peek().is_some() && named.all(|(_, value)| !has_variable(value))
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

/// The section and the entry that a JSON pointer leads into.
pub fn place_of(pointer: &str, value: &Value, place: &SourceLocation) -> SourceLocation {
    let mut place = place.clone();
    let steps: Vec<&str> = pointer.split('/').collect();
    for end in 2..=steps.len() {
        let at = value.pointer(&steps[..end].join("/"));
        let name = at.and_then(|at| at.get("name").or_else(|| at.get("title")).or_else(|| at.get("type")));
        if let Some(name) = name.and_then(Value::as_str) {
            place = place.child(name);
        }
    }
    place
}
