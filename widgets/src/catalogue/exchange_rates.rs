//! `exchange-rates`: the value of one unit of a currency in others.
//!
//! The key is required, as the catalogue says. The provider's open address without a key refuses whoever asks it often,
//! which a dashboard with several bases does.

use std::{
    collections::{HashMap, HashSet},
    time::Duration,
};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{
    Category, Entry, FetchError, Moment, OptionProblems, Panel, Reach, Request, Widget, WidgetContext, address,
    option_types::{Lenient, OneOrMany, Secret, Text},
    panel::{self, Datum, Paragraph, Phrase, Rate, Style},
};

/// How long the rates are kept if the service does not say, and if it has nothing newer yet.
const LIFE: Duration = Duration::from_secs(24 * 3600);
const SHORTEST_LIFE: Duration = Duration::from_secs(3600);

/// Shows what one unit of a currency is worth in others, with data from ExchangeRate-API. The rates change once a day.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ExchangeRates {
    /// The base currency, by its three-letter code, such as {example}.
    #[schemars(extend("x-required" = true, "x-example" = "GBP"))]
    input_currency: Text,
    /// The currencies whose rates are shown, such as {example}.
    #[schemars(extend("x-required" = true, "x-example" = "[EUR, USD]"))]
    output_currencies: OneOrMany<Lenient<Text>>,
    /// Your key, free at exchangerate-api.com.
    #[schemars(extend("x-required" = true))]
    api_key: Secret,
}

/// The response of the service, or of its variant without a key, which has another name for the rates.
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

/// What is kept of a response.
#[derive(Debug, Serialize, Deserialize)]
struct Rates {
    rates: HashMap<String, f64>,
    updated: Option<Moment>,
    outdated: Option<Moment>,
    fetched: Moment,
}

impl Widget for ExchangeRates {
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::Money;
    const USUAL_LINES: usize = 8;

    fn check(&self, _entry: &Entry, problems: &mut OptionProblems) {
        let purpose = "a currency by its 3-letter code";
        problems.require_option(self.input_currency.is_set(), "inputCurrency", purpose);
        let purpose = "at least one currency code";
        problems.require_option(self.written().next().is_some(), "outputCurrencies", purpose);
        let wrong = |code: &str| format!("'{code}' is not a currency code. Use 3 letters such as GBP.");
        if let Some(code) = self.input_currency.get().filter(|code| !is_code(code)) {
            problems.error(wrong(code));
        }
        // A wrong code costs only its row.
        let none_is_left = self.wanted().next().is_none();
        for code in self.written().filter(|code| !is_code(code)) {
            if none_is_left { problems.error(wrong(code)) } else { problems.note(wrong(code)) }
        }
        let purpose = "a key of ExchangeRate-API, free at exchangerate-api.com,";
        problems.require_option(self.api_key.is_set(), "apiKey", purpose);
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(12 * 3600))
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let base = self.input_currency.to_ascii_uppercase();
        let rates = self.rates(context, &base).await?;
        let rate = |code: String| {
            let value = if code == base { Some(1.0) } else { rates.rates.get(&code).copied() };
            Rate::new(code, value)
        };
        let wanted = self.wanted().map(str::to_ascii_uppercase).map(rate).collect();
        let mut parts = vec![panel::Rates { base: base.clone(), rates: wanted }.into()];
        if let Some(at) = rates.updated {
            let text = Phrase::from("Updated {date}").with("date", Datum::time(at, Style::Date));
            parts.push(Paragraph { small: true, ..Paragraph::new(text) }.into());
        }
        Ok(Panel::new(parts))
    }
}

impl ExchangeRates {
    /// What is written for codes, each once.
    fn written(&self) -> impl Iterator<Item = &str> {
        let mut seen = HashSet::new();
        let texts = self.output_currencies.iter().filter_map(|code| code.get().map(|text| &**text).or(code.unknown()));
        // A comma-separated text is a habit from other software.
        let codes = texts.flat_map(|text| text.split(',')).map(str::trim);
        codes.filter(move |code| !code.is_empty() && seen.insert(code.to_ascii_uppercase()))
    }

    /// The requested codes.
    fn wanted(&self) -> impl Iterator<Item = &str> {
        self.written().filter(|code| is_code(code))
    }

    /// The rates of a base, from memory if they are current: the free plan allows few requests, and a page may be open
    /// in many tabs.
    async fn rates(&self, context: &dyn WidgetContext, base: &str) -> Result<Rates, FetchError> {
        let key = format!("exchangerate-api/{base}");
        let now = context.now();
        if let Some(kept) = context.recall(&key).and_then(|kept| serde_json::from_value::<Rates>(kept).ok())
            && kept.outdated.is_some_and(|outdated| outdated <= now)
            && now.since(kept.fetched) >= SHORTEST_LIFE
        {
            context.forget(&key);
        }
        let kept = context.kept(&key, LIFE, async { Ok(json!(self.fetch_rates(context, base).await?)) }).await?;
        serde_json::from_value(kept).map_err(|_| FetchError::message("The rates cannot be read."))
    }

    async fn fetch_rates(&self, context: &dyn WidgetContext, base: &str) -> Result<Rates, FetchError> {
        // The service accepts the key only as a part of the path.
        let key = address::encode(self.api_key.reveal());
        let request = Request::get(format!("https://v6.exchangerate-api.com/v6/{key}/latest/{base}"));
        let reply = context.exchange(request).await?;
        // Errors used to have status 200, so check the response before the status.
        let body = reply.any_json::<RatesReply>();
        if let Ok(RatesReply { result, error_type, .. }) = &body
            && result == "error"
        {
            reply_error(error_type, base, context.now()).map_or(Ok(()), Err)?;
        }
        reply.ok()?;
        let body = body?;
        if body.result != "success" {
            return Err(reply.unexpected("an error of a kind that is not known"));
        }
        Ok(Rates {
            rates: body.conversion_rates.into_iter().filter_map(|(code, rate)| Some((code, rate?))).collect(),
            updated: body.time_last_update_unix.map(Moment::from_seconds),
            outdated: body.time_next_update_unix.map(Moment::from_seconds),
            fetched: context.now(),
        })
    }
}

/// The sentence for an error that the service explains.
fn reply_error(kind: &str, base: &str, now: Moment) -> Option<FetchError> {
    let sentence = match kind {
        "invalid-key" => "The API key is not valid at exchangerate-api.com: check the option apiKey.".to_owned(),
        "inactive-account" => {
            "The account of this key is not active; confirm the email address at exchangerate-api.com.".to_owned()
        }
        "quota-reached" => "The monthly quota of this key at exchangerate-api.com is used up.".to_owned(),
        "plan-upgrade-required" => {
            "The plan of this key at exchangerate-api.com does not include these rates.".to_owned()
        }
        "unsupported-code" | "malformed-request" => {
            format!("Unknown currency {base} at exchangerate-api.com: check the option inputCurrency.")
        }
        "no-data-available" => format!("exchangerate-api.com has no rates for {base} at the moment."),
        _ => return None,
    };
    // A monthly quota does not come back within minutes.
    let retry_at = (kind == "quota-reached").then(|| now.after(SHORTEST_LIFE));
    Some(match kind {
        "invalid-key" | "inactive-account" => FetchError::LoginRefused { sentence, retry_at },
        _ => FetchError::Message { sentence, retry_at },
    })
}

fn is_code(text: &str) -> bool {
    text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;
    use crate::Recorded;

    #[test]
    fn the_service_is_asked_once_a_day() {
        let exchange = |rate: f64, next: i64| {
            json!({ "request": { "url": "https://v6.exchangerate-api.com/v6/a-key/latest/GBP" }, "response": { "body": {
                "result": "success", "conversion_rates": { "EUR": rate }, "time_next_update_unix": next
            } } })
        };
        let exchanges =
            serde_json::from_value(json!([exchange(1.0, 5000), exchange(2.0, 5000), exchange(3.0, 90_000)]));
        let mut context = Recorded::new(exchanges.unwrap(), Moment::from_seconds(0));
        let options = json!({ "inputCurrency": "GBP", "outputCurrencies": "EUR", "apiKey": "a-key" });
        let widget: ExchangeRates = serde_json::from_value(options).unwrap();
        for (seconds, expected) in [
            (0, 1.0),
            (4999, 1.0),
            (5000, 2.0),
            // The service is late with its new rates: it is not queried for an hour.
            (5001, 2.0),
            (8600, 3.0),
            (89_999, 3.0),
        ] {
            context.now = Moment::from_seconds(seconds);
            let rates = widget.rates(&context, "GBP").now_or_never().unwrap().unwrap();
            assert_eq!(rates.rates["EUR"], expected, "after {seconds} s");
        }
    }
}
