//! The server function that lists all config files, for the config menu (docs/editing.md, "The config menu").

use config::json::FromJson;
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

use crate::editing::EditorResponse;
#[cfg(feature = "ssr")]
use crate::editing::context;

/// A config file: the root, or that of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, FromJson)]
#[serde(rename_all = "camelCase")]
pub struct ConfigFileSummary {
    /// The page, as its address names it; `None` for the root.
    pub page: Option<String>,
    /// Name of the file, or the address of one on another host.
    pub file: String,
    /// The name of the page.
    pub title: String,
    /// Whether it is on another host, and so cannot be edited here.
    pub remote: bool,
    /// Whether it has comments, which are lost when a section is copied to it.
    pub comments: bool,
    /// The number of sections.
    pub sections: usize,
    /// The number of items.
    pub items: usize,
    /// The number of widgets.
    pub widgets: usize,
    /// Its problems, each with its line.
    pub problems: Vec<String>,
    /// Why it cannot be read. The numbers are then those of its last valid version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unreadable: Option<String>,
}

/// All config files, the root first.
#[server(prefix = "/fn", endpoint = "editor-files", input = server_fn::codec::Json)]
pub async fn list_config_files() -> Result<EditorResponse<Vec<ConfigFileSummary>>, ServerFnError> {
    let (backend, request) = context();
    backend.files(request).await
}
