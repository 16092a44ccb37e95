//! The server function that lists all config files, for the config menu (docs/editing.md, "The config menu").

use leptos::prelude::*;
use serde::{Deserialize, Serialize};

use crate::editing::EditorAnswer;
#[cfg(feature = "ssr")]
use crate::editing::asked;

/// A config file: the root, or that of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ConfigFileSummary {
    /// The page, as its address names it; `None` for the root.
    pub page: Option<String>,
    /// Name of the file, or the address of one on another host.
    pub file: String,
    /// What the page is called.
    pub title: String,
    /// Whether it lies on another host, where it is edited.
    pub remote: bool,
    /// How many sections it has.
    pub sections: usize,
    /// How many items.
    pub items: usize,
    /// How many widgets.
    pub widgets: usize,
    /// What is wrong in it: line and words.
    pub problems: Vec<String>,
    /// Why it cannot be read; the counts are those of its last good version then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unreadable: Option<String>,
}

/// All config files, the root first.
#[server(prefix = "/fn", endpoint = "editor-files", input = server_fn::codec::Json)]
pub async fn editor_files() -> Result<EditorAnswer<Vec<ConfigFileSummary>>, ServerFnError> {
    let (backend, request) = asked();
    backend.files(request).await
}
