//! The schema that editors get, `/schema.json` and `docs/schema.json`: it contains the options of all widgets, but
//! writes are not checked against these.

use std::{fs, path::Path, sync::LazyLock};

use jsonschema::Validator;
use serde_json::{Value, json};
use widgets::Kind;

use crate::world::{C, World};

static SCHEMA: LazyLock<Value> = LazyLock::new(server::routes::schema::json_schema);
static JUDGE: LazyLock<Validator> = LazyLock::new(|| jsonschema::draft202012::new(&SCHEMA).unwrap());

fn config_with(widget: &Value) -> Value {
    json!({ "sections": [{ "name": "S", "widgets": [widget] }] })
}

#[track_caller]
fn check(widget: &Value, expected: bool) {
    let config = config_with(widget);
    let errors: Vec<String> =
        JUDGE.iter_errors(&config).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert_eq!(errors.is_empty(), expected, "{widget}: {errors:?}");
}

#[test]
fn the_stored_schema_is_not_stale() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/schema.json");
    let expected = format!("{}\n", serde_json::to_string_pretty(&*SCHEMA).unwrap());
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, &expected).unwrap();
    }
    let stored = fs::read_to_string(&path).unwrap_or_default();
    assert!(stored == expected, "docs/schema.json is stale, run the server's tests with UPDATE_DOCS=1");
}

#[tokio::test]
async fn it_is_served() {
    let world = World::new().await;
    assert_eq!(world.get("/schema.json").await.expect_status(200).json(), *SCHEMA);
}

#[test]
fn it_is_a_schema() {
    jsonschema::draft202012::meta::validate(&SCHEMA).unwrap_or_else(|error| panic!("{error}"));
}

/// Completions and descriptions in an editor, for each type under each of its names.
#[test]
fn every_type_has_its_options() {
    let definitions = &SCHEMA["$defs"];
    let offered = definitions["Widget"]["properties"]["type"]["anyOf"][0]["enum"].as_array().unwrap();
    for kind in Kind::ALL {
        for name in kind.names() {
            let is_offered = |word: &Value| word.as_str().unwrap().eq_ignore_ascii_case(name);
            assert_eq!(offered.iter().filter(|word| is_offered(word)).count(), 1, "{name}");
            for written in [name.to_owned(), name.to_ascii_lowercase()] {
                let rules = definitions["Widget"]["allOf"].as_array().unwrap().iter().filter(|rule| {
                    rule["if"]["properties"]["type"]["enum"].as_array().unwrap().contains(&json!(written))
                });
                let rules: Vec<&Value> = rules.collect();
                assert_eq!(rules.len(), 1, "{written}");
                let reference = rules[0]["then"]["properties"]["options"]["anyOf"][0]["$ref"].as_str().unwrap();
                let options = SCHEMA.pointer(reference.trim_start_matches('#')).unwrap();
                let expected = kind.schema().to_value();
                let names = |schema: &Value| -> Vec<String> {
                    schema["properties"].as_object().into_iter().flatten().map(|(name, _)| name.clone()).collect()
                };
                assert_eq!(names(options), names(&expected), "{written}");
                for (name, option) in options["properties"].as_object().into_iter().flatten() {
                    assert!(option["description"].is_string(), "{written}: {name}");
                }
            }
        }
    }
}

/// Examples in the reference are valid.
#[test]
fn examples_fit() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("../widgets/cases");
    for kind in Kind::ALL {
        let text = fs::read(cases.join(kind.name()).join("example.yml")).unwrap();
        let example = config::Document::parse(&text).unwrap().to_json();
        for name in kind.names() {
            let mut widget = example["entry"].as_object().cloned().unwrap_or_default();
            widget.insert("type".to_owned(), json!(name));
            widget.insert("options".to_owned(), example["options"].clone());
            check(&widget.into(), true);
        }
    }
}

#[test]
fn mistakes_are_marked() {
    check(&json!({ "type": "clock", "options": { "hideDate": [1] } }), false);
    check(&json!({ "type": "clock", "options": { "hideDate": true } }), true);
    check(&json!({ "type": "clock", "options": { "hideDate": null } }), true);
    check(&json!({ "type": "clock", "options": { "somethingElse": [1] } }), true);
    check(&json!({ "type": "clock" }), true);
    check(&json!({ "type": "not-made-yet", "options": { "hideDate": [1] } }), true);
}

/// Saving is not stricter than docs/spec/config.md 1.3, even where an editor marks errors.
#[tokio::test]
async fn writes_are_not_held_against_options() {
    let world = World::new().await;
    for widget in [
        json!({ "type": "clock", "options": { "hideDate": [1], "somethingElse": 1 } }),
        json!({ "type": "rss-feed", "options": {} }),
        json!({ "type": "not-made-yet", "options": { "a": 1 } }),
        json!({ "type": "Weather", "options": null }),
    ] {
        let config = config_with(&widget).to_string();
        let answer = world.send("PUT", C, &config).await.expect_status(200).json();
        assert_eq!(answer.get("warnings"), None, "{answer}");
    }
}
