//! The backups of the file: the list, what one would change, and taking it as the draft.

use app::editing::FileBackup;
use config::Document;
use leptos::{prelude::*, task::spawn_local};
use serde_json::json;

use super::{Editor, dialog::Dialog};
use crate::{difference::difference, view::hand_out};

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

    /// Shows what would change in the draft if a backup was restored.
    pub fn compare(self, name: String) {
        spawn_local(async move {
            let Some(answer) = self.call::<String>("editor-backup", json!({ "name": name })).await else { return };
            match answer {
                Ok(text) => {
                    // As the draft would be saved: comments and formatting are no difference.
                    let text = Document::parse(text.as_bytes()).map_or(text, |document| document.print());
                    let lines = difference(&self.document().print(), &text);
                    self.dialog.set(Some(Dialog::Difference(name, lines)));
                }
                Err(refusal) => {
                    self.dialog.set(None);
                    self.refused(refusal);
                }
            }
        });
    }

    /// Hands a backup out as a file.
    pub fn download_backup(self, name: String) {
        spawn_local(async move {
            let Some(answer) = self.call::<String>("editor-backup", json!({ "name": name })).await else { return };
            match answer {
                Ok(text) => hand_out(&name, &text),
                Err(refusal) => {
                    self.dialog.set(None);
                    self.refused(refusal);
                }
            }
        });
    }

    /// Takes a backup for the draft. Nothing is written before it is saved.
    pub fn restore(self, name: String) {
        self.dialog.set(None);
        spawn_local(async move {
            let Some(answer) = self.call::<String>("editor-backup", json!({ "name": name })).await else { return };
            match answer {
                Ok(text) => match Document::parse(text.as_bytes()) {
                    Ok(document) if document.mapping().is_ok() => {
                        self.draft.update(|draft| draft.become_document(&document, format!("Restore {name}")));
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
