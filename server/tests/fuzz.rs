//! Anything that JSON can say goes in and comes out again; nothing that is no name gets in.

use proptest::{
    prelude::*,
    test_runner::{Config, TestRunner},
};
use serde_json::{Map, Value, json};
use server::store::FileName;

use crate::world::{Setup, World};

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        prop::num::f64::NORMAL.prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        "[ \\n\\t#:'\"!&*%@`|>{},?~=<.0-9a-z\\[\\]-]{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            fields_of(inner).prop_map(Value::from),
        ]
    })
}

fn fields_of(value: impl Strategy<Value = Value>) -> impl Strategy<Value = Map<String, Value>> {
    prop::collection::vec((any::<String>(), value), 0..5)
        .prop_map(|fields| fields.into_iter().filter(|(key, _)| key != "filteredItems").collect())
}

#[test]
fn what_a_patch_merges_is_what_a_read_gives() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let world: World = runtime.block_on(Setup::new().env("CONFIG_BACKUP_LIMIT", "1").start());
    let mut runner = TestRunner::new(Config { cases: 150, failure_persistence: None, ..Config::default() });
    let patch = (fields_of(any_json()), fields_of(any_json()));
    let result = runner.run(&patch, |(mut stored, mut fields)| {
        stored.insert("name".to_owned(), json!("S"));
        // Keys that are in both, so that something is replaced.
        for key in stored.keys().take(2).filter(|key| *key != "name").cloned().collect::<Vec<_>>() {
            fields.insert(key, json!({ "replaced": [] }));
        }
        fields.retain(|key, _| key != "name");
        let file = "/api/config/extra.yml";
        let section = format!("{file}/sections/0");
        runtime.block_on(async {
            let whole = json!({ "sections": [stored.clone()] });
            world.send("PUT", file, &whole.to_string()).await.expect_status(200);
            assert_eq!(world.value(&section).await, Value::from(stored.clone()));
            let answer = world.send("PATCH", &section, &Value::from(fields.clone()).to_string()).await;
            let answer = answer.expect_status(200).json();
            stored.extend(fields);
            let merged = Value::from(stored);
            assert_eq!(answer["section"].to_string(), merged.to_string());
            assert_eq!(world.get(&section).await.text, merged.to_string());
        });
        Ok(())
    });
    result.unwrap();
}

#[test]
fn only_bare_names_are_names() {
    let mut runner = TestRunner::new(Config { cases: 2000, failure_persistence: None, ..Config::default() });
    let text = prop_oneof![any::<String>(), "[./\\\\a-z\\x00\\r\\n]{0,8}(\\.yml|\\.YAML|\\.txt)?"];
    let result = runner.run(&text, |text| {
        if let Ok(name) = FileName::parse(&text) {
            let path = std::path::Path::new("/base").join(name.as_str());
            prop_assert_eq!(path.parent(), Some(std::path::Path::new("/base")));
            prop_assert!(!text.starts_with('.') && text.len() <= 255 && !text.contains(['\0', '\r', '\n', '\\']));
            let lower = text.to_lowercase();
            prop_assert!(lower.ends_with(".yml") || lower.ends_with(".yaml"));
        }
        Ok(())
    });
    result.unwrap();
    for good in ["a.yml", "A.YML", "größe 日本.yaml", "a..b.yml", "-.yml"] {
        assert!(FileName::parse(good).is_ok(), "{good}");
    }
    for bad in ["", ".yml", "..", "a.yml/", "a/b.yml", "a.yml\0", "a.ymlx", "yml"] {
        assert!(FileName::parse(bad).is_err(), "{bad}");
    }
}

#[test]
fn no_address_breaks_the_server() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let world = runtime.block_on(World::new());
    let mut runner = TestRunner::new(Config { cases: 500, failure_persistence: None, ..Config::default() });
    let path = "/(api|config|sections|items|conf\\.yml|extra\\.yml|[a-z0-9%./~-]{0,6}|%[0-9a-f]{2}|/){0,8}";
    let methods = prop::sample::select(vec!["GET", "HEAD", "PUT", "POST", "PATCH", "DELETE", "OPTIONS"]);
    let result = runner.run(&(methods, path), |(method, path)| {
        let path = format!("/api{path}");
        let reply = runtime.block_on(world.send(method, &path, "[]"));
        prop_assert_eq!(reply.header("content-type"), "application/json; charset=utf-8");
        prop_assert!(reply.status.as_u16() < 500 || path.contains("broken"), "{} {}", path, reply.text);
        if reply.status.as_u16() >= 400 && method != "HEAD" {
            prop_assert_eq!(&reply.json()["success"], &Value::Bool(false));
        }
        Ok(())
    });
    result.unwrap();
}
