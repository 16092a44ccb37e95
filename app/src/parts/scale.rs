//! Which digits of a number are shown, and with which unit sign.
//!
//! Rounding uses integers, because float formatting would be larger than all parts together.

use widgets::panel::{Decimals, Unit};

/// How the numbers of one scale are shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Scale {
    /// A number is divided by this first.
    pub divisor: f64,
    /// The sign after the number, with its space.
    pub sign: String,
    /// How the browser formats it.
    pub kind: NumberStyle,
}

/// Kinds of numbers that languages write differently.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NumberStyle {
    /// Digits, followed by the sign.
    Plain,
    /// 100 is the whole.
    Percent,
    /// Money, by its ISO 4217 code.
    Currency(String),
}

const BYTES: [&str; 6] = ["B", "KB", "MB", "GB", "TB", "PB"];
const BYTE_RATES: [&str; 6] = ["B/s", "KB/s", "MB/s", "GB/s", "TB/s", "PB/s"];
const BIT_RATES: [&str; 5] = ["bit/s", "kbit/s", "Mbit/s", "Gbit/s", "Tbit/s"];
const FREQUENCIES: [&str; 5] = ["Hz", "kHz", "MHz", "GHz", "THz"];

impl Scale {
    /// The scale on which a number with this unit is easy to read. Durations and angles have no scale; see
    /// [`super::number`].
    pub fn of(value: f64, unit: &Unit) -> Self {
        let sign = match unit {
            Unit::Bytes => return Self::stepped(value, 1024.0, &BYTES),
            Unit::BytesPerSecond => return Self::stepped(value, 1024.0, &BYTE_RATES),
            Unit::BitsPerSecond => return Self::stepped(value, 1000.0, &BIT_RATES),
            Unit::Hertz => return Self::stepped(value, 1000.0, &FREQUENCIES),
            Unit::Percent => return Self { divisor: 1.0, sign: String::new(), kind: NumberStyle::Percent },
            Unit::Currency(code) => {
                // A browser throws an exception for anything that cannot be a code.
                if code.len() == 3 && code.bytes().all(|byte| byte.is_ascii_alphabetic()) {
                    return Self {
                        divisor: 1.0,
                        sign: String::new(),
                        kind: NumberStyle::Currency(code.to_ascii_uppercase()),
                    };
                }
                code.as_str()
            }
            Unit::None | Unit::Short | Unit::Bearing | Unit::DaysAhead => "",
            Unit::Seconds => "s",
            Unit::Milliseconds => "ms",
            Unit::Celsius => "°C",
            Unit::Fahrenheit => "°F",
            Unit::MetersPerSecond => "m/s",
            Unit::KilometersPerHour => "km/h",
            Unit::MilesPerHour => "mph",
            Unit::Kilometers => "km",
            Unit::Miles => "mi",
            Unit::Hectopascal => "hPa",
            Unit::Millimeters => "mm",
            Unit::Inches => "in",
            Unit::Sign(sign) => sign,
        };
        Self { divisor: 1.0, sign: spaced(sign), kind: NumberStyle::Plain }
    }

    /// The scale on which a count has few digits. Four are as short as their abbreviation.
    pub fn short(value: f64) -> Self {
        // A number that would be rounded up to the next step is shown in that step.
        let (divisor, sign) = match value.abs() {
            ..9999.5 => (1.0, ""),
            ..999_950.0 => (1e3, "\u{a0}K"),
            ..999_950_000.0 => (1e6, "\u{a0}M"),
            ..999_950_000_000.0 => (1e9, "\u{a0}B"),
            _ => (1e12, "\u{a0}T"),
        };
        Self { divisor, sign: sign.to_owned(), kind: NumberStyle::Plain }
    }

    fn stepped(value: f64, factor: f64, signs: &[&str]) -> Self {
        let mut divisor = 1.0;
        let mut position = 0;
        // A number that would be rounded up to the next unit is shown in that unit.
        while position + 1 < signs.len() && value.abs() / divisor >= factor - 0.005 {
            divisor *= factor;
            position += 1;
        }
        Self { divisor, sign: spaced(signs[position]), kind: NumberStyle::Plain }
    }

    /// The minimum and maximum number of decimals of a number that is already divided.
    pub fn digits(&self, value: f64, decimals: Decimals) -> (u8, u8) {
        let min = if matches!(self.kind, NumberStyle::Currency(_)) { 2 } else { 0 };
        match decimals {
            Decimals::Usual => (min, 2),
            Decimals::Exactly(count) => (count.min(16), count.min(16)),
            Decimals::Significant(count) => {
                let mut rest = value.abs();
                let mut max = count.clamp(1, 8) - 1;
                while rest > 0.0 && rest < 1.0 && max < 15 {
                    rest *= 10.0;
                    max += 1;
                }
                while rest >= 10.0 && max > 2 {
                    rest /= 10.0;
                    max -= 1;
                }
                (min, max.max(2))
            }
        }
    }

    /// The number in the digits of the language, with signs that are the same in all.
    pub fn neutral(&self, value: f64, decimals: Decimals, signed: bool) -> String {
        let value = value / self.divisor;
        let (min, max) = self.digits(value, decimals);
        let mut text = digits(value, min, max);
        if signed && value > 0.0 {
            text.insert(0, '+');
        }
        match &self.kind {
            NumberStyle::Plain => text.push_str(&self.sign),
            NumberStyle::Percent => text.push('%'),
            NumberStyle::Currency(code) => {
                text.push('\u{a0}');
                text.push_str(code);
            }
        }
        #[cfg(feature = "ssr")]
        let text = languages::in_digits(text);
        text
    }
}

/// A word for a unit, for the page's script. Units that are formatted in the same way share a word.
pub fn unit_word(unit: &Unit) -> String {
    match unit {
        Unit::Bytes => "bytes".to_owned(),
        Unit::BytesPerSecond => "bytes/s".to_owned(),
        Unit::BitsPerSecond => "bits/s".to_owned(),
        Unit::Hertz => "hertz".to_owned(),
        Unit::Percent => "percent".to_owned(),
        Unit::Seconds => "seconds".to_owned(),
        Unit::Bearing => "bearing".to_owned(),
        Unit::DaysAhead => "days-ahead".to_owned(),
        Unit::Currency(code) => format!("currency {code}"),
        other => format!("sign {}", Scale::of(0.0, other).sign),
    }
}

/// The unit for a word of [`unit_word`].
#[cfg(any(feature = "hydrate", test))]
pub fn unit_of(word: &str) -> Unit {
    match word.split_once(' ') {
        Some(("currency", code)) => Unit::Currency(code.to_owned()),
        Some((_, sign)) => Unit::Sign(sign.to_owned()),
        None => match word {
            "bytes" => Unit::Bytes,
            "bytes/s" => Unit::BytesPerSecond,
            "bits/s" => Unit::BitsPerSecond,
            "hertz" => Unit::Hertz,
            "percent" => Unit::Percent,
            "seconds" => Unit::Seconds,
            "bearing" => Unit::Bearing,
            "days-ahead" => Unit::DaysAhead,
            _ => Unit::None,
        },
    }
}

/// A sign after a number; signs that are attached to it (°C, °, ′, %) need no space.
fn spaced(sign: &str) -> String {
    let mut text = String::new();
    if sign.starts_with(char::is_alphanumeric) {
        text.push('\u{a0}');
    }
    text.push_str(sign);
    text
}

/// A number with a minimum and maximum number of decimals.
pub fn digits(value: f64, min: u8, max: u8) -> String {
    let mut power = 1_u64;
    for _ in 0..max {
        power *= 10;
    }
    // Too large for an integer. Not needed in the browser, which has its own formatter.
    #[cfg(feature = "ssr")]
    if value.abs() * power as f64 >= u64::MAX as f64 {
        return format!("{value:.0$}", usize::from(min));
    }
    // Beyond 2^53 the last digits are meaningless.
    let scaled = (value.abs() * power as f64 + 0.5).floor() as u64;
    let mut text = (scaled / power).to_string();
    if max > 0 {
        let fraction = (scaled % power).to_string();
        text.push('.');
        for _ in fraction.len()..usize::from(max) {
            text.push('0');
        }
        text.push_str(&fraction);
        for _ in min..max {
            if text.ends_with('0') {
                text.pop();
            }
        }
        if text.ends_with('.') {
            text.pop();
        }
    }
    if value < 0.0 && scaled > 0 {
        text.insert(0, '-');
    }
    text
}

/// A number with all of its digits, for a script to parse, as ECMAScript writes it (ECMA-262, `Number::toString`).
pub fn exact(value: f64) -> String {
    #[cfg(feature = "hydrate")]
    return js_sys::Number::from(value).to_string_with_radix(10).map(String::from).unwrap_or_default();
    #[cfg(not(feature = "hydrate"))]
    match value.abs() {
        0.0 => "0".to_owned(),
        small if small < 1e-6 => format!("{value:e}"),
        large if large >= 1e21 => format!("{value:e}").replace('e', "e+"),
        _ => value.to_string(),
    }
}

/// A duration in its two largest units, or in one if the second would be zero, with the names that [`super::live`] passes to the
/// browser.
pub fn duration(seconds: f64) -> Vec<(u64, &'static str)> {
    const UNITS: [(u64, &str); 4] = [(86_400, "day"), (3600, "hour"), (60, "minute"), (1, "second")];
    let mut rest = (seconds.abs() + 0.5).floor() as u64;
    let mut pieces = Vec::new();
    for (position, (size, name)) in UNITS.into_iter().enumerate() {
        if rest < size && pieces.is_empty() && position + 1 < UNITS.len() {
            continue;
        }
        let count = rest / size;
        rest %= size;
        if count > 0 || pieces.is_empty() {
            pieces.push((count, name));
        }
        // The unit after the largest one is the last, even if it is zero.
        if pieces.len() == 2 || pieces.first().is_some_and(|first| first.1 != name) {
            break;
        }
    }
    pieces
}

#[cfg(all(test, feature = "ssr"))]
mod tests {
    use super::exact;

    #[test]
    fn exact_numbers_are_written_as_a_browser_writes_them() {
        for (value, expected) in [
            (0.0, "0"),
            (-0.0, "0"),
            (17.0, "17"),
            (-1.5, "-1.5"),
            (0.1 + 0.2, "0.30000000000000004"),
            (1e-6, "0.000001"),
            (9.9e-7, "9.9e-7"),
            (-1.234e-10, "-1.234e-10"),
            (1e20, "100000000000000000000"),
            (1e21, "1e+21"),
            (-1.5e300, "-1.5e+300"),
        ] {
            assert_eq!(exact(value), expected);
        }
    }
}
