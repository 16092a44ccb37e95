//! The cost of a transaction on Ethereum, from any source. To add a source, add a file with an `impl` of [`GasSource`].

pub(crate) mod blockscout;
pub(crate) mod node;

use crate::{FetchError, Moment, WidgetContext};

/// Rounds to seven significant digits, more than anybody shows.
pub(crate) fn rounded(value: f64) -> f64 {
    format!("{value:.6e}").parse().unwrap_or(value)
}

/// The time between two blocks.
pub(crate) const SECONDS_PER_BLOCK: u64 = 12;

/// The data of a source. Gas prices are in Gwei.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Gas {
    pub(crate) slow: Option<f64>,
    pub(crate) normal: Option<f64>,
    pub(crate) fast: Option<f64>,
    /// The price of an ether in US dollars.
    pub(crate) ether: Option<f64>,
    /// The change of that price within a day, in percent.
    pub(crate) ether_change: Option<f64>,
    pub(crate) updated: Option<Moment>,
    /// The base fees of the last blocks, oldest first.
    pub(crate) base_fees: Vec<(Moment, f64)>,
    /// The base fee of the next block.
    pub(crate) next_base_fee: Option<f64>,
}

/// A source of gas prices.
pub(crate) trait GasSource {
    /// Fetches the prices. Sources without a history leave it empty.
    ///
    /// # Errors
    ///
    /// The source has no data.
    fn gas(&self, context: &dyn WidgetContext) -> impl Future<Output = Result<Gas, FetchError>>;
}
