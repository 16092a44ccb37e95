//! `GET /themes/{version}/{file}`: the style sheet of each theme, and the list that people choose from. They reveal nothing
//! about this dashboard, so they are open.

use std::{
    collections::HashMap,
    sync::{Arc, LazyLock, OnceLock},
};

use axum::{
    extract::{Path, State, rejection::PathRejection},
    response::{IntoResponse as _, Response},
};
use bytes::Bytes;
use http::{HeaderMap, HeaderValue, header, request::Parts};
use serde_json::json;
use themes::Scheme;

use super::{app_state::AppState, files};
use crate::platform::{
    assets::theme_version,
    blocking_pool,
    encoding::{EncodedBody, Encoding},
};

/// Name of the list.
const LIST: &str = "list.json";
/// Maximum length of a theme's name, in bytes (`config::css::is_theme_name`).
const MAX_NAME: usize = 100;

/// Returns one of them. For an unknown name the sheet is empty: a theme that only the config defines needs none,
/// and the name stored in a browser may be old.
pub async fn theme(
    State(portico): State<Arc<AppState>>,
    named: Result<Path<(String, String)>, PathRejection>,
    request: Parts,
) -> Response {
    let not_found = || files::not_found(&portico, request.uri.path(), &request.headers);
    let Ok(Path((version, file))) = named else { return not_found() };
    let (name, content_type) = match file.strip_suffix(".css") {
        Some(name) if name.len() <= MAX_NAME => (name, "text/css; charset=utf-8"),
        None if file == LIST => (LIST, "application/json"),
        _ => return not_found(),
    };
    // A page that was loaded before an update requests an old version.
    let is_current = version == theme_version();
    let lifetime = if is_current { "public, max-age=31536000, immutable" } else { "public, no-cache" };
    let mut headers = HeaderMap::new();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(lifetime));
    headers.insert(header::VARY, HeaderValue::from_static("Accept-Encoding"));
    let (body, encoding) = match THEME_FILES.get(name) {
        Some(file) => ThemeFile::encoded(file, Encoding::accepted(&request.headers)).await,
        None => (Bytes::new(), Encoding::Identity),
    };
    if let Some(encoding) = encoding.header() {
        headers.insert(header::CONTENT_ENCODING, encoding);
    }
    (headers, body).into_response()
}

/// A style sheet or the list, which is the same for everybody.
struct ThemeFile {
    make: Box<dyn Fn() -> String + Send + Sync>,
    body: OnceLock<Arc<EncodedBody>>,
}

/// The style sheets by the names of their themes, and the list.
static THEME_FILES: LazyLock<HashMap<&'static str, Arc<ThemeFile>>> = LazyLock::new(|| {
    let file = |make: Box<dyn Fn() -> String + Send + Sync>| Arc::new(ThemeFile { make, body: OnceLock::new() });
    let sheets = themes::all().iter().map(|theme| {
        let name = theme.name;
        (name, file(Box::new(move || themes::style_sheet(name))))
    });
    sheets.chain([(LIST, file(Box::new(list)))]).collect()
});

impl ThemeFile {
    /// The file in an encoding, made once.
    async fn encoded(file: &Arc<Self>, encoding: Encoding) -> (Bytes, Encoding) {
        if file.body.get().is_none() {
            let file = Arc::clone(file);
            let make = move || _ = file.body.get_or_init(|| Arc::new(EncodedBody::new((file.make)().into())));
            _ = blocking_pool::compute(make).await;
        }
        match file.body.get() {
            Some(body) => EncodedBody::encoded(body, |body| body, encoding).await,
            None => (Bytes::new(), Encoding::Identity),
        }
    }
}

/// Each theme with the colors of its swatch: background, section, accent, text.
fn list() -> String {
    let all = themes::all().iter().map(|theme| {
        let swatch = |scheme| {
            let swatch = theme.swatch(scheme);
            json!([swatch.background, swatch.surface, swatch.primary, swatch.foreground])
        };
        json!({
            "name": theme.name,
            "about": theme.about,
            "hues": theme.hues(),
            "scheme": theme.scheme().map(Scheme::word),
            "light": swatch(Scheme::Light),
            "dark": swatch(Scheme::Dark),
        })
    });
    serde_json::Value::from_iter(all).to_string()
}
