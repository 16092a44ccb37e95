//! Addresses that are safe in a page.

use serde::{Deserialize, Deserializer, Serialize, de};

/// An address that a page may link to: http, https or mailto, or a path on this server.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(transparent)]
pub struct SafeUrl(String);

impl SafeUrl {
    /// Parses an address; `None` if it could do anything but open a page. White space and control characters are
    /// removed first, as in browsers, so that they cannot hide a scheme. Addresses with a user name or a password are
    /// refused.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text: String = text.trim().chars().filter(|character| !character.is_control()).collect();
        let allowed = if let Some(rest) = text.strip_prefix('/') {
            // Two slashes mean another host, and browsers read a backslash as a slash.
            !rest.starts_with(['/', '\\'])
        } else {
            let scheme = text.split(':').next().unwrap_or_default().to_ascii_lowercase();
            match scheme.as_str() {
                "http" | "https" => {
                    text.contains("://") && !crate::address::has_user(&text) && !Self::host_of(&text).is_empty()
                }
                "mailto" => text.len() > "mailto:".len(),
                _ => false,
            }
        };
        allowed.then_some(Self(text))
    }

    fn host_of(text: &str) -> &str {
        crate::address::host(text)
    }

    /// Changes the text; if the result is not a safe address, it becomes empty.
    #[cfg(feature = "server")]
    pub(super) fn change(&mut self, change: &mut dyn FnMut(&mut String)) {
        let mut text = std::mem::take(&mut self.0);
        change(&mut text);
        if let Some(changed) = Self::parse(&text) {
            *self = changed;
        }
    }

    /// The address.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether it is on another host; false for email addresses.
    #[must_use]
    pub fn is_remote(&self) -> bool {
        self.0.contains("://")
    }
}

impl<'de> Deserialize<'de> for SafeUrl {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| de::Error::custom("no address that a page may link to"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_that_run_something_are_refused() {
        for (text, expected) in [
            ("https://example.com/a?b#c", Some("https://example.com/a?b#c")),
            (" HTTP://Example.com ", Some("HTTP://Example.com")),
            ("mailto:anna@example.com", Some("mailto:anna@example.com")),
            ("/home/news", Some("/home/news")),
            ("//evil.example", None),
            ("/\\evil.example", None),
            ("java\nscript:alert(1)", None),
            ("\u{1}javascript:alert(1)", None),
            ("JavaScript:alert(1)", None),
            ("data:text/html,x", None),
            ("https://anna:pw@example.com", None),
            ("https:///path", None),
            ("example.com", None),
            ("", None),
        ] {
            assert_eq!(SafeUrl::parse(text).as_ref().map(SafeUrl::as_str), expected, "{text:?}");
        }
    }
}
