//! The file as a raw value: parsing, printing, size limits, and the position of each part in the text.
//!
//! The value is limited to what JSON can represent: mapping keys that are not text become text, and so does every scalar
//! without quotes that is a number or a boolean in another notation than JSON's, unless it belongs to a field that wants
//! one (docs/spec/config.md 13, docs/spec/api.md 6). `edit.rs` changes it for the API, and
//! `change.rs` for the editor, which can undo changes. [`crate::model`] interprets it.

mod change;
mod compose;
mod edit;
mod error;
mod excerpt;
mod field_types;
mod invisible;
mod locations;
mod node;
mod print;
mod read_spellings;
mod relaxed;
mod scalar;
mod slips;
mod spelling;

use bytes::Bytes;
use serde_json::{Map, Value};
use thiserror::Error;

#[cfg(test)]
pub(crate) use self::relaxed::relaxed_text;
pub use change::{Change, ValuePath};
pub use error::{DocumentError, EditError, MAX_DEPTH, MAX_READ_BYTES, TopLevelKey};
pub use invisible::{first_invisible, name_of_invisible};
pub use locations::Locations;
pub use print::print;
pub use scalar::{flag, number};
use spelling::Spellings;

/// Maximum size in bytes of a file that is written (docs/spec/api.md 8).
pub const MAX_WRITTEN_BYTES: usize = 262_144;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A config file as a raw value. It contains unknown keys too, which survive a write.
#[derive(Clone, Debug, Default)]
pub struct Document {
    value: Value,
    /// The text that the value was read from, in UTF-8; `None` once the value has been changed.
    source: Option<Bytes>,
    /// How the text spells scalars that we would write in another way.
    spellings: Spellings,
}

/// Two documents are equal if they have the same value, read from the same text.
impl PartialEq for Document {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value && self.source == other.source
    }
}

/// The document is too large to be written.
#[derive(Clone, Copy, Debug, Eq, Error, PartialEq)]
#[error("the config would have {bytes} bytes; at most 256 KB ({MAX_WRITTEN_BYTES} bytes) can be stored")]
pub struct TooLarge {
    /// Size of the text in bytes.
    pub bytes: usize,
}

impl Document {
    /// Parses a file (docs/spec/config.md 13). A byte order mark and any line endings are accepted.
    ///
    /// # Errors
    /// The text is larger than [`MAX_READ_BYTES`], is not UTF-8 (a write would destroy it), is not one YAML document,
    /// is nested too deeply, or its aliases expand to more than [`MAX_READ_BYTES`]. A document that is not a mapping is
    /// not an error here.
    pub fn parse(bytes: &[u8]) -> Result<Self, DocumentError> {
        Self::parse_shared(&Bytes::copy_from_slice(bytes))
    }

    /// Like [`Document::parse`], for bytes that the caller keeps too: the document shares them instead of copying.
    ///
    /// # Errors
    /// As for [`Document::parse`].
    pub fn parse_shared(bytes: &Bytes) -> Result<Self, DocumentError> {
        if bytes.len() > MAX_READ_BYTES {
            return Err(DocumentError {
                message: format!("the file has {} bytes; files larger than 2 MB are not read", bytes.len()),
                line: 0,
                column: 0,
                excerpt: String::new(),
            });
        }
        let source = bytes.slice(if bytes.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len().. } else { 0.. });
        let text = std::str::from_utf8(&source).map_err(|error| not_utf8(&source, error.valid_up_to()))?;
        let (value, spellings) = compose::value(text)?;
        Ok(Self { value, source: Some(source), spellings })
    }

    /// A document with a value that came from a client.
    pub fn from_json(value: Value) -> Self {
        let mut document = Self { value, source: None, spellings: Spellings::default() };
        document.drop_leftovers();
        document
    }

    /// Prints scalars as another document spells them, such as `1.10` without quotes, where it has the same text or value
    /// under the same key. For documents that are to replace the other one.
    #[must_use]
    pub fn spelled_like(mut self, other: &Self) -> Self {
        self.spellings.extend(&other.spellings);
        self
    }

    /// The value; its mappings have the order of the file.
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// The value, for a response to a client.
    pub fn to_json(&self) -> Value {
        self.value.clone()
    }

    /// The top level.
    ///
    /// # Errors
    /// [`EditError::NotAMapping`] for a file that is empty, a list or a single value.
    pub fn mapping(&self) -> Result<&Map<String, Value>, EditError> {
        self.value.as_object().ok_or(EditError::NotAMapping)
    }

    /// Whether the text has comments that a write would lose. Depends on the text as it was read; false after a change.
    pub fn has_comments(&self) -> bool {
        locations::has_comments(self.source())
    }

    /// The document as text (docs/spec/api.md 9.1).
    pub fn print(&self) -> String {
        print::print_as(&self.value, &self.spellings)
    }

    /// The document as text that may be stored.
    ///
    /// # Errors
    /// The text is larger than [`MAX_WRITTEN_BYTES`].
    pub fn print_for_storage(&self) -> Result<String, TooLarge> {
        let text = self.print();
        if text.len() > MAX_WRITTEN_BYTES { Err(TooLarge { bytes: text.len() }) } else { Ok(text) }
    }

    /// Like [`Document::print_for_storage`], and also returns the document as it would be read from that text, without
    /// parsing.
    ///
    /// # Errors
    /// The text is larger than [`MAX_WRITTEN_BYTES`].
    pub fn into_stored(self) -> Result<(Bytes, Self), TooLarge> {
        let text = Bytes::from(self.print_for_storage()?);
        let source = Some(text.clone());
        Ok((text, Self { source, ..self }))
    }

    /// Like [`Document::into_stored`], but keeps the text that the document was read from, with comments and formatting, if
    /// it has not been changed since.
    ///
    /// # Errors
    /// The text is larger than [`MAX_WRITTEN_BYTES`].
    pub fn into_stored_as_read(self) -> Result<(Bytes, Self), TooLarge> {
        match &self.source {
            None => self.into_stored(),
            Some(source) if source.len() > MAX_WRITTEN_BYTES => Err(TooLarge { bytes: source.len() }),
            Some(source) => Ok((source.clone(), self)),
        }
    }

    /// The text that the document was read from; `None` if it has been changed since.
    pub fn text_as_read(&self) -> Option<&str> {
        self.source.as_ref().map(|_| self.source())
    }

    /// Line and column, both from 1, of the value at a path such as `/sections/0/items`: the position of its key, or of
    /// the element of a list. `None` if the path does not exist, or the document has been changed since it was read.
    /// For more than one path, call [`Document::locations`] once.
    pub fn locate(&self, path: &str) -> Option<(usize, usize)> {
        self.locations().find(path)
    }

    /// The positions of all values.
    pub fn locations(&self) -> Locations {
        Locations::of(self.source())
    }

    /// The text that the value was read from; empty once the value has been changed.
    fn source(&self) -> &str {
        self.source.as_deref().and_then(|source| std::str::from_utf8(source).ok()).unwrap_or_default()
    }
}

/// The error for bytes that are not valid UTF-8 from `at` on.
fn not_utf8(source: &[u8], at: usize) -> DocumentError {
    if let [0xff, 0xfe, ..] | [0xfe, 0xff, ..] = source {
        let message = "the file is UTF-16; save it as UTF-8".to_owned();
        return DocumentError { message, line: 0, column: 0, excerpt: String::new() };
    }
    let (before, rest) = source.split_at(at);
    let line_start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
    let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
    let column = String::from_utf8_lossy(&before[line_start..]).chars().count() + 1;
    let byte = rest.first().copied().unwrap_or_default();
    let message = format!("the file is not UTF-8; save it as UTF-8: byte 0x{byte:02X}");
    let excerpt = excerpt::excerpt(&String::from_utf8_lossy(source), line, column);
    DocumentError { message, line, column, excerpt }
}
