//! Creates the files of pages that are added in the editor.

use leptos::{prelude::*, task::spawn_local};
use serde_json::json;

use super::Editor;
use crate::edits::{List, Spot};

impl Editor {
    /// Asks the server to create the file of the last page in the list, unless that page is a web address.
    pub fn create_file_of_last_page(self) {
        let document = self.document();
        let Some(index) = List::Pages.len(&document).checked_sub(1) else { return };
        let page = document.at(&Spot { list: List::Pages, index }.path()).cloned().unwrap_or_default();
        let is_elsewhere = page["path"].as_str().is_none_or(|path| path.contains("://"));
        if is_elsewhere || self.file.with_untracked(|file| file.read_only.is_some()) {
            return;
        }
        spawn_local(async move {
            let arguments = json!({ "title": page["name"], "path": page["path"] });
            match self.call::<String>("editor-new-page", arguments).await {
                Some(Ok(message)) => self.say(message),
                Some(Err(refusal)) => self.refused(refusal),
                None => {}
            }
        });
    }
}
