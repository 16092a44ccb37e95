//! The language of a page.

use std::sync::Arc;

use super::Language;

/// The language of a page, and the tag by which browsers and formats know it.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub struct Locale {
    /// The language of its words.
    pub language: Language,
    /// A BCP 47 tag, such as `de-AT`: the code of the language, or one with a region that the config names.
    pub tag: Arc<str>,
}

impl Default for Locale {
    fn default() -> Self {
        Language::ENGLISH.into()
    }
}

impl From<Language> for Locale {
    fn from(language: Language) -> Self {
        Self { language, tag: language.code().into() }
    }
}
