//! A stored file as a document.

use config::Document;
use http::StatusCode;

use super::extract::Call;
use crate::{
    access::Reader,
    routes::error::ApiError,
    store::{FileName, Loaded},
};

/// A file as it is on disk. Files from which pages are rendered are in memory, and are read again only after a change.
///
/// # Errors
///
/// 404 if the file is missing, 500 if it does not parse, 400 if it is not a mapping. The reason why a file cannot be
/// read may quote it, so only admins get it.
pub(super) async fn load(call: &Call, reader: &Reader, file: &FileName) -> Result<Loaded, ApiError> {
    read(call, file).await.map_err(|error| match error.status {
        StatusCode::INTERNAL_SERVER_ERROR if !reader.is_admin() => {
            ApiError::new(error.status, format!("`{file}` cannot be read; admins can see why"))
        }
        _ => error,
    })
}

async fn read(call: &Call, file: &FileName) -> Result<Loaded, ApiError> {
    if let Some(watched) = call.store.watched_now(file.as_str()).await {
        return Ok(Loaded::Watched(watched));
    }
    let bytes = call.store.read_file(file.as_str()).await?;
    let parsed = tokio::task::spawn_blocking(move || Document::parse_shared(&bytes)).await;
    let document = parsed
        .map_err(|error| ApiError::internal(&error))?
        .map_err(|error| ApiError::broken_file(file.as_str(), &error))?;
    document.mapping()?;
    Ok(Loaded::Read(document))
}
