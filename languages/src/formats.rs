//! Dates and times of day in a language.

use super::{Language, LocalTime};

impl Language {
    /// A date or a time of day in one of the styles of `app/src/parts/live/intl.rs`, or a line of a clock: `clock-date`,
    /// `clock`, `clock-h12` or `clock-h23`, the latter three also with `-seconds`.
    pub fn date(self, style: &str, at: LocalTime) -> Option<String> {
        self.formats().dates.in_style(style, at)
    }

    /// A number in the digits of the language.
    pub fn in_digits(self, number: String) -> String {
        self.formats().dates.in_digits(number)
    }

    /// The language whose formats a tag asks for: English outside of North America writes dates as in Great Britain.
    pub fn of_formats(tag: &str) -> Option<Self> {
        let language = Self::of_tag(tag)?;
        let is_american = ["en", "en-us", "en-ca", "en-ph"].contains(&tag.to_ascii_lowercase().as_str());
        if language == Self::ENGLISH && !is_american { Self::of_code("en-GB") } else { Some(language) }
    }
}
