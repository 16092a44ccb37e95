//! Esplora, an open explorer, as a fallback for BlockCypher: mempool.space for Bitcoin, litecoinspace.org for Litecoin.

use futures_util::future::try_join;
use jiff::Timestamp;
use serde::Deserialize;

use super::{AddressReply, TransactionReply};
use crate::{FetchError, Outside, Request};

/// The explorers, each with the coin whose main network it covers.
const EXPLORERS: [(&str, &str); 2] = [("btc", "https://mempool.space"), ("ltc", "https://litecoinspace.org")];

#[derive(Default, Deserialize)]
#[serde(default)]
struct SummaryReply {
    chain_stats: SumsReply,
    mempool_stats: SumsReply,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct SumsReply {
    funded_txo_sum: i128,
    spent_txo_sum: i128,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct PaymentReply {
    txid: String,
    status: StatusReply,
    vin: Vec<InputReply>,
    vout: Vec<OutputReply>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct StatusReply {
    confirmed: bool,
    block_height: Option<i64>,
    block_time: Option<i64>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct InputReply {
    // Newly mined coins have none.
    prevout: Option<OutputReply>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct OutputReply {
    scriptpubkey_address: Option<String>,
    value: i128,
}

/// The explorer for a coin, if there is one.
pub(super) fn explorer(coin: &str) -> Option<&'static str> {
    EXPLORERS.iter().find(|(known, _)| *known == coin).map(|(_, explorer)| *explorer)
}

/// Queries an address, which has been checked.
pub(super) async fn fetch_address(
    explorer: &str,
    address: &str,
    outside: &dyn Outside,
) -> Result<AddressReply, FetchError> {
    let get = |path: String| outside.exchange(Request::get(path).header("Accept", "application/json"));
    let base = format!("{explorer}/api/address/{address}");
    let (summary, payments) = try_join(get(base.clone()), get(format!("{base}/txs"))).await?;
    let summary: SummaryReply = summary.json()?;
    let payments: Vec<PaymentReply> = payments.json()?;
    let references = payments.into_iter().map(|payment| payment.reference(address));
    let (confirmed, pending): (Vec<_>, Vec<_>) = references.partition(|reference| reference.confirmed.is_some());
    let (chain, waiting) = (summary.chain_stats, summary.mempool_stats);
    Ok(AddressReply {
        total_received: Some(chain.funded_txo_sum),
        total_sent: Some(chain.spent_txo_sum),
        balance: Some(chain.funded_txo_sum - chain.spent_txo_sum),
        unconfirmed_balance: Some(waiting.funded_txo_sum - waiting.spent_txo_sum),
        txrefs: confirmed,
        unconfirmed_txrefs: pending,
    })
}

impl PaymentReply {
    /// The payment from the view of an address, in BlockCypher's form.
    fn reference(self, address: &str) -> TransactionReply {
        let is_own = |output: &&OutputReply| output.scriptpubkey_address.as_deref() == Some(address);
        let received: i128 = self.vout.iter().filter(is_own).map(|output| output.value).sum();
        let sent: i128 =
            self.vin.iter().filter_map(|input| input.prevout.as_ref()).filter(is_own).map(|output| output.value).sum();
        let amount = received - sent;
        let at = self.status.block_time.and_then(|seconds| Timestamp::from_second(seconds).ok());
        TransactionReply {
            tx_hash: self.txid,
            tx_input_n: Some(if amount >= 0 { -1 } else { 0 }),
            value: Some(amount.abs()),
            block_height: self.status.block_height,
            confirmed: at.filter(|_| self.status.confirmed).map(|at| at.to_string()),
            ..TransactionReply::default()
        }
    }
}
