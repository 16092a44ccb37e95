//! The server functions of the editor, for admins only, and the trait that answers them.
//!
//! They hand out a config file as text, show how a page would look with another text, and save one. The draft itself
//! lives in the browser (`frontend/editor`).

#[cfg(feature = "ssr")]
use std::sync::Arc;

use leptos::prelude::*;
use serde::{Deserialize, Serialize};

#[cfg(feature = "ssr")]
use crate::backend::PendingAnswer;

/// What is done, or why it is not.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EditorAnswer<T> {
    /// It is done.
    Done(T),
    /// It is not done; nothing has changed.
    Refused(EditorRefusal),
}

/// Why something is not done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EditorRefusal {
    /// What kind of reason it is.
    pub kind: RefusalKind,
    /// A sentence or two for the person: the reason, and what to do.
    pub message: String,
    /// What is wrong in the text, if that is the reason.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<EditorProblem>,
}

/// Kinds of reasons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RefusalKind {
    /// Nobody is signed in, or no longer.
    SignIn,
    /// The person or the config may not do it.
    Forbidden,
    /// The file is another one than the draft began with.
    Changed,
    /// The text cannot be read, or the schema forbids it.
    Invalid,
    /// There is no such page or backup.
    Missing,
    /// The disk refuses.
    Failed,
}

/// Something that is wrong in a draft.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EditorProblem {
    /// Where, as a JSON pointer such as `/sections/0/items/3/url`.
    pub path: String,
    /// The problem in words.
    pub message: String,
    /// Whether the file cannot be saved with it.
    pub blocks: bool,
}

/// A config file as the editor gets it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EditorDocument {
    /// Name of the file.
    pub file: String,
    /// Its text.
    pub text: String,
    /// Tells this state of the file from others.
    pub version: String,
    /// Whether the text has comments, which saving from forms loses.
    pub has_comments: bool,
    /// Why the draft cannot be saved to disk, and what to do; none if it can.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_only: Option<String>,
    /// All types of widgets.
    pub widgets: Vec<WidgetType>,
    /// The page in edit mode.
    pub preview: DraftPreview,
}

/// A type of widget as the editor offers it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WidgetType {
    /// What the config calls it.
    pub name: String,
    /// What it shows, in a sentence or two.
    pub about: String,
    /// The services that it asks, and its other names.
    pub words: String,
}

/// A page as it looks with a draft.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DraftPreview {
    /// The HTML document of the page, in edit mode.
    pub html: String,
    /// What is wrong in the draft.
    pub problems: Vec<EditorProblem>,
}

/// A draft that was saved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EditorSaved {
    /// What was done, in a sentence.
    pub message: String,
    /// The state of the file now.
    pub version: String,
}

/// An old state of a config file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileBackup {
    /// Name of the backup.
    pub name: String,
    /// When it was made, in milliseconds since 1970.
    pub at: u64,
    /// Its size in bytes.
    pub bytes: u64,
}

/// A draft on its way to the file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Draft {
    /// The page that is edited, as its address names it; none for the root.
    pub page: Option<String>,
    /// The text.
    pub text: String,
}

/// Answers the functions of the editor; implemented by the server.
#[cfg(feature = "ssr")]
pub trait EditorBackend: Send + Sync {
    /// The file of a page.
    fn load(&self, request: http::request::Parts, page: Option<String>) -> PendingAnswer<EditorAnswer<EditorDocument>>;

    /// The page as it looks with a draft.
    fn preview(&self, request: http::request::Parts, draft: Draft) -> PendingAnswer<EditorAnswer<DraftPreview>>;

    /// Saves a draft, if the file is still in the state `version`; in any state if there is none.
    fn save(
        &self,
        request: http::request::Parts,
        draft: Draft,
        version: Option<String>,
    ) -> PendingAnswer<EditorAnswer<EditorSaved>>;

    /// The backups of the file of a page, the newest first.
    fn backups(
        &self,
        request: http::request::Parts,
        page: Option<String>,
    ) -> PendingAnswer<EditorAnswer<Vec<FileBackup>>>;

    /// The text of a backup of the file of a page.
    fn backup(
        &self,
        request: http::request::Parts,
        page: Option<String>,
        name: String,
    ) -> PendingAnswer<EditorAnswer<String>>;
}

/// The backend as it is provided to the functions of the editor.
#[cfg(feature = "ssr")]
pub type SharedEditorBackend = Arc<dyn EditorBackend>;

#[cfg(feature = "ssr")]
fn asked() -> (SharedEditorBackend, http::request::Parts) {
    (expect_context(), expect_context())
}

/// The file of a page, for an admin who begins to edit it.
#[server(prefix = "/fn", endpoint = "editor-load", input = server_fn::codec::Json)]
pub async fn editor_load(
    /// As in [`Draft`].
    page: Option<String>,
) -> Result<EditorAnswer<EditorDocument>, ServerFnError> {
    let (backend, request) = asked();
    backend.load(request, page).await
}

/// The page as it looks with a draft, and what is wrong in it. Changes nothing.
#[server(prefix = "/fn", endpoint = "editor-preview", input = server_fn::codec::Json)]
pub async fn editor_preview(
    /// As in [`Draft`].
    page: Option<String>,
    /// As in [`Draft`].
    text: String,
) -> Result<EditorAnswer<DraftPreview>, ServerFnError> {
    let (backend, request) = asked();
    backend.preview(request, Draft { page, text }).await
}

/// Saves a draft as the REST API would: checked, backed up, whole.
#[server(prefix = "/fn", endpoint = "editor-save", input = server_fn::codec::Json)]
pub async fn editor_save(
    /// As in [`Draft`].
    page: Option<String>,
    /// As in [`Draft`].
    text: String,
    /// The state of the file that the draft began with; none to save over any.
    version: Option<String>,
) -> Result<EditorAnswer<EditorSaved>, ServerFnError> {
    let (backend, request) = asked();
    backend.save(request, Draft { page, text }, version).await
}

/// The backups of the file of a page, the newest first.
#[server(prefix = "/fn", endpoint = "editor-backups", input = server_fn::codec::Json)]
pub async fn editor_backups(
    /// As in [`Draft`].
    page: Option<String>,
) -> Result<EditorAnswer<Vec<FileBackup>>, ServerFnError> {
    let (backend, request) = asked();
    backend.backups(request, page).await
}

/// The text of a backup of the file of a page. It is restored by saving it like any other draft.
#[server(prefix = "/fn", endpoint = "editor-backup", input = server_fn::codec::Json)]
pub async fn editor_backup(
    /// As in [`Draft`].
    page: Option<String>,
    /// Name of the backup.
    name: String,
) -> Result<EditorAnswer<String>, ServerFnError> {
    let (backend, request) = asked();
    backend.backup(request, page, name).await
}
