//! The parts of web addresses that widgets need. Whether a request may be sent to an address is decided elsewhere, when
//! it is sent.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// Everything but letters, digits and `-._~`, which never need encoding (RFC 3986 section 2.3).
const UNRESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Encodes a text as one segment of a path or as a value in a query.
pub(crate) fn encode(text: &str) -> String {
    utf8_percent_encode(text, UNRESERVED).to_string()
}

/// The host of an address for display: without user, password and port. Empty if there is none.
pub(crate) fn host(address: &str) -> &str {
    let authority = authority(address).1;
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    if host.starts_with('[') {
        return host.split_inclusive(']').next().unwrap_or(host);
    }
    host.split(':').next().unwrap_or(host)
}

/// The parts of an address: before the authority, the authority, and after it.
pub(crate) fn authority(address: &str) -> (&str, &str, &str) {
    let start = address.find("://").map_or(0, |at| at + 3);
    let rest = &address[start..];
    let end = rest.find(['/', '?', '#', '\\']).unwrap_or(rest.len());
    (&address[..start], &rest[..end], &rest[end..])
}

/// Whether the address contains a user name or a password.
pub(crate) fn has_user(address: &str) -> bool {
    address.contains("://") && authority(address).1.contains('@')
}

/// The address without user name and password.
pub(crate) fn without_user(address: &str) -> String {
    let (scheme, authority, rest) = authority(address);
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    format!("{scheme}{host}{rest}")
}

/// Which parts of an address are, or may be, keys.
#[cfg(feature = "server")]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AddressKeys {
    /// Passwords, and the values of parameters whose names reveal that they are secret.
    pub certain: Vec<String>,
    /// Segments of the path that no human would have made up. Most are keys; a few are names.
    pub likely: Vec<String>,
}

/// A name is that of a secret if it contains one of these …
#[cfg(feature = "server")]
const SECRET_NAMES: [&str; 12] =
    ["key", "token", "secret", "pass", "auth", "sid", "pwd", "signature", "credential", "bearer", "cookie", "session"];
/// … or has one of these as a word.
#[cfg(feature = "server")]
const SECRET_WORDS: [&str; 2] = ["sig", "pin"];
/// A run of this many letters and digits that changes this often between the two is not a word with a number. Names
/// such as `3Dprinting` and `ESP8266Audio` change less often.
#[cfg(feature = "server")]
const MADE_UP: (usize, usize) = (8, 3);
/// A run this long is not a word even if it changes less often.
#[cfg(feature = "server")]
const LONG: usize = 20;

#[cfg(feature = "server")]
impl AddressKeys {
    /// The keys in an address; empty if the text is not a web address.
    #[must_use]
    pub fn of(address: &str) -> Self {
        let mut keys = Self::default();
        let Ok(url) = url::Url::parse(address.trim()) else { return keys };
        if !url.has_host() {
            return keys;
        }
        let decoded = |text: &str| percent_encoding::percent_decode_str(text).decode_utf8_lossy().into_owned();
        keys.certain.extend(url.password().map(decoded));
        let pairs = url.query_pairs().filter(|(name, value)| names_secret(name) && !value.is_empty());
        keys.certain.extend(pairs.map(|(_, value)| value.into_owned()));
        let steps = url.path_segments().into_iter().flatten().map(decoded);
        keys.likely.extend(steps.filter(|step| looks_made_up(step)));
        keys
    }

    /// Whether the address contains nothing that may be a key.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.certain.is_empty() && self.likely.is_empty()
    }
}

/// Whether a value, judging by its name and content, is or may be a key or a password.
#[cfg(feature = "server")]
#[must_use]
pub fn may_be_secret(name: &str, value: &str) -> bool {
    names_secret(name) || looks_made_up(value)
}

/// Whether a name is that of a key or a password.
#[cfg(feature = "server")]
pub(crate) fn names_secret(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let mut words = name.split(|character: char| !character.is_ascii_alphanumeric());
    SECRET_NAMES.iter().any(|part| name.contains(part)) || words.any(|word| SECRET_WORDS.contains(&word))
}

/// Whether a part of the text mixes letters and digits like a key.
#[cfg(feature = "server")]
fn looks_made_up(text: &str) -> bool {
    let mut pieces = text.split(|character: char| !character.is_ascii_alphanumeric());
    pieces.any(|piece| {
        let digits: Vec<bool> = piece.bytes().map(|byte| byte.is_ascii_digit()).collect();
        let changes = digits.windows(2).filter(|pair| pair[0] != pair[1]).count();
        // A word may be followed by a number: `dashboard2026`, `v20`.
        piece.len() >= MADE_UP.0 && changes >= MADE_UP.1 || piece.len() >= LONG && changes >= 2
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(feature = "server")]
    #[test]
    fn keys_in_addresses_are_found() {
        let keys = |address: &str| AddressKeys::of(address);
        let likely = |address: &str| keys(address).likely;
        assert_eq!(keys("https://anna:p%40ss@nas.lan/x?city=Rome&api_key=a%20b&token=").certain, ["p@ss", "a b"]);
        for (address, expected) in [
            ("https://host/api/3f2504e04f8911d39a0c0305e82c3301/stats", "3f2504e04f8911d39a0c0305e82c3301"),
            ("https://host/bot123456:AAE-x9Kd77fQpLw/getMe", "bot123456:AAE-x9Kd77fQpLw"),
            ("https://host/3f2504e0-4f89-11d3-9a0c-0305e82c3301", "3f2504e0-4f89-11d3-9a0c-0305e82c3301"),
        ] {
            assert_eq!(likely(address), [expected], "{address}");
        }
        for address in [
            "https://host/dashboard2026/2026-11-21/v2/api.json?city=a1b2c3d4e5",
            "https://host/r/3Dprinting/ESP8266Audio/releases.atom",
            "https://a1b2c3d4e5f6.example/",
            "/a1b2c3d4e5f6",
            "a1b2c3d4e5f6",
            "mailto:a1b2c3d4e5f6@example.com",
        ] {
            assert_eq!(keys(address), AddressKeys::default(), "{address}");
        }
    }

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
