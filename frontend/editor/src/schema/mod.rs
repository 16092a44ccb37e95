//! The fields of forms, from the JSON Schema that the server publishes (`/schema.json`).

mod values;

use serde_json::{Number, Value};

pub use self::values::{get, parse, set, to_text};

/// The schema of a config, with the options of all widgets.
#[derive(Clone, Debug, Default)]
pub struct Schema(Value);

/// A field of a form.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Its key in the file.
    pub key: String,
    /// The description, for the person.
    pub about: String,
    /// Whether a value is required.
    pub required: bool,
    /// The default, if it is always the same.
    pub default: Option<Value>,
    /// The kind of input.
    pub input: Input,
    /// The dialog that helps to fill in a text, `icons`, `colors` or `palette`; `frontend/edit.js` opens it.
    pub helper: Option<&'static str>,
}

/// The kinds of inputs.
#[derive(Clone, Debug, PartialEq)]
pub enum Input {
    /// A line of text.
    Text,
    /// A key or a password, which is never shown.
    Secret,
    /// Yes or no.
    Flag,
    /// A number between bounds.
    Number(Option<Number>, Option<Number>),
    /// One of several words.
    Choice(Vec<String>),
    /// Words, separated by commas. If true, a single word is written without a list.
    List(bool),
    /// Further fields.
    Block(Vec<Field>),
    /// Any other value, as YAML.
    Yaml,
    /// Secrets of any other form, as YAML, which is never shown.
    SecretYaml,
}

impl Schema {
    /// The schema, from its JSON.
    #[must_use]
    pub fn new(value: Value) -> Self {
        Self(value)
    }

    /// The fields of a definition, such as `Item` or `Section`. Deprecated fields are left out.
    #[must_use]
    pub fn fields(&self, definition: &str) -> Vec<Field> {
        self.fields_of(&self.0["$defs"][definition], 0)
    }

    /// The fields for the options of a widget type.
    #[must_use]
    pub fn options(&self, kind: &str) -> Vec<Field> {
        let rules = self.0["$defs"]["Widget"]["allOf"].as_array();
        let is_meant = |rule: &&Value| {
            let names = rule["if"]["properties"]["type"]["enum"].as_array();
            names
                .is_some_and(|names| names.iter().filter_map(Value::as_str).any(|name| name.eq_ignore_ascii_case(kind)))
        };
        let rule = rules.and_then(|rules| rules.iter().find(is_meant));
        rule.map(|rule| self.fields_of(&rule["then"]["properties"]["options"], 0)).unwrap_or_default()
    }

    fn fields_of(&self, schema: &Value, depth: usize) -> Vec<Field> {
        let schema = self.resolved(schema);
        let required =
            |key: &str| schema["required"].as_array().is_some_and(|keys| keys.iter().any(|required| required == key));
        let Some(properties) = schema["properties"].as_object() else { return Vec::new() };
        let field = |(key, written): (&String, &Value)| {
            let property = self.resolved(written);
            let of_either = |name: &str| written.get(name).or_else(|| property.get(name));
            if of_either("deprecated").is_some() || self.holds_accounts(property) {
                return None;
            }
            Some(Field {
                key: key.clone(),
                about: of_either("description").and_then(Value::as_str).unwrap_or_default().to_owned(),
                required: required(key),
                default: of_either("default").cloned(),
                input: self.input(property, depth),
                helper: helper(key, property),
            })
        };
        properties.iter().filter_map(field).collect()
    }

    /// Follows references, and picks the only real variant of a choice.
    fn resolved<'a>(&'a self, schema: &'a Value) -> &'a Value {
        if let Some(name) = schema["$ref"].as_str().and_then(|target| target.strip_prefix("#/$defs/")) {
            return self.resolved(&self.0["$defs"][name]);
        }
        if let Some(variants) = schema["anyOf"].as_array().filter(|_| schema.get("properties").is_none()) {
            let is_used = |variant: &&Value| variant["type"] != "null" && variant["deprecated"] != true;
            let mut real = variants.iter().filter(is_used);
            if let (Some(only), None) = (real.next(), real.next()) {
                return self.resolved(only);
            }
        }
        schema
    }

    fn input(&self, schema: &Value, depth: usize) -> Input {
        let kinds = kinds(schema);
        let is = |kind: &str| kinds.iter().any(|other| other == kind);
        if schema["writeOnly"] == true {
            return if is("string") { Input::Secret } else { Input::SecretYaml };
        }
        if let Some(words) = schema["enum"].as_array() {
            let words: Vec<String> = words.iter().filter_map(Value::as_str).map(str::to_owned).collect();
            return if words.is_empty() { Input::Yaml } else { Input::Choice(words) };
        }
        if is("object") && schema["properties"].is_object() && depth < 2 {
            return Input::Block(self.fields_of(schema, depth + 1));
        }
        if is("object") {
            return Input::Yaml;
        }
        if is("array") {
            let is_plain = self.kinds_of_elements(schema).iter().any(|kind| kind == "string");
            return if is_plain { Input::List(is("string")) } else { Input::Yaml };
        }
        if let Some(variants) = schema["anyOf"].as_array() {
            let variants: Vec<&Value> = variants.iter().map(|variant| self.resolved(variant)).collect();
            let lists = variants.iter().any(|variant| {
                variant["type"] == "array" && self.kinds_of_elements(variant).iter().any(|kind| kind == "string")
            });
            let all_texts = variants.iter().all(|variant| kinds_have(variant, "string"));
            return if lists {
                Input::List(true)
            } else if all_texts {
                Input::Text
            } else {
                Input::Yaml
            };
        }
        if is("boolean") && !is("number") {
            return Input::Flag;
        }
        if (is("number") || is("integer")) && !(is("boolean") && is("string")) {
            return Input::Number(schema["minimum"].as_number().cloned(), schema["maximum"].as_number().cloned());
        }
        if is("string") { Input::Text } else { Input::Yaml }
    }

    /// Whether this is the list of accounts, with their password hashes. Forms leave it out; it is edited as YAML.
    fn holds_accounts(&self, schema: &Value) -> bool {
        self.resolved(&schema["items"])["properties"].get("hash").is_some()
    }

    fn kinds_of_elements(&self, schema: &Value) -> Vec<String> {
        kinds(self.resolved(&schema["items"]))
    }
}

fn helper(key: &str, schema: &Value) -> Option<&'static str> {
    match schema["title"].as_str() {
        Some("Icon") => Some("icons"),
        // Options of widgets have no common definition of a color.
        _ if key.ends_with("olors") => Some("palette"),
        _ => key.ends_with("olor").then_some("colors"),
    }
}

fn kinds(schema: &Value) -> Vec<String> {
    match &schema["type"] {
        Value::String(kind) => vec![kind.clone()],
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        _ => Vec::new(),
    }
}

fn kinds_have(schema: &Value, kind: &str) -> bool {
    kinds(schema).iter().any(|other| other == kind)
}

impl Field {
    /// The input for a value: that of the field, or YAML if the value in the file does not fit it.
    #[must_use]
    pub fn input_for(&self, value: Option<&Value>) -> Input {
        let fits = match (value, &self.input) {
            (None | Some(Value::Null), _) => true,
            (Some(value), Input::Text) => value.is_string() || value.is_number(),
            // Secrets are not shown, whatever they are.
            (Some(_), Input::Secret | Input::SecretYaml) => true,
            (Some(value), Input::Flag) => value.is_boolean(),
            (Some(value), Input::Number(..)) => value.is_number(),
            (Some(value), Input::Choice(words)) => {
                value.as_str().is_some_and(|word| words.iter().any(|known| known == word))
            }
            (Some(Value::Array(elements)), Input::List(_)) => elements.iter().all(Value::is_string),
            (Some(value), Input::List(one)) => *one && value.is_string(),
            (Some(value), Input::Block(_)) => value.is_object(),
            (Some(_), Input::Yaml) => true,
        };
        if fits { self.input.clone() } else { Input::Yaml }
    }

    /// The label of the field: `statusCheckUrl` is “Status check url”.
    #[must_use]
    pub fn label(&self) -> String {
        let mut label = String::new();
        for (position, character) in self.key.chars().enumerate() {
            if position == 0 {
                label.extend(character.to_uppercase());
            } else if character.is_uppercase() {
                label.push(' ');
                label.extend(character.to_lowercase());
            } else if character == '_' || character == '-' {
                label.push(' ');
            } else {
                label.push(character);
            }
        }
        label
    }
}

#[cfg(test)]
mod tests;
