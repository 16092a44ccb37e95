//! What one unit of a currency is worth in others. The page computes the rates of another unit by itself, with what
//! stands in the markup.

use widgets::panel::{Rate, Rates};

use super::{datum, markup::Markup, phrase};
#[cfg(feature = "ssr")]
use super::{number, text};

/// The rates.
#[cfg(feature = "ssr")]
pub fn rates(rates: &Rates, m: &mut Markup) {
    if rates.rates.is_empty() {
        return text::empty("Nothing to show", m);
    }
    m.open("div", "part part-rates");
    m.attr("data-rates", &written(rates));
    content(rates, &rates.base, m);
    m.close();
}

/// What stands in the part while `base` is the unit: the currency that the widget chose stands in the place of the one
/// that is the unit now, so that a second click leads back. If it has a row of its own, all rows stay.
pub fn content(rates: &Rates, base: &str, m: &mut Markup) {
    let unit = rates.value(base);
    let is_first = base == rates.base;
    let has_row = rates.rates.iter().any(|rate| rate.code == rates.base);
    m.open("div", "rates-base");
    m.open("h3", "");
    m.attr("aria-live", "polite");
    m.text("1\u{a0}");
    m.text(base);
    m.text(" =");
    m.close();
    if !is_first {
        m.open("button", "more");
        m.attr("type", "button");
        m.attr("data-base", &rates.base);
        m.text(phrase::ours("Reset"));
        m.close();
    }
    m.close();
    m.open("ul", "");
    for Rate { code, .. } in &rates.rates {
        let code = if code == base && !has_row { &rates.base } else { code };
        m.open("li", "");
        row(code, base, rates.value(code).zip(unit).map(|(value, unit)| value / unit), m);
        m.close();
    }
    m.close();
}

fn row(code: &str, base: &str, value: Option<f64>, m: &mut Markup) {
    match value {
        // What is worth itself leads nowhere.
        Some(_) if code != base => {
            m.open("button", "rate");
            m.attr("type", "button");
            m.attr("data-base", code);
            m.fixed("data-hinted");
        }
        _ => m.open("div", "rate"),
    }
    m.open("span", "rate-code");
    if let Some(flag) = Rates::flag(code) {
        m.open("span", "flag");
        m.attr("aria-hidden", "true");
        m.text(&flag);
        m.close();
    }
    m.text(code);
    m.close();
    m.open("span", "rate-value");
    match value {
        Some(value) => datum::write(&Rates::amount(value, code), m),
        None => m.element("span", "missing", phrase::ours("not available")),
    }
    m.close();
    if let Some(value) = value.filter(|_| code != base) {
        m.text(" ");
        m.open("span", "hint visually-hidden");
        m.text("1\u{a0}");
        m.text(code);
        m.text(" = ");
        datum::write(&Rates::amount(1.0 / value, base), m);
        m.close();
    }
    m.close();
}

/// The rates as an attribute: `GBP EUR=1.25 JPY=200 XYZ`, the unit first.
#[cfg(feature = "ssr")]
fn written(rates: &Rates) -> String {
    let mut text = rates.base.clone();
    for Rate { code, value } in &rates.rates {
        text.push(' ');
        text.push_str(code);
        if let Some(value) = value {
            text.push('=');
            text.push_str(&number::exact(*value));
        }
    }
    text
}

/// The rates of such an attribute. `number` reads a number.
#[cfg(any(feature = "hydrate", test))]
pub fn read(text: &str, number: impl Fn(&str) -> f64) -> Rates {
    let mut words = text.split(' ');
    let base = words.next().unwrap_or_default().to_owned();
    let rate = |word: &str| match word.split_once('=') {
        Some((code, value)) => Rate::new(code, Some(number(value))),
        None => Rate::new(word, None),
    };
    Rates { base, rates: words.map(rate).collect() }
}

#[cfg(all(test, feature = "ssr"))]
mod tests {
    use super::*;
    use crate::parts::Surroundings;

    #[test]
    fn another_unit_needs_nothing_but_the_markup() {
        let rates = Rates {
            base: "GBP".into(),
            rates: vec![Rate::new("EUR", Some(1.25)), Rate::new("USD", Some(1.3125)), Rate::new("XYZ", None)],
        };
        let again = read(&written(&rates), |text| text.parse().unwrap());
        assert_eq!(again, rates);
        let surroundings = Surroundings::default();
        let mut m = Markup::new(&surroundings);
        content(&again, "EUR", &mut m);
        let html = m.finish();
        // A euro is 0.8 pounds, and 1.05 dollars.
        for piece in ["1\u{a0}EUR =", "value=\"0.8\"", "value=\"1.05\"", "data-base=\"GBP\">Reset", "not available"] {
            assert!(html.contains(piece), "{piece} is not in {html}");
        }
    }

    #[test]
    fn no_currency_has_two_rows() {
        let rate = |code: &str| Rate::new(code, Some(if code == "GBP" { 1.0 } else { 1.25 }));
        for (listed, base, expected) in [
            (&["GBP", "EUR", "USD"][..], "EUR", "GBP EUR USD"),
            (&["EUR", "USD"], "EUR", "GBP USD"),
            (&["GBP", "EUR", "USD"], "GBP", "GBP EUR USD"),
            (&["EUR", "USD"], "GBP", "EUR USD"),
        ] {
            let rates = Rates { base: "GBP".into(), rates: listed.iter().map(|code| rate(code)).collect() };
            let surroundings = Surroundings::default();
            let mut m = Markup::new(&surroundings);
            content(&rates, base, &mut m);
            let html = m.finish();
            let rows = html.split("rate-code").skip(1).map(|row| {
                let code = row.find(|letter: char| letter.is_ascii_uppercase()).unwrap();
                &row[code..code + 3]
            });
            assert_eq!(rows.collect::<Vec<_>>().join(" "), expected, "{base}: {html}");
        }
    }
}
