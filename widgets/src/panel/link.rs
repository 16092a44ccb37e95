//! Addresses that are safe in a page: links and pictures.

use serde::{Deserialize, Deserializer, Serialize, de};

use super::{Phrase, is_default};

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

/// A text with a link. Opens in a new tab, without a referrer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Link {
    /// The text to show.
    pub text: Phrase,
    /// Where it leads.
    pub url: SafeUrl,
}

impl Link {
    /// A link, if the address may be linked to.
    #[must_use]
    pub fn parse(text: impl Into<Phrase>, url: &str) -> Option<Self> {
        SafeUrl::parse(url).map(|url| Self { text: text.into(), url })
    }
}

/// A picture next to other content. The browser loads it lazily and without a referrer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Picture {
    /// Its address.
    pub url: SafeUrl,
    /// What it shows, for screen readers; empty for decoration.
    #[serde(default, skip_serializing_if = "is_default")]
    pub alt: String,
}

impl Picture {
    /// A decorative picture, if the address is a web address.
    #[must_use]
    pub fn parse(url: &str) -> Option<Self> {
        SafeUrl::parse(url).filter(SafeUrl::is_remote).map(|url| Self { url, alt: String::new() })
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
