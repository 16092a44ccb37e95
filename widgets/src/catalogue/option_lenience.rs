//! What each widget makes of a list or a mapping in its options of which one entry is wrong: a note, while the others count.

use serde_json::{Value, json};

use super::Kind;
use crate::Case;

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
        (Kind::CronChecks, json!({ "apiKey": [key, "short"] }), "apiKey 2: This key is not 32 characters long."),
        (
            Kind::CronMonitor,
            json!({ "apiKey": [{ "key": key }, key] }),
            "apiKey 1: This does not look like a project API key (32 characters expected).",
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
        (Kind::CronChecks, json!({ "apiKey": "short" }), vec!["This key is not 32 characters long."]),
        (
            Kind::CronMonitor,
            json!({ "apiKey": ["short", " ", {}] }),
            vec![
                "apiKey 1: This does not look like a project API key (32 characters expected).",
                "apiKey 2: This does not look like a project API key (32 characters expected).",
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
