//! How the numbers of a metric are shown.

use serde_json::{Value, json};

use crate::{
    Moment,
    panel::{Datum, Decimals, Phrase, Style, Unit},
};

/// Maximum number of decimals.
const MAX_DECIMALS: f64 = 10.0;
/// Number of significant digits if nothing else is specified.
const DIGITS: u8 = 4;

/// How the numbers of a metric are shown.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Format {
    kind: Kind,
    /// Factor for each number.
    scale: f64,
    prefix: String,
    suffix: String,
    decimals: Option<u8>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Kind {
    Text,
    #[default]
    Number,
    Percent,
    Bytes,
    Bits,
    BitRate,
    ByteRate,
    Duration,
    Date,
    RelativeDate,
}

/// The unit of numbers that share one, as on an axis.
pub(super) struct Scale {
    pub unit: Unit,
    pub decimals: Decimals,
    /// Factor for each number.
    pub factor: f64,
}

/// The schema of the settings of a format, for forms.
pub(super) fn properties() -> Value {
    let text = |about: &str| json!({ "type": ["string", "number", "boolean"], "description": about });
    json!({
        "type": text(
            "How the number is shown: `text`, `number`, `percent`, `bytes`, `bits`, `bitrate`, `byterate`, `duration`, `date` or \
             `relativeDate`."
        ),
        "scale": { "description": "A factor for the number, such as `0.001` or `1/16`." },
        "prefix": text("Text before the number."),
        "suffix": text("Text after the number."),
        "decimals": {
            "type": ["integer", "string"], "minimum": 0, "maximum": MAX_DECIMALS as u8,
            "description": "How many decimals it has.",
        },
    })
}

impl Default for Format {
    fn default() -> Self {
        Self { kind: Kind::default(), scale: 1.0, prefix: String::new(), suffix: String::new(), decimals: None }
    }
}

impl Format {
    /// Reads a format: its type, or a mapping with more settings. Also returns what is wrong with it.
    pub(super) fn read(written: &Value) -> (Self, Option<String>) {
        let Some(fields) = written.as_object() else {
            let (kind, note) = kind(written);
            return (Self { kind, ..Self::default() }, note);
        };
        let (kind, mut note) = fields.get("type").map(kind).unwrap_or_default();
        let scale = fields.get("scale").map(|written| {
            let scale = scale(written);
            if scale.is_none() {
                note = Some("scale must be a number, or one such as 1/16.".to_owned());
            }
            scale.unwrap_or(1.0)
        });
        let mut text = |name: &str| match fields.get(name) {
            Some(Value::String(text)) => text.chars().take(40).collect(),
            Some(Value::Number(number)) => number.to_string(),
            None | Some(Value::Null) => String::new(),
            Some(_) => {
                note = Some(format!("{name} must be text; it is left out."));
                String::new()
            }
        };
        let (prefix, suffix) = (text("prefix"), text("suffix"));
        let decimals = fields.get("decimals").filter(|written| !written.is_null());
        if decimals.is_some_and(|written| number(written).is_none()) {
            note = Some("decimals must be a number; it is left out.".to_owned());
        }
        let decimals = decimals.and_then(number).map(|decimals| decimals.clamp(0.0, MAX_DECIMALS));
        // Clamped, so the cast is exact.
        let decimals = decimals.map(|decimals| decimals as u8);
        (Self { kind, scale: scale.unwrap_or(1.0), prefix, suffix, decimals }, note)
    }

    /// A number, or text, as sent by the service.
    pub(super) fn datum(&self, written: &str) -> Datum {
        let Some(value) = written.trim().parse::<f64>().ok().filter(|_| self.kind != Kind::Text) else {
            return self.framed(Datum::text(written));
        };
        if value.is_nan() {
            return Datum::Missing;
        }
        if value.is_infinite() {
            return self.framed(Datum::text(if value > 0.0 { "∞" } else { "-∞" }));
        }
        let value = value * self.scale;
        self.framed(match self.kind {
            Kind::Date => Datum::time(moment(value), Style::DateTime),
            Kind::RelativeDate => Datum::time(moment(value), Style::Relative),
            _ => {
                let scale = self.scale_of(value);
                Datum::number(value * scale.factor, scale.unit).decimals(scale.decimals)
            }
        })
    }

    /// A number for a chart; `None` if it is not finite.
    pub(super) fn number(&self, written: &str) -> Option<f64> {
        let value: f64 = written.trim().parse().ok()?;
        Some(value * self.scale).filter(|value| value.is_finite())
    }

    /// The unit for numbers of which `largest` is the largest. The numbers are already scaled by the format.
    pub(super) fn scale_of(&self, largest: f64) -> Scale {
        let usual = |unit: Unit, decimals: Decimals| Scale {
            unit,
            decimals: self.decimals.map_or(decimals, Decimals::Exactly),
            factor: 1.0,
        };
        match self.kind {
            Kind::Percent => usual(Unit::Percent, Decimals::Usual),
            Kind::Bytes => usual(Unit::Bytes, Decimals::Usual),
            Kind::ByteRate => usual(Unit::BytesPerSecond, Decimals::Usual),
            Kind::BitRate => usual(Unit::BitsPerSecond, Decimals::Usual),
            Kind::Duration => usual(Unit::Seconds, Decimals::Usual),
            Kind::Bits => {
                let signs = [("Tbit", 1e12), ("Gbit", 1e9), ("Mbit", 1e6), ("kbit", 1e3)];
                let (sign, size) = signs.into_iter().find(|(_, size)| largest.abs() >= *size).unwrap_or(("bit", 1.0));
                Scale { factor: 1.0 / size, ..usual(Unit::Sign(sign.to_owned()), Decimals::Usual) }
            }
            Kind::Text | Kind::Number | Kind::Date | Kind::RelativeDate => {
                usual(Unit::None, Decimals::Significant(DIGITS))
            }
        }
    }

    /// The sign after the numbers of a chart that have no unit.
    pub(super) fn sign(&self) -> Option<Unit> {
        (self.kind == Kind::Number && !self.suffix.trim().is_empty()).then(|| Unit::Sign(self.suffix.trim().to_owned()))
    }

    /// Adds the prefix and the suffix.
    fn framed(&self, datum: Datum) -> Datum {
        if datum.is_missing() || (self.prefix.is_empty() && self.suffix.is_empty()) {
            return datum;
        }
        // Empty texts would be shown as missing.
        let words: &'static str = match (self.prefix.is_empty(), self.suffix.is_empty()) {
            (false, false) => "{prefix}{value}{suffix}",
            (false, true) => "{prefix}{value}",
            _ => "{value}{suffix}",
        };
        let mut phrase = Phrase::from(words).with("value", datum);
        for (name, text) in [("prefix", &self.prefix), ("suffix", &self.suffix)] {
            if !text.is_empty() {
                // White space at the ends is intended.
                phrase = phrase.with(name, Datum::Text(text.clone()));
            }
        }
        phrase.into()
    }
}

fn kind(written: &Value) -> (Kind, Option<String>) {
    let word = written.as_str().unwrap_or_default().trim().to_ascii_lowercase();
    let kind = match word.as_str() {
        "text" => Kind::Text,
        "number" => Kind::Number,
        "percent" => Kind::Percent,
        "bytes" | "bbytes" => Kind::Bytes,
        "bits" => Kind::Bits,
        "bitrate" => Kind::BitRate,
        "byterate" => Kind::ByteRate,
        "duration" => Kind::Duration,
        "date" => Kind::Date,
        "relativedate" => Kind::RelativeDate,
        _ => {
            let known = "text, number, percent, bytes, bits, bitrate, byterate, duration, date or relativeDate";
            return (Kind::Number, Some(format!("format must be {known}; number is used.")));
        }
    };
    (kind, None)
}

/// A number, or a fraction such as `1/16`.
fn scale(written: &Value) -> Option<f64> {
    let scale = match written.as_str().and_then(|text| text.split_once('/')) {
        Some((above, below)) => above.trim().parse::<f64>().ok()? / below.trim().parse::<f64>().ok()?,
        None => number(written)?,
    };
    Some(scale).filter(|scale| scale.is_finite())
}

fn number(written: &Value) -> Option<f64> {
    let number = written.as_f64().or_else(|| written.as_str()?.trim().parse().ok());
    number.filter(|number: &f64| number.is_finite())
}

/// Converts seconds since 1970.
fn moment(seconds: f64) -> Moment {
    // A time whose year is out of range is shown as missing.
    let millis = (seconds * 1000.0) as i64;
    Moment::from_millis(millis)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn numbers_are_written_in_the_unit_of_the_format() {
        let sign = |value: f64, sign: &str| Datum::number(value, Unit::Sign(sign.to_owned()));
        for (format, written, expected) in [
            (json!("percent"), "12.5", Datum::percent(12.5)),
            (json!("BBYTES"), "1.5e+09", Datum::bytes(1.5e9)),
            (json!("bits"), "2500000", sign(2.5, "Mbit")),
            (json!({ "type": "bytes", "scale": "1/16" }), "32", Datum::bytes(2.0)),
            (json!("text"), "0042", Datum::text("0042")),
            (json!("date"), "0", Datum::time(Moment::from_seconds(0), Style::DateTime)),
            (json!("number"), "NaN", Datum::Missing),
            (json!("bytes"), "-Inf", Datum::text("-∞")),
            (json!("number"), "+Inf", Datum::text("∞")),
            (json!({ "decimals": 99 }), "1", Datum::number(1.0, Unit::None).decimals(Decimals::Exactly(10))),
            (
                json!({ "suffix": " requests", "decimals": 0 }),
                "3",
                Phrase::from("{value}{suffix}")
                    .with("value", Datum::number(3.0, Unit::None).decimals(Decimals::Exactly(0)))
                    .with("suffix", Datum::Text(" requests".to_owned()))
                    .into(),
            ),
        ] {
            let (read, note) = Format::read(&format);
            assert_eq!((read.datum(written), note), (expected, None), "{format}");
        }
    }

    #[test]
    fn a_wrong_format_is_reported() {
        for format in [
            json!("stars"),
            json!({ "type": 3 }),
            json!({ "scale": "1/0" }),
            json!({ "decimals": "two" }),
            json!({ "prefix": ["~"] }),
            json!(7),
        ] {
            assert!(Format::read(&format).1.is_some(), "{format}");
        }
    }
}
