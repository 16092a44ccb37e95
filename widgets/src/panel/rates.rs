//! The value of one unit of a currency in others.

use serde::{Deserialize, Serialize};

use super::{Datum, Decimals, Unit};

/// The value of one unit of a currency in others. A click on another currency makes it the base. The page computes
/// this, so no further request to a service is needed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Rates {
    /// The base currency, by its ISO 4217 code in upper case.
    pub base: String,
    /// The others, in order.
    pub rates: Vec<Rate>,
}

/// One currency.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Rate {
    /// Its ISO 4217 code in upper case.
    pub code: String,
    /// The value of one unit of the base in this currency, above zero; `None` if unknown.
    pub value: Option<f64>,
}

impl Rate {
    /// A currency, with the value of one unit of the base in it if that is a valid rate.
    #[must_use]
    pub fn new(code: impl Into<String>, value: Option<f64>) -> Self {
        Self { code: code.into(), value: value.filter(|value| *value > 0.0 && value.is_finite()) }
    }
}

/// Currencies without decimals, and those with three (ISO 4217); all others have two.
const WHOLE: &str = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF";
const THOUSANDTHS: &str = "BHD IQD JOD KWD LYD OMR TND";

impl Rates {
    /// The value of one unit of `code` in the base of the rates; one for the base itself.
    #[must_use]
    pub fn value(&self, code: &str) -> Option<f64> {
        let rate = self.rates.iter().find(|rate| rate.code == code).and_then(|rate| rate.value);
        if code == self.base { Some(1.0) } else { rate }
    }

    /// An amount of money with the decimals of its currency, and with at least four significant digits: with two
    /// decimals, a rupiah would be worth nothing.
    #[must_use]
    pub fn amount(value: f64, code: &str) -> Datum {
        let usual: u8 = match code {
            code if WHOLE.contains(code) => 0,
            code if THOUSANDTHS.contains(code) => 3,
            _ => 2,
        };
        // Counted with a loop, because a logarithm would add code to the browser's bundle.
        let (mut rest, mut digits) = (value, 3_u8);
        while rest >= 10.0 && digits > usual {
            rest /= 10.0;
            digits -= 1;
        }
        while rest > 0.0 && rest < 1.0 && digits < 12 {
            rest *= 10.0;
            digits += 1;
        }
        Datum::number(value, Unit::Currency(code.to_owned())).decimals(Decimals::Exactly(digits.max(usual)))
    }

    /// The flag of the country whose code is the beginning of the currency code (ISO 4217). Codes that begin with X
    /// belong to no country.
    #[must_use]
    pub fn flag(code: &str) -> Option<String> {
        let country = code.get(..2).filter(|country| !country.starts_with('X') && *country != "AN")?;
        // The regional indicators are in the same order as the letters.
        let letter = |letter: char| match letter {
            'A'..='Z' => char::from_u32('🇦' as u32 + letter as u32 - 'A' as u32),
            _ => None,
        };
        country.chars().map(letter).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_have_the_decimals_of_their_currency_and_four_digits() {
        for (value, code, expected) in [
            (1.1446, "EUR", 3),
            (12.5, "EUR", 2),
            (22_835.58, "EUR", 2),
            (207.7, "JPY", 1),
            (22_835.58, "VND", 0),
            (12.5, "KWD", 3),
            (0.000_043_791, "GBP", 8),
            (1.0, "USD", 3),
            (1e-30, "USD", 12),
            (1e30, "USD", 2),
        ] {
            let Datum::Number { decimals, .. } = Rates::amount(value, code) else { panic!("{value} {code}") };
            assert_eq!(decimals, Decimals::Exactly(expected), "{value} {code}");
        }
    }

    #[test]
    fn flags_are_those_of_countries() {
        for (code, expected) in
            [("GBP", Some("🇬🇧")), ("EUR", Some("🇪🇺")), ("XAF", None), ("ANG", None), ("1NG", None), ("é", None)]
        {
            assert_eq!(Rates::flag(code).as_deref(), expected);
        }
    }
}
