//! The response to missing or wrong credentials: which credentials would work (docs/spec/api.md 3.4).

use http::{HeaderMap, HeaderValue};

use super::{AccessControl, policy::Policy};

/// Asks for a name and a password.
pub const BASIC_CHALLENGE: HeaderValue = HeaderValue::from_static("Basic realm=\"dashboard\", charset=\"UTF-8\"");

/// The response to a caller of the API without valid credentials.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Unauthorized {
    /// Whether the caller sent a token that is not valid.
    pub refused_bearer: bool,
    /// Whether that token is encrypted, so that this server cannot read it.
    pub encrypted_bearer: bool,
    /// The values of `WWW-Authenticate`.
    pub challenges: Vec<HeaderValue>,
}

/// The challenge for a caller; `refused_bearer` means that a token was sent and is not valid.
pub(crate) fn unauthorized(
    access_control: &AccessControl,
    policy: &Policy<'_>,
    request: &HeaderMap,
    refused_bearer: bool,
) -> Unauthorized {
    let mut challenges = Vec::new();
    // A browser would prompt its user for a password when a page's own request fails.
    let by_script = request.get("sec-fetch-mode").is_some_and(|mode| mode != "navigate");
    if policy.accepts_basic() && !by_script {
        challenges.push(BASIC_CHALLENGE);
    }
    if access_control.accepts_tokens(policy) {
        challenges.push(HeaderValue::from_static(if refused_bearer {
            "Bearer realm=\"dashboard\", error=\"invalid_token\""
        } else {
            "Bearer realm=\"dashboard\""
        }));
    }
    Unauthorized { refused_bearer, encrypted_bearer: false, challenges }
}
