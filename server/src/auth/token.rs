//! The `Authorization` header (api.md 3.2).

use base64::{Engine as _, engine::general_purpose::STANDARD};
use http::{HeaderMap, HeaderValue, header};

use crate::error::ApiError;

/// What the header holds. Schemes are known in any case.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) enum Authorization {
    /// A token, without the blanks around it.
    Bearer(String),
    /// Name and password (RFC 7617); the password may hold colons.
    Basic {
        /// The name.
        name: String,
        /// The password.
        password: String,
    },
    /// Another scheme, or nothing that can be read.
    Other,
}

/// The header of a request, none if there is none.
pub(super) fn authorization(headers: &HeaderMap) -> Result<Option<Authorization>, ApiError> {
    let mut values = headers.get_all(header::AUTHORIZATION).iter();
    let value = values.next();
    if values.next().is_some() {
        return Err(ApiError::bad_request("the request has more than one Authorization header"));
    }
    Ok(value.map(|value| read(value).unwrap_or(Authorization::Other)))
}

fn read(value: &HeaderValue) -> Option<Authorization> {
    let (scheme, credentials) = value.to_str().ok()?.trim().split_once(' ')?;
    let credentials = credentials.trim();
    if scheme.eq_ignore_ascii_case("bearer") {
        return Some(Authorization::Bearer(credentials.to_owned()));
    }
    if !scheme.eq_ignore_ascii_case("basic") {
        return None;
    }
    let text = String::from_utf8(STANDARD.decode(credentials).ok()?).ok()?;
    let (name, password) = text.split_once(':')?;
    Some(Authorization::Basic { name: name.to_owned(), password: password.to_owned() })
}
