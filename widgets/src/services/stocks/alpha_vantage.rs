//! Alpha Vantage, with a key. All its failures have a success status.

use serde_json::Value;

use super::{PriceField, PriceQuery, Prices, StockSource, noon};
use crate::{
    FetchError, Moment, Request, WidgetContext,
    option_types::Secret,
    services::{calendar, tolerant},
};

/// The time zone that the service uses.
const ZONE: &str = "America/New_York";
/// How long prices are kept for all widgets: a free key allows 25 requests a day.
const LIFE: std::time::Duration = std::time::Duration::from_secs(3600);
/// Pause after the daily limit, since retrying soon is useless.
const PAUSE: std::time::Duration = std::time::Duration::from_secs(3600);

/// The service, with a user's key.
pub(crate) struct AlphaVantage<'a> {
    pub(crate) key: &'a Secret,
}

impl StockSource for AlphaVantage<'_> {
    async fn prices(&self, query: &PriceQuery<'_>, context: &dyn WidgetContext) -> Result<Prices, FetchError> {
        match self.query(query, context).await {
            // Intraday prices are a paid feature; daily prices are free.
            Err(error) if error == premium() && query.minutes.is_some() => {
                self.query(&PriceQuery { minutes: None, ..*query }, context).await
            }
            prices => prices,
        }
    }
}

/// The error for a series that this key does not include.
fn premium() -> FetchError {
    FetchError::message("Alpha Vantage wants a paid key for this series.")
}

impl AlphaVantage<'_> {
    async fn query(&self, query: &PriceQuery<'_>, context: &dyn WidgetContext) -> Result<Prices, FetchError> {
        let interval = query.minutes.map(|minutes| format!("{minutes}min"));
        let key = format!("alpha-vantage/{}/{}", query.symbol, interval.as_deref().unwrap_or("daily"));
        let series = context.kept(&key, LIFE, async { self.series(query.symbol, interval, context).await }).await?;
        let name = match query.field {
            PriceField::Open => "1. open",
            PriceField::High => "2. high",
            PriceField::Low => "3. low",
            PriceField::Close => "4. close",
            PriceField::Volume => "5. volume",
        };
        let mut points: Vec<(Moment, f64)> = series
            .as_object()
            .into_iter()
            .flatten()
            .filter_map(|(at, prices)| Some((time(at)?, tolerant::as_number(prices.get(name)?)?)))
            .collect();
        points.sort_by_key(|(at, _)| *at);
        Ok(Prices { currency: None, points })
    }

    /// Queries the service for all prices of a share.
    async fn series(
        &self,
        symbol: &str,
        interval: Option<String>,
        context: &dyn WidgetContext,
    ) -> Result<Value, FetchError> {
        let function = if interval.is_some() { "TIME_SERIES_INTRADAY" } else { "TIME_SERIES_DAILY" };
        let mut request = Request::get("https://www.alphavantage.co/query")
            .query("function", function)
            .query("symbol", symbol)
            .query("outputsize", "compact");
        if let Some(interval) = interval {
            request = request.query("interval", interval);
        }
        let reply = context.exchange(request.secret_query("apikey", self.key)).await?;
        let body: Value = reply.json()?;
        let members = body.as_object();
        let series = members.and_then(|members| members.iter().find(|(name, _)| name.starts_with("Time Series")));
        match series {
            Some((_, series @ Value::Object(_))) => Ok(series.clone()),
            _ => Err(explained(&body, symbol, context.now())),
        }
    }
}

/// The error for a message of the service. Messages are written for people, and may contain the key.
fn explained(body: &Value, symbol: &str, now: Moment) -> FetchError {
    let text = |name: &str| body.get(name).and_then(Value::as_str).unwrap_or_default().to_ascii_lowercase();
    let (wrong, message) = (text("Error Message"), text("Information") + &text("Note"));
    let is_limit =
        ["rate limit", "requests per day", "call frequency", "per second"].iter().any(|words| message.contains(words));
    if wrong.contains("apikey") || message.contains("api key is invalid") || message.contains("demo") {
        FetchError::login_refused("www.alphavantage.co refused the key: check the option apiKey, or leave it out.")
    } else if !wrong.is_empty() {
        FetchError::message(format!("Alpha Vantage does not know the symbol {symbol}: check the option stock."))
    } else if is_limit {
        FetchError::Message {
            sentence: "The request limit of this key of Alpha Vantage is reached, try again tomorrow.".to_owned(),
            retry_at: Some(now.after(PAUSE)),
        }
    } else if message.contains("premium") {
        premium()
    } else {
        FetchError::message(format!("Alpha Vantage has no prices for {symbol}: check the option stock."))
    }
}

/// Parses a date, or a time in the zone of the service.
fn time(written: &str) -> Option<Moment> {
    if let Some(day) = calendar::parse(written) {
        return Some(noon(day));
    }
    let there = Moment::parse_local(written, 0)?;
    Moment::parse_local(written, calendar::offset_seconds(ZONE, there)?)
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;
    use serde_json::json;

    use super::*;
    use crate::Recorded;

    #[test]
    fn widgets_of_one_share_cost_one_request_an_hour() {
        let first = json!({ "request": { "url": "https://www.alphavantage.co/query?*" }, "response": {
            "body": { "Time Series (Daily)": { "2026-11-20": { "1. open": "1", "2. high": "3" } } },
        } });
        let again = json!({ "request": { "url": "https://www.alphavantage.co/*" }, "response": { "status": 500 } });
        let exchanges = serde_json::from_value(json!([first, again])).unwrap();
        let mut context = Recorded::new(exchanges, Moment::from_seconds(0));
        let key = Secret::from("0123456789ABCDEF");
        let price = |field: PriceField, context: &Recorded| {
            let query = PriceQuery { symbol: "NET", field, minutes: None };
            let prices = AlphaVantage { key: &key }.prices(&query, context).now_or_never().unwrap();
            prices.map(|prices| prices.points.first().map(|(_, price)| *price))
        };
        assert_eq!(price(PriceField::Open, &context), Ok(Some(1.0)));
        assert_eq!(price(PriceField::High, &context), Ok(Some(3.0)));
        context.now = Moment::from_seconds(3600);
        assert!(price(PriceField::High, &context).is_err());
    }
}
