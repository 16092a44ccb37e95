//! The server function that lists all config files, for the config menu (docs/editing.md, "The config menu").

use leptos::prelude::*;

use crate::editing::EditorResponse;
#[cfg(feature = "ssr")]
use crate::editing::context;
pub use crate::editor_data::ConfigFileSummary;

/// All config files, the root first.
#[server(prefix = "/fn", endpoint = "editor-files", input = server_fn::codec::Json)]
pub async fn list_config_files() -> Result<EditorResponse<Vec<ConfigFileSummary>>, ServerFnError> {
    let (backend, request) = context();
    backend.files(request).await
}
