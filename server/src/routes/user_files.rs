//! The user's own files as responses.

use std::{
    fs::Metadata,
    path::PathBuf,
    sync::{Arc, LazyLock},
    time::UNIX_EPOCH,
};

use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use http::{HeaderMap, HeaderValue, StatusCode, header};

use super::{error::ApiError, file_stream, headers::is_unchanged};
use crate::{
    platform::{
        assets::{content_type, etag},
        encoding::{EncodedBody, Encoding},
        io_error::reason,
        recent::Recent,
    },
    store::user_files::UserFile,
};

/// Files up to this size, in bytes, are read at once and get an `ETag` from their content.
const READ_AT_ONCE: u64 = 256 * 1024;
/// The same for texts, which can only be compressed as a whole.
const TEXT_READ_AT_ONCE: u64 = 4 * 1024 * 1024;

/// Texts are kept once they were compressed. There are few.
const MAX_TEXTS: usize = 8;
/// By path and entity tag; `None` for a file that is no text.
type Texts = Recent<(PathBuf, HeaderValue), Option<Arc<Text>>>;
static TEXTS: LazyLock<Texts> = LazyLock::new(|| Recent::new(MAX_TEXTS));

/// A text with its compressed forms.
#[derive(Debug)]
struct Text {
    tag: HeaderValue,
    body: EncodedBody,
}

/// Foreign pictures and pages run no scripts, even when someone opens their address.
const SANDBOX: HeaderValue =
    HeaderValue::from_static("default-src 'none'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; sandbox");

/// Responds with the file. `path` is the requested path, which determines the content type.
pub async fn response(file: &UserFile, path: &str, request: &HeaderMap) -> Response {
    let kind = content_type(path);
    let is_text = is_text(&kind);
    let mut headers = HeaderMap::new();
    headers.insert(header::CONTENT_TYPE, kind);
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    headers.insert(header::CONTENT_SECURITY_POLICY, SANDBOX);
    if is_text {
        headers.insert(header::VARY, HeaderValue::from_static("Accept-Encoding"));
    }
    let length = file.metadata.len();
    let encoding = Encoding::accepted(request);
    let answer = if is_text && length <= TEXT_READ_AT_ONCE && encoding != Encoding::Identity {
        text(file, headers, encoding, request).await
    } else if length <= READ_AT_ONCE {
        whole(file, headers, request).await
    } else {
        streamed(file, headers, request).await
    };
    answer.unwrap_or_else(|error| {
        tracing::warn!("`{path}` cannot be read: {}", reason(&error));
        ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, format!("`{path}`: {}", reason(&error))).into_response()
    })
}

async fn whole(file: &UserFile, mut headers: HeaderMap, request: &HeaderMap) -> std::io::Result<Response> {
    let bytes = Bytes::from(tokio::fs::read(&file.path).await?);
    let tag = etag(&bytes);
    headers.insert(header::ETAG, tag.clone());
    if is_unchanged(request, &tag) {
        return Ok((StatusCode::NOT_MODIFIED, headers).into_response());
    }
    Ok((headers, bytes).into_response())
}

/// A compressed text, which is read and compressed once for all who request it.
async fn text(
    file: &UserFile,
    mut headers: HeaderMap,
    encoding: Encoding,
    request: &HeaderMap,
) -> std::io::Result<Response> {
    let Some(version) = tag_of(&file.metadata) else { return streamed(file, headers, request).await };
    let path = file.path.clone();
    let read = move || {
        let bytes = Bytes::from(std::fs::read(path).ok()?);
        let text = Text { tag: etag(&bytes), body: EncodedBody::new(bytes) };
        text.body.get(encoding);
        text.body.drop_uncompressed();
        Some(Arc::new(text))
    };
    let Some(Some(text)) = TEXTS.get((file.path.clone(), version), read).await else {
        return streamed(file, headers, request).await;
    };
    headers.insert(header::ETAG, text.tag.clone());
    if is_unchanged(request, &text.tag) {
        return Ok((StatusCode::NOT_MODIFIED, headers).into_response());
    }
    let (body, encoding) = EncodedBody::encoded(&text, |text| &text.body, encoding).await;
    if let Some(encoding) = encoding.header() {
        headers.insert(header::CONTENT_ENCODING, encoding);
    }
    Ok((headers, body).into_response())
}

/// The tag of a file that is too large for memory is made from its metadata.
async fn streamed(file: &UserFile, mut headers: HeaderMap, request: &HeaderMap) -> std::io::Result<Response> {
    // Says why, if it cannot be read.
    let metadata = tokio::fs::File::open(&file.path).await?.metadata().await?;
    if let Some(tag) = tag_of(&metadata) {
        headers.insert(header::ETAG, tag.clone());
        if is_unchanged(request, &tag) {
            return Ok((StatusCode::NOT_MODIFIED, headers).into_response());
        }
    }
    headers.insert(header::CONTENT_LENGTH, HeaderValue::from(metadata.len()));
    Ok((headers, file_stream::body(file.path.clone(), &metadata)).into_response())
}

/// Whether compression is worthwhile.
fn is_text(kind: &HeaderValue) -> bool {
    let kind = kind.to_str().unwrap_or_default();
    kind.starts_with("text/")
        || ["application/json", "application/xml", "application/manifest+json", "application/wasm", "image/svg+xml"]
            .iter()
            .any(|text| kind.starts_with(text))
}

/// A weak tag from time, size and inode number of a file.
fn tag_of(metadata: &Metadata) -> Option<HeaderValue> {
    let modified = metadata.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    #[cfg(unix)]
    let number = std::os::unix::fs::MetadataExt::ino(metadata);
    #[cfg(not(unix))]
    let number = 0_u64;
    let text = format!("W/\"{:x}-{:x}-{number:x}\"", modified.as_nanos(), metadata.len());
    HeaderValue::from_str(&text).ok()
}
