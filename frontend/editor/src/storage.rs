//! The browser's storage: the draft, which so survives a closed tab and an ended session, and the local config, which the page
//! shows instead of the file.
//!
//! Both contain a whole config file, secrets included, and so belong to one user. The page says who (`data-drafts`), and
//! deletes what belongs to anybody else, and everything at a sign-out (`app/src/document/inline/theme.js`). Pages also note the
//! owner in the storage, so that a tab that is still open after that stores nothing.
//!
//! Several tabs may edit the same file. Each stores its draft under a key of its own.

use app::{JsJson, editing::EditorSaved};
use config::{
    PageCopy,
    json::{Json as _, member},
};
use leptos::prelude::{document, window};
use serde_json::json;
use web_sys::Storage;

use crate::draft::Draft;

/// The most drafts of a file that are kept. A further one replaces the oldest.
const MAX_DRAFTS: usize = 8;

/// The key under which pages note whose drafts this browser may keep.
const OWNER_KEY: &str = "porticoOwner";

/// The key of the id of the last remote copy, the same as Dashy's (docs/spec/behavior.md 16).
const BACKUP_ID: &str = "backupId";

thread_local! {
    /// Tells this tab from others.
    static TAB: String = js_sys::Math::random().to_string();
}

/// The key under which a browser keeps how many hints about a file were closed.
fn hints_key(file: &str) -> String {
    format!("porticoHints-{file}")
}

/// Notes that this many hints about a file were closed.
pub fn close_hints(file: &str, count: usize) {
    if let Some(storage) = storage() {
        _ = storage.set_item(&hints_key(file), &count.to_string());
    }
}

/// Whether the hints about a file were closed, and there are no more of them now.
pub fn are_hints_closed(file: &str, count: usize) -> bool {
    let closed = storage().and_then(|storage| storage.get_item(&hints_key(file)).ok().flatten());
    closed.and_then(|closed| closed.parse::<usize>().ok()).is_some_and(|closed| count <= closed)
}

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
    /// Whether the text is as a user wrote it; missing in drafts of older programs.
    pub written: Option<bool>,
    /// The tab that stored it.
    tab: String,
}

impl Stored {
    /// The draft of this tab as it is now.
    pub fn now(draft: &Draft, version: String, base: String) -> Self {
        Self {
            text: draft.text(),
            version,
            base: Some(base),
            at: js_sys::Date::now(),
            copies: draft.copies(),
            written: Some(draft.is_written()),
            tab: TAB.with(Clone::clone),
        }
    }

    /// What is left once the rest of it was saved to disk.
    #[must_use]
    pub fn after(self, saved: EditorSaved) -> Self {
        Self { version: saved.version, base: Some(self.text.clone()), copies: saved.left, ..self }
    }

    fn is_own(&self) -> bool {
        TAB.with(|tab| *tab == self.tab)
    }

    /// As it is kept; `None` for anything else.
    fn parse(text: &str) -> Option<Self> {
        let json = JsJson::parse(text)?;
        Some(Self {
            text: json.member("text")?.text()?,
            version: member(&json, "version"),
            base: member(&json, "base"),
            at: json.member("at").and_then(|at| at.number()).unwrap_or_default(),
            copies: member(&json, "copies"),
            written: member(&json, "written"),
            tab: member(&json, "tab"),
        })
    }

    fn print(&self) -> String {
        let Self { text, version, base, at, copies, written, tab } = self;
        json!({ "text": text, "version": version, "base": base, "at": at, "copies": copies, "written": written, "tab": tab })
            .to_string()
    }
}

/// The id of the last remote copy; empty if there is none.
pub fn backup_id() -> String {
    storage().and_then(|storage| storage.get_item(BACKUP_ID).ok()?).unwrap_or_default()
}

/// Keeps the id of a remote copy; an empty one forgets it. Without storage, only the dialog shows it.
pub fn keep_backup_id(id: &str) {
    let Some(storage) = storage() else { return };
    _ = if id.is_empty() { storage.remove_item(BACKUP_ID) } else { storage.set_item(BACKUP_ID, id) };
}

fn storage() -> Option<Storage> {
    window().local_storage().ok().flatten()
}

/// An attribute of the root element.
fn root(attribute: &str) -> Option<String> {
    document().document_element()?.get_attribute(attribute).filter(|value| !value.is_empty())
}

/// The key of a file's first draft; `None` if drafts may not be kept: after a sign-out, or where somebody else has signed in.
fn key(storage: &Storage, file: &str) -> Option<String> {
    let owner = root("data-drafts").filter(|owner| storage.get_item(OWNER_KEY) == Ok(Some(owner.clone())))?;
    Some(key_of(&owner, file))
}

fn key_of(owner: &str, file: &str) -> String {
    format!("porticoDraft-{owner}-{file}")
}

/// What stands for a file in the key of the page's local config, as in `frontend/edit.js`. No file name begins with a slash.
fn local_file() -> String {
    format!("/{}", root("data-page").unwrap_or_default())
}

/// The key of the page's local config.
fn local_key(storage: &Storage) -> Option<String> {
    key(storage, &local_file())
}

/// Whether another tab may have changed the page's local config. `key` is what it changed; everything, if it is missing.
pub fn is_local_key(key: Option<&str>) -> bool {
    // After a sign-out, nobody may keep one.
    key.is_none_or(|key| root("data-drafts").is_some_and(|owner| key == key_of(&owner, &local_file())))
}

/// Why a local config is not kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotKept {
    /// The user has signed out in another tab.
    SignedOut,
    /// The storage is full, or the browser does not allow any.
    NoStorage,
}

/// Keeps the page's local config.
///
/// # Errors
///
/// Why it is not kept.
pub fn keep_local(stored: &Stored) -> Result<(), NotKept> {
    let storage = storage().ok_or(NotKept::NoStorage)?;
    let key = local_key(&storage).ok_or(NotKept::SignedOut)?;
    storage.set_item(&key, &stored.print()).map_err(|_| NotKept::NoStorage)
}

/// The page's local config.
pub fn local() -> Option<Stored> {
    let storage = storage()?;
    Stored::parse(&storage.get_item(&local_key(&storage)?).ok()??)
}

/// Deletes the page's local config.
pub fn forget_local() {
    let Some(storage) = storage() else { return };
    if let Some(key) = local_key(&storage) {
        _ = storage.remove_item(&key);
    }
}

/// The places for drafts of a file: their keys, each with the draft there.
fn places(storage: &Storage, file: &str) -> Vec<(String, Option<Stored>)> {
    let Some(first) = key(storage, file) else { return Vec::new() };
    // No file name ends with a number after `~`.
    let keys = (0..MAX_DRAFTS).map(|number| if number == 0 { first.clone() } else { format!("{first}~{number}") });
    let stored = |key: &str| Stored::parse(&storage.get_item(key).ok()??);
    keys.map(|key| (key.clone(), stored(&key))).collect()
}

/// Keeps the draft of this tab. Without storage, it is lost with the tab.
pub fn store(file: &str, stored: &Stored) {
    let Some(storage) = storage() else { return };
    let places = places(&storage, file);
    let is_own = |place: &&(String, Option<Stored>)| place.1.as_ref().is_some_and(Stored::is_own);
    let at = |place: &&(String, Option<Stored>)| place.1.as_ref().map_or(0.0, |stored| stored.at);
    let free = || places.iter().min_by(|one, other| at(one).total_cmp(&at(other)));
    if let Some((key, _)) = places.iter().find(is_own).or_else(free) {
        _ = storage.set_item(key, &stored.print());
    }
}

/// Whether the browser keeps the draft of this tab.
pub fn is_kept(file: &str) -> bool {
    let own = |storage| places(&storage, file).iter().any(|(_, stored)| stored.as_ref().is_some_and(Stored::is_own));
    storage().is_some_and(own)
}

/// The newest draft that is kept, with its key.
pub fn newest(file: &str) -> Option<(String, Stored)> {
    let stored = places(&storage()?, file).into_iter().filter_map(|(key, stored)| Some((key, stored?)));
    stored.max_by(|(_, one), (_, other)| one.at.total_cmp(&other.at))
}

/// The draft with a key.
pub fn at(key: &str) -> Option<Stored> {
    Stored::parse(&storage()?.get_item(key).ok()??)
}

/// Deletes the draft with a key.
pub fn remove(key: &str) {
    if let Some(storage) = storage() {
        _ = storage.remove_item(key);
    }
}

/// Deletes the draft of this tab. Those of others stay.
pub fn forget(file: &str) {
    let Some(storage) = storage() else { return };
    for (key, stored) in places(&storage, file) {
        if stored.is_some_and(|stored| stored.is_own()) {
            _ = storage.remove_item(&key);
        }
    }
}
