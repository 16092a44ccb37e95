//! Converts configs of other dashboards for the editor (docs/import.md).

use app::importing::{ImportedFile, ImportedSections};
use import::{ImportEffect, Imported, Note, Report, Source, SourceFile, SourceLocation};
use languages::{fill_message, message, t_count};
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

/// A note in the language in which this thread draws now.
fn line(note: &Note) -> String {
    // A text that was pasted has no name of its own.
    let file = message(&note.place.file).into_owned();
    let place = SourceLocation { file, path: note.place.path.clone() }.to_string();
    let text = message(&note.text);
    if place.is_empty() { text.into_owned() } else { format!("{place}: {text}") }
}

fn imported_sections(imported: Imported) -> ImportedSections {
    let notes = |effect| {
        let notes = imported.report.notes.iter().filter(move |note| note.effect == effect);
        notes.map(line).collect::<Vec<_>>()
    };
    let mut changed = notes(ImportEffect::Changed);
    if imported.has_settings {
        let text = "title, search engine and other settings of the page stay as they are here; `portico import` converts \
                    them too";
        changed.push(message(text).into_owned());
    }
    let lost = notes(ImportEffect::Lost);
    let Report { source, sections, items, widgets, .. } = &imported.report;
    let summary = fill_message(
        "Imported from {source}: {sections}, {items}, {widgets}.",
        &[
            ("source", source.title()),
            ("sections", &t_count("1 section", "{count} sections", *sections as u64, &[])),
            ("items", &t_count("1 item", "{count} items", *items as u64, &[])),
            ("widgets", &t_count("1 widget", "{count} widgets", *widgets as u64, &[])),
        ],
    );
    let sections = without_containers(imported.sections, imported.report.source);
    ImportedSections { sections: Value::Array(sections).to_string(), summary, lost, changed }
}

/// Sections from Homepage without the containers of their items, whose servers are in the settings that are not imported here.
fn without_containers(mut sections: Vec<Value>, source: Source) -> Vec<Value> {
    if source == Source::Homepage {
        let items = sections.iter_mut().filter_map(|section| section.get_mut("items")?.as_array_mut()).flatten();
        for item in items.filter_map(Value::as_object_mut) {
            item.remove("container");
        }
    }
    sections
}
