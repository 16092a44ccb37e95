//! Saving and discarding the draft, drafts of earlier visits, and changes that others make to the file.

use app::editing::{EditorDocument, EditorSaved, RejectionKind};
use config::Document;
use leptos::{prelude::*, task::spawn_local};
use serde_json::json;
use wasm_bindgen::JsValue;
use web_sys::Event;

use super::{BarMessage, Editor, dialog::DialogAction, exists, host_call, host_stream};
use crate::{
    accounts,
    draft::{Draft, has_comments, seems_written},
    local_config, page_files, page_view,
    storage::{self, NotKept, Stored},
    texts::{fill, t, t_count},
};

impl Editor {
    /// Saves the draft. Asks first if comments would be lost, or an account might be locked out.
    pub fn save(self) {
        let warning = self.file.with_untracked(|file| {
            let before = Document::parse(file.text.as_bytes()).ok()?;
            let main = !self.is_sub_page();
            main.then(|| accounts::warning(&before, &self.document(), file.person.as_deref())).flatten()
        });
        if let Some(text) =
            warning.filter(|text| self.accounts_confirmed.with_value(|said| said.as_ref() != Some(text)))
        {
            self.accounts_confirmed.set_value(Some(text.clone()));
            self.ask_or(
                DialogAction::KeepAccounts,
                "Change who may sign in?",
                text,
                &[("Keep editing", DialogAction::KeepAccounts), ("Save", DialogAction::SaveAccounts)],
            );
            return;
        }
        let (comments, version) = self.file.with_untracked(|file| (file.has_comments, file.version.clone()));
        if !self.comments_confirmed.get_value()
            && let Some(text) = self.lost_comments(comments)
        {
            self.ask(
                "Save without comments?",
                text,
                &[("Keep editing", DialogAction::Close), ("Save", DialogAction::SaveWithoutComments)],
            );
            return;
        }
        self.write(Some(version));
    }

    /// Which comments saving loses, if any; `comments` is whether the file has some.
    fn lost_comments(self, comments: bool) -> Option<String> {
        let file = self.file.with_untracked(|file| file.text.clone());
        // A text is saved as a user wrote it.
        let (is_written, loses_typed, copies) =
            self.draft.with_untracked(|draft| (draft.is_written(), draft.loses_comments(&file), draft.copies()));
        let own = (comments && !is_written).then(|| self.file_name());
        let is_typed = loses_typed && own.is_none();
        let files = page_files::with_comments(own, &copies);
        let in_files = (!files.is_empty()).then(|| {
            let backup = self.about_backup(files.contains(',') || !files.contains(&self.file_name()));
            let lost = "There are comments in {files}. Saving writes the file anew: comments and your own formatting are lost.";
            [fill(lost, &[("files", &files)]), backup].join(" ")
        });
        let typed = is_typed.then(|| {
            t("You wrote comments as YAML, and then changed something else. Saving prints the text anew, without them. Undo brings them back.")
        });
        let sentences: Vec<String> = typed.into_iter().chain(in_files).collect();
        (!sentences.is_empty()).then(|| sentences.join(" "))
    }

    pub(super) fn write(self, version: Option<String>) {
        if self.saving.get_untracked() {
            return;
        }
        self.saving.set(true);
        let sent = self.draft.get_untracked();
        spawn_local(async move {
            let arguments = json!({ "text": sent.text(), "version": version, "copies": sent.copies() });
            let Some(answer) = self.call::<EditorSaved>("editor-save", arguments).await else { return };
            self.saving.set(false);
            match answer {
                Ok(saved) => {
                    storage::forget_local();
                    self.saved(sent, saved);
                }
                Err(rejection) if rejection.kind == RejectionKind::Changed => self.open_conflict(),
                Err(rejection) => self.refused(rejection),
            }
        });
    }

    /// Ends edit mode once `sent` is saved, unless something has changed or been opened since, or files of other pages could not
    /// be written: then the rest of the draft goes on from what is saved.
    fn saved(self, sent: Draft, saved: EditorSaved) {
        let EditorSaved { message, version, failures, left } = saved;
        let is_ahead = self.draft.with_untracked(|draft| !draft.is_at(&sent)) || exists("dialog[open], .rename");
        if !is_ahead && failures.is_empty() {
            return self.discard(&message);
        }
        let text = sent.text();
        self.file.update(|file| {
            file.has_comments = has_comments(&text);
            file.text = text;
            file.version = version;
        });
        self.draft.update(|draft| draft.continue_after(sent, left, t("Changes during saving")));
        self.comments_confirmed.set_value(false);
        self.changed();
        let failed = !failures.is_empty();
        let mut sentences = failures;
        sentences.push(message);
        if is_ahead {
            sentences.push(t("What you have changed since then is not saved yet."));
        }
        let text = sentences.join(" ");
        self.message.set(Some(BarMessage { text, failed, sign_in: false, compare: false }));
        self.check_file();
    }

    /// Ends edit mode. Asks first if changes would be lost.
    pub fn cancel(self) {
        let steps = self.draft.with_untracked(Draft::steps);
        if steps == 0 {
            self.leave("");
            return;
        }
        let text = t_count("One change is not saved.", "{count} changes are not saved.", steps, &[]);
        self.ask(
            "Discard your changes?",
            text,
            &[("Keep editing", DialogAction::Close), ("Discard", DialogAction::Discard)],
        );
    }

    /// Deletes the draft and ends edit mode.
    pub fn discard(self, message: &str) {
        storage::forget(&self.file_name());
        self.leave(message);
    }

    /// Keeps the draft in this browser as the local config, and ends edit mode.
    ///
    /// # Errors
    ///
    /// Why it cannot be kept, in a sentence.
    pub fn save_locally(self) -> Result<(), String> {
        let (version, base) = self.file.with_untracked(|file| (file.version.clone(), file.text.clone()));
        let stored = self.draft.with_untracked(|draft| Stored::now(draft, version, base));
        storage::keep_local(&stored).map_err(|reason| match reason {
            NotKept::SignedOut => t("You have signed out in another tab. Sign in there again, then save here."),
            NotKept::NoStorage => t(
                "This browser does not keep it: its storage is full, or turned off for this site. Download the draft instead.",
            ),
        })?;
        self.dialog.set(None);
        local_config::follow(self.host.with_value(JsValue::clone));
        self.discard(&t("The config is saved in this browser."));
        Ok(())
    }

    /// Ends edit mode, and removes the editor from the page. Only saving has a message.
    pub(super) fn leave(self, message: &str) {
        let (host, message) = (self.host.with_value(JsValue::clone), message.to_owned());
        if !message.is_empty() {
            self.forget_taken_colors();
        }
        // After the current event, which may be a click in the editor itself.
        spawn_local(async move {
            crate::view::end();
            host_call(&host, "ended", &[]);
            if let Some(stream) = host_stream(&host) {
                page_view::leave(stream, message).await;
            }
        });
    }

    /// Offers to continue with the draft of an earlier visit; otherwise starts with the local config, if there is one.
    pub fn offer_stored(self) {
        let file = self.file_name();
        let Some((key, stored)) = storage::newest(&file) else { return self.start_with_local() };
        self.offered.set_value(Some(key));
        let date = js_sys::Date::new(&stored.at.into());
        let when = String::from(date.to_locale_string("default", &JsValue::UNDEFINED));
        let changed = self.file.with_untracked(|file| file.version != stored.version);
        let mut text =
            fill("You have changes to `{file}` from {time} that were not saved.", &[("file", &file), ("time", &when)]);
        if changed {
            text = [text, t("The file has been changed since.")].join(" ");
        }
        // Edits that begin without an answer would lead away from the draft.
        self.ask_or(
            DialogAction::Leave,
            "Continue with your draft?",
            text,
            &[("Discard it", DialogAction::DiscardStored), ("Continue", DialogAction::ContinueStored)],
        );
    }

    pub(super) fn continue_stored(self) {
        let Some(key) = self.offered.get_value() else { return };
        let Some(stored) = storage::at(&key) else {
            return self.say(t("Another tab has saved or discarded that draft."));
        };
        if self.start_with(stored, &t("Changes of an earlier visit")) {
            // It is the draft of this tab from now on.
            storage::remove(&key);
            self.changed();
        }
    }

    /// Deletes the offered draft, and offers the next one.
    pub(super) fn discard_stored(self) {
        if let Some(key) = self.offered.get_value() {
            storage::remove(&key);
        }
        self.offer_stored();
    }

    /// Edits the local config, which the page already shows.
    pub(super) fn start_with_local(self) {
        if let Some(stored) = storage::local()
            && self.start_with(stored, &t("Your local config"))
        {
            self.changed();
        }
    }

    /// Makes a stored draft the current one. Returns whether it can be read.
    fn start_with(self, stored: Stored, label: &str) -> bool {
        let Ok(document) = Document::parse(stored.text.as_bytes()) else {
            self.say(t("The draft can no longer be read."));
            return false;
        };
        let is_written = stored.written.unwrap_or_else(|| seems_written(&stored.text, stored.base.as_deref()));
        // So that saving notices if the file has changed in the meantime.
        self.file.update(|file| {
            if file.version != stored.version {
                file.text = stored.base.unwrap_or_default();
                file.version = stored.version;
            }
        });
        self.draft.update(|draft| draft.restore(&document, label.to_owned(), is_written, stored.copies));
        true
    }

    /// Shows a message if the file has changed since the draft began. Runs when the server announces a change.
    pub fn check_file(self) {
        // It is probably this very save.
        if self.saving.get_untracked() {
            return;
        }
        spawn_local(async move {
            let Some(Ok(file)) = self.call::<EditorDocument>("editor-load", json!({})).await else { return };
            if self.file.with_untracked(|known| known.version == file.version) {
                return;
            }
            let is_busy = document().query_selector("dialog[open]").is_ok_and(|dialog| dialog.is_some());
            if self.is_changed_now() || is_busy {
                let text = fill(
                    "`{file}` has just been changed by somebody else. Your draft is kept; saving shows you both versions first.",
                    &[("file", &file.file)],
                );
                self.message.set(Some(BarMessage { text, failed: true, sign_in: false, compare: true }));
                // An open dialog covers this message, so the dialog shows one itself.
                if let Ok(event) = Event::new("portico:others") {
                    _ = document().dispatch_event(&event);
                }
            } else if let Ok(document) = Document::parse(file.text.as_bytes()) {
                let text = fill(
                    "`{file}` has just been changed by somebody else. You see the new version.",
                    &[("file", &file.file)],
                );
                self.take_file(file, document);
                self.say(text);
            }
        });
    }
}
