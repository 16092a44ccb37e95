//! The value of one unit of a currency in others. The page computes the rates of another base itself, from the data in
//! the markup.

use leptos::{either::Either, prelude::*};
use widgets::panel::{self, Datum, Rate, VISIBLE_ROWS};

use super::{
    fold::{Fold, FoldButton},
    notice::Empty,
    number::Number,
    phrase::ours,
    scale::exact,
};

/// The rates.
#[component]
pub fn Rates<'a>(rates: &'a panel::Rates) -> impl IntoView {
    if rates.rates.is_empty() {
        return Either::Left(view! { <Empty sentence="Nothing to show"/> });
    }
    let words = RatesWords { reset: ours("Reset"), absent: ours("not available") };
    // The style sheet hides the rows, as the browser draws them anew with each click on a currency.
    let fold = Fold::new(Some(VISIBLE_ROWS), rates.rates.len());
    Either::Right(view! {
        <div class="part">
            <div
                class="part-rates"
                data-rates=written(rates)
                data-reset=words.reset.to_owned()
                data-absent=words.absent.to_owned()
            >
                <RatesContent rates base=&rates.base words/>
            </div>
            <FoldButton fold/>
        </div>
    })
}

/// The words of the contents, in the language of the page: the browser takes them from the markup.
#[derive(Clone, Copy)]
pub struct RatesWords<'a> {
    /// The label of the button that leads back to the widget's own currency.
    pub reset: &'a str,
    /// What a currency without a value has in place of it.
    pub absent: &'a str,
}

/// The contents of the part while `base` is the base: the widget's own currency takes the place of the current base, so
/// that a second click leads back. If it already has a row, all rows stay.
#[component]
pub fn RatesContent<'a>(rates: &'a panel::Rates, base: &'a str, words: RatesWords<'a>) -> impl IntoView {
    let unit = rates.value(base);
    let has_row = rates.rates.iter().any(|rate| rate.code == rates.base);
    let reset = (base != rates.base).then(|| {
        view! { <button class="more" type="button" data-base=rates.base.clone()>{words.reset.to_owned()}</button> }
    });
    let row = |rate: &'a Rate| {
        let code = if rate.code == base && !has_row { &rates.base } else { &rate.code };
        let value = rates.value(code).zip(unit).map(|(value, unit)| value / unit);
        view! { <li><RateRow code base value absent=words.absent/></li> }
    };
    view! {
        <div class="rates-base"><h3 aria-live="polite">"1\u{a0}"{base}" ="</h3>{reset}</div>
        <ul>{rates.rates.iter().map(row).collect_view()}</ul>
    }
}

#[component]
fn RateRow<'a>(code: &'a str, base: &'a str, value: Option<f64>, absent: &'a str) -> impl IntoView {
    // A code that the service does not know need not be one of a country's currency.
    let flag = value.and_then(|_| panel::Rates::flag(code));
    let flag = flag.map(|flag| view! { <span class="flag" aria-hidden="true">{flag}</span> });
    let amount = match value {
        Some(value) => Either::Left(view! { <Amount value code/> }),
        None => Either::Right(view! { <span class="missing">{absent.to_owned()}</span> }),
    };
    let content = view! {
        <span class="rate-code">{flag}{code}</span>
        <span class="rate-value">{amount}</span>
    };
    match value.filter(|_| code != base) {
        Some(value) => Either::Left(view! {
            <button class="rate" type="button" data-base=code data-hinted>
                {content}
                " "
                <span class="hint visually-hidden">"1\u{a0}"{code}" = "<Amount value=1.0 / value code=base/></span>
            </button>
        }),
        // A currency compared with itself has no link.
        None => Either::Right(view! { <div class="rate">{content}</div> }),
    }
}

/// An amount of a currency.
#[component]
fn Amount<'a>(value: f64, code: &'a str) -> impl IntoView + use<> {
    match panel::Rates::amount(value, code) {
        Datum::Number { value, unit, decimals, .. } => Some(view! { <Number value unit=&unit decimals/> }),
        _ => None,
    }
}

/// The rates as an attribute: `GBP EUR=1.25 JPY=200 XYZ`, the base first.
fn written(rates: &panel::Rates) -> String {
    let mut text = rates.base.clone();
    for Rate { code, value } in &rates.rates {
        text.push(' ');
        text.push_str(code);
        if let Some(value) = value {
            text.push('=');
            text.push_str(&exact(*value));
        }
    }
    text
}

/// Parses the rates in such an attribute. `number` parses a number.
#[cfg(any(feature = "hydrate", test))]
pub fn read(text: &str, number: impl Fn(&str) -> f64) -> panel::Rates {
    let mut words = text.split(' ');
    let base = words.next().unwrap_or_default().to_owned();
    let rate = |word: &str| match word.split_once('=') {
        Some((code, value)) => Rate::new(code, Some(number(value))),
        None => Rate::new(word, None),
    };
    panel::Rates { base, rates: words.map(rate).collect() }
}

#[cfg(all(test, feature = "ssr"))]
mod tests {
    use super::*;
    use crate::parts::markup::markup;

    fn content(rates: &panel::Rates, base: &str) -> String {
        let words = RatesWords { reset: "Zurück", absent: "fehlt" };
        markup(view! { <RatesContent rates base words/> })
    }

    #[test]
    fn another_unit_needs_nothing_but_the_markup() {
        let rates = panel::Rates {
            base: "GBP".into(),
            rates: vec![Rate::new("EUR", Some(1.25)), Rate::new("USD", Some(1.3125)), Rate::new("KPW", None)],
        };
        let again = read(&written(&rates), |text| text.parse().unwrap());
        assert_eq!(again, rates);
        let html = content(&again, "EUR");
        // A euro is 0.8 pounds, and 1.05 dollars.
        for piece in [
            "1\u{a0}EUR =",
            "value=\"0.8\"",
            "value=\"1.05\"",
            "data-base=\"GBP\" class=\"more\">Zurück",
            "class=\"rate-code\">KPW",
            "class=\"missing\">fehlt",
        ] {
            assert!(html.contains(piece), "{piece} is not in {html}");
        }
        let html = markup(view! { <Rates rates=&rates/> });
        assert!(html.contains("data-absent=\"not available\"") && html.contains(">not available<"), "{html}");
    }

    #[test]
    fn currencies_beyond_the_first_five_are_folded() {
        for (count, expected) in [(5, None), (7, Some("Show 2 more"))] {
            let rates = (0..count).map(|number| Rate::new(format!("XA{number}"), Some(1.25))).collect();
            let rates = &panel::Rates { base: "GBP".into(), rates };
            let html = markup(view! { <Rates rates/> });
            assert_eq!(html.contains("data-more"), expected.is_some(), "{html}");
            assert!(expected.is_none_or(|words| html.contains(words)), "{html}");
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
            let rates = panel::Rates { base: "GBP".into(), rates: listed.iter().map(|code| rate(code)).collect() };
            let html = content(&rates, base);
            let rows = html.split("rate-code").skip(1).map(|row| {
                let code = row.find(|letter: char| letter.is_ascii_uppercase()).unwrap();
                &row[code..code + 3]
            });
            assert_eq!(rows.collect::<Vec<_>>().join(" "), expected, "{base}: {html}");
        }
    }
}
