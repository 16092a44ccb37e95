//! What the schema says about each part of a config file: one table per part, generated from the struct that reads it
//! ([`super::block`]).
//!
//! Everything that describes the file comes from these tables: [`crate::check`] applies them to a document,
//! [`crate::schema`] turns them into the JSON Schema, and the reference in `docs/config.md` is generated from them.

/// A mapping with known keys.
pub(crate) struct BlockShape {
    /// Its name in the JSON Schema, unique among all shapes.
    pub title: &'static str,
    /// Its name in messages.
    pub name: &'static str,
    /// Its purpose, for the author of `conf.yml`.
    pub about: &'static str,
    /// The known keys.
    pub fields: &'static [FieldSpec],
    /// Which other keys are allowed.
    pub others: UnknownKeys,
    /// Rules about several keys.
    pub demands: &'static [Demand],
}

/// Which keys that are not in its table a mapping may have.
pub(crate) enum UnknownKeys {
    /// None.
    Refused,
    /// All.
    Allowed,
    /// Those that begin with a prefix.
    Prefixed(&'static str),
}

/// A rule about several keys of a mapping.
pub(crate) enum Demand {
    /// One of two keys must be there, and not both.
    OneOf(&'static str, &'static str),
    /// While a flag is true, a block must be there and have some keys.
    WhileOn {
        /// The flag.
        flag: &'static str,
        /// The block, a mapping.
        block: &'static str,
        /// The block's keys.
        keys: &'static [&'static str],
    },
}

/// A key of a mapping.
#[derive(Clone, Copy)]
pub(crate) struct FieldSpec {
    /// The key.
    pub key: &'static str,
    /// What its value must be.
    pub rule: Rule,
    /// Whether it must be there.
    pub need: Need,
    /// What it does, in whole sentences for the author of `conf.yml`. For a legacy key, what became of it, as the rest
    /// of a sentence that begins with the key.
    pub about: &'static str,
    /// What applies while it is not set.
    pub unset: Unset,
    /// What reading does with values that are too small, too large or too long.
    pub limit: ReadLimit,
    /// Sample values.
    pub examples: &'static [&'static str],
    /// Old forms of the value that still work, with a hint about each.
    pub old_forms: &'static [(Pattern, &'static str)],
    /// Whether it has an effect yet. If not, setting it is reported as a problem.
    pub in_effect: bool,
}

/// A limit that reading applies, but that never makes a write fail.
#[derive(Clone, Copy)]
pub(crate) enum ReadLimit {
    /// None.
    None,
    /// A number out of this range acts as the nearest one in it.
    Clamped((u32, u32)),
    /// Only the first so many characters of a text are used.
    Characters(usize),
}

/// Whether a key must be set.
#[derive(Clone, Copy, Eq, PartialEq)]
pub(crate) enum Need {
    /// May be missing.
    Optional,
    /// May be missing or null.
    Nullable,
    /// Must be set.
    Required,
    /// Still accepted, but old.
    Legacy,
}

/// What applies while a key is not set.
#[derive(Clone, Copy)]
pub(crate) enum Unset {
    /// Nothing.
    Nothing,
    /// The same as if this were written.
    Like(Preset),
    /// Something that no value of the field expresses, as a description.
    Means(&'static str),
}

/// A default that is a value of its field.
#[derive(Clone, Copy)]
pub(crate) enum Preset {
    /// True or false.
    Flag(bool),
    /// A whole number.
    Number(u32),
    /// A text.
    Text(&'static str),
    /// A word of an enum.
    Word(fn() -> &'static str),
    /// `[]`.
    EmptyList,
    /// `{}`.
    EmptyMapping,
}

/// What a value must be.
#[derive(Clone, Copy)]
pub(crate) enum Rule {
    /// Anything.
    Any,
    /// A text.
    Text,
    /// A text with a special meaning, which the schema does not check.
    Kind(&'static TextKind),
    /// A text of a certain form.
    Format(&'static TextFormat),
    /// A boolean.
    Flag,
    /// A number in an inclusive range.
    Number(f64, f64),
    /// Any number, or a boolean.
    NumberOrFlag,
    /// One of some words.
    Word(fn() -> Vec<&'static str>),
    /// A list of texts, with a maximum length.
    Texts(usize),
    /// A mapping of texts.
    TextMap,
    /// A mapping of mappings.
    MapOfMaps,
    /// A mapping with anything in it.
    Map,
    /// A mapping with known keys.
    Shape(&'static BlockShape),
    /// A list of mappings with known keys, with a maximum length.
    Shapes(&'static BlockShape, usize),
    /// A mapping with known keys (first), or its old form: a list of other mappings (second), now the value of one of
    /// its keys (third).
    ShapeOrOldList(&'static BlockShape, &'static BlockShape, &'static str),
}

/// A text with a meaning, such as an icon. If it has none, reading gives a warning, not an error.
pub(crate) struct TextKind {
    /// Its name in the JSON Schema.
    pub title: &'static str,
    /// What may be written, for the author of `conf.yml`.
    pub about: &'static str,
    /// Sample values.
    pub examples: &'static [&'static str],
}

/// The form of a text.
pub(crate) struct TextFormat {
    /// How messages describe it: "must …".
    pub must: &'static str,
    /// The patterns, at least one of which must match.
    pub patterns: &'static [Pattern],
}

/// A pattern for a text, simple enough to derive both the function and the regular expression from it.
pub(crate) enum Pattern {
    /// This text.
    Exactly(&'static str),
    /// The text begins with this.
    Begins(&'static str),
    /// So many characters, each from one of several inclusive ASCII ranges.
    Characters(usize, &'static [(char, char)]),
}

/// No limit on the number of elements.
pub(crate) const MANY: usize = usize::MAX;

/// Any number.
pub(crate) const ANY_NUMBER: Rule = Rule::Number(f64::NEG_INFINITY, f64::INFINITY);

/// An enum of words in the config file.
pub(crate) trait Word: Sized + Copy + 'static {
    /// The documented words and their values. Legacy words come last.
    const WORDS: &'static [(&'static str, Self)];

    /// The value of a word.
    fn from_word(word: &str) -> Option<Self> {
        Self::WORDS.iter().find(|(known, _)| *known == word).map(|(_, meaning)| *meaning)
    }
}

impl Rule {
    /// The rule for a list with a maximum length.
    pub const fn at_most(self, max: usize) -> Self {
        match self {
            Self::Texts(_) => Self::Texts(max),
            Self::Shapes(shape, _) => Self::Shapes(shape, max),
            other => other,
        }
    }
}

impl BlockShape {
    /// Whether a mapping may have a key.
    pub fn allows(&self, key: &str) -> bool {
        let is_other = || match self.others {
            UnknownKeys::Allowed => true,
            UnknownKeys::Refused => false,
            UnknownKeys::Prefixed(prefix) => key.starts_with(prefix),
        };
        self.fields.iter().any(|field| field.key == key) || is_other()
    }
}

impl TextFormat {
    /// Whether a text has the form.
    pub fn fits(&self, text: &str) -> bool {
        self.patterns.iter().any(|pattern| pattern.fits(text))
    }

    /// The form as a regular expression that works in JavaScript and every other engine.
    pub fn expression(&self) -> String {
        self.patterns.iter().map(Pattern::expression).collect::<Vec<_>>().join("|")
    }
}

impl Pattern {
    /// Whether the text matches.
    pub fn fits(&self, text: &str) -> bool {
        match self {
            Self::Exactly(whole) => text == *whole,
            Self::Begins(start) => text.starts_with(start),
            Self::Characters(count, ranges) => {
                let is_allowed = |character| ranges.iter().any(|(first, last)| (*first..=*last).contains(&character));
                text.len() == *count && text.chars().all(is_allowed)
            }
        }
    }

    fn expression(&self) -> String {
        match self {
            Self::Exactly(whole) => format!("^{}$", escaped(whole)),
            Self::Begins(start) => format!("^{}", escaped(start)),
            Self::Characters(count, ranges) => {
                let ranges: String = ranges.iter().map(|(first, last)| format!("{first}-{last}")).collect();
                format!("^[{ranges}]{{{count}}}$")
            }
        }
    }
}

fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        if "\\^$.|?*+()[]{}".contains(character) {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

impl FieldSpec {
    /// An optional key.
    pub const fn new(key: &'static str, rule: Rule, about: &'static str) -> Self {
        Self {
            key,
            rule,
            need: Need::Optional,
            about,
            unset: Unset::Nothing,
            limit: ReadLimit::None,
            examples: &[],
            old_forms: &[],
            in_effect: true,
        }
    }
}
