//! The fields of a mapping, taken out one by one. What is left at the end was not understood, and is noted.

use serde_json::{Map, Number, Value};

use crate::report::{Report, SourceLocation};

/// A mapping that is being read.
#[derive(Debug)]
pub struct Fields {
    fields: Map<String, Value>,
    /// Where it is.
    pub place: SourceLocation,
}

impl Fields {
    /// The fields of a value; none if it is null. Anything but a mapping is noted as lost.
    pub fn of(value: Value, place: SourceLocation, report: &mut Report) -> Self {
        let fields = match value {
            Value::Object(fields) => fields,
            Value::Null => Map::new(),
            other => {
                report.lost(&place, format!("expected a mapping here, not {}", shape(&other)) + &addresses(&other));
                Map::new()
            }
        };
        Self { fields, place }
    }

    /// Takes a value that is set.
    pub fn value(&mut self, key: &str) -> Option<Value> {
        self.fields.shift_remove(key).filter(|value| !value.is_null())
    }

    /// Takes a text; a number or a boolean is written out. Anything else stays.
    pub fn text(&mut self, key: &str) -> Option<String> {
        let text = text_of(self.fields.get(key)?)?;
        self.fields.shift_remove(key);
        Some(text)
    }

    /// Takes a text that is not blank.
    pub fn words(&mut self, key: &str) -> Option<String> {
        self.text(key).map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
    }

    /// Takes a boolean. Anything else stays.
    pub fn flag(&mut self, key: &str) -> Option<bool> {
        let flag = match self.fields.get(key)? {
            Value::Bool(flag) => *flag,
            Value::String(text) => config::document::flag(text)?,
            _ => return None,
        };
        self.fields.shift_remove(key);
        Some(flag)
    }

    /// Takes a number, also one in quotes. Anything else stays.
    pub fn number(&mut self, key: &str) -> Option<Value> {
        let number = number_of(self.fields.get(key)?)?;
        self.fields.shift_remove(key);
        Some(Value::Number(number))
    }

    /// Takes a list; a single value counts as a list of one.
    pub fn list(&mut self, key: &str) -> Vec<Value> {
        match self.value(key) {
            Some(Value::Array(list)) => list,
            Some(value) => vec![value],
            None => Vec::new(),
        }
    }

    /// Takes the texts of a list; a single text counts as a list of one.
    pub fn texts(&mut self, key: &str) -> Vec<String> {
        self.list(key).iter().filter_map(text_of).collect()
    }

    /// Takes a mapping.
    pub fn mapping(&mut self, key: &str, report: &mut Report) -> Option<Self> {
        let place = self.place.child(key);
        self.value(key).map(|value| Self::of(value, place, report))
    }

    /// Takes fields without information, which can be left out without losing anything.
    pub fn skip(&mut self, keys: &[&str]) {
        for key in keys {
            self.fields.shift_remove(*key);
        }
    }

    /// Takes everything that is left.
    pub fn take_rest(&mut self) -> Map<String, Value> {
        std::mem::take(&mut self.fields)
    }

    /// Notes everything that is left as lost.
    pub fn finish(self, report: &mut Report) {
        self.finish_with(report, |_| None);
    }

    /// Notes everything that is left as lost, with the reasons that are known.
    pub fn finish_with(self, report: &mut Report, reason: impl Fn(&str) -> Option<&'static str>) {
        for (key, value) in self.fields {
            if value.is_null() {
                continue;
            }
            let reason = reason(&key).unwrap_or("there is no such setting here");
            report.lost(&self.place, format!("`{key}`: {reason}{}", addresses(&value)));
        }
    }
}

/// A number, also one in quotes.
pub fn number_of(value: &Value) -> Option<Number> {
    match value {
        Value::Number(number) => Some(number.clone()),
        Value::String(text) => config::document::number(text.trim()),
        _ => None,
    }
}

/// A single value as text.
pub fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        _ => None,
    }
}

fn shape(value: &Value) -> &'static str {
    match value {
        Value::Null => "nothing",
        Value::Bool(_) | Value::Number(_) | Value::String(_) => "a single value",
        Value::Array(_) => "a list",
        Value::Object(_) => "a mapping",
    }
}

/// The addresses in a value that was lost, in brackets; empty if there are none.
pub fn addresses(value: &Value) -> String {
    let mut found = Vec::new();
    collect_addresses(value, &mut found);
    if found.is_empty() { String::new() } else { format!(" ({})", found.join(", ")) }
}

/// Whether a text is one address, in which any sign may be.
fn is_address(text: &str) -> bool {
    let scheme = text.split_once("://").map_or("", |(scheme, _)| scheme);
    !scheme.is_empty()
        && scheme.chars().all(|letter| letter.is_ascii_alphanumeric())
        && !text.contains(char::is_whitespace)
}

fn collect_addresses(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) if is_address(text.trim()) => found.push(text.trim().to_owned()),
        Value::String(text) => {
            let ends = |letter: char| letter.is_whitespace() || "\"'<>`()".contains(letter);
            found.extend(text.split(ends).filter(|word| word.contains("://")).map(str::to_owned));
        }
        Value::Array(list) => list.iter().for_each(|element| collect_addresses(element, found)),
        Value::Object(mapping) => mapping.values().for_each(|element| collect_addresses(element, found)),
        _ => {}
    }
}
