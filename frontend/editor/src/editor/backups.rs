//! The backups of the file: listing, comparing, downloading and restoring them.

use app::editing::FileBackup;
use config::Document;
use leptos::{prelude::*, task::spawn_local};
use serde_json::json;

use super::{Editor, dialog::Dialog};
use crate::{line_diff::line_diff, view::download_text};

impl Editor {
    /// Opens the list of backups.
    pub fn open_backups(self) {
        spawn_local(async move {
            let Some(answer) = self.call::<Vec<FileBackup>>("editor-backups", json!({})).await else { return };
            match answer {
                Ok(backups) => self.dialog.set(Some(Dialog::Backups(backups))),
                Err(refusal) => self.refused(refusal),
            }
        });
    }

    /// Shows what restoring a backup would change in the draft.
    pub fn compare(self, name: String) {
        spawn_local(async move {
            let Some(answer) = self.call::<String>("editor-backup", json!({ "name": name })).await else { return };
            match answer {
                Ok(text) => {
                    // Both as they would be saved: comments and formatting do not count.
                    let text = Document::parse(text.as_bytes()).map_or(text, |document| document.print());
                    let lines = line_diff(&self.document().print(), &text);
                    self.dialog.set(Some(Dialog::BackupDiff(name, lines)));
                }
                Err(refusal) => {
                    self.dialog.set(None);
                    self.refused(refusal);
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
                Err(refusal) => {
                    self.dialog.set(None);
                    self.refused(refusal);
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
                        self.draft.update(|draft| draft.replace_with(&document, format!("Restore {name}")));
                        self.changed();
                        self.say(format!("This is `{name}`. Save to make it the config, or undo."));
                    }
                    _ => self.say(format!("`{name}` cannot be read as a config. Choose another backup.")),
                },
                Err(refusal) => self.refused(refusal),
            }
        });
    }
}
