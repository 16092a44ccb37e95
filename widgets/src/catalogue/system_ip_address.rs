//! `system-ip-address`: the addresses of a machine.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Category, Entry, FetchError, OptionProblems, Panel, Reach, Widget, WidgetContext,
    panel::{Datum, Fact, Facts, Headline, Part, Phrase, Unit},
    services::system_monitor::{Monitor, Readings},
};

/// Shows the private address of a machine and, if its system monitor (Glances) knows it, the public one.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct SystemIpAddress {
    #[serde(flatten)]
    monitor: Monitor,
}

impl Widget for SystemIpAddress {
    const SYNONYMS: &'static [(&'static str, &'static str)] = Monitor::SYNONYMS;
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::Network;
    const USUAL_LINES: usize = 8;

    fn check(&self, _entry: &Entry, problems: &mut OptionProblems) {
        self.monitor.check(problems);
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(300))
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let ip: Readings = self.monitor.read("ip", "ip", context).await?;
        let (public, local) = (ip.text("public_address"), ip.text("address"));
        let length = ip.number("mask_cidr");
        let with_length = |address: &str| match length {
            Some(length) if !address.contains('/') => format!("{address}/{length}"),
            _ => address.to_owned(),
        };
        // People look for the first address, usually to copy it.
        let first = public.map(|address| (address, Phrase::from("Public IP"))).or_else(|| {
            let caption = match length {
                Some(length) => {
                    Phrase::from("Local address, /{length}").with("length", Datum::number(length, Unit::None))
                }
                None => "Local address".into(),
            };
            Some((local?, caption))
        });
        let local = local.filter(|_| public.is_some()).map(with_length);
        let facts = Facts::present([
            Fact::new("Local address", local),
            Fact::new("Gateway", ip.text("gateway")),
            Fact::new("Mask", ip.text("mask")),
            Fact::new("Info", ip.text("public_info_human")),
        ]);
        let mut parts: Vec<Part> = Vec::new();
        if let Some((address, caption)) = first {
            parts.push(Headline { caption: Some(caption), copyable: true, ..Headline::new(address) }.into());
        }
        if !facts.facts.is_empty() {
            parts.push(facts.into());
        }
        if parts.is_empty() {
            return Ok(Panel::empty("The IP part is not supported by this instance of the metrics server"));
        }
        Ok(Panel::new(parts))
    }
}
