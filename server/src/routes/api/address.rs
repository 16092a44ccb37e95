//! Addresses as they were sent: the part below `/api`, and its segments.

use http::Uri;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use crate::routes::error::ApiError;

/// Characters that are not encoded in a segment.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// The fixed segments of addresses.
const WORDS: [&str; 4] = ["config", "sections", "items", "openapi.json"];

/// The part of a path below `<base>/api`; `None` for other paths. A path with too many slashes before `api` is one of
/// ours too, but has no route.
pub(super) fn below_api<'a>(path: &'a str, base: &str) -> Option<&'a str> {
    let below_base = path.strip_prefix(base)?.strip_prefix('/')?;
    let trimmed = below_base.trim_start_matches('/');
    let rest = trimmed.strip_prefix("api").filter(|rest| rest.is_empty() || rest.starts_with('/'))?;
    Some(if trimmed.len() == below_base.len() { rest } else { "//" })
}

/// The path for the router: the part below `/api` without a trailing slash, with the fixed segments of the API in
/// plain text. Everything else is unchanged.
pub(super) fn routed(rest: &str) -> String {
    let rest = rest.strip_suffix('/').unwrap_or(rest);
    let segments = rest.split('/').map(|segment| {
        let plain = decoded(segment).ok().filter(|_| segment.contains('%'));
        plain.and_then(|plain| WORDS.into_iter().find(|word| *word == plain)).unwrap_or(segment)
    });
    segments.collect::<Vec<_>>().join("/")
}

/// An address with another path, without its query.
pub(super) fn with_path(address: &Uri, path: &str) -> Option<Uri> {
    let mut parts = address.clone().into_parts();
    parts.path_and_query = Some(if path.is_empty() { "/" } else { path }.parse().ok()?);
    Uri::from_parts(parts).ok()
}

/// The text of a segment (docs/spec/api.md 5).
pub(super) fn decoded(segment: &str) -> Result<String, ApiError> {
    let malformed = || ApiError::bad_request("the path has a malformed percent sequence");
    let mut rest = segment;
    while let Some(at) = rest.find('%') {
        let digits = rest.as_bytes().get(at + 1..at + 3).ok_or_else(malformed)?;
        if !digits.iter().all(u8::is_ascii_hexdigit) {
            return Err(malformed());
        }
        rest = &rest[at + 3..];
    }
    Ok(percent_decode_str(segment).decode_utf8().map_err(|_| malformed())?.into_owned())
}

/// A text as a segment.
pub(super) fn encoded(text: &str) -> String {
    utf8_percent_encode(text, ENCODED).to_string()
}

#[cfg(test)]
mod tests {
    use super::{below_api, decoded, routed};

    #[test]
    fn only_what_is_below_the_prefix_is_ours() {
        for (path, base, expected) in [
            ("/api", "", Some("")),
            ("/api/config", "", Some("/config")),
            ("/apis", "", None),
            ("/", "", None),
            ("//api/config", "", Some("//")),
            ("/start/api/config", "/start", Some("/config")),
            ("/start//api", "/start", Some("//")),
            ("/startapi/config", "/start", None),
            ("/api/config", "/start", None),
        ] {
            assert_eq!(below_api(path, base), expected, "{path}");
        }
    }

    #[test]
    fn one_slash_at_the_end_is_no_segment_and_words_may_be_encoded() {
        for (rest, expected) in [
            ("/config/", "/config"),
            ("/config", "/config"),
            ("", ""),
            ("/", ""),
            ("/config//", "/config/"),
            ("//", "/"),
            ("/config//a", "/config//a"),
            ("/%63onfig/a%20b/%73ections", "/config/a%20b/sections"),
            ("/config/%zz/%ff", "/config/%zz/%ff"),
        ] {
            assert_eq!(routed(rest), expected, "{rest}");
        }
    }

    #[test]
    fn percent_sequences_must_be_whole_and_utf8() {
        assert_eq!(decoded("a%20b+c").unwrap(), "a b+c");
        for segment in ["%", "%2", "%zz", "%2%30", "%ff", "%+1"] {
            assert!(decoded(segment).is_err(), "{segment}");
        }
    }
}
