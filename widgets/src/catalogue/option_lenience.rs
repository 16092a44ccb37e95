//! What each widget makes of a list or a mapping in its options of which one entry is wrong: a note, while the others count.

use serde_json::{Map, Value, json};

use super::{Kind, tests::cases};
use crate::{Case, Entry};

/// The errors and the notes for these options.
fn problems(kind: Kind, options: Value) -> (Vec<String>, Vec<String>) {
    let (entry, _) = Case { options, ..Case::default() }.entry();
    let problems = kind.plan(&entry, &entry).problems;
    let errors = problems.errors();
    let notes = problems.all().iter().map(|problem| problem.sentence.clone());
    // Keys in the file are noted for all widgets.
    let notes = notes.filter(|sentence| !errors.contains(sentence) && !sentence.contains("environment variable"));
    (errors.clone(), notes.collect())
}

/// The sentences about an entry: the errors, and the notes.
fn sentences(kind: Kind, entry: &Entry) -> (Vec<String>, Vec<String>) {
    let problems = kind.plan(entry, entry).problems;
    let (errors, all) = (problems.errors(), problems.all());
    let notes = all.iter().map(|problem| problem.sentence.clone()).filter(|sentence| !errors.contains(sentence));
    (errors.clone(), notes.collect())
}

/// The options of a type with their schemas.
fn options(kind: Kind) -> Map<String, Value> {
    kind.schema().get("properties").and_then(Value::as_object).cloned().unwrap_or_default()
}

/// The entries of the cases that work.
fn good_entries(kind: Kind) -> impl Iterator<Item = Entry> {
    let entries = cases(kind).into_iter().map(|(_, case)| case.entry().0);
    entries.filter(move |entry| sentences(kind, entry).0.is_empty())
}

#[test]
fn a_number_out_of_range_is_clamped() {
    let (mut seen, mut strict) = (0, Vec::new());
    for kind in Kind::ALL.iter().copied() {
        for (name, schema) in options(kind) {
            let (Some(min), Some(max)) = (schema["minimum"].as_i64(), schema["maximum"].as_i64()) else { continue };
            for mut entry in good_entries(kind).take(1) {
                for number in [min - 1000, max + 1000] {
                    entry.options.insert(name.clone(), json!(number));
                    let (errors, notes) = sentences(kind, &entry);
                    let is_noted = notes.iter().any(|note| note.starts_with(&name));
                    if !errors.is_empty() || !is_noted {
                        strict.push(format!("{}: {name}: {number}: {errors:?} {notes:?}", kind.name()));
                    }
                    seen += 1;
                }
            }
        }
    }
    assert_eq!(strict, Vec::<String>::new());
    assert!(seen > 60, "{seen}");
}

#[test]
fn a_wrong_entry_of_any_list_costs_itself() {
    let is_list = |schema: &Value| {
        let shapes = schema["anyOf"].as_array().cloned().unwrap_or_default();
        schema["type"] == "array" || shapes.iter().any(|shape| shape["type"] == "array")
    };
    let (mut seen, mut strict) = (0, Vec::new());
    for kind in Kind::ALL.iter().copied() {
        for (name, _) in options(kind).into_iter().filter(|(_, schema)| is_list(schema)) {
            for mut entry in good_entries(kind).filter(|entry| entry.options.contains_key(&name)).take(3) {
                let before = sentences(kind, &entry).1;
                let written = entry.options.remove(&name).unwrap_or_default();
                let mut list = written.as_array().cloned().unwrap_or_else(|| vec![written]);
                list.push(json!({ "of": [{ "another": "shape" }] }));
                entry.options.insert(name.clone(), list.into());
                let (errors, notes) = sentences(kind, &entry);
                if !errors.is_empty() || notes.len() <= before.len() {
                    strict.push(format!("{}: {name}: {errors:?} {notes:?}", kind.name()));
                }
                seen += 1;
            }
        }
    }
    assert_eq!(strict, Vec::<String>::new());
    assert!(seen > 20, "{seen}");
}

#[test]
fn a_list_of_only_wrong_entries_is_reported_in_the_panel() {
    let is_list = |schema: &Value| {
        let shapes = schema["anyOf"].as_array().cloned().unwrap_or_default();
        schema["type"] == "array" || shapes.iter().any(|shape| shape["type"] == "array")
    };
    let (mut seen, mut silent) = (0, Vec::new());
    for kind in Kind::ALL.iter().copied() {
        for (name, _) in options(kind).into_iter().filter(|(_, schema)| is_list(schema)) {
            // These change only the look of what is shown.
            if ["chartColors", "monitorNames", "transportations"].contains(&name.as_str()) {
                continue;
            }
            for mut entry in good_entries(kind).take(1) {
                let wrong = json!({ "of": [{ "another": "shape" }] });
                entry.options.insert(name.clone(), json!([wrong, wrong]));
                if sentences(kind, &entry).0.is_empty() {
                    silent.push(format!("{}: {name}", kind.name()));
                }
                seen += 1;
            }
        }
    }
    assert_eq!(silent, Vec::<String>::new());
    assert!(seen > 15, "{seen}");
}

#[test]
fn one_wrong_entry_costs_a_note() {
    let key = "0123456789abcdef0123456789abcdef";
    for (kind, options, note) in [
        (
            Kind::UptimeMonitor,
            json!({ "url": "http://watch.lan", "statusLabels": { "up": "Fine", "down": ["Bad"] } }),
            "statusLabels: down must be text; the usual word is used.",
        ),
        (
            Kind::UptimeStatusPage,
            json!({ "host": "http://watch.lan", "statusLabels": { "pending": {} } }),
            "statusLabels: pending must be text; the usual word is used.",
        ),
        (
            Kind::CronChecks,
            json!({ "apiKey": [key, "short"] }),
            "apiKey 2 must be a key of Healthchecks, of 32 characters (project settings, API access).",
        ),
        (
            Kind::CronMonitor,
            json!({ "apiKey": [{ "key": key }, key] }),
            "apiKey 1 must be a key of Healthchecks, of 32 characters (project settings, API access).",
        ),
        (Kind::Containers, json!({ "hideLabels": ["a=b", ["c"]] }), "hideLabels: [\"c\"] is not text and is left out."),
        (
            Kind::VpnGatewayInfo,
            json!({ "hostname": "http://vpn.lan:8000", "visibleFields": ["city", ["region"]] }),
            "Unknown field '[\"region\"]' in visibleFields, known are public_ip, region, country, city, location, \
             organization, postal_code, timezone, forwarded_port, status.",
        ),
        (
            Kind::ApiResponse,
            json!({ "url": "http://nas.lan/", "mappings": [{ "field": "a" }, { "field": "b", "format": "foo" }] }),
            "Entry 2 of mappings: unknown format foo.",
        ),
        (
            Kind::ApiResponse,
            json!({ "url": "http://nas.lan/", "headers": { "Accept": "text/plain", "X-List": [1] } }),
            "headers: X-List is not sent, because it has no text.",
        ),
        (
            Kind::ApiResponse,
            json!({ "url": "http://nas.lan/", "headers": { "a b": "x" } }),
            "headers: 'a b' is not a header name, and is not sent.",
        ),
        (
            Kind::PrometheusData,
            json!({ "url": "http://db.lan:9090", "query": "up", "format": { "type": "bytes", "decimals": "two" } }),
            "Entry 1 of metrics: decimals must be a number; it is left out.",
        ),
    ] {
        assert_eq!(problems(kind, options), (Vec::new(), vec![note.to_owned()]), "{}", kind.name());
    }
}

#[test]
fn wrong_entries_alone_cost_the_widget() {
    for (kind, options, errors) in [
        (
            Kind::CronChecks,
            json!({ "apiKey": "short" }),
            vec!["apiKey must be a key of Healthchecks, of 32 characters (project settings, API access)."],
        ),
        (
            Kind::CronMonitor,
            json!({ "apiKey": ["short", " ", {}] }),
            vec![
                "apiKey 1 must be a key of Healthchecks, of 32 characters (project settings, API access).",
                "apiKey 2 must be a key of Healthchecks, of 32 characters (project settings, API access).",
            ],
        ),
        (
            Kind::ApiResponse,
            json!({ "url": "http://nas.lan/", "mappings": ["a", "b"] }),
            vec![
                "Entry 1 of mappings must be a mapping of names and values. Entry 2 of mappings must be a mapping of names \
                 and values.",
            ],
        ),
    ] {
        let errors: Vec<String> = errors.into_iter().map(str::to_owned).collect();
        assert_eq!(problems(kind, options).0, errors, "{}", kind.name());
    }
}
