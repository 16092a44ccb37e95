//! Our own words.

/// Our words in the language of the page. All words that a panel adds pass through here. Only the server knows languages: it
/// draws the panels of pages.
#[cfg(feature = "ssr")]
pub use languages::in_panel as ours;

/// Our words; see above.
#[cfg(not(feature = "ssr"))]
pub fn ours(words: &str) -> &str {
    words
}

/// Our words with a value in the place of a `{name}`.
pub fn ours_with(words: &str, name: &str, value: &str) -> String {
    ours(words).replace(&["{", name, "}"].concat(), value)
}
