//! The body of a request: its type, its size, and that it is JSON (docs/spec/api.md 4).

use axum::body::Body;
use http::{Method, StatusCode, header, request::Parts};
use serde_json::Value;

use crate::routes::{error::ApiError, request_body};

/// Maximum size of a body in bytes.
const LIMIT: usize = 1024 * 1024;

/// Maximum number of nested lists and objects.
const MAX_LEVELS: usize = 64;

/// The body of a request that needs one.
///
/// # Errors
///
/// 415, 413 or 400, in this order.
pub(crate) async fn read_json(parts: &Parts, body: Body) -> Result<Value, ApiError> {
    check_type(parts)?;
    let bytes =
        request_body::read(body, LIMIT).await.map_err(|unread| unread.into_error("the body is larger than 1 MB"))?;
    parse(&bytes)
}

fn check_type(parts: &Parts) -> Result<(), ApiError> {
    let refuse = |message: &str| Err(ApiError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, message));
    if let Some(kind) = parts.headers.get(header::CONTENT_TYPE) {
        let essence = kind.to_str().unwrap_or_default().split(';').next().unwrap_or_default().trim();
        let is_patch = parts.method == Method::PATCH && essence.eq_ignore_ascii_case("application/merge-patch+json");
        if !essence.eq_ignore_ascii_case("application/json") && !is_patch {
            return refuse("the body must be JSON: send Content-Type application/json");
        }
    }
    let is_plain = |coding: &str| coding.trim().is_empty() || coding.trim().eq_ignore_ascii_case("identity");
    let codings = parts.headers.get_all(header::CONTENT_ENCODING);
    if !codings.iter().all(|codings| codings.to_str().is_ok_and(|codings| codings.split(',').all(is_plain))) {
        return refuse("compressed bodies are not accepted");
    }
    Ok(())
}

fn parse(bytes: &[u8]) -> Result<Value, ApiError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if bytes.trim_ascii().is_empty() {
        return Err(ApiError::bad_request("the request needs a body"));
    }
    let text = std::str::from_utf8(bytes).map_err(|_| ApiError::bad_request("the body is not UTF-8"))?;
    let too_deep = || ApiError::bad_request(format!("the body is nested deeper than {MAX_LEVELS} levels"));
    let value: Value = serde_json::from_str(text).map_err(|error| {
        // The parser has its own, higher limit, which keeps the stack small.
        if error.to_string().contains("recursion limit") {
            return too_deep();
        }
        ApiError::bad_request(format!("the body is not valid JSON: {error}"))
    })?;
    if levels(&value) > MAX_LEVELS {
        return Err(too_deep());
    }
    if !value.is_object() && !value.is_array() {
        return Err(ApiError::bad_request("the body must be a JSON object or array"));
    }
    Ok(value)
}

fn levels(value: &Value) -> usize {
    match value {
        Value::Array(elements) => 1 + elements.iter().map(levels).max().unwrap_or_default(),
        Value::Object(fields) => 1 + fields.values().map(levels).max().unwrap_or_default(),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn bodies_are_json_objects_and_arrays() {
        for (body, expected) in [
            ("{}", true),
            ("\u{feff}{}", true),
            (" [1] ", true),
            ("", false),
            (" \n", false),
            ("5", false),
            ("null", false),
            ("{\"a\":1,}", false),
            ("{} {}", false),
            ("{\"a\":1e999}", false),
            ("\"\\ud800\"", false),
        ] {
            assert_eq!(parse(body.as_bytes()).is_ok(), expected, "{body}");
        }
        assert!(parse(b"{\"a\":\"\xff\"}").unwrap_err().message.contains("UTF-8"));
    }

    #[test]
    fn the_last_of_equal_keys_wins() {
        assert_eq!(parse(br#"{"a":1,"b":2,"a":3}"#).unwrap().to_string(), r#"{"a":3,"b":2}"#);
    }

    #[test]
    fn nesting_ends_at_64_levels() {
        let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        assert!(parse(nested(64).as_bytes()).is_ok());
        for levels in [65, 127, 128, 200, 100_000] {
            assert!(parse(nested(levels).as_bytes()).unwrap_err().message.contains("64"), "{levels}");
        }
    }
}
