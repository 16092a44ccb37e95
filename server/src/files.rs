//! Files: config files as text, the user's own files, the program's files, and what is none of these.

use std::{
    path::{Component, Path, PathBuf},
    sync::{Arc, LazyLock},
};

use axum::{
    body::Body,
    extract::{Request, State},
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use config::Viewer;
use http::{Extensions, HeaderMap, HeaderValue, Method, StatusCode, header};
use percent_encoding::percent_decode_str;
use tokio_util::io::ReaderStream;

use crate::{
    assets::{Asset, content_type, etag},
    auth,
    encoding::{EncodedBody, Encoding},
    error::ApiError,
    headers::is_unchanged,
    pages,
    portico::Portico,
    store::{PageFile, reason},
};

/// Files up to this size are read at once and get an `ETag` of their content.
const READ_AT_ONCE: u64 = 1024 * 1024;

/// Foreign pictures and pages run nothing, even when someone opens their address.
const SANDBOX: HeaderValue =
    HeaderValue::from_static("default-src 'none'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; sandbox");

/// Everything that no route names: in this order a config file, a file of the user, a file of the program.
pub async fn any(State(portico): State<Arc<Portico>>, request: Request) -> Response {
    if request.method() != Method::GET && request.method() != Method::HEAD {
        return method_not_allowed(request.method().clone())
            .await
            .with_header(header::ALLOW, HeaderValue::from_static("GET, HEAD"))
            .into_response();
    }
    let Some(path) = relative_path(request.uri().path()) else {
        return not_found(&portico, request.uri().path(), request.headers());
    };
    let hashed = portico.assets.get(&path).filter(|asset| asset.immutable);
    if let Some(asset) = hashed {
        return asset_response(asset, request.headers());
    }
    if is_config_name(&path) {
        return config_text(&portico, &path, request.extensions(), request.headers()).await;
    }
    if let Some(response) = user_file(&portico, &path, request.extensions(), request.headers()).await {
        return response;
    }
    match portico.assets.get(&path) {
        Some(asset) => asset_response(asset, request.headers()),
        None => not_found(&portico, request.uri().path(), request.headers()),
    }
}

/// `GET /download`: the root config as text, for whoever may see it.
pub async fn download(State(portico): State<Arc<Portico>>, request: Request) -> Response {
    if let Err(denied) = auth::viewer(request.extensions()) {
        return denied.into_response();
    }
    config_text(&portico, portico.store.main(), request.extensions(), request.headers()).await
}

/// `GET /schema.json`: the JSON Schema of `conf.yml`, for editors. It says nothing about this dashboard, so it is open.
pub async fn schema(request: HeaderMap) -> Response {
    static SCHEMA: LazyLock<(Bytes, HeaderValue)> = LazyLock::new(|| {
        let text = Bytes::from(crate::schema::json_schema().to_string());
        let tag = etag(&text);
        (text, tag)
    });
    let (text, tag) = &*SCHEMA;
    let mut headers = HeaderMap::new();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/schema+json"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("public, no-cache"));
    headers.insert(header::ETAG, tag.clone());
    if is_unchanged(&request, tag) {
        return (StatusCode::NOT_MODIFIED, headers).into_response();
    }
    (headers, text.clone()).into_response()
}

/// A path without its leading slash, percent-decoded, that names nothing hidden and stays below its root.
fn relative_path(path: &str) -> Option<String> {
    let decoded = percent_decode_str(path.trim_start_matches('/')).decode_utf8().ok()?;
    let is_plain =
        |part: Component<'_>| matches!(part, Component::Normal(name) if !name.to_string_lossy().starts_with('.'));
    let safe = !decoded.is_empty()
        && !decoded.contains(['\\', '\0'])
        && !decoded.contains("//")
        && Path::new(decoded.as_ref()).components().all(is_plain);
    safe.then(|| decoded.into_owned())
}

/// A config file lies directly in the user-data directory.
fn is_config_name(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    !path.contains('/') && (lower.ends_with(".yml") || lower.ends_with(".yaml"))
}

/// A config file as this viewer may see it (behaviour.md 22): as on disk for admins, filtered for others.
async fn config_text(portico: &Portico, name: &str, asker: &Extensions, request: &HeaderMap) -> Response {
    let site = portico.store.site();
    let viewer = match auth::viewer(asker) {
        Ok(viewer) => viewer,
        Err(denied) => {
            let told = if name == portico.store.main() { auth::how_to_sign_in(portico, &site, request) } else { None };
            return told.unwrap_or_else(|| denied.into_response());
        }
    };
    let loaded = if name == portico.store.main() {
        site.root.as_ref().filter(|_| site.failure.is_none())
    } else {
        site.pages.get(name).and_then(PageFile::current)
    };
    let text = match (loaded, &viewer) {
        (Some(file), Viewer::Admin(_)) => file.bytes.clone(),
        (Some(file), viewer) if may_see_file(&site, name, viewer) => file.document.text_for(viewer).into(),
        (Some(_), _) => return ApiError::new(StatusCode::NOT_FOUND, format!("`{name}` not found")).into_response(),
        // Files that no page names, and broken ones, are for those who can mend them.
        (None, Viewer::Admin(_)) => match portico.store.read_file(name).await {
            Ok(bytes) => bytes,
            Err(failure) if failure.is_missing() => {
                return ApiError::new(StatusCode::NOT_FOUND, format!("`{name}` not found")).into_response();
            }
            Err(failure) => {
                return ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, format!("`{name}`: {}", failure.reason))
                    .into_response();
            }
        },
        (None, _) => return ApiError::new(StatusCode::NOT_FOUND, format!("`{name}` not found")).into_response(),
    };
    let tag = etag(&text);
    let mut headers = HeaderMap::new();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/yaml; charset=utf-8"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    headers.insert(header::VARY, HeaderValue::from_static("Accept-Encoding, Authorization, Cookie"));
    headers.insert(header::ETAG, tag.clone());
    if is_unchanged(request, &tag) {
        return (StatusCode::NOT_MODIFIED, headers).into_response();
    }
    let (body, encoding) = EncodedBody::new(text).get(Encoding::accepted(request));
    if let Some(encoding) = encoding.header() {
        headers.insert(header::CONTENT_ENCODING, encoding);
    }
    (headers, body).into_response()
}

/// Whether a viewer may read a page's file: one of the pages that name it must be visible to them.
fn may_see_file(site: &crate::store::Site, name: &str, viewer: &Viewer) -> bool {
    let Some(root) = &site.root else { return false };
    let source = config::model::PageSource::File(name.to_owned());
    let mut named = root.config.pages.iter().filter(|page| page.source == source).peekable();
    named.peek().is_none() || named.any(|page| viewer.sees(&page.visibility))
}

/// A file of the user-data directory. Links are followed as long as they stay inside.
async fn user_file(portico: &Portico, path: &str, asker: &Extensions, request: &HeaderMap) -> Option<Response> {
    if path.split('/').next() == Some("config-backups") {
        return None;
    }
    let (file, metadata) = find(portico.store.directory(), path).await?;
    if let Err(denied) = auth::viewer(asker) {
        return Some(denied.into_response());
    }
    let mut headers = HeaderMap::new();
    headers.insert(header::CONTENT_TYPE, content_type(path));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    headers.insert(header::CONTENT_SECURITY_POLICY, SANDBOX);
    let failed = |error: std::io::Error| {
        tracing::warn!("`{path}` cannot be read: {}", reason(&error));
        ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, format!("`{path}`: {}", reason(&error))).into_response()
    };
    if metadata.len() <= READ_AT_ONCE {
        let bytes = match tokio::fs::read(&file).await {
            Ok(bytes) => bytes,
            Err(error) => return Some(failed(error)),
        };
        let tag = etag(&bytes);
        headers.insert(header::ETAG, tag.clone());
        if is_unchanged(request, &tag) {
            return Some((StatusCode::NOT_MODIFIED, headers).into_response());
        }
        return Some((headers, bytes).into_response());
    }
    match tokio::fs::File::open(&file).await {
        Ok(file) => {
            headers.insert(header::CONTENT_LENGTH, HeaderValue::from(metadata.len()));
            Some((headers, Body::from_stream(ReaderStream::new(file))).into_response())
        }
        Err(error) => Some(failed(error)),
    }
}

/// The content of a file of the user, for a widget; the same files that [`any`] hands out, up to a size. Config files
/// are none: each viewer has their own view of those.
pub async fn content(directory: &Path, path: &str, most_bytes: usize) -> Option<(Bytes, HeaderValue)> {
    let path = relative_path(path)?;
    if is_config_name(&path) || path.split('/').next() == Some("config-backups") {
        return None;
    }
    let (file, metadata) = find(directory, &path).await?;
    if usize::try_from(metadata.len()).ok()? > most_bytes {
        return None;
    }
    let bytes = tokio::fs::read(&file).await.ok()?;
    Some((bytes.into(), content_type(&path)))
}

async fn find(directory: &Path, path: &str) -> Option<(PathBuf, std::fs::Metadata)> {
    let root = tokio::fs::canonicalize(directory).await.ok()?;
    let file = tokio::fs::canonicalize(directory.join(path)).await.ok()?;
    let metadata = tokio::fs::metadata(&file).await.ok()?;
    // A link leads to the key of the sessions no more than its own name does.
    let is_key = file.file_name().is_some_and(|name| name == auth::KEY_FILE);
    (file.starts_with(root) && metadata.is_file() && !is_key).then_some((file, metadata))
}

fn asset_response(asset: &Asset, request: &HeaderMap) -> Response {
    let mut headers = HeaderMap::new();
    let lifetime = if asset.immutable { "public, max-age=31536000, immutable" } else { "public, no-cache" };
    headers.insert(header::CONTENT_TYPE, asset.content_type.clone());
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(lifetime));
    headers.insert(header::VARY, HeaderValue::from_static("Accept-Encoding"));
    headers.insert(header::ETAG, asset.etag.clone());
    if is_unchanged(request, &asset.etag) {
        return (StatusCode::NOT_MODIFIED, headers).into_response();
    }
    let (body, encoding) = asset.body(Encoding::accepted(request));
    if let Some(encoding) = encoding.header() {
        headers.insert(header::CONTENT_ENCODING, encoding);
    }
    (headers, body).into_response()
}

/// What is said to a method that a path does not know.
pub async fn method_not_allowed(method: Method) -> ApiError {
    ApiError::new(StatusCode::METHOD_NOT_ALLOWED, format!("{method} is not allowed here"))
}

/// The not-found page, or JSON for a client that prefers it.
pub fn not_found(portico: &Portico, path: &str, request: &HeaderMap) -> Response {
    let accept = request.get(header::ACCEPT).and_then(|accept| accept.to_str().ok()).unwrap_or_default();
    let json = accept.find("application/json");
    let html = accept.find("text/html");
    if json.is_some() && html.is_none_or(|html| json.is_some_and(|json| json < html)) {
        return ApiError::new(StatusCode::NOT_FOUND, "Not found").into_response();
    }
    pages::not_found_response(portico, path)
}

#[cfg(test)]
mod tests {
    use super::relative_path;

    #[test]
    fn paths_stay_below_their_root() {
        for (path, expected) in [
            ("/item-icons/a.png", Some("item-icons/a.png")),
            ("/Gr%C3%B6%C3%9Fe.png", Some("Größe.png")),
            ("/", None),
            ("/../etc/passwd", None),
            ("/%2e%2e/etc/passwd", None),
            ("/a/..%2f..%2fetc/passwd", None),
            ("/a/./b", Some("a/./b")),
            ("/.cache/x", None),
            ("/a/.hidden", None),
            ("/a//b", None),
            ("/a%5Cb", None),
            ("/a%00b", None),
            ("/%ff", None),
        ] {
            assert_eq!(relative_path(path).as_deref(), expected, "{path}");
        }
    }
}
