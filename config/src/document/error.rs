//! Why a document cannot be read or changed, and its limits.

use thiserror::Error;

use crate::selector::Selector;

/// Maximum size in bytes of a file that is read (docs/spec/config.md 13); aliases may expand to as much again.
pub const MAX_READ_BYTES: usize = 2 * 1024 * 1024;

/// Maximum nesting of lists and mappings that is read.
pub const MAX_DEPTH: usize = 128;

/// Why a text is not a document.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[error("{message}{}", if *.line == 0 { String::new() } else { format!(" at line {}, column {}", .line, .column) })]
pub struct DocumentError {
    /// The reason, as a sentence.
    pub message: String,
    /// One-based line; 0 if the error has no position.
    pub line: usize,
    /// One-based column in characters; 0 if the error has no position.
    pub column: usize,
    /// The lines around the position with a mark below it; empty if the error has no position.
    pub excerpt: String,
}

/// A top-level key (docs/spec/api.md 5.2).
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum TopLevelKey {
    /// `pageInfo`.
    PageInfo,
    /// `appConfig`.
    AppConfig,
    /// `sections`.
    Sections,
    /// `pages`.
    Pages,
}

impl TopLevelKey {
    /// All of them, in their usual order.
    pub const ALL: [Self; 4] = [Self::PageInfo, Self::AppConfig, Self::Sections, Self::Pages];

    /// The key that a path segment names; upper and lower case matter.
    pub fn parse(segment: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|key| key.word() == segment)
    }

    /// The word in the file.
    pub fn word(self) -> &'static str {
        match self {
            Self::PageInfo => "pageInfo",
            Self::AppConfig => "appConfig",
            Self::Sections => "sections",
            Self::Pages => "pages",
        }
    }
}

/// Why a part of a document cannot be read or changed.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
pub enum EditError {
    /// The file is empty, a list or a single value.
    #[error("the top level of the config is not a mapping")]
    NotAMapping,
    /// A valid key that the file does not have.
    #[error("the config has no `{}`", .0.word())]
    KeyNotFound(TopLevelKey),
    /// `sections`, or the `items` of a section, is not a list.
    #[error("{what} is not a list")]
    NotAList {
        /// `sections`, or which section's items.
        what: String,
    },
    /// No section has this index or name.
    #[error("section `{address}` not found")]
    SectionNotFound {
        /// The requested address.
        address: Selector,
    },
    /// No item of the section has this index or title.
    #[error("item `{address}` not found in section `{section}`")]
    ItemNotFound {
        /// The requested section.
        section: Selector,
        /// The requested item.
        address: Selector,
    },
    /// The addressed element of the list is not a mapping, so it has no fields to change.
    #[error("{what} is not a mapping")]
    BrokenElement {
        /// Which element.
        what: String,
    },
    /// A change names a place that the document does not have.
    #[error("there is nothing at `{place}`")]
    NothingThere {
        /// The place as a JSON pointer.
        place: String,
    },
    /// A section must have a non-empty text as its `name`.
    #[error("a section needs a `name` that is text and not empty")]
    NameMissing,
    /// An item must have a non-empty text as its `title`.
    #[error("an item needs a `title` that is text and not empty")]
    TitleMissing,
}
