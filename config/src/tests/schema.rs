//! The JSON Schema itself: it is valid, describes everything, and its defaults are true.

use std::collections::{HashMap, HashSet};

use serde_json::{Value, json};

use super::every_field;
use crate::{
    Config, Document, ProblemKind, Severity, json_schema, json_schema_with,
    model::{
        block::Block,
        shape::{Need, Rule, Unset},
    },
    schema::preset,
};

/// Calls back for every mapping in a value.
fn mappings(value: &Value, visit: &mut dyn FnMut(&Value)) {
    match value {
        Value::Object(mapping) => {
            visit(value);
            mapping.values().for_each(|value| mappings(value, visit));
        }
        Value::Array(elements) => elements.iter().for_each(|value| mappings(value, visit)),
        _ => {}
    }
}

fn check_is_schema(schema: &Value) {
    jsonschema::draft202012::meta::validate(schema).unwrap_or_else(|error| panic!("{error}"));
    let mut referred = HashSet::new();
    mappings(schema, &mut |mapping| {
        if let Some(target) = mapping.get("$ref").and_then(Value::as_str) {
            let name = target.strip_prefix("#/$defs/").unwrap();
            assert!(schema["$defs"].get(name).is_some(), "{target}");
            referred.insert(name.to_owned());
        }
    });
    for name in schema["$defs"].as_object().unwrap().keys() {
        assert!(referred.contains(name), "nothing refers to {name}");
    }
}

#[test]
fn it_is_a_schema() {
    let schema = json_schema();
    check_is_schema(&schema);
    assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
    assert_eq!(schema["required"], json!(["sections"]));
}

#[test]
fn definitions_have_names_of_their_own() {
    let mut shapes: HashMap<&str, Vec<&str>> = HashMap::new();
    every_field::for_each(&mut |_, _, shape, _| {
        let keys: Vec<_> = shape.fields.iter().map(|field| field.key).collect();
        let known = shapes.entry(shape.title).or_insert_with(|| keys.clone());
        assert_eq!(*known, keys, "{}", shape.title);
    });
    let fields: usize = shapes.values().map(Vec::len).sum();
    assert!(shapes.len() == 25 && fields > 130, "{} shapes, {fields} fields", shapes.len());
}

#[test]
fn everything_is_described() {
    let check = |text: &str, what: &str| {
        assert!(text.len() > 10, "{what}");
        assert!(text.ends_with('.'), "{what}: {text}");
        assert!(!text.contains("  "), "{what}: {text}");
        assert!(text.starts_with(|first: char| !first.is_ascii_lowercase()), "{what}: {text}");
    };
    check(Config::SHAPE.about, "the config");
    let schema = json_schema();
    every_field::for_each(&mut |_, pointer, shape, field| {
        check(shape.about, shape.title);
        check(&crate::schema::description(field), pointer);
        let known = if shape.title == Config::SHAPE.title { &schema } else { &schema["$defs"][shape.title] };
        let property = &known["properties"][field.key];
        assert_eq!(property["description"], crate::schema::description(field), "{pointer}");
        assert_eq!(property.get("deprecated").is_some(), field.need == Need::Legacy, "{pointer}");
    });
}

#[test]
fn examples_are_valid() {
    every_field::for_each(&mut |document, pointer, _, field| {
        let of_kind = if let Rule::Kind(kind) = field.rule { kind.examples } else { &[] };
        for example in field.examples.iter().chain(of_kind) {
            let mut document = document.clone();
            every_field::put(&mut document, pointer, json!(example));
            let mut problems = crate::check(&Document::from_json(document));
            problems.retain(|problem| problem.severity != Severity::Note);
            assert!(problems.is_empty(), "{pointer}: {problems:?}");
        }
    });
}

#[test]
fn a_default_means_what_its_absence_means() {
    // `None` in the config that is read; the default is filled in elsewhere.
    let elsewhere = ["rel", "searchEngine", "theme"];
    let mut count = 0;
    every_field::for_each(&mut |document, pointer, _, field| {
        let Unset::Like(value) = field.unset else { return };
        let mut with = document.clone();
        every_field::put(&mut with, pointer, preset(value));
        let [with, without] = [with, document.clone()].map(|value| Config::read(&Document::from_json(value)).unwrap());
        assert_eq!(with.problems, [], "{pointer}");
        assert_eq!(with == without, !elsewhere.contains(&field.key), "{pointer}");
        count += 1;
    });
    assert!(count > 60, "{count}");
}

#[test]
fn what_is_not_in_effect_says_so() {
    let schema = json_schema();
    every_field::for_each(&mut |document, pointer, shape, field| {
        let property = &schema["$defs"][shape.title]["properties"][field.key];
        let is_marked = property["description"].as_str().is_some_and(|text| text.starts_with("Not in effect yet. "));
        assert_eq!(is_marked, !field.in_effect, "{pointer}");
        let mut document = document.clone();
        let value = match field.rule {
            // The first word may be the default, which gets no note.
            Rule::Word(words) => words()[1].into(),
            rule => every_field::value(rule, false),
        };
        every_field::put(&mut document, pointer, value);
        let problems = crate::check(&Document::from_json(document));
        let notes: Vec<_> = problems.iter().filter(|problem| problem.kind == ProblemKind::NotInEffect).collect();
        assert_eq!(notes.len(), usize::from(!field.in_effect), "{pointer}: {problems:?}");
        assert!(notes.iter().all(|note| note.severity == Severity::Note && note.path == pointer), "{notes:?}");
    });
    let default = json!({ "appConfig": { "enableServiceWorker": false }, "sections": [] });
    assert_eq!(crate::check(&Document::from_json(default)), [], "what is off need not work");
}

#[test]
fn limits_and_defaults_are_in_the_descriptions() {
    let schema = json_schema();
    let check = |block: &str, key: &str, expected: &str| {
        let description = schema["$defs"][block]["properties"][key]["description"].as_str().unwrap();
        assert!(description.contains(expected), "{description}");
    };
    check("AppConfig", "colCount", "From 1 to 8. Default: by the width of the screen.");
    check("Item", "tags", "At most 12.");
    check("Widget", "label", "At most 200 characters.");
    check("Widget", "timeout", "Below 100 it acts as 100, above 60000 as 60000.");
    assert_eq!(schema["$defs"]["AppConfig"]["properties"]["iconSize"]["default"], "medium");
    assert_eq!(schema["$defs"]["Widget"]["properties"]["timeout"]["default"], 10_000);
}

#[test]
fn widgets_bring_their_options() {
    let clock = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "properties": { "style": { "$ref": "#/$defs/Style" }, "inner": { "$ref": "#" } },
        "$defs": { "Style": { "enum": ["round", "square"] } },
    });
    let feed = json!({ "type": "object", "properties": { "limit": { "type": "number" } } });
    let schema = json_schema_with(json!({ "clock": clock, "feed": feed, "rss": feed }));
    check_is_schema(&schema);
    assert_eq!(schema["$defs"]["Widget"]["allOf"].as_array().unwrap().len(), 2);
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    let check = |widget: Value, expected: bool| {
        let document = json!({ "sections": [{ "name": "S", "widgets": [widget] }] });
        assert_eq!(validator.is_valid(&document), expected, "{widget}");
    };
    check(json!({ "type": "clock", "options": { "style": "round" } }), true);
    check(json!({ "type": "clock", "options": { "style": "oval" } }), false);
    check(json!({ "type": "clock", "options": { "inner": { "style": "oval" } } }), false);
    check(json!({ "type": "clock", "options": null }), true);
    check(json!({ "type": "clock" }), true);
    check(json!({ "type": "rss", "options": { "limit": "many" } }), false);
    check(json!({ "type": "feed", "options": { "limit": 5, "more": 1 } }), true);
    check(json!({ "type": "unheard-of", "options": { "style": "oval" } }), true);
    check(json!({ "type": "unheard-of", "options": 5 }), false);
    assert_eq!(json_schema_with(json!("nothing")), json_schema());
}
