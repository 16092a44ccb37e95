//! Files: config files as text, the user's own files, the program's files, and not-found responses.

use std::sync::{Arc, LazyLock};

use axum::{
    extract::{Request, State},
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use config::{Viewer, model::PageSource, slug::is_root_page};
use http::{Extensions, HeaderMap, HeaderValue, Method, StatusCode, header};
use percent_encoding::percent_decode_str;
use url::{Url, form_urlencoded};

use crate::{
    access,
    platform::{
        assets::{Asset, etag},
        blocking_pool,
        encoding::{EncodedBody, Encoding},
        recent::Recent,
    },
    routes::{
        app_state::AppState, error::ApiError, headers::is_unchanged, known_hosts, offline, pages, sign_in, user_files,
    },
    store::{
        Site, SubPageFile,
        user_files::{NameKind, UserFile, hides_plain_text, relative_path},
    },
};

/// All paths without a route: a config file, a file of the user or a file of the program, in this order.
pub async fn any(State(portico): State<Arc<AppState>>, request: Request) -> Response {
    if request.method() != Method::GET && request.method() != Method::HEAD {
        return method_not_allowed(request.method().clone())
            .await
            .with_header(header::ALLOW, HeaderValue::from_static("GET, HEAD"))
            .into_response();
    }
    let Some(path) = relative_path(request.uri().path()) else {
        return not_found(&portico, request.uri().path(), request.headers());
    };
    if NameKind::of(&path) == NameKind::Config && hides_plain_text(request.uri().path()) {
        return not_found(&portico, request.uri().path(), request.headers());
    }
    let hashed = portico.assets.get(&path).filter(|asset| asset.immutable);
    if let Some(asset) = hashed {
        return asset_response(asset, request.headers()).await;
    }
    if let Some(response) = user_file(&portico, &path, request.extensions(), request.headers()).await {
        return response;
    }
    if path == "manifest.json" {
        let (query, asker, headers) = (request.uri().query(), request.extensions(), request.headers());
        if let Some(response) = offline::manifest(&portico, query, asker, headers).await {
            return response;
        }
    }
    match portico.assets.get(&path) {
        Some(asset) => asset_response(asset, request.headers()).await,
        None => not_found(&portico, request.uri().path(), request.headers()),
    }
}

/// `GET /download`: the config of a page as text, for viewers who may see it. The page is the one in the query
/// (`?page=lab`), or else the one from which the link was followed, or else the root.
pub async fn download(State(portico): State<Arc<AppState>>, request: Request) -> Response {
    let viewer = match access::viewer(request.extensions()) {
        Ok(viewer) => viewer,
        Err(denied) => return denied.into_response(),
    };
    let site = portico.store.site();
    let name = match &site.root {
        Some(root) => {
            let app = &root.config.app;
            if app.disable_configuration || (app.disable_configuration_for_non_admin && !viewer.is_admin()) {
                let message = "Forbidden - the config turns this off (disableConfiguration)";
                return ApiError::new(StatusCode::FORBIDDEN, message).into_response();
            }
            let page = requested_page(&request).filter(|page| !is_root_page(page));
            let page = page.and_then(|page| root.config.page(&page, &viewer));
            match page.map(|page| &page.source) {
                Some(PageSource::File(file)) => file.clone(),
                // A remote page has no file here.
                Some(PageSource::Remote(_)) => {
                    return ApiError::not_found("the page is on another host").into_response();
                }
                None => portico.store.main().to_owned(),
            }
        }
        None => portico.store.main().to_owned(),
    };
    config_text(&portico, &name, request.extensions(), request.headers()).await
}

/// The page named in the query of a request, or the page that it comes from: `/home/lab` and `/minimal/lab/racks` mean `lab`.
fn requested_page(request: &Request) -> Option<String> {
    let query = form_urlencoded::parse(request.uri().query().unwrap_or_default().as_bytes());
    let named = query.into_iter().find(|(key, _)| key == "page").map(|(_, page)| page.into_owned());
    named.or_else(|| {
        let from = Url::parse(request.headers().get(header::REFERER)?.to_str().ok()?).ok()?;
        let mut segments =
            from.path_segments()?.skip_while(|segment| !["home", "minimal", "workspace"].contains(segment));
        let page = segments.nth(1)?;
        Some(percent_decode_str(page).decode_utf8_lossy().into_owned())
    })
}

/// `GET /schema.json`: the JSON Schema of `conf.yml`, for editors. It reveals nothing about this dashboard, so it is open.
pub async fn schema(request: HeaderMap) -> Response {
    static SCHEMA: LazyLock<(Bytes, HeaderValue)> = LazyLock::new(|| {
        let text = Bytes::from(crate::routes::schema::json_schema().to_string());
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

/// A file of the user-data directory: unchanged, or the part that the viewer may see if it is a config file.
async fn user_file(portico: &AppState, path: &str, asker: &Extensions, headers: &HeaderMap) -> Option<Response> {
    // Files from which pages are rendered are in memory; behind a link, they may be outside of the directory.
    let makes_pages = |name: &str| name == portico.store.main() || portico.store.site().pages.contains_key(name);
    let is_bare_config = !path.contains('/') && NameKind::of(path) == NameKind::Config;
    if is_bare_config || makes_pages(path) {
        return Some(config_text(portico, path, asker, headers).await);
    }
    let file = match UserFile::find(portico.store.directory(), path).await {
        Some(file) => file,
        None => old_file(portico, path).await?,
    };
    // Only admins may see more of the file than others. Without sign-in, everybody is an admin.
    if !file.is_for(&Viewer::Guest)
        && let Err(error) = known_hosts::check(asker)
    {
        return Some(error.into_response());
    }
    // The target of a link has its own name, whose visibility applies.
    if file.is_config() || makes_pages(&file.true_name) {
        return Some(config_text(portico, &file.true_name, asker, headers).await);
    }
    match access::viewer(asker) {
        Ok(viewer) if file.is_for(&viewer) => Some(user_files::response(&file, path, headers).await),
        Ok(_) => None,
        Err(denied) => Some(denied.into_response()),
    }
}

/// A picture or a style sheet in the folder that old containers used.
async fn old_file(portico: &AppState, path: &str) -> Option<UserFile> {
    let folder = portico.settings.old_user_data.as_ref()?;
    let is_kept = path.starts_with("item-icons/") || (path.ends_with(".css") && !path.contains('/'));
    if is_kept { UserFile::find(folder, path).await } else { None }
}

/// A config file as this viewer may see it (docs/spec/behavior.md 22): as on disk for admins, filtered for others.
async fn config_text(portico: &AppState, name: &str, asker: &Extensions, request: &HeaderMap) -> Response {
    let site = portico.store.site();
    let viewer = match access::viewer(asker) {
        Ok(viewer) => viewer,
        Err(denied) => {
            let told =
                if name == portico.store.main() { sign_in::how_to_sign_in(portico, &site, request) } else { None };
            return told.unwrap_or_else(|| denied.into_response());
        }
    };
    if let Err(error) = known_hosts::check(asker) {
        return error.into_response();
    }
    let loaded = if name == portico.store.main() {
        site.root.as_ref().filter(|_| site.failure.is_none())
    } else {
        site.pages.get(name).and_then(SubPageFile::current)
    };
    let for_viewer = match &viewer {
        Viewer::Admin(_) => None,
        viewer => Some(viewer.clone()),
    };
    let text = match (loaded, for_viewer) {
        (Some(file), for_viewer) if for_viewer.as_ref().is_none_or(|viewer| may_see_file(&site, name, viewer)) => {
            let (file, wanted) = (Arc::clone(file), for_viewer.clone());
            let make = move || {
                let text = wanted.map_or_else(|| file.bytes.clone(), |viewer| file.document.text_for(&viewer).into());
                ConfigText::new(text)
            };
            portico.config_texts.get((site.revision, name.to_owned(), for_viewer), make).await
        }
        // A link may have led here, and its target is not for others.
        (Some(_), _) | (None, Some(_)) => return ApiError::not_found("not found").into_response(),
        // Files that no page names, and broken ones, are for those who can repair them.
        (None, None) => match portico.store.read_file(name).await {
            Ok(bytes) => blocking_pool::compute(move || ConfigText::new(bytes)).await.ok(),
            Err(failure) if failure.is_missing() => {
                return ApiError::new(StatusCode::NOT_FOUND, format!("`{name}` not found")).into_response();
            }
            Err(failure) => {
                return ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, format!("`{name}`: {}", failure.reason))
                    .into_response();
            }
        },
    };
    let Some(text) = text else { return StatusCode::INTERNAL_SERVER_ERROR.into_response() };
    let mut headers = HeaderMap::new();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/yaml; charset=utf-8"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    headers.insert(header::VARY, HeaderValue::from_static("Accept-Encoding, Authorization, Cookie"));
    headers.insert(header::ETAG, text.tag.clone());
    if is_unchanged(request, &text.tag) {
        return (StatusCode::NOT_MODIFIED, headers).into_response();
    }
    let (body, encoding) = EncodedBody::encoded(&text, |text| &text.body, Encoding::accepted(request)).await;
    if let Some(encoding) = encoding.header() {
        headers.insert(header::CONTENT_ENCODING, encoding);
    }
    (headers, body).into_response()
}

/// The text of a config file for the viewers who get the same.
#[derive(Debug)]
pub struct ConfigText {
    tag: HeaderValue,
    body: EncodedBody,
}

impl ConfigText {
    fn new(text: Bytes) -> Arc<Self> {
        Arc::new(Self { tag: etag(&text), body: EncodedBody::new(text) })
    }
}

/// The texts of config files that were requested last, by revision, file and viewer; `None` stands for all who get the whole
/// file.
pub type ConfigTexts = Recent<(u64, String, Option<Viewer>), Arc<ConfigText>>;

/// Maximum number of them. Each is as large as a config file.
pub const MAX_CONFIG_TEXTS: usize = 4;

/// Whether a viewer may read a page's file: one of the pages that name it must be visible to them.
fn may_see_file(site: &Site, name: &str, viewer: &Viewer) -> bool {
    let Some(root) = &site.root else { return false };
    let source = PageSource::File(name.to_owned());
    let mut named = root.config.pages.iter().filter(|page| page.source == source).peekable();
    named.peek().is_none() || named.any(|page| viewer.sees(&page.visibility))
}

async fn asset_response(asset: &Arc<Asset>, request: &HeaderMap) -> Response {
    let mut headers = HeaderMap::new();
    headers.insert(header::CONTENT_TYPE, asset.content_type.clone());
    headers.insert(header::VARY, HeaderValue::from_static("Accept-Encoding"));
    if asset.immutable {
        // Browsers never ask whether it has changed, so it needs no ETag.
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=31536000, immutable"));
    } else {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("public, no-cache"));
        headers.insert(header::ETAG, asset.etag.clone());
        if is_unchanged(request, &asset.etag) {
            return (StatusCode::NOT_MODIFIED, headers).into_response();
        }
    }
    let accepted = Encoding::accepted(request);
    let (body, encoding) = match asset.ready(accepted) {
        Some(ready) => ready,
        None => {
            let asset = Arc::clone(asset);
            let made = blocking_pool::compute(move || asset.body(accepted)).await;
            made.unwrap_or((Bytes::new(), Encoding::Identity))
        }
    };
    if let Some(encoding) = encoding.header() {
        headers.insert(header::CONTENT_ENCODING, encoding);
    }
    (headers, body).into_response()
}

/// The response to a method that a path does not support.
pub async fn method_not_allowed(method: Method) -> ApiError {
    ApiError::new(StatusCode::METHOD_NOT_ALLOWED, format!("{method} is not allowed here"))
}

/// The not-found page, or JSON for a client that prefers it.
pub fn not_found(portico: &AppState, path: &str, request: &HeaderMap) -> Response {
    let accept = request.get(header::ACCEPT).and_then(|accept| accept.to_str().ok()).unwrap_or_default();
    let json = accept.find("application/json");
    let html = accept.find("text/html");
    if json.is_some() && html.is_none_or(|html| json.is_some_and(|json| json < html)) {
        return ApiError::new(StatusCode::NOT_FOUND, "Not found").into_response();
    }
    pages::not_found_response(portico, path, request)
}
