//! The server functions of the editor, only for admins, and the trait that implements them.
//!
//! They return a config file as text, show how a page would look with another text, and save one. The draft itself
//! lives in the browser (`frontend/editor`).

use std::collections::BTreeMap;
#[cfg(feature = "ssr")]
use std::sync::Arc;

use config::{
    PageCopy,
    json::{FromJson, Json, member},
};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

#[cfg(feature = "ssr")]
use crate::{
    backend::{PanelQuery, PendingResponse},
    editor_data::{ConfigFileSummary, ImportedFile, ImportedSections},
};

/// Stands for the time in [`EditorDocument::next_backup`].
pub const BACKUP_TIME: &str = "{time}";

/// The result of a call, or why it was refused.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EditorResponse<T> {
    /// It succeeded.
    Done(T),
    /// It was refused; nothing has changed.
    Refused(EditorRejection),
}

/// Why a call was refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct EditorRejection {
    /// The kind of reason.
    pub kind: RejectionKind,
    /// One or two sentences for the person: the reason, and what to do.
    pub message: String,
    /// The problems in the text, if they are the reason.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<EditorProblem>,
}

/// Kinds of reasons.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, FromJson)]
#[serde(rename_all = "kebab-case")]
pub enum RejectionKind {
    /// Nobody is signed in, or the session has ended.
    SignIn,
    /// The person may not do it, or the config forbids it.
    Forbidden,
    /// The file has changed since the draft began.
    Changed,
    /// The text cannot be read, or the schema forbids it.
    Invalid,
    /// There is no such page or backup.
    Missing,
    /// The file could not be read or written.
    #[default]
    Failed,
}

/// A problem in a draft.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct EditorProblem {
    /// Where, as a JSON pointer such as `/sections/0/items/3/url`.
    pub path: String,
    /// The problem in words.
    pub message: String,
    /// Whether it prevents saving.
    pub blocks: bool,
    /// Whether nothing is wrong, and it is only advice.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hint: bool,
}

/// A problem in the text of a draft, with its position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct TextProblem {
    /// One-based line.
    pub line: usize,
    /// One-based column, in characters.
    pub column: usize,
    /// The problem in words.
    pub message: String,
    /// Whether it prevents saving.
    pub blocks: bool,
    /// Whether the text cannot be read at all because of it.
    pub syntax: bool,
}

/// A config file, as sent to the editor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, FromJson)]
#[serde(rename_all = "camelCase")]
pub struct EditorDocument {
    /// Name of the file.
    pub file: String,
    /// Its text.
    pub text: String,
    /// Identifies this state of the file.
    pub version: String,
    /// Whether the text has comments, which are lost when a form saves it.
    pub has_comments: bool,
    /// Why the draft cannot be saved to disk, and what to do; `None` if it can.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_only: Option<String>,
    /// Where encrypted copies of the config can be kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub backup_endpoint: Option<String>,
    /// Why the draft cannot be kept as a local config, and what to do; `None` if it can.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub no_local: Option<String>,
    /// Where saving puts the backup of the file, with [`BACKUP_TIME`] in place of the milliseconds since 1970; `None` if it makes
    /// none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_backup: Option<String>,
    /// The name of the person who edits, if they are signed in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub person: Option<String>,
    /// What keeps the server from writing its files, with the user, the folder and what to do; `None` if nothing does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unwritable: Option<String>,
    /// Whether everybody who reaches the dashboard may change it, as no sign-in is set up.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub open: bool,
    /// The page in edit mode.
    pub preview: DraftPreview,
}

/// A page as it looks with a draft.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DraftPreview {
    /// The HTML document of the page, in edit mode or as usual.
    pub html: String,
    /// The problems in the draft.
    pub problems: Vec<EditorProblem>,
    /// The file that a local config replaces; `None` in edit mode.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub local: Option<LocalConfig>,
}

/// As edit mode reads it.
impl FromJson for DraftPreview {
    fn from_json(json: &impl Json) -> Option<Self> {
        Some(Self { html: member(json, "html"), problems: member(json, "problems"), local: None })
    }
}

/// The file that a local config, which one browser keeps, replaces there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LocalConfig {
    /// Name of the file.
    pub file: String,
    /// Identifies the current state of the file.
    pub version: String,
    /// As in [`EditorDocument`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_only: Option<String>,
    /// Whether saving it to disk backs up the file.
    pub keeps_backups: bool,
    /// The widgets that differ from those at their positions in the file: positions, such as `2-0`, and entries as JSON. Their
    /// panels cannot be requested by position.
    pub other_widgets: BTreeMap<String, String>,
}

/// The preview of a widget whose entry is being edited.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, FromJson)]
#[serde(rename_all = "camelCase")]
pub struct WidgetPreview {
    /// Our name of its type, for the class `widget-…`.
    pub kind: String,
    /// Its caption.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Additional classes of its frame.
    pub classes: Vec<String>,
    /// The markup inside its frame; `None` if it can only be known after saving.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub html: Option<String>,
    /// A sentence for the person: why nothing is shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Seconds until it is worth asking again, while the service has not responded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<u32>,
    /// Address of the style sheet of widgets, which pages without widgets do not load.
    pub style_sheet: String,
}

/// The response of a service from which people choose what an `api-response` shows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct ResponseValues {
    /// The whole response, if it is JSON.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tree: Option<ResponseValue>,
    /// The beginning of a response that is not JSON.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Why there are no values, and what to do, in sentences.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// The file of a service for live figures (docs/figures.md).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct ServiceFile {
    /// Its name, such as `nas.toml`.
    pub name: String,
    /// Its text, in TOML.
    pub text: String,
}

/// A value of a response, with those inside it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct ResponseValue {
    /// Its name, or its position in a list.
    pub name: String,
    /// The value, cut if it is long; of an object or a list, the number of values inside.
    pub text: String,
    /// The entry of the option `mappings` that shows it, as JSON; `None` if it cannot be chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mapping: Option<String>,
    /// The values inside.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nodes: Vec<ResponseValue>,
    /// How many values inside are left out.
    #[serde(default)]
    pub more: usize,
}

/// The result of saving a draft.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct EditorSaved {
    /// What was done, in a sentence.
    pub message: String,
    /// The state of the file with the saved text.
    pub version: String,
    /// What could not be written to files of other pages, in a sentence each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failures: Vec<String>,
    /// What of that another save may write.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left: Vec<PageCopy>,
}

/// An earlier state of a config file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct FileBackup {
    /// Name of the backup.
    pub name: String,
    /// When it was made, in milliseconds since 1970.
    pub at: u64,
    /// Its size in bytes.
    pub bytes: u64,
}

/// A draft sent to the server.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SubmittedDraft {
    /// The page being edited, as named in its address; `None` for the root.
    pub page: Option<String>,
    /// The text.
    pub text: String,
    /// What saving it also writes to files of other pages.
    pub copies: Vec<PageCopy>,
}

/// Implements the server functions of the editor; the server provides it.
#[cfg(feature = "ssr")]
pub trait EditorBackend: Send + Sync {
    /// The file of a page.
    fn load(
        &self,
        request: http::request::Parts,
        page: Option<String>,
    ) -> PendingResponse<EditorResponse<EditorDocument>>;

    /// The page as it looks with a draft; `shown` as in [`editor_preview`].
    fn preview(
        &self,
        request: http::request::Parts,
        draft: SubmittedDraft,
        shown: Option<String>,
    ) -> PendingResponse<EditorResponse<DraftPreview>>;

    /// The preview of a widget with an unsaved entry, in JSON.
    fn panel(
        &self,
        request: http::request::Parts,
        page: Option<String>,
        entry: String,
        query: PanelQuery,
    ) -> PendingResponse<EditorResponse<WidgetPreview>>;

    /// The response of the service of an `api-response` with an unsaved entry, in JSON.
    fn values(
        &self,
        request: http::request::Parts,
        page: Option<String>,
        entry: String,
        query: PanelQuery,
    ) -> PendingResponse<EditorResponse<ResponseValues>>;

    /// The file of a service that shows the values of an unsaved entry of an `api-response`, in JSON.
    fn service_file(
        &self,
        request: http::request::Parts,
        page: Option<String>,
        entry: String,
    ) -> PendingResponse<EditorResponse<ServiceFile>>;

    /// The problems in the text of a draft, in the order of the text.
    fn check(
        &self,
        request: http::request::Parts,
        draft: SubmittedDraft,
    ) -> PendingResponse<EditorResponse<Vec<TextProblem>>>;

    /// Saves a draft as it is written, if the file is still in the state `version`; without `version`, in any state.
    fn save(
        &self,
        request: http::request::Parts,
        draft: SubmittedDraft,
        version: Option<String>,
    ) -> PendingResponse<EditorResponse<EditorSaved>>;

    /// The backups of a page's file, newest first.
    fn backups(
        &self,
        request: http::request::Parts,
        page: Option<String>,
    ) -> PendingResponse<EditorResponse<Vec<FileBackup>>>;

    /// The text of a backup of a page's file.
    fn backup(
        &self,
        request: http::request::Parts,
        page: Option<String>,
        name: String,
    ) -> PendingResponse<EditorResponse<String>>;

    /// The Argon2id hash of a password, for an account in the draft. Keeps nothing.
    fn hash_password(
        &self,
        request: http::request::Parts,
        page: Option<String>,
        password: String,
    ) -> PendingResponse<EditorResponse<String>>;

    /// Makes the first account, an admin, in the main config.
    fn protect(
        &self,
        request: http::request::Parts,
        name: String,
        password: String,
    ) -> PendingResponse<EditorResponse<String>>;

    /// Converts files of another dashboard into sections.
    fn import(
        &self,
        request: http::request::Parts,
        page: Option<String>,
        source: Option<String>,
        files: Vec<ImportedFile>,
    ) -> PendingResponse<EditorResponse<ImportedSections>>;

    /// All config files, the root first.
    fn files(&self, request: http::request::Parts) -> PendingResponse<EditorResponse<Vec<ConfigFileSummary>>>;
}

/// The backend as provided to the functions of the editor.
#[cfg(feature = "ssr")]
pub type SharedEditorBackend = Arc<dyn EditorBackend>;

/// The backend, and the current request.
#[cfg(feature = "ssr")]
pub(crate) fn context() -> (SharedEditorBackend, http::request::Parts) {
    (expect_context(), expect_context())
}

/// The file of a page, for an admin who starts to edit it.
#[server(prefix = "/fn", endpoint = "editor-load", input = server_fn::codec::Json)]
pub async fn editor_load(
    /// As in [`SubmittedDraft`].
    page: Option<String>,
) -> Result<EditorResponse<EditorDocument>, ServerFnError> {
    let (backend, request) = context();
    backend.load(request, page).await
}

/// The page as it looks with a draft, and the problems in it. Changes nothing.
#[server(prefix = "/fn", endpoint = "editor-preview", input = server_fn::codec::Json)]
pub async fn editor_preview(
    /// As in [`SubmittedDraft`].
    page: Option<String>,
    /// As in [`SubmittedDraft`].
    text: String,
    /// For a local config, the page to render as usual: the query of its event stream (`data-address`). `None` renders the page
    /// in edit mode.
    shown: Option<String>,
) -> Result<EditorResponse<DraftPreview>, ServerFnError> {
    let (backend, request) = context();
    backend.preview(request, SubmittedDraft { page, text, copies: Vec::new() }, shown).await
}

/// The preview of a widget with an unsaved entry. Changes nothing here; the service gets the usual requests.
#[server(prefix = "/fn", endpoint = "editor-panel", input = server_fn::codec::Json)]
pub async fn editor_panel(
    /// As in [`SubmittedDraft`].
    page: Option<String>,
    /// The entry as JSON.
    entry: String,
    /// As in [`crate::backend::PanelQuery`].
    locale: Option<String>,
    /// As in [`crate::backend::PanelQuery`].
    zone: Option<String>,
) -> Result<EditorResponse<WidgetPreview>, ServerFnError> {
    let (backend, request) = context();
    backend.panel(request, page, entry, PanelQuery { locale, zone, ..PanelQuery::default() }).await
}

/// The response of the service of an `api-response` with an unsaved entry. Changes nothing here; the service gets the usual
/// request.
#[server(prefix = "/fn", endpoint = "editor-values", input = server_fn::codec::Json)]
pub async fn editor_values(
    /// As in [`SubmittedDraft`].
    page: Option<String>,
    /// The entry as JSON.
    entry: String,
    /// As in [`crate::backend::PanelQuery`].
    locale: Option<String>,
    /// As in [`crate::backend::PanelQuery`].
    zone: Option<String>,
) -> Result<EditorResponse<ResponseValues>, ServerFnError> {
    let (backend, request) = context();
    backend.values(request, page, entry, PanelQuery { locale, zone, ..PanelQuery::default() }).await
}

/// The file of a service for live figures that shows the values which an `api-response` shows. Asks the service nothing.
#[server(prefix = "/fn", endpoint = "editor-service-file", input = server_fn::codec::Json)]
pub async fn editor_service_file(
    /// As in [`SubmittedDraft`].
    page: Option<String>,
    /// The entry as JSON.
    entry: String,
) -> Result<EditorResponse<ServiceFile>, ServerFnError> {
    let (backend, request) = context();
    backend.service_file(request, page, entry).await
}

/// The problems in the text of a draft, in the order of the text. A text that is not valid YAML has one.
#[server(prefix = "/fn", endpoint = "editor-check", input = server_fn::codec::Json)]
pub async fn editor_check(
    /// As in [`SubmittedDraft`].
    page: Option<String>,
    /// As in [`SubmittedDraft`].
    text: String,
) -> Result<EditorResponse<Vec<TextProblem>>, ServerFnError> {
    let (backend, request) = context();
    backend.check(request, SubmittedDraft { page, text, copies: Vec::new() }).await
}

/// Saves a draft in the same way as the REST API: checked, with a backup, and atomically. Its text is kept as it is, with
/// comments.
#[server(prefix = "/fn", endpoint = "editor-save", input = server_fn::codec::Json)]
pub async fn editor_save(
    /// As in [`SubmittedDraft`].
    page: Option<String>,
    /// As in [`SubmittedDraft`].
    text: String,
    /// The state of the file when the draft began; `None` overwrites any state.
    version: Option<String>,
    /// As in [`SubmittedDraft`].
    copies: Option<Vec<PageCopy>>,
) -> Result<EditorResponse<EditorSaved>, ServerFnError> {
    let (backend, request) = context();
    backend.save(request, SubmittedDraft { page, text, copies: copies.unwrap_or_default() }, version).await
}

/// The backups of a page's file, newest first.
#[server(prefix = "/fn", endpoint = "editor-backups", input = server_fn::codec::Json)]
pub async fn editor_backups(
    /// As in [`SubmittedDraft`].
    page: Option<String>,
) -> Result<EditorResponse<Vec<FileBackup>>, ServerFnError> {
    let (backend, request) = context();
    backend.backups(request, page).await
}

/// The text of a backup of a page's file. To restore it, save it like any other draft.
#[server(prefix = "/fn", endpoint = "editor-backup", input = server_fn::codec::Json)]
pub async fn editor_backup(
    /// As in [`SubmittedDraft`].
    page: Option<String>,
    /// Name of the backup.
    name: String,
) -> Result<EditorResponse<String>, ServerFnError> {
    let (backend, request) = context();
    backend.backup(request, page, name).await
}

/// The Argon2id hash of a password, for an account in the draft. Changes nothing.
#[server(prefix = "/fn", endpoint = "editor-hash-password", input = server_fn::codec::Json)]
pub async fn editor_hash_password(
    /// As in [`SubmittedDraft`].
    page: Option<String>,
    /// The password.
    password: String,
) -> Result<EditorResponse<String>, ServerFnError> {
    let (backend, request) = context();
    backend.hash_password(request, page, password).await
}

/// Protects a dashboard without sign-in: makes the first account, an admin, in the main config. Comments in the file stay.
/// Returns what was done, in a sentence.
#[server(prefix = "/fn", endpoint = "editor-protect", input = server_fn::codec::Json)]
pub async fn editor_protect(
    /// The name of the account.
    name: String,
    /// Its password, of which only a hash is kept.
    password: String,
) -> Result<EditorResponse<String>, ServerFnError> {
    let (backend, request) = context();
    backend.protect(request, name, password).await
}
