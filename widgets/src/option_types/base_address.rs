//! Addresses in options: of a self-hosted service, or of one page or file.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use serde_json::Value;

use super::text::scalar;
use crate::address;

/// The base address of a service: without a trailing slash, and with `http://` if no scheme is written. Keeps a user
/// name and password for requests, but never shows them.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct BaseAddress(String);

impl BaseAddress {
    /// Parses an address.
    ///
    /// # Errors
    ///
    /// If it is not an HTTP(S) address: a sentence that can follow the name of the option.
    pub fn parse(written: &str) -> Result<Self, &'static str> {
        let written = written.trim();
        if written.is_empty() {
            return Ok(Self::default());
        }
        let address = match written.split_once("://") {
            Some((scheme, rest)) if ["http", "https"].contains(&scheme.to_ascii_lowercase().as_str()) => {
                format!("{}://{rest}", scheme.to_ascii_lowercase())
            }
            Some(_) => return Err("must be an http(s) address"),
            None => format!("http://{}", written.trim_start_matches('/')),
        };
        // A query or fragment would end up in the middle of the addresses built from this one.
        let end = address.find(['?', '#']).unwrap_or(address.len());
        let address = address[..end].trim_end_matches('/').to_owned();
        let host = if address.contains("://") { address::host(&address) } else { "" };
        let is_odd =
            |character: char| character.is_whitespace() || character.is_control() || "\\<>\"".contains(character);
        if host.is_empty() || address.contains(is_odd) {
            return Err("must be an http(s) address");
        }
        Ok(Self(address))
    }

    /// Like [`BaseAddress::parse`], but with `https://` if no scheme is written, for services on the internet.
    ///
    /// # Errors
    ///
    /// Those of [`BaseAddress::parse`].
    pub fn parse_secure(written: &str) -> Result<Self, &'static str> {
        let written = written.trim();
        if written.is_empty() || written.contains("://") {
            return Self::parse(written);
        }
        Self::parse(&format!("https://{}", written.trim_start_matches('/')))
    }

    /// Whether the option is set.
    #[must_use]
    pub fn is_set(&self) -> bool {
        !self.0.is_empty()
    }

    /// Removes these endings, which people copy from their browser: `/admin`, `/api`.
    #[must_use]
    pub fn without(&self, endings: &[&str]) -> Self {
        let mut address = self.0.as_str();
        while let Some(rest) = endings.iter().find_map(|ending| address.strip_suffix(ending)) {
            address = rest.trim_end_matches('/');
        }
        Self(address.to_owned())
    }

    /// Whether requests to it are encrypted.
    #[must_use]
    pub fn is_encrypted(&self) -> bool {
        self.0.starts_with("https://")
    }

    /// The same address by HTTPS.
    #[must_use]
    pub fn encrypted(&self) -> Self {
        Self(self.0.strip_prefix("http://").map_or_else(|| self.0.clone(), |rest| format!("https://{rest}")))
    }

    /// The address of a resource below this one, for a request: `path` begins with a slash and is already encoded; its
    /// braces are replaced by the `segments` in order.
    #[must_use]
    pub fn join(&self, path: &str, segments: &[&str]) -> String {
        let mut address = self.0.clone();
        let mut segments = segments.iter();
        for (index, piece) in path.split("{}").enumerate() {
            if index > 0 {
                address.push_str(&segments.next().map(|segment| address::encode(segment)).unwrap_or_default());
            }
            address.push_str(piece);
        }
        address
    }

    /// The address for display: without user name and password.
    #[must_use]
    pub fn public(&self) -> String {
        address::without_user(&self.0)
    }

    /// The host, for messages.
    #[must_use]
    pub fn host(&self) -> &str {
        address::host(&self.0)
    }
}

/// The full address of one page or file, with its query. Keeps a user name and password for requests, but never shows
/// them.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct WebAddress(String);

impl WebAddress {
    /// Parses an address.
    ///
    /// # Errors
    ///
    /// If it is not an HTTP(S) address: a sentence that can follow the name of the option.
    pub fn parse(written: &str) -> Result<Self, &'static str> {
        let written = written.trim();
        // The rules for a base address apply here too, except for the end of the address.
        let base = BaseAddress::parse(written)?;
        if base.is_set() && !written.contains("://") {
            return Err("must be an http(s) address");
        }
        Ok(Self(written.to_owned()))
    }

    /// Whether the option is set.
    #[must_use]
    pub fn is_set(&self) -> bool {
        !self.0.is_empty()
    }

    /// The address for a request.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.0
    }

    /// Whether the address may contain a key, so that only its own host may get it.
    #[cfg(feature = "server")]
    #[must_use]
    pub fn holds_key(&self) -> bool {
        address::has_user(&self.0) || !address::AddressKeys::of(&self.0).is_empty()
    }

    /// The address for display: without user name and password.
    #[must_use]
    pub fn public(&self) -> String {
        address::without_user(&self.0)
    }

    /// The host, for messages.
    #[must_use]
    pub fn host(&self) -> &str {
        address::host(&self.0)
    }
}

impl fmt::Debug for WebAddress {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:?}", self.public())
    }
}

impl Serialize for WebAddress {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.public())
    }
}

impl<'de> Deserialize<'de> for WebAddress {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::parse(&scalar(deserializer)?).map_err(de::Error::custom)
    }
}

#[cfg(feature = "server")]
super::schema!(WebAddress, { "type": "string" });

impl fmt::Debug for BaseAddress {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:?}", self.public())
    }
}

impl Serialize for BaseAddress {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.public())
    }
}

impl<'de> Deserialize<'de> for BaseAddress {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // `true` and `5` would be taken for hosts, since the scheme is optional.
        match Value::deserialize(deserializer)? {
            Value::Null => Ok(Self::default()),
            Value::String(written) => Self::parse(&written).map_err(de::Error::custom),
            _ => Err(de::Error::custom("must be an http(s) address")),
        }
    }
}

#[cfg(feature = "server")]
super::schema!(BaseAddress, { "type": "string" });

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn addresses_are_read_as_people_write_them() {
        for (written, expected) in [
            (" https://pi.hole/admin/ ", Ok("https://pi.hole/admin")),
            ("192.168.1.10:61208", Ok("http://192.168.1.10:61208")),
            ("//nas.lan", Ok("http://nas.lan")),
            ("HTTP://NAS/", Ok("http://NAS")),
            ("http://nas/?a=b#c", Ok("http://nas")),
            ("", Ok("")),
            ("ftp://nas", Err("must be an http(s) address")),
            ("http://", Err("must be an http(s) address")),
            ("http://na s", Err("must be an http(s) address")),
        ] {
            let read = BaseAddress::parse(written);
            assert_eq!(read.as_ref().map(|address| address.0.as_str()), expected.as_ref().copied(), "{written}");
        }
    }

    #[test]
    fn what_is_no_text_is_no_address() {
        for (written, expected) in
            [(json!("nas"), Some("http://nas")), (json!(null), Some("")), (json!(true), None), (json!(5), None)]
        {
            let read = serde_json::from_value::<BaseAddress>(written.clone()).ok();
            assert_eq!(read.as_ref().map(|address| address.0.as_str()), expected, "{written}");
        }
    }

    #[test]
    fn full_addresses_keep_their_query() {
        let address = WebAddress::parse(" https://anna:pw@blog.example/feed/?format=rss ").unwrap();
        assert_eq!(address.url(), "https://anna:pw@blog.example/feed/?format=rss");
        assert_eq!(format!("{address:?}"), "\"https://blog.example/feed/?format=rss\"");
        for wrong in ["blog.example/feed", "javascript:alert(1)", "https://"] {
            assert_eq!(WebAddress::parse(wrong), Err("must be an http(s) address"), "{wrong}");
        }
    }

    #[test]
    fn addresses_are_joined_and_shown_without_credentials() {
        let address = BaseAddress::parse("https://anna:secret@pi.hole/admin/api").unwrap().without(&["/api", "/admin"]);
        assert_eq!(address.join("/coins/{}/chart", &["a/b c"]), "https://anna:secret@pi.hole/coins/a%2Fb%20c/chart");
        assert_eq!(address.public(), "https://pi.hole");
        assert_eq!(format!("{address:?}"), "\"https://pi.hole\"");
        assert_eq!(serde_json::to_string(&address).unwrap(), "\"https://pi.hole\"");
    }
}
