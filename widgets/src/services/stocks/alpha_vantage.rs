//! Alpha Vantage, with a key. All its failures have a success status.

use serde_json::Value;

use super::{PriceField, PriceQuery, Prices, StockSource, noon};
use crate::{
    FetchError, Moment, Outside, Request,
    option_types::Secret,
    services::{calendar, tolerant},
};

/// The time zone that the service uses.
const ZONE: &str = "America/New_York";
/// Pause after the daily limit, since retrying soon is useless.
const PAUSE: std::time::Duration = std::time::Duration::from_secs(3600);

/// The service, with a user's key.
pub(crate) struct AlphaVantage<'a> {
    pub(crate) key: &'a Secret,
}

/// Why there is no series.
enum SeriesError {
    Premium,
    Other(FetchError),
}

impl StockSource for AlphaVantage<'_> {
    async fn prices(&self, query: &PriceQuery<'_>, outside: &dyn Outside) -> Result<Prices, FetchError> {
        let premium = || FetchError::told("Alpha Vantage wants a paid key for this series.");
        match self.query(query, outside).await {
            Ok(prices) => Ok(prices),
            Err(SeriesError::Other(error)) => Err(error),
            // Intraday prices are a paid feature; daily prices are free.
            Err(SeriesError::Premium) if query.minutes.is_some() => {
                let daily = PriceQuery { minutes: None, ..*query };
                self.query(&daily, outside).await.map_err(|failure| match failure {
                    SeriesError::Premium => premium(),
                    SeriesError::Other(error) => error,
                })
            }
            Err(SeriesError::Premium) => Err(premium()),
        }
    }
}

impl AlphaVantage<'_> {
    async fn query(&self, query: &PriceQuery<'_>, outside: &dyn Outside) -> Result<Prices, SeriesError> {
        let function = if query.minutes.is_some() { "TIME_SERIES_INTRADAY" } else { "TIME_SERIES_DAILY" };
        let mut request = Request::get("https://www.alphavantage.co/query")
            .query("function", function)
            .query("symbol", query.symbol)
            .query("outputsize", "compact");
        if let Some(minutes) = query.minutes {
            request = request.query("interval", format!("{minutes}min"));
        }
        let reply = outside.exchange(request.secret_query("apikey", self.key)).await.map_err(SeriesError::Other)?;
        let answer: Value = reply.json().map_err(SeriesError::Other)?;
        let members = answer.as_object();
        let series = members.and_then(|members| members.iter().find(|(name, _)| name.starts_with("Time Series")));
        let Some((_, Value::Object(series))) = series else {
            return Err(self.explained(&answer, query.symbol, outside.now()));
        };
        let name = match query.field {
            PriceField::Open => "1. open",
            PriceField::High => "2. high",
            PriceField::Low => "3. low",
            PriceField::Close => "4. close",
            PriceField::Volume => "5. volume",
        };
        let mut points: Vec<(Moment, f64)> = series
            .iter()
            .filter_map(|(at, prices)| Some((time(at)?, tolerant::as_number(prices.get(name)?)?)))
            .collect();
        points.sort_by_key(|(at, _)| *at);
        Ok(Prices { currency: None, points })
    }

    /// The error for a message of the service. Messages are written for people, and may contain the key.
    fn explained(&self, answer: &Value, symbol: &str, now: Moment) -> SeriesError {
        let text = |name: &str| answer.get(name).and_then(Value::as_str).unwrap_or_default().to_ascii_lowercase();
        let (wrong, told) = (text("Error Message"), text("Information") + &text("Note"));
        let is_limit =
            ["rate limit", "requests per day", "call frequency", "per second"].iter().any(|words| told.contains(words));
        SeriesError::Other(
            if wrong.contains("apikey") || told.contains("api key is invalid") || told.contains("demo") {
                FetchError::login_refused(
                    "www.alphavantage.co refused the key: check the option apiKey, or leave it out.",
                )
            } else if !wrong.is_empty() {
                FetchError::told(format!("Alpha Vantage does not know the symbol {symbol}: check the option stock."))
            } else if is_limit {
                FetchError::Told {
                    sentence: "The request limit of this key of Alpha Vantage is reached, try again tomorrow."
                        .to_owned(),
                    retry_at: Some(now.after(PAUSE)),
                }
            } else if told.contains("premium") {
                return SeriesError::Premium;
            } else {
                FetchError::told(format!("Alpha Vantage has no prices for {symbol}: check the option stock."))
            },
        )
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
