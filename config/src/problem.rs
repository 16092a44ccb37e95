//! What is wrong in a config file, and where.

use std::{
    borrow::Cow,
    fmt::{self, Display, Formatter},
};

use serde::Serialize;

use crate::effect::Effect;

/// Something in a config file that is wrong or should be different.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Problem {
    /// Where: a JSON pointer such as `/sections/0/items/3/url`; empty for the whole file.
    pub path: String,
    /// The kind of problem; together with the path, it determines whether two problems are the same (docs/spec/api.md
    /// 8).
    pub kind: ProblemKind,
    /// What is wrong. Never contains a secret.
    pub message: String,
    /// What happens instead, if that is known.
    #[serde(skip)]
    pub effect: Option<Effect>,
    /// Whether it makes a write fail.
    pub severity: Severity,
}

/// Kinds of problems.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProblemKind {
    /// A key that does not exist there.
    UnknownKey,
    /// A value of the wrong type for its field.
    WrongType,
    /// A required key is missing.
    Missing,
    /// A word that is not one of those allowed.
    NotAllowed,
    /// A number too small or too large.
    OutOfRange,
    /// Too many elements in a list.
    TooMany,
    /// A text without the form that the field needs.
    Malformed,
    /// A value that would be unsafe to use.
    Refused,
    /// Two entries that exclude each other; the first is used.
    Conflict,
    /// An old field or form that still works.
    Legacy,
    /// A field that has no effect: this version does not use it yet, or it is in the wrong file.
    NotInEffect,
    /// Something that works, but could be done better.
    Advice,
}

/// How bad a problem is.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    /// Makes a validated write fail.
    Error,
    /// Should be different, but nothing fails.
    Warning,
    /// Worth knowing; nothing is wrong with the file.
    Note,
}

impl Problem {
    /// Whether nothing is wrong: it is advice, or about an old form that still works.
    #[must_use]
    pub fn is_advice(&self) -> bool {
        self.severity != Severity::Error && matches!(self.kind, ProblemKind::Advice | ProblemKind::Legacy)
    }

    /// The message with what happens instead. Errors are without it: a write with an error fails, so nothing happens.
    #[must_use]
    pub fn sentence(&self) -> Cow<'_, str> {
        match self.effect {
            Some(effect) if self.severity != Severity::Error => format!("{}; {effect}", self.message).into(),
            _ => self.message.as_str().into(),
        }
    }
}

impl Display for Problem {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        if !self.path.is_empty() {
            write!(formatter, "{}: ", self.path)?;
        }
        formatter.write_str(&self.sentence())
    }
}

/// Appends a step to a path, escaped for a JSON pointer.
pub(crate) fn push_step(path: &mut String, step: &str) {
    path.push('/');
    for character in step.chars() {
        match character {
            '~' => path.push_str("~0"),
            '/' => path.push_str("~1"),
            other => path.push(other),
        }
    }
}

/// The steps of a JSON pointer, unescaped.
pub(crate) fn steps(path: &str) -> impl Iterator<Item = String> + '_ {
    path.split('/').skip(1).map(|step| step.replace("~1", "/").replace("~0", "~"))
}
