//! What is told to missing or wrong credentials: what would help (docs/spec/api.md 3.4).

use http::{HeaderMap, HeaderValue};

use super::{Gate, policy::Policy};

/// Asks for name and password.
pub const BASIC_CHALLENGE: HeaderValue = HeaderValue::from_static("Basic realm=\"dashboard\", charset=\"UTF-8\"");

/// What a caller of the API without valid credentials is told.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Unauthorized {
    /// Whether a token was sent and is not valid.
    pub refused_bearer: bool,
    /// The values of `WWW-Authenticate`.
    pub challenges: Vec<HeaderValue>,
}

/// What a caller is told; `refused_bearer` says that a token was sent and is not valid.
pub(crate) fn unauthorized(
    gate: &Gate,
    policy: &Policy<'_>,
    request: &HeaderMap,
    refused_bearer: bool,
) -> Unauthorized {
    let mut challenges = Vec::new();
    // A browser would ask its user for a password in the middle of a page's own requests.
    let by_script = request.get("sec-fetch-mode").is_some_and(|mode| mode != "navigate");
    if policy.accepts_basic() && !by_script {
        challenges.push(BASIC_CHALLENGE);
    }
    if gate.accepts_tokens(policy) {
        challenges.push(HeaderValue::from_static(if refused_bearer {
            "Bearer realm=\"dashboard\", error=\"invalid_token\""
        } else {
            "Bearer realm=\"dashboard\""
        }));
    }
    Unauthorized { refused_bearer, challenges }
}
