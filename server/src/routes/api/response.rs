//! Responses of the API: JSON, and the headers that all of them have (docs/spec/api.md 10).

use axum::response::{IntoResponse, Response};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use serde::Serialize;
use serde_json::Value;

use crate::routes::error::ApiError;

/// The headers of every response.
pub(super) const COMMON: [(HeaderName, HeaderValue); 4] = [
    (header::CONTENT_TYPE, HeaderValue::from_static("application/json; charset=utf-8")),
    (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    (header::VARY, HeaderValue::from_static("Authorization, Cookie")),
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
];

/// A success.
#[derive(Clone, Debug)]
pub(super) struct ApiSuccess {
    status: StatusCode,
    headers: HeaderMap,
    body: String,
}

impl ApiSuccess {
    /// The requested value, without a wrapper.
    ///
    /// # Errors
    ///
    /// The value cannot be represented in JSON.
    pub(super) fn value(value: &(impl Serialize + ?Sized)) -> Result<Self, ApiError> {
        let body = serde_json::to_string(value).map_err(|error| ApiError::internal(&error))?;
        Ok(Self { status: StatusCode::OK, headers: HeaderMap::new(), body })
    }

    /// A new element, with its address.
    pub(super) fn created(value: &Value, location: &str) -> Result<Self, ApiError> {
        let mut answer = Self { status: StatusCode::CREATED, ..Self::value(value)? };
        // An encoded address is plain ASCII.
        if let Ok(location) = HeaderValue::from_str(location) {
            answer.headers.insert(header::LOCATION, location);
        }
        Ok(answer)
    }
}

impl IntoResponse for ApiSuccess {
    fn into_response(self) -> Response {
        (self.status, self.headers, self.body).into_response()
    }
}
