//! `crypto-price-chart`: the price of one coin over the last days.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Category, Entry, FetchError, Moment, OptionProblems, Panel, Reach, Widget, WidgetContext,
    option_types::{BaseAddress, Bounded, ChartStyle, Secret, Text},
    panel::{Chart, ChartShape, Datum, Decimals, Headline, Phrase, Point, Series, Unit},
    services::coingecko,
};

/// Minimum distance between two values.
const STEP: Duration = Duration::from_secs(300);

/// Shows the price of one crypto coin over the last days as a chart, with data from CoinGecko.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct CryptoPriceChart {
    /// The coin by its id at CoinGecko, such as {example}; symbols like BTC are not ids.
    #[schemars(extend("x-required" = true, "x-example" = "bitcoin"))]
    asset: Text,
    /// The currency of the price, such as {example}. Without it, USD.
    #[schemars(extend("x-example" = "EUR"))]
    currency: Text,
    /// How many days are shown.
    num_days: Bounded<1, 7, 30>,
    /// Number of points to which the curve is smoothed. Without it, all are drawn.
    data_points: Option<Bounded<5, 30, 100>>,
    /// Key of the free demo plan, which allows more requests. Optional.
    api_key: Secret,
    #[serde(flatten)]
    chart: ChartStyle,
}

#[derive(Deserialize)]
struct MarketChartReply {
    #[serde(default)]
    prices: Vec<(f64, Option<f64>)>,
}

impl Widget for CryptoPriceChart {
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::Money;
    const USUAL_LINES: usize = 20;

    fn check(&self, entry: &Entry, problems: &mut OptionProblems) {
        problems.require_option(self.asset.is_set(), "asset", "a coin by its id at CoinGecko");
        if let Some(currency) = self.currency.get().filter(|currency| !coingecko::is_currency(currency)) {
            problems.error(format!("currency '{currency}' is not a currency code. Use one such as USD."));
        }
        self.num_days.check("numDays", problems);
        if let Some(points) = self.data_points {
            points.check("dataPoints", problems);
        }
        self.chart.check(problems);
        if entry.refreshes_more_often_than(STEP) {
            problems.note("CoinGecko has new values every 5 minutes: an updateInterval below 300 brings nothing new.");
        }
    }

    fn refresh(&self) -> Option<Duration> {
        let minutes = if self.num_days.get() == 1 { 5 } else { 30 };
        Some(Duration::from_secs(minutes * 60))
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let asset = self.asset.to_ascii_lowercase();
        let path = BaseAddress::default().join("/coins/{}/market_chart", &[&asset]);
        let request = coingecko::request(&path, &self.api_key)
            .query("vs_currency", self.currency().to_ascii_lowercase())
            .query("days", self.num_days.get());
        let reply = coingecko::send(context, request, &format!("the coin '{asset}'")).await;
        let reply = reply.map_err(|error| coingecko::explain_rejection(error, &self.api_key))?;
        let mut prices: Vec<Point> = reply
            .json::<MarketChartReply>()?
            .prices
            .into_iter()
            // The service sends milliseconds as a float.
            .map(|(at, price)| Point::at(Moment::from_millis(at as i64), price))
            .collect();
        prices.sort_by_key(|point| point.0);
        Ok(Panel { credit: coingecko::credit(), ..self.panel(&asset, prices) })
    }
}

impl CryptoPriceChart {
    fn currency(&self) -> &str {
        self.currency.get().unwrap_or("USD")
    }

    fn panel(&self, asset: &str, prices: Vec<Point>) -> Panel {
        let title = Phrase::from("{coin} price, {days}")
            .with("coin", name(asset))
            .with("days", Datum::number(self.num_days.get() as f64 * 86_400.0, Unit::Seconds));
        let known: Vec<f64> = prices.iter().filter_map(|point| point.1).collect();
        let (Some(first), Some(last)) = (known.first().copied(), known.last().copied()) else {
            return Panel::empty("No price data for this period").titled(title);
        };
        let is_line = known.len() > 1;
        let change = (is_line && first > 0.0).then(|| {
            Datum::percent(((last - first) / first * 10_000.0).round() / 100.0).decimals(Decimals::Exactly(2)).signed()
        });
        let headline = Headline { change, ..Headline::new(coingecko::price(last, self.currency())) };
        let mut parts = vec![headline.into()];
        if is_line {
            let max = self.data_points.map_or(Series::MAX_POINTS, Bounded::count);
            let series = Series {
                name: Phrase::foreign(name(asset)),
                color: self.chart.color(0),
                points: prices,
                ..Series::default()
            };
            let mut series = series.thinned(max);
            // The newest price is shown above the chart, so it stays exact.
            if let Some((_, earlier)) = series.points.split_last_mut() {
                for point in earlier {
                    point.1 = point.1.map(rounded);
                }
            }
            parts.push(
                Chart {
                    title: title.clone(),
                    shape: ChartShape::Area,
                    series: vec![series],
                    unit: coingecko::unit(self.currency()),
                    decimals: decimals(&known, last),
                    height: self.chart.height(),
                    ..Chart::default()
                }
                .into(),
            );
        }
        Panel::new(parts).titled(title)
    }
}

/// Rounds to seven significant digits, more than a chart shows; the service sends up to seventeen.
fn rounded(price: f64) -> f64 {
    format!("{price:.6e}").parse().unwrap_or(price)
}

/// Number of decimals of the prices in the chart: at least enough to distinguish the highest from the lowest, since a
/// stablecoin moves by a thousandth.
fn decimals(prices: &[f64], last: f64) -> Decimals {
    let lowest = prices.iter().copied().fold(f64::INFINITY, f64::min);
    let range = prices.iter().copied().fold(f64::NEG_INFINITY, f64::max) - lowest;
    match coingecko::price_decimals(last) {
        Decimals::Exactly(usual) if range > 0.0 => {
            // Logarithms of prices are small.
            let needed = 1 - range.log10().floor() as i32;
            Decimals::Exactly(u8::try_from(needed.clamp(usual.into(), 8)).unwrap_or(usual))
        }
        decimals => decimals,
    }
}

/// The name derived from the id, since the response has none: `Shiba Inu` for `shiba-inu`.
fn name(asset: &str) -> String {
    let words = asset.split('-').filter(|word| !word.is_empty()).map(|word| {
        let mut letters = word.chars();
        letters.next().map(|first| first.to_uppercase().chain(letters).collect::<String>()).unwrap_or_default()
    });
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_moves_are_distinguished() {
        for (prices, expected) in [
            (&[43_134.7, 39_445.2][..], Decimals::Exactly(0)),
            (&[1500.0, 1500.4], Decimals::Exactly(2)),
            (&[1.5, 1.9], Decimals::Exactly(2)),
            (&[1.0002, 0.9991, 1.0022], Decimals::Exactly(4)),
            (&[1.0, 1.0], Decimals::Exactly(2)),
            (&[0.000_012_34, 0.000_012_35], Decimals::Significant(4)),
        ] {
            assert_eq!(decimals(prices, prices[0]), expected, "{prices:?}");
        }
    }
}
