//! A field of a form, and the kinds of inputs.

use serde_json::{Number, Value};

/// A field of a form.
#[derive(Clone, Debug, PartialEq)]
pub struct SchemaField {
    /// Its key in the file.
    pub key: String,
    /// Its label: `statusCheckUrl` is “Address to check”.
    pub label: String,
    /// The description in English, for the code.
    pub about: String,
    /// The description in the language of the page, for the user.
    pub described: String,
    /// Whether a value is required.
    pub required: bool,
    /// The default, if it is always the same.
    pub default: Option<Value>,
    /// The kind of input.
    pub input: Input,
    /// The dialog that helps to fill in a text, such as `icons` or `themes`.
    pub helper: Option<&'static str>,
}

/// The kinds of inputs.
#[derive(Clone, Debug, PartialEq)]
pub enum Input {
    /// A line of text.
    Text,
    /// A key or a password, which is never shown.
    Secret,
    /// One or several keys, as a list of texts, which are never shown.
    SecretList,
    /// A password of which the file has only a hash, which is never shown.
    NewPassword,
    /// Yes or no.
    Flag,
    /// A number between bounds.
    Number(Option<Number>, Option<Number>),
    /// One of several words.
    Choice(Vec<String>),
    /// Texts in one line, as `lists` reads it. If true, a single text is written without a list.
    List(bool),
    /// Further fields.
    Block(Vec<SchemaField>),
    /// A list of mappings, or a mapping with free names.
    Rows(Rows),
    /// Any other value, as YAML.
    Yaml,
    /// Secrets of any other form, as YAML, which is never shown.
    SecretYaml,
}

/// The keys of a row of a mapping with free names.
pub const NAME: &str = "name";

/// As [`NAME`].
pub const VALUE: &str = "value";

/// A value that is edited as rows, each with the same fields.
#[derive(Clone, Debug, PartialEq)]
pub struct Rows {
    /// What a row is called, such as “Sub-item”.
    pub noun: String,
    /// The fields of a row. A row of a mapping has a name and a value.
    pub fields: Vec<SchemaField>,
    /// How the rows are written.
    pub shape: Shape,
    /// Whether a text stands for a row in which only the first field is set.
    pub short: bool,
}

/// How rows are written to the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A list of mappings.
    List,
    /// The same; a single mapping may stand alone.
    OneOrMany,
    /// One mapping.
    One,
    /// A mapping of free names.
    Mapping,
}
