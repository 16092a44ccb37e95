//! What admins are told about a file that is in use.

use serde_json::{Value, json};

use super::every_field;
use crate::{Config, Document, Effects, Severity, check};

/// The errors of a file, each with what happens instead.
fn effects(value: &Value) -> Vec<(String, Option<String>)> {
    let document = Document::from_json(value.clone());
    let Ok(config) = Config::read(&document) else { return Vec::new() };
    let known = Effects::of(&config);
    let errors = check(&document).into_iter().filter(|problem| problem.severity == Severity::Error);
    let effect = |told: &str| told.rsplit_once("; ").map(|(_, effect)| effect.to_owned());
    errors.map(|problem| (problem.to_string(), effect(&known.tell(&problem)))).collect()
}

#[test]
fn every_error_says_what_happens_instead() {
    let mut count = 0;
    every_field::for_each(&mut |document, pointer, _, field| {
        for wrong in every_field::wrong(field.rule) {
            let mut changed = document.clone();
            every_field::put(&mut changed, pointer, wrong);
            for (problem, effect) in effects(&changed) {
                assert!(effect.is_some(), "{problem}");
                count += 1;
            }
        }
    });
    assert!(count > 500, "{count}");
}

#[test]
fn the_effect_is_that_of_reading_the_value() {
    for (value, expected) in [
        (json!({ "appConfig": { "layout": "diagonal" } }), "ignored"),
        (json!({ "appConfig": { "colCount": 99 } }), "the nearest is used"),
        (json!({ "appConfig": { "statusCheck": "yes" } }), "converted"),
        (json!({ "appConfig": { "theme": 5 } }), "the default one is shown"),
        (json!({ "appConfig": { "colour": "red" } }), "ignored"),
        (json!({ "pageInfo": { "title": 5 } }), "used as text"),
        (json!({ "pageInfo": { "title": null } }), "counts as not set"),
        (json!({ "pageInfo": {} }), "shown without one"),
        (json!({ "pages": [{ "name": "Lab" }] }), "the page cannot be shown"),
        (json!({ "appConfig": { "auth": { "users": [{ "user": "a", "hash": "b" }] } } }), "the user cannot sign in"),
        (json!({ "appConfig": { "auth": { "enableOidc": true } } }), "the dashboard stays closed"),
    ] {
        let mut document = json!({ "sections": [] });
        document.as_object_mut().unwrap().extend(value.as_object().unwrap().clone());
        let effects = effects(&document);
        let [(_, effect)] = effects.as_slice() else { panic!("{effects:?}") };
        assert_eq!(effect.as_deref(), Some(expected), "{effects:?}");
    }
}
