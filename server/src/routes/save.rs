//! `POST /config-manager/save`: saves a config for programs written for Dashy (docs/spec/behavior.md 22.1).

use std::sync::Arc;

use axum::{
    extract::{Request, State},
    response::{IntoResponse as _, Response},
};
use bytes::Bytes;
use config::{Config, Document, MAX_WRITTEN_BYTES, Problem, check, check::check_page_file};
use http::StatusCode;
use serde_json::{Value, json};

use super::{
    api::{is_cross_site, read_json},
    error::{ApiError, list_of},
};
use crate::{
    access,
    store::{Author, Edited, FileName, Store, Via, WriteResult},
};

/// Stores a text as a config file.
pub async fn save(State(store): State<Arc<Store>>, request: Request) -> Response {
    match store_text(&store, request).await {
        Ok(body) => axum::Json(body).into_response(),
        Err(error) => error.into_response(),
    }
}

async fn store_text(store: &Arc<Store>, request: Request) -> Result<Value, ApiError> {
    let (parts, body) = request.into_parts();
    let viewer = access::viewer(&parts.extensions)?;
    if is_cross_site(&parts) {
        return Err(ApiError::new(StatusCode::FORBIDDEN, "Forbidden - the request comes from a page of another site"));
    }
    if !viewer.is_admin() {
        return Err(ApiError::admin_required());
    }
    let body = read_json(&parts, body).await?;
    let text = match body.get("config").and_then(Value::as_str) {
        Some(text) if !text.is_empty() => text.to_owned(),
        _ => return Err(ApiError::bad_request("`config` must be text: the config as YAML")),
    };
    if text.len() > MAX_WRITTEN_BYTES {
        return Err(ApiError::bad_request(format!(
            "the config has {} bytes; at most 256 KB ({MAX_WRITTEN_BYTES} bytes) can be stored",
            text.len()
        )));
    }
    let name = file_name(&body, store.main())?;
    let main = store.main().to_owned();
    forbid_locked(store, &viewer).await?;
    let is_main = name == main;
    let author = Author::new(viewer.name_for_log(), Via::Editor);
    let written: WriteResult<Vec<Problem>> =
        store.change(author, &name, move |_| prepare(text, is_main)).await.map_err(with_user)?;
    let WriteResult { backup, outcome: warnings } = written;
    tracing::info!("`{name}` was saved by {}", viewer.name_for_log());
    let message = match &backup {
        Some(backup) => format!("`{name}` was saved, its old content is in `{backup}`"),
        None => format!("`{name}` was saved"),
    };
    let mut answer = json!({ "success": true, "message": message });
    if !warnings.is_empty() {
        answer["warnings"] = list_of(&warnings);
    }
    Ok(answer)
}

/// The name of the file, without anything before the last slash.
fn file_name(body: &Value, main: &str) -> Result<String, ApiError> {
    let sent = body.get("filename").and_then(Value::as_str).unwrap_or_default();
    let bare = sent.rsplit(['/', '\\']).next().unwrap_or_default();
    if sent.is_empty() || bare == main {
        return Ok(main.to_owned());
    }
    let name = FileName::parse(bare).map_err(|error| ApiError::bad_request(error.to_string()))?;
    Ok(name.as_str().to_owned())
}

/// The config on disk decides whether the UI may save; while it cannot be read, its last version does.
///
/// # Errors
///
/// 403 if it forbids saving.
pub(super) async fn forbid_locked(store: &Arc<Store>, viewer: &config::Viewer) -> Result<(), ApiError> {
    let on_disk = store.read_file(store.main()).await.ok();
    let on_disk = on_disk.and_then(|bytes| Config::read(&Document::parse(&bytes).ok()?).ok());
    let permissions = match (&on_disk, &store.site().root) {
        (Some(config), _) => config.app.permissions(viewer),
        (None, Some(root)) => root.config.app.permissions(viewer),
        (None, None) => return Ok(()),
    };
    if permissions.save_to_disk {
        return Ok(());
    }
    let message = "Forbidden - the config forbids saving to disk (preventWriteToDisk or disableConfiguration)";
    Err(ApiError::new(StatusCode::FORBIDDEN, message))
}

fn prepare(text: String, is_main: bool) -> Result<Edited<Vec<Problem>>, ApiError> {
    let bytes = Bytes::from(text);
    let document = Document::parse_shared(&bytes)
        .map_err(|error| ApiError::bad_request(format!("the config is not valid YAML: {error}")))?;
    document.mapping()?;
    let problems = if is_main { check(&document) } else { check_page_file(&document) };
    Ok(Edited { bytes, document, config: None, outcome: problems })
}

/// A hint for mounts with the wrong owner: the user that needs access.
pub(super) fn with_user(mut error: ApiError) -> ApiError {
    if error.status == StatusCode::INTERNAL_SERVER_ERROR
        && let Some(user) = own_user()
    {
        let message = &error.message;
        error.message = format!("{message} (the server runs as user {user})");
    }
    error
}

#[cfg(unix)]
fn own_user() -> Option<u32> {
    use std::os::unix::fs::MetadataExt as _;
    std::fs::metadata("/proc/self").ok().map(|process| process.uid())
}

#[cfg(not(unix))]
fn own_user() -> Option<u32> {
    None
}
