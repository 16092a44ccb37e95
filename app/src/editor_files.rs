//! The server functions of the editor for what there is to choose, and for files beside the config: they list the types of
//! widgets, find icons, store a picture, and create the file of a page. Called by the scripts in `frontend/edit` and by the editor's bundle.

#[cfg(feature = "ssr")]
use std::sync::Arc;

use leptos::prelude::*;
use serde::{Deserialize, Serialize};

#[cfg(feature = "ssr")]
use crate::backend::PendingAnswer;
use crate::editing::EditorAnswer;

/// Largest picture that can be stored, in bytes.
pub const MAX_PICTURE_BYTES: usize = 1024 * 1024;

/// Largest arguments of [`editor_upload`], in bytes of JSON. A picture in Base64 is a third larger; one that is a little too
/// large is still refused in words.
pub const MAX_UPLOAD_BYTES: usize = 2 * MAX_PICTURE_BYTES;

/// What a search for icons found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundIcons {
    /// One page of the icons, the best first.
    pub icons: Vec<OfferedIcon>,
    /// How many there are in all.
    pub total: usize,
}

/// An icon to choose.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OfferedIcon {
    /// How the config names it.
    pub value: String,
    /// What it is called.
    pub name: String,
    /// Its group: `files`, `applications`, `brands`, `symbols`, `font-awesome` or `emoji`.
    pub group: String,
    /// Address of its picture; one that ends with `#i` is a glyph in the colour of the text. `None` for an emoji.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub picture: Option<String>,
}

/// A type of widget, as offered in the editor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WidgetType {
    /// Its name in the config.
    pub name: String,
    /// What it shows, in a sentence or two.
    pub about: String,
    /// The services that it uses, and its other names.
    pub words: String,
    /// What it is about, in words.
    pub category: String,
    /// Address of a picture for it; one that ends with `#i` is a glyph in the colour of the text.
    pub picture: String,
}

/// A picture that was stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredPicture {
    /// How the config names it: its path below `item-icons`.
    pub value: String,
    /// What was done, in a sentence.
    pub message: String,
}

/// Implements the functions; the server provides it.
#[cfg(feature = "ssr")]
pub trait EditorFilesBackend: Send + Sync {
    /// The icons that fit some words.
    fn icons(
        &self,
        request: http::request::Parts,
        words: String,
        group: Option<String>,
        skip: usize,
    ) -> PendingAnswer<EditorAnswer<FoundIcons>>;

    /// All types of widgets.
    fn widgets(&self, request: http::request::Parts) -> PendingAnswer<EditorAnswer<Vec<WidgetType>>>;

    /// Stores a picture among the user's icons.
    fn upload(
        &self,
        request: http::request::Parts,
        name: String,
        data: String,
    ) -> PendingAnswer<EditorAnswer<StoredPicture>>;

    /// Creates the file of a page, unless it is there.
    fn new_page(
        &self,
        request: http::request::Parts,
        title: String,
        path: String,
    ) -> PendingAnswer<EditorAnswer<String>>;
}

/// The backend as provided to the functions.
#[cfg(feature = "ssr")]
pub type SharedEditorFiles = Arc<dyn EditorFilesBackend>;

#[cfg(feature = "ssr")]
fn asked() -> (SharedEditorFiles, http::request::Parts) {
    (expect_context(), expect_context())
}

/// The icons that fit some words, for an admin who chooses one. Without words, all fit.
#[server(prefix = "/fn", endpoint = "editor-icons", input = server_fn::codec::Json)]
pub async fn editor_icons(
    /// What to look for.
    words: String,
    /// As in [`OfferedIcon`]; `None` for all groups.
    group: Option<String>,
    /// How many of the best to leave out.
    skip: usize,
) -> Result<EditorAnswer<FoundIcons>, ServerFnError> {
    let (backend, request) = asked();
    backend.icons(request, words, group, skip).await
}

/// All types of widgets, by category and name, for an admin who adds one.
#[server(prefix = "/fn", endpoint = "editor-widgets", input = server_fn::codec::Json)]
pub async fn editor_widgets() -> Result<EditorAnswer<Vec<WidgetType>>, ServerFnError> {
    let (backend, request) = asked();
    backend.widgets(request).await
}

/// Stores a picture in `item-icons`, under a name that is free. Its type is told by its bytes.
#[server(prefix = "/fn", endpoint = "editor-upload", input = server_fn::codec::Json)]
pub async fn editor_upload(
    /// The name that it had where it comes from.
    name: String,
    /// Its bytes in Base64.
    data: String,
) -> Result<EditorAnswer<StoredPicture>, ServerFnError> {
    let (backend, request) = asked();
    backend.upload(request, name, data).await
}

/// Creates the file of a further page with nothing but its title, unless there is such a file. Says what was done.
#[server(prefix = "/fn", endpoint = "editor-new-page", input = server_fn::codec::Json)]
pub async fn editor_new_page(
    /// What the page is called.
    title: String,
    /// Name of the file, such as `media.yml`.
    path: String,
) -> Result<EditorAnswer<String>, ServerFnError> {
    let (backend, request) = asked();
    backend.new_page(request, title, path).await
}
