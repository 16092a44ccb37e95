//! Request headers: which are sent, and which are kept on a redirect to another origin.

use http::header::{self, HeaderMap, HeaderName, HeaderValue};

use super::HttpClientError;

/// Headers that the client sets itself. A caller's value could contradict the connection (two lengths allow request
/// smuggling), request an encoding that is not decoded, or reach another site than the checked one.
const WRITTEN_BY_CLIENT: [&str; 14] = [
    "accept-encoding",
    "connection",
    "content-length",
    "expect",
    "host",
    "http2-settings",
    "keep-alive",
    "proxy-authorization",
    "proxy-connection",
    "te",
    "trailer",
    "trailers",
    "transfer-encoding",
    "upgrade",
];

/// Headers that reveal nothing about the sender. Only these are kept on a redirect to another origin: any other may be
/// a key, and there is no complete list of the names that services use for keys.
const WITHOUT_SECRETS: [HeaderName; 9] = [
    header::ACCEPT,
    header::ACCEPT_LANGUAGE,
    header::CACHE_CONTROL,
    header::CONTENT_LANGUAGE,
    header::CONTENT_TYPE,
    header::IF_MODIFIED_SINCE,
    header::IF_NONE_MATCH,
    header::RANGE,
    header::USER_AGENT,
];

/// Turns names and values into headers.
pub(super) fn prepare(
    given: &[(String, String)],
    authorization: Option<HeaderValue>,
) -> Result<HeaderMap, HttpClientError> {
    let mut headers = HeaderMap::with_capacity(given.len() + 1);
    for (name, value) in given {
        let bad = || HttpClientError::BadHeader { name: name.clone() };
        let key = HeaderName::from_bytes(name.trim().as_bytes()).map_err(|_| bad())?;
        let mut value = HeaderValue::from_bytes(value.as_bytes()).map_err(|_| bad())?;
        if WRITTEN_BY_CLIENT.contains(&key.as_str()) {
            continue;
        }
        value.set_sensitive(!WITHOUT_SECRETS.contains(&key));
        headers.append(key, value);
    }
    if let Some(value) = authorization {
        headers.entry(header::AUTHORIZATION).or_insert(value);
    }
    Ok(headers)
}

/// Drops headers that must not reach another origin.
pub(super) fn strip_secrets(headers: &mut HeaderMap) {
    let private: Vec<HeaderName> = headers.keys().filter(|name| !WITHOUT_SECRETS.contains(name)).cloned().collect();
    for name in private {
        headers.remove(name);
    }
}

/// Drops headers that describe a body that is no longer sent.
pub(super) fn strip_body_headers(headers: &mut HeaderMap) {
    for name in [header::CONTENT_TYPE, header::CONTENT_LANGUAGE, header::CONTENT_ENCODING, header::CONTENT_LOCATION] {
        headers.remove(name);
    }
}
