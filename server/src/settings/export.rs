//! How pages are written to files, for a host without this server.

use languages::Language;

/// The file that web servers show for an unknown address.
pub const NOT_FOUND_FILE: &str = "404.html";

/// What is exported.
#[derive(Clone, Debug, Default)]
pub struct ExportSettings {
    /// Path prefix of the whole export, without a trailing slash.
    pub base: String,
    /// The languages; none for that of the config. The first one is at the prefix, the others below it: see [`Self::base_of`].
    pub languages: Vec<Language>,
    /// Whether the main page is not part of it.
    pub hides_main: bool,
}

impl ExportSettings {
    /// The path prefix of the pages in a language.
    pub fn base_of(&self, language: Language) -> String {
        let folder = self.folder_of(language);
        format!("{}/{folder}", self.base).trim_end_matches('/').to_owned()
    }

    /// The folder of the pages in a language, with a slash at its end: empty for the first language, or `de/`.
    pub fn folder_of(&self, language: Language) -> String {
        let is_below = self.languages.iter().skip(1).any(|other| *other == language);
        if is_below { format!("{}/", language.code()) } else { String::new() }
    }
}
