//! Esplora, an open explorer, as a fallback for BlockCypher: mempool.space for Bitcoin, litecoinspace.org for Litecoin.

use futures_util::future::try_join;
use serde::Deserialize;

use super::{Payment, Wallet, WalletQuery, WalletSource, amounts};
use crate::{FetchError, Moment, Request, WidgetContext, services::tolerant};

/// The explorers, each with the coin whose main network it covers.
const EXPLORERS: [(&str, &str); 2] = [("btc", "https://mempool.space"), ("ltc", "https://litecoinspace.org")];

/// An explorer, by its address.
pub(crate) struct Esplora(pub(crate) &'static str);

#[derive(Default, Deserialize)]
#[serde(default)]
struct SummaryReply {
    chain_stats: SumsReply,
    mempool_stats: SumsReply,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct SumsReply {
    #[serde(deserialize_with = "amounts::amount")]
    funded_txo_sum: Option<i128>,
    #[serde(deserialize_with = "amounts::amount")]
    spent_txo_sum: Option<i128>,
}

#[derive(Deserialize)]
#[serde(transparent)]
struct PaymentsReply {
    #[serde(deserialize_with = "amounts::entries")]
    payments: Vec<PaymentReply>,
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
    #[serde(deserialize_with = "tolerant::number")]
    block_height: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    block_time: Option<f64>,
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
    #[serde(deserialize_with = "amounts::amount")]
    value: Option<i128>,
}

impl Esplora {
    /// The explorer for a coin, if there is one.
    pub(crate) fn of(coin: &str) -> Option<Self> {
        EXPLORERS.iter().find(|(known, _)| *known == coin).map(|(_, explorer)| Self(explorer))
    }
}

impl WalletSource for Esplora {
    async fn wallet(&self, query: &WalletQuery<'_>, context: &dyn WidgetContext) -> Result<Wallet, FetchError> {
        let get = |path: String| context.exchange(Request::get(path).header("Accept", "application/json"));
        let base = format!("{}/api/address/{}", self.0, query.address);
        let (summary, payments) = try_join(get(base.clone()), get(format!("{base}/txs"))).await?;
        let summary: SummaryReply = summary.json()?;
        let PaymentsReply { payments } = payments.json()?;
        let (confirmed, pending): (Vec<_>, Vec<_>) = payments.into_iter().partition(|payment| payment.status.confirmed);
        let shown = |payments: Vec<PaymentReply>| {
            payments.into_iter().map(|payment| payment.payment(query.address)).collect::<Vec<_>>()
        };
        Ok(Wallet {
            received: summary.chain_stats.funded_txo_sum,
            sent: summary.chain_stats.spent_txo_sum,
            balance: summary.chain_stats.balance(),
            pending: summary.mempool_stats.balance(),
            confirmed_payments: shown(confirmed),
            pending_payments: shown(pending),
        })
    }
}

impl SumsReply {
    fn balance(&self) -> Option<i128> {
        Some(self.funded_txo_sum?.saturating_sub(self.spent_txo_sum?))
    }
}

/// The sum of what these outputs pay to an address; `None` if the amount of one is unknown.
fn total<'a>(outputs: impl Iterator<Item = &'a OutputReply>, address: &str) -> Option<i128> {
    let own = outputs.filter(|output| output.scriptpubkey_address.as_deref() == Some(address));
    own.map(|output| output.value).try_fold(0_i128, |sum, value| Some(sum.saturating_add(value?)))
}

impl PaymentReply {
    /// The payment from the view of an address.
    fn payment(self, address: &str) -> Payment {
        let received = total(self.vout.iter(), address);
        let sent = total(self.vin.iter().filter_map(|input| input.prevout.as_ref()), address);
        // The casts saturate; heights have eight digits, and times ten.
        let at = self.status.block_time.map(|seconds| Moment::from_seconds(seconds as i64));
        Payment {
            hash: self.txid,
            amount: received.zip(sent).map(|(received, sent)| received.saturating_sub(sent)),
            at: at.filter(|at| self.status.confirmed && at.is_dated()),
            height: self.status.block_height.map(|height| height as i64).filter(|height| *height > 0),
            ..Payment::default()
        }
    }
}
