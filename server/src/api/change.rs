//! Changing a stored file: read, edit, validate, back up, write (api.md 8 and 9).

use bytes::Bytes;
use config::{Document, Problem, Severity, check, check::new_errors};
use serde_json::{Map, Value, json};

use super::endpoint::Call;
use crate::{
    auth::Admin,
    error::{ApiError, list_of},
    store::{FileName, Written},
};

/// A change that was stored.
#[derive(Clone, Debug)]
pub(super) struct Changed<T> {
    /// What the edit gave.
    pub outcome: T,
    backup: Option<String>,
    notes: Notes,
}

/// What the person should know about a change.
#[derive(Clone, Debug, Default)]
struct Notes {
    /// What is wrong in the config and was so before.
    warnings: Vec<Problem>,
    restart: bool,
}

impl<T> Changed<T> {
    /// The body of the answer.
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

/// Edits a file that exists.
///
/// # Errors
///
/// What `edit` gives; 404, 500 or 400 for a file that is not there, does not parse or is no mapping; 400 for what the
/// schema forbids or what is too large; 500 when it cannot be written. Nothing has changed then.
pub(super) async fn edit<T: Send + 'static>(
    call: &Call,
    admin: &Admin,
    file: &FileName,
    edit: impl FnOnce(&mut Document) -> Result<T, ApiError> + Send + 'static,
) -> Result<Changed<T>, ApiError> {
    let is_main = file.as_str() == call.portico.store.main();
    let name = file.as_str().to_owned();
    store(call, admin, file, move |bytes| {
        let bytes = bytes.ok_or_else(|| ApiError::not_found(format!("config file `{name}` not found")))?;
        let before = Document::parse(bytes).map_err(|error| ApiError::broken_file(&name, &error))?;
        before.mapping()?;
        let mut after = before.clone();
        let outcome = edit(&mut after)?;
        let known = if is_main { check(&before) } else { Vec::new() };
        let warnings = if is_main { judge(&known, &after)? } else { Vec::new() };
        let restart = is_main && needs_restart(Some(&before), &after);
        Ok((text_of(&after)?, (outcome, Notes { warnings, restart })))
    })
    .await
}

/// Replaces a file as a whole, or creates it. What was there need not be readable: this is how it is mended.
///
/// # Errors
///
/// 400 for what the schema forbids, since there is no before, or for what is too large; 500 when it cannot be written.
pub(super) async fn replace(
    call: &Call,
    admin: &Admin,
    file: &FileName,
    after: Document,
) -> Result<Changed<()>, ApiError> {
    let is_main = file.as_str() == call.portico.store.main();
    store(call, admin, file, move |bytes| {
        let warnings = if is_main { judge(&[], &after)? } else { Vec::new() };
        let before = bytes.and_then(|bytes| Document::parse(bytes).ok());
        let restart = is_main && needs_restart(before.as_ref(), &after);
        Ok((text_of(&after)?, ((), Notes { warnings, restart })))
    })
    .await
}

async fn store<T: Send + 'static>(
    call: &Call,
    admin: &Admin,
    file: &FileName,
    edit: impl FnOnce(Option<&Bytes>) -> Result<(String, (T, Notes)), ApiError> + Send + 'static,
) -> Result<Changed<T>, ApiError> {
    let Written { backup, outcome: (outcome, notes) } = call.portico.store.change(file.as_str(), edit).await?;
    tracing::info!("`{file}` was written through the API by {}", admin.name());
    Ok(Changed { outcome, backup, notes })
}

/// Refuses new errors; gives the problems that do not block.
fn judge(known: &[Problem], after: &Document) -> Result<Vec<Problem>, ApiError> {
    let problems = check(after);
    let new = new_errors(known, &problems);
    if !new.is_empty() {
        return Err(ApiError::schema(new));
    }
    // Errors first: the list may be cut.
    let (errors, warnings): (Vec<_>, Vec<_>) =
        problems.into_iter().partition(|problem| problem.severity == Severity::Error);
    Ok(errors.into_iter().chain(warnings).collect())
}

fn text_of(document: &Document) -> Result<String, ApiError> {
    document.print_for_storage().map_err(|error| ApiError::bad_request(error.to_string()))
}

/// The kind of sign-in is settled at start, so a change of it waits for the next one; users count at once.
fn needs_restart(before: Option<&Document>, after: &Document) -> bool {
    before.and_then(settled_part) != settled_part(after)
}

fn settled_part(document: &Document) -> Option<Map<String, Value>> {
    // The old form, a list, holds nothing but users.
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
