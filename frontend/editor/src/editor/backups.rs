//! The backups of the file: listing, comparing, downloading and restoring them.

use app::{
    browser::download_text,
    editing::{BACKUP_TIME, FileBackup},
};
use config::Document;
use leptos::{prelude::*, task::spawn_local};
use serde_json::json;
use wasm_bindgen::JsValue;

use super::{Editor, dialog::Dialog};
use crate::texts::{fill, t};
use crate::{draft::Draft, line_diff::line_diff};

/// Why a server keeps no backups.
pub const NO_BACKUP: &str = "No backup is kept, because `DISABLE_CONFIG_BACKUPS` is set.";

impl Editor {
    /// Whether saving backs up the file as it was.
    pub fn keeps_backups(self) -> bool {
        self.file.with_untracked(|file| file.next_backup.is_some())
    }

    /// Where saving leaves files as they are now, in a sentence: the file of this page, or also others.
    pub(super) fn about_backup(self, others: bool) -> String {
        self.file.with_untracked(|file| {
            let Some(backup) = &file.next_backup else {
                return t(NO_BACKUP);
            };
            let now = js_sys::Date::now();
            let today = js_sys::Date::new(&now.into()).to_locale_date_string("default", &JsValue::UNDEFINED);
            let today = String::from(today);
            // More digits of the milliseconds will differ by the time of saving.
            let digits = format!("{}", (now / 1e8) as u32);
            let backup = backup.replace(BACKUP_TIME, &format!("{digits}…"));
            let text = match others {
                true => "What is there now is kept in backups such as `{backup}`, named after each file (the number is the time in milliseconds, today, {date}).",
                false => "What is there now is kept in the backup `{backup}` (the number is the time in milliseconds, today, {date}).",
            };
            fill(text, &[("backup", &backup), ("date", &today)])
        })
    }

    /// Opens the list of backups.
    pub fn open_backups(self) {
        spawn_local(async move {
            let Some(answer) = self.call::<Vec<FileBackup>>("editor-backups", json!({})).await else { return };
            match answer {
                Ok(backups) => self.dialog.set(Some(Dialog::Backups(backups))),
                Err(rejection) => self.refused(rejection),
            }
        });
    }

    /// Shows what restoring a backup would change in the draft.
    pub fn compare(self, name: String) {
        spawn_local(async move {
            let Some(answer) = self.call::<String>("editor-backup", json!({ "name": name })).await else { return };
            match answer {
                Ok(text) => {
                    // Both as they would be saved, with their comments.
                    let lines = line_diff(&self.draft.with_untracked(Draft::text), &text);
                    self.dialog.set(Some(Dialog::BackupDiff(name, lines)));
                }
                Err(rejection) => {
                    self.dialog.set(None);
                    self.refused(rejection);
                }
            }
        });
    }

    /// Downloads a backup.
    pub fn download_backup(self, name: String) {
        spawn_local(async move {
            let Some(answer) = self.call::<String>("editor-backup", json!({ "name": name })).await else { return };
            match answer {
                Ok(text) => download_text(&name, &text),
                Err(rejection) => {
                    self.dialog.set(None);
                    self.refused(rejection);
                }
            }
        });
    }

    /// Replaces the draft with a backup. Nothing is written until the draft is saved.
    pub fn restore(self, name: String) {
        self.dialog.set(None);
        spawn_local(async move {
            let Some(answer) = self.call::<String>("editor-backup", json!({ "name": name })).await else { return };
            match answer {
                Ok(text) => match Document::parse(text.as_bytes()) {
                    Ok(document) if document.mapping().is_ok() => {
                        self.draft
                            .update(|draft| draft.replace_with(&document, fill("Restore {name}", &[("name", &name)])));
                        self.changed();
                        self.say(fill("This is `{name}`. Save to make it the config, or undo.", &[("name", &name)]));
                    }
                    _ => self
                        .say(fill("`{name}` cannot be read as a config. Choose another backup.", &[("name", &name)])),
                },
                Err(rejection) => self.refused(rejection),
            }
        });
    }
}
