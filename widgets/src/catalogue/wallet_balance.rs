//! `wallet-balance`: the balance and the latest transactions of a public crypto address.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Category, Entry, FetchError, OptionProblems, Panel, Reach, Widget, WidgetContext,
    option_types::{Bounded, Secret, Text},
    panel::{
        Cell, Column, Datum, Details, Fact, Facts, Heading, Headline, Link, Notice, Paragraph, Part, Phrase, QrCode,
        Row, SafeUrl, Stat, Stats, Style, Table, Tone,
    },
    services::wallets::{
        COINS, Coin, Payment, Wallet, WalletQuery, WalletSource,
        blockcypher::BlockCypher,
        blockscout::{self, Blockscout},
        esplora::Esplora,
    },
};

/// Maximum number of decimals of an amount.
const SHOWN_DECIMALS: usize = 6;

/// Shows the balance and the latest transactions of a public crypto address, with data from BlockCypher. When its limit of
/// requests is used up, the data come from mempool.space (Bitcoin), litecoinspace.org (Litecoin) or Blockscout
/// (Ethereum).
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct WalletBalance {
    /// The coin, such as {example}; also `eth`, `ltc`, `doge` or `dash`.
    #[schemars(extend("x-required" = true, "x-example" = "btc"))]
    coin: Text,
    /// The public address, such as {example}, or the name of an environment variable. Never a
    /// private key.
    #[schemars(extend("x-required" = true, "x-example" = "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa"))]
    address: Text,
    /// The network: `main` or, for Bitcoin, `test3`. Without it, `main`.
    network: Text,
    /// How many transactions are listed.
    limit: Bounded<1, 10, 100>,
    /// Token of BlockCypher, which allows more than about 100 requests an hour, or the name of an environment variable.
    /// Optional.
    api_key: Secret,
}

/// How the newer, longer form of addresses begins (BIP 173).
const BECH32: [&str; 4] = ["bc1", "tb1", "ltc1", "tltc1"];

/// All payments of one transaction.
struct Transaction {
    /// The first payment, with the sum of all amounts.
    payment: Payment,
    is_pending: bool,
}

impl Widget for WalletBalance {
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::Money;
    const USUAL_LINES: usize = 19;

    fn check(&self, entry: &Entry, problems: &mut OptionProblems) {
        problems.require_option(self.coin.is_set(), "coin", "the coin of the wallet");
        if self.coin.is_set() && self.known().is_none() {
            problems.error(format!("Coin '{}' is not supported. Use btc, eth, ltc, doge or dash.", self.coin));
        }
        problems.require_option(self.address.is_set(), "address", "the public address of the wallet");
        if self.address.is_set() && self.known().is_some_and(|coin| !is_address(&self.address, coin)) {
            problems.error("address must be a public address of this coin, never a private key.");
        }
        let is_word = self.network.bytes().all(|byte| byte.is_ascii_alphanumeric());
        problems.require(is_word && self.network.len() <= 10, "network must be main or test3.");
        self.limit.check("limit", problems);
        if entry.refreshes_more_often_than(Duration::from_secs(120)) && !self.api_key.is_set() {
            problems.note(
                "Without a token there are about 100 requests an hour: an updateInterval below 120 is too short.",
            );
        }
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(600))
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let Some(coin) = self.known() else { return Err(FetchError::message("This coin is not supported.")) };
        let usual = if coin.symbol == "bcy" { "test" } else { "main" };
        let network = self.network.get().unwrap_or(usual).to_ascii_lowercase();
        let query = WalletQuery { coin, network: &network, address: &self.address, count: self.limit.get() };
        let error = match (BlockCypher { token: &self.api_key }).wallet(&query, context).await {
            Ok(wallet) => {
                let mut panel = self.panel(coin, wallet);
                if !self.api_key.is_set() {
                    let text =
                        "Without an apiKey, BlockCypher allows about 100 requests an hour; a free one allows more.";
                    panel.parts.push(Paragraph { small: true, ..Paragraph::new(text) }.into());
                }
                return Ok(panel);
            }
            Err(error) => error,
        };
        // Without a token few requests are allowed, and the explorers have the same data. With a token, show the error.
        if error.is_outage()
            && !self.api_key.is_set()
            && network == "main"
            && let Some((explorer, wallet)) = of_explorer(&query, context).await
        {
            context.log("api.blockcypher.com does not respond, so an explorer is used");
            let credit = Link::parse(Phrase::foreign(crate::address::host(explorer)), explorer);
            return Ok(Panel { credit, ..self.panel(coin, wallet) });
        }
        Err(match error {
            FetchError::TooMany { retry_at, .. } => {
                let help = if self.api_key.is_set() { "" } else { " A free token in the option apiKey allows more." };
                let sentence = format!("api.blockcypher.com allows no more requests for now.{help}");
                FetchError::Message { sentence, retry_at }
            }
            error => error,
        })
    }
}

/// The data from an explorer that needs no key, with the explorer's address.
async fn of_explorer(query: &WalletQuery<'_>, context: &dyn WidgetContext) -> Option<(&'static str, Wallet)> {
    if query.coin.symbol == "eth" {
        return Some((blockscout::EXPLORER, Blockscout.wallet(query, context).await.ok()?));
    }
    let explorer = Esplora::of(query.coin.symbol)?;
    Some((explorer.0, explorer.wallet(query, context).await.ok()?))
}

impl WalletBalance {
    fn known(&self) -> Option<&'static Coin> {
        COINS.iter().find(|coin| coin.symbol.eq_ignore_ascii_case(&self.coin))
    }

    fn panel(&self, coin: &Coin, wallet: Wallet) -> Panel {
        let page = format!("https://live.blockcypher.com/{}/address/{}/", coin.symbol, &*self.address);
        let stat = |label: &'static str, amount: Option<i128>| {
            let hint = amount.map(|amount| Phrase::foreign(written(amount, coin, coin.decimals)));
            // The unit stays beside its number.
            let value = amount.map(|amount| Datum::text(&written(amount, coin, SHOWN_DECIMALS).replace(' ', "\u{a0}")));
            Stat { hint, ..Stat::new(label, Datum::from(value)) }
        };
        let mut stats =
            vec![stat("Balance", wallet.balance), stat("Received", wallet.received), stat("Sent", wallet.sent)];
        if wallet.pending.is_some_and(|pending| pending != 0) {
            stats.insert(1, stat("Pending", wallet.pending));
        }
        let mut transactions = merged(wallet.pending_payments, true);
        transactions.extend(merged(wallet.confirmed_payments, false));
        let last = transactions.iter().filter_map(|transaction| transaction.payment.at).max();
        let code = QrCode::new("QR code of the address", &self.address);
        let address = Headline { copyable: true, ..Headline::new(Datum::text(&self.address)) };
        let mut parts: Vec<Part> = vec![
            Stats { stats }.into(),
            Facts::present([
                Fact::new("Last activity", last.map(|at| Datum::time(at, Style::Relative))),
                Fact::new("Address", shortened(&self.address)),
            ])
            .into(),
            Details {
                summary: "Whole address".into(),
                parts: std::iter::once(address.into()).chain(code.map(Part::from)).collect(),
                ..Details::default()
            }
            .into(),
        ];
        if transactions.is_empty() {
            parts.push(Notice::empty("No transactions yet").into());
        } else {
            let rows = transactions.iter().take(self.limit.count()).map(|transaction| transaction.row(coin)).collect();
            let columns = vec![Column::text("Date"), Column::number("Amount")];
            parts.push(Table { columns, rows, ..Table::default() }.into());
        }
        let title = Phrase::from("{coin} wallet").with("coin", coin.name);
        let credit = Link::parse("BlockCypher", "https://www.blockcypher.com/");
        Panel { credit, ..Panel::new(parts).titled(Heading::new(title).linked(&page)) }
    }
}

/// Whether a text can be an address. Nothing else may get into a path.
fn is_address(written: &str, coin: &Coin) -> bool {
    if coin.symbol == "eth" {
        let digits = written.strip_prefix("0x").unwrap_or(written);
        return digits.len() == 40 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    }
    let lower = written.to_ascii_lowercase();
    // Other addresses are shorter than private keys in any form, which must not be sent to anybody.
    let longest = if BECH32.iter().any(|beginning| lower.starts_with(beginning)) { 90 } else { 36 };
    (25..=longest).contains(&written.len()) && written.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// The beginning and the end of an address.
fn shortened(address: &str) -> String {
    if address.len() <= 20 || !address.is_ascii() {
        return address.to_owned();
    }
    format!("{}…{}", &address[..8], &address[address.len() - 8..])
}

/// An amount in coins, rounded to a maximum number of decimals. It does not fit into a float, so the decimal point is
/// moved in the text.
fn written(amount: i128, coin: &Coin, decimals: usize) -> String {
    let decimals = decimals.min(coin.decimals);
    let unit = (decimals..coin.decimals).fold(1_u128, |unit, _| unit * 10);
    let rounded = amount.unsigned_abs().saturating_add(unit / 2) / unit;
    let digits = format!("{rounded:0>width$}", width = decimals + 1);
    let (whole, fraction) = digits.split_at(digits.len() - decimals);
    let fraction = fraction.trim_end_matches('0');
    let sign = if amount < 0 { "−" } else { "" };
    let point = if fraction.is_empty() { "" } else { "." };
    format!("{sign}{whole}{point}{fraction} {}", coin.symbol.to_ascii_uppercase())
}

/// The transactions of these payments, in their order. A payment with change has several.
fn merged(payments: Vec<Payment>, is_pending: bool) -> Vec<Transaction> {
    let mut transactions: Vec<Transaction> = Vec::new();
    for payment in payments {
        if let Some(known) = transactions.iter_mut().find(|known| known.payment.hash == payment.hash) {
            known.payment.amount = match (known.payment.amount, payment.amount) {
                (Some(before), Some(amount)) => Some(before.saturating_add(amount)),
                (before, amount) => before.or(amount),
            };
            continue;
        }
        transactions.push(Transaction { payment, is_pending });
    }
    transactions
}

impl Transaction {
    fn row(&self, coin: &Coin) -> Row {
        let date = match (self.is_pending, self.payment.at) {
            (true, _) => Datum::from(Phrase::from("pending")),
            (false, at) => Datum::from(at.map(|at| Datum::time(at, Style::DateTime))),
        };
        let amount = self.payment.amount.map_or_else(Cell::default, |amount| {
            let (sign, tone) = match amount {
                1.. => ("+", Tone::Success),
                // A call of a contract moves no coins.
                0 => ("", Tone::Plain),
                _ => ("", Tone::Danger),
            };
            let shown = Datum::text(&format!("{sign}{}", written(amount, coin, SHOWN_DECIMALS)));
            let shown = if tone == Tone::Plain { shown } else { shown.toned(tone) };
            Cell { hint: Some(Phrase::foreign(written(amount, coin, coin.decimals))), ..Cell::from(shown) }
        });
        let hash = &self.payment.hash;
        let is_hash = hash.len() >= 16 && hash.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let url = format!("https://live.blockcypher.com/{}/tx/{hash}/", coin.symbol);
        Row {
            cells: vec![Cell { hint: self.hint(coin).filter(|_| !self.is_pending), ..Cell::from(date) }, amount],
            url: SafeUrl::parse(&url).filter(|_| is_hash),
            ..Row::default()
        }
    }

    /// What is known about its place in the chain; the explorers say less than BlockCypher.
    fn hint(&self, coin: &Coin) -> Option<Phrase> {
        let known = [
            self.payment.height.map(|height| Phrase::from("Block {height}").with("height", height.to_string())),
            self.payment
                .confirmations
                .map(|count| Phrase::from("{confirmations} confirmations").with("confirmations", Datum::count(count))),
            self.payment.balance_after.map(|balance| {
                Phrase::from("Balance after it {balance}").with("balance", written(balance, coin, coin.decimals))
            }),
        ];
        known.iter().any(Option::is_some).then(|| Phrase::joined(known.into_iter().flatten()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_digit_of_an_amount_is_lost() {
        let (btc, eth) = (&COINS[0], &COINS[1]);
        for (amount, coin, decimals, expected) in [
            (4_635_328, btc, 6, "0.046353 BTC"),
            (4_635_328, btc, 8, "0.04635328 BTC"),
            (-5_000_000, btc, 6, "−0.05 BTC"),
            (0, btc, 6, "0 BTC"),
            (1, btc, 6, "0 BTC"),
            (9_762_206_505_909_057_760, eth, 18, "9.76220650590905776 ETH"),
            (123_456_789_012_345_678_901_234_567, eth, 18, "123456789.012345678901234567 ETH"),
        ] {
            assert_eq!(written(amount, coin, decimals), expected);
        }
    }
}
