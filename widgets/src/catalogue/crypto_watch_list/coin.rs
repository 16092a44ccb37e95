//! One coin: its data from the services, and its row in the list.

use serde::{Deserialize, Serialize};

use crate::{
    Moment,
    option_types::BaseAddress,
    panel::{Cell, Datum, Decimals, Link, Phrase, Picture, Row, Sparkline, Style, Tone, Unit},
    services::{coingecko, coinpaprika::Ticker},
};

/// Number of values in a weekly sparkline: it is small, while the service sends hourly values.
const POINTS: usize = 42;

/// The hint about a coin, by how many facts are known.
const JOINED: [&str; 5] = [
    "{one}",
    "{one}, {two}",
    "{one}, {two}, {three}",
    "{one}, {two}, {three}, {four}",
    "{one}, {two}, {three}, {four}, {five}",
];
/// The placeholders of the facts.
const NAMES: [&str; 5] = ["one", "two", "three", "four", "five"];

/// One coin with everything that is shown; also stored in this form.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Coin {
    /// Its id in the options.
    pub(super) id: String,
    pub(super) name: String,
    pub(super) market_cap: Option<f64>,
    pub(super) volume: Option<f64>,
    symbol: String,
    picture: Option<String>,
    /// The page of the coin.
    page: String,
    price: Option<f64>,
    rank: Option<i64>,
    /// Percent in 24 hours.
    change: Option<f64>,
    circulating_supply: Option<f64>,
    max_supply: Option<f64>,
    record: Option<f64>,
    recorded: Option<Moment>,
    /// The prices of the last seven days, at equal distances.
    line: Vec<Option<f64>>,
}

/// A coin of CoinGecko.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct CoinReply {
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
    sparkline_in_7d: Option<LineReply>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct LineReply {
    price: Vec<Option<f64>>,
}

impl From<CoinReply> for Coin {
    fn from(reply: CoinReply) -> Self {
        Self {
            page: BaseAddress::default().join("https://www.coingecko.com/en/coins/{}", &[&reply.id]),
            id: reply.id,
            name: reply.name,
            market_cap: reply.market_cap,
            volume: reply.total_volume,
            symbol: reply.symbol,
            picture: reply.image,
            price: reply.current_price,
            rank: reply.market_cap_rank,
            change: reply.price_change_percentage_24h,
            circulating_supply: reply.circulating_supply,
            max_supply: reply.max_supply,
            record: reply.ath,
            recorded: reply.ath_date.as_deref().and_then(Moment::parse),
            line: thinned(&reply.sparkline_in_7d.unwrap_or_default().price),
        }
    }
}

impl Coin {
    /// A coin of CoinPaprika; `id` is its id in the options.
    pub(super) fn of_ticker(ticker: &Ticker, currency: &str, id: &str) -> Self {
        let quote = ticker.quotes.get(currency);
        Self {
            page: BaseAddress::default().join("https://coinpaprika.com/coin/{}/", &[&ticker.id]),
            id: id.to_owned(),
            name: ticker.name.clone(),
            market_cap: quote.and_then(|quote| quote.market_cap),
            volume: quote.and_then(|quote| quote.volume_24h),
            symbol: ticker.symbol.clone(),
            picture: Some(
                BaseAddress::default().join("https://static.coinpaprika.com/coin/{}/logo.png", &[&ticker.id]),
            ),
            price: quote.and_then(|quote| quote.price),
            rank: Some(ticker.rank).filter(|rank| *rank > 0),
            change: quote.and_then(|quote| quote.percent_change_24h),
            circulating_supply: None,
            max_supply: ticker.max_supply.filter(|supply| *supply > 0.0),
            record: quote.and_then(|quote| quote.ath_price),
            recorded: quote.and_then(|quote| quote.ath_date.as_deref()).and_then(Moment::parse),
            line: Vec::new(),
        }
    }

    /// Whether there are prices of the last week.
    pub(super) fn has_line(&self) -> bool {
        self.line.iter().flatten().count() > 1
    }

    /// The coin's row in the list, with its sparkline if there is a column for it.
    pub(super) fn row(&self, currency: &str, with_line: bool) -> Row {
        let names = [self.name.trim(), &self.symbol, &self.id];
        let name = names.into_iter().find(|name| !name.is_empty()).unwrap_or_default();
        let linked = Link::parse(Phrase::foreign(name), &self.page).map_or_else(|| Datum::text(name), Datum::from);
        let linked = Cell {
            picture: self.picture.as_deref().and_then(Picture::parse),
            hint: self.hint(currency),
            ..linked.into()
        };
        let price = self.price.map(|price| coingecko::price(price, currency));
        // Rounded as shown, so that nothing has "fallen by 0.00 %".
        let change = self.change.map(|change| (change * 100.0).round() / 100.0);
        let tone = match change {
            Some(change) if change > 0.0 => Tone::Success,
            Some(change) if change < 0.0 => Tone::Danger,
            _ => Tone::Neutral,
        };
        let change = change.map(|change| Datum::percent(change).decimals(Decimals::Exactly(2)));
        let mut cells = vec![linked, Datum::from(price).into(), Cell::change(change)];
        if with_line {
            let title = Phrase::from("{coin}, 7 days").with("coin", name);
            cells.push(Sparkline { title, values: self.line.clone(), color: None, tone }.into());
        }
        Row { cells, ..Row::default() }
    }

    /// Shown on hover over the name: everything known besides the price.
    fn hint(&self, currency: &str) -> Option<Phrase> {
        let money = |value: f64| coingecko::price(value, currency);
        let coins = |value: f64| Datum::number(value.round(), Unit::None).decimals(Decimals::Exactly(0));
        let supply = self.circulating_supply.map(|circulating| {
            let words = match self.max_supply {
                Some(most) => Phrase::from("supply {circulating} of {most}").with("most", coins(most)),
                None => Phrase::from("supply {circulating}, without a maximum"),
            };
            words.with("circulating", coins(circulating))
        });
        let record = self.record.map(|high| {
            let words = match self.recorded {
                Some(at) => Phrase::from("all-time high {high} on {date}").with("date", Datum::time(at, Style::Date)),
                None => Phrase::from("all-time high {high}"),
            };
            words.with("high", money(high))
        });
        let pieces = [
            Some(Phrase::foreign(self.symbol.to_uppercase())).filter(|symbol| !symbol.is_empty()),
            self.rank.map(|rank| Phrase::from("rank {rank}").with("rank", Datum::count(rank))),
            self.market_cap.map(|cap| Phrase::from("market cap {cap}").with("cap", money(cap))),
            supply,
            record,
        ];
        let pieces: Vec<Phrase> = pieces.into_iter().flatten().collect();
        let words = JOINED[pieces.len().checked_sub(1)?];
        Some(NAMES.iter().zip(pieces).fold(words.into(), |hint: Phrase, (name, piece)| hint.with(name, piece)))
    }
}

/// A sample of the values at equal distances, including the last, with five digits: more cannot be seen.
fn thinned(values: &[Option<f64>]) -> Vec<Option<f64>> {
    let step = values.len().div_ceil(POINTS).max(1);
    let mut some: Vec<Option<f64>> = values.iter().rev().step_by(step).map(|value| value.map(rounded)).collect();
    some.reverse();
    some
}

fn rounded(value: f64) -> f64 {
    format!("{value:.4e}").parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_a_week_is_short_and_ends_now() {
        let week: Vec<Option<f64>> = (0..168).map(|hour| Some(f64::from(hour) + 100.000_001)).collect();
        let line = thinned(&week);
        assert_eq!((line.len(), line.last()), (42, Some(&Some(267.0))));
        assert_eq!(thinned(&week[..3]).len(), 3);
        assert_eq!(thinned(&[]), []);
    }
}
