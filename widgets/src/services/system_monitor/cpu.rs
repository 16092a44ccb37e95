//! How busy the processor of a machine is.

use super::{
    Monitor, Readings,
    dial::{self, Dial},
};
use crate::{
    FetchError, Panel, WidgetContext,
    panel::{Datum, Fact, Phrase},
};

/// The kinds of work into which the processor time is divided, by their names in the API. Other fields are counts.
pub(crate) const KINDS_OF_WORK: [(&str, &str); 11] = [
    ("user", "User"),
    ("system", "System"),
    ("iowait", "I/O wait"),
    ("nice", "Nice"),
    ("irq", "IRQ"),
    ("softirq", "Soft IRQ"),
    ("steal", "Steal"),
    ("guest", "Guest"),
    ("guest_nice", "Guest, nice"),
    ("dpc", "DPC"),
    ("interrupt", "Interrupts"),
];

/// The current load as a dial, with its breakdown.
///
/// # Errors
///
/// The monitor refuses, does not have this part, or responds with something else.
pub(crate) async fn panel(monitor: &Monitor, dial: Dial, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
    let cpu: Readings = monitor.read("cpu", "cpu", context).await?;
    // Right after its start, the monitor has no readings yet and returns zeros or the totals since boot.
    if cpu.number("idle") == Some(0.0) && cpu.number("user") == Some(0.0) {
        return Ok(dial::panel(dial, Phrase::from("CPU: measuring"), None, Vec::new()));
    }
    let mut facts = dial::facts_above_zero(&cpu, &KINDS_OF_WORK[..2], dial::percent);
    facts.extend(dial::facts_above_zero(&cpu, &[("idle", "Idle")], dial::percent));
    facts.extend(dial::facts_above_zero(&cpu, &KINDS_OF_WORK[2..], dial::percent));
    let cores = cpu.above_zero("cpucore").map(|cores| Fact::new("Cores", Datum::number(cores, Default::default())));
    facts.extend(cores);
    Ok(dial::panel(dial, "CPU".into(), cpu.number("total"), facts))
}
