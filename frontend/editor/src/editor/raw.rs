//! What the scripts of the editor's other dialogs do with the draft: the editor for YAML, and restoring from a file
//! (`frontend/edit`).

use config::Document;
use leptos::prelude::*;
use serde_json::json;
use wasm_bindgen::JsValue;

use super::{Editor, host_call};

impl Editor {
    /// Opens a dialog that has a script of its own, as `frontend/edit.js` lists them in `Dialog`.
    pub fn open_script(self, what: &str) {
        self.dialog.set(None);
        let arguments = [JsValue::from_str(what)];
        self.host.with_value(|host| host_call(host, "open", &arguments));
    }

    /// The draft as JSON, as `frontend/edit/raw.js` describes it.
    pub fn draft_text(self) -> String {
        let (text, steps) = self.draft.with_untracked(|draft| (draft.text(), draft.steps()));
        let draft = self.file.with_untracked(|file| {
            json!({
                "file": file.file,
                "text": text,
                "saved": file.text,
                "version": file.version,
                "changed": steps > 0,
                "readOnly": file.read_only,
                "backupEndpoint": file.backup_endpoint,
            })
        });
        draft.to_string()
    }

    /// Makes a text the draft, as one step. Gives the reason if it cannot be.
    pub fn take_text(self, text: &str, words: String) -> String {
        let document = match Document::parse(text.as_bytes()) {
            Ok(document) => document,
            Err(error) => return error.to_string(),
        };
        if let Err(error) = document.mapping() {
            return error.to_string();
        }
        self.spoken.set(format!("{words}."));
        self.draft.update(|draft| draft.become_document(&document, words));
        self.changed();
        String::new()
    }
}
