//! `crypto-watch-list`: prices of several coins and how they have changed in a day.

use std::{collections::HashSet, time::Duration};

use futures_util::future::try_join_all;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{
    Entry, FetchError, Moment, Outside, Panel, Problems, Reach, Widget,
    option_types::{BaseAddress, Lenient, Number, OneOrMany, Secret, Text},
    panel::{Cell, Column, Datum, Decimals, Link, Notice, Part, Phrase, Picture, Row, Style, Table, Tone, Unit},
    services::coingecko,
};

/// Most coins of one answer.
const PAGE: usize = 250;
/// How many coins are listed when none are named.
const USUAL: usize = 100;
/// How long prices are kept: widgets with the same question share an answer, and the service has few for free.
const LIFE: Duration = Duration::from_secs(60);
/// How many coins are shown before "show more".
const FOLDED_AFTER: usize = 25;

/// Shows a list of crypto coins with their price and how it has changed in 24 hours, with data of CoinGecko.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct CryptoWatchList {
    /// The coins by their ids at CoinGecko, such as `[bitcoin, monero]`; symbols like BTC are not ids. Without it, the
    /// largest coins.
    assets: OneOrMany<Lenient<Text>>,
    /// The currency of the prices, such as `EUR`. Without it, USD.
    currency: Text,
    /// What comes first: the largest market capitalisation, the largest volume, or the beginning of the alphabet.
    sort_by: Lenient<SortBy>,
    /// How many coins are shown, 250 at most. Without it, all of `assets`, or 100.
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

/// One coin, as far as it is shown; so it is kept, too.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct CoinReply {
    id: String,
    symbol: String,
    name: String,
    image: Option<String>,
    current_price: Option<f64>,
    market_cap: Option<f64>,
    market_cap_rank: Option<i64>,
    total_volume: Option<f64>,
    price_change_percentage_24h: Option<f64>,
    circulating_supply: Option<f64>,
    max_supply: Option<f64>,
    ath: Option<f64>,
    ath_date: Option<String>,
}

impl Widget for CryptoWatchList {
    const REACH: Reach = Reach::ViaServer;

    fn check(&self, entry: &Entry, problems: &mut Problems) {
        let are_ids = self.assets.iter().all(|asset| asset.unknown().is_none());
        problems.require(are_ids, "assets must be a list of ids of coins such as bitcoin.");
        let is_positive = self.limit.is_none_or(|limit| limit.get() >= 1.0);
        problems.require(is_positive, "limit must be 1 or more.");
        if self.limit.is_some_and(|limit| limit.get().round() > PAGE as f64) {
            problems.note(format!("limit must be between 1 and {PAGE}; {PAGE} counts."));
        }
        if let Some(currency) = self.currency.get().filter(|currency| !coingecko::is_currency(currency)) {
            problems.error(format!("currency '{currency}' is no code of a currency. Use one such as USD."));
        }
        if entry.looks_more_often_than(LIFE) {
            problems.note("Prices are kept for a minute: an updateInterval below 60 brings nothing new.");
        }
        if let Some(written) = self.sort_by.unknown() {
            let help = "Use marketCap, volume or alphabetical.";
            problems.note(format!("sortBy '{written}' is unknown, so marketCap counts. {help}"));
        }
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(120))
    }

    async fn fetch(&self, outside: &impl Outside) -> Result<Panel, FetchError> {
        let ids = self.ids();
        let limit = self.limit.map_or(if ids.is_empty() { USUAL } else { ids.len() }, |limit| count(limit.get()));
        let mut coins = if ids.is_empty() {
            self.page(outside, &[], limit.min(PAGE)).await?
        } else {
            let pages = ids.chunks(PAGE).map(|ids| self.page(outside, ids, ids.len()));
            try_join_all(pages).await?.into_iter().flatten().collect()
        };
        let missing: Vec<&str> =
            ids.iter().map(String::as_str).filter(|id| !coins.iter().any(|coin| coin.id == **id)).collect();
        self.sort(&mut coins, limit);
        Ok(self.panel(&coins, &missing))
    }
}

impl CryptoWatchList {
    fn currency(&self) -> &str {
        self.currency.get().unwrap_or("USD")
    }

    /// The coins that are named, each once.
    fn ids(&self) -> Vec<String> {
        let mut seen = HashSet::new();
        let written = self.assets.iter().filter_map(|asset| asset.get()?.get());
        // A list in one text is a habit from other programs.
        let ids = written.flat_map(|text| text.split(',')).map(|id| id.trim().to_lowercase());
        ids.filter(|id| !id.is_empty() && seen.insert(id.clone())).collect()
    }

    async fn page(&self, outside: &impl Outside, ids: &[String], count: usize) -> Result<Vec<CoinReply>, FetchError> {
        let currency = self.currency().to_ascii_lowercase();
        let order = match self.sort_by.or_default() {
            // By the alphabet the service would begin with coins that nobody knows.
            SortBy::MarketCap | SortBy::Alphabetical => "market_cap_desc",
            SortBy::Volume => "volume_desc",
        };
        let ids = ids.join(",");
        let key = format!("coingecko/markets/{currency}/{order}/{count}/{ids}");
        let kept = outside.kept(&key, LIFE, async {
            let mut request = coingecko::request("/coins/markets", &self.api_key)
                .query("vs_currency", &currency)
                .query("order", order)
                .query("per_page", count)
                .query("page", 1)
                .query("sparkline", false)
                .query("price_change_percentage", "24h");
            if !ids.is_empty() {
                request = request.query("ids", &ids);
            }
            let reply = coingecko::ask(outside, request, "these coins").await?;
            Ok(json!(reply.json::<Vec<CoinReply>>()?))
        });
        serde_json::from_value(kept.await?).map_err(|_| FetchError::told("The prices cannot be read."))
    }

    /// The first ones by what is asked for. By the alphabet, those are the largest, in another order.
    fn sort(&self, coins: &mut Vec<CoinReply>, limit: usize) {
        let by_volume = self.sort_by.or_default() == SortBy::Volume;
        let size = |coin: &CoinReply| if by_volume { coin.total_volume } else { coin.market_cap }.unwrap_or(-1.0);
        coins.sort_by(|one, other| size(other).total_cmp(&size(one)));
        coins.truncate(limit);
        if self.sort_by.or_default() == SortBy::Alphabetical {
            coins.sort_by_cached_key(|coin| coin.name.to_lowercase());
        }
    }

    fn panel(&self, coins: &[CoinReply], missing: &[&str]) -> Panel {
        let mut parts: Vec<Part> = Vec::new();
        if coins.is_empty() {
            parts.push(Notice::empty("No coins found").into());
        } else {
            let columns = vec![Column::text("Coin"), Column::number("Price"), Column::number("24 hours")];
            let rows = coins.iter().map(|coin| coin.row(self.currency())).collect();
            parts.push(Table { columns, rows, folded_after: Some(FOLDED_AFTER), headless: false }.into());
        }
        if !missing.is_empty() {
            let text = Phrase::from("CoinGecko does not know {coins}. Use ids: bitcoin, not BTC.");
            parts.push(Notice::warning(text.with("coins", missing.join(", "))).into());
        }
        Panel::new(parts)
    }
}

impl CoinReply {
    fn row(&self, currency: &str) -> Row {
        let page = BaseAddress::default().join("https://www.coingecko.com/en/coins/{}", &[&self.id]);
        let name =
            [self.name.trim(), &self.symbol, &self.id].into_iter().find(|name| !name.is_empty()).unwrap_or_default();
        let name = Link::parse(Phrase::foreign(name), &page).map_or_else(|| Datum::text(name), Datum::from);
        let name = Cell {
            picture: self.image.as_deref().and_then(Picture::parse),
            hint: Some(self.hint(currency)),
            ..name.into()
        };
        let price = self.current_price.map(|price| coingecko::price(price, currency));
        // Rounded as it is written, so that nothing has fallen by 0.00 %.
        let change = self.price_change_percentage_24h.map(|change| (change * 100.0).round() / 100.0);
        let tone = match change {
            Some(change) if change > 0.0 => Tone::Success,
            Some(change) if change < 0.0 => Tone::Danger,
            Some(_) => Tone::Neutral,
            None => Tone::Plain,
        };
        let change = change.map(|change| Datum::percent(change).decimals(Decimals::Exactly(2)).signed());
        let change = Cell { tone, ..Datum::from(change).into() };
        Row { cells: vec![name, Datum::from(price).into(), change], ..Row::default() }
    }

    /// What is shown when somebody points at the name.
    fn hint(&self, currency: &str) -> Phrase {
        let money = |value: Option<f64>| Datum::from(value.map(|value| coingecko::price(value, currency)));
        let coins = |value: Option<f64>| {
            Datum::from(value.map(|value| Datum::number(value.round(), Unit::None).decimals(Decimals::Exactly(0))))
        };
        let record = self.ath_date.as_deref().and_then(Moment::parse);
        let supply = self.circulating_supply.map(|_| {
            let words = match self.max_supply {
                Some(_) => Phrase::from("{circulating} of {most}").with("most", coins(self.max_supply)),
                None => Phrase::from("{circulating}, without a maximum"),
            };
            words.with("circulating", coins(self.circulating_supply))
        });
        let words = "{symbol}, rank {rank}, market cap {cap}, supply {supply}, all-time high {high} on {date}";
        Phrase::from(words)
            .with("symbol", self.symbol.to_uppercase())
            .with("rank", Datum::from(self.market_cap_rank.map(Datum::count)))
            .with("cap", money(self.market_cap))
            .with("supply", Datum::from(supply))
            .with("high", money(self.ath))
            .with("date", Datum::from(record.map(|at| Datum::time(at, Style::Date))))
    }
}

/// A limit as a count.
fn count(limit: f64) -> usize {
    // The bounds come first, so nothing is lost.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let whole = limit.round().clamp(1.0, 250.0) as usize;
    whole
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;
    use crate::Recorded;

    #[test]
    fn many_coins_are_asked_for_in_pages_and_only_once_a_minute() {
        let page = |count: usize, first: usize| {
            let url = "https://api.coingecko.com/api/v3/coins/markets?vs_currency=usd&order=market_cap_desc&page=1\
                &sparkline=false&price_change_percentage=24h";
            let ids: Vec<String> = (first..first + count).map(|number| format!("coin-{number}")).collect();
            let coins: Vec<_> = ids.iter().map(|id| json!({ "id": id, "name": id, "current_price": 1 })).collect();
            json!({ "request": { "url": format!("{url}&per_page={count}&ids={}", ids.join("%2C")) },
                    "response": { "body": coins } })
        };
        let again = json!({ "request": { "url": "https://api.coingecko.com/*" }, "response": { "status": 500 } });
        let exchanges = serde_json::from_value(json!([page(250, 0), page(3, 250), again])).unwrap();
        let mut outside = Recorded::new(exchanges, Moment::from_seconds(0));
        let assets: Vec<String> = (0..253).map(|number| format!("coin-{number}")).collect();
        let widget: CryptoWatchList = serde_json::from_value(json!({ "assets": assets })).unwrap();
        let rows = |panel: Panel| match panel.parts.first() {
            Some(Part::Table(table)) => table.rows.len(),
            _ => 0,
        };
        for seconds in [0, 59] {
            outside.now = Moment::from_seconds(seconds);
            let panel = widget.fetch(&outside).now_or_never().unwrap().unwrap();
            assert_eq!((panel.parts.len(), rows(panel)), (1, 253), "after {seconds} s");
        }
        outside.now = Moment::from_seconds(60);
        assert!(widget.fetch(&outside).now_or_never().unwrap().is_err());
    }
}
