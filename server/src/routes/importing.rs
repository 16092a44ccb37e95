//! Converts configs of other dashboards for the editor (docs/import.md).

use app::importing::{ImportedFile, ImportedSections};
use import::{ImportEffect, Imported, Source, SourceFile};
use serde_json::Value;

use crate::{platform::blocking_pool, routes::error::ApiError};

/// The sections of files, with what was not carried over.
///
/// # Errors
///
/// The files cannot be converted; the message says why.
pub async fn convert(source: Option<String>, files: Vec<ImportedFile>) -> Result<ImportedSections, ApiError> {
    let named = |name: String| {
        Source::named(&name).ok_or_else(|| ApiError::bad_request(format!("`{name}` is not a kind of dashboard.")))
    };
    let source = source.map(named).transpose()?;
    let files: Vec<SourceFile> =
        files.into_iter().map(|file| SourceFile { name: file.name, text: file.text }).collect();
    let imported = blocking_pool::compute(move || import::import(source, &files)).await;
    let imported = imported.map_err(|error| ApiError::internal(&error))?;
    Ok(imported_sections(imported.map_err(|error| ApiError::bad_request(error.to_string()))?))
}

fn imported_sections(imported: Imported) -> ImportedSections {
    let notes = |effect| {
        let notes = imported.report.notes.iter().filter(move |note| note.effect == effect);
        notes.map(ToString::to_string).collect::<Vec<_>>()
    };
    let mut changed = notes(ImportEffect::Changed);
    if imported.has_settings {
        let text = "title, search engine and other settings of the page stay as they are here; `portico import` converts \
                    them too";
        changed.push(text.to_owned());
    }
    let lost = notes(ImportEffect::Lost);
    let summary = imported.report.summary();
    ImportedSections { sections: Value::Array(imported.sections).to_string(), summary, lost, changed }
}
