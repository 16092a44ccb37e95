//! Blockscout, an open explorer: prices of gas and ether, without a key.

use serde::Deserialize;
use serde_json::Value;

use super::{Gas, GasSource};
use crate::{FetchError, Moment, Request, WidgetContext, services::tolerant};

const STATS: &str = "https://eth.blockscout.com/api/v2/stats";

/// The public explorer of Ethereum.
pub(crate) struct Blockscout;

#[derive(Default, Deserialize)]
#[serde(default)]
struct StatsReply {
    gas_prices: Value,
    // A number in a text.
    #[serde(deserialize_with = "tolerant::number")]
    coin_price: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    coin_price_change_percentage: Option<f64>,
    #[serde(deserialize_with = "tolerant::text")]
    gas_price_updated_at: Option<String>,
}

impl GasSource for Blockscout {
    async fn gas(&self, context: &dyn WidgetContext) -> Result<Gas, FetchError> {
        let reply = context.exchange(Request::get(STATS).header("Accept", "application/json")).await?;
        let stats: StatsReply = reply.json()?;
        // A tier is a number or, in some versions, an object with a price.
        let tier = |name: &str| {
            let tier = stats.gas_prices.get(name)?;
            tolerant::as_number(tier.get("price").unwrap_or(tier)).filter(|price| *price >= 0.0)
        };
        Ok(Gas {
            slow: tier("slow"),
            normal: tier("average"),
            fast: tier("fast"),
            ether: stats.coin_price,
            ether_change: stats.coin_price_change_percentage,
            updated: stats.gas_price_updated_at.as_deref().and_then(Moment::parse),
            ..Gas::default()
        })
    }
}
