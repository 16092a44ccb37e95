//! The server function of the editor that converts configs of other dashboards and browser bookmarks (docs/import.md).

use leptos::prelude::*;

use crate::editing::EditorResponse;
#[cfg(feature = "ssr")]
use crate::editing::context;
pub use crate::editor_data::{ImportedFile, ImportedSections};

/// Maximum size of the arguments of [`editor_import`], in bytes of JSON. The result has to fit into a config file anyway.
pub const MAX_IMPORT_BYTES: usize = 2 * 1024 * 1024;

/// Converts files of another dashboard into sections. Changes nothing.
#[server(prefix = "/fn", endpoint = "editor-import", input = server_fn::codec::Json)]
pub async fn editor_import(
    /// As in [`crate::editing::SubmittedDraft`].
    page: Option<String>,
    /// The dashboard that the files come from, such as `homepage`; `None` to detect it.
    source: Option<String>,
    /// The files.
    files: Vec<ImportedFile>,
) -> Result<EditorResponse<ImportedSections>, ServerFnError> {
    let (backend, request) = context();
    backend.import(request, page, source, files).await
}
