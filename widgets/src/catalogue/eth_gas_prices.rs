//! `eth-gas-prices`: what a transaction on Ethereum costs.

use std::time::Duration;

use futures_util::future::join;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Category, Entry, FetchError, OptionProblems, Panel, Reach, Widget, WidgetContext,
    option_types::{Bounded, ChartStyle},
    panel::{
        Chart, ChartShape, Column, Datum, Decimals, Fact, Facts, Headline, Link, Notice, Part, Phrase, Point, Row,
        Series, Style, Table, Unit,
    },
    services::gas::{Gas, GasSource, SECONDS_PER_BLOCK, blockscout::Blockscout, node::Node, rounded},
};

/// The gas of a plain transfer.
const TRANSFER: f64 = 21_000.0;
/// One Gwei in ether.
const GWEI: f64 = 1e-9;

/// Shows what a transaction on Ethereum costs now, and how the base fee has changed. Prices come from Blockscout, the
/// history from a public node; neither needs a key.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct EthGasPrices {
    /// How many hours of history are shown. Public nodes provide at most 3.
    num_hours: Bounded<1, 1, 3>,
    #[serde(flatten)]
    chart: ChartStyle,
}

impl Widget for EthGasPrices {
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::Money;
    const USUAL_LINES: usize = 31;

    fn check(&self, entry: &Entry, problems: &mut OptionProblems) {
        self.num_hours.check("numHours", problems);
        self.chart.check(problems);
        if entry.refreshes_more_often_than(Duration::from_secs(SECONDS_PER_BLOCK)) {
            problems.note("There is a new block every 12 seconds: a shorter updateInterval brings nothing new.");
        }
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(60))
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let hours = u64::try_from(self.num_hours.get()).unwrap_or(1);
        let node = Node { blocks: hours * 3600 / SECONDS_PER_BLOCK };
        let (prices, history) = join(Blockscout.gas(context), node.gas(context)).await;
        let mut notice = None;
        let (prices, history) = match (prices, history) {
            (Ok(prices), Ok(history)) => (prices, history),
            (Ok(prices), Err(error)) => {
                notice = Some(error);
                (prices, Gas::default())
            }
            (Err(error), Ok(history)) => {
                notice = Some(error);
                (history.clone(), history)
            }
            (Err(error), Err(_)) => return Err(error),
        };
        let mut parts = vec![tiers(&prices)];
        parts.extend(ether(&prices));
        if !history.base_fees.is_empty() {
            parts.push(self.drawn(&history));
        }
        let facts = Facts::present(facts(&prices, &history));
        if !facts.facts.is_empty() {
            parts.push(facts.into());
        }
        if let Some(error) = notice {
            parts.push(Notice::warning(Phrase::message(error.to_string())).into());
        }
        let credit = Link::parse("Blockscout and public nodes", "https://eth.blockscout.com/");
        Ok(Panel { credit, ..Panel::new(parts) })
    }
}

/// As many decimals as are significant: fees have been below 1 Gwei since 2025.
fn gwei(price: Option<f64>) -> Datum {
    let Some(price) = price else { return Datum::Missing };
    let decimals = match price {
        price if price >= 100.0 => Decimals::Exactly(0),
        price if price >= 0.1 => Decimals::Exactly(2),
        _ => Decimals::Significant(2),
    };
    Datum::number(price, Unit::Sign("Gwei".to_owned())).decimals(decimals)
}

/// The rows of the three speeds. Without a price of ether, there is no column for dollars.
fn tiers(gas: &Gas) -> Part {
    let dollars = |price: Option<f64>| match price.zip(gas.ether) {
        Some((price, ether)) => {
            let cost = rounded(price * GWEI * TRANSFER * ether);
            let dollars =
                |cost: f64| Datum::number(cost, Unit::Currency("USD".to_owned())).decimals(Decimals::Exactly(2));
            if cost < 0.01 { Phrase::from("< {cost}").with("cost", dollars(0.01)).into() } else { dollars(cost) }
        }
        None => Datum::Missing,
    };
    let rows = [("Slow", gas.slow), ("Normal", gas.normal), ("Fast", gas.fast)].map(|(name, price)| {
        let mut cells = vec![Datum::from(Phrase::from(name)), gwei(price)];
        cells.extend(gas.ether.is_some().then(|| dollars(price)));
        Row::new(cells)
    });
    let mut columns = vec![Column::text("Speed"), Column::number("Price of gas")];
    columns.extend(gas.ether.is_some().then(|| Column::number("A transfer costs")));
    Table { columns, rows: rows.into(), ..Table::default() }.into()
}

fn ether(gas: &Gas) -> Option<Part> {
    let price = Datum::number(gas.ether?, Unit::Currency("USD".to_owned())).decimals(Decimals::Exactly(2));
    let change = gas.ether_change.map(|change| Datum::percent(change).decimals(Decimals::Exactly(2)).signed());
    Some(Headline { change, caption: Some("Price of an ether".into()), ..Headline::new(price) }.into())
}

fn facts(prices: &Gas, history: &Gas) -> Vec<Fact> {
    let updated = prices.updated.map(|at| Datum::time(at, Style::Time));
    vec![Fact::new("Base fee of the next block", gwei(history.next_base_fee)), Fact::new("Updated", updated)]
}

impl EthGasPrices {
    fn drawn(&self, history: &Gas) -> Part {
        let points = history.base_fees.iter().map(|(at, fee)| Point::at(*at, Some(*fee))).collect();
        let series = Series { name: "Base fee".into(), color: self.chart.color(0), points, ..Series::default() };
        Chart {
            title: "Base fee".into(),
            shape: ChartShape::Line,
            series: vec![series],
            unit: Unit::Sign("Gwei".to_owned()),
            decimals: Decimals::Significant(3),
            height: self.chart.height(),
            ..Chart::default()
        }
        .into()
    }
}
