//! The server functions of the editor for pickers, and for files beside the config: they list widget types, find icons, and store
//! pictures. The scripts in `frontend/edit` call them.

#[cfg(feature = "ssr")]
use std::sync::Arc;

use config::json::FromJson;
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

#[cfg(feature = "ssr")]
use crate::backend::PendingResponse;
use crate::editing::EditorResponse;

/// Maximum size of a stored picture in bytes.
pub const MAX_PICTURE_BYTES: usize = 1024 * 1024;

/// Maximum size of the arguments of [`editor_upload`], in bytes of JSON. Base64 makes a picture a third larger; a picture that is
/// slightly too large should still get a helpful refusal.
pub const MAX_UPLOAD_BYTES: usize = 2 * MAX_PICTURE_BYTES;

/// The result of a search for icons.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct FoundIcons {
    /// Some of the icons, best first.
    pub icons: Vec<OfferedIcon>,
    /// The total number of matches.
    pub total: usize,
}

/// An icon in the picker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct OfferedIcon {
    /// Its value in the config.
    pub value: String,
    /// Its name for people.
    pub name: String,
    /// Its group: `files`, `applications`, `brands`, `symbols`, `font-awesome` or `emoji`.
    pub group: String,
    /// Address of its picture; one that ends with `#i` is a glyph in the color of the text. `None` for an emoji.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub picture: Option<String>,
}

/// A type of widget, as offered in the editor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct WidgetType {
    /// Its name in the config.
    pub name: String,
    /// Its name for people.
    pub title: String,
    /// What it shows, in a sentence or two.
    pub about: String,
    /// The services that it uses, and its other names.
    pub words: String,
    /// Its category, for people.
    pub category: String,
    /// Address of a picture for it; one that ends with `#i` is a glyph in the color of the text.
    pub picture: String,
}

/// A picture that was stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct StoredPicture {
    /// Its value in the config: its path below `item-icons`.
    pub value: String,
    /// What was done, in a sentence.
    pub message: String,
}

/// Implements these server functions; the server provides it.
#[cfg(feature = "ssr")]
pub trait EditorFilesBackend: Send + Sync {
    /// The icons that match some words.
    fn icons(
        &self,
        request: http::request::Parts,
        words: String,
        group: Option<String>,
        skip: usize,
    ) -> PendingResponse<EditorResponse<FoundIcons>>;

    /// All types of widgets.
    fn widgets(&self, request: http::request::Parts) -> PendingResponse<EditorResponse<Vec<WidgetType>>>;

    /// Stores a picture among the user's icons.
    fn upload(
        &self,
        request: http::request::Parts,
        name: String,
        data: String,
    ) -> PendingResponse<EditorResponse<StoredPicture>>;
}

/// The backend as provided to the functions.
#[cfg(feature = "ssr")]
pub type SharedEditorFiles = Arc<dyn EditorFilesBackend>;

#[cfg(feature = "ssr")]
fn context() -> (SharedEditorFiles, http::request::Parts) {
    (expect_context(), expect_context())
}

/// The icons that match some words, for the icon picker. Without words, all match.
#[server(prefix = "/fn", endpoint = "editor-icons", input = server_fn::codec::Json)]
pub async fn editor_icons(
    /// What to look for.
    words: String,
    /// As in [`OfferedIcon`]; `None` for all groups.
    group: Option<String>,
    /// How many matches to skip.
    skip: usize,
) -> Result<EditorResponse<FoundIcons>, ServerFnError> {
    let (backend, request) = context();
    backend.icons(request, words, group, skip).await
}

/// All widget types, by category and name, for the widget picker.
#[server(prefix = "/fn", endpoint = "editor-widgets", input = server_fn::codec::Json)]
pub async fn editor_widgets() -> Result<EditorResponse<Vec<WidgetType>>, ServerFnError> {
    let (backend, request) = context();
    backend.widgets(request).await
}

/// Stores a picture in `item-icons`, under a free name. Its content decides its type.
#[server(prefix = "/fn", endpoint = "editor-upload", input = server_fn::codec::Json)]
pub async fn editor_upload(
    /// The name of the uploaded file.
    name: String,
    /// The content in Base64.
    data: String,
) -> Result<EditorResponse<StoredPicture>, ServerFnError> {
    let (backend, request) = context();
    backend.upload(request, name, data).await
}
