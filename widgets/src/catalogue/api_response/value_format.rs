//! How a value of a response is shown.

use jiff::civil::Date;
use serde::{Deserialize, Deserializer, de};
use serde_json::Value;

use super::document::cut;
use crate::{
    Moment,
    language_tag::language_tag,
    option_types::{Lenient, Text, truth},
    panel::{Datum, Decimals, Length, Phrase, RelativeLength, Style, TimeFormat, TimeParts, Unit},
    services::calendar,
};

/// Maximum number of characters of an object or a list in the place of a single value.
const MAX_JSON_LENGTH: usize = 120;
/// Numbers above this count milliseconds since 1970; seconds reach it in the year 5138.
const MILLISECONDS: f64 = 1e11;

/// How a value is shown: its format, and the text around it or in place of it.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct ValueFormat {
    format: Lenient<Format>,
    scale: Lenient<Scale>,
    prefix: Text,
    suffix: Text,
    remap: Remap,
    /// The language of dates; without it, that of the page.
    locale: Text,
    date_style: Lenient<Length>,
    /// Without it, a `date` has no time of day.
    time_style: Lenient<Length>,
    /// The length of a `relativeDate`.
    style: Lenient<RelativeLength>,
    numeric: Lenient<Numeric>,
}

/// Whether a relative date is always a number of days, or can also be "yesterday".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Numeric {
    Always,
    Auto,
}

/// The format of a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum Format {
    #[default]
    Text,
    Number,
    Float,
    Percent,
    Bytes,
    Bitrate,
    Duration,
    Size,
    Date,
    #[serde(alias = "relativedate")]
    RelativeDate,
}

/// A factor, possibly a fraction.
#[derive(Clone, Copy, Debug)]
struct Scale(f64);

/// Replacement texts for some values. The first that matches is used.
#[derive(Clone, Debug, Default)]
struct Remap(Vec<Replacement>);

/// The replacement for a value; for every value if none is given.
#[derive(Clone, Debug)]
struct Replacement {
    value: Option<Value>,
    to: Text,
}

impl ValueFormat {
    /// What is wrong with the format, as the end of a sentence.
    pub(super) fn problem(&self) -> Option<String> {
        let format = self.format.unknown().map(|format| format!("unknown format {format}"));
        format.or_else(|| self.scale.unknown().map(|_| "scale must be a number or a fraction such as 1/16".to_owned()))
    }

    /// What is written but has no effect, as ends of sentences.
    pub(super) fn notes(&self) -> Vec<String> {
        let lengths = "full, long, medium and short";
        let words = [
            ("dateStyle", self.date_style.unknown(), lengths),
            ("timeStyle", self.time_style.unknown(), lengths),
            ("style", self.style.unknown(), "long, short and narrow"),
            ("numeric", self.numeric.unknown(), "always and auto"),
        ];
        let words = words.into_iter().filter_map(|(name, written, known)| {
            Some(format!("{name} '{}' has no effect; the values are {known}", written?))
        });
        let is_wrong = self.locale.is_set() && language_tag(&self.locale).is_none();
        let locale = is_wrong.then(|| format!("locale '{}' is no language; use one such as en-GB", &*self.locale));
        words.chain(locale).collect()
    }

    /// The value as shown; texts are cut after `most` characters.
    pub(super) fn write(&self, value: Option<&Value>, max: usize) -> Datum {
        if let Some(rule) = self.remap.0.iter().find(|rule| rule.replaces(value)) {
            return Datum::text(&rule.to);
        }
        let Some(value) = value else { return Datum::Missing };
        let scale = self.scale.get().map(|scale| scale.0);
        let datum = self.format.or_default().write(value, scale);
        let datum = datum.map(|datum| self.in_chosen_format(datum));
        // A value that is not a number or date is shown unchanged.
        let datum = datum.unwrap_or_else(|| Datum::text(&cut(&plain(value), max)));
        let words = match (self.prefix.get(), self.suffix.get()) {
            _ if datum.is_missing() => return datum,
            (None, None) => return datum,
            (Some(_), None) => "{prefix} {value}",
            (None, Some(_)) => "{value} {suffix}",
            (Some(_), Some(_)) => "{prefix} {value} {suffix}",
        };
        let mut phrase = Phrase::from(words).with("value", datum);
        for (name, text) in [("prefix", &self.prefix), ("suffix", &self.suffix)] {
            if text.is_set() {
                phrase = phrase.with(name, Datum::text(text));
            }
        }
        phrase.into()
    }

    /// A date in the language and the length that the mapping chooses, if it chooses any.
    fn in_chosen_format(&self, datum: Datum) -> Datum {
        let Datum::Time { at, style, offset } = datum else { return datum };
        let locale = language_tag(&self.locale);
        let parts = if style == Style::Relative {
            let (length, numeric) = (self.style.get(), self.numeric.get());
            if locale.is_none() && length.is_none() && numeric.is_none() {
                return datum;
            }
            let numeric = numeric.is_none_or(|numeric| *numeric == Numeric::Always);
            TimeParts::Relative { length: length.copied().unwrap_or(RelativeLength::Long), numeric }
        } else {
            // A day without a time of day is the one at an offset of zero.
            let (date, time) = (self.date_style.get(), self.time_style.get().filter(|_| offset.is_none()));
            if locale.is_none() && date.is_none() && time.is_none() {
                return datum;
            }
            TimeParts::Date { date: date.copied().unwrap_or(Length::Long), time: time.copied() }
        };
        Datum::formatted_time(at, offset, TimeFormat { locale, parts })
    }
}

impl Format {
    /// The value in this format; `None` if the format is text, or does not fit the value.
    fn write(self, value: &Value, scale: Option<f64>) -> Option<Datum> {
        if let Value::Bool(flag) = value
            && self != Self::Size
        {
            return Some(Phrase::from(if *flag { "Yes" } else { "No" }).into());
        }
        let scaled = number(value).map(|number| number * scale.unwrap_or(1.0)).filter(|number| number.is_finite());
        match self {
            Self::Text => scale.and(scaled).map(float),
            Self::Number => scaled.map(|number| Datum::number(number, Unit::None).decimals(Decimals::Exactly(0))),
            Self::Float => scaled.map(float),
            Self::Percent => scaled.map(Datum::percent),
            Self::Bytes => scaled.map(Datum::bytes),
            Self::Bitrate => scaled.map(|number| Datum::number(number, Unit::BitsPerSecond)),
            Self::Duration => scaled.map(Datum::seconds),
            Self::Size => Some(Datum::count(size(value))),
            Self::Date => day(value).or_else(|| Some(Datum::time(moment(value, scaled)?, Style::Date))),
            Self::RelativeDate => moment(value, scaled).map(|at| Datum::time(at, Style::Relative)),
        }
    }
}

impl<'de> Deserialize<'de> for Scale {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        let fraction = || {
            let (above, below) = value.as_str()?.split_once('/')?;
            Some(above.trim().parse::<f64>().ok()? / below.trim().parse::<f64>().ok()?)
        };
        let scale = number(&value).or_else(fraction).filter(|scale| scale.is_finite());
        scale.map(Self).ok_or_else(|| de::Error::custom("must be a number or a fraction"))
    }
}

impl Replacement {
    fn replaces(&self, value: Option<&Value>) -> bool {
        match (&self.value, value) {
            (None, _) => true,
            (Some(wanted), None) => wanted.is_null(),
            (Some(wanted), Some(value)) => !wanted.is_null() && is_same(value, wanted),
        }
    }

    /// Reads a replacement; `None` if it could never match, or has no text.
    fn read(written: &Value) -> Option<Self> {
        let to = Text::deserialize(written.get("to")?).ok()?;
        let is_for_any = written.get("any").is_some_and(|any| truth(any) == Some(true));
        let value = if is_for_any { None } else { Some(written.get("value")?.clone()) };
        Some(Self { value, to })
    }
}

impl<'de> Deserialize<'de> for Remap {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let written = Value::deserialize(deserializer)?;
        let rules = written.as_array().and_then(|rules| rules.iter().map(Replacement::read).collect());
        let expected = "must be a list such as [{ value: 1, to: on }, { any: true, to: off }]";
        rules.map(Self).ok_or_else(|| de::Error::custom(expected))
    }
}

/// A number, possibly in quotes.
pub(super) fn number(value: &Value) -> Option<f64> {
    let number = match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    };
    number.filter(|number| number.is_finite())
}

/// A number with two decimals, or more if these would be zeros: some prices and shares are small.
fn float(number: f64) -> Datum {
    Datum::number(number, Unit::None).decimals(Decimals::Significant(2))
}

/// The value as text; objects and lists as short JSON.
pub(super) fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        value => {
            let json = value.to_string();
            cut(&json, MAX_JSON_LENGTH).into_owned()
        }
    }
}

fn is_same(value: &Value, other: &Value) -> bool {
    plain(value).trim() == plain(other).trim() || number(value).is_some_and(|value| Some(value) == number(other))
}

/// The size of a list, an object or a text.
fn size(value: &Value) -> usize {
    match value {
        Value::Array(values) => values.len(),
        Value::Object(fields) => fields.len(),
        value => plain(value).chars().count(),
    }
}

/// Whether a text is a date that begins with the year, with or without a time of day.
pub(super) fn is_date(value: &Value) -> bool {
    let text = value.as_str().unwrap_or_default().trim().as_bytes();
    let has_dashes = [4, 7].iter().all(|at| text.get(*at) == Some(&b'-'));
    has_dashes && (day(value).is_some() || moment(value, None).is_some())
}

/// A date without a time, which is the same day for every viewer, wherever they are. Eight digits in quotes are a date
/// too: as seconds, they would be in the distant past.
fn day(value: &Value) -> Option<Datum> {
    let text = value.as_str()?.trim();
    let basic = || Date::strptime("%Y%m%d", text).ok().filter(|_| text.len() == 8);
    let day = calendar::parse(text).or_else(basic)?;
    (1..=9999).contains(&day.year()).then(|| calendar::day(day, Style::Date))
}

/// A time: a text, or seconds or milliseconds since 1970. Larger numbers are not times, unless `scale` makes them one.
fn moment(value: &Value, scaled: Option<f64>) -> Option<Moment> {
    let at = match scaled {
        Some(number) => {
            // The cast saturates beyond its range, and the result is not a date.
            let (whole, millis) = (number as i64, number.abs() > MILLISECONDS);
            if millis { Moment::from_millis(whole) } else { Moment::from_seconds(whole) }
        }
        None => {
            let text = value.as_str()?;
            Moment::parse_local(text, 0).or_else(|| Moment::parse_mail(text))?
        }
    };
    Some(at).filter(|at| at.is_dated())
}

#[cfg(test)]
mod tests {
    use serde_json::{from_value, json};

    use super::*;

    fn written(format: Value, value: Value) -> Datum {
        from_value::<ValueFormat>(format).unwrap().write(Some(&value).filter(|value| !value.is_null()), 20)
    }

    #[test]
    fn values_are_written_as_their_format_says() {
        let number = |value: f64, unit: Unit| Datum::number(value, unit);
        let at = Moment::from_seconds(1_795_251_600);
        for (format, value, expected) in [
            ("text", json!(2026), Datum::text("2026")),
            ("text", json!(false), Phrase::from("No").into()),
            ("text", json!({ "a": [1] }), Datum::text("{\"a\":[1]}")),
            ("number", json!("1234.50"), number(1234.5, Unit::None).decimals(Decimals::Exactly(0))),
            ("FLOAT", json!("1234.50"), number(1234.5, Unit::None).decimals(Decimals::Significant(2))),
            ("float", json!("n/a"), Datum::text("n/a")),
            ("percent", json!(12.5), Datum::percent(12.5)),
            ("bytes", json!(2048), Datum::bytes(2048.0)),
            ("bitrate", json!(8), number(8.0, Unit::BitsPerSecond)),
            ("duration", json!("60"), Datum::seconds(60.0)),
            ("size", json!([1, 2]), Datum::count(2)),
            ("size", json!("äö"), Datum::count(2)),
            ("date", json!("2026-11-21T09:00:00Z"), Datum::time(at, Style::Date)),
            ("date", json!("2026-11-21T10:00:00+0100"), Datum::time(at, Style::Date)),
            ("date", json!("2026-11-21T09:00Z"), Datum::time(at, Style::Date)),
            ("date", json!(" 2026-11-21 "), calendar::day(Date::constant(2026, 11, 21), Style::Date)),
            ("date", json!("20261121"), calendar::day(Date::constant(2026, 11, 21), Style::Date)),
            ("date", json!("20261399"), Datum::time(Moment::from_seconds(20_261_399), Style::Date)),
            ("date", json!("1795251600"), Datum::time(at, Style::Date)),
            ("date", json!(1_795_251_600), Datum::time(at, Style::Date)),
            ("relativeDate", json!("1795251600000"), Datum::time(at, Style::Relative)),
            ("relativedate", json!("soon"), Datum::text("soon")),
            ("date", json!(null), Datum::Missing),
            ("date", json!(1_795_251_600_000_000_i64), Datum::text("1795251600000000")),
            ("relativeDate", json!(1e300), Datum::text("1e+300")),
            ("date", json!("+12345-01-01"), Datum::text("+12345-01-01")),
            ("date", json!("+12345-01-01T00:00:00Z"), Datum::text("+12345-01-01T00:00:0…")),
            ("text", json!("a text of more than twenty"), Datum::text("a text of more than…")),
            ("number", json!("a text of more than twenty"), Datum::text("a text of more than…")),
        ] {
            assert_eq!(written(json!({ "format": format }), value.clone()), expected, "{format} of {value}");
        }
    }

    #[test]
    fn dates_have_the_language_and_the_length_of_the_mapping() {
        let at = Moment::from_seconds(1_795_251_600);
        let date = |date, time| TimeParts::Date { date, time };
        let relative = |length, numeric| TimeParts::Relative { length, numeric };
        for (format, expected) in [
            (json!({ "format": "date", "dateStyle": "full" }), (None, date(Length::Full, None))),
            (
                json!({ "format": "date", "dateStyle": "short", "timeStyle": "Medium" }),
                (None, date(Length::Short, Some(Length::Medium))),
            ),
            (json!({ "format": "date", "timeStyle": "short" }), (None, date(Length::Long, Some(Length::Short)))),
            (json!({ "format": "date", "locale": "nl" }), (Some("nl"), date(Length::Long, None))),
            (
                json!({ "format": "date", "locale": "pt_BR", "timeStyle": "none" }),
                (Some("pt-BR"), date(Length::Long, None)),
            ),
            (json!({ "format": "relativeDate", "locale": "nl" }), (Some("nl"), relative(RelativeLength::Long, true))),
            (json!({ "format": "relativeDate", "numeric": "auto" }), (None, relative(RelativeLength::Long, false))),
            (
                json!({ "format": "relativeDate", "style": "narrow", "numeric": "x" }),
                (None, relative(RelativeLength::Narrow, true)),
            ),
        ] {
            let (locale, parts) = expected;
            let expected = TimeFormat { locale: locale.map(str::to_owned), parts };
            let expected = Datum::FormattedTime { at, offset: None, format: expected };
            assert_eq!(written(format.clone(), json!("2026-11-21T09:00:00Z")), expected, "{format}");
        }
        // What belongs to the other format has no effect, nor does a language that does not exist.
        let at_all = |style| Datum::time(at, style);
        for (format, expected) in [
            (json!({ "format": "date", "style": "short", "numeric": "auto" }), at_all(Style::Date)),
            (json!({ "format": "relativeDate", "dateStyle": "short", "timeStyle": "short" }), at_all(Style::Relative)),
            (json!({ "format": "date", "locale": "Dutch language" }), at_all(Style::Date)),
        ] {
            assert_eq!(written(format.clone(), json!(1_795_251_600)), expected, "{format}");
        }
        // A day without a time of day has none to show, and is the same for every viewer.
        let day = written(json!({ "format": "date", "dateStyle": "short", "timeStyle": "short" }), json!("2026-11-21"));
        let format = TimeFormat { locale: None, parts: date(Length::Short, None) };
        assert_eq!(
            day,
            Datum::FormattedTime { at: calendar::midnight(Date::constant(2026, 11, 21)), offset: Some(0), format }
        );
    }

    #[test]
    fn values_are_scaled_and_replaced() {
        let format = json!({ "format": "float", "scale": "1/16" });
        assert_eq!(written(format, json!("8")), float(0.5));
        assert_eq!(written(json!({ "scale": "1e-6" }), json!(42)), float(0.000_042));
        let format = json!({ "remap": [{ "value": 1, "to": "on" }, { "any": true, "to": "off" }] });
        assert_eq!(written(format.clone(), json!("1.0")), Datum::text("on"));
        assert_eq!(written(format.clone(), json!(2)), Datum::text("off"));
        assert_eq!(written(format, json!(null)), Datum::text("off"));
        let format = json!({ "remap": [{ "value": null, "to": "none" }, { "value": "", "to": "blank" }] });
        assert_eq!(written(format.clone(), json!(null)), Datum::text("none"));
        assert_eq!(written(format, json!(" ")), Datum::text("blank"));
        let format = json!({ "format": "date", "scale": "1/1000" });
        let at = Moment::from_seconds(1_795_251_600);
        assert_eq!(written(format, json!(1_795_251_600_000_000_i64)), Datum::time(at, Style::Date));
        for (format, expected) in [
            (json!({ "format": "foo" }), "unknown format foo"),
            (json!({ "scale": "1/0" }), "scale must be a number or a fraction such as 1/16"),
        ] {
            assert_eq!(from_value::<ValueFormat>(format).unwrap().problem().as_deref(), Some(expected));
        }
    }
}
