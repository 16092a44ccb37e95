//! `dns-sinkhole-stats`: the statistics of a DNS ad blocker of version 5.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Category, Entry, FetchError, OptionProblems, Panel, Reach, Widget, WidgetContext,
    option_types::{BaseAddress, Flag, Secret},
    panel::{Datum, Donut, Fact, Facts, Heading, Part, Phrase, Tone, Unit},
    services::{blocked_share::BlockedShare, dns_sinkhole, tolerant},
};

/// Shows whether a DNS ad blocker is on, how much it blocks, and how large its block list is. For version 5 and older.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct DnsSinkholeStats {
    /// Address of the instance, such as {example}.
    #[schemars(extend("x-required" = true, "x-example" = "http://192.168.1.2"))]
    hostname: BaseAddress,
    /// API token of the instance (Settings, API), or the name of an environment variable. It is not the password. Without
    /// it, none is sent, as for an instance without a password.
    api_key: Secret,
    /// Hides whether blocking is on.
    hide_status: Flag,
    /// Hides the share of blocked queries.
    hide_chart: Flag,
    /// Hides the numbers.
    hide_info: Flag,
}

impl Widget for DnsSinkholeStats {
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::Network;
    const USUAL_LINES: usize = 19;

    fn check(&self, _entry: &Entry, problems: &mut OptionProblems) {
        dns_sinkhole::check(&self.hostname, problems);
        if self.hides_all() {
            problems.note("hideStatus, hideChart and hideInfo together leave nothing to show.");
        }
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(60))
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let address = dns_sinkhole::address(&self.hostname);
        let title = Heading::new(Phrase::foreign(address.host())).linked(&format!("{}/admin", address.public()));
        if self.hides_all() {
            return Ok(Panel::new(Vec::new()).titled(title));
        }
        let newer = "dns-sinkhole-stats-v6";
        let reply: SummaryReply =
            dns_sinkhole::read(&self.hostname, &self.api_key, "summaryRaw", newer, context).await?;
        let parts: [Option<Part>; 3] = [
            (!self.hide_status.is_on()).then(|| reply.status().into()),
            (!self.hide_chart.is_on()).then(|| reply.share().into()),
            (!self.hide_info.is_on()).then(|| reply.numbers().into()),
        ];
        Ok(Panel::new(parts.into_iter().flatten().collect()).titled(title))
    }
}

impl DnsSinkholeStats {
    fn hides_all(&self) -> bool {
        self.hide_status.is_on() && self.hide_chart.is_on() && self.hide_info.is_on()
    }
}

/// In spite of their names, the counts of today are those of the last 24 hours.
#[derive(Default, Deserialize)]
#[serde(default)]
struct SummaryReply {
    #[serde(deserialize_with = "tolerant::text")]
    status: Option<String>,
    #[serde(deserialize_with = "tolerant::number")]
    dns_queries_today: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    ads_blocked_today: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    ads_percentage_today: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    dns_queries_all_types: Option<f64>,
    /// A text if the list could not be read.
    #[serde(deserialize_with = "tolerant::number")]
    domains_being_blocked: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    unique_clients: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    clients_ever_seen: Option<f64>,
}

impl SummaryReply {
    fn status(&self) -> Facts {
        let (word, tone) = match self.status.as_deref() {
            Some("enabled") => ("Enabled", Tone::Success),
            Some("disabled") => ("Disabled", Tone::Danger),
            _ => ("Unknown", Tone::Info),
        };
        Facts { facts: vec![Fact::new("Status", Phrase::from(word)).toned(tone)] }
    }

    fn share(&self) -> Donut {
        let total = self.dns_queries_today.map(|total| total.max(0.0));
        // Corrupt statistics may have more blocked queries than queries.
        let blocked = self.ads_blocked_today.map(|blocked| blocked.clamp(0.0, total.unwrap_or(f64::MAX)));
        BlockedShare::of(self.ads_percentage_today, blocked, total).donut("Blocked, last 24 hours")
    }

    fn numbers(&self) -> Facts {
        let count = |count: Option<f64>| {
            Datum::from(count.filter(|count| *count >= 0.0).map(|count| Datum::number(count, Unit::None)))
        };
        let clients = Phrase::from("{active} / {total}")
            .with("active", count(self.unique_clients))
            .with("total", count(self.clients_ever_seen));
        Facts {
            facts: vec![
                Fact::new("Active clients", clients),
                Fact::new("Blocked, last 24 hours", count(self.ads_blocked_today)),
                Fact::new("Queries, last 24 hours", count(self.dns_queries_today)),
                Fact::new("Total DNS queries", count(self.dns_queries_all_types)),
                Fact::new("Domains on block list", count(self.domains_being_blocked)),
            ],
        }
    }
}
