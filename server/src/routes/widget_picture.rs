//! `GET /widget-picture/{token}`: the pictures in panels.

use std::sync::Arc;

use axum::{
    extract::{Path, State},
    response::{IntoResponse as _, Response},
};
use config::Viewer;
use http::{HeaderMap, HeaderValue, StatusCode, header, request::Parts};

use super::{headers::is_unchanged, known_hosts};
use crate::{access, panels::Panels, platform::assets::etag};

/// A drawing from another host runs no scripts, even when someone opens its address.
const SANDBOX: HeaderValue =
    HeaderValue::from_static("default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox");

/// Returns one picture. With a query, it is loaded again.
pub async fn widget_picture(State(panels): State<Arc<Panels>>, Path(token): Path<String>, request: Parts) -> Response {
    match access::viewer(&request.extensions) {
        Ok(Viewer::Anonymous) => return StatusCode::NOT_FOUND.into_response(),
        Ok(_) => {}
        Err(denied) => return denied.into_response(),
    }
    if let Err(error) = known_hosts::check(&request.extensions) {
        return error.into_response();
    }
    let is_fresh = request.uri.query().is_some();
    let Some((bytes, media)) = panels.picture(&token, is_fresh).await else {
        return (StatusCode::NOT_FOUND, [(header::CACHE_CONTROL, "no-store")]).into_response();
    };
    let mut headers = HeaderMap::new();
    let tag = etag(&bytes);
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(media.content_type()));
    let cache = if is_fresh { "private, no-cache" } else { "private, max-age=600" };
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(cache));
    headers.insert(header::ETAG, tag.clone());
    headers.insert(header::CONTENT_SECURITY_POLICY, SANDBOX);
    if is_unchanged(&request.headers, &tag) {
        return (StatusCode::NOT_MODIFIED, headers).into_response();
    }
    (headers, bytes).into_response()
}
