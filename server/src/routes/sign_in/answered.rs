//! The results of the server functions about the session.

use http::{HeaderValue, StatusCode};

/// The result of a server function, with the status and cookies of its response.
#[derive(Clone, Debug)]
pub struct Answered<T> {
    /// Status of the response.
    pub status: StatusCode,
    /// The values of `Set-Cookie`.
    pub set_cookies: Vec<HeaderValue>,
    /// The result itself.
    pub answer: T,
}

impl<T> Answered<T> {
    pub(crate) fn ok(answer: T) -> Self {
        Self { status: StatusCode::OK, set_cookies: Vec::new(), answer }
    }
}
