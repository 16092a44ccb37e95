//! `exchange-rates`: what one unit of a currency is worth in others.

use std::{collections::HashMap, time::Duration};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{
    Entry, FetchError, Moment, Outside, Panel, Problems, Reach, Request, Widget, address,
    option_types::{OneOrMany, Secret, Text},
    panel::{Cell, Column, Datum, Decimals, Paragraph, Phrase, Row, Style, Table, Unit},
};

/// How long the rates are kept if the service does not say, and how long when it has nothing newer yet.
const LIFE: Duration = Duration::from_secs(24 * 3600);
const SHORTEST_LIFE: Duration = Duration::from_secs(3600);

/// Shows what one unit of a currency is worth in others, with data of ExchangeRate-API. The rates change once a day.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ExchangeRates {
    /// The currency that is one, by its code of three letters, such as `GBP`. Required.
    input_currency: Text,
    /// The currencies whose rates are shown, such as `[EUR, USD]`. Required.
    output_currencies: OneOrMany<Text>,
    /// Your key, free at exchangerate-api.com. Required.
    api_key: Secret,
}

/// The answer of the service, or of its relative without a key, which calls the rates by another name.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct RatesReply {
    result: String,
    #[serde(rename = "error-type")]
    error_type: String,
    #[serde(alias = "rates")]
    conversion_rates: HashMap<String, Option<f64>>,
    time_last_update_unix: Option<i64>,
    time_next_update_unix: Option<i64>,
}

/// What is kept of an answer.
#[derive(Debug, Serialize, Deserialize)]
struct Rates {
    rates: HashMap<String, f64>,
    updated: Option<Moment>,
    outdated: Option<Moment>,
    asked: Moment,
}

impl Widget for ExchangeRates {
    const REACH: Reach = Reach::ViaServer;

    fn check(&self, _entry: &Entry, problems: &mut Problems) {
        let sentence = "inputCurrency is missing (a 3-letter currency code such as GBP).";
        problems.require(self.input_currency.is_set(), sentence);
        problems.require(self.wanted().next().is_some(), "outputCurrencies needs at least one currency code.");
        for code in self.input_currency.get().into_iter().chain(self.wanted()).filter(|code| !is_code(code)) {
            problems.error(format!("'{code}' is no currency code. Use 3 letters such as GBP."));
        }
        let sentence = "An API key is required; a free one is available at exchangerate-api.com.";
        problems.require(self.api_key.is_set(), sentence);
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(12 * 3600))
    }

    async fn fetch(&self, outside: &impl Outside) -> Result<Panel, FetchError> {
        let base = self.input_currency.to_ascii_uppercase();
        let rates = self.rates(outside, &base).await?;
        let rows = self.wanted().map(|code| row(&base, &code.to_ascii_uppercase(), &rates.rates)).collect();
        let table = Table {
            columns: vec![Column::text("Currency"), Column::number("Rate")],
            rows,
            headless: true,
            ..Table::default()
        };
        let mut parts = vec![table.into()];
        if let Some(at) = rates.updated {
            let text = Phrase::from("Updated {date}").with("date", Datum::time(at, Style::Date));
            parts.push(Paragraph { small: true, ..Paragraph::new(text) }.into());
        }
        Ok(Panel::new(parts).titled(Phrase::from("1 {code} =").with("code", base)))
    }
}

impl ExchangeRates {
    fn wanted(&self) -> impl Iterator<Item = &str> {
        // A list in one text is a habit from other programs.
        self.output_currencies.iter().flat_map(|text| text.split(',')).map(str::trim).filter(|code| !code.is_empty())
    }

    /// The rates of a base, from memory while they are of today: the free plan has few requests, and a page may be open
    /// in many tabs.
    async fn rates(&self, outside: &impl Outside, base: &str) -> Result<Rates, FetchError> {
        let key = format!("exchangerate-api/{base}");
        let now = outside.now();
        if let Some(kept) = outside.recall(&key).and_then(|kept| serde_json::from_value::<Rates>(kept).ok())
            && kept.outdated.is_some_and(|outdated| outdated <= now)
            && now.since(kept.asked) >= SHORTEST_LIFE
        {
            outside.forget(&key);
        }
        let kept = outside.kept(&key, LIFE, async { Ok(json!(self.ask(outside, base).await?)) }).await?;
        serde_json::from_value(kept).map_err(|_| FetchError::told("The rates cannot be read."))
    }

    async fn ask(&self, outside: &impl Outside, base: &str) -> Result<Rates, FetchError> {
        // The service knows the key as a part of the path only.
        let key = address::encode(self.api_key.reveal());
        let request = Request::get(format!("https://v6.exchangerate-api.com/v6/{key}/latest/{base}"));
        let reply = outside.exchange(request).await?;
        // Errors came with status 200 in the past, so the answer decides before the status.
        let answer = reply.any_json::<RatesReply>();
        if let Ok(RatesReply { result, error_type, .. }) = &answer
            && result == "error"
        {
            reply_error(error_type, base, outside.now()).map_or(Ok(()), Err)?;
        }
        reply.ok()?;
        let answer = answer?;
        if answer.result != "success" {
            return Err(reply.unexpected("an error of a kind that is not known"));
        }
        Ok(Rates {
            rates: answer.conversion_rates.into_iter().filter_map(|(code, rate)| Some((code, rate?))).collect(),
            updated: answer.time_last_update_unix.map(Moment::from_seconds),
            outdated: answer.time_next_update_unix.map(Moment::from_seconds),
            asked: outside.now(),
        })
    }
}

/// The sentence for an error that the service explains.
fn reply_error(kind: &str, base: &str, now: Moment) -> Option<FetchError> {
    let sentence = match kind {
        "invalid-key" => "The API key is not valid.".to_owned(),
        "inactive-account" => "The account of this key is not active; confirm the e-mail address.".to_owned(),
        "quota-reached" => "The monthly quota of this key is used up.".to_owned(),
        "plan-upgrade-required" => "The plan of this key does not include these rates.".to_owned(),
        "unsupported-code" | "malformed-request" => format!("Unknown currency {base}."),
        "no-data-available" => format!("There are no rates for {base} at the moment."),
        _ => return None,
    };
    // What is used up for a month does not come back within minutes.
    let retry_at = (kind == "quota-reached").then(|| now.after(SHORTEST_LIFE));
    Some(FetchError::Told { sentence, retry_at })
}

fn row(base: &str, code: &str, rates: &HashMap<String, f64>) -> Row {
    let name = [flag(code), Some(code.to_owned())].into_iter().flatten().collect::<Vec<_>>().join(" ");
    let rate = if code == base { Some(1.0) } else { rates.get(code).copied() };
    let Some(rate) = rate.filter(|rate| *rate > 0.0 && rate.is_finite()) else {
        return Row::new([Datum::Text(name), Phrase::from("not available").into()]);
    };
    let inverse = Phrase::from("1 {code} = {rate}").with("code", code).with("rate", amount(1.0 / rate, base));
    let value = Cell { hint: Some(inverse), ..Cell::from(amount(rate, code)) };
    Row { cells: vec![Datum::Text(name).into(), value], ..Row::default() }
}

/// Currencies without a smaller unit, and those with one of a thousandth (ISO 4217); all others have hundredths.
const WHOLE: [&str; 16] =
    ["BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "VND", "VUV", "XAF", "XOF", "XPF"];
const THOUSANDTHS: [&str; 7] = ["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"];

/// An amount of money with the decimals of its currency, and with at least four digits that say something: two decimals
/// would make nothing of a rupiah.
fn amount(value: f64, code: &str) -> Datum {
    let usual = match code {
        code if WHOLE.contains(&code) => 0,
        code if THOUSANDTHS.contains(&code) => 3,
        _ => 2,
    };
    // Rates lie between the smallest and the largest float, whose logarithms are small.
    #[allow(clippy::cast_possible_truncation)]
    let significant = 3 - value.log10().floor() as i32;
    let decimals = u8::try_from(significant.clamp(usual, 12)).unwrap_or(2);
    Datum::number(rounded(value), Unit::Currency(code.to_owned())).decimals(Decimals::Exactly(decimals))
}

/// Ten digits, which is more than anybody reads. The last digits of a quotient may differ after their way to the browser.
fn rounded(value: f64) -> f64 {
    format!("{value:.9e}").parse().unwrap_or(value)
}

fn is_code(text: &str) -> bool {
    text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_alphabetic())
}

/// The flag of the country whose code begins that of its currency (ISO 4217). Codes with an X belong to no country.
fn flag(code: &str) -> Option<String> {
    let country = code.get(..2).filter(|country| !country.starts_with('X') && *country != "AN")?;
    // The regional indicators follow one another as the letters do.
    country.chars().map(|letter| char::from_u32('🇦' as u32 + letter as u32 - 'A' as u32)).collect()
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;
    use crate::Recorded;

    #[test]
    fn the_service_is_asked_once_a_day() {
        let answer = |rate: f64, next: i64| {
            json!({ "request": { "url": "https://v6.exchangerate-api.com/v6/a-key/latest/GBP" }, "response": { "body": {
                "result": "success", "conversion_rates": { "EUR": rate }, "time_next_update_unix": next
            } } })
        };
        let exchanges = serde_json::from_value(json!([answer(1.0, 5000), answer(2.0, 5000), answer(3.0, 90_000)]));
        let mut outside = Recorded::new(exchanges.unwrap(), Moment::from_seconds(0));
        let options = json!({ "inputCurrency": "GBP", "outputCurrencies": "EUR", "apiKey": "a-key" });
        let widget: ExchangeRates = serde_json::from_value(options).unwrap();
        for (seconds, expected) in [
            (0, 1.0),
            (4999, 1.0),
            (5000, 2.0),
            // The service is late with its new rates: it is left alone for an hour.
            (5001, 2.0),
            (8600, 3.0),
            (89_999, 3.0),
        ] {
            outside.now = Moment::from_seconds(seconds);
            let rates = widget.rates(&outside, "GBP").now_or_never().unwrap().unwrap();
            assert_eq!(rates.rates["EUR"], expected, "after {seconds} s");
        }
    }

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
            let Datum::Number { decimals, .. } = amount(value, code) else { panic!("{value} {code}") };
            assert_eq!(decimals, Decimals::Exactly(expected), "{value} {code}");
        }
    }

    #[test]
    fn flags_are_those_of_countries() {
        for (code, expected) in [("GBP", Some("🇬🇧")), ("EUR", Some("🇪🇺")), ("XAF", None), ("ANG", None)] {
            assert_eq!(flag(code).as_deref(), expected);
        }
    }
}
