//! What the schema says about each part of a config file: one table per part, made of the struct that is read from it
//! ([`super::block`]).
//!
//! Everything that describes the file comes from these tables: [`crate::check`] applies them to a document,
//! [`crate::schema`] writes them down as JSON Schema, and the reference for people is printed from them.

/// A mapping with known keys.
pub(crate) struct Shape {
    /// What it is called in the JSON Schema; no two shapes share it.
    pub title: &'static str,
    /// What it is, as messages call it.
    pub name: &'static str,
    /// What it is for, told to the person who writes `conf.yml`.
    pub about: &'static str,
    /// The known keys.
    pub fields: &'static [Field],
    /// Which other keys are allowed.
    pub others: Others,
    /// What must hold between several keys.
    pub demands: &'static [Demand],
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
pub(crate) struct Field {
    /// The key.
    pub key: &'static str,
    /// What its value must be.
    pub rule: Rule,
    /// Whether it must be there.
    pub need: Need,
    /// What it does, told to the person who writes `conf.yml`, in whole sentences. For a legacy key, what became of
    /// it, as the rest of a sentence that begins with the key.
    pub about: &'static str,
    /// What holds while it is not there.
    pub unset: Unset,
    /// What reading makes of values that are too small, too large or too long.
    pub limit: Limit,
    /// Texts that somebody might write.
    pub examples: &'static [&'static str],
    /// Old forms of the value that still work, and what is said about each.
    pub old_forms: &'static [(Pattern, &'static str)],
    /// Whether the product does something with it. What is not built yet says so to whoever sets it.
    pub in_effect: bool,
}

/// A limit that reading keeps to, and that no write fails for.
#[derive(Clone, Copy)]
pub(crate) enum Limit {
    /// None.
    None,
    /// A number below or above acts as the nearest of these two.
    Clamped((u32, u32)),
    /// The first so many characters of a text are used.
    Characters(usize),
}

/// How much a key is wanted.
#[derive(Clone, Copy, Eq, PartialEq)]
pub(crate) enum Need {
    /// May be there.
    Optional,
    /// May be there and may be null.
    Nullable,
    /// Must be there.
    Required,
    /// Still accepted.
    Legacy,
}

/// What holds while a key is not there.
#[derive(Clone, Copy)]
pub(crate) enum Unset {
    /// Nothing.
    Nothing,
    /// As if this were written.
    Like(Preset),
    /// Something that no value of the field says, in words.
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
    /// A text with a meaning of its own, which is no matter of the schema.
    Kind(&'static TextKind),
    /// A text of a certain form.
    Form(&'static Form),
    /// A boolean.
    Flag,
    /// A number in a range, both ends allowed.
    Number(f64, f64),
    /// Any number, or a boolean.
    NumberOrFlag,
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
    /// A mapping with known keys (first), or the list of other ones (second) that it once was and that now is the
    /// value of one of its keys (third).
    ShapeOrOldList(&'static Shape, &'static Shape, &'static str),
}

/// A text that means something, such as an icon. One that means nothing is a warning of the reading, not an error.
pub(crate) struct TextKind {
    /// What it is called in the JSON Schema.
    pub title: &'static str,
    /// What may be written, told to the person who writes `conf.yml`.
    pub about: &'static str,
    /// Texts that somebody might write.
    pub examples: &'static [&'static str],
}

/// The form of a text.
pub(crate) struct Form {
    /// How messages describe it: "must …".
    pub must: &'static str,
    /// The patterns, one of which it fits.
    pub patterns: &'static [Pattern],
}

/// A pattern of a text: simple enough that the function and the regular expression are both made of it.
pub(crate) enum Pattern {
    /// This text.
    Exactly(&'static str),
    /// It begins so.
    Begins(&'static str),
    /// So many characters, each from one of some ASCII ranges with both ends in them.
    Characters(usize, &'static [(char, char)]),
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
pub(crate) fn words_of<T: Word>() -> Vec<&'static str> {
    T::WORDS.iter().map(|(word, _)| *word).collect()
}

/// The word of an enum's default.
pub(crate) fn default_word<T: Word + Default + PartialEq>() -> &'static str {
    let default = T::default();
    T::WORDS.iter().find(|(_, meaning)| *meaning == default).map_or("", |(word, _)| *word)
}

/// Says which words an enum has in the config file. Legacy words come last.
macro_rules! words {
    ($type:ty: $($word:literal => $meaning:ident),+ $(,)?) => {
        $crate::model::shape::words!($type: &[$(($word, <$type>::$meaning)),+]);
    };
    ($type:ty: $words:expr) => {
        impl $crate::model::shape::Word for $type {
            const WORDS: &'static [(&'static str, Self)] = $words;
        }

        impl $crate::model::block::FieldType for $type {
            const RULE: $crate::model::shape::Rule =
                $crate::model::shape::Rule::Word($crate::model::shape::words_of::<Self>);
            const UNSET: $crate::model::shape::Unset = $crate::model::shape::Unset::Like(
                $crate::model::shape::Preset::Word($crate::model::shape::default_word::<Self>),
            );

            fn read(cursor: &$crate::model::cursor::Cursor<'_>) -> Option<Self> {
                cursor.word()
            }
        }
    };
}

pub(crate) use words;

impl Rule {
    /// The rule for a list of at most so many elements.
    pub const fn at_most(self, max: usize) -> Self {
        match self {
            Self::Texts(_) => Self::Texts(max),
            Self::Shapes(shape, _) => Self::Shapes(shape, max),
            other => other,
        }
    }
}

impl Shape {
    /// Whether a mapping may have a key.
    pub fn allows(&self, key: &str) -> bool {
        let is_other = || match self.others {
            Others::Allowed => true,
            Others::Refused => false,
            Others::Prefixed(prefix) => key.starts_with(prefix),
        };
        self.fields.iter().any(|field| field.key == key) || is_other()
    }
}

impl Form {
    /// Whether a text has the form.
    pub fn fits(&self, text: &str) -> bool {
        self.patterns.iter().any(|pattern| pattern.fits(text))
    }

    /// The form as a regular expression that JavaScript and every other engine reads alike.
    pub fn expression(&self) -> String {
        self.patterns.iter().map(Pattern::expression).collect::<Vec<_>>().join("|")
    }
}

impl Pattern {
    /// Whether a text fits.
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

impl Field {
    /// A key that may be there.
    pub const fn new(key: &'static str, rule: Rule, about: &'static str) -> Self {
        Self {
            key,
            rule,
            need: Need::Optional,
            about,
            unset: Unset::Nothing,
            limit: Limit::None,
            examples: &[],
            old_forms: &[],
            in_effect: true,
        }
    }
}
