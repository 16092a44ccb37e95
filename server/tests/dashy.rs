//! `docs/dashy.yml` says what Dashy knows and what becomes of it here. Each line is checked against the schema and the
//! code, and `docs/dashy.md` is generated from it.

use std::{fmt::Write as _, path::PathBuf};

use config::{Config, Document, Person, ProblemKind, Viewer, model::SignIn};
use serde_json::{Map, Value, json};
use server::{routes::schema::json_schema, settings::manual};
use widgets::Kind;

use crate::world::{CONF, Setup};

/// The versions of Dashy that the table distinguishes.
const VERSIONS: [&str; 3] = ["4.0", "4.6", "4.9"];

/// What becomes of something of Dashy.
#[derive(Clone, Debug, Eq, PartialEq)]
enum Fate {
    Works,
    /// The same under this name.
    Other(String),
    /// It has no effect, because of this.
    Not(String),
    /// It is not built yet. If it is, that is no mistake.
    Yet,
}

/// A line of the table.
struct Line {
    name: String,
    since: String,
    fate: Fate,
}

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../docs").join(name)
}

fn table() -> Value {
    let text = std::fs::read(file("dashy.yml")).unwrap();
    Document::parse(&text).unwrap_or_else(|error| panic!("{error}\n{}", error.excerpt)).to_json()
}

fn since(facts: &Value) -> String {
    let since = match &facts["since"] {
        Value::Null => VERSIONS[0].to_owned(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    assert!(VERSIONS.contains(&since.as_str()), "{since} is no version of the table");
    since
}

fn fate(facts: &Value) -> Fate {
    if facts["yet"] == true {
        return Fate::Yet;
    }
    match (facts["other"].as_str(), facts["not"].as_str()) {
        (Some(other), _) => Fate::Other(other.to_owned()),
        (_, Some(reason)) => Fate::Not(reason.to_owned()),
        (None, None) => Fate::Works,
    }
}

fn lines(block: &Value) -> Vec<Line> {
    let lines = block.as_object().unwrap().iter();
    lines.map(|(name, facts)| Line { name: name.clone(), since: since(facts), fate: fate(facts) }).collect()
}

/// The blocks of a part of the table, with their names.
fn blocks(part: &Value) -> impl Iterator<Item = (&str, Vec<Line>)> {
    part.as_object().unwrap().iter().map(|(name, block)| (name.as_str(), lines(block)))
}

/// A schema without the references around it.
fn plain<'a>(root: &'a Value, schema: &'a Value) -> &'a Value {
    if let Some(name) = schema["$ref"].as_str() {
        return plain(root, root.pointer(&name[1..]).unwrap());
    }
    match schema["anyOf"].as_array() {
        Some(kinds) => plain(root, &kinds[0]),
        None => schema,
    }
}

/// The schema of a block: `sections[].items[]` is that of the elements of `items`.
fn block_schema<'a>(root: &'a Value, path: &str) -> &'a Value {
    path.split('.').filter(|step| !step.is_empty()).fold(root, |schema, step| {
        let key = step.trim_end_matches("[]");
        let inner = plain(root, &schema["properties"][key]);
        if step.ends_with("[]") { plain(root, &inner["items"]) } else { inner }
    })
}

/// The schema of a key, if the block may have it.
fn key_schema<'a>(root: &'a Value, block: &'a Value, key: &str) -> Option<&'a Value> {
    let patterns = block["patternProperties"].as_object().into_iter().flatten();
    let by_pattern = patterns.filter(|(pattern, _)| key.starts_with(&pattern[1..])).map(|(_, schema)| schema).next();
    let schema = block["properties"].get(key).or(by_pattern)?;
    Some(if schema["$ref"].is_string() { plain(root, schema) } else { schema })
}

/// Whether a key has an effect under this very name.
fn is_in_effect(schema: &Value) -> bool {
    let about = schema["description"].as_str().unwrap_or_default();
    schema["deprecated"] != true && !about.contains("has no effect") && !about.contains("Not in effect yet")
}

#[test]
fn every_key_is_as_the_table_says() {
    let schema = json_schema();
    for (path, lines) in blocks(&table()["keys"]) {
        let block = block_schema(&schema, path);
        assert!(block["properties"].is_object(), "{path} is no block");
        for Line { name, fate, .. } in lines {
            let own = key_schema(&schema, block, &name);
            let works = |key: &str| key_schema(&schema, block, key).is_some_and(is_in_effect);
            match fate {
                Fate::Works => assert!(works(&name), "{path}.{name} does not work"),
                Fate::Other(other) => assert!(own.is_some() && works(&other), "{path}.{name} is not {other} here"),
                Fate::Not(_) => assert!(!works(&name), "{path}.{name} works here"),
                Fate::Yet => {}
            }
        }
    }
}

#[test]
fn every_word_is_as_the_table_says() {
    let schema = json_schema();
    for (path, lines) in blocks(&table()["words"]) {
        let (block, key) = path.rsplit_once('.').unwrap();
        let rule = key_schema(&schema, block_schema(&schema, block), key).unwrap();
        let known = |word: &str| match (rule["enum"].as_array(), key) {
            (Some(words), _) => words.contains(&word.into()),
            (None, "language") => languages::Language::of_code(word).is_some(),
            (None, _) => {
                let config = json!({ "appConfig": { key: word }, "sections": [] });
                let config = Config::read(&Document::from_json(config)).unwrap();
                config.problems.iter().all(|problem| problem.kind != ProblemKind::NotAllowed)
            }
        };
        for Line { name, fate, .. } in lines {
            match fate {
                Fate::Works => assert!(known(&name), "{path}: {name} does not work"),
                Fate::Other(other) => assert!(known(&name) && known(&other), "{path}: {name} is not {other} here"),
                Fate::Not(_) => assert!(!known(&name), "{path}: {name} works here"),
                Fate::Yet => {}
            }
        }
    }
}

#[test]
fn every_widget_and_option_is_as_the_table_says() {
    for (name, facts) in table()["widgets"].as_object().unwrap() {
        let kind = Kind::parse(name);
        if facts["not"].is_string() {
            assert_eq!(kind, None, "{name} works here");
            continue;
        }
        let names = |key: &str| facts[key].as_array().cloned().unwrap_or_default();
        let kind = kind.unwrap_or_else(|| panic!("{name} does not work"));
        let schema = kind.schema().to_value();
        for option in names("options") {
            let option = option.as_str().unwrap();
            let is_synonym = kind.synonyms().iter().any(|(synonym, _)| *synonym == option);
            assert!(is_synonym || schema["properties"].get(option).is_some(), "{name} has no option {option}");
        }
    }
}

#[test]
fn every_variable_is_as_the_table_says() {
    let manual = manual::environment();
    let known = |name: &str| manual.contains(&format!("  {name} ["));
    for Line { name, fate, .. } in lines(&table()["variables"]) {
        match fate {
            Fate::Works => assert!(known(&name), "{name} does not work"),
            Fate::Other(other) => assert!(!known(&name) && known(&other), "{name} is not {other} here"),
            Fate::Not(_) => assert!(!known(&name), "{name} works here"),
            Fate::Yet => {}
        }
    }
}

#[tokio::test]
async fn every_address_is_as_the_table_says() {
    let conf = format!("pages: [ {{ name: Lab, path: lab.yml }} ]\n{CONF}");
    let world = Setup::new().file("conf.yml", conf).file("lab.yml", "sections: [ { name: Racks } ]\n").start().await;
    for Line { name, fate, .. } in lines(&table()["addresses"]) {
        let status = world.get(&name).await.status.as_u16();
        match fate {
            Fate::Works => assert_ne!(status, 404, "{name} does not work"),
            Fate::Not(_) => assert_eq!(status, 404, "{name} works here"),
            Fate::Other(_) | Fate::Yet => {}
        }
    }
}

/// Values that a key may plausibly have. Those of `auth` turn nothing on: what is half configured closes the dashboard.
fn values(schema: Option<&Value>, path: &str) -> Vec<Value> {
    let Some(schema) = schema else {
        return vec![json!(true), json!(false), json!("text"), json!(5), json!([]), json!({}), json!(null)];
    };
    if let Some(word) = schema["enum"].get(0) {
        return vec![word.clone()];
    }
    match schema["type"].as_str() {
        Some("boolean") => vec![json!(!path.starts_with("appConfig.auth"))],
        Some("number" | "integer") => vec![json!(1)],
        Some("string") => vec![json!("text")],
        Some("array") => vec![json!([])],
        _ => vec![json!({})],
    }
}

/// A config with a page, a section, an item and a widget, and this value.
fn config_with(path: &str, key: &str, value: Value) -> Value {
    let mut config = json!({
        "pageInfo": { "title": "T" },
        "pages": [{ "name": "Lab", "path": "lab.yml" }],
        "sections": [{ "name": "S", "items": [{ "title": "I" }], "widgets": [{ "type": "clock" }] }],
    });
    let block = path.split('.').filter(|step| !step.is_empty()).fold(&mut config, |block, step| {
        let inner = &mut block[step.trim_end_matches("[]")];
        if !step.ends_with("[]") {
            return inner;
        }
        if !inner.is_array() {
            *inner = json!([{ "title": "A", "user": "anna", "hash": "0".repeat(64) }]);
        }
        &mut inner[0]
    });
    if block.is_null() {
        *block = Value::Object(Map::new());
    }
    // The lists around the entries that are looked at keep them.
    if !block[key].is_array() {
        block[key] = value;
    }
    config
}

#[test]
fn no_key_of_dashy_closes_the_dashboard_or_hides_an_entry() {
    let schema = json_schema();
    let anna = Viewer::User(Person { name: "anna".to_owned(), ..Person::default() });
    for (path, lines) in blocks(&table()["keys"]) {
        let block = block_schema(&schema, path);
        for Line { name, .. } in lines {
            // Present but empty, this one hides from everybody: that is what it means.
            let chosen = if name == "showForKeycloakUsers" {
                vec![Value::Null]
            } else {
                values(key_schema(&schema, block, &name), path)
            };
            for value in chosen {
                let text = config_with(path, &name, value);
                let config = Config::read(&Document::from_json(text.clone())).unwrap();
                assert!(!matches!(config.app.auth.sign_in(), SignIn::Broken(_)), "{path}.{name} closes: {text}");
                let section = &config.sections[0];
                let rules =
                    [&config.pages[0].visibility, &section.display.visibility, &section.items[0].display.visibility];
                assert!(rules.iter().all(|rules| anna.sees(rules)), "{path}.{name} hides: {text}");
            }
        }
    }
}

/// Lines with the same fate and version in one row.
fn grouped(lines: &[Line], text: &mut String) {
    let mut rows: Vec<(&str, &Fate, Vec<String>)> = Vec::new();
    for Line { name, since, fate } in lines {
        let name = format!("`{name}`");
        match rows.iter_mut().find(|(version, other, _)| version == since && *other == fate) {
            Some((.., names)) => names.push(name),
            None => rows.push((since, fate, vec![name])),
        }
    }
    for (since, fate, names) in rows {
        _ = writeln!(text, "| {} | {since} | {} |", names.join(" "), words(fate));
    }
}

fn words(fate: &Fate) -> String {
    match fate {
        Fate::Works => "works".to_owned(),
        Fate::Other(other) => format!("other name: `{other}`"),
        Fate::Not(reason) => format!("not here, because {reason}"),
        Fate::Yet => "not built yet".to_owned(),
    }
}

fn markdown() -> String {
    let table = table();
    let mut text = String::from(
        "# Coming from Dashy\n\n\
         Point `USER_DATA_DIR` at your `user-data` folder. Below is everything that a config of Dashy can contain, and \
         what becomes of it here. What this page does not know has no effect: it never closes the dashboard, unless it \
         could be a misspelled switch of `appConfig.auth`.\n\n\
         \"Since\" is the first of the versions 4.0, 4.6 and 4.9 of Dashy that is known to have it.\n\n\
         This page is generated from [dashy.yml](dashy.yml), and a test compares that with the program.\n",
    );
    text.push_str("\n## Keys\n");
    for (path, lines) in blocks(&table["keys"]) {
        let heading = if path.is_empty() { "The top level".to_owned() } else { format!("`{path}`") };
        _ = write!(text, "\n### {heading}\n\n| Key | Since | Here |\n|---|---|---|\n");
        for Line { name, since, fate } in &lines {
            _ = writeln!(text, "| `{name}` | {since} | {} |", words(fate));
        }
    }
    text.push_str("\n## Words\n");
    for (path, lines) in blocks(&table["words"]) {
        _ = write!(text, "\n### Words of `{path}`\n\n| Word | Since | Here |\n|---|---|---|\n");
        grouped(&lines, &mut text);
    }
    text.push_str("\n## Widgets\n\n| Type | Since | Here | Options |\n|---|---|---|---|\n");
    for (name, facts) in table["widgets"].as_object().unwrap() {
        let names = |key: &str| {
            let names = facts[key].as_array().into_iter().flatten().filter_map(Value::as_str);
            names.map(|name| format!("`{name}`")).collect::<Vec<_>>()
        };
        let (options, missing) = (names("options"), names("yet"));
        // The neutral name comes first; the others are aliases.
        let first = |kind: Kind| kind.names().next().unwrap_or_default().to_owned();
        let here = match (facts["not"].as_str(), Kind::parse(name).map(first)) {
            (Some(reason), _) => format!("not here, because {reason}"),
            (None, Some(first)) if first == *name => "works".to_owned(),
            (None, Some(first)) => format!("works; other name: `{first}`"),
            (None, None) => panic!("{name} does not work"),
        };
        let mut known = options.join(" ");
        if !missing.is_empty() {
            _ = write!(known, "{}not built yet: {}", if known.is_empty() { "" } else { "; " }, missing.join(" "));
        }
        _ = writeln!(text, "| `{name}` | {} | {here} | {known} |", since(facts));
    }
    for (title, part, column) in [("Variables", "variables", "Variable"), ("Addresses", "addresses", "Address")] {
        _ = write!(text, "\n## {title}\n\n| {column} | Since | Here |\n|---|---|---|\n");
        for Line { name, since, fate } in lines(&table[part]) {
            _ = writeln!(text, "| `{name}` | {since} | {} |", words(&fate));
        }
    }
    assert!(lines(&table["labels"]).is_empty(), "labels need a part of their own");
    text.push_str("\n## Labels\n\nDashy reads no labels of containers.\n");
    text
}

#[test]
fn the_docs_show_the_table() {
    let expected = markdown();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(file("dashy.md"), &expected).unwrap();
    }
    let stored = std::fs::read_to_string(file("dashy.md")).unwrap_or_default();
    assert!(stored == expected, "docs/dashy.md is stale, run the server's tests with UPDATE_DOCS=1");
}
