//! What scripts do with the settings of the draft, and the dialogs that they open.

use leptos::prelude::*;
use serde_json::{Value, json};

use super::{Dialog, Editor};
use crate::{
    edits::{self, ConfigBlock},
    texts::t,
};

impl Editor {
    /// Opens a dialog by its name: one of the bundle, or one that is a script of its own.
    pub fn open_by_name(self, name: &str) {
        match name {
            "page-info" => self.open_block(ConfigBlock::PageInfo),
            "settings" => self.open_block(ConfigBlock::AppConfig),
            "pages" if self.is_sub_page() => self.say(t("Pages are listed in the main config. Edit the main page.")),
            "pages" => self.dialog.set(Some(Dialog::Pages)),
            "styles" => self.dialog.set(Some(Dialog::Styles)),
            "import" => self.dialog.set(Some(Dialog::Import)),
            "backups" => self.open_backups(),
            "yaml" => self.open_raw(),
            "local" => self.dialog.set(Some(Dialog::SaveLocally)),
            "encrypt" => self.dialog.set(Some(Dialog::EncryptedCopy)),
            "restore" => self.dialog.set(Some(Dialog::RestoreFile)),
            script => self.open_script(script),
        }
    }

    /// The value of a setting; null if it is not set.
    pub fn setting_value(self, key: &str) -> Value {
        self.document().value()[ConfigBlock::AppConfig.key()][key].clone()
    }

    /// Sets a setting to a value; null removes it. Without a label it is no step of the history, and only previewed.
    pub fn change_setting(self, key: &str, value: Value, label: Option<String>) {
        let document = self.document();
        let mut settings = document.value()[ConfigBlock::AppConfig.key()].clone();
        if !settings.is_object() {
            settings = json!({});
        }
        if let Some(settings) = settings.as_object_mut() {
            match value {
                Value::Null => _ = settings.shift_remove(key),
                value => _ = settings.insert(key.to_owned(), value),
            }
        }
        let edit = edits::replace_block(&document, ConfigBlock::AppConfig, settings);
        match (edit, label) {
            (Some(edit), Some(label)) => self.apply(Some(edits::Edit { label, ..edit })),
            (Some(edit), None) => {
                if let Ok(document) = self.draft.with_untracked(|draft| draft.with(edit.changes)) {
                    self.show(document);
                }
            }
            (None, _) => self.show(document),
        }
    }
}
