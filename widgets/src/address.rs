//! The parts of web addresses that widgets need. Whether an address may be called is decided where it is called.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// Everything but letters, digits and `-._~`, which never need encoding (RFC 3986 section 2.3).
const UNRESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// A text as one segment of a path or as a value of a query.
pub(crate) fn encode(text: &str) -> String {
    utf8_percent_encode(text, UNRESERVED).to_string()
}

/// The host of an address as people know it: without user, password and port. Empty if there is none.
pub(crate) fn host(address: &str) -> &str {
    let authority = authority(address).1;
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    if host.starts_with('[') {
        return host.split_inclusive(']').next().unwrap_or(host);
    }
    host.split(':').next().unwrap_or(host)
}

/// What stands before the host, the authority, and what stands behind it.
pub(crate) fn authority(address: &str) -> (&str, &str, &str) {
    let start = address.find("://").map_or(0, |at| at + 3);
    let rest = &address[start..];
    let end = rest.find(['/', '?', '#', '\\']).unwrap_or(rest.len());
    (&address[..start], &rest[..end], &rest[end..])
}

/// Whether the address carries a user name or a password.
pub(crate) fn has_user(address: &str) -> bool {
    address.contains("://") && authority(address).1.contains('@')
}

/// The address without user name and password.
pub(crate) fn without_user(address: &str) -> String {
    let (scheme, authority, rest) = authority(address);
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    format!("{scheme}{host}{rest}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_host_of_an_address_holds_no_credentials() {
        for (address, expected) in [
            ("https://api.example.com/v1?key=1", "api.example.com"),
            ("http://anna:pw@nas.lan:8080/x@y", "nas.lan"),
            ("http://[fd00::1]:61208/api", "[fd00::1]"),
            ("https://example.com?next=http://other", "example.com"),
            ("nas", "nas"),
            ("", ""),
        ] {
            assert_eq!(host(address), expected, "{address}");
        }
        assert_eq!(without_user("https://anna:p@w@nas.lan/a@b"), "https://nas.lan/a@b");
        assert!(!has_user("https://nas.lan/a@b"));
    }

    #[test]
    fn values_are_encoded_as_a_whole() {
        assert_eq!(encode("São Paulo/a&b=c+d"), "S%C3%A3o%20Paulo%2Fa%26b%3Dc%2Bd");
    }
}
