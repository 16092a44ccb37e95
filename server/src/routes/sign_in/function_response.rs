//! The results of the server functions about the session.

use http::{HeaderValue, StatusCode};

/// The result of a server function, with the status and cookies of its response.
#[derive(Clone, Debug)]
pub struct FunctionResponse<T> {
    /// Status of the response.
    pub status: StatusCode,
    /// The values of `Set-Cookie`.
    pub set_cookies: Vec<HeaderValue>,
    /// The result itself.
    pub value: T,
}

impl<T> FunctionResponse<T> {
    pub(crate) fn ok(value: T) -> Self {
        Self { status: StatusCode::OK, set_cookies: Vec::new(), value }
    }
}
