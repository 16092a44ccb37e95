//! CoinPaprika: prices of cryptocurrencies without a key, used if CoinGecko does not respond.

use serde::Deserialize;

use crate::{FetchError, Request, WidgetContext, panel::Link};

const TICKERS: &str = "https://api.coinpaprika.com/v1/tickers";
/// Maximum number of bytes of a response: it lists all coins, several thousand.
const MAX_BYTES: usize = 10_000_000;
/// The currencies in which it quotes prices.
const CURRENCIES: [&str; 41] = [
    "ARS", "AUD", "BOB", "BRL", "BTC", "CAD", "CHF", "CLP", "CNY", "COP", "CZK", "DKK", "ETH", "EUR", "GBP", "HKD",
    "HUF", "IDR", "ILS", "INR", "ISK", "JPY", "KRW", "MXN", "MYR", "NGN", "NOK", "NZD", "PEN", "PHP", "PKR", "PLN",
    "RUB", "SEK", "SGD", "THB", "TRY", "TWD", "UAH", "USD", "ZAR",
];

/// Ids of CoinGecko that differ from the names used here.
const OTHERWISE: [(&str, &str); 9] = [
    ("ripple", "xrp-xrp"),
    ("binancecoin", "bnb-binance-coin"),
    ("avalanche-2", "avax-avalanche"),
    ("the-open-network", "ton-toncoin"),
    ("staked-ether", "steth-lido-staked-ether"),
    ("matic-network", "matic-polygon"),
    ("crypto-com-chain", "cro-cryptocom-chain"),
    ("near", "near-near-protocol"),
    ("wrapped-steth", "wsteth-wrapped-liquid-staked-ether-20"),
];

/// One coin.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Ticker {
    /// The symbol and the name: `btc-bitcoin`.
    pub(crate) id: String,
    pub(crate) name: String,
    /// In upper case.
    pub(crate) symbol: String,
    /// Rank by market capitalization; 0 for coins that have none.
    pub(crate) rank: i64,
    pub(crate) max_supply: Option<f64>,
    pub(crate) quotes: std::collections::HashMap<String, Quote>,
}

/// The price of a coin in one currency.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Quote {
    pub(crate) price: Option<f64>,
    pub(crate) volume_24h: Option<f64>,
    pub(crate) market_cap: Option<f64>,
    pub(crate) percent_change_24h: Option<f64>,
    pub(crate) ath_price: Option<f64>,
    pub(crate) ath_date: Option<String>,
}

impl Ticker {
    /// Whether this is the coin with this CoinGecko id: those ids mostly equal the names used here.
    pub(crate) fn is_called(&self, asset: &str) -> bool {
        let name = self.id.split_once('-').map_or("", |(_, name)| name);
        name == asset
            || self.id == asset
            || self.name.to_lowercase().replace(' ', "-") == asset
            || OTHERWISE.contains(&(asset, &self.id))
    }
}

/// The link to the service.
pub(crate) fn credit() -> Option<Link> {
    Link::parse("Prices by CoinPaprika", "https://coinpaprika.com/")
}

/// Whether prices in a currency are available.
pub(crate) fn supports(currency: &str) -> bool {
    CURRENCIES.contains(&currency.to_ascii_uppercase().as_str())
}

/// All coins with their prices in a currency.
///
/// # Errors
///
/// The service does not respond, or the response cannot be read.
pub(crate) async fn tickers(context: &dyn WidgetContext, currency: &str) -> Result<Vec<Ticker>, FetchError> {
    let mut request = Request::get(TICKERS).query("quotes", currency.to_ascii_uppercase());
    request.max_bytes = Some(MAX_BYTES);
    context.exchange(request).await?.json()
}
