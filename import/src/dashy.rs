//! Dashy: Portico reads the file as it is. The report says what it reads differently.

use config::{Document, Severity, check};
use serde_json::Value;

use crate::{
    ImportError, Imported, SourceFile,
    check::{check_widgets, place_of, take_refused},
    has_settings,
    report::{Report, SourceLocation},
    sections,
    yaml::quoted,
};

/// Whether the top of a file looks like Dashy's.
pub fn is_ours(value: &Value) -> bool {
    ["sections", "pageInfo", "appConfig"].iter().any(|key| value.get(key).is_some())
}

/// Reads the main file.
///
/// # Errors
///
/// The file cannot be parsed, or is not Dashy's.
pub fn import(files: &[SourceFile], mut report: Report) -> Result<Imported, ImportError> {
    let is_main = |file: &&SourceFile| matches!(file.name.as_str(), "conf.yml" | "conf.yaml" | "");
    let filled = || files.iter().filter(|file| !file.text.trim().is_empty());
    let Some(main) = filled().find(is_main).or_else(|| filled().next()) else {
        return Err(ImportError::Empty("the files are empty".to_owned()));
    };
    let place = SourceLocation::file(&main.name);
    let document = Document::parse(main.text.as_bytes())
        .map_err(|error| ImportError::Unreadable { file: quoted(&main.name), reason: error.to_string() })?;
    if !is_ours(document.value()) {
        let message = format!("{place} is not a config of Dashy: it has no `sections`, `pageInfo` or `appConfig`");
        return Err(ImportError::WrongKind(message));
    }
    for file in filled().filter(|file| *file != main) {
        report.changed(&SourceLocation::file(&file.name), "copy it beside `conf.yml` to use it as a separate page");
    }
    let sections = sections(&document);
    report.count(&sections);
    for problem in check(&document) {
        let at = place_of(&problem.path, document.value(), &place);
        let text = format!("{} (`{}`)", problem.sentence(), problem.path);
        // An unknown key is kept in the file, but nothing reads it.
        match problem.severity {
            Severity::Error => report.lost(&at, text),
            Severity::Warning | Severity::Note => report.changed(&at, text),
        }
    }
    // The check of a file does not look into these. The file stays as it is, so copies are looked through.
    let inside = |value: &Value, key: &str| value.get(key).and_then(Value::as_array).cloned().unwrap_or_default();
    for link in inside(&document.value()["pageInfo"], "navLinks") {
        note_refused(link, "title", &place, &mut report);
    }
    for section in &sections {
        let place = place.child(section["name"].as_str().unwrap_or_default());
        check_widgets(section, &place, &mut report);
        for widget in inside(section, "widgets") {
            note_refused(widget, "type", &place, &mut report);
        }
    }
    let yaml = main.text.trim_start_matches('\u{feff}').to_owned();
    Ok(Imported { yaml, sections, has_settings: has_settings(&document), report })
}

/// Notes addresses that run code in something; `name` is the key of what it is called.
fn note_refused(thing: Value, name: &str, place: &SourceLocation, report: &mut Report) {
    let Value::Object(mut fields) = thing else { return };
    let label = fields.get("label").or_else(|| fields.get(name)).and_then(Value::as_str).unwrap_or_default();
    let place = place.child(label);
    take_refused(&mut fields, &place, report);
}
