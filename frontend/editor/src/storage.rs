//! The draft in the browser's storage, so that it survives a closed tab and an ended session.

use leptos::prelude::window;
use serde::{Deserialize, Serialize};
use web_sys::Storage;

/// A draft that was not saved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stored {
    /// The text of the draft.
    pub text: String,
    /// The state of the file that it began with.
    pub version: String,
    /// When it was changed last, in milliseconds since 1970.
    pub at: f64,
}

fn storage() -> Option<Storage> {
    window().local_storage().ok().flatten()
}

fn key(file: &str) -> String {
    format!("porticoDraft-{file}")
}

/// Keeps a draft. A browser that keeps nothing loses it with the tab.
pub fn keep(file: &str, stored: &Stored) {
    if let (Some(storage), Ok(text)) = (storage(), serde_json::to_string(stored)) {
        _ = storage.set_item(&key(file), &text);
    }
}

/// The draft that was kept.
pub fn kept(file: &str) -> Option<Stored> {
    serde_json::from_str(&storage()?.get_item(&key(file)).ok()??).ok()
}

/// Forgets the draft.
pub fn forget(file: &str) {
    if let Some(storage) = storage() {
        _ = storage.remove_item(&key(file));
    }
}
