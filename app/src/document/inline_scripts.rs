//! The inline scripts of pages. `make scripts` makes them of the sources in `inline/`.

/// Stands in the head, before the style sheets.
pub(super) const THEME_SCRIPT: &str = include_str!("inline/theme.min.js").trim_ascii_end();
/// Stands behind the content.
pub(super) const STATE_SCRIPT: &str = include_str!("inline/state.min.js").trim_ascii_end();
/// Stands before the data of pages in a language that some browsers cannot format ([`Language::formats_for_browsers`]).
///
/// [`Language::formats_for_browsers`]: languages::Language::formats_for_browsers
pub const FORMATS_SCRIPT: &str = include_str!("inline/formats.min.js").trim_ascii_end();
/// Stands at the end, behind the data of the page.
pub(super) const LOADER_SCRIPT: &str = include_str!("inline/loader.min.js").trim_ascii_end();

/// Stands at the beginning of the head, in pages of an export in several languages.
pub const LANGUAGE_SCRIPT: &str = include_str!("inline/language.min.js").trim_ascii_end();

/// The texts of the inline scripts that every page of a server may contain, for the hashes in the Content-Security-Policy.
pub const fn inline_scripts() -> [&'static str; 3] {
    [THEME_SCRIPT, STATE_SCRIPT, LOADER_SCRIPT]
}
