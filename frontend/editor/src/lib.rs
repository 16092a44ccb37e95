//! The editor of the config in the page (docs/editing.md). A bundle of its own, which `frontend/edit.js` loads when an
//! admin starts edit mode.
//!
//! The draft is a [`config::Document`] in the browser, with a history. The server renders how the page looks with it, with the
//! components of every page, and `frontend/stream.js` patches the open page to match. So there is one implementation of what
//! a config looks like.

#![cfg_attr(test, allow(clippy::unwrap_used))]
#![recursion_limit = "256"]

pub mod accounts;
pub mod css_check;
pub mod draft;
pub mod edits;
pub mod encrypted_file;
pub mod gestures;
pub mod groups;
pub mod imports;
pub mod item_view;
pub mod line_diff;
pub mod mappings;
pub mod merge;
pub mod messages;
pub mod page_files;
pub mod remote_copy;
pub mod schema;
pub mod spot;
pub mod sub_items;
pub mod texts;
pub mod usual_address;
pub mod widget_types;

#[cfg(target_arch = "wasm32")]
mod appearance;
#[cfg(target_arch = "wasm32")]
mod calls;
#[cfg(target_arch = "wasm32")]
mod dom;
#[cfg(target_arch = "wasm32")]
mod editor;
#[cfg(target_arch = "wasm32")]
mod focus;
#[cfg(target_arch = "wasm32")]
mod form;
#[cfg(target_arch = "wasm32")]
mod local_config;
#[cfg(target_arch = "wasm32")]
mod local_file;
#[cfg(target_arch = "wasm32")]
mod page;
#[cfg(target_arch = "wasm32")]
mod page_view;
#[cfg(target_arch = "wasm32")]
mod storage;
#[cfg(target_arch = "wasm32")]
mod view;
#[cfg(target_arch = "wasm32")]
mod widget_preview;

#[cfg(target_arch = "wasm32")]
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

/// Starts edit mode on the open page. `host` is the object that `frontend/edit.js` describes as `Host`. Returns why it cannot
/// start; empty if it has.
#[cfg(target_arch = "wasm32")]
#[wasm_bindgen]
pub async fn start(host: JsValue) -> String {
    view::start(host).await
}

/// Shows the page's local config instead of the file, if there is one, from now on. `host` is the object that
/// `frontend/edit.js` describes as `LocalHost`.
#[cfg(target_arch = "wasm32")]
#[wasm_bindgen]
pub async fn show_local(host: JsValue) {
    local_config::show(host).await;
}

/// Opens the dialog that protects the dashboard with its first account. `base` is the path prefix of the product.
#[cfg(target_arch = "wasm32")]
#[wasm_bindgen]
pub async fn protect(base: String) {
    view::protect::open_alone(base).await;
}

/// Starts a new dashboard, with what a button of the empty page or of the example says.
#[cfg(target_arch = "wasm32")]
#[wasm_bindgen]
pub fn begin(start: &str, is_example: bool) {
    if let Some(editor) = view::running() {
        editor.begin(start, is_example);
    }
}

/// Adds a widget of a type that was chosen in the gallery.
#[cfg(target_arch = "wasm32")]
#[wasm_bindgen]
pub fn add_widget(kind: String) {
    if let Some(editor) = view::running() {
        editor.add_widget(kind);
    }
}

/// Opens a dialog of edit mode by its name, a `Dialog` of `frontend/edit.js`.
#[cfg(target_arch = "wasm32")]
#[wasm_bindgen]
pub fn open_dialog(name: &str) {
    if let Some(editor) = view::running() {
        editor.open_by_name(name);
    }
}

/// A setting of the draft (`appConfig`) as JSON; `null` if it is missing, or edit mode is off.
#[cfg(target_arch = "wasm32")]
#[wasm_bindgen]
pub fn setting(key: &str) -> String {
    view::running().map_or_else(|| "null".to_owned(), |editor| editor.setting_value(key).to_string())
}

/// Sets a setting of the draft to a value in JSON; `null` removes it. Without a label it is no step of the history, and only
/// previewed until the next preview.
#[cfg(target_arch = "wasm32")]
#[wasm_bindgen]
pub fn change_setting(key: &str, value: &str, label: Option<String>) {
    if let (Some(editor), Ok(value)) = (view::running(), serde_json::from_str(value)) {
        editor.change_setting(key, value, label);
    }
}

/// Adds colors that this browser has chosen for a theme, a mapping in JSON, to the draft.
#[cfg(target_arch = "wasm32")]
#[wasm_bindgen]
pub fn take_colors(theme: String, colors: &str) {
    if let (Some(editor), Ok(colors)) = (view::running(), serde_json::from_str(colors)) {
        editor.take_colors(theme, colors);
    }
}
