//! Numbers. The server's text has the digits of the language, and the same signs in all languages; [`super::live`] reformats it in
//! the viewer's language, using the attributes.

use leptos::{either::Either, prelude::*};
use widgets::panel::{Datum, Decimals, Unit};

use super::{
    phrase::{ours, ours_with},
    scale::{self, NumberStyle, Scale},
};

/// A number with a unit.
#[component]
pub fn Number<'a>(
    value: f64,
    unit: &'a Unit,
    decimals: Decimals,
    #[prop(optional)] signed: bool,
) -> impl IntoView + use<> {
    let written = match unit {
        Unit::Bearing => return Either::Left(ours(compass(value))),
        Unit::Seconds => {
            FormattedNumber { unit: "seconds".into(), ..FormattedNumber::new(value, plain_duration(value)) }
        }
        Unit::DaysAhead => {
            FormattedNumber { unit: "days-ahead".into(), ..FormattedNumber::new(value, plain_days(value)) }
        }
        _ => FormattedNumber::on_scale(value, &Scale::of(value, unit), decimals, signed),
    };
    Either::Right(written.view())
}

/// A number on a scale that was chosen for several numbers.
#[component]
pub fn ScaledNumber<'a>(value: f64, scale: &'a Scale, decimals: Decimals) -> impl IntoView + use<> {
    FormattedNumber::on_scale(value, scale, decimals, false).view()
}

/// A number as shown without scripts, and the attributes that the browser needs to format it.
pub(super) struct FormattedNumber {
    pub(super) value: f64,
    pub(super) text: String,
    pub(super) digits: String,
    pub(super) divisor: f64,
    pub(super) sign: String,
    pub(super) unit: String,
    pub(super) signed: &'static str,
}

impl FormattedNumber {
    fn new(value: f64, text: String) -> Self {
        let (digits, sign, unit) = Default::default();
        Self { value, text, digits, divisor: 1.0, sign, unit, signed: "" }
    }

    pub(super) fn on_scale(value: f64, scale: &Scale, decimals: Decimals, signed: bool) -> Self {
        let (min, max) = scale.digits(value / scale.divisor, decimals);
        let mut written = Self::new(value, scale.neutral(value, decimals, signed));
        written.digits = [min.to_string(), max.to_string()].join(" ");
        written.divisor = scale.divisor;
        written.signed = if signed { "exceptZero" } else { "" };
        match &scale.kind {
            NumberStyle::Plain => written.sign.clone_from(&scale.sign),
            NumberStyle::Percent => written.unit = "percent".into(),
            NumberStyle::Currency(code) => written.unit.clone_from(code),
        }
        written
    }

    pub(super) fn view(self) -> impl IntoView {
        let written = |attribute: String| (!attribute.is_empty()).then_some(attribute);
        view! {
            <data
                value=scale::exact(self.value)
                data-digits=written(self.digits)
                data-divisor=(self.divisor > 1.0).then(|| scale::exact(self.divisor))
                data-sign=written(self.sign)
                data-unit=written(self.unit)
                data-signed=(!self.signed.is_empty()).then_some(self.signed)
            >
                {self.text}
            </data>
        }
    }
}

/// Whether a value is negative; `None` if it is zero or not a number.
pub fn is_negative(datum: &Datum) -> Option<bool> {
    match datum {
        Datum::Number { value, .. } if *value != 0.0 => Some(*value < 0.0),
        _ => None,
    }
}

/// A number as text without markup.
pub fn plain_number(value: f64, unit: &Unit, decimals: Decimals, signed: bool) -> String {
    match unit {
        Unit::Seconds => plain_duration(value),
        Unit::DaysAhead => plain_days(value),
        Unit::Bearing => ours(compass(value)).to_owned(),
        _ => Scale::of(value, unit).neutral(value, decimals, signed),
    }
}

fn plain_days(days: f64) -> String {
    match scale::digits(days, 0, 0).as_str() {
        "0" => ours("today").to_owned(),
        "1" => ours("tomorrow").to_owned(),
        days => ours_with("in {count} days", "count", days.to_owned()),
    }
}

/// A duration as the server writes it, and everywhere in English.
pub fn plain_duration(seconds: f64) -> String {
    joined(seconds, |count, unit| Some(plain_unit(count, unit))).unwrap_or_default()
}

/// The units of a duration, each as `written`.
pub fn joined(seconds: f64, written: impl Fn(u64, &'static str) -> Option<String>) -> Option<String> {
    let mut text = String::new();
    if seconds < -0.5 {
        text.push('-');
    }
    for (position, (count, unit)) in scale::duration(seconds).into_iter().enumerate() {
        if position > 0 {
            text.push(' ');
        }
        text.push_str(&written(count, unit)?);
    }
    Some(text)
}

/// A number of a unit of time, in short. Only the server knows other languages. In English these are the symbols that
/// everybody knows: browsers write "hr", or "hrs" in Britain.
pub fn plain_unit(count: u64, unit: &str) -> String {
    #[cfg(feature = "ssr")]
    if let Some(text) = languages::duration(count, unit) {
        return text;
    }
    let sign = match unit {
        "day" if count == 1 => "day",
        "day" => "days",
        "hour" => "h",
        "minute" => "min",
        _ => "s",
    };
    [&count.to_string(), "\u{a0}", sign].concat()
}

fn compass(angle: f64) -> &'static str {
    const POINTS: [&str; 8] = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"];
    let position = (angle / 45.0 + 0.5).floor() as i64;
    POINTS[usize::try_from(position.rem_euclid(8)).unwrap_or_default()]
}
