//! `dns-sinkhole-traffic-v6`: the DNS queries of a day, permitted and blocked, from version 6 of an ad blocker.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Category, Entry, FetchError, OptionProblems, Panel, Reach, Widget, WidgetContext,
    option_types::{BaseAddress, ChartStyle, Secret},
    services::{
        dns_sinkhole_v6::{self, Instance},
        dns_traffic::{self, TimeBucket},
    },
};

/// Draws the DNS queries of the last 24 hours, permitted and blocked, in steps of ten minutes. For version 6 and later
/// of the ad blocker.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct DnsSinkholeTrafficV6 {
    /// Address of the instance, such as {example}.
    #[schemars(extend("x-required" = true, "x-example" = "http://192.168.1.2"))]
    hostname: BaseAddress,
    /// Password of the instance or, better, an application password created for this. With two-factor login, only the
    /// latter works. Without it, there is no login, as for an instance without a password.
    api_key: Secret,
    #[serde(flatten)]
    chart: ChartStyle,
}

impl Widget for DnsSinkholeTrafficV6 {
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::Network;
    const USUAL_LINES: usize = 16;

    fn check(&self, _entry: &Entry, problems: &mut OptionProblems) {
        dns_sinkhole_v6::check(&self.hostname, problems);
        self.chart.check(problems);
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(60))
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let instance = Instance::new(&self.hostname, &self.api_key);
        let history = instance.read::<HistoryReply>("/history", context).await?.history;
        let buckets = history.into_iter().map(|bucket| TimeBucket {
            timestamp: bucket.timestamp,
            total: bucket.total,
            blocked: bucket.blocked,
        });
        Ok(dns_traffic::panel(buckets.collect(), &self.chart))
    }
}

#[derive(Deserialize)]
struct HistoryReply {
    #[serde(default)]
    history: Vec<SlotReply>,
}

#[derive(Deserialize)]
struct SlotReply {
    timestamp: f64,
    #[serde(default)]
    total: f64,
    #[serde(default)]
    blocked: f64,
}
