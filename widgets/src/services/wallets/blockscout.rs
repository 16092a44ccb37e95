//! Blockscout, an open explorer for Ethereum, as a fallback for BlockCypher.

use futures_util::future::try_join;
use serde::Deserialize;

use super::{Payment, Wallet, WalletQuery, WalletSource};
use crate::{FetchError, Moment, Request, WidgetContext, services::tolerant};

/// The explorer of the main network.
pub(crate) const EXPLORER: &str = "https://eth.blockscout.com";

/// The explorer.
pub(crate) struct Blockscout;

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

impl WalletSource for Blockscout {
    /// Blockscout does not report totals received and sent.
    async fn wallet(&self, query: &WalletQuery<'_>, context: &dyn WidgetContext) -> Result<Wallet, FetchError> {
        let address = format!("0x{}", query.address.strip_prefix("0x").unwrap_or(query.address));
        let get = |path: String| context.exchange(Request::get(path).header("Accept", "application/json"));
        let base = format!("{EXPLORER}/api/v2/addresses/{address}");
        let (account, payments) = try_join(get(base.clone()), get(format!("{base}/transactions"))).await?;
        let account: AccountReply = account.json()?;
        let payments: PaymentsReply = payments.json()?;
        Ok(Wallet {
            balance: Some(account.coin_balance.as_deref().and_then(wei).unwrap_or_default()),
            confirmed_payments: payments.items.into_iter().map(|payment| payment.payment(&address)).collect(),
            ..Wallet::default()
        })
    }
}

fn wei(written: &str) -> Option<i128> {
    written.trim().parse().ok()
}

impl PaymentReply {
    /// The payment from the view of an address.
    fn payment(self, address: &str) -> Payment {
        let is_sent = self.from.is_some_and(|from| from.hash.eq_ignore_ascii_case(address));
        // The casts saturate; block numbers have eight digits.
        let whole = |number: Option<f64>| number.map(|number| number as i64);
        let value = self.value.as_deref().and_then(wei);
        Payment {
            hash: self.hash,
            amount: value.map(|value| if is_sent { value.saturating_neg() } else { value }),
            at: self.timestamp.as_deref().and_then(Moment::parse),
            height: whole(self.block_number).filter(|height| *height > 0),
            confirmations: whole(self.confirmations),
            balance_after: None,
        }
    }
}
