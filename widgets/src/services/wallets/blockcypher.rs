//! BlockCypher: all coins in one form. It needs no key for about 100 requests an hour.

use serde::Deserialize;
use serde_json::Value;

use super::{Payment, Wallet, WalletQuery, WalletSource, amounts};
use crate::{FetchError, Moment, Request, Response, WidgetContext, option_types::Secret, services::tolerant};

/// A transaction may have several references, so more are requested than are shown.
const REFERENCES_EACH: i64 = 3;

/// The service, with a token or without.
pub(crate) struct BlockCypher<'a> {
    pub(crate) token: &'a Secret,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct AddressReply {
    #[serde(deserialize_with = "amounts::amount")]
    total_received: Option<i128>,
    #[serde(deserialize_with = "amounts::amount")]
    total_sent: Option<i128>,
    #[serde(deserialize_with = "amounts::amount")]
    balance: Option<i128>,
    #[serde(deserialize_with = "amounts::amount")]
    unconfirmed_balance: Option<i128>,
    #[serde(deserialize_with = "amounts::entries")]
    txrefs: Vec<ReferenceReply>,
    #[serde(deserialize_with = "amounts::entries")]
    unconfirmed_txrefs: Vec<ReferenceReply>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ReferenceReply {
    #[serde(deserialize_with = "tolerant::text")]
    tx_hash: Option<String>,
    #[serde(deserialize_with = "tolerant::number")]
    tx_input_n: Option<f64>,
    #[serde(deserialize_with = "amounts::amount")]
    value: Option<i128>,
    #[serde(deserialize_with = "amounts::amount")]
    ref_balance: Option<i128>,
    #[serde(deserialize_with = "tolerant::number")]
    block_height: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    confirmations: Option<f64>,
    #[serde(deserialize_with = "tolerant::text")]
    confirmed: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    received: Option<String>,
}

impl WalletSource for BlockCypher<'_> {
    async fn wallet(&self, query: &WalletQuery<'_>, context: &dyn WidgetContext) -> Result<Wallet, FetchError> {
        let WalletQuery { coin, network, address, count } = query;
        let url = format!("https://api.blockcypher.com/v1/{}/{network}/addrs/{address}", coin.symbol);
        let request = Request::get(url).query("limit", count * REFERENCES_EACH);
        let request = if self.token.is_set() { request.secret_query("token", self.token) } else { request };
        let reply = context.exchange(request).await?;
        explained(&reply)?;
        let body: AddressReply = reply.json()?;
        if body.balance.is_none() && body.total_received.is_none() {
            return Err(reply.unexpected("data of another shape"));
        }
        let payments = |references: Vec<ReferenceReply>| references.into_iter().map(ReferenceReply::payment).collect();
        Ok(Wallet {
            received: body.total_received,
            sent: body.total_sent,
            balance: body.balance,
            pending: body.unconfirmed_balance,
            confirmed_payments: payments(body.txrefs),
            pending_payments: payments(body.unconfirmed_txrefs),
        })
    }
}

/// The errors of this service.
fn explained(reply: &Response) -> Result<(), FetchError> {
    // The message may contain the address, which is private.
    let message = reply.any_json::<Value>().unwrap_or_default();
    let says = |words: &str| message.to_string().to_ascii_lowercase().contains(words);
    match reply.status {
        401 | 403 => Err(refused()),
        400 | 404 if says("token") => Err(refused()),
        400 | 404 => Err(FetchError::message(
            "api.blockcypher.com does not know this address: check the options coin, network and address.",
        )),
        _ => Ok(()),
    }
}

fn refused() -> FetchError {
    FetchError::login_refused("api.blockcypher.com refused the token: check the option apiKey, or leave it out.")
}

impl ReferenceReply {
    fn payment(self) -> Payment {
        // An output to the address is incoming; everything else is outgoing. The position is a small whole number.
        let is_incoming = self.tx_input_n.is_none_or(|position| position as i64 == -1);
        // The casts saturate; heights and counts of confirmations have eight digits.
        let whole = |number: Option<f64>| number.map(|number| number as i64);
        Payment {
            hash: self.tx_hash.unwrap_or_default(),
            amount: self.value.map(|value| if is_incoming { value } else { value.saturating_neg() }),
            at: self.confirmed.or(self.received).as_deref().and_then(Moment::parse),
            height: whole(self.block_height).filter(|height| *height > 0),
            confirmations: whole(self.confirmations),
            balance_after: self.ref_balance,
        }
    }
}
