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
}
