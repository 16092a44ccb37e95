//! What a transaction on Ethereum costs, whoever tells it. A further source is a file with an `impl` of [`GasSource`].

pub(crate) mod blockscout;
pub(crate) mod node;

use crate::{FetchError, Moment, Outside};

/// Seven digits that say something, which is more than anybody shows.
pub(crate) fn rounded(value: f64) -> f64 {
    format!("{value:.6e}").parse().unwrap_or(value)
}

/// How far apart blocks are.
pub(crate) const SECONDS_PER_BLOCK: u64 = 12;

/// What a source knows. Prices of gas are in Gwei.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Gas {
    pub(crate) slow: Option<f64>,
    pub(crate) normal: Option<f64>,
    pub(crate) fast: Option<f64>,
    /// What an ether costs, in US dollars.
    pub(crate) ether: Option<f64>,
    /// How much that has changed in a day, in percent.
    pub(crate) ether_change: Option<f64>,
    pub(crate) updated: Option<Moment>,
    /// The base fee of the last blocks, the oldest first.
    pub(crate) base_fees: Vec<(Moment, f64)>,
    /// The base fee of the next block.
    pub(crate) next_base_fee: Option<f64>,
}

/// Who tells the prices of gas.
pub(crate) trait GasSource {
    /// Asks. Sources that know no history leave it empty.
    ///
    /// # Errors
    ///
    /// If the source has nothing.
    fn gas(&self, outside: &dyn Outside) -> impl Future<Output = Result<Gas, FetchError>>;
}
