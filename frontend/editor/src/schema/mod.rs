//! The fields of forms, from the JSON Schema that the server publishes (`/schema.json`).

mod completion;
mod field;
mod labels;
pub mod lists;
mod rows;
mod values;

use serde_json::Value;

use self::labels::LabelLanguage;
pub use self::{
    completion::{Completion, Completions, Hint},
    field::{Input, NAME, Rows, SchemaField, Shape, VALUE},
    labels::{choice_label, label},
    rows::{is_given, missing_in_rows},
    values::{as_before, get, misspelled_address, parse, set, to_text, truth},
};
use crate::texts::field_text;

/// How deep blocks and rows may be nested in a form.
const MAX_DEPTH: usize = 4;

/// The schema of a config, with the options of all widgets.
#[derive(Clone, Debug, Default)]
pub struct Schema(Value);

impl Schema {
    /// The schema, from its JSON.
    #[must_use]
    pub fn new(value: Value) -> Self {
        Self(value)
    }

    /// The fields of a definition, such as `Item` or `Section`. Deprecated fields are left out.
    #[must_use]
    pub fn fields(&self, definition: &str) -> Vec<SchemaField> {
        self.fields_of(&self.0["$defs"][definition], 0)
    }

    /// The fields for the options of a widget type.
    #[must_use]
    pub fn options(&self, kind: &str) -> Vec<SchemaField> {
        let rules = self.0["$defs"]["Widget"]["allOf"].as_array();
        let is_meant = |rule: &&Value| {
            let names = rule["if"]["properties"]["type"]["enum"].as_array();
            names
                .is_some_and(|names| names.iter().filter_map(Value::as_str).any(|name| name.eq_ignore_ascii_case(kind)))
        };
        let rule = rules.and_then(|rules| rules.iter().find(is_meant));
        rule.map(|rule| self.fields_of(&rule["then"]["properties"]["options"], 0)).unwrap_or_default()
    }

    /// The accounts in the old form of `appConfig.auth`, which is a list of them.
    #[must_use]
    pub fn accounts(&self) -> Option<SchemaField> {
        let field = self.fields("Auth").into_iter().find(|field| field.key == "users")?;
        Some(SchemaField { key: "auth".to_owned(), ..field })
    }

    fn fields_of(&self, schema: &Value, depth: usize) -> Vec<SchemaField> {
        let schema = self.resolved(schema);
        let required =
            |key: &str| schema["required"].as_array().is_some_and(|keys| keys.iter().any(|required| required == key));
        let Some(properties) = schema["properties"].as_object() else { return Vec::new() };
        let is_account = properties.contains_key("hash");
        let is_settings = properties.contains_key("startingView");
        let field = |(key, written): (&String, &Value)| {
            let property = self.resolved(written);
            let of_either = |name: &str| written.get(name).or_else(|| property.get(name));
            if of_either("deprecated").is_some() {
                return None;
            }
            let holds_accounts = self.holds_accounts(property);
            let label = if holds_accounts { field_text("Accounts") } else { label(key) };
            let noun = || if holds_accounts { field_text("Account") } else { labels::noun(key) };
            let (label, mut input) = match key.as_str() {
                "hash" if is_account => (field_text("Password"), Input::NewPassword),
                "password" if is_account => (field_text("Variable with the password"), Input::Text),
                _ => (label, self.input(property, &noun, depth)),
            };
            if let Input::Choice(words) = &mut input {
                words.retain(|word| labels::offers(key, word));
            }
            let helper = if is_settings && key == "language" { Some("languages") } else { helper(key, property) };
            let description = of_either("description").and_then(Value::as_str).unwrap_or_default();
            Some(SchemaField {
                key: key.clone(),
                label,
                about: labels::about(key, description, LabelLanguage::English),
                described: labels::about(key, &field_text(description), LabelLanguage::OfPage),
                required: required(key),
                default: of_either("default").filter(|default| !default.is_null()).cloned(),
                input,
                helper,
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

    fn input(&self, schema: &Value, noun: &dyn Fn() -> String, depth: usize) -> Input {
        let kinds = kinds(schema);
        let is = |kind: &str| kinds.iter().any(|other| other == kind);
        if schema["writeOnly"] == true {
            return match schema.get("additionalProperties") {
                Some(_) if is("object") => self.mapping(schema, noun, depth, Input::Secret),
                _ if is("string") => Input::Secret,
                _ => Input::SecretYaml,
            };
        }
        if let Some(words) = schema["enum"].as_array() {
            let words: Vec<String> = words.iter().filter_map(Value::as_str).map(str::to_owned).collect();
            return if words.is_empty() { Input::Yaml } else { Input::Choice(words) };
        }
        if let Some(variants) = schema["oneOf"].as_array() {
            let words: Option<Vec<String>> =
                variants.iter().map(|variant| Some(variant["const"].as_str()?.to_owned())).collect();
            return words.map_or(Input::Yaml, Input::Choice);
        }
        if let Some(rows) = self.rows(schema, noun, depth) {
            return Input::Rows(rows);
        }
        // A mapping in place of a text is rare; what does not fit is edited as YAML.
        if is("object") && !is("string") {
            return match schema["properties"].is_object() {
                true if depth < MAX_DEPTH => Input::Block(self.fields_of(schema, depth + 1)),
                true => Input::Yaml,
                false => self.mapping(schema, noun, depth, Input::Text),
            };
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
            return if lists && variants.iter().any(|variant| variant["writeOnly"] == true) {
                Input::SecretList
            } else if lists {
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
        if is("string") || kinds.is_empty() { Input::Text } else { Input::Yaml }
    }

    /// The rows of a list of mappings, or of a mapping for which a text may stand.
    fn rows(&self, schema: &Value, noun: &dyn Fn() -> String, depth: usize) -> Option<Rows> {
        let rows = |(element, short): (&Value, bool), shape| Rows {
            noun: noun(),
            fields: self.fields_of(element, depth + 1),
            shape,
            short,
        };
        if depth >= MAX_DEPTH {
            return None;
        }
        if kinds_have(schema, "array") && schema["items"].is_object() {
            let shape = if kinds_have(schema, "object") { Shape::OneOrMany } else { Shape::List };
            return Some(rows(self.element(&schema["items"])?, shape));
        }
        if kinds_have(schema, "object") && kinds_have(schema, "string") && schema["properties"].is_object() {
            return Some(rows((schema, true), Shape::One));
        }
        let variants = schema["anyOf"].as_array()?;
        let list = variants.iter().map(|variant| self.resolved(variant)).find(|variant| variant["type"] == "array")?;
        Some(rows(self.element(&list["items"])?, Shape::OneOrMany))
    }

    /// The mapping that an element of a list is, and whether a text may stand for it.
    fn element<'a>(&'a self, schema: &'a Value) -> Option<(&'a Value, bool)> {
        let schema = self.resolved(schema);
        if schema["properties"].is_object() {
            return Some((schema, false));
        }
        let variants = schema["anyOf"].as_array()?.iter().map(|variant| self.resolved(variant));
        let is_text = variants.clone().any(|variant| kinds_have(variant, "string"));
        Some((variants.into_iter().find(|variant| variant["properties"].is_object())?, is_text))
    }

    /// The rows of a mapping with free names. Its values are texts if the schema does not describe them.
    fn mapping(&self, schema: &Value, noun: &dyn Fn() -> String, depth: usize, texts: Input) -> Input {
        let values = &schema["additionalProperties"];
        let input = match values.is_object() {
            true if depth >= MAX_DEPTH => return Input::Yaml,
            true if texts == Input::Text => self.input(self.resolved(values), &|| field_text("Entry"), depth + 1),
            _ => texts,
        };
        let field = |key: &str, input: Input| SchemaField {
            key: key.to_owned(),
            label: label(key),
            about: String::new(),
            described: String::new(),
            required: false,
            default: None,
            input,
            helper: None,
        };
        let mut fields = vec![field(NAME, Input::Text), field(VALUE, input)];
        if let Input::Rows(_) = fields[1].input {
            fields[1].label = field_text("Values");
        }
        Input::Rows(Rows { noun: noun(), fields, shape: Shape::Mapping, short: false })
    }

    /// Whether this is the list of accounts.
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
        Some("Theme") => Some("themes"),
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

impl SchemaField {
    /// Whether it has to be filled in, at least where another one is empty.
    #[must_use]
    pub fn is_needed(&self) -> bool {
        self.required || self.about.contains("Required without")
    }

    /// The input for a value: that of the field, or YAML if the value in the file does not fit it.
    #[must_use]
    pub fn input_for(&self, value: Option<&Value>) -> Input {
        if self.fits(value) {
            return self.input.clone();
        }
        if self.is_secret() { Input::SecretYaml } else { Input::Yaml }
    }

    /// Whether a value can be shown in the input.
    fn fits(&self, value: Option<&Value>) -> bool {
        match (value, &self.input) {
            (None | Some(Value::Null), _) => true,
            (Some(value), Input::Text) => value.is_string() || value.is_number(),
            // Secrets are not shown, whatever they are.
            (Some(_), Input::Secret | Input::SecretList | Input::NewPassword | Input::SecretYaml) => true,
            (Some(value), Input::Flag) => truth(value).is_some(),
            (Some(value), Input::Number(..)) => {
                value.is_number() || value.as_str().is_some_and(|text| config::document::number(text).is_some())
            }
            (Some(value), Input::Choice(words)) => {
                value.as_str().is_some_and(|word| words.iter().any(|known| known == word))
            }
            (Some(value), Input::List(one)) => {
                let texts = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
                let texts: Option<Vec<&str>> = texts.iter().map(Value::as_str).collect();
                (*one || value.is_array()) && texts.is_some_and(|texts| lists::write(&texts).is_some())
            }
            (Some(value), Input::Block(_)) => value.is_object(),
            (value, Input::Rows(rows)) => rows.read(value).is_some(),
            (Some(_), Input::Yaml) => true,
        }
    }

    /// Whether its value contains something that must not be shown.
    fn is_secret(&self) -> bool {
        match &self.input {
            Input::Secret | Input::SecretList | Input::NewPassword | Input::SecretYaml => true,
            Input::Block(fields) => fields.iter().any(Self::is_secret),
            Input::Rows(rows) => rows.fields.iter().any(Self::is_secret),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests;
