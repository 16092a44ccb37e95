//! Any JSON value can be written and read back; invalid names are rejected.

use proptest::{
    prelude::*,
    test_runner::{Config, TestRunner},
};
use serde_json::{Map, Value, json};
use server::store::FileName;

use crate::world::{Setup, World, names_in};

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        (prop::num::f64::NORMAL | prop::num::f64::SUBNORMAL | prop::num::f64::ZERO).prop_map(Value::from),
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

/// Every way to write: a whole file, a key, a section, an item. The value that was sent can be read back, also from the file on
/// disk with an independent parser.
#[test]
fn what_is_written_is_what_is_read() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let world: World = runtime.block_on(Setup::new().env("CONFIG_BACKUP_LIMIT", "1").start());
    let mut runner = TestRunner::new(Config { cases: 100, failure_persistence: None, ..Config::default() });
    let whole = fields_of(any_json());
    let pieces = (fields_of(any_json()), fields_of(any_json()), prop::collection::vec(any_json(), 0..4));
    let result = runner.run(&(whole, pieces), |(mut whole, (mut section, mut item, list))| {
        let file = "/api/config/extra.yml";
        section.insert("name".to_owned(), json!("S"));
        item.insert("title".to_owned(), json!("I"));
        section.shift_remove("items");
        runtime.block_on(async {
            for key in ["sections", "pages"] {
                whole.shift_remove(key);
            }
            world.send("PUT", file, &Value::from(whole.clone()).to_string()).await.expect_status(200);
            let sent = Value::from(list);
            for list in [sent, json!([])] {
                world.send("PUT", &format!("{file}/sections"), &list.to_string()).await.expect_status(200);
                assert_eq!(world.get(&format!("{file}/sections")).await.text, list.to_string());
            }
            let sent = Value::from(section.clone()).to_string();
            let answer = world.send("POST", &format!("{file}/sections"), &sent).await.expect_status(201).json();
            assert_eq!(answer["section"].to_string(), sent);
            let sent_item = Value::from(item.clone()).to_string();
            let items = format!("{file}/sections/S/items");
            let answer = world.send("POST", &items, &sent_item).await.expect_status(201).json();
            assert_eq!(answer["item"].to_string(), sent_item);
            assert_eq!(world.get(&format!("{items}/I")).await.text, sent_item);
            assert_eq!(world.get(&items).await.text, format!("[{sent_item}]"));

            section.insert("items".to_owned(), json!([item]));
            whole.insert("sections".to_owned(), json!([section]));
            let expected = Value::from(whole.clone()).to_string();
            assert_eq!(world.get(file).await.text, expected);
            let stored = config::Document::parse(world.text("extra.yml").as_bytes()).unwrap();
            assert_eq!(stored.value().to_string(), expected);
        });
        Ok(())
    });
    result.unwrap();
}

/// A path segment with every byte encoded.
fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02x}")).collect()
}

/// The rules for names of docs/spec/api.md 5.1, implemented independently.
fn is_name(text: &str) -> bool {
    let ends = |end: &str| {
        text.len() >= end.len() && text.as_bytes()[text.len() - end.len()..].eq_ignore_ascii_case(end.as_bytes())
    };
    (1..=255).contains(&text.len())
        && !text.contains('/')
        && !text.contains('\\')
        && !text.contains(char::is_control)
        && !text.starts_with('.')
        && (ends(".yml") || ends(".yaml"))
}

fn any_name() -> impl Strategy<Value = String> {
    prop_oneof![
        1 => any::<String>(),
        4 => "[./\\\\a-z\\x00\\r\\n]{0,8}(\\.yml|\\.YAML|\\.txt)?",
        3 => ("[^/\\\\]{0,6}", "\\.[yY][aA]?[mM][lL]").prop_map(|(base, end)| base + &end),
        1 => (245_usize..260).prop_map(|length| "x".repeat(length - 4) + ".yml"),
        1 => (80_usize..86).prop_map(|length| "日".repeat(length) + ".yml"),
    ]
}

#[test]
fn only_bare_names_are_names() {
    let mut runner = TestRunner::new(Config { cases: 2000, failure_persistence: None, ..Config::default() });
    let result = runner.run(&any_name(), |text| {
        let name = FileName::parse(&text);
        prop_assert_eq!(name.is_ok(), is_name(&text), "{:?}", text);
        if let Ok(name) = name {
            prop_assert_eq!(name.as_str(), &text);
            let path = std::path::Path::new("/base").join(name.as_str());
            prop_assert_eq!(path.parent(), Some(std::path::Path::new("/base")));
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

/// A valid name creates a file with that name in the folder; anything else creates nothing.
#[test]
fn names_make_files_and_nothing_else_does() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let outer = tempfile::tempdir().unwrap();
    let folder = outer.path().join("a/b/c");
    std::fs::create_dir_all(&folder).unwrap();
    let world = runtime.block_on(Setup::new().directory(&folder).env("DISABLE_CONFIG_BACKUPS", "true").start());
    let mut runner = TestRunner::new(Config { cases: 300, failure_persistence: None, ..Config::default() });
    let result = runner.run(&any_name(), |text| {
        // The history of all writes is no config file.
        let names = || names_in(&folder).into_iter().filter(|name| name != ".history").collect::<Vec<_>>();
        let before = names();
        // Without one there is no such path, or no such method.
        let statuses: &[u16] = if is_name(&text) { &[200] } else { &[400, 405] };
        let status = runtime.block_on(world.send("PUT", &format!("/api/config/{}", encoded(&text)), "{}")).status;
        prop_assert!(statuses.contains(&status.as_u16()), "{:?} gives {}", text, status);
        let mut expected = before;
        if status == 200 && !expected.contains(&text) {
            expected.push(text);
            expected.sort();
        }
        prop_assert_eq!(names(), expected);
        for (place, only) in [("", "a"), ("a", "b"), ("a/b", "c")] {
            prop_assert_eq!(names_in(&outer.path().join(place)), [only]);
        }
        Ok(())
    });
    result.unwrap();
}

/// A section is found by any name; of several, the first one.
#[test]
fn names_lead_to_the_first_section_that_has_them() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let world: World = runtime.block_on(Setup::new().env("DISABLE_CONFIG_BACKUPS", "true").start());
    let mut runner = TestRunner::new(Config { cases: 150, failure_persistence: None, ..Config::default() });
    let name = prop_oneof![any::<String>(), "[0-9]{1,3}", "[a-b/?#%+ .]{1,2}"]
        .prop_filter("not empty", |name| !name.is_empty());
    let result = runner.run(&prop::collection::vec(name, 1..6), |names| {
        let sections: Vec<Value> =
            names.iter().enumerate().map(|(number, name)| json!({ "name": name, "number": number })).collect();
        runtime.block_on(async {
            let file = "/api/config/extra.yml";
            world.send("PUT", file, &json!({ "sections": sections }).to_string()).await.expect_status(200);
            for name in &names {
                let found = world.get(&format!("{file}/sections/{}", encoded(name))).await;
                let is_index = name.bytes().all(|byte| byte.is_ascii_digit());
                let expected = if is_index { name.parse().ok() } else { names.iter().position(|other| other == name) };
                match expected.filter(|index| *index < names.len()) {
                    Some(index) => assert_eq!(found.expect_status(200).json()["number"], index, "{name:?}"),
                    None => drop(found.expect_failure(404)),
                }
            }
        });
        Ok(())
    });
    result.unwrap();
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
