//! Replacing the whole draft: with YAML that was typed, or with a file.

use app::editing::{EditorRejection, TextProblem};
use config::Document;
use leptos::{prelude::*, task::spawn_local};
use send_wrapper::SendWrapper;
use serde_json::json;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;

use super::{Dialog, Editor, host::host_promise, host_call};
use crate::{
    draft::Draft,
    texts::{fill, t},
    view::CodeModule,
};

/// The draft, for the editor of its text.
#[derive(Clone, Debug)]
pub struct RawDraft {
    /// Name of the file.
    pub file: String,
    /// The draft.
    pub text: String,
    /// The file as it was loaded.
    pub saved: String,
    /// Whether the draft differs from the file.
    pub is_changed: bool,
    /// Why it cannot be saved to disk.
    pub read_only: Option<String>,
    /// Why it cannot be saved locally.
    pub no_local: Option<String>,
}

impl Editor {
    /// Opens the editor of the draft's text, once CodeMirror is loaded.
    pub fn open_raw(self) {
        let Some(module) = self.host.with_value(|host| host_promise(host, "code")) else { return };
        spawn_local(async move {
            let module = JsFuture::from(module).await;
            if self.host.try_with_value(|_| ()).is_none() {
                return;
            }
            match module {
                Ok(module) => self.dialog.set(Some(Dialog::Raw(SendWrapper::new(CodeModule::of(module))))),
                Err(_) => self.say(t(
                    "This part of the editor cannot be loaded. See that the server can be reached, and try again.",
                )),
            }
        });
    }

    /// The draft for the editor of its text.
    pub fn raw_draft(self) -> RawDraft {
        let text = self.draft.with_untracked(Draft::text);
        self.file.with_untracked(|file| RawDraft {
            file: file.file.clone(),
            text,
            saved: file.text.clone(),
            is_changed: self.is_changed_now(),
            read_only: file.read_only.clone(),
            no_local: file.no_local.clone(),
        })
    }

    /// The problems that the server finds in a text. `None` if edit mode has ended in the meantime.
    pub async fn problems_in(self, text: &str) -> Option<Result<Vec<TextProblem>, EditorRejection>> {
        self.call("editor-check", json!({ "text": text })).await
    }

    /// Opens a dialog that is a script of its own, a `Dialog` of `frontend/edit.js`.
    pub fn open_script(self, name: &str) {
        self.dialog.set(None);
        let arguments = [JsValue::from_str(name)];
        self.host.with_value(|host| host_call(host, "open", &arguments));
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
