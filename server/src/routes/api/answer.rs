//! Answers of the API: JSON, and the headers that all of them bear (docs/spec/api.md 10).

use axum::{
    body::Body,
    response::{IntoResponse as _, Response},
};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use serde::Serialize;
use serde_json::Value;

use crate::routes::error::ApiError;

const COMMON: [(HeaderName, HeaderValue); 4] = [
    (header::CONTENT_TYPE, HeaderValue::from_static("application/json; charset=utf-8")),
    (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    (header::VARY, HeaderValue::from_static("Authorization, Cookie")),
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
];

/// A success.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    status: StatusCode,
    headers: HeaderMap,
    body: String,
}

impl Answer {
    /// What was asked for, without any wrapper.
    ///
    /// # Errors
    ///
    /// None for what JSON can hold.
    pub(super) fn value(value: &(impl Serialize + ?Sized)) -> Result<Self, ApiError> {
        let body = serde_json::to_string(value).map_err(|error| ApiError::internal(&error))?;
        Ok(Self { status: StatusCode::OK, headers: HeaderMap::new(), body })
    }

    /// Something new, and where it is.
    pub(super) fn created(value: &Value, location: &str) -> Result<Self, ApiError> {
        let mut answer = Self { status: StatusCode::CREATED, ..Self::value(value)? };
        // An encoded address is plain ASCII.
        if let Ok(location) = HeaderValue::from_str(location) {
            answer.headers.insert(header::LOCATION, location);
        }
        Ok(answer)
    }

    /// The methods of a path.
    pub(super) fn options(allow: HeaderValue) -> Self {
        let mut answer = Self { status: StatusCode::NO_CONTENT, headers: HeaderMap::new(), body: String::new() };
        answer.headers.insert(header::ALLOW, allow);
        answer
    }

    fn into_response(self) -> Response {
        (self.status, self.headers, self.body).into_response()
    }
}

/// The response for an outcome. An answer to HEAD has the length of what it leaves out.
pub(super) fn finish(outcome: Result<Answer, ApiError>, is_head: bool) -> Response {
    let mut response = match outcome {
        Ok(answer) => answer.into_response(),
        Err(error) => error.into_response(),
    };
    for (name, value) in COMMON {
        response.headers_mut().insert(name, value);
    }
    if is_head {
        let length = axum::body::HttpBody::size_hint(response.body()).exact();
        *response.body_mut() = Body::empty();
        if let Some(length) = length {
            response.headers_mut().insert(header::CONTENT_LENGTH, length.into());
        }
    }
    response
}
