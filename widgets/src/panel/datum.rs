//! Values and words, with everything the page needs to format them in the viewer's language.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Decimals, SafeUrl, Style, TimeFormat, Tone, Unit, is_default};
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

/// A text in a panel. A `&'static str` is ours; a text from elsewhere is [`Phrase::foreign`].
///
/// Ours are looked up in translations by their English text, so each sentence appears in the code once and readable.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Phrase {
    /// Our words.
    Ours(String),
    /// Our words, with values for the names in braces: `{count} of {all}`.
    Filled {
        /// The English text.
        words: String,
        /// The values to insert, by name.
        with: BTreeMap<String, Datum>,
    },
    /// Text of a service or of the config file, shown as it is.
    Foreign {
        /// The text.
        foreign: String,
    },
    /// A message about a problem, with its values in it. It is translated as those around panels are.
    Message {
        /// The English text.
        message: String,
    },
}

/// A text with a link. Opens in a new tab, without a referrer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Link {
    /// The text to show.
    pub text: Phrase,
    /// Where it leads.
    pub url: SafeUrl,
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
