//! Parses addresses: from the text in a config to a URL that can be checked and requested.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http::HeaderValue;
use percent_encoding::percent_decode_str;
use url::{Host, Url};

use super::HttpClientError;

/// An address to request, without credentials and fragment.
#[derive(Debug)]
pub(super) struct Target {
    /// Always http or https, with a host.
    pub(super) url: Url,
    /// The `Authorization` header for `user:password@`.
    pub(super) authorization: Option<HeaderValue>,
}

/// Parses the address of a request.
pub(super) fn read(address: &str) -> Result<Target, HttpClientError> {
    let address = address.trim();
    // The parser silently drops tabs and line breaks, so the requested address would differ from the written one.
    if address.chars().any(char::is_control) {
        return Err(bad("it contains a line break or a control character"));
    }
    let url = Url::parse(address).map_err(|error| bad(&error.to_string()))?;
    from_url(url)
}

/// Checks and cleans an already parsed address, such as the target of a redirect.
pub(super) fn from_url(mut url: Url) -> Result<Target, HttpClientError> {
    if !matches!(url.scheme(), "http" | "https") {
        return Err(bad("only http and https addresses are allowed"));
    }
    match url.host() {
        None => return Err(bad("it has no host")),
        Some(Host::Domain(name)) if plain_name(name).split('.').any(str::is_empty) => {
            return Err(bad("its host name has an empty part"));
        }
        Some(_) => {}
    }
    if url.port() == Some(0) {
        return Err(bad("its port is 0"));
    }
    let authorization = basic(&url);
    let cleaned = url.set_username("").and_then(|()| url.set_password(None));
    cleaned.map_err(|()| bad("it has no host"))?;
    url.set_fragment(None);
    Ok(Target { url, authorization })
}

/// The host for display. The brackets of an IPv6 address stay.
pub(super) fn shown_host(url: &Url) -> String {
    url.host_str().unwrap_or_default().to_owned()
}

/// A normalized host name: lower case, without the trailing dot of a fully qualified name.
pub(super) fn plain_name(name: &str) -> String {
    name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase()
}

fn basic(url: &Url) -> Option<HeaderValue> {
    if url.username().is_empty() && url.password().is_none() {
        return None;
    }
    let mut pair: Vec<u8> = percent_decode_str(url.username()).collect();
    pair.push(b':');
    pair.extend(percent_decode_str(url.password().unwrap_or_default()));
    let mut value = HeaderValue::from_str(&format!("Basic {}", STANDARD.encode(pair))).ok()?;
    value.set_sensitive(true);
    Some(value)
}

fn bad(problem: &str) -> HttpClientError {
    HttpClientError::BadAddress { problem: problem.to_owned() }
}
