//! The answer to missing or wrong credentials: 401 and what would help (docs/spec/api.md 3.4).

use http::{HeaderMap, HeaderValue, StatusCode, header};

use super::{Gate, policy::Policy};
use crate::routes::error::ApiError;

/// Asks for name and password.
pub(crate) const BASIC_CHALLENGE: HeaderValue =
    HeaderValue::from_static("Basic realm=\"dashboard\", charset=\"UTF-8\"");

/// A 401 for the API; `refused_bearer` says that a token was sent and is not valid.
pub(crate) fn unauthorized(gate: &Gate, policy: &Policy<'_>, request: &HeaderMap, refused_bearer: bool) -> ApiError {
    let message = if refused_bearer { "Unauthorized - Invalid or expired token" } else { "Unauthorized" };
    let mut error = ApiError::new(StatusCode::UNAUTHORIZED, message);
    // A browser would ask its user for a password in the middle of a page's own requests.
    let by_script = request.get("sec-fetch-mode").is_some_and(|mode| mode != "navigate");
    if policy.accepts_basic() && !by_script {
        error = error.with_header(header::WWW_AUTHENTICATE, BASIC_CHALLENGE);
    }
    if gate.accepts_tokens(policy) {
        let challenge = if refused_bearer {
            "Bearer realm=\"dashboard\", error=\"invalid_token\""
        } else {
            "Bearer realm=\"dashboard\""
        };
        error = error.with_header(header::WWW_AUTHENTICATE, HeaderValue::from_static(challenge));
    }
    error
}
