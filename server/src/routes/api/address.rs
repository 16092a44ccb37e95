//! Addresses as they were sent: the part below `/api`, its segments, and what a segment means.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use crate::routes::error::ApiError;

/// What need not be encoded in a segment.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// The part of a path below `<base>/api`, none for other paths. A path with slashes before `api` that are too many is
/// one of ours too, and leads nowhere.
pub(super) fn below_api<'a>(path: &'a str, base: &str) -> Option<&'a str> {
    let below_base = path.strip_prefix(base)?.strip_prefix('/')?;
    let trimmed = below_base.trim_start_matches('/');
    let rest = trimmed.strip_prefix("api").filter(|rest| rest.is_empty() || rest.starts_with('/'))?;
    Some(if trimmed.len() == below_base.len() { rest } else { "//" })
}

/// The segments of a path, still encoded; none if one is empty. One slash at the end is no segment.
pub(super) fn segments(rest: &str) -> Option<Vec<&str>> {
    let rest = rest.strip_suffix('/').unwrap_or(rest);
    let segments: Vec<&str> = rest.split('/').skip(1).collect();
    segments.iter().all(|segment| !segment.is_empty()).then_some(segments)
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
    use super::{below_api, decoded, segments};

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
    fn one_slash_at_the_end_is_no_segment() {
        assert_eq!(segments("/config/"), Some(vec!["config"]));
        assert_eq!(segments(""), Some(vec![]));
        assert_eq!(segments("/"), Some(vec![]));
        assert_eq!(segments("/config//"), None);
        assert_eq!(segments("//"), None);
        assert_eq!(segments("/config//a"), None);
    }

    #[test]
    fn percent_sequences_must_be_whole_and_utf8() {
        assert_eq!(decoded("a%20b+c").unwrap(), "a b+c");
        for segment in ["%", "%2", "%zz", "%2%30", "%ff", "%+1"] {
            assert!(decoded(segment).is_err(), "{segment}");
        }
    }
}
