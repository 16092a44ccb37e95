//! `stock-price-chart`: the price of one share over time.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Category, Entry, FetchError, Moment, OptionProblems, Panel, Reach, Widget, WidgetContext,
    option_types::{Bounded, ChartStyle, Lenient, Number, Secret, Text},
    panel::{Chart, ChartShape, Datum, Decimals, Headline, Link, Paragraph, Part, Phrase, Point, Series, Unit},
    services::stocks::{PriceField, PriceQuery, Prices, StockSource, alpha_vantage::AlphaVantage, yahoo::Yahoo},
};

/// The intervals of intraday prices that the services support, in minutes.
const MINUTES: [u16; 5] = [1, 5, 15, 30, 60];
/// A free key allows 25 requests a day.
const SHORTEST_UPDATE: Duration = Duration::from_secs(3600);

/// Shows the price of one share over time. Without a key the data come from Yahoo Finance, through an unofficial API
/// that may change; with a key of alphavantage.co they come from there.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct StockPriceChart {
    /// Symbol of the share, such as {example}, with its exchange if that is not in the USA: `TSCO.LON`, `MBG.DEX`.
    #[schemars(extend("x-required" = true, "x-example" = "NET"))]
    stock: Text,
    /// Key of alphavantage.co, which is free for 25 requests a day, or the name of an environment variable. Optional.
    api_key: Secret,
    /// Which price of a day is shown: `high`, `low`, `open` or `close`; or its `volume`. Without it, `high`.
    price_time: Lenient<PriceTime>,
    /// Minutes between two prices of a day: 1, 5, 15, 30 or 60. Without it, one price per day.
    interval: Option<Number>,
    /// How many points are drawn.
    data_points: Bounded<2, 30, 500>,
    /// Which service is used: `alpha-vantage` or `yahoo`. Without it, Alpha Vantage if there is a key, otherwise Yahoo
    /// Finance.
    provider: Lenient<Provider>,
    #[serde(flatten)]
    chart: ChartStyle,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum PriceTime {
    #[default]
    High,
    Low,
    Open,
    Close,
    Volume,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Provider {
    AlphaVantage,
    Yahoo,
}

impl Widget for StockPriceChart {
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::Money;
    const USUAL_LINES: usize = 20;

    fn check(&self, entry: &Entry, problems: &mut OptionProblems) {
        problems.require_option(self.stock.is_set(), "stock", "the symbol of a share");
        let is_symbol = |byte: u8| byte.is_ascii_alphanumeric() || b".-^=".contains(&byte);
        let is_plain = self.stock.len() <= 20 && self.stock.bytes().all(is_symbol);
        problems.require(is_plain, "stock must be a symbol such as NET or TSCO.LON.");
        if let Some(written) = self.price_time.unknown() {
            problems.error(format!("priceTime '{written}' is unknown. Use high, low, open or close."));
        }
        if let Some(written) = self.provider.unknown() {
            problems.note(format!("provider '{written}' is unknown. Use alpha-vantage or yahoo."));
        }
        let has_key = self.provider() == Provider::Yahoo || self.api_key.is_set();
        let purpose = "a key of Alpha Vantage, free at alphavantage.co (or set provider: yahoo)";
        problems.require_option(has_key, "apiKey", purpose);
        if self.interval.is_some() && self.minutes().is_none() {
            problems.note("interval must be 1, 5, 15, 30 or 60 minutes; there is one price for each day.");
        }
        self.data_points.check("dataPoints", problems);
        self.chart.check(problems);
        if entry.refreshes_more_often_than(SHORTEST_UPDATE) && self.provider() == Provider::AlphaVantage {
            problems.note("A free key has 25 requests a day: an updateInterval below 3600 is too short.");
        }
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(7200))
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let symbol = self.stock.to_ascii_uppercase();
        let query = PriceQuery { symbol: &symbol, field: self.field(), minutes: self.minutes() };
        let (prices, credit) = match self.provider() {
            Provider::AlphaVantage => (
                AlphaVantage { key: &self.api_key }.prices(&query, context).await?,
                Link::parse("Alpha Vantage", "https://www.alphavantage.co/"),
            ),
            Provider::Yahoo => {
                (Yahoo.prices(&query, context).await?, Link::parse("Yahoo Finance", "https://finance.yahoo.com/"))
            }
        };
        let mut panel = self.panel(&symbol, &prices);
        if self.provider() == Provider::Yahoo {
            let text = "From an unofficial API. Set an apiKey for alphavantage.co to use that instead.";
            panel.parts.push(Paragraph { small: true, ..Paragraph::new(text) }.into());
        }
        Ok(Panel { credit, ..panel })
    }
}

impl StockPriceChart {
    fn provider(&self) -> Provider {
        let usual = if self.api_key.is_set() { Provider::AlphaVantage } else { Provider::Yahoo };
        self.provider.get().copied().unwrap_or(usual)
    }

    fn minutes(&self) -> Option<u16> {
        let written = self.interval?.get();
        MINUTES.into_iter().find(|minutes| (f64::from(*minutes) - written).abs() < 0.5)
    }

    fn field(&self) -> PriceField {
        match self.price_time.or_default() {
            PriceTime::High => PriceField::High,
            PriceTime::Low => PriceField::Low,
            PriceTime::Open => PriceField::Open,
            PriceTime::Close => PriceField::Close,
            PriceTime::Volume => PriceField::Volume,
        }
    }

    fn panel(&self, symbol: &str, prices: &Prices) -> Panel {
        let words: &'static str = match self.field() {
            PriceField::Open => "{symbol}, opening price",
            PriceField::High => "{symbol}, highest price",
            PriceField::Low => "{symbol}, lowest price",
            PriceField::Close => "{symbol}, closing price",
            PriceField::Volume => "{symbol}, volume",
        };
        let title = Phrase::from(words).with("symbol", symbol);
        let Some((_, last)) = prices.points.last().copied() else {
            return Panel::empty(Phrase::from("No prices for {symbol}").with("symbol", symbol)).titled(title);
        };
        let unit = match &prices.currency {
            Some(code) if self.field() != PriceField::Volume => Unit::Currency(code.clone()),
            _ => Unit::None,
        };
        let decimals = decimals(last);
        let before = prices.points.len().checked_sub(2).and_then(|position| prices.points.get(position));
        let change = before.filter(|(_, price)| *price > 0.0).map(|(_, price)| {
            Datum::percent(((last - price) / price * 10_000.0).round() / 100.0).decimals(Decimals::Exactly(2)).signed()
        });
        let value = Datum::number(last, unit.clone()).decimals(decimals);
        let mut parts: Vec<Part> = vec![Headline { change, ..Headline::new(value) }.into()];
        if prices.points.len() > 1 {
            let points = thinned(&prices.points, self.data_points.count());
            let series = Series {
                name: Phrase::foreign(symbol),
                color: self.chart.color(0),
                points: points.into_iter().map(|(at, price)| Point::at(at, Some(price))).collect(),
                ..Series::default()
            };
            let chart = Chart {
                title: title.clone(),
                shape: ChartShape::Area,
                series: vec![series],
                unit,
                decimals,
                height: self.chart.height(),
                ..Chart::default()
            };
            parts.push(chart.into());
        }
        Panel::new(parts).titled(title)
    }
}

/// Number of decimals of a price: none for a volume, two for most prices, more for very small ones.
fn decimals(price: f64) -> Decimals {
    match price.abs() {
        price if price >= 100_000.0 => Decimals::Exactly(0),
        price if price >= 1.0 => Decimals::Exactly(2),
        price if price >= 0.01 => Decimals::Exactly(4),
        _ => Decimals::Exactly(5),
    }
}

/// A sample of the points, including the first and the last.
fn thinned(points: &[(Moment, f64)], max: usize) -> Vec<(Moment, f64)> {
    if points.len() <= max || max < 2 {
        return points.to_vec();
    }
    let last = points.len() - 1;
    (0..max).filter_map(|position| points.get(position * last / (max - 1)).copied()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thinning_keeps_the_ends() {
        let points: Vec<(Moment, f64)> = (0..100).map(|at| (Moment::from_seconds(at), at as f64)).collect();
        for max in [2, 3, 30, 99, 100, 500] {
            let thin = thinned(&points, max);
            assert_eq!(thin.len(), max.min(100), "{max}");
            assert_eq!((thin.first(), thin.last()), (points.first(), points.last()), "{max}");
        }
        assert_eq!(thinned(&points[..1], 2).len(), 1);
    }
}
