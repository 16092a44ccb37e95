//! Our own words.

use crate::words::in_digits;

/// Our words in the language of the page. All words that a panel adds pass through here. Only the server knows languages: it
/// draws the panels of pages.
#[cfg(feature = "ssr")]
pub use languages::in_panel as ours;

/// Our words; see above.
#[cfg(not(feature = "ssr"))]
pub fn ours(words: &str) -> &str {
    words
}

/// A message about a problem in the language of the page.
#[cfg(feature = "ssr")]
pub use languages::message as our_message;

/// A message about a problem; see above.
#[cfg(not(feature = "ssr"))]
pub fn our_message(text: &str) -> std::borrow::Cow<'_, str> {
    text.into()
}

/// Our words with a number in the place of a `{name}`.
pub fn ours_with(words: &str, name: &str, number: String) -> String {
    ours(words).replace(&["{", name, "}"].concat(), &in_digits(number))
}
