//! Detects which dashboard files come from, by their content.

use serde_json::Value;

use crate::{
    ImportError, Source, SourceFile, bookmarks, dashy, glance, homepage, homer,
    report::{Report, SourceLocation},
    variables, yaml,
};

/// The source of the first file with a recognizable form. Files that Glance includes may look like those of others.
pub fn detect(files: &[SourceFile]) -> Option<Source> {
    let found: Vec<_> = files.iter().filter(|file| !file.text.trim().is_empty()).filter_map(of_file).collect();
    found.iter().find(|source| **source == Source::Glance).or(found.first()).copied()
}

/// Why [`detect`] finds nothing: a file cannot be parsed, or none has a known form.
pub fn why_unknown(files: &[SourceFile]) -> ImportError {
    files.iter().find_map(|file| parsed(file).err()).unwrap_or(ImportError::UnknownKind)
}

fn of_file(file: &SourceFile) -> Option<Source> {
    if bookmarks::is_ours(&file.text) {
        return Some(Source::Bookmarks);
    }
    if glance::includes_pages(&file.text) {
        return Some(Source::Glance);
    }
    of_value(&parsed(file).ok()?)
}

/// The value of a file of any dashboard. Unquoted variable names would not parse, and only the form matters here, so
/// they are replaced.
fn parsed(file: &SourceFile) -> Result<Value, ImportError> {
    let unnoted = &mut Report::new(Source::Homepage);
    let text = variables::of_homepage(&file.text, &SourceLocation::default(), unnoted);
    yaml::parse(&file.name, &text)
}

fn of_value(value: &Value) -> Option<Source> {
    if glance::is_ours(value) {
        return Some(Source::Glance);
    }
    if dashy::is_ours(value) {
        return Some(Source::Dashy);
    }
    if homer::is_ours(value) {
        return Some(Source::Homer);
    }
    homepage::role_by_shape(value).map(|_| Source::Homepage)
}

impl Source {
    /// The source that these files look like.
    #[must_use]
    pub fn detect(files: &[SourceFile]) -> Option<Self> {
        detect(files)
    }
}
