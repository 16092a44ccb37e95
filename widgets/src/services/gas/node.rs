//! A public node of Ethereum: the fees of the last blocks. It has no prices in dollars.

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};

use super::{Gas, GasSource, SECONDS_PER_BLOCK, rounded};
use crate::{FetchError, Request, WidgetContext, services::tolerant};

/// Public nodes; each is used while those before it are down.
const NODES: [&str; 3] =
    ["https://ethereum-rpc.publicnode.com", "https://eth.llamarpc.com", "https://cloudflare-eth.com"];
/// One Gwei in wei.
const GWEI: f64 = 1e9;
/// Which percentiles of the paid tips are requested: they make the three tiers.
const PERCENTILES: [u8; 3] = [10, 50, 90];

/// The public node, with the number of blocks to request, at most 1024.
pub(crate) struct Node {
    pub(crate) blocks: u64,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct RpcReply {
    #[serde(deserialize_with = "tolerant::part")]
    result: Option<HistoryReply>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct HistoryReply {
    #[serde(deserialize_with = "tolerant::entries")]
    base_fee_per_gas: Vec<String>,
    #[serde(deserialize_with = "tolerant::entries")]
    reward: Vec<Vec<String>>,
}

impl GasSource for Node {
    async fn gas(&self, context: &dyn WidgetContext) -> Result<Gas, FetchError> {
        let question = json!({
            "jsonrpc": "2.0", "id": 1, "method": "eth_feeHistory",
            "params": [format!("{:#x}", self.blocks), "latest", PERCENTILES],
        });
        let mut history = fees(NODES[0], &question, context).await;
        for node in &NODES[1..] {
            if history.is_err()
                && let Ok(other) = fees(node, &question, context).await
            {
                history = Ok(other);
            }
        }
        // If none responds, report the error of the first.
        let history = history?;
        let mut fees: Vec<f64> = history.base_fee_per_gas.iter().filter_map(|fee| gwei(fee)).collect();
        // The last one is for the next block.
        let next = fees.pop();
        let count = fees.len() as u64;
        let at = |position: usize| {
            let distance = count.saturating_sub(position as u64 + 1);
            context.now().before(Duration::from_secs(distance * SECONDS_PER_BLOCK))
        };
        let base_fees = fees.iter().enumerate().map(|(position, fee)| (at(position), *fee)).collect();
        let tier = |column: usize| Some(rounded(next? + median(&history.reward, column)?));
        Ok(Gas {
            slow: tier(0),
            normal: tier(1),
            fast: tier(2),
            updated: Some(context.now()),
            base_fees,
            next_base_fee: next,
            ..Gas::default()
        })
    }
}

/// Queries one node.
async fn fees(node: &str, question: &Value, context: &dyn WidgetContext) -> Result<HistoryReply, FetchError> {
    let reply = context.exchange(Request::post(node).json(question)).await?;
    reply.json::<RpcReply>()?.result.ok_or_else(|| reply.unexpected("an error in place of the fees"))
}

/// Converts a number of wei in hexadecimal digits to Gwei.
fn gwei(hex: &str) -> Option<f64> {
    let wei = u128::from_str_radix(hex.trim().strip_prefix("0x")?, 16).ok()?;
    Some(rounded(wei as f64 / GWEI))
}

/// The median of one column of tips.
fn median(rewards: &[Vec<String>], column: usize) -> Option<f64> {
    let mut tips: Vec<f64> = rewards.iter().filter_map(|row| gwei(row.get(column)?)).collect();
    tips.sort_by(f64::total_cmp);
    tips.get(tips.len() / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wei_may_be_more_than_a_word_holds() {
        for (hex, expected) in [
            ("0x3b9aca00", Some(1.0)),
            ("0x0", Some(0.0)),
            ("0xffffffffffffffffff", Some(4_722_366_000_000.0)),
            ("12", None),
        ] {
            assert_eq!(gwei(hex), expected, "{hex}");
        }
    }
}
