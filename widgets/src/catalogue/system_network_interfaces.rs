//! `system-network-interfaces`: the network interfaces of a machine, and their traffic.

use std::{cmp::Reverse, time::Duration};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Category, Entry, FetchError, OptionProblems, Panel, Reach, Widget, WidgetContext,
    panel::{self, Datum, Entries, Phrase, Tone, Unit},
    services::system_monitor::{Monitor, Readings},
};

/// The monitor counts a megabit as 1048576 bits; manufacturers of network cards count a million.
const MEGABIT: f64 = 1_048_576.0;

/// Lists the network interfaces of a machine with their state, current rates and totals, from its system monitor
/// (Glances).
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct SystemNetworkInterfaces {
    #[serde(flatten)]
    monitor: Monitor,
}

impl Widget for SystemNetworkInterfaces {
    const SYNONYMS: &'static [(&'static str, &'static str)] = Monitor::SYNONYMS;
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::Network;
    const USUAL_LINES: usize = 13;

    fn check(&self, _entry: &Entry, problems: &mut OptionProblems) {
        self.monitor.check(problems);
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(5))
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let list = self.monitor.list("network", context).await?;
        let mut interfaces: Vec<Interface> = list.iter().map(Interface::of).collect();
        if interfaces.is_empty() {
            return Ok(Panel::empty("No network interfaces are visible"));
        }
        interfaces.sort_by_key(|interface| (interface.is_loopback, Reverse(interface.is_up)));
        let entries = interfaces.into_iter().map(Interface::entry).collect();
        Ok(Panel::new(vec![Entries::new(entries).into()]))
    }
}

/// One interface. In all pairs, sent comes before received.
struct Interface {
    name: Option<String>,
    is_loopback: bool,
    is_up: bool,
    /// In bits per second.
    speed: Option<f64>,
    /// In bytes per second.
    rates: [Option<f64>; 2],
    /// In bytes.
    totals: [Option<f64>; 2],
}

impl Interface {
    fn of(interface: &Readings) -> Self {
        let rate = |name: &str, old: &str| interface.per_second(&[&format!("{name}_rate_per_sec")], &[name, old]);
        let total = |name: &str, old: &str| {
            let names = [format!("{name}_gauge"), old.to_owned(), name.to_owned()];
            names.iter().find_map(|name| interface.number(name)).map(|total| total.max(0.0))
        };
        let rates = [rate("bytes_sent", "tx"), rate("bytes_recv", "rx")];
        let totals = [total("bytes_sent", "cumulative_tx"), total("bytes_recv", "cumulative_rx")];
        let speed = interface.above_zero("speed").map(|speed| speed / MEGABIT * 1e6);
        // Wireless cards have no speed, and the current version reports which are up only in some responses.
        let is_busy = rates.iter().chain(&totals).flatten().any(|count| *count > 0.0);
        let name = interface.text("interface_name");
        Self {
            is_loopback: name.is_some_and(|name| ["lo", "lo0"].contains(&name)),
            name: interface.text("alias").or(name).map(str::to_owned),
            is_up: interface.flag("is_up").unwrap_or(is_busy || speed.is_some()),
            speed,
            rates,
            totals,
        }
    }

    fn entry(self) -> panel::ListEntry {
        let (state, tone) = if self.is_up { ("Up", Tone::Success) } else { ("Down", Tone::Danger) };
        let speed = self.speed.map(|speed| Datum::number(speed, Unit::BitsPerSecond));
        let rate = |rate: Option<f64>| rate.map(|rate| Datum::number(rate, Unit::BytesPerSecond));
        let rates = Phrase::from("↑ {sent} | ↓ {received}")
            .with("sent", rate(self.rates[0]))
            .with("received", rate(self.rates[1]));
        let totals = Phrase::from("Total up {sent} | down {received}")
            .with("sent", self.totals[0].map(Datum::bytes))
            .with("received", self.totals[1].map(Datum::bytes));
        let values = [speed, self.is_up.then(|| rates.into()), Some(totals.into())];
        panel::ListEntry {
            state: Some(state.into()),
            tone,
            values: values.into_iter().flatten().collect(),
            ..panel::ListEntry::new(self.name.map_or_else(|| "unnamed".into(), Phrase::foreign))
        }
    }
}
