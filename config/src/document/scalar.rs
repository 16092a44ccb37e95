//! What an unquoted scalar is (docs/spec/config.md 13).

use serde_json::{Number, Value};

/// Below this, 2 to the 53rd, floats represent every integer exactly.
const MAX_EXACT: f64 = 9_007_199_254_740_992.0;

/// The value of a plain scalar.
pub(super) fn plain(text: &str) -> Value {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => Value::Bool(true),
        "false" | "False" | "FALSE" => Value::Bool(false),
        _ => number(text).map_or_else(|| Value::String(text.to_owned()), Value::Number),
    }
}

/// The boolean that a text without quotes is, `true`, `True` or `TRUE`; `None` if it is none.
#[must_use]
pub fn flag(text: &str) -> Option<bool> {
    plain(text).as_bool()
}

/// The number that a text without quotes is, in any notation of YAML; `None` if it is none, or one that JSON lacks.
#[must_use]
pub fn number(text: &str) -> Option<Number> {
    match any_number(text)? {
        Value::Number(number) => Some(number),
        _ => None,
    }
}

/// Parses a number: null for numbers that JSON lacks, `None` if the text is not a number.
pub(super) fn any_number(text: &str) -> Option<Value> {
    let (negative, digits) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        b'0'..=b'9' | b'.' => (false, text),
        _ => return None,
    };
    if matches!(digits, ".inf" | ".Inf" | ".INF") || (digits == text && matches!(digits, ".nan" | ".NaN" | ".NAN")) {
        return Some(Value::Null);
    }
    let based = [("0x", 16), ("0o", 8), ("0b", 2)];
    if let Some((digits, base)) =
        based.iter().find_map(|(prefix, base)| digits.strip_prefix(prefix).map(|digits| (digits, *base)))
    {
        let valid = !digits.is_empty() && digits.chars().all(|digit| digit.is_digit(base));
        return valid.then(|| integer(negative, digits, base)).flatten();
    }
    if !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return integer(negative, digits, 10);
    }
    is_float(digits).then(|| float(text)).flatten()
}

/// An integer: exact if it fits into 64 bits, otherwise a float.
fn integer(negative: bool, digits: &str, base: u32) -> Option<Value> {
    match (u64::from_str_radix(digits, base), negative) {
        (Ok(positive), false) => Some(positive.into()),
        (Ok(magnitude), true) if magnitude <= i64::MIN.unsigned_abs() => {
            Some(i64::try_from(-i128::from(magnitude)).ok()?.into())
        }
        _ => {
            let size = digits
                .chars()
                .filter_map(|digit| digit.to_digit(base))
                .fold(0.0, |sum: f64, digit| sum * f64::from(base) + f64::from(digit));
            // Parsing a decimal is more accurate than summing its digits.
            let size = if base == 10 { parsed(digits).unwrap_or(size) } else { size };
            Number::from_f64(if negative { -size } else { size }).map(Value::Number)
        }
    }
}

/// `1.5`, `.5`, `1.`, `1e3`, `1.5e-3`: digits around an optional point, then an optional exponent.
fn is_float(digits: &str) -> bool {
    let (mantissa, exponent) = match digits.find(['e', 'E']) {
        Some(at) => (&digits[..at], Some(&digits[at + 1..])),
        None => (digits, None),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let exponent_fits = exponent.is_none_or(|exponent| {
        let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        !digits.is_empty() && all_digits(digits)
    });
    all_digits(whole) && all_digits(fraction) && !(whole.is_empty() && fraction.is_empty()) && exponent_fits
}

/// A float. A text beyond the range of a 64-bit float, such as the commit hash `1e999`, was not meant as a number.
fn float(text: &str) -> Option<Value> {
    let number = parsed(text)?;
    // `1e3` is one thousand and is printed as `1000`; `1.0`, perhaps a version, keeps its point.
    if text.contains(['e', 'E']) && number.fract() == 0.0 && number.abs() < MAX_EXACT {
        return Some((number as i64).into());
    }
    Number::from_f64(number).map(Value::Number)
}

/// The nearest float to a decimal.
#[cfg(not(target_arch = "wasm32"))]
fn parsed(text: &str) -> Option<f64> {
    text.parse().ok()
}

/// The same, parsed by the browser: ours would add a table of 10 KB to the bundle.
#[cfg(target_arch = "wasm32")]
fn parsed(text: &str) -> Option<f64> {
    Some(js_sys::parse_float(text))
}
