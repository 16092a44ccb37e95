//! What users need to know about a type, generated from its doc comments and its schema.

use std::{fmt::Write as _, time::Duration};

use schemars::Schema;
use serde_json::Value;

use super::Kind;
use crate::{Case, Reach};

/// The page about one type in the reference.
#[derive(Clone, Debug)]
pub struct Manual {
    /// The type.
    pub kind: Kind,
    /// A description in one or two sentences of Markdown.
    pub about: String,
    /// Its options, in the order in which the widget declares them.
    pub options: Vec<OptionManual>,
}

/// The documentation of one option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionManual {
    /// Its key.
    pub name: String,
    /// What may be written, with bounds and the default, in Markdown.
    pub value: String,
    /// What it does, in Markdown.
    pub meaning: String,
}

impl Kind {
    /// The page about this type in the reference.
    #[must_use]
    pub fn manual(self) -> Manual {
        let schema = self.schema();
        let properties = schema.get("properties").and_then(Value::as_object);
        let options = properties.into_iter().flatten().map(|(name, property)| OptionManual {
            name: name.clone(),
            value: value(&schema, property),
            meaning: meaning(
                property,
                self.synonyms().iter().filter(|(_, meant)| meant == name).map(|(other, _)| *other),
            ),
        });
        Manual { kind: self, about: self.description(), options: options.collect() }
    }
}

impl Manual {
    /// The services that it queries, on one line. Empty for a type without a particular service.
    #[must_use]
    pub fn services(&self) -> String {
        match self.kind.services() {
            [] => String::new(),
            [service] => format!("Service: {service}"),
            services => format!("Services: {}", services.join(", ")),
        }
    }

    /// Where its requests are sent from, in a sentence of Markdown.
    #[must_use]
    pub fn runs(&self) -> &'static str {
        match self.kind.reach() {
            Reach::BrowserByDefault => {
                "The viewer's browser sends the requests; responses can then have at most 400 KB. With `useProxy: true`, \
                 or if an option contains a key, the server sends them."
            }
            Reach::ServerByDefault => {
                "The server sends the requests. With `useProxy: false` the viewer's browser sends them, unless an option \
                 contains a key; responses can then have at most 400 KB."
            }
            Reach::ViaServer => "The server sends the requests.",
            Reach::Local => "It sends no requests.",
        }
    }

    /// How often it refreshes unless the entry says otherwise, in a sentence of Markdown. Empty for a type without
    /// requests.
    #[must_use]
    pub fn looks_again(&self) -> String {
        match self.kind.refresh() {
            Some(interval) => format!("It refreshes {}; `updateInterval` sets another interval.", every(interval)),
            None if self.kind.reach() == Reach::Local => String::new(),
            None => "It is fetched once, when the page is opened; set `updateInterval` to refresh it.".to_owned(),
        }
    }

    /// The entry of a case as in a config file.
    #[must_use]
    pub fn entry(&self, case: &Case) -> Value {
        let mut entry = serde_json::Map::from_iter([("type".to_owned(), Value::from(self.kind.name()))]);
        entry.extend(case.entry.clone());
        if case.options.as_object().is_some_and(|options| !options.is_empty()) {
            entry.insert("options".to_owned(), case.options.clone());
        }
        Value::Object(entry)
    }
}

/// `every 5 minutes`.
fn every(interval: Duration) -> String {
    let seconds = interval.as_secs();
    let (count, unit) = match seconds {
        0 if interval.subsec_millis() > 0 => return format!("every {} milliseconds", interval.subsec_millis()),
        _ if seconds > 0 && seconds.is_multiple_of(3600) => (seconds / 3600, "hour"),
        _ if seconds > 0 && seconds.is_multiple_of(60) => (seconds / 60, "minute"),
        _ => (seconds, "second"),
    };
    if count == 1 { format!("every {unit}") } else { format!("every {count} {unit}s") }
}

/// The type of a value in one word; if several are allowed, all of them.
fn kind(schema: &Schema, property: &Value) -> String {
    let referred = property.get("$ref").and_then(Value::as_str).and_then(|path| path.strip_prefix('#'));
    let property = referred.and_then(|path| schema.pointer(path)).unwrap_or(property);
    match (property.get("type"), property.get("anyOf").and_then(Value::as_array)) {
        (Some(Value::Array(kinds)), _) => kinds.first().and_then(Value::as_str).unwrap_or_default().to_owned(),
        (Some(kind), _) => kind.as_str().unwrap_or_default().to_owned(),
        (None, Some(shapes)) => shapes.iter().map(|shape| kind(schema, shape)).collect::<Vec<_>>().join(" or "),
        (None, None) => String::new(),
    }
}

/// What may be written, with bounds and default.
fn value(schema: &Schema, property: &Value) -> String {
    let referred = property.get("$ref").and_then(Value::as_str).and_then(|path| path.strip_prefix('#'));
    let property = referred.and_then(|path| schema.pointer(path)).unwrap_or(property);
    let words = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let mut written = if let Some(choices) = choices(property) {
        choices.iter().map(|choice| format!("`{choice}`")).collect::<Vec<_>>().join(", ")
    } else if property.get("writeOnly").is_some() {
        "secret".to_owned()
    } else {
        let any_of = property.get("anyOf").and_then(Value::as_array);
        let kind = kind(schema, any_of.and_then(|schemas| schemas.first()).unwrap_or(property));
        if any_of.is_some_and(|schemas| schemas.iter().any(|schema| schema["type"] == "array")) {
            format!("{kind} or list")
        } else {
            kind
        }
    };
    match (property.get("minimum"), property.get("maximum")) {
        (Some(min), Some(max)) => _ = write!(written, " {min} to {max}"),
        (Some(min), None) => _ = write!(written, " from {min}"),
        (None, Some(max)) => _ = write!(written, " up to {max}"),
        (None, None) => {}
    }
    let default =
        property.get("default").filter(|value| !value.is_null() && *value != "" && *value != &Value::Array(vec![]));
    if let Some(default) = default {
        _ = write!(written, "; `{}`", words(default));
    }
    written
}

/// What an option does, and its other names.
fn meaning(property: &Value, synonyms: impl Iterator<Item = &'static str>) -> String {
    let described = property.get("description").and_then(Value::as_str).unwrap_or_default().replace('\n', " ");
    let names: Vec<String> = synonyms.map(|synonym| format!("`{synonym}`")).collect();
    if names.is_empty() { described } else { format!("{described} May also be called {}.", names.join(" or ")) }
}

/// The words that an option may have, if it is limited to a few.
fn choices(property: &Value) -> Option<Vec<String>> {
    let words = property.get("enum").and_then(Value::as_array);
    if let Some(words) = words {
        return Some(words.iter().filter_map(Value::as_str).map(str::to_owned).collect());
    }
    let one_of = property.get("oneOf").and_then(Value::as_array)?;
    Some(one_of.iter().filter_map(|choice| choice.get("const").and_then(Value::as_str)).map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Kind, every};

    #[test]
    fn bounds_defaults_and_choices_are_listed() {
        let options = Kind::parse("weather-forecast").unwrap().manual().options;
        let value = |name: &str| options.iter().find(|option| option.name == name).map(|option| option.value.as_str());
        assert_eq!(value("numDays"), Some("integer 1 to 16; `4`"));
        assert_eq!(value("units"), Some("`metric`, `imperial`"));
        assert_eq!(value("apiKey"), Some("secret"));
        assert_eq!(value("hideDetails"), Some("boolean; `false`"));
    }

    #[test]
    fn every_type_has_a_page() {
        for kind in Kind::ALL {
            let manual = kind.manual();
            assert!(!manual.about.is_empty() && !manual.runs().is_empty(), "{kind:?}");
            for option in &manual.options {
                assert!(!option.value.is_empty() && !option.meaning.is_empty(), "{kind:?}: {option:?}");
            }
        }
    }

    #[test]
    fn times_are_shown_in_the_largest_unit() {
        for (seconds, expected) in
            [(1, "every second"), (90, "every 90 seconds"), (300, "every 5 minutes"), (3600, "every hour")]
        {
            assert_eq!(every(Duration::from_secs(seconds)), expected);
        }
        assert_eq!(every(Duration::from_millis(500)), "every 500 milliseconds");
    }
}
