//! The file that a local config replaces (see [`crate::local_config`]).

use app::{
    browser::{first, root},
    editing::{EditorRejection, EditorSaved},
};
use config::json::{FromJson, Json, member};
use serde_json::json;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;

use crate::{
    calls::{Caller, call_by},
    editor::{host_stream, host_text},
    storage::{self, Stored},
};

/// What the server reports about the file that a local config replaces: `app::editing::LocalConfig` without the widgets.
#[derive(Clone, Debug)]
pub struct ReplacedFile {
    /// Its name.
    pub name: String,
    /// Identifies its current state.
    pub version: String,
    /// Why it cannot be written.
    pub read_only: Option<String>,
    /// Whether saving backs it up.
    pub keeps_backups: bool,
}

impl FromJson for ReplacedFile {
    fn from_json(json: &impl Json) -> Option<Self> {
        Some(Self {
            name: json.member("file")?.text()?,
            version: member(json, "version"),
            read_only: member(json, "readOnly"),
            keeps_backups: member(json, "keepsBackups"),
        })
    }
}

/// Writes a local config to the file. Without failures, the page then shows the file.
///
/// # Errors
///
/// The server refuses it, or cannot be reached.
pub async fn save_to_disk(host: &JsValue, stored: &Stored) -> Result<EditorSaved, EditorRejection> {
    let Stored { text, version, copies, .. } = stored;
    let page = root().get_attribute("data-page");
    let arguments = json!({ "page": page, "text": text, "version": version, "copies": copies });
    let base = host_text(host, "base").unwrap_or_default();
    let answer = call_by(Caller::LocalConfig, &base, "editor-save", &arguments).await?;
    Caller::LocalConfig.read(&answer)
}

/// Shows the file again, which now is as the local config was, and a message.
pub async fn show_file(host: &JsValue, message: &str) {
    storage::forget_local();
    if let Some(stream) = host_stream(host) {
        // If the server cannot be reached, the page shows that itself.
        _ = JsFuture::from(stream.change("", message)).await;
    }
}

/// Whether the page has a button that starts edit mode.
pub fn is_editable() -> bool {
    first(".edit-button").is_some()
}
