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
mod imported;
mod mappings;
mod report;
mod search_engines;
mod source;
mod source_file;
mod variables;
mod yaml;

use config::Document;

pub use self::glance::include::{candidates as candidates_of_inclusion, paths as included_paths};
use self::imported::{has_settings, sections};
pub use self::{
    imported::Imported,
    report::{ImportEffect, Note, Report, SourceLocation},
    source::Source,
    source_file::{ImportError, MAX_BYTES, SourceFile},
};

/// The title of a page whose config gives none.
const DEFAULT_TITLE: &str = "Dashboard";

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
