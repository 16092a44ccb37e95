//! CoinGecko: prices of cryptocurrencies.

use serde_json::Value;

use crate::{
    FetchError, Request, Response, WidgetContext,
    option_types::Secret,
    panel::{Datum, Decimals, Link, Unit},
};

/// The public API, with or without a key.
const BASE: &str = "https://api.coingecko.com/api/v3";
const KEY_HEADER: &str = "x-cg-demo-api-key";

/// A GET request for a path, which begins with a slash. The key is for the free plan, and may be unset.
pub(crate) fn request(path: &str, key: &Secret) -> Request {
    let request = Request::get(format!("{BASE}{path}")).header("Accept", "application/json");
    if key.is_set() { request.secret_header(KEY_HEADER, key) } else { request }
}

/// Sends a request, and distinguishes the errors of this service. `subject` is what is requested, such as `coin 'btc'`.
pub(crate) async fn send(context: &dyn WidgetContext, request: Request, subject: &str) -> Result<Response, FetchError> {
    let has_key = request.headers.iter().any(|(name, _)| name == KEY_HEADER);
    let reply = context.exchange(request).await?;
    if reply.ok().is_ok() {
        return Ok(reply);
    }
    let body: Value = reply.any_json().unwrap_or_default();
    let explained = body.get("error").and_then(Value::as_str).unwrap_or_default();
    let code = ["/status/error_code", "/error/status/error_code"].iter().find_map(|path| body.pointer(path)?.as_i64());
    Err(match (reply.status, code) {
        (_, Some(10012)) => FetchError::message("CoinGecko has no data that old for this key."),
        (_, Some(10010 | 10011)) => FetchError::login_refused(
            "The key in the option apiKey belongs to another plan of CoinGecko; use one of the demo plan.",
        ),
        (401 | 403, _) if has_key => {
            FetchError::login_refused("CoinGecko refused the key: check the option apiKey, or leave it out.")
        }
        (404, _) if explained.contains("coin") => {
            FetchError::message(format!("CoinGecko does not know {subject}. Use its id: 'bitcoin', not 'BTC'."))
        }
        (400 | 404 | 422, _) if explained.contains("currency") => {
            FetchError::message("CoinGecko does not know this currency. Use a code such as USD in the option currency.")
        }
        _ => match reply.ok() {
            Err(error) => error,
            Ok(_) => reply.unexpected("an error without a status"),
        },
    })
}

/// The link to the service, which it asks for.
pub(crate) fn credit() -> Option<Link> {
    Link::parse("Prices by CoinGecko", "https://www.coingecko.com/")
}

/// The error for the page: without a key, a rejection is not about a key.
pub(crate) fn explain_rejection(error: FetchError, key: &Secret) -> FetchError {
    match error {
        FetchError::Refused { .. } if !key.is_set() => FetchError::message(
            "CoinGecko refuses requests from this server without a key. Set the option `apiKey` to one of its free demo plan.",
        ),
        error => error,
    }
}

/// Whether a text could be a currency code; the service supports about sixty.
pub(crate) fn is_currency(code: &str) -> bool {
    (3..=5).contains(&code.len()) && code.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// A price, with a readable number of digits.
pub(crate) fn price(value: f64, currency: &str) -> Datum {
    Datum::number(value, unit(currency)).decimals(price_decimals(value))
}

/// How many decimals of a price are shown: none above 1000, two above 1, and four significant digits below.
pub(crate) fn price_decimals(value: f64) -> Decimals {
    match value.abs() {
        value if value >= 1000.0 => Decimals::Exactly(0),
        value if value >= 1.0 => Decimals::Exactly(2),
        _ => Decimals::Significant(4),
    }
}

/// What the service accepts as a currency although no country uses it. Browsers format such a currency with its code in
/// front of the number.
const COINS: [&str; 14] =
    ["BTC", "ETH", "LTC", "BCH", "BNB", "EOS", "XRP", "XLM", "LINK", "DOT", "YFI", "SOL", "SATS", "BITS"];

/// The currency as a unit: money is formatted in the viewer's language; for a coin, its code comes after the number.
pub(crate) fn unit(currency: &str) -> Unit {
    let code = currency.to_ascii_uppercase();
    if COINS.contains(&code.as_str()) { Unit::Sign(code) } else { Unit::Currency(code) }
}
