//! Links and pictures.

use serde::{Deserialize, Serialize};

use super::{Link, Phrase, SafeUrl, is_default};

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
