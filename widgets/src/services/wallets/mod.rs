//! Public addresses of crypto coins, from any source. To add a source, add a file with an `impl` of [`WalletSource`].

mod amounts;
pub(crate) mod blockcypher;
pub(crate) mod blockscout;
pub(crate) mod esplora;

use crate::{FetchError, Moment, WidgetContext};

/// A coin: its symbol, its name, and the number of decimals of its smallest unit.
pub(crate) struct Coin {
    pub(crate) symbol: &'static str,
    pub(crate) name: &'static str,
    pub(crate) decimals: usize,
}

/// The known coins.
pub(crate) const COINS: [Coin; 6] = [
    Coin { symbol: "btc", name: "Bitcoin", decimals: 8 },
    Coin { symbol: "eth", name: "Ethereum", decimals: 18 },
    Coin { symbol: "ltc", name: "Litecoin", decimals: 8 },
    Coin { symbol: "doge", name: "Dogecoin", decimals: 8 },
    Coin { symbol: "dash", name: "Dash", decimals: 8 },
    Coin { symbol: "bcy", name: "BlockCypher test chain", decimals: 8 },
];

/// Which address is wanted.
pub(crate) struct WalletQuery<'a> {
    pub(crate) coin: &'a Coin,
    /// Letters and digits, such as `main`.
    pub(crate) network: &'a str,
    /// The address, which has been checked.
    pub(crate) address: &'a str,
    /// How many transactions are wanted.
    pub(crate) count: i64,
}

/// The data of an address. Amounts are in the smallest unit, and may be too large for a float or a 64-bit integer.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Wallet {
    pub(crate) received: Option<i128>,
    pub(crate) sent: Option<i128>,
    pub(crate) balance: Option<i128>,
    /// What unconfirmed transactions will add to the balance.
    pub(crate) pending: Option<i128>,
    /// Newest first.
    pub(crate) confirmed_payments: Vec<Payment>,
    pub(crate) pending_payments: Vec<Payment>,
}

/// A payment to or from the address. A transaction may consist of several.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Payment {
    /// The hash of the transaction, unchecked.
    pub(crate) hash: String,
    /// Positive if incoming; `None` if the source gives no amount.
    pub(crate) amount: Option<i128>,
    pub(crate) at: Option<Moment>,
    pub(crate) height: Option<i64>,
    pub(crate) confirmations: Option<i64>,
    pub(crate) balance_after: Option<i128>,
}

/// A source of balances and transactions.
pub(crate) trait WalletSource {
    /// Fetches the data of an address. Sources leave out what they do not know.
    ///
    /// # Errors
    ///
    /// The source does not know the address, does not respond, or rejects its key.
    fn wallet(
        &self,
        query: &WalletQuery<'_>,
        context: &dyn WidgetContext,
    ) -> impl Future<Output = Result<Wallet, FetchError>>;
}
