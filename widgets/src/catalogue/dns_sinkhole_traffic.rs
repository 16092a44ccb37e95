//! `dns-sinkhole-traffic`: the DNS queries of a day, permitted and blocked, from version 5 of an ad blocker.

use std::{collections::BTreeMap, time::Duration};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    Category, Entry, FetchError, OptionProblems, Panel, Reach, Widget, WidgetContext,
    option_types::{BaseAddress, ChartStyle, Secret},
    services::{
        dns_sinkhole,
        dns_traffic::{self, TimeBucket},
        tolerant,
    },
};

/// Draws the DNS queries of the last 24 hours, permitted and blocked, in steps of ten minutes. For version 5 and older
/// of the ad blocker.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct DnsSinkholeTraffic {
    /// Address of the instance, such as {example}.
    #[schemars(extend("x-required" = true, "x-example" = "http://192.168.1.2"))]
    hostname: BaseAddress,
    /// API token of the instance (Settings, API), or the name of an environment variable. It is not the password. Without
    /// it, none is sent, as for an instance without a password.
    api_key: Secret,
    #[serde(flatten)]
    chart: ChartStyle,
}

impl Widget for DnsSinkholeTraffic {
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::Network;
    const USUAL_LINES: usize = 20;

    fn check(&self, _entry: &Entry, problems: &mut OptionProblems) {
        dns_sinkhole::check(&self.hostname, problems);
        self.chart.check(problems);
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(60))
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let newer = "dns-sinkhole-traffic-v6";
        let reply: SlotsReply =
            dns_sinkhole::read(&self.hostname, &self.api_key, "overTimeData10mins", newer, context).await?;
        Ok(dns_traffic::panel(reply.buckets(), &self.chart))
    }
}

/// Two objects that map seconds since 1970 to counts. If they are empty, the API sends lists instead.
#[derive(Default, Deserialize)]
#[serde(default)]
struct SlotsReply {
    domains_over_time: Value,
    ads_over_time: Value,
}

impl SlotsReply {
    /// The buckets of both objects, matched by their times: each object may leave some out.
    fn buckets(&self) -> Vec<TimeBucket> {
        let mut buckets: BTreeMap<i64, (f64, f64)> = BTreeMap::new();
        for (at, count) in counts(&self.domains_over_time) {
            buckets.entry(at).or_default().0 = count;
        }
        for (at, count) in counts(&self.ads_over_time) {
            buckets.entry(at).or_default().1 = count;
        }
        // Times of this century are small enough to be exact as floats.
        let bucket = |(at, (total, blocked)): (i64, (f64, f64))| TimeBucket {
            timestamp: at as f64,
            total: total.max(blocked),
            blocked,
        };
        buckets.into_iter().map(bucket).collect()
    }
}

fn counts(counts: &Value) -> impl Iterator<Item = (i64, f64)> {
    let counts = counts.as_object().into_iter().flatten();
    counts.filter_map(|(at, count)| Some((at.parse().ok()?, tolerant::as_number(count)?.max(0.0))))
}
