//! Lenient reading of a raw value: a wrong type gives the field's default and a problem, never an error
//! (docs/spec/config.md 1.2).

use std::cell::RefCell;

use serde_json::{Map, Value};

use super::shape::Word;
use crate::{
    did_you_mean::did_you_mean,
    document,
    effect::Effect,
    problem::{Problem, ProblemKind, Severity, push_step},
};

/// Collects the problems found while reading.
#[derive(Debug, Default)]
pub(crate) struct Problems(RefCell<Vec<Problem>>);

impl Problems {
    pub fn into_list(self) -> Vec<Problem> {
        self.0.into_inner()
    }
}

/// The path from the top of the document to a value, written out only if there is a problem.
#[derive(Clone, Copy)]
enum CursorPath<'a> {
    Top(&'a str),
    Key(&'a CursorPath<'a>, &'a str),
    Index(&'a CursorPath<'a>, usize),
}

impl CursorPath<'_> {
    fn write(&self, path: &mut String) {
        match self {
            Self::Top(start) => path.push_str(start),
            Self::Key(parent, key) => {
                parent.write(path);
                push_step(path, key);
            }
            Self::Index(parent, index) => {
                parent.write(path);
                push_step(path, &index.to_string());
            }
        }
    }
}

/// A value that is being read, with its path.
#[derive(Clone, Copy)]
pub(crate) struct Cursor<'a> {
    value: &'a Value,
    way: CursorPath<'a>,
    /// `None` if problems are not collected.
    problems: Option<&'a Problems>,
}

const NULL: &Value = &Value::Null;

impl<'a> Cursor<'a> {
    /// A missing value.
    pub const NOTHING: Self = Self { value: NULL, way: CursorPath::Top(""), problems: None };

    /// The value at a JSON pointer; an empty pointer is the top.
    pub fn new(value: &'a Value, path: &'a str, problems: &'a Problems) -> Self {
        Self { value, way: CursorPath::Top(path), problems: Some(problems) }
    }

    /// The same value without problems, for values read a second time, whose problems have already been reported.
    pub fn quiet(&self) -> Self {
        Self { problems: None, ..*self }
    }

    /// The position in the list that the value is an element of.
    pub fn index(&self) -> usize {
        if let CursorPath::Index(_, index) = self.way { index } else { 0 }
    }

    /// The raw value.
    pub fn value(&self) -> &'a Value {
        self.value
    }

    /// The value of a key; null if it is missing, or if this is not a mapping.
    pub fn key<'b>(&'b self, key: &'b str) -> Cursor<'b> {
        Cursor {
            value: self.value.get(key).unwrap_or(NULL),
            way: CursorPath::Key(&self.way, key),
            problems: self.problems,
        }
    }

    /// The value of the first key that is there and not null.
    pub fn first_key<'b>(&'b self, keys: [&'b str; 2]) -> Cursor<'b> {
        if self.key(keys[0]).is_null() { self.key(keys[1]) } else { self.key(keys[0]) }
    }

    pub fn is_null(&self) -> bool {
        self.value.is_null()
    }

    /// Reports a problem with this value, and what happens instead if the message does not say it.
    pub fn warn(&self, kind: ProblemKind, message: impl Into<String>, effect: impl Into<Option<Effect>>) {
        self.note(kind, message.into(), effect.into(), Severity::Warning);
    }

    /// Reports that a validated write with this value fails.
    pub fn refuse(&self, kind: ProblemKind, message: impl Into<String>) {
        self.note(kind, message.into(), None, Severity::Error);
    }

    fn note(&self, kind: ProblemKind, message: String, effect: Option<Effect>, severity: Severity) {
        let Some(problems) = self.problems else { return };
        let mut path = String::new();
        self.way.write(&mut path);
        problems.0.borrow_mut().push(Problem { path, kind, message, effect, severity });
    }

    fn wrong_type<T>(&self, wanted: &str) -> Option<T> {
        let message = format!("must be {wanted}, not {}", kind_of(self.value));
        self.warn(ProblemKind::WrongType, message, Effect::Ignored);
        None
    }

    fn converted<T>(&self, wanted: &str, value: T) -> Option<T> {
        let message = format!("should be {wanted}, not {}", kind_of(self.value));
        self.warn(ProblemKind::WrongType, message, Effect::Converted);
        Some(value)
    }

    /// A text. Numbers and booleans are converted to text.
    pub fn text(&self) -> Option<String> {
        match self.value {
            Value::Null => None,
            Value::String(text) => Some(text.clone()),
            Value::Number(number) => Some(number.to_string()),
            Value::Bool(flag) => Some(flag.to_string()),
            Value::Array(_) | Value::Object(_) => self.wrong_type("text"),
        }
    }

    /// A trimmed text; `None` if it is only white space.
    pub fn filled_text(&self) -> Option<String> {
        let text = self.text()?;
        let trimmed = text.trim();
        if trimmed.is_empty() {
            None
        } else if trimmed.len() == text.len() {
            Some(text)
        } else {
            Some(trimmed.to_owned())
        }
    }

    /// A boolean. Words that plainly mean one are accepted: `hideForGuests: yes` must hide.
    pub fn flag(&self) -> Option<bool> {
        match self.value {
            Value::Null => None,
            Value::Bool(flag) => Some(*flag),
            Value::String(text) => match text.trim().to_ascii_lowercase().as_str() {
                "true" | "yes" | "on" => self.converted("true or false", true),
                "false" | "no" | "off" => self.converted("true or false", false),
                _ => self.wrong_type("true or false"),
            },
            _ => self.wrong_type("true or false"),
        }
    }

    /// A boolean that is false when not set.
    pub fn is_on(&self) -> bool {
        self.flag().unwrap_or(false)
    }

    /// A boolean that takes rights away. One that cannot be read counts as true.
    pub fn restricts(&self) -> bool {
        self.flag().unwrap_or_else(|| {
            if !self.is_null() {
                let message = "cannot be read, and counts as true to be on the safe side";
                self.warn(ProblemKind::NotAllowed, message, None);
            }
            !self.is_null()
        })
    }

    /// A number. A text that is a number is accepted.
    pub fn number(&self) -> Option<f64> {
        match self.value {
            Value::Null => None,
            Value::Number(number) => number.as_f64(),
            Value::String(text) => match document::number(text.trim()).and_then(|number| number.as_f64()) {
                Some(number) => self.converted("a number", number),
                None => self.wrong_type("a number"),
            },
            _ => self.wrong_type("a number"),
        }
    }

    /// A whole number, clamped to a range.
    pub fn clamped(&self, min: u32, max: u32) -> Option<u32> {
        let number = self.number()?;
        if number < f64::from(min) || number > f64::from(max) {
            let message = format!("must be from {min} to {max}, not {number}");
            self.warn(ProblemKind::OutOfRange, message, Effect::NearestUsed);
        }
        whole(number.clamp(f64::from(min), f64::from(max)))
    }

    /// A whole number of seconds, milliseconds or the like that fits into `u32`; negative numbers count as 0.
    pub fn count(&self) -> Option<u32> {
        whole(self.number()?.clamp(0.0, f64::from(u32::MAX)))
    }

    /// One of the words of an enum, in upper or lower case.
    pub fn word<T: Word>(&self) -> Option<T> {
        let text = self.filled_text()?;
        let word = T::from_word(&text).or_else(|| T::from_word(&text.to_ascii_lowercase()));
        if word.is_none() {
            let known: Vec<_> = T::WORDS.iter().map(|(word, _)| *word).collect();
            let meant = did_you_mean(&text, known.iter().copied());
            let message = format!("`{}` is not one of {}{meant}", brief(&text), known.join(", "));
            self.warn(ProblemKind::NotAllowed, message, Effect::Ignored);
        }
        word
    }

    /// The elements of a list, with their indexes. Null is an empty list.
    pub fn elements(&self) -> impl Iterator<Item = (usize, Cursor<'_>)> {
        let elements = match self.value {
            Value::Array(elements) => elements.as_slice(),
            Value::Null => &[],
            _ => self.wrong_type("a list").unwrap_or_default(),
        };
        elements.iter().enumerate().map(|(index, value)| {
            (index, Cursor { value, way: CursorPath::Index(&self.way, index), problems: self.problems })
        })
    }

    /// The elements of a list that are mappings. Others are reported and skipped, but they still count in the indexes.
    pub fn mappings(&self, what: &'static str) -> impl Iterator<Item = (usize, Cursor<'_>)> {
        self.elements().filter(move |(_, element)| {
            if !element.value.is_object() {
                let message = format!("{what} must be a mapping, not {}", kind_of(element.value));
                element.warn(ProblemKind::WrongType, message, Effect::Skipped);
            }
            element.value.is_object()
        })
    }

    /// A list of texts. A single text counts as a list of one.
    pub fn texts(&self) -> Vec<String> {
        match self.value {
            Value::String(text) if text.trim().is_empty() => Vec::new(),
            Value::String(text) => self.converted("a list", vec![text.trim().to_owned()]).unwrap_or_default(),
            _ => self.elements().filter_map(|(_, element)| element.filled_text()).collect(),
        }
    }

    /// A mapping; `None` for null and for anything else, which is reported.
    pub fn mapping(&self) -> Option<&'a Map<String, Value>> {
        match self.value {
            Value::Object(mapping) => Some(mapping),
            Value::Null => None,
            _ => self.wrong_type("a mapping"),
        }
    }

    /// The entries of a mapping of texts; numbers and booleans are converted to text.
    pub fn text_pairs(&self) -> Vec<(String, String)> {
        let pairs = self.mapping().into_iter().flatten();
        pairs.filter_map(|(key, _)| Some((key.clone(), self.key(key).text()?))).collect()
    }
}

/// A number without its fraction; `None` if it does not fit.
fn whole(number: f64) -> Option<u32> {
    // The range has been checked, so only the fraction is lost.
    (0.0..=f64::from(u32::MAX)).contains(&number).then_some(number.trunc() as u32)
}

/// The name of a value's kind.
pub(crate) fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "an empty value",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "text",
        Value::Array(_) => "a list",
        Value::Object(_) => "a mapping",
    }
}

/// The beginning of a text, short enough for a message.
pub(crate) fn brief(text: &str) -> String {
    let mut short: String = text.chars().take(60).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}
