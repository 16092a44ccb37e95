//! `dns-sinkhole-stats-v6`: the statistics of a DNS ad blocker of version 6.

use std::time::Duration;

use futures_util::future::try_join;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Category, Entry, FetchError, Moment, OptionProblems, Panel, Reach, Widget, WidgetContext,
    option_types::{BaseAddress, Flag, Secret},
    panel::{Datum, Donut, Fact, Facts, Heading, Part, Phrase, Style, Tone, Unit},
    services::{
        blocked_share::BlockedShare,
        dns_sinkhole_v6::{self, Instance},
        tolerant,
    },
};

/// Shows whether a DNS ad blocker is on, how much it blocks, and how large its block list is. For version 6 and later.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct DnsSinkholeStatsV6 {
    /// Address of the instance, such as {example}.
    #[schemars(extend("x-required" = true, "x-example" = "http://192.168.1.2"))]
    hostname: BaseAddress,
    /// Password of the instance or, better, an application password created for this. With two-factor login, only the
    /// latter works. Without it, there is no login, as for an instance without a password.
    api_key: Secret,
    /// Hides whether blocking is on.
    hide_status: Flag,
    /// Hides the share of blocked queries.
    hide_chart: Flag,
    /// Hides the numbers.
    hide_info: Flag,
}

impl Widget for DnsSinkholeStatsV6 {
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::Network;
    const USUAL_LINES: usize = 17;

    fn check(&self, _entry: &Entry, problems: &mut OptionProblems) {
        dns_sinkhole_v6::check(&self.hostname, problems);
        if self.hides_all() {
            problems.note("hideStatus, hideChart and hideInfo together leave nothing to show.");
        }
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(60))
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        if self.hides_all() {
            return Ok(Panel::empty("All parts are hidden"));
        }
        let instance = Instance::new(&self.hostname, &self.api_key);
        let blocking = async {
            let wanted = !self.hide_status.is_on();
            if wanted { instance.read::<BlockingReply>("/dns/blocking", context).await.map(Some) } else { Ok(None) }
        };
        let summary = async {
            let wanted = !(self.hide_chart.is_on() && self.hide_info.is_on());
            if wanted { instance.read::<SummaryReply>("/stats/summary", context).await.map(Some) } else { Ok(None) }
        };
        let (blocking, summary) = try_join(blocking, summary).await?;
        let mut parts: Vec<Part> = blocking.map(|blocking| blocking.status().into()).into_iter().collect();
        if let Some(summary) = summary {
            parts.extend((!self.hide_chart.is_on()).then(|| summary.share().into()));
            parts.extend((!self.hide_info.is_on()).then(|| summary.numbers().into()));
        }
        let title = Heading::new(Phrase::foreign(instance.host())).linked(&instance.admin_page());
        Ok(Panel::new(parts).titled(title))
    }
}

impl DnsSinkholeStatsV6 {
    fn hides_all(&self) -> bool {
        self.hide_status.is_on() && self.hide_chart.is_on() && self.hide_info.is_on()
    }
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct BlockingReply {
    #[serde(deserialize_with = "tolerant::text")]
    blocking: Option<String>,
    #[serde(deserialize_with = "tolerant::number")]
    timer: Option<f64>,
}

impl BlockingReply {
    fn status(&self) -> Facts {
        let (word, tone) = match self.blocking.as_deref() {
            Some("enabled") => ("Enabled", Tone::Success),
            Some("disabled") => ("Disabled", Tone::Danger),
            Some("failed") => ("Failed", Tone::Info),
            _ => ("Unknown", Tone::Neutral),
        };
        let timer = self.timer.filter(|seconds| *seconds > 0.0);
        let until =
            timer.map(|seconds| Phrase::from("for another {time}").with("time", Datum::seconds(seconds.round())));
        let more = until.map(Datum::Words).into_iter().collect();
        Facts { facts: vec![Fact { more, ..Fact::new("Status", Phrase::from(word)).toned(tone) }] }
    }
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct SummaryReply {
    #[serde(deserialize_with = "tolerant::part")]
    queries: Option<QueriesReply>,
    #[serde(deserialize_with = "tolerant::part")]
    clients: Option<ClientsReply>,
    #[serde(deserialize_with = "tolerant::part")]
    gravity: Option<GravityReply>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct QueriesReply {
    #[serde(deserialize_with = "tolerant::number")]
    total: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    blocked: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    percent_blocked: Option<f64>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ClientsReply {
    #[serde(deserialize_with = "tolerant::number")]
    active: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    total: Option<f64>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct GravityReply {
    #[serde(deserialize_with = "tolerant::number")]
    domains_being_blocked: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    last_update: Option<f64>,
}

impl SummaryReply {
    /// The number of blocked queries, and of all queries. Corrupt statistics may have more of the former.
    fn counts(&self) -> (Option<f64>, Option<f64>) {
        let Some(queries) = &self.queries else { return (None, None) };
        let total = queries.total.map(|total| total.max(0.0));
        (queries.blocked.map(|blocked| blocked.clamp(0.0, total.unwrap_or(f64::MAX))), total)
    }

    fn share(&self) -> Donut {
        let (blocked, total) = self.counts();
        let reported = self.queries.as_ref().and_then(|queries| queries.percent_blocked);
        let share = BlockedShare::of(reported, blocked, total);
        share.donut("Blocked, last 24 hours")
    }

    fn numbers(&self) -> Facts {
        let (blocked, total) = self.counts();
        let count = |count: Option<f64>| count.map(|count| Datum::number(count.max(0.0).round(), Unit::None));
        let clients = self.clients.as_ref().and_then(|clients| {
            let active = Phrase::from("{active} / {total}").with("active", count(Some(clients.active?)));
            Some(active.with("total", count(clients.total)))
        });
        let gravity = self.gravity.as_ref();
        let domains = gravity.and_then(|gravity| gravity.domains_being_blocked).filter(|count| *count >= 0.0);
        // Seconds since 1970 are small enough to be exact.
        let updated = gravity.and_then(|gravity| gravity.last_update).filter(|at| *at > 0.0);
        let updated = updated.map(|at| Moment::from_seconds(at as i64));
        let hint = updated.map(|at| Phrase::from("Updated {time}").with("time", Datum::time(at, Style::Relative)));
        Facts {
            facts: vec![
                Fact::new("Active clients", clients),
                Fact::new("Blocked, last 24 hours", count(blocked)),
                Fact::new("Queries, last 24 hours", count(total)),
                Fact { hint, ..Fact::new("Domains on block list", count(domains)) },
            ],
        }
    }
}
