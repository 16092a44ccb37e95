//! `crypto-watch-list`: prices of several coins and how they have changed in a day.

mod coin;

use std::{collections::HashSet, time::Duration};

use futures_util::future::try_join_all;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use self::coin::{Coin, CoinReply};
use crate::{
    Category, Entry, FetchError, OptionProblems, Panel, Reach, Widget, WidgetContext,
    option_types::{Lenient, Number, OneOrMany, Secret, Text},
    panel::{Column, Notice, Part, Phrase, Table},
    services::{coingecko, coinpaprika},
};

/// Maximum number of coins per response.
const PAGE: usize = 250;
/// How many coins are listed if none are named.
const USUAL: usize = 100;
/// How long prices are kept: widgets with the same request share a response, since the free plan allows few.
const LIFE: Duration = Duration::from_secs(60);
/// The same for the fallback service: one response contains all of its coins.
const LIFE_ELSEWHERE: Duration = Duration::from_secs(300);
/// How long CoinGecko is not queried after a failure: minimum, default, maximum.
const REST: [Duration; 3] = [Duration::from_secs(30), Duration::from_secs(300), Duration::from_secs(1800)];
/// The key under which its last error is remembered.
const RESTING: &str = "coingecko/resting";

/// Shows a list of crypto coins with their price, its change in 24 hours, and a chart of the last week, with data from
/// CoinGecko. If that does not respond, CoinPaprika is used.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct CryptoWatchList {
    /// The coins by their ids at CoinGecko, such as {example}; symbols like BTC are not ids. Without it, the
    /// largest coins.
    #[schemars(extend("x-example" = "[bitcoin, monero]"))]
    assets: OneOrMany<Lenient<Text>>,
    /// The currency of the prices, such as {example}. Without it, USD.
    #[schemars(extend("x-example" = "EUR"))]
    currency: Text,
    /// What comes first: the largest market capitalization, the largest volume, or the beginning of the alphabet.
    #[schemars(extend("default" = "marketCap"))]
    sort_by: Lenient<SortBy>,
    /// Number of coins, at most 250. Without it, all of `assets`, or 100.
    limit: Option<Number>,
    /// Key of the free demo plan, which allows more requests. Optional.
    api_key: Secret,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
enum SortBy {
    #[default]
    #[serde(alias = "marketcap")]
    MarketCap,
    Volume,
    Alphabetical,
}

impl Widget for CryptoWatchList {
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::Money;
    const USUAL_LINES: usize = 8;

    fn check(&self, entry: &Entry, problems: &mut OptionProblems) {
        // A wrong entry costs only itself.
        let wrong: Vec<&str> = self.assets.iter().filter_map(Lenient::unknown).collect();
        let none_is_left = !wrong.is_empty() && self.ids().is_empty();
        problems.require(!none_is_left, "assets must be a list of ids of coins such as bitcoin.");
        for written in wrong.into_iter().filter(|_| !none_is_left) {
            problems.note(format!("'{written}' in assets is not an id of a coin such as bitcoin; it is left out."));
        }
        let is_positive = self.limit.is_none_or(|limit| limit.get() >= 1.0);
        problems.require(is_positive, "limit must be 1 or more.");
        if self.limit.is_some_and(|limit| limit.get().round() > PAGE as f64) {
            problems.note(format!("limit must be between 1 and {PAGE}; {PAGE} is used."));
        }
        if let Some(currency) = self.currency.get().filter(|currency| !coingecko::is_currency(currency)) {
            problems.error(format!("currency '{currency}' is not a currency code. Use one such as USD."));
        }
        if entry.refreshes_more_often_than(LIFE) {
            problems.note("Prices are kept for a minute: an updateInterval below 60 brings nothing new.");
        }
        if let Some(written) = self.sort_by.unknown() {
            let help = "Use marketCap, volume or alphabetical.";
            problems.note(format!("sortBy '{written}' is unknown, so marketCap is used. {help}"));
        }
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(120))
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let ids = self.ids();
        let limit = self.limit.map_or(if ids.is_empty() { USUAL } else { ids.len() }, |limit| count(limit.get()));
        let (mut coins, is_elsewhere) = match self.of_coingecko(context, &ids, limit).await {
            Ok(coins) => (coins, false),
            Err(error) if self.may_try_elsewhere(&error) => {
                // If both fail, report the error of the expected service.
                let Ok(coins) = self.of_coinpaprika(context, &ids).await else {
                    return Err(coingecko::explain_rejection(error, &self.api_key));
                };
                context.log(&format!("CoinPaprika stands in for CoinGecko: {error}"));
                (coins, true)
            }
            Err(error) => return Err(coingecko::explain_rejection(error, &self.api_key)),
        };
        let missing: Vec<&str> =
            ids.iter().map(String::as_str).filter(|id| !coins.iter().any(|coin| coin.id == **id)).collect();
        self.sort(&mut coins, limit);
        let missing = (!missing.is_empty()).then(|| {
            if is_elsewhere {
                // Its ids differ, so a coin that it does not know may still exist.
                Notice::empty(Phrase::from("CoinPaprika does not list {coins}").with("coins", missing.join(", ")))
            } else {
                let text = Phrase::from("There is no coin {coins}. Use the ids of CoinGecko: bitcoin, not BTC.");
                Notice::warning(text.with("coins", missing.join(", ")))
            }
        });
        let credit = if is_elsewhere { coinpaprika::credit() } else { coingecko::credit() };
        Ok(Panel { credit, ..self.panel(&coins, missing) })
    }
}

impl CryptoWatchList {
    fn currency(&self) -> &str {
        self.currency.get().unwrap_or("USD")
    }

    /// The named coins, each once.
    fn ids(&self) -> Vec<String> {
        let mut seen = HashSet::new();
        let written = self.assets.iter().filter_map(|asset| asset.get()?.get());
        // A comma-separated text is a habit from other software.
        let ids = written.flat_map(|text| text.split(',')).map(|id| id.trim().to_lowercase());
        ids.filter(|id| !id.is_empty() && seen.insert(id.clone())).collect()
    }

    /// Queries CoinGecko, unless it has just failed.
    async fn of_coingecko(
        &self,
        context: &dyn WidgetContext,
        ids: &[String],
        limit: usize,
    ) -> Result<Vec<Coin>, FetchError> {
        if let Some(error) = context.recall(RESTING).and_then(|error| serde_json::from_value::<FetchError>(error).ok())
            && self.may_try_elsewhere(&error)
        {
            return Err(error);
        }
        let coins = if ids.is_empty() {
            self.page(context, &[], limit.min(PAGE)).await
        } else {
            let pages = ids.chunks(PAGE).map(|ids| self.page(context, ids, ids.len()));
            try_join_all(pages).await.map(|pages| pages.into_iter().flatten().collect())
        };
        if let Err(error) = &coins
            && self.may_try_elsewhere(error)
        {
            let rest = error.retry_at().map_or(REST[1], |at| at.since(context.now()));
            context.remember(RESTING, json!(error), rest.clamp(REST[0], REST[2]));
        }
        coins
    }

    /// Whether the fallback may be used: only without a key, since the owner of a key wants to see its errors, and only
    /// for currencies that it supports.
    fn may_try_elsewhere(&self, error: &FetchError) -> bool {
        error.is_outage() && !self.api_key.is_set() && coinpaprika::supports(self.currency())
    }

    async fn of_coinpaprika(&self, context: &dyn WidgetContext, ids: &[String]) -> Result<Vec<Coin>, FetchError> {
        let currency = self.currency().to_ascii_uppercase();
        let key = format!("coinpaprika/{currency}/{}", ids.join(","));
        let kept = context.kept(&key, LIFE_ELSEWHERE, async {
            let mut tickers = coinpaprika::tickers(context, &currency).await?;
            // If several coins have the same name, the larger one is meant.
            tickers.sort_by_key(|ticker| if ticker.rank > 0 { ticker.rank } else { i64::MAX });
            let coins: Vec<Coin> = if ids.is_empty() {
                tickers.iter().take(PAGE).map(|ticker| Coin::of_ticker(ticker, &currency, &ticker.id)).collect()
            } else {
                let find = |id: &String| {
                    let ticker = tickers.iter().find(|ticker| ticker.is_called(id))?;
                    Some(Coin::of_ticker(ticker, &currency, id))
                };
                ids.iter().filter_map(find).collect()
            };
            Ok(json!(coins))
        });
        serde_json::from_value(kept.await?).map_err(|_| FetchError::message("The prices cannot be read."))
    }

    async fn page(&self, context: &dyn WidgetContext, ids: &[String], count: usize) -> Result<Vec<Coin>, FetchError> {
        let currency = self.currency().to_ascii_lowercase();
        let order = match self.sort_by.or_default() {
            // In alphabetical order, the service would begin with obscure coins.
            SortBy::MarketCap | SortBy::Alphabetical => "market_cap_desc",
            SortBy::Volume => "volume_desc",
        };
        let ids = ids.join(",");
        let key = format!("coingecko/markets/{currency}/{order}/{count}/{ids}");
        let kept = context.kept(&key, LIFE, async {
            let mut request = coingecko::request("/coins/markets", &self.api_key)
                .query("vs_currency", &currency)
                .query("order", order)
                .query("per_page", count)
                .query("page", 1)
                .query("sparkline", true)
                .query("price_change_percentage", "24h");
            if !ids.is_empty() {
                request = request.query("ids", &ids);
            }
            let reply = coingecko::send(context, request, "these coins").await?;
            let coins = reply.json::<Vec<CoinReply>>()?.into_iter().map(Coin::from);
            Ok(json!(coins.collect::<Vec<_>>()))
        });
        serde_json::from_value(kept.await?).map_err(|_| FetchError::message("The prices cannot be read."))
    }

    /// Sorts the coins and keeps the first ones. In alphabetical order, those are the largest coins, sorted by name.
    fn sort(&self, coins: &mut Vec<Coin>, limit: usize) {
        let by_volume = self.sort_by.or_default() == SortBy::Volume;
        let size = |coin: &Coin| if by_volume { coin.volume } else { coin.market_cap }.unwrap_or(-1.0);
        coins.sort_by(|one, other| size(other).total_cmp(&size(one)));
        coins.truncate(limit);
        if self.sort_by.or_default() == SortBy::Alphabetical {
            coins.sort_by_cached_key(|coin| coin.name.to_lowercase());
        }
    }

    fn panel(&self, coins: &[Coin], missing: Option<Notice>) -> Panel {
        let mut parts: Vec<Part> = Vec::new();
        if coins.is_empty() {
            parts.push(Notice::empty("No coins found").into());
        } else {
            let mut columns = vec![Column::text("Coin"), Column::number("Price"), Column::number("24 hours")];
            let has_lines = coins.iter().any(Coin::has_line);
            if has_lines {
                columns.push(Column::lines("7 days"));
            }
            let rows = coins.iter().map(|coin| coin.row(self.currency(), has_lines)).collect();
            parts.push(Table { columns, rows, ..Table::default() }.into());
        }
        parts.extend(missing.map(Part::from));
        Panel::new(parts)
    }
}

/// A limit as a count.
fn count(limit: f64) -> usize {
    // Clamped first, so the cast is exact.
    limit.round().clamp(1.0, 250.0) as usize
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;
    use crate::{Moment, Recorded};

    #[test]
    fn many_coins_are_asked_for_in_pages_and_only_once_a_minute() {
        let page = |count: usize, first: usize| {
            let url = "https://api.coingecko.com/api/v3/coins/markets?vs_currency=usd&order=market_cap_desc&page=1\
                &sparkline=true&price_change_percentage=24h";
            let ids: Vec<String> = (first..first + count).map(|number| format!("coin-{number}")).collect();
            let coins: Vec<_> = ids.iter().map(|id| json!({ "id": id, "name": id, "current_price": 1 })).collect();
            json!({ "request": { "url": format!("{url}&per_page={count}&ids={}", ids.join("%2C")) },
                    "response": { "body": coins } })
        };
        let again = json!({ "request": { "url": "https://api.coingecko.com/*" }, "response": { "status": 500 } });
        let exchanges = serde_json::from_value(json!([page(250, 0), page(3, 250), again])).unwrap();
        let mut context = Recorded::new(exchanges, Moment::from_seconds(0));
        let assets: Vec<String> = (0..253).map(|number| format!("coin-{number}")).collect();
        let widget: CryptoWatchList = serde_json::from_value(json!({ "assets": assets })).unwrap();
        let rows = |panel: Panel| match panel.parts.first() {
            Some(Part::Table(table)) => table.rows.len(),
            _ => 0,
        };
        for seconds in [0, 59] {
            context.now = Moment::from_seconds(seconds);
            let panel = widget.fetch(&context).now_or_never().unwrap().unwrap();
            assert_eq!((panel.parts.len(), rows(panel)), (1, 253), "after {seconds} s");
        }
        context.now = Moment::from_seconds(60);
        assert!(widget.fetch(&context).now_or_never().unwrap().is_err());
    }

    #[test]
    fn a_service_that_refuses_is_left_alone_while_another_stands_in() {
        let refused = json!({ "request": { "url": "https://api.coingecko.com/*" },
            "response": { "status": 429, "headers": { "retry-after": "60" } } });
        let accepted = json!({ "request": { "url": "https://api.coingecko.com/*" },
            "response": { "body": [{ "id": "bitcoin", "current_price": 3 }] } });
        let elsewhere = json!({ "request": { "url": "https://api.coinpaprika.com/*" }, "response": { "body": [
            { "id": "btc-bitcoin", "rank": 1, "quotes": { "USD": { "price": 2 } } }
        ] } });
        let exchanges = serde_json::from_value(json!([refused, accepted, elsewhere])).unwrap();
        let mut context = Recorded::new(exchanges, Moment::from_seconds(0));
        let widget: CryptoWatchList = serde_json::from_value(json!({ "assets": "bitcoin" })).unwrap();
        for (seconds, log_lines) in [(0, 1), (59, 2), (60, 2)] {
            context.now = Moment::from_seconds(seconds);
            let panel = widget.fetch(&context).now_or_never().unwrap().unwrap();
            let credit = if seconds < 60 { coinpaprika::credit() } else { coingecko::credit() };
            assert_eq!(panel.credit, credit, "after {seconds} s");
            assert_eq!(context.log_lines().len(), log_lines, "after {seconds} s");
        }
        let with_key: CryptoWatchList = serde_json::from_value(json!({ "apiKey": "a-key" })).unwrap();
        let error = FetchError::Refused { host: "api.coingecko.com".to_owned() };
        assert!(widget.may_try_elsewhere(&error) && !with_key.may_try_elsewhere(&error));
    }
}
