//! What the schema says about each part of a config file: one table per part, beside the struct that is read from it.
//!
//! The tables hold names and rules only. [`crate::check`] applies them to a document; reading is lenient and knows
//! the same enums, limits and forms through them.

/// A mapping with known keys.
pub(crate) struct Shape {
    /// What it is, as messages call it.
    pub name: &'static str,
    /// The known keys.
    pub fields: &'static [Field],
    /// Which other keys are allowed.
    pub others: Others,
}

/// Keys of a mapping that its table does not have.
pub(crate) enum Others {
    /// None.
    Refused,
    /// All.
    Allowed,
    /// Those that begin with a prefix.
    Prefixed(&'static str),
}

/// A key of a mapping.
pub(crate) struct Field {
    /// The key.
    pub key: &'static str,
    /// What its value must be.
    pub rule: Rule,
    /// Whether it must be there.
    pub need: Need,
}

/// How much a key is wanted.
#[derive(Clone, Copy)]
pub(crate) enum Need {
    /// May be there.
    Optional,
    /// May be there and may be null.
    Nullable,
    /// Must be there.
    Required,
    /// Still accepted; the text says what became of it.
    Legacy(&'static str),
}

/// What a value must be.
#[derive(Clone, Copy)]
pub(crate) enum Rule {
    /// Anything.
    Any,
    /// A text.
    Text,
    /// A text of a certain form.
    Form(&'static Form),
    /// A boolean.
    Flag,
    /// A number in a range, both ends allowed.
    Number(f64, f64),
    /// A number in a range, or a boolean.
    NumberOrFlag(f64, f64),
    /// One of some words.
    Word(fn() -> Vec<&'static str>),
    /// A list of texts, at most so many.
    Texts(usize),
    /// A mapping of texts.
    TextMap,
    /// A mapping of mappings.
    MapOfMaps,
    /// A mapping with anything in it.
    Map,
    /// A mapping with known keys.
    Shape(&'static Shape),
    /// A list of mappings with known keys, at most so many.
    Shapes(&'static Shape, usize),
    /// `appConfig.auth`: the mapping, or the list of users that it once was.
    Auth,
}

/// The form of a text.
pub(crate) struct Form {
    /// How messages describe it: "must …".
    pub must: &'static str,
    /// Whether a text has it.
    pub fits: fn(&str) -> bool,
}

/// No limit on the number of elements.
pub(crate) const MANY: usize = usize::MAX;

/// Any number.
pub(crate) const ANY_NUMBER: Rule = Rule::Number(f64::NEG_INFINITY, f64::INFINITY);

/// An enum of words in the config file.
pub(crate) trait Word: Sized + Copy + 'static {
    /// The documented words, and what each means. Legacy words come last.
    const WORDS: &'static [(&'static str, Self)];

    /// What a word means.
    fn from_word(word: &str) -> Option<Self> {
        Self::WORDS.iter().find(|(known, _)| *known == word).map(|(_, meaning)| *meaning)
    }
}

/// The words of an enum, for a table.
pub(crate) fn words<T: Word>() -> Vec<&'static str> {
    T::WORDS.iter().map(|(word, _)| *word).collect()
}

/// A key that may be there.
pub(crate) const fn optional(key: &'static str, rule: Rule) -> Field {
    Field { key, rule, need: Need::Optional }
}

/// A key that may be there and may be null.
pub(crate) const fn nullable(key: &'static str, rule: Rule) -> Field {
    Field { key, rule, need: Need::Nullable }
}

/// A key that must be there.
pub(crate) const fn required(key: &'static str, rule: Rule) -> Field {
    Field { key, rule, need: Need::Required }
}

/// A key that is still accepted.
pub(crate) const fn legacy(key: &'static str, rule: Rule, hint: &'static str) -> Field {
    Field { key, rule, need: Need::Legacy(hint) }
}
