//! How numbers and times are written.

use serde::{Deserialize, Serialize};

use super::is_default;

/// The unit of a number.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Unit {
    /// No unit.
    #[default]
    None,
    /// No unit either, but large counts are shortened: "1.2 M", with the whole number as a hint.
    Short,
    /// `%`; 100 is the whole.
    Percent,
    /// Written as B, KB, MB, GB or TB, with a factor of 1024.
    Bytes,
    /// Like `Bytes`, with `/s`.
    BytesPerSecond,
    /// Written as bit/s, kbit/s, Mbit/s, with a factor of 1000.
    BitsPerSecond,
    /// A duration in one or two units: "20 h", "2 days 4 h".
    Seconds,
    /// Whole days from the viewer's today: "tomorrow", "in 12 days".
    DaysAhead,
    /// Milliseconds.
    Milliseconds,
    /// Written as Hz, MHz, GHz.
    Hertz,
    /// °C.
    Celsius,
    /// °F.
    Fahrenheit,
    /// m/s.
    MetersPerSecond,
    /// km/h.
    KilometersPerHour,
    /// mph.
    MilesPerHour,
    /// km.
    Kilometers,
    /// mi.
    Miles,
    /// hPa.
    Hectopascal,
    /// mm.
    Millimeters,
    /// in.
    Inches,
    /// An angle, clockwise from north, shown as a compass point.
    Bearing,
    /// Money, by its ISO 4217 code.
    Currency(String),
    /// Any other sign, shown after the number.
    Sign(String),
}

/// How many decimals of a number are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Decimals {
    /// At most two decimals, without trailing zeros.
    #[default]
    Usual,
    /// Exactly this many decimals.
    Exactly(u8),
    /// At least this many significant digits: 0.00001234 with four. For prices.
    Significant(u8),
}

/// Which parts of a point in time are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Style {
    /// 21 November 2026.
    Date,
    /// Sat, 21 Nov.
    #[default]
    ShortDate,
    /// 12:45.
    Time,
    /// 21 Nov 2026, 12:45.
    DateTime,
    /// Saturday.
    Weekday,
    /// 3 hours ago, also for old times: 2 years ago. The exact time is the hint, and the page updates the words once a
    /// minute.
    Relative,
}

/// A format for a time, for which the browser has the words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TimeFormat {
    /// The language, such as `en-GB` (BCP 47); `None` means the viewer's.
    #[serde(default, skip_serializing_if = "is_default")]
    pub locale: Option<String>,
    /// The parts, and their lengths.
    pub parts: TimeParts,
}

/// What a [`TimeFormat`] shows of a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum TimeParts {
    /// The date, and the time of day if it has a length.
    Date {
        /// The length of the date.
        date: Length,
        /// The length of the time of day.
        #[serde(default, skip_serializing_if = "is_default")]
        time: Option<Length>,
    },
    /// The time from now: "in 2 days".
    Relative {
        /// The length of the words.
        length: RelativeLength,
        /// Whether there is always a number: "1 day ago" instead of "yesterday".
        numeric: bool,
    },
}

/// How long a date or a time of day is (`dateStyle` and `timeStyle` of ECMA-402).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Length {
    /// With the day of the week, or the time zone.
    Full,
    /// With the name of the month, or a short time zone.
    Long,
    /// With a shortened month, or with seconds.
    Medium,
    /// Digits; no seconds.
    Short,
}

/// How long the words of a relative time are (`style` of ECMA-402).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RelativeLength {
    /// "In 1 month".
    Long,
    /// "In 1 mo.".
    Short,
    /// "1 mo.", where the language has it.
    Narrow,
}

impl TimeFormat {
    /// The options of the browser's formatter, as pairs of names and values.
    #[must_use]
    pub fn options(&self) -> Vec<(&'static str, &'static str)> {
        match self.parts {
            TimeParts::Date { date, time } => {
                let time = time.map(|time| ("timeStyle", time.word()));
                [("dateStyle", date.word())].into_iter().chain(time).collect()
            }
            TimeParts::Relative { length, numeric } => {
                let style = match length {
                    RelativeLength::Long => "long",
                    RelativeLength::Short => "short",
                    RelativeLength::Narrow => "narrow",
                };
                vec![("numeric", if numeric { "always" } else { "auto" }), ("style", style)]
            }
        }
    }
}

impl Length {
    fn word(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Long => "long",
            Self::Medium => "medium",
            Self::Short => "short",
        }
    }
}
