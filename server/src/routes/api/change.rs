//! Changing a stored file: read, edit, validate, back up, write (docs/spec/api.md 8 and 9).

use std::sync::Arc;

use bytes::Bytes;
use config::{
    Config, Document, DocumentError, Problem, Severity, check,
    check::{check_page_file, check_read, new_errors, new_errors_of_draft},
    document::TooLarge,
};
use http::StatusCode;
use serde_json::{Map, Value, json};

use super::extract::Call;
use crate::{
    access::Admin,
    platform::entity_tag,
    routes::error::{ApiError, list_of},
    store::{Author, Edited, FileName, Loaded, Store, Via, WriteResult},
};

/// A change that was stored.
#[derive(Clone, Debug)]
pub(in crate::routes) struct Changed<T> {
    /// The result of the edit.
    pub outcome: T,
    /// Name of the backup.
    pub backup: Option<String>,
    notes: Notes,
}

/// Notes about a change for the user who made it.
#[derive(Clone, Debug, Default)]
struct Notes {
    /// The problems of the config that were there before; for the file of a page, what means nothing there.
    warnings: Vec<Problem>,
    restart: bool,
}

impl<T> Changed<T> {
    /// The body of the response.
    pub(super) fn into_body<const N: usize>(self, message: String, more: [(&str, Value); N]) -> Value {
        let mut body = Map::new();
        body.insert("success".to_owned(), true.into());
        body.insert("message".to_owned(), message.into());
        body.insert("backup".to_owned(), json!(self.backup));
        body.extend(more.map(|(key, value)| (key.to_owned(), value)));
        if !self.notes.warnings.is_empty() {
            body.insert("warnings".to_owned(), list_of(&self.notes.warnings));
        }
        if self.notes.restart {
            body.insert("restartRequired".to_owned(), true.into());
        }
        body.into()
    }
}

/// Edits an existing file.
///
/// # Errors
///
/// The errors of `edit`; 404, 500 or 400 if the file is missing, does not parse or is not a mapping; 400 if the schema
/// forbids the result, or it is too large; 500 if it cannot be written. The
/// file is unchanged then.
pub(super) async fn edit<T: Send + 'static>(
    call: &Call,
    admin: &Admin,
    file: &FileName,
    edit: impl FnOnce(&mut Document) -> Result<T, ApiError> + Send + 'static,
) -> Result<Changed<T>, ApiError> {
    let is_main = file.as_str() == call.store.main();
    let name = file.as_str().to_owned();
    let files = Arc::clone(&call.store);
    let by = Author::new(admin.name(), Via::Api);
    store(&call.store, by, file.as_str(), move |bytes| {
        let bytes = bytes.ok_or_else(|| ApiError::not_found(format!("config file `{name}` not found")))?;
        let before = parsed(&files, &name, bytes).map_err(|error| ApiError::broken_file(&name, &error))?;
        before.mapping()?;
        let mut after = before.clone();
        let outcome = edit(&mut after)?;
        let print = Document::into_stored;
        validate_and_print(
            after,
            Some(&before),
            |_, problems| new_errors(&check(&before), problems),
            is_main,
            print,
            outcome,
        )
    })
    .await
}

/// Replaces a file as a whole, or creates it. The old file need not be readable, so this can repair it.
///
/// # Errors
///
/// 400 if the schema forbids the new content, or it is too large; 500 if it cannot be written.
pub(super) async fn replace(
    call: &Call,
    admin: &Admin,
    file: &FileName,
    after: Document,
) -> Result<Changed<()>, ApiError> {
    let is_main = file.as_str() == call.store.main();
    let name = file.as_str().to_owned();
    let files = Arc::clone(&call.store);
    let by = Author::new(admin.name(), Via::Api);
    store(&call.store, by, file.as_str(), move |bytes| {
        let before = bytes.and_then(|bytes| parsed(&files, &name, bytes).ok());
        let after = match before.as_deref() {
            Some(before) => after.spelled_like(before),
            None => after,
        };
        let print = Document::into_stored;
        validate_and_print(after, before.as_deref(), |_, problems| new_errors(&[], problems), is_main, print, ())
    })
    .await
}

/// Replaces a file with a draft of the editor, if the file is unchanged since the draft began, or in any state if
/// `version` is `None`. Existing problems do not block it. The text is stored as it is, with comments.
///
/// # Errors
///
/// 409 if the file has changed; otherwise as for [`edit`].
pub(in crate::routes) async fn save_draft(
    files: &Arc<Store>,
    by: &str,
    name: &str,
    version: Option<String>,
    after: Document,
) -> Result<Changed<()>, ApiError> {
    let is_main = name == files.main();
    let (owned, kept) = (name.to_owned(), Arc::clone(files));
    store(files, Author::new(by, Via::Editor), name, move |bytes| {
        if let Some(version) = &version {
            check_version(&owned, version, bytes)?;
        }
        let before = bytes.and_then(|bytes| parsed(&kept, &owned, bytes).ok());
        after.mapping()?;
        let new = |after: &Document, problems: &[Problem]| match before.as_deref() {
            Some(before) => new_errors_of_draft(before, after, problems),
            None => new_errors(&[], problems),
        };
        validate_and_print(after, before.as_deref(), new, is_main, Document::into_stored_as_read, ())
    })
    .await
}

/// Refuses a draft of another state of its file.
///
/// # Errors
///
/// 409 if the content of the file is not that of the version.
pub(in crate::routes) fn check_version(name: &str, version: &str, bytes: Option<&Bytes>) -> Result<(), ApiError> {
    if version == version_of(bytes) {
        return Ok(());
    }
    let message = format!(
        "`{name}` has been changed since you began to edit. Your draft is kept: load the file as it is now, or save over it."
    );
    Err(ApiError::new(StatusCode::CONFLICT, message))
}

/// Identifies a state of a file; empty for a missing file.
pub(in crate::routes) fn version_of(bytes: Option<&Bytes>) -> String {
    bytes.map(|bytes| entity_tag::of(bytes).trim_matches('"').to_owned()).unwrap_or_default()
}

async fn store<T: Send + 'static>(
    files: &Arc<Store>,
    by: Author,
    name: &str,
    edit: impl FnOnce(Option<&Bytes>) -> Result<Edited<(T, Notes)>, ApiError> + Send + 'static,
) -> Result<Changed<T>, ApiError> {
    let WriteResult { backup, outcome: (outcome, notes) } = files.change(by.clone(), name, edit).await?;
    tracing::info!("`{name}` was written {by}");
    Ok(Changed { outcome, backup, notes })
}

/// The content of a file. Usually a page is rendered from it, so it has been parsed already.
fn parsed(store: &Store, name: &str, bytes: &Bytes) -> Result<Loaded, DocumentError> {
    match store.watched(name).filter(|watched| watched.bytes == *bytes) {
        Some(watched) => Ok(Loaded::Watched(watched)),
        None => Document::parse(bytes).map(Loaded::Read),
    }
}

/// Refuses new errors; returns the problems that do not block, without notes. `new` returns the new ones, and is only
/// called if there are errors.
fn reject_new_errors(
    new: impl FnOnce(&[Problem]) -> Vec<Problem>,
    mut problems: Vec<Problem>,
) -> Result<Vec<Problem>, ApiError> {
    problems.retain(|problem| problem.severity != Severity::Note);
    if problems.iter().any(|problem| problem.severity == Severity::Error) {
        let new = new(&problems);
        if !new.is_empty() {
            return Err(ApiError::schema(new));
        }
    }
    // Errors come first, since the list may be cut.
    let (errors, warnings): (Vec<_>, Vec<_>) =
        problems.into_iter().partition(|problem| problem.severity == Severity::Error);
    Ok(errors.into_iter().chain(warnings).collect())
}

/// The document as the new content of its file, if the schema allows it. `new` returns the errors that the change caused,
/// `write` the text.
fn validate_and_print<T>(
    after: Document,
    before: Option<&Document>,
    new: impl FnOnce(&Document, &[Problem]) -> Vec<Problem>,
    is_main: bool,
    write: fn(Document) -> Result<(Bytes, Document), TooLarge>,
    outcome: T,
) -> Result<Edited<(T, Notes)>, ApiError> {
    let (config, notes) = if is_main {
        let config = Config::read(&after)?;
        let warnings = reject_new_errors(|problems| new(&after, problems), check_read(&after, &config))?;
        (Some(config), Notes { warnings, restart: needs_restart(before, &after) })
    } else {
        // The schema does not apply to the files of pages.
        (None, Notes { warnings: check_page_file(&after), restart: false })
    };
    let (bytes, document) = write(after).map_err(|error| ApiError::bad_request(error.to_string()))?;
    Ok(Edited { bytes, document, config, outcome: (outcome, notes) })
}

/// The kind of sign-in is determined at start, so changes to it need a restart; changes to users apply at once.
fn needs_restart(before: Option<&Document>, after: &Document) -> bool {
    before.and_then(settled_part) != settled_part(after)
}

fn settled_part(document: &Document) -> Option<Map<String, Value>> {
    // The old form is a list that contains only users.
    let mut auth = document.value().get("appConfig")?.get("auth")?.as_object()?.clone();
    auth.shift_remove("users");
    auth.retain(|_, value| !value.is_null());
    (!auth.is_empty()).then_some(auth)
}

/// A body that must be an object.
///
/// # Errors
///
/// 400 for an array.
pub(super) fn object(body: Value) -> Result<Map<String, Value>, ApiError> {
    match body {
        Value::Object(fields) => Ok(fields),
        _ => Err(ApiError::bad_request("the body must be a JSON object")),
    }
}
