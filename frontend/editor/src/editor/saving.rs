//! From the draft to the file, and how edit mode ends; drafts of earlier visits; changes that others make to the file.

use app::editing::{EditorDocument, EditorSaved, RefusalKind};
use config::Document;
use leptos::{prelude::*, task::spawn_local};
use serde_json::json;
use wasm_bindgen::JsValue;
use web_sys::Event;

use super::{Editor, Note, dialog::Way, host_call};
use crate::{draft::Draft, storage};

impl Editor {
    /// Saves the draft, after the questions that have to be asked.
    pub fn save(self) {
        let (comments, version) = self.file.with_untracked(|file| (file.has_comments, file.version.clone()));
        // A text that somebody wrote is saved as it is.
        let is_printed = self.draft.with_untracked(|draft| !draft.is_written());
        if comments && is_printed && !self.told_of_comments.get_value() {
            let text = format!(
                "`{}` has comments. Saving writes it anew, and they go. The file as it is now stays among the backups.",
                self.file_name()
            );
            self.ask(
                "Save without comments?",
                text,
                &[("Keep editing", Way::Stay), ("Save", Way::SaveWithoutComments)],
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
        let text = self.draft.with_untracked(Draft::text);
        spawn_local(async move {
            let arguments = json!({ "text": text, "version": version });
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

    /// Ends edit mode, if nothing is lost by it or the person says so.
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
        self.ask("Discard your changes?", text, &[("Discard", Way::Leave), ("Keep editing", Way::Stay)]);
    }

    /// Forgets the draft, and ends edit mode.
    pub fn discard(self, message: &str) {
        storage::forget(&self.file_name());
        self.leave(message);
    }

    /// Ends edit mode. Nothing of the editor is left after it.
    pub(super) fn leave(self, message: &str) {
        let (host, message) = (self.host.with_value(JsValue::clone), JsValue::from_str(message));
        // Not in the middle of a click on something of the editor.
        spawn_local(async move {
            crate::view::end();
            host_call(&host, "leave", &[message]);
        });
    }

    /// Offers the draft of an earlier visit, or begins with the local config.
    pub fn offer_stored(self) {
        let file = self.file_name();
        let Some(stored) = storage::kept(&file) else { return self.take_local() };
        let date = js_sys::Date::new(&stored.at.into());
        let when = String::from(date.to_locale_string("default", &JsValue::UNDEFINED));
        let changed = self.file.with_untracked(|file| file.version != stored.version);
        let more = if changed { " The file has been changed since." } else { "" };
        let text = format!("You have changes to `{file}` from {when} that were not saved.{more}");
        self.ask("Go on with your draft?", text, &[("Discard it", Way::ForgetStored), ("Go on", Way::TakeUp)]);
    }

    pub(super) fn take_up(self) {
        if let Some(stored) = storage::kept(&self.file_name()) {
            self.take_stored(stored, "Changes of an earlier visit");
        }
    }

    /// What the page shows is what is edited.
    pub(super) fn take_local(self) {
        if let Some(stored) = storage::local() {
            self.take_stored(stored, "Your local config");
        }
    }

    fn take_stored(self, stored: storage::Stored, words: &str) {
        let Ok(document) = Document::parse(stored.text.as_bytes()) else {
            self.say("The draft cannot be read any more.");
            return;
        };
        // Saving it has to notice what happened to the file meanwhile.
        self.file.update(|file| {
            if file.version != stored.version {
                file.text = stored.base.unwrap_or_default();
                file.version = stored.version;
            }
        });
        self.draft.update(|draft| draft.become_document(&document, words.to_owned()));
        self.changed();
    }

    /// Says so if the file is another one than the draft began with. Called when the server announces a change.
    pub fn look_at_file(self) {
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
                self.note.set(Some(Note { text, failed: true, sign_in: false, compare: true }));
                // Dialogs cover the note.
                if let Ok(event) = Event::new("portico:others") {
                    _ = document().dispatch_event(&event);
                }
            } else if let Ok(document) = Document::parse(file.text.as_bytes()) {
                let text =
                    format!("`{}` has just been changed by somebody else. This is the file as it is now.", file.file);
                self.take_file(file, document);
                self.say(text);
            }
        });
    }
}
