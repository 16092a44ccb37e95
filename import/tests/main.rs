//! Tests of whole imports: what arrives, what is reported, and what is refused.

#![allow(clippy::unwrap_used)]

mod bookmarks;
mod dashy;
mod everything;
mod glance;
mod homepage;
mod homer;
mod refused;
mod templates;

use std::{collections::BTreeMap, fs, path::Path};

use config::{Document, Severity, check};
use import::{Imported, Report, Source, SourceFile, import};
use serde_json::Value;

/// The example files of a source, as a folder is read: by name.
fn example(source: Source) -> Vec<SourceFile> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/examples").join(source.name());
    let files: BTreeMap<String, String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| {
            let entry = entry.unwrap();
            (entry.file_name().into_string().unwrap(), fs::read_to_string(entry.path()).unwrap())
        })
        .collect();
    files.into_iter().map(|(name, text)| SourceFile { name, text }).collect()
}

fn file(name: &str, text: &str) -> SourceFile {
    SourceFile { name: name.to_owned(), text: text.to_owned() }
}

/// An import that succeeds, with a config that could be saved.
fn imported(source: Source, files: &[SourceFile]) -> Imported {
    let imported = import(Some(source), files).unwrap_or_else(|error| panic!("{error}"));
    let document = Document::parse(imported.yaml.as_bytes()).unwrap();
    let errors: Vec<_> = check(&document).into_iter().filter(|problem| problem.severity == Severity::Error).collect();
    assert!(source == Source::Dashy || errors.is_empty(), "{errors:#?}\n{}", imported.yaml);
    let independent: Value = serde_yaml::from_str(&imported.yaml).unwrap();
    assert_eq!(independent["sections"], Value::from(imported.sections.clone()));
    imported
}

/// The section with this name.
fn section<'a>(imported: &'a Imported, name: &str) -> &'a Value {
    let found = imported.sections.iter().find(|section| section["name"] == name);
    found.unwrap_or_else(|| panic!("no section {name}\n{}", imported.yaml))
}

/// The item with this title.
fn item<'a>(imported: &'a Imported, section: &str, title: &str) -> &'a Value {
    let items = self::section(imported, section)["items"].as_array();
    let found = items.and_then(|items| items.iter().find(|item| item["title"] == title));
    found.unwrap_or_else(|| panic!("no item {title} in {section}\n{}", imported.yaml))
}

/// All widgets of a type.
fn widgets<'a>(imported: &'a Imported, kind: &str) -> Vec<&'a Value> {
    let all = imported.sections.iter().filter_map(|section| section["widgets"].as_array()).flatten();
    all.filter(|widget| widget["type"] == kind).collect()
}

/// The names of all sections, in order.
fn names(imported: &Imported) -> Vec<&str> {
    imported.sections.iter().filter_map(|section| section["name"].as_str()).collect()
}

/// Asserts that a line of the report begins and ends like this.
fn assert_noted(report: &Report, place: &str, text: &str) {
    let found = report.notes.iter().any(|note| note.place.to_string() == place && note.text.contains(text));
    assert!(found, "no note `{place}: {text}` in\n{report}");
}
