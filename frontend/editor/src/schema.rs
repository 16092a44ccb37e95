//! The fields of forms, from the JSON Schema that the server publishes (`/schema.json`).

use config::{Document, document::print};
use serde_json::{Map, Value};

/// The schema of a config, with the options of all widgets.
#[derive(Clone, Debug, Default)]
pub struct Schema(Value);

/// A field of a form.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Its key in the file.
    pub key: String,
    /// What it means.
    pub about: String,
    /// Whether there must be a value.
    pub required: bool,
    /// The value that it has by itself, if that is always the same.
    pub default: Option<Value>,
    /// What may be entered.
    pub input: Input,
    /// The dialog that helps to fill in a text, `icons` or `colors`; `frontend/edit.js` opens it.
    pub helper: Option<&'static str>,
}

/// What may be entered into a field.
#[derive(Clone, Debug, PartialEq)]
pub enum Input {
    /// A line of text.
    Text,
    /// A key or a password, which is never shown.
    Secret,
    /// Yes or no.
    Flag,
    /// A number between bounds.
    Number(Option<f64>, Option<f64>),
    /// One of some words.
    Choice(Vec<String>),
    /// Several words. Where one alone is allowed too, it is written without a list.
    List(bool),
    /// Further fields.
    Block(Vec<Field>),
    /// Anything else, as YAML.
    Yaml,
    /// Keys in a form of their own, as YAML, which is never shown.
    SecretYaml,
}

impl Schema {
    /// The schema of its text.
    #[must_use]
    pub fn new(value: Value) -> Self {
        Self(value)
    }

    /// The fields of a definition: `Item`, `Section`, `Widget`, `PageInfo`. Old names of fields are left out.
    #[must_use]
    pub fn fields(&self, definition: &str) -> Vec<Field> {
        self.fields_of(&self.0["$defs"][definition], 0)
    }

    /// The fields of the options of a type of widget.
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

    /// What a reference or a choice between a schema and nothing stands for.
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
            return Input::Number(schema["minimum"].as_f64(), schema["maximum"].as_f64());
        }
        if is("string") { Input::Text } else { Input::Yaml }
    }

    /// Whether it is the list of accounts, with the hashes of their passwords. Whoever edits that edits the file.
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
        // Options of widgets have no common definition of a colour.
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
    /// What is entered, unless the file has a value of another form: then that one is edited as YAML.
    #[must_use]
    pub fn input_for(&self, value: Option<&Value>) -> Input {
        let fits = match (value, &self.input) {
            (None | Some(Value::Null), _) => true,
            (Some(value), Input::Text) => value.is_string() || value.is_number(),
            // Whatever it is, it is not shown.
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

    /// What a form calls the field: `statusCheckUrl` is “Status check url”.
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

/// A value as it stands in an input of a form.
#[must_use]
pub fn shown(input: &Input, value: Option<&Value>) -> String {
    match (input, value) {
        (Input::Secret | Input::SecretYaml, _) | (_, None | Some(Value::Null)) => String::new(),
        (Input::List(_), Some(Value::Array(elements))) => {
            elements.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(", ")
        }
        (Input::Yaml, Some(value)) => print(value),
        (_, Some(Value::String(text))) => text.clone(),
        (_, Some(value)) => value.to_string(),
    }
}

/// The value of what stands in an input; none for nothing.
///
/// # Errors
///
/// A sentence for whoever typed it.
pub fn entered(input: &Input, text: &str) -> Result<Option<Value>, String> {
    let trimmed = text.trim();
    if trimmed.is_empty() {
        return Ok(None);
    }
    Ok(Some(match input {
        Input::Number(..) => number(trimmed).ok_or_else(|| "This must be a number.".to_owned())?,
        Input::List(one) => {
            let mut words: Vec<Value> =
                trimmed.split(',').map(str::trim).filter(|word| !word.is_empty()).map(Value::from).collect();
            if *one && words.len() == 1 { words.remove(0) } else { Value::Array(words) }
        }
        Input::Yaml | Input::SecretYaml => {
            let document =
                Document::parse(text.as_bytes()).map_err(|error| format!("This is not valid YAML: {error}."))?;
            document.to_json()
        }
        _ => Value::from(text),
    }))
}

fn number(text: &str) -> Option<Value> {
    text.parse::<i64>().ok().map(Value::from).or_else(|| {
        let number = text.parse::<f64>().ok().filter(|number| number.is_finite())?;
        Some(Value::from(number))
    })
}

/// The value at a path of keys.
#[must_use]
pub fn get<'a>(value: &'a Value, path: &[String]) -> Option<&'a Value> {
    path.iter().try_fold(value, |value, key| value.get(key))
}

/// Sets or takes out the value at a path of keys. A mapping that becomes empty below the top goes with it.
pub fn set(value: &mut Value, path: &[String], new: Option<Value>) {
    let Some((key, rest)) = path.split_first() else { return };
    if !value.is_object() {
        *value = Value::Object(Map::new());
    }
    let Some(mapping) = value.as_object_mut() else { return };
    if rest.is_empty() {
        match new {
            Some(new) => _ = mapping.insert(key.clone(), new),
            None => _ = mapping.shift_remove(key),
        }
        return;
    }
    let inner = mapping.entry(key.clone()).or_insert_with(|| Value::Object(Map::new()));
    set(inner, rest, new);
    if inner.as_object().is_some_and(Map::is_empty) {
        mapping.shift_remove(key);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn schema() -> Schema {
        Schema::new(serde_json::from_str(include_str!("../../../docs/schema.json")).unwrap())
    }

    fn field(fields: &[Field], key: &str) -> Field {
        fields.iter().find(|field| field.key == key).unwrap_or_else(|| panic!("{key}")).clone()
    }

    #[test]
    fn forms_follow_from_the_schema() {
        let item = schema().fields("Item");
        assert_eq!(field(&item, "title").input, Input::Text);
        assert!(field(&item, "title").required && !field(&item, "title").about.is_empty());
        assert_eq!(field(&item, "icon").input, Input::Text);
        assert_eq!(field(&item, "color").input, Input::Text);
        assert!(matches!(field(&item, "target").input, Input::Choice(words) if words.contains(&"modal".to_owned())));
        assert_eq!(field(&item, "tags").input, Input::List(false));
        assert_eq!(field(&item, "hotkey").input, Input::Number(Some(0.0), Some(9.0)));
        assert_eq!(field(&item, "statusCheck").input, Input::Flag);
        assert_eq!(field(&item, "subItems").input, Input::Yaml);
        assert_eq!(field(&item, "statusCheckHeaders").input, Input::Yaml);
        assert!(matches!(field(&item, "displayData").input, Input::Block(fields) if fields.len() > 3));
        assert!(item.iter().all(|field| field.key != "id"));
        let helpers: Vec<_> = item.iter().filter_map(|field| Some((field.key.as_str(), field.helper?))).collect();
        assert_eq!(helpers, [("icon", "icons"), ("color", "colors"), ("backgroundColor", "colors")]);
        assert_eq!(field(&schema().options("stock-price-chart"), "chartColor").helper, Some("colors"));
        let section = schema().fields("Section");
        let Input::Block(display) = field(&section, "displayData").input else { panic!("no block") };
        assert_eq!(field(&display, "collapsed").input, Input::Flag);
        assert!(schema().fields("PageInfo").len() > 5 && schema().fields("Widget").len() > 5);
    }

    #[test]
    fn every_type_of_widget_has_a_form() {
        let schema = schema();
        let options = schema.options("Pi-Hole-Stats");
        let key = field(&options, "apiKey");
        assert_eq!(
            (key.input_for(Some(&json!("secret"))), shown(&Input::Secret, Some(&json!("secret")))),
            (Input::Secret, String::new())
        );
        let names = &schema.0["$defs"]["Widget"]["properties"]["type"]["anyOf"][0]["enum"];
        let mut with_options = 0;
        for name in names.as_array().unwrap() {
            let options = schema.options(name.as_str().unwrap());
            with_options += usize::from(!options.is_empty());
        }
        assert!(with_options > 150, "{with_options}");
        assert!(schema.options("made-up").is_empty());
    }

    #[test]
    fn no_form_shows_keys_or_accounts() {
        let schema = schema();
        let Input::Block(auth) = field(&schema.fields("AppConfig"), "auth").input else { panic!("no block") };
        assert!(auth.iter().any(|field| field.key == "oidc") && auth.iter().all(|field| field.key != "users"));
        assert_eq!(shown(&Input::SecretYaml, Some(&json!({ "X-Key": "hush" }))), "");
        let key = field(&schema.options("pi-hole-stats"), "apiKey");
        assert_eq!(key.input_for(Some(&json!({ "a": "hush" }))), Input::Secret);
        let headers = field(&schema.options("api-response"), "headers");
        assert_eq!(headers.input_for(Some(&json!({ "X-Key": "hush" }))), Input::SecretYaml);
        assert_eq!(headers.input_for(None), Input::SecretYaml);
    }

    #[test]
    fn what_is_shown_is_entered_again() {
        for (input, value) in [
            (Input::Text, json!("a: b")),
            (Input::Number(None, None), json!(3)),
            (Input::Number(None, None), json!(0.5)),
            (Input::List(false), json!(["a", "b c"])),
            (Input::List(true), json!("a")),
            (Input::Yaml, json!({ "a": [1, { "b": null }] })),
            (Input::Yaml, json!([])),
        ] {
            assert_eq!(entered(&input, &shown(&input, Some(&value))), Ok(Some(value)), "{input:?}");
        }
        assert_eq!(entered(&Input::Text, " "), Ok(None));
        assert!(entered(&Input::Number(None, None), "x").is_err() && entered(&Input::Yaml, "a: [").is_err());
    }

    #[test]
    fn what_does_not_fit_a_field_is_edited_as_yaml() {
        let item = schema().fields("Item");
        assert_eq!(field(&item, "tags").input_for(Some(&json!([1]))), Input::Yaml);
        assert_eq!(field(&item, "statusCheck").input_for(Some(&json!("maybe"))), Input::Yaml);
        assert_eq!(field(&item, "title").input_for(Some(&json!(5))), Input::Text);
    }

    #[test]
    fn values_are_set_by_their_path_and_leave_no_empty_mapping() {
        let mut value = json!({ "title": "A", "x-own": 1 });
        let path = ["displayData".to_owned(), "hideForGuests".to_owned()];
        set(&mut value, &path, Some(true.into()));
        assert_eq!(value, json!({ "title": "A", "x-own": 1, "displayData": { "hideForGuests": true } }));
        assert_eq!(get(&value, &path), Some(&json!(true)));
        set(&mut value, &path, None);
        assert_eq!(value, json!({ "title": "A", "x-own": 1 }));
    }

    #[test]
    fn labels_are_words() {
        let item = schema().fields("Item");
        assert_eq!(field(&item, "statusCheckUrl").label(), "Status check url");
    }
}
