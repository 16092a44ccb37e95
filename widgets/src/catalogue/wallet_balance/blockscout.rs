//! Blockscout, an open explorer for Ethereum, as a fallback for BlockCypher.

use futures_util::future::try_join;
use serde::Deserialize;

use super::{AddressReply, TransactionReply};
use crate::{FetchError, Outside, Request, services::tolerant};

/// The explorer of the main network.
pub(super) const EXPLORER: &str = "https://eth.blockscout.com";

#[derive(Default, Deserialize)]
#[serde(default)]
struct AccountReply {
    // In wei, as text; null for an address that was never used.
    #[serde(deserialize_with = "tolerant::text")]
    coin_balance: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct PaymentsReply {
    #[serde(deserialize_with = "tolerant::entries")]
    items: Vec<PaymentReply>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct PaymentReply {
    hash: String,
    #[serde(deserialize_with = "tolerant::text")]
    value: Option<String>,
    #[serde(deserialize_with = "tolerant::part")]
    from: Option<PartyReply>,
    #[serde(deserialize_with = "tolerant::text")]
    timestamp: Option<String>,
    #[serde(deserialize_with = "tolerant::number")]
    block_number: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    confirmations: Option<f64>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct PartyReply {
    hash: String,
}

/// Queries an address, which has been checked. Blockscout does not report totals received and sent.
pub(super) async fn fetch_address(address: &str, outside: &dyn Outside) -> Result<AddressReply, FetchError> {
    let address = format!("0x{}", address.strip_prefix("0x").unwrap_or(address));
    let get = |path: String| outside.exchange(Request::get(path).header("Accept", "application/json"));
    let base = format!("{EXPLORER}/api/v2/addresses/{address}");
    let (account, payments) = try_join(get(base.clone()), get(format!("{base}/transactions"))).await?;
    let account: AccountReply = account.json()?;
    let payments: PaymentsReply = payments.json()?;
    Ok(AddressReply {
        balance: Some(account.coin_balance.as_deref().and_then(wei).unwrap_or_default()),
        txrefs: payments.items.into_iter().map(|payment| payment.reference(&address)).collect(),
        ..AddressReply::default()
    })
}

fn wei(written: &str) -> Option<i128> {
    written.trim().parse().ok()
}

impl PaymentReply {
    /// The payment from the view of an address, in BlockCypher's form.
    fn reference(self, address: &str) -> TransactionReply {
        let is_sent = self.from.is_some_and(|from| from.hash.eq_ignore_ascii_case(address));
        // The casts saturate; block numbers have eight digits.
        let whole = |number: Option<f64>| number.map(|number| number as i64);
        TransactionReply {
            tx_hash: self.hash,
            tx_input_n: Some(if is_sent { 0 } else { -1 }),
            value: self.value.as_deref().and_then(wei),
            block_height: whole(self.block_number),
            confirmations: whole(self.confirmations),
            confirmed: self.timestamp,
            ..TransactionReply::default()
        }
    }
}
