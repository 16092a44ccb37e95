//! The reference of all widgets, docs/widgets.md, made from their doc comments and schemas.

use std::{env, fmt::Write, fs, path::PathBuf};

use serde_json::Value;

use super::{Kind, tests::cases};

/// The reference as Markdown.
fn reference() -> String {
    let mut text = String::from(
        "# Widgets\n\nMade from the code by `UPDATE_DOCS=1 cargo test -p widgets docs`; not to be edited by hand.\n\n\
        All widgets also know the fields `useProxy`, `updateInterval`, `timeout`, `label`, `ignoreErrors`, \
        `hideControls`, `insecure` and `class`.\n",
    );
    let mut kinds = Kind::ALL.to_vec();
    kinds.sort_by_key(|kind| kind.name());
    kinds.into_iter().for_each(|kind| describe(kind, &mut text).expect("a text can be written to"));
    text
}

fn describe(kind: Kind, text: &mut String) -> std::fmt::Result {
    writeln!(text, "\n## {}\n\n{}", kind.name(), kind.description())?;
    if !kind.aliases().is_empty() {
        let aliases: Vec<String> = kind.aliases().iter().map(|alias| format!("`{alias}`")).collect();
        writeln!(text, "\nAlso known as {}.", aliases.join(", "))?;
    }
    writeln!(text, "\n{}", kind.reach().sentence())?;
    let schema = kind.schema();
    let properties = schema.get("properties").and_then(Value::as_object);
    if let Some(properties) = properties.filter(|properties| !properties.is_empty()) {
        writeln!(text, "\n| Option | Value | Meaning |\n|---|---|---|")?;
        for (name, property) in properties {
            let meaning = property.get("description").and_then(Value::as_str).unwrap_or_default().replace('\n', " ");
            writeln!(text, "| `{name}` | {} | {meaning} |", value(&schema, property))?;
        }
    }
    let example = cases(kind).into_iter().find(|(name, _)| name == "example").map(|(_, case)| case);
    if let Some(case) = example {
        let mut entry = serde_json::Map::from_iter([("type".to_owned(), Value::from(kind.name()))]);
        entry.extend(case.entry);
        if case.options.as_object().is_some_and(|options| !options.is_empty()) {
            entry.insert("options".to_owned(), case.options);
        }
        let yaml = serde_yaml::to_string(&[entry]).expect("JSON can be written as YAML");
        writeln!(text, "\n```yaml\n{}\n```", yaml.trim_end())?;
    }
    Ok(())
}

/// What may be written, with bounds and default.
fn value(schema: &schemars::Schema, property: &Value) -> String {
    let referred = property.get("$ref").and_then(Value::as_str).and_then(|path| path.strip_prefix('#'));
    let property = referred.and_then(|path| schema.pointer(path)).unwrap_or(property);
    let words = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let mut written = if let Some(choices) = choices(property) {
        choices.iter().map(|choice| format!("`{choice}`")).collect::<Vec<_>>().join(", ")
    } else if property.get("writeOnly").is_some() {
        "secret".to_owned()
    } else {
        let any_of = property.get("anyOf").and_then(Value::as_array);
        let one = any_of.and_then(|schemas| schemas.first()).unwrap_or(property);
        let kind = match one.get("type") {
            Some(Value::Array(kinds)) => kinds.first().map(words).unwrap_or_default(),
            Some(kind) => words(kind),
            None => String::new(),
        };
        if any_of.is_some_and(|schemas| schemas.iter().any(|schema| schema["type"] == "array")) {
            format!("{kind} or list")
        } else {
            kind
        }
    };
    if let (Some(least), Some(most)) = (property.get("minimum"), property.get("maximum")) {
        let _ = write!(written, " {least} to {most}");
    }
    let default =
        property.get("default").filter(|value| !value.is_null() && *value != "" && *value != &Value::Array(vec![]));
    if let Some(default) = default {
        let _ = write!(written, "; `{}`", words(default));
    }
    written
}

/// The words that an option may be, if it is one of a few.
fn choices(property: &Value) -> Option<Vec<String>> {
    let words = property.get("enum").and_then(Value::as_array);
    if let Some(words) = words {
        return Some(words.iter().filter_map(Value::as_str).map(str::to_owned).collect());
    }
    let one_of = property.get("oneOf").and_then(Value::as_array)?;
    Some(one_of.iter().filter_map(|choice| choice.get("const").and_then(Value::as_str)).map(str::to_owned).collect())
}

#[test]
fn the_reference_is_up_to_date() {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../docs/widgets.md");
    let reference = reference();
    if env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&file, reference).unwrap();
        return;
    }
    let written = fs::read_to_string(&file).unwrap_or_default();
    assert!(written == reference, "docs/widgets.md is stale: UPDATE_DOCS=1 cargo test -p widgets docs");
}
