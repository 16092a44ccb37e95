//! What the scripts in `frontend/edit` do with the draft: edit it as YAML, and restore it from a file.

use config::Document;
use leptos::prelude::*;
use serde_json::json;
use wasm_bindgen::JsValue;

use super::{Editor, host_call};
use crate::texts::fill;

impl Editor {
    /// Opens a dialog that is a script of its own, a `Dialog` of `frontend/edit.js`.
    pub fn open_script(self, name: &str) {
        self.dialog.set(None);
        let arguments = [JsValue::from_str(name)];
        self.host.with_value(|host| host_call(host, "open", &arguments));
    }

    /// The draft as JSON, as `frontend/edit/raw.js` describes it.
    pub fn draft_text(self) -> String {
        let (text, is_written, copies) =
            self.draft.with_untracked(|draft| (draft.text(), draft.is_written(), draft.copies()));
        let draft = self.file.with_untracked(|file| {
            json!({
                "file": file.file,
                "text": text,
                "saved": file.text,
                "version": file.version,
                "changed": self.is_changed_now(),
                "written": is_written,
                "copies": copies,
                "readOnly": file.read_only,
                "noLocal": file.no_local,
                "backupEndpoint": file.backup_endpoint,
            })
        });
        draft.to_string()
    }

    /// Replaces the draft with a text, as one step of the history. Returns why that is not possible; empty if it is.
    pub fn take_text(self, text: &str, label: String) -> String {
        let document = match Document::parse(text.as_bytes()) {
            Ok(document) => document,
            Err(error) => return error.to_string(),
        };
        if let Err(error) = document.mapping() {
            return error.to_string();
        }
        // New comments are asked about again.
        self.comments_confirmed.set_value(false);
        self.spoken.set(fill("{step}.", &[("step", &label)]));
        self.draft.update(|draft| draft.replace_with(&document, label));
        self.changed();
        String::new()
    }
}
