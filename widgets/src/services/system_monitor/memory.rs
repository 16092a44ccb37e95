//! How full the memory of a machine is.

use super::{
    Monitor, Readings,
    dial::{self, Dial},
};
use crate::{
    FetchError, Panel, WidgetContext,
    panel::{Datum, Decimals, Phrase},
};

const SIZES: [(&str, &str); 10] = [
    ("used", "Used"),
    ("available", "Available"),
    ("free", "Free"),
    ("active", "Active"),
    ("inactive", "Inactive"),
    ("buffers", "Buffers"),
    ("cached", "Cached"),
    ("shared", "Shared"),
    ("wired", "Wired"),
    ("total", "Total"),
];
const SHARES: [(&str, &str); 3] = [("percent_min", "Lowest"), ("percent_max", "Highest"), ("percent_mean", "Mean")];

/// The memory in use as a dial, with its breakdown.
///
/// # Errors
///
/// The monitor refuses, does not have this part, or responds with something else.
pub(crate) async fn panel(monitor: &Monitor, dial: Dial, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
    let memory: Readings = monitor.read("mem", "mem", context).await?;
    let mut facts = dial::facts_above_zero(&memory, &SIZES, Datum::bytes);
    facts.extend(dial::facts_above_zero(&memory, &SHARES, dial::percent));
    let label = match (memory.number("used"), memory.above_zero("total")) {
        (None, None) => Phrase::from("Memory"),
        (used, total) => used_of(used, total),
    };
    Ok(dial::panel(dial, label, memory.number("percent"), facts))
}

/// The label of a memory dial. Inside containers, the memory in use may be negative.
fn used_of(used: Option<f64>, total: Option<f64>) -> Phrase {
    let used = used.map(|used| size(used.max(0.0)));
    Phrase::from("Memory: {used} of {total}").with("used", used).with("total", total.map(size))
}

/// A size with one decimal.
pub(crate) fn size(bytes: f64) -> Datum {
    Datum::bytes(bytes.round()).decimals(Decimals::Exactly(1))
}
