//! The draft in the browser's storage, so that it survives a closed tab and an ended session; and the local config, which
//! `frontend/edit/local.js` puts there and shows in place of the file.
//!
//! Each is the text of a config file with whatever keys are in it, and so belongs to one person. The page says to whom
//! (`data-drafts`), and deletes what belongs to anybody else, and everything at a sign-out
//! (`app/src/document/inline/theme.js`).

use leptos::prelude::{document, window};
use serde::{Deserialize, Serialize};
use web_sys::Storage;

/// A draft that was not saved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stored {
    /// The text of the draft.
    pub text: String,
    /// The state of the file that it began with.
    pub version: String,
    /// The text of the file in that state; none in drafts of older versions.
    pub base: Option<String>,
    /// When it was changed last, in milliseconds since 1970.
    pub at: f64,
}

fn storage() -> Option<Storage> {
    window().local_storage().ok().flatten()
}

/// What an attribute of the root says.
fn root(attribute: &str) -> Option<String> {
    document().document_element()?.get_attribute(attribute).filter(|value| !value.is_empty())
}

/// The key of a file's draft; none if nobody may keep one.
pub fn key(file: &str) -> Option<String> {
    root("data-drafts").map(|owner| format!("porticoDraft-{owner}-{file}"))
}

/// The key of the page's local config, as in `frontend/edit/local.js`. No name of a file begins with a slash.
fn local_key() -> Option<String> {
    key(&format!("/{}", root("data-page").unwrap_or_default()))
}

/// The page's local config.
pub fn local() -> Option<Stored> {
    serde_json::from_str(&storage()?.get_item(&local_key()?).ok()??).ok()
}

/// Forgets the page's local config.
pub fn forget_local() {
    if let (Some(storage), Some(key)) = (storage(), local_key()) {
        _ = storage.remove_item(&key);
    }
}

/// Keeps a draft. A browser that keeps nothing loses it with the tab.
pub fn keep(file: &str, stored: &Stored) {
    if let (Some(storage), Some(key), Ok(text)) = (storage(), key(file), serde_json::to_string(stored)) {
        _ = storage.set_item(&key, &text);
    }
}

/// The draft that was kept.
pub fn kept(file: &str) -> Option<Stored> {
    serde_json::from_str(&storage()?.get_item(&key(file)?).ok()??).ok()
}

/// Forgets the draft.
pub fn forget(file: &str) {
    if let (Some(storage), Some(key)) = (storage(), key(file)) {
        _ = storage.remove_item(&key);
    }
}
