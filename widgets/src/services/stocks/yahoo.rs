//! Yahoo Finance, the undocumented API of its own pages: no key, and no guarantee that it stays.

use serde::Deserialize;
use serde_json::Value;

use super::{PriceField, PriceQuery, Prices, StockSource, noon};
use crate::{FetchError, Moment, Request, WidgetContext, address, services::tolerant};

/// Suffixes of symbols at Alpha Vantage, which existing files use, and the suffixes used here.
const EXCHANGES: [(&str, &str); 6] =
    [(".LON", ".L"), (".TRT", ".TO"), (".TRV", ".V"), (".DEX", ".DE"), (".BSE", ".BO"), (".SHH", ".SS")];

/// The service.
pub(crate) struct Yahoo;

#[derive(Default, Deserialize)]
#[serde(default)]
struct ChartReply {
    #[serde(deserialize_with = "tolerant::part")]
    chart: Option<ResultsReply>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ResultsReply {
    #[serde(deserialize_with = "tolerant::entries")]
    result: Vec<ResultReply>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ResultReply {
    meta: Value,
    #[serde(deserialize_with = "tolerant::entries")]
    timestamp: Vec<i64>,
    indicators: Value,
}

impl StockSource for Yahoo {
    async fn prices(&self, query: &PriceQuery<'_>, context: &dyn WidgetContext) -> Result<Prices, FetchError> {
        let symbol = symbol(query.symbol);
        let (range, interval) = match query.minutes {
            Some(minutes @ 1) => ("1d", format!("{minutes}m")),
            Some(minutes) => ("5d", format!("{minutes}m")),
            None => ("6mo", "1d".to_owned()),
        };
        let url = format!("https://query1.finance.yahoo.com/v8/finance/chart/{}", address::encode(&symbol));
        let request =
            Request::get(url).query("range", range).query("interval", interval).header("Accept", "application/json");
        let reply = context.exchange(request).await?;
        if matches!(reply.status, 400 | 404 | 422) {
            return Err(FetchError::message(format!(
                "Yahoo Finance does not know the symbol {symbol}: check the option stock."
            )));
        }
        // There is no key that it could refuse: it limits the requests of an address without saying how many it allows.
        if matches!(reply.status, 401 | 403 | 429) {
            return Err(FetchError::Message {
                sentence: "Yahoo Finance allows no more requests from this server for now. With an apiKey for \
                    alphavantage.co, that service is used instead."
                    .to_owned(),
                retry_at: reply.retry_at(),
            });
        }
        let results = reply.json::<ChartReply>()?.chart.map(|chart| chart.result).unwrap_or_default();
        let Some(result) = results.into_iter().next() else { return Err(reply.unexpected("no prices")) };
        let field = match query.field {
            PriceField::Open => "open",
            PriceField::High => "high",
            PriceField::Low => "low",
            PriceField::Close => "close",
            PriceField::Volume => "volume",
        };
        let values = result.indicators.pointer(&format!("/quote/0/{field}")).and_then(Value::as_array);
        let pairs = result.timestamp.iter().zip(values.into_iter().flatten());
        let at = |seconds: i64| {
            let at = Moment::from_seconds(seconds);
            match query.minutes {
                Some(_) => Some(at),
                None => at.utc_date().parse().ok().map(noon),
            }
        };
        let mut points: Vec<(Moment, f64)> =
            pairs.filter_map(|(seconds, value)| Some((at(*seconds)?, tolerant::as_number(value)?))).collect();
        points.sort_by_key(|(at, _)| *at);
        // Prices in London are in pence, which is not a currency.
        let currency = result
            .meta
            .get("currency")
            .and_then(Value::as_str)
            .filter(|code| code.len() == 3 && code.bytes().all(|byte| byte.is_ascii_uppercase()));
        Ok(Prices { currency: currency.map(str::to_owned), points })
    }
}

/// The symbol in the form that this service uses.
fn symbol(written: &str) -> String {
    let written = written.to_ascii_uppercase();
    let ending = EXCHANGES.iter().find_map(|(theirs, ours)| Some(written.strip_suffix(theirs)?.to_owned() + ours));
    ending.unwrap_or(written)
}
