//! The server function of the editor that converts configs of other dashboards and browser bookmarks (docs/import.md).

use config::json::FromJson;
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

use crate::editing::EditorResponse;
#[cfg(feature = "ssr")]
use crate::editing::context;

/// Maximum size of the arguments of [`editor_import`], in bytes of JSON. The result has to fit into a config file anyway.
pub const MAX_IMPORT_BYTES: usize = 2 * 1024 * 1024;

/// A file to convert.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportedFile {
    /// Its name without folders; empty for text that was pasted.
    pub name: String,
    /// Its content.
    pub text: String,
}

/// The converted sections of another dashboard.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct ImportedSections {
    /// The sections as a JSON list, as in the config.
    pub sections: String,
    /// Where they come from and what they contain, as a sentence.
    pub summary: String,
    /// What could not be imported, each with its position in the files.
    pub lost: Vec<String>,
    /// What differs or is left to do, each with its position in the files.
    pub changed: Vec<String>,
}

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
