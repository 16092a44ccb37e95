//! The `Authorization` header (docs/spec/api.md 3.2).

use base64::{Engine as _, engine::general_purpose::STANDARD};
use http::{HeaderMap, HeaderValue, header};

use super::rejection::Rejection;

/// The content of the header. Schemes are case-insensitive.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum Authorization {
    /// A token, without surrounding spaces.
    Bearer(String),
    /// Name and password (RFC 7617); the password may hold colons.
    Basic {
        /// The name.
        name: String,
        /// The password.
        password: String,
    },
    /// Another scheme, or a malformed header.
    Other,
}

impl Authorization {
    /// A word for metrics.
    pub(crate) fn method(&self) -> &'static str {
        match self {
            Self::Bearer(_) => "bearer",
            Self::Basic { .. } => "basic",
            Self::Other => "other",
        }
    }
}

/// The header of a request; `None` if there is none.
pub(crate) fn authorization(headers: &HeaderMap) -> Result<Option<Authorization>, Rejection> {
    let mut values = headers.get_all(header::AUTHORIZATION).iter();
    let value = values.next();
    if values.next().is_some() {
        return Err(Rejection::Ambiguous);
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

#[cfg(test)]
mod tests {
    use http::{HeaderMap, HeaderValue, header};
    use proptest::prelude::*;

    use super::{Authorization, authorization};

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
        #[test]
        fn no_header_breaks_the_reading(bytes in prop::collection::vec(any::<u8>(), 0..200), scheme in "(?i)(basic|bearer|digest)? ?") {
            let bytes = [scheme.as_bytes(), &bytes].concat();
            if let Ok(value) = HeaderValue::from_bytes(&bytes) {
                let headers = HeaderMap::from_iter([(header::AUTHORIZATION, value)]);
                prop_assert!(matches!(authorization(&headers), Ok(Some(_))));
            }
        }

        #[test]
        fn names_and_passwords_come_back(name in "[^:\\PC]{0,20}", password in "\\PC{0,40}") {
            use base64::{Engine as _, engine::general_purpose::STANDARD};
            let value = format!("bAsIc  {} ", STANDARD.encode(format!("{name}:{password}")));
            let headers = HeaderMap::from_iter([(header::AUTHORIZATION, HeaderValue::from_str(&value).unwrap())]);
            prop_assert_eq!(authorization(&headers).unwrap(), Some(Authorization::Basic { name, password }));
        }

        #[test]
        fn tokens_come_back(token in "[!-~]{1,300}") {
            let value = format!("BEARER {token}");
            let headers = HeaderMap::from_iter([(header::AUTHORIZATION, HeaderValue::from_str(&value).unwrap())]);
            prop_assert_eq!(authorization(&headers).unwrap(), Some(Authorization::Bearer(token)));
        }
    }
}
