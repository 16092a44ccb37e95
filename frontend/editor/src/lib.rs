//! The editor of the config in the page (docs/editing.md). A bundle of its own, which `frontend/edit.js` loads
//! when an admin begins to edit.
//!
//! The draft is a [`config::Document`] here in the browser, with a history of changes. How a page looks with it is drawn by
//! the server, with the components that draw every page, and brought into the open page by `frontend/stream.js`: there is one
//! implementation of what a config looks like.

#![cfg_attr(test, allow(clippy::unwrap_used))]
#![recursion_limit = "256"]

pub mod difference;
pub mod draft;
pub mod edits;
pub mod gestures;
pub mod groups;
pub mod imports;
pub mod merge;
pub mod page_files;
pub mod parts;
pub mod schema;

#[cfg(target_arch = "wasm32")]
mod calls;
#[cfg(target_arch = "wasm32")]
mod editor;
#[cfg(target_arch = "wasm32")]
mod form;
#[cfg(target_arch = "wasm32")]
mod page;
#[cfg(target_arch = "wasm32")]
mod storage;
#[cfg(target_arch = "wasm32")]
mod view;

#[cfg(target_arch = "wasm32")]
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

/// Begins to edit the open page. `host` is the object that `frontend/edit.js` describes as `Host`.
#[cfg(target_arch = "wasm32")]
#[wasm_bindgen]
pub async fn start(host: JsValue) -> String {
    view::start(host).await
}

/// What to edit as text, as JSON: the object that `frontend/edit/raw.js` describes as `Draft`; `null` outside edit mode.
#[cfg(target_arch = "wasm32")]
#[wasm_bindgen]
pub fn draft_text() -> String {
    view::running().map_or_else(|| "null".to_owned(), editor::Editor::draft_text)
}

/// Makes a text the draft, as one step with these words. Gives the reason if it cannot be, else nothing.
#[cfg(target_arch = "wasm32")]
#[wasm_bindgen]
pub fn take_text(text: &str, words: String) -> String {
    view::running().map_or_else(|| "Edit mode has ended.".to_owned(), |editor| editor.take_text(text, words))
}

/// Puts the sections of a config on the page, as one step with these words; in place of those that are there if `replaces`.
#[cfg(target_arch = "wasm32")]
#[wasm_bindgen]
pub fn take_template(text: &str, words: String, replaces: bool) {
    if let Some(editor) = view::running() {
        editor.take_template(text, words, replaces);
    }
}

/// Opens the dialog that imports from other dashboards.
#[cfg(target_arch = "wasm32")]
#[wasm_bindgen]
pub fn open_import() {
    if let Some(editor) = view::running() {
        leptos::prelude::Set::set(&editor.dialog, Some(editor::Dialog::Import));
    }
}

/// Saves the draft, as the button in the save bar does.
#[cfg(target_arch = "wasm32")]
#[wasm_bindgen]
pub fn save_draft() {
    if let Some(editor) = view::running() {
        editor.save();
    }
}

/// Ends edit mode, and forgets the draft: it is kept elsewhere now.
#[cfg(target_arch = "wasm32")]
#[wasm_bindgen]
pub fn end_editing(message: &str) {
    if let Some(editor) = view::running() {
        editor.discard(message);
    }
}

/// Opens a dialog of edit mode by its name, as `frontend/edit.js` describes it as `Dialog`.
#[cfg(target_arch = "wasm32")]
#[wasm_bindgen]
pub fn open_dialog(name: &str) {
    if let Some(editor) = view::running() {
        editor.open_by_name(name);
    }
}

/// A setting of the draft (`appConfig`) as JSON; `null` if it is not there.
#[cfg(target_arch = "wasm32")]
#[wasm_bindgen]
pub fn setting(key: &str) -> String {
    view::running().map_or_else(|| "null".to_owned(), |editor| editor.setting(key))
}

/// Gives a setting of the draft a value as JSON; `null` removes it. Without words it is only shown, until something else
/// is.
#[cfg(target_arch = "wasm32")]
#[wasm_bindgen]
pub fn change_setting(key: &str, value: &str, words: Option<String>) {
    if let Some(editor) = view::running() {
        editor.change_setting(key, value, words);
    }
}
