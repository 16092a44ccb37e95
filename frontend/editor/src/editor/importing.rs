//! Importing: the server converts the files of another dashboard, which become sections of the draft.

use app::importing::{ImportedFile, ImportedSections, MAX_IMPORT_BYTES};
use config::Document;
use leptos::prelude::Set;
use serde_json::{Value, json};

use super::Editor;
use crate::{
    imports::{append, put, without_pictures},
    texts::t,
};

impl Editor {
    /// Converts files on the server. `source` names the dashboard, and is empty to detect it. `None` if edit mode has ended in
    /// the meantime.
    ///
    /// # Errors
    ///
    /// Why they cannot be converted.
    pub async fn convert(self, source: String, files: Vec<ImportedFile>) -> Option<Result<ImportedSections, String>> {
        let files: Vec<Value> =
            files.iter().map(|file| json!({ "name": file.name, "text": without_pictures(&file.text) })).collect();
        let source = (!source.is_empty()).then_some(source);
        let arguments = json!({ "source": source, "files": files });
        // More than everything else in the body takes.
        const REST: usize = 1024;
        if arguments.to_string().len() + REST > MAX_IMPORT_BYTES {
            return Some(Err(t(
                "The files are larger than the 2 MB that can be imported here. On the server, `portico import` takes up to 4 MB.",
            )));
        }
        let answer = self.call::<ImportedSections>("editor-import", arguments).await?;
        Some(answer.map_err(|rejection| rejection.message))
    }

    /// Adds the sections of a config to the page, or replaces those of the page if `replaces`, as one step of the history.
    pub fn take_template(self, text: &str, label: String, replaces: bool) {
        let template = Document::parse(text.as_bytes()).unwrap_or_default().to_json();
        let sections = template["sections"].as_array().cloned().unwrap_or_default();
        self.apply(Some(put(&self.document(), sections, label, replaces)));
    }

    /// Adds converted sections at the end of the page.
    pub fn add_imported(self, imported: &ImportedSections) {
        self.dialog.set(None);
        if let Ok(Value::Array(sections)) = serde_json::from_str(&imported.sections) {
            self.apply(append(&self.document(), sections));
        }
        self.say([imported.summary.clone(), t("Save to keep it, or undo.")].join(" "));
    }
}
