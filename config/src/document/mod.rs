//! The file as a raw value: parse, print, size caps, and where in the text each part stands.
//!
//! The value is what JSON can hold: mapping keys that are not text become text, `.inf` and `.nan` become null, dates
//! stay text (docs/spec/config.md 13, docs/spec/api.md 6). Changing it is in `edit.rs` for the API, and
//! in `change.rs` for the editor, which can take changes back; what it means is in
//! [`crate::model`].

mod change;
mod compose;
mod edit;
mod locations;
mod print;
mod relaxed;
mod scalar;

use bytes::Bytes;
use serde_json::{Map, Value};
use thiserror::Error;

#[cfg(test)]
pub(crate) use self::relaxed::relaxed_text;
pub use change::{Change, Place};
pub use edit::{EditError, TopLevelKey};
pub use locations::Locations;
pub use print::print;

/// Size in bytes above which a file is not read (docs/spec/config.md 13); aliases may expand to as much again.
pub const MAX_READ_BYTES: usize = 2 * 1024 * 1024;

/// Largest size in bytes of a file that is written (docs/spec/api.md 8).
pub const MAX_WRITTEN_BYTES: usize = 262_144;

/// Deepest nesting of lists and mappings that is read.
pub const MAX_DEPTH: usize = 128;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A config file as a raw value. Keys that nobody knows are in it and survive a write.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Document {
    value: Value,
    /// The text that the value was read from, in UTF-8; none once the value was changed.
    source: Option<Bytes>,
}

/// Why a text is not a document.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[error("{message}{}", if *.line == 0 { String::new() } else { format!(" at line {}, column {}", .line, .column) })]
pub struct DocumentError {
    /// The reason in words.
    pub message: String,
    /// One-based line; 0 when the error has no place.
    pub line: usize,
    /// One-based column in characters; 0 when the error has no place.
    pub column: usize,
    /// The lines around the place with a mark below it; empty when the error has no place.
    pub excerpt: String,
}

/// A document that is too large to be written.
#[derive(Clone, Copy, Debug, Eq, Error, PartialEq)]
#[error("the config would have {bytes} bytes; at most 256 KB ({MAX_WRITTEN_BYTES} bytes) can be stored")]
pub struct TooLarge {
    /// Size of the text in bytes.
    pub bytes: usize,
}

impl Document {
    /// Reads a file (docs/spec/config.md 13). A byte order mark and any line ends are fine.
    ///
    /// # Errors
    /// The text is larger than [`MAX_READ_BYTES`], is not UTF-8 (a write would destroy it), is not one YAML document, is nested too deeply, or its aliases
    /// expand to more than [`MAX_READ_BYTES`]. A document that is not a mapping is not an error here.
    pub fn parse(bytes: &[u8]) -> Result<Self, DocumentError> {
        Self::parse_shared(&Bytes::copy_from_slice(bytes))
    }

    /// As [`Document::parse`], for bytes that the caller keeps too: the document has no copy of them.
    ///
    /// # Errors
    /// As for [`Document::parse`].
    pub fn parse_shared(bytes: &Bytes) -> Result<Self, DocumentError> {
        if bytes.len() > MAX_READ_BYTES {
            return Err(DocumentError {
                message: format!("the file has {} bytes; files above 2 MB are not read", bytes.len()),
                line: 0,
                column: 0,
                excerpt: String::new(),
            });
        }
        let source = bytes.slice(if bytes.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len().. } else { 0.. });
        let text = std::str::from_utf8(&source).map_err(|error| not_utf8(&source, error.valid_up_to()))?;
        Ok(Self { value: compose::value(text)?, source: Some(source) })
    }

    /// A document that holds a value as it comes from a client.
    pub fn from_json(value: Value) -> Self {
        let mut document = Self { value, source: None };
        document.drop_leftovers();
        document
    }

    /// The value; its mappings are in the order of the file.
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// The value, for an answer to a client.
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

    /// Whether the text has comments that a write would lose. Decided on the text as read; false after a change.
    pub fn has_comments(&self) -> bool {
        locations::has_comments(self.source())
    }

    /// The document as text (docs/spec/api.md 9.1).
    pub fn print(&self) -> String {
        print(&self.value)
    }

    /// The document as text that may be stored.
    ///
    /// # Errors
    /// The text is larger than [`MAX_WRITTEN_BYTES`].
    pub fn print_for_storage(&self) -> Result<String, TooLarge> {
        let text = self.print();
        if text.len() > MAX_WRITTEN_BYTES { Err(TooLarge { bytes: text.len() }) } else { Ok(text) }
    }

    /// As [`Document::print_for_storage`], and the document as it would be read from that text, without reading it.
    ///
    /// # Errors
    /// The text is larger than [`MAX_WRITTEN_BYTES`].
    pub fn into_stored(self) -> Result<(Bytes, Self), TooLarge> {
        let text = Bytes::from(self.print_for_storage()?);
        let source = Some(text.clone());
        Ok((text, Self { source, ..self }))
    }

    /// Line and column, both from 1, of the value at a path such as `/sections/0/items`: the place of its key, or of
    /// the element of a list. None if the path does not exist or the document was changed after reading.
    /// For more than one path, ask [`Document::locations`] once.
    pub fn locate(&self, path: &str) -> Option<(usize, usize)> {
        self.locations().find(path)
    }

    /// The places of all values.
    pub fn locations(&self) -> Locations {
        Locations::of(self.source())
    }

    /// The text that the value was read from; empty once the value was changed.
    fn source(&self) -> &str {
        self.source.as_deref().and_then(|source| std::str::from_utf8(source).ok()).unwrap_or_default()
    }
}

/// The error for bytes that are not UTF-8 from `at` on.
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
    let excerpt = locations::excerpt(&String::from_utf8_lossy(source), line, column);
    DocumentError { message, line, column, excerpt }
}
