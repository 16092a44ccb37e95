//! Facts about the options of a type: their schema, and which of them are secret.

use nearest::nearest;
use schemars::{
    JsonSchema, Schema,
    transform::{RecursiveTransform, Transform as _},
};
use serde_json::{Map, Value};

use super::Kind;
use crate::placeholder::variable_name;

/// The fields that every widget has and that may be among its options. `hideControls` has no effect there.
const SHARED_FIELDS: [&str; 9] = [
    "useProxy",
    "updateInterval",
    "timeout",
    "insecure",
    "allowInsecure",
    "label",
    "ignoreErrors",
    "class",
    "hideControls",
];

/// The keyword of an option without which the widget cannot work.
const REQUIRED: &str = "x-required";
/// The keyword of a value that could be written for an option. The description has `{example}` where it belongs.
const EXAMPLE: &str = "x-example";

/// The schema of the options of one widget as its struct declares them, with the keywords [`REQUIRED`] and [`EXAMPLE`].
pub(super) fn declared<W: JsonSchema>() -> Schema {
    schemars::generate::SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<W>()
}

/// A declared schema without our own keywords: the descriptions say what they mean.
pub(super) fn published(mut schema: Schema) -> Schema {
    RecursiveTransform(describe).transform(&mut schema);
    schema
}

fn describe(schema: &mut Schema) {
    let Some(schema) = schema.as_object_mut() else { return };
    let example = schema.get(EXAMPLE).and_then(Value::as_str).map(|example| format!("`{example}`"));
    let is_required = schema.get(REQUIRED) == Some(&Value::Bool(true));
    schema.retain(|keyword, _| keyword != EXAMPLE && keyword != REQUIRED);
    if let Some(Value::String(description)) = schema.get_mut("description") {
        if let Some(example) = example {
            *description = description.replace("{example}", &example);
        }
        if is_required {
            description.push_str(" Required.");
        }
    }
}

impl Kind {
    /// The names of the secret options, including other spellings in existing files.
    #[must_use]
    pub fn secret_options(self) -> Vec<String> {
        let schema = self.schema();
        let properties = schema.get("properties").and_then(Value::as_object);
        let named = properties.into_iter().flatten().filter(|(_, property)| is_secret(property));
        let mut names: Vec<String> = named.map(|(name, _)| name.clone()).collect();
        names.extend(
            self.synonyms()
                .iter()
                .filter(|(_, name)| names.iter().any(|secret| secret == name))
                .map(|(other, _)| (*other).to_owned())
                .collect::<Vec<_>>(),
        );
        // Other spellings are not properties of the schema.
        if !names.is_empty() {
            names.extend(["apiKey", "api_key", "token", "password", "key"].map(str::to_owned));
        }
        names
    }

    /// A value that could be written for this option. None for secrets.
    #[must_use]
    pub fn example(self, option: &str) -> Option<String> {
        let schema = self.declared_schema();
        let property = schema.get("properties")?.get(option).filter(|property| !is_secret(property))?;
        property.get(EXAMPLE)?.as_str().map(str::to_owned)
    }

    /// The options without which the widget cannot work, in the order in which they are declared.
    pub(super) fn required_options(self) -> Vec<String> {
        let schema = self.declared_schema();
        let properties = schema.get("properties").and_then(Value::as_object);
        let required = |property: &Value| property.get(REQUIRED) == Some(&Value::Bool(true));
        let options = properties.into_iter().flatten().filter(|(_, property)| required(property));
        options.map(|(name, _)| name.clone()).collect()
    }

    /// The end of a sentence about this missing option: its example, or for a secret the name of an environment variable.
    pub(super) fn example_in_sentence(self, option: &str) -> String {
        if self.secret_options().iter().any(|name| name == option) {
            let variable = variable_name(option);
            return format!(" or to the name of an environment variable, for example `PORTICO_{variable}`");
        }
        self.example(option).map(|example| format!(", for example `{example}`")).unwrap_or_default()
    }

    /// The names of options that are probably misspelled, each with the option that was probably meant. A name that
    /// resembles none of ours is left alone: existing files contain options that we do not have.
    pub(crate) fn misspelled_options(self, written: &Map<String, Value>) -> Vec<(String, String)> {
        let schema = self.schema();
        let properties = schema.get("properties").and_then(Value::as_object);
        let synonyms = self.synonyms().iter().map(|(other, _)| *other);
        let known: Vec<&str> = properties
            .into_iter()
            .flatten()
            .map(|(name, _)| name.as_str())
            .chain(synonyms)
            .chain(SHARED_FIELDS)
            .collect();
        let unknown = written.keys().filter(|name| !known.contains(&name.as_str()));
        // An option that is also set correctly cannot have been meant.
        let is_free = |name: &&&str| !written.contains_key(**name);
        unknown
            .filter_map(|name| Some((name, nearest(name.trim(), known.iter().filter(is_free).copied())?)))
            .map(|(name, meant)| (name.clone(), meant.to_owned()))
            .collect()
    }

    /// A description of the widget in one or two sentences of Markdown.
    #[must_use]
    pub fn description(self) -> String {
        let schema = self.schema();
        schema.get("description").and_then(Value::as_str).unwrap_or_default().to_owned()
    }
}

/// Whether an option is a secret, or a list of secrets.
fn is_secret(property: &Value) -> bool {
    holds_secret(property) || schema_of_items(property).is_some_and(holds_secret)
}

fn holds_secret(schema: &Value) -> bool {
    let is_secret = |schema: &Value| schema.get("writeOnly") == Some(&Value::Bool(true));
    let any_of = schema.get("anyOf").and_then(Value::as_array);
    is_secret(schema) || any_of.is_some_and(|schemas| schemas.iter().any(is_secret))
}

fn schema_of_items(schema: &Value) -> Option<&Value> {
    schema.get("items")
}
