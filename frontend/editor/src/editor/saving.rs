//! Saving and discarding the draft, drafts of earlier visits, and changes that others make to the file.

use app::editing::{EditorDocument, EditorSaved, RefusalKind};
use config::Document;
use leptos::{prelude::*, task::spawn_local};
use serde_json::json;
use wasm_bindgen::JsValue;
use web_sys::Event;

use super::{BarMessage, Editor, dialog::Action, host_call};
use crate::{draft::Draft, page_files, storage};

impl Editor {
    /// Saves the draft. Asks first if comments would be lost.
    pub fn save(self) {
        let (comments, version) = self.file.with_untracked(|file| (file.has_comments, file.version.clone()));
        // A text is saved as a person wrote it.
        let is_printed = self.draft.with_untracked(|draft| !draft.is_written());
        let copies = self.draft.with_untracked(Draft::copies);
        let own = (comments && is_printed).then(|| self.file_name());
        let files = page_files::with_comments(own, &copies);
        if !files.is_empty() && !self.comments_confirmed.get_value() {
            let text = format!(
                "There are comments in {files}. Saving writes the file anew, without them. The file as it is now stays \
                 among the backups."
            );
            self.ask(
                "Save without comments?",
                text,
                &[("Keep editing", Action::Close), ("Save", Action::SaveWithoutComments)],
            );
            return;
        }
        self.write(Some(version));
    }

    pub(super) fn write(self, version: Option<String>) {
        if self.saving.get_untracked() {
            return;
        }
        self.saving.set(true);
        let (text, copies) = self.draft.with_untracked(|draft| (draft.text(), draft.copies()));
        spawn_local(async move {
            let arguments = json!({ "text": text, "version": version, "copies": copies });
            let Some(answer) = self.call::<EditorSaved>("editor-save", arguments).await else { return };
            self.saving.set(false);
            match answer {
                Ok(saved) => {
                    storage::forget_local();
                    self.discard(&saved.message);
                }
                Err(refusal) if refusal.kind == RefusalKind::Changed => self.open_conflict(),
                Err(refusal) => self.refused(refusal),
            }
        });
    }

    /// Ends edit mode. Asks first if changes would be lost.
    pub fn cancel(self) {
        let steps = self.draft.with_untracked(Draft::steps);
        if steps == 0 {
            self.leave("");
            return;
        }
        let text = format!(
            "{} not saved.",
            if steps == 1 { "One change is".to_owned() } else { format!("{steps} changes are") }
        );
        self.ask("Discard your changes?", text, &[("Discard", Action::Discard), ("Keep editing", Action::Close)]);
    }

    /// Deletes the draft and ends edit mode.
    pub fn discard(self, message: &str) {
        storage::forget(&self.file_name());
        self.leave(message);
    }

    /// Ends edit mode, and removes the editor from the page.
    pub(super) fn leave(self, message: &str) {
        let (host, message) = (self.host.with_value(JsValue::clone), JsValue::from_str(message));
        // After the current event, which may be a click in the editor itself.
        spawn_local(async move {
            crate::view::end();
            host_call(&host, "leave", &[message]);
        });
    }

    /// Offers to continue with the draft of an earlier visit; otherwise starts with the local config, if there is one.
    pub fn offer_stored(self) {
        let file = self.file_name();
        let Some(stored) = storage::kept(&file) else { return self.start_with_local() };
        let date = js_sys::Date::new(&stored.at.into());
        let when = String::from(date.to_locale_string("default", &JsValue::UNDEFINED));
        let changed = self.file.with_untracked(|file| file.version != stored.version);
        let more = if changed { " The file has been changed since." } else { "" };
        let text = format!("You have changes to `{file}` from {when} that were not saved.{more}");
        self.ask(
            "Continue with your draft?",
            text,
            &[("Discard it", Action::DiscardStored), ("Continue", Action::ContinueStored)],
        );
    }

    pub(super) fn continue_stored(self) {
        if let Some(stored) = storage::kept(&self.file_name()) {
            self.start_with(stored, "Changes of an earlier visit");
        }
    }

    /// Edits the local config, which the page already shows.
    pub(super) fn start_with_local(self) {
        if let Some(stored) = storage::local() {
            self.start_with(stored, "Your local config");
        }
    }

    fn start_with(self, stored: storage::Stored, label: &str) {
        let Ok(document) = Document::parse(stored.text.as_bytes()) else {
            self.say("The draft can no longer be read.");
            return;
        };
        // So that saving notices if the file has changed in the meantime.
        self.file.update(|file| {
            if file.version != stored.version {
                file.text = stored.base.unwrap_or_default();
                file.version = stored.version;
            }
        });
        self.draft.update(|draft| draft.restore(&document, label.to_owned(), stored.copies));
        self.changed();
    }

    /// Shows a message if the file has changed since the draft began. Runs when the server announces a change.
    pub fn check_file(self) {
        spawn_local(async move {
            let Some(Ok(file)) = self.call::<EditorDocument>("editor-load", json!({})).await else { return };
            if self.file.with_untracked(|known| known.version == file.version) {
                return;
            }
            let is_busy = document().query_selector("dialog[open]").is_ok_and(|dialog| dialog.is_some());
            if self.is_changed_now() || is_busy {
                let text = format!(
                    "`{}` has just been changed by somebody else. Your draft is kept; saving shows you both versions first.",
                    file.file
                );
                self.message.set(Some(BarMessage { text, failed: true, sign_in: false, compare: true }));
                // An open dialog covers this message, so the dialog shows one itself.
                if let Ok(event) = Event::new("portico:others") {
                    _ = document().dispatch_event(&event);
                }
            } else if let Ok(document) = Document::parse(file.text.as_bytes()) {
                let text = format!("`{}` has just been changed by somebody else. You see the new version.", file.file);
                self.take_file(file, document);
                self.say(text);
            }
        });
    }
}
