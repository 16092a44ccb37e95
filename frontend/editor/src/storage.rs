//! The browser's storage: the draft, which so survives a closed tab and an ended session, and the local config, which
//! `frontend/edit/local.js` stores and shows instead of the file.
//!
//! Both contain a whole config file, secrets included, and so belong to one person. The page says who (`data-drafts`), and
//! deletes what belongs to anybody else, and everything at a sign-out (`app/src/document/inline/theme.js`).

use app::JsJson;
use config::{
    PageCopy,
    json::{Json as _, member},
};
use leptos::prelude::{document, window};
use serde_json::json;
use web_sys::Storage;

/// An unsaved draft.
#[derive(Clone, Debug, PartialEq)]
pub struct Stored {
    /// The text of the draft.
    pub text: String,
    /// The version of the file that the draft began with.
    pub version: String,
    /// The text of that version; missing in drafts of older programs.
    pub base: Option<String>,
    /// When the draft last changed, in milliseconds since 1970.
    pub at: f64,
    /// What saving it also writes to files of other pages.
    pub copies: Vec<PageCopy>,
}

impl Stored {
    /// As it is kept; `None` for anything else.
    fn parse(text: &str) -> Option<Self> {
        let json = JsJson::parse(text)?;
        Some(Self {
            text: json.member("text")?.text()?,
            version: member(&json, "version"),
            base: member(&json, "base"),
            at: json.member("at").and_then(|at| at.number()).unwrap_or_default(),
            copies: member(&json, "copies"),
        })
    }

    fn print(&self) -> String {
        let Self { text, version, base, at, copies } = self;
        json!({ "text": text, "version": version, "base": base, "at": at, "copies": copies }).to_string()
    }
}

fn storage() -> Option<Storage> {
    window().local_storage().ok().flatten()
}

/// An attribute of the root element.
fn root(attribute: &str) -> Option<String> {
    document().document_element()?.get_attribute(attribute).filter(|value| !value.is_empty())
}

/// The key of a file's draft; `None` if drafts may not be kept.
pub fn key(file: &str) -> Option<String> {
    root("data-drafts").map(|owner| format!("porticoDraft-{owner}-{file}"))
}

/// The key of the page's local config, as in `frontend/edit/local.js`. It is no draft's, since no file name begins with a slash.
fn local_key() -> Option<String> {
    key(&format!("/{}", root("data-page").unwrap_or_default()))
}

/// The page's local config.
pub fn local() -> Option<Stored> {
    Stored::parse(&storage()?.get_item(&local_key()?).ok()??)
}

/// Deletes the page's local config.
pub fn forget_local() {
    if let (Some(storage), Some(key)) = (storage(), local_key()) {
        _ = storage.remove_item(&key);
    }
}

/// Keeps a draft. Without storage, it is lost with the tab.
pub fn keep(file: &str, stored: &Stored) {
    if let (Some(storage), Some(key)) = (storage(), key(file)) {
        _ = storage.set_item(&key, &stored.print());
    }
}

/// The kept draft.
pub fn kept(file: &str) -> Option<Stored> {
    Stored::parse(&storage()?.get_item(&key(file)?).ok()??)
}

/// Deletes the draft.
pub fn forget(file: &str) {
    if let (Some(storage), Some(key)) = (storage(), key(file)) {
        _ = storage.remove_item(&key);
    }
}
