//! Lists of mappings, and mappings with free names, as rows of fields.

use serde_json::{Map, Value, json};

use super::field::{Input, NAME, Rows, SchemaField, Shape, VALUE};
use crate::texts::{fill, within_sentence};

/// In rows with more fields than this, only the usual ones are shown at first.
const MAX_SHOWN: usize = 6;
/// How many are shown then by default.
const SHOWN: usize = 4;
/// The usual fields of rows, by the key of their list.
const USUAL: [(&str, &[&str]); 2] =
    [("subItems", &["title", "url", "icon", "description"]), ("mappings", &["field", "label", "format"])];

impl Rows {
    /// The rows of a value; `None` if it does not fit.
    #[must_use]
    pub fn read(&self, value: Option<&Value>) -> Option<Vec<Value>> {
        let row = |element: &Value| match element {
            Value::Object(_) => Some(element.clone()),
            Value::String(_) if self.short => Some(json!({ self.first(): element })),
            _ => None,
        };
        match (value, self.shape) {
            (None | Some(Value::Null), Shape::One) => Some(vec![json!({})]),
            (None | Some(Value::Null), _) => Some(Vec::new()),
            (Some(Value::Array(elements)), Shape::List | Shape::OneOrMany) => elements.iter().map(row).collect(),
            (Some(value), Shape::One | Shape::OneOrMany) => Some(vec![row(value)?]),
            (Some(Value::Object(members)), Shape::Mapping) => {
                let [_, field] = self.fields.as_slice() else { return None };
                let fits = members.values().all(|value| value.is_null() || field.fits(Some(value)));
                let row = |(name, value): (&String, &Value)| json!({ NAME: name, VALUE: value });
                fits.then(|| members.iter().map(row).collect())
            }
            (Some(_), Shape::List | Shape::Mapping) => None,
        }
    }

    /// The value of rows; `None` if there are none. `before` is the value in the file, whose form is kept.
    ///
    /// # Errors
    ///
    /// A sentence for the user who filled them in.
    pub fn write(&self, before: Option<&Value>, rows: Vec<Value>) -> Result<Option<Value>, String> {
        if self.shape == Shape::Mapping {
            return self.mapping(rows);
        }
        let written: &[Value] = match before {
            Some(Value::Array(elements)) => elements,
            Some(value) => std::slice::from_ref(value),
            None => &[],
        };
        let has_short = written.iter().any(Value::is_string) || before.is_none() && self.shape == Shape::One;
        let element = |row: Value| match row.get(self.first()) {
            Some(Value::String(text)) if self.short && has_short && is_alone(&row) && !written.contains(&row) => {
                Value::from(text.as_str())
            }
            _ => row,
        };
        let mut elements: Vec<Value> = rows.into_iter().map(element).collect();
        Ok(match self.shape {
            Shape::One => elements.pop().filter(|element| element.as_object().is_none_or(|row| !row.is_empty())),
            Shape::OneOrMany if elements.len() == 1 && before.is_some_and(|before| !before.is_array()) => {
                elements.pop()
            }
            _ => (!elements.is_empty()).then(|| elements.into()),
        })
    }

    fn mapping(&self, rows: Vec<Value>) -> Result<Option<Value>, String> {
        let mut members = Map::new();
        for mut row in rows {
            let value = row.get_mut(VALUE).map(Value::take);
            let name = match &row[NAME] {
                Value::Null if value.is_none() => continue,
                Value::Null => {
                    return Err(fill(
                        "Please fill in the name of each {name}.",
                        &[("name", &within_sentence(&self.noun))],
                    ));
                }
                Value::String(name) => name.trim().to_owned(),
                name => name.to_string(),
            };
            if members.contains_key(&name) {
                return Err(fill("`{name}` is there twice.", &[("name", &name)]));
            }
            // A name without a value is still being filled in.
            if let Some(value) = value {
                members.insert(name, value);
            }
        }
        Ok((!members.is_empty()).then_some(Value::Object(members)))
    }

    /// A new row with its keys in the order of the fields, whatever was filled in first.
    #[must_use]
    pub fn ordered(&self, row: &Value) -> Value {
        let value = |field: &SchemaField| Some((field.key.clone(), row.get(&field.key)?.clone()));
        Value::Object(self.fields.iter().filter_map(value).collect())
    }

    /// Whether a field of a row is shown from the start. `key` is that of the list.
    #[must_use]
    pub fn shows(&self, key: &str, position: usize, row: &Value) -> bool {
        let field = &self.fields[position];
        let is_usual = match USUAL.iter().find(|(list, _)| *list == key) {
            Some((_, usual)) => usual.contains(&field.key.as_str()),
            None => self.fields.len() <= MAX_SHOWN || position < SHOWN,
        };
        is_usual || field.required || row.get(&field.key).is_some()
    }

    /// The positions of the fields in the order in which people fill them in. `key` is that of the list.
    #[must_use]
    pub fn order(&self, key: &str) -> Vec<usize> {
        let usual = USUAL.iter().find(|(list, _)| *list == key).map_or(&[] as &[&str], |(_, usual)| usual);
        let place = |position: &usize| {
            let own = &self.fields[*position].key;
            usual.iter().position(|known| known == own).unwrap_or(usual.len())
        };
        let mut positions: Vec<usize> = (0..self.fields.len()).collect();
        positions.sort_by_key(place);
        positions
    }

    /// The first required field that is missing in a row, as in a sentence. Rows that are in the file already do not count.
    #[must_use]
    pub fn missing(&self, before: Option<&Value>, value: Option<&Value>) -> Option<String> {
        let (before, rows) = (self.read(before).unwrap_or_default(), self.read(value)?);
        rows.iter().filter(|row| !before.contains(row)).find_map(|row| {
            let is_missing = |field: &&SchemaField| match &field.input {
                // An account has a hash, or the name of a variable.
                Input::NewPassword => !is_given(row.get(&field.key)) && !is_given(row.get("password")),
                _ => field.required && self.shape != Shape::Mapping && !is_given(row.get(&field.key)),
            };
            let field = self.fields.iter().find(is_missing)?;
            Some(fill(
                "{field} of each {name}",
                &[("field", &within_sentence(&field.label)), ("name", &within_sentence(&self.noun))],
            ))
        })
    }

    /// The key of the first field.
    fn first(&self) -> &str {
        self.fields.first().map_or("", |field| field.key.as_str())
    }
}

fn is_alone(row: &Value) -> bool {
    row.as_object().is_some_and(|row| row.len() == 1)
}

/// Whether a value is a text that is not empty, or a number.
#[must_use]
pub fn is_given(value: Option<&Value>) -> bool {
    match value {
        Some(Value::String(text)) => !text.trim().is_empty(),
        value => value.is_some_and(Value::is_number),
    }
}

/// What has to be filled in first in the rows of some fields, each with the path of its value.
#[must_use]
pub fn missing_in_rows(fields: &[(Vec<String>, SchemaField)], before: &Value, value: &Value) -> Option<String> {
    fields.iter().find_map(|(path, field)| match &field.input {
        Input::Rows(rows) => rows.missing(super::get(before, path), super::get(value, path)),
        Input::Block(inner) => {
            let place =
                |field: &SchemaField| (path.iter().cloned().chain([field.key.clone()]).collect(), field.clone());
            missing_in_rows(&inner.iter().map(place).collect::<Vec<_>>(), before, value)
        }
        _ => None,
    })
}
