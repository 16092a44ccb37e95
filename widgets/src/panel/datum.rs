//! Values, with everything the page needs to format them in the viewer's language.

use serde::{Deserialize, Serialize};

use super::{Link, Phrase, Tone, is_default};
use crate::Moment;

/// A value that the page formats.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Datum {
    /// No value: a dash.
    #[default]
    Missing,
    /// Text of a service or of the config file, shown as it is.
    Text(String),
    /// Our own words.
    Words(Phrase),
    /// A number with its unit.
    Number {
        /// The number, in the unit; finite.
        value: f64,
        /// Its unit.
        #[serde(default, skip_serializing_if = "is_default")]
        unit: Unit,
        /// How many decimals are shown.
        #[serde(default, skip_serializing_if = "is_default")]
        decimals: Decimals,
        /// Whether a positive number gets a plus sign.
        #[serde(default, skip_serializing_if = "is_default")]
        signed: bool,
    },
    /// A point in time.
    Time {
        /// The time.
        at: Moment,
        /// Which parts of it are shown.
        style: Style,
        /// Seconds ahead of UTC at the place whose time is shown; `None` means the viewer's own zone.
        #[serde(default, skip_serializing_if = "is_default")]
        offset: Option<i32>,
    },
    /// A point in time, in a format that the config chooses.
    FormattedTime {
        /// The time.
        at: Moment,
        /// See [`Datum::Time`].
        #[serde(default, skip_serializing_if = "is_default")]
        offset: Option<i32>,
        /// The format.
        format: TimeFormat,
    },
    /// A range of days, `23–31 Dec`. They are the same for every viewer; each is given as a time on that day in UTC.
    Days {
        /// The first day.
        first: Moment,
        /// The last day.
        last: Moment,
    },
    /// A boolean, as a mark.
    Flag(bool),
    /// A text of a service that stands out from those beside it, such as the winner of a game.
    Strong {
        /// The text.
        text: String,
        /// Why it stands out, for viewers who cannot see it: "winner". Empty if that is obvious.
        #[serde(default, skip_serializing_if = "is_default")]
        meaning: Phrase,
    },
    /// A link.
    Link(Link),
    /// A value in the color of its meaning, such as a delay. There is no mark beside it, so the value alone has to say what
    /// the color says.
    Toned {
        /// The value.
        value: Box<Datum>,
        /// The meaning.
        tone: Tone,
    },
}

impl Datum {
    /// A text of a service; missing if it is blank.
    #[must_use]
    pub fn text(text: &str) -> Self {
        let text = text.trim();
        if text.is_empty() { Self::Missing } else { Self::Text(text.to_owned()) }
    }

    /// A number; missing if it is not finite. Up to two decimals, see [`Datum::decimals`].
    #[must_use]
    pub fn number(value: impl Into<f64>, unit: Unit) -> Self {
        let value = value.into();
        if !value.is_finite() {
            return Self::Missing;
        }
        // Floating-point zero has a sign, which people do not want to see.
        let value = if value == 0.0 { 0.0 } else { value };
        Self::Number { value, unit, decimals: Decimals::default(), signed: false }
    }

    /// A plain count.
    #[must_use]
    pub fn count(value: impl TryInto<i64>) -> Self {
        // Beyond 2^53 neighboring numbers merge, which does not matter on a dashboard.
        value.try_into().map_or(Self::Missing, |value: i64| Self::number(value as f64, Unit::None))
    }

    /// A count that may be large: beyond four digits, it is shortened.
    #[must_use]
    pub fn short(value: impl Into<f64>) -> Self {
        Self::number(value, Unit::Short)
    }

    /// A text that stands out, and why.
    #[must_use]
    pub fn strong(text: &str, meaning: impl Into<Phrase>) -> Self {
        Self::Strong { text: text.trim().to_owned(), meaning: meaning.into() }
    }

    /// A size in bytes.
    #[must_use]
    pub fn bytes(value: impl Into<f64>) -> Self {
        Self::number(value, Unit::Bytes)
    }

    /// A percentage: 12.5 is 12.5 %.
    #[must_use]
    pub fn percent(value: impl Into<f64>) -> Self {
        Self::number(value, Unit::Percent)
    }

    /// A duration in seconds.
    #[must_use]
    pub fn seconds(value: impl Into<f64>) -> Self {
        Self::number(value, Unit::Seconds)
    }

    /// A point in time in the viewer's zone; missing if its year is out of range, see [`Moment::is_dated`].
    #[must_use]
    pub fn time(at: Moment, style: Style) -> Self {
        if at.is_dated() { Self::Time { at, style, offset: None } } else { Self::Missing }
    }

    /// A point in time in a format of its own; missing if its year is out of range, see [`Moment::is_dated`].
    #[must_use]
    pub fn formatted_time(at: Moment, offset: Option<i32>, format: TimeFormat) -> Self {
        if at.is_dated() { Self::FormattedTime { at, offset, format } } else { Self::Missing }
    }

    /// Sets the decimals; only affects numbers.
    #[must_use]
    pub fn decimals(mut self, wanted: Decimals) -> Self {
        if let Self::Number { decimals, .. } = &mut self {
            *decimals = wanted;
        }
        self
    }

    /// Shows a plus sign if positive; only affects numbers.
    #[must_use]
    pub fn signed(mut self) -> Self {
        if let Self::Number { signed, .. } = &mut self {
            *signed = true;
        }
        self
    }

    /// The value in the color of a meaning; a missing value has none.
    #[must_use]
    pub fn toned(self, tone: Tone) -> Self {
        if self.is_missing() { self } else { Self::Toned { value: Box::new(self), tone } }
    }

    /// Whether there is no value.
    #[must_use]
    pub fn is_missing(&self) -> bool {
        *self == Self::Missing
    }
}

impl From<&str> for Datum {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}

impl From<String> for Datum {
    fn from(text: String) -> Self {
        Self::text(&text)
    }
}

impl From<Phrase> for Datum {
    fn from(words: Phrase) -> Self {
        Self::Words(words)
    }
}

impl From<Link> for Datum {
    fn from(link: Link) -> Self {
        Self::Link(link)
    }
}

impl<T: Into<Self>> From<Option<T>> for Datum {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Missing, Into::into)
    }
}

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
