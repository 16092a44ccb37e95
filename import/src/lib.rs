//! Turns the config of another dashboard, or a browser's bookmarks, into a `conf.yml`, with a report of what was not
//! carried over (docs/import.md). No I/O: files come in as text.
//!
//! Each source has a module that reads its files into a [`draft::ConfigDraft`]. The report lists everything that a module
//! does not take out of a mapping ([`fields::Fields`]), so nothing is lost silently.

#![cfg_attr(test, allow(clippy::unwrap_used))]

mod bookmarks;
mod check;
mod dashy;
mod detect;
mod draft;
mod fields;
mod glance;
mod homepage;
mod homer;
mod icons;
mod mappings;
mod report;
mod search_engines;
mod variables;
mod yaml;

use config::Document;
use serde_json::Value;
use thiserror::Error;

pub use self::glance::include::{candidates as candidates_of_inclusion, paths as included_paths};
pub use self::report::{ImportEffect, Note, Report, SourceLocation};

/// Maximum size in bytes of all files of one import.
pub const MAX_BYTES: usize = 4 * 1024 * 1024;

/// The title of a page whose config gives none.
const DEFAULT_TITLE: &str = "Dashboard";

/// Where a config comes from.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Source {
    /// Dashy: `conf.yml`, which Portico reads as it is.
    Dashy,
    /// Homepage (gethomepage): `services.yaml`, `bookmarks.yaml`, `widgets.yaml` and `settings.yaml`.
    Homepage,
    /// Homer: `config.yml`, and its other pages.
    Homer,
    /// Glance: `glance.yml`, and the files that it includes.
    Glance,
    /// Bookmarks that a browser has exported as HTML.
    Bookmarks,
}

/// A file to import.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct SourceFile {
    /// Its name, such as `services.yaml`; of a file that another one includes, its path below the folder of that one. May
    /// be empty for text that was pasted.
    pub name: String,
    /// Its content.
    pub text: String,
}

/// A converted config.
#[derive(Clone, Debug)]
pub struct Imported {
    /// The text of a `conf.yml`.
    pub yaml: String,
    /// Its sections, as in the text.
    pub sections: Vec<Value>,
    /// Whether the text also has `pageInfo` or `appConfig`.
    pub has_settings: bool,
    /// What was carried over, and what was not.
    pub report: Report,
}

/// Why files could not be imported.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
pub enum ImportError {
    /// There is no text.
    #[error("there is nothing to import: {0}")]
    Empty(String),
    /// The files are too large.
    #[error("the files have {bytes} bytes; at most 4 MB ({MAX_BYTES} bytes) can be imported")]
    TooLarge {
        /// Their size in bytes.
        bytes: usize,
    },
    /// A file cannot be parsed.
    #[error("{file} cannot be read: {reason}")]
    Unreadable {
        /// Its name in backquotes, or another description.
        file: String,
        /// The reason, with the position.
        reason: String,
    },
    /// The files do not have the form of this source.
    #[error("{0}")]
    WrongKind(String),
    /// It is not clear what kind of files these are.
    #[error(
        "this does not look like a config of Dashy, Homepage, Homer or Glance, or like exported bookmarks; say which of \
         them it is"
    )]
    UnknownKind,
}

impl Source {
    /// All sources.
    pub const ALL: [Self; 5] = [Self::Dashy, Self::Homepage, Self::Homer, Self::Glance, Self::Bookmarks];

    /// The name on the command line, such as `homepage`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Dashy => "dashy",
            Self::Homepage => "homepage",
            Self::Homer => "homer",
            Self::Glance => "glance",
            Self::Bookmarks => "bookmarks",
        }
    }

    /// The display name, such as `Homepage`.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Dashy => "Dashy",
            Self::Homepage => "Homepage",
            Self::Homer => "Homer",
            Self::Glance => "Glance",
            Self::Bookmarks => "browser bookmarks",
        }
    }

    /// The source with this [`Source::name`].
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|source| source.name() == name)
    }

    /// The source that these files look like.
    #[must_use]
    pub fn detect(files: &[SourceFile]) -> Option<Self> {
        detect::detect(files)
    }
}

/// Our name for an icon of Homepage or Glance; of other sources, the name as it is. `None` if it names nothing.
#[must_use]
pub fn icon_name(source: Source, written: &str) -> Option<String> {
    let (place, mut report) = (SourceLocation::default(), Report::new(source));
    match source {
        Source::Homepage => icons::of_homepage(written, &place, &mut report),
        Source::Glance => icons::of_glance(written, &place, &mut report),
        _ => Some(written.to_owned()),
    }
}

/// Converts files; without a source, it is detected.
///
/// # Errors
///
/// The files are empty, too large or cannot be parsed, are not what the source needs, or contain nothing that can be
/// shown.
pub fn import(source: Option<Source>, files: &[SourceFile]) -> Result<Imported, ImportError> {
    let bytes = files.iter().map(|file| file.text.len()).sum();
    if bytes > MAX_BYTES {
        return Err(ImportError::TooLarge { bytes });
    }
    if files.iter().all(|file| file.text.trim().is_empty()) {
        return Err(ImportError::Empty("the files are empty".to_owned()));
    }
    let source = match source.or_else(|| detect::detect(files)) {
        Some(source) => source,
        None => return Err(detect::why_unknown(files)),
    };
    let mut report = Report::new(source);
    let mut draft = match source {
        Source::Dashy => return dashy::import(files, report),
        Source::Homepage => homepage::import(files, &mut report)?,
        Source::Homer => homer::import(files, &mut report)?,
        Source::Glance => glance::import(files, &mut report)?,
        Source::Bookmarks => bookmarks::import(files, &mut report)?,
    };
    check::refuse_addresses(&mut draft, &mut report);
    // Elsewhere the title has a default; a config with the rest of `pageInfo` cannot be saved without it.
    if !draft.page_info.is_empty() && !draft.page_info.contains_key("title") {
        draft.page_info.shift_insert(0, "title".to_owned(), DEFAULT_TITLE.into());
        report.changed_everywhere(format!("the page has no title; it is called `{DEFAULT_TITLE}` now"));
    }
    let document = Document::from_json(draft.into_value());
    let sections = sections(&document);
    if sections.is_empty() {
        let title = source.title();
        return Err(ImportError::Empty(format!("no links, services or widgets of {title} were found in the files")));
    }
    report.count(&sections);
    check::check(&document, &sections, &mut report);
    let yaml = document.print();
    report.keep_variables_of(&yaml);
    if yaml.len() > config::MAX_WRITTEN_BYTES {
        report.changed_everywhere(format!(
            "the config has {} KB; a config above 256 KB works as a file, but cannot be saved on the page",
            yaml.len() / 1024
        ));
    }
    Ok(Imported { yaml, sections, has_settings: has_settings(&document), report })
}

fn has_settings(document: &Document) -> bool {
    ["pageInfo", "appConfig"].iter().any(|key| document.value().get(key).is_some())
}

fn sections(document: &Document) -> Vec<Value> {
    document.value().get("sections").and_then(Value::as_array).cloned().unwrap_or_default()
}
