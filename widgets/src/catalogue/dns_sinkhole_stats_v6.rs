//! `dns-sinkhole-stats-v6`: the statistics of a DNS ad blocker of version 6.

use std::time::Duration;

use futures_util::future::try_join;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Entry, FetchError, Moment, OptionProblems, Outside, Panel, Reach, Widget,
    option_types::{BaseAddress, Flag, Secret},
    panel::{Datum, Decimals, Donut, Fact, Facts, Heading, Part, Phrase, Slice, Style, Tone},
    services::dns_sinkhole_v6::{self, Instance},
};

/// Shows whether a DNS ad blocker is on, how much it blocks, and how large its block list is. For version 6 and later.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct DnsSinkholeStatsV6 {
    /// Address of the instance, such as `http://192.168.1.2`. Required.
    hostname: BaseAddress,
    /// Password of the instance or, better, an application password created for this. With two-factor login, only the
    /// latter works. Required.
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

    fn check(&self, _entry: &Entry, problems: &mut OptionProblems) {
        dns_sinkhole_v6::check(&self.hostname, &self.api_key, problems);
        if self.hides_all() {
            problems.note("hideStatus, hideChart and hideInfo together leave nothing to show.");
        }
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(60))
    }

    async fn fetch(&self, outside: &dyn Outside) -> Result<Panel, FetchError> {
        if self.hides_all() {
            return Ok(Panel::empty("All parts are hidden"));
        }
        let instance = Instance::new(&self.hostname, &self.api_key);
        let blocking = async {
            let wanted = !self.hide_status.is_on();
            if wanted { instance.read::<BlockingReply>("/dns/blocking", outside).await.map(Some) } else { Ok(None) }
        };
        let summary = async {
            let wanted = !(self.hide_chart.is_on() && self.hide_info.is_on());
            if wanted { instance.read::<SummaryReply>("/stats/summary", outside).await.map(Some) } else { Ok(None) }
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
    blocking: String,
    timer: Option<f64>,
}

impl BlockingReply {
    fn status(&self) -> Facts {
        let (word, tone) = match self.blocking.as_str() {
            "enabled" => ("Enabled", Tone::Success),
            "disabled" => ("Disabled", Tone::Danger),
            "failed" => ("Failed", Tone::Info),
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
    queries: QueriesReply,
    clients: ClientsReply,
    gravity: GravityReply,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct QueriesReply {
    total: i64,
    blocked: i64,
    percent_blocked: Option<f64>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ClientsReply {
    active: Option<i64>,
    total: Option<i64>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct GravityReply {
    domains_being_blocked: Option<i64>,
    last_update: Option<f64>,
}

impl SummaryReply {
    /// The number of blocked queries, and of all queries. Corrupt statistics may have more of the former.
    fn queries(&self) -> (i64, i64) {
        let total = self.queries.total.max(0);
        (self.queries.blocked.clamp(0, total), total)
    }

    fn share(&self) -> Donut {
        let (blocked, total) = self.queries();
        // Counts of queries are small enough to be exact as floats.
        let (blocked, total) = (blocked as f64, total as f64);
        let computed = if total > 0.0 { blocked / total * 100.0 } else { 0.0 };
        let percent = self.queries.percent_blocked.unwrap_or(computed).clamp(0.0, 100.0);
        let percent = (percent * 100.0).round() / 100.0;
        let written = |percent: f64| Datum::percent(percent).decimals(Decimals::Exactly(1));
        let slice = |label: &'static str, size: f64, percent: f64, tone: Tone| Slice {
            label: label.into(),
            size,
            value: Some(written(percent)),
            tone,
            ..Slice::default()
        };
        let allowed = if total > 0.0 { 100.0 - percent } else { 0.0 };
        Donut {
            title: "Blocked, last 24 hours".into(),
            center: Some(written(percent)),
            slices: vec![
                slice("Allowed", total - blocked, allowed, Tone::Plain),
                slice("Blocked", blocked, percent, Tone::Danger),
            ],
            flat: false,
        }
    }

    fn numbers(&self) -> Facts {
        let (blocked, total) = self.queries();
        let clients = self.clients.active.map(|active| {
            let active = Phrase::from("{active} / {total}").with("active", Datum::count(active));
            active.with("total", self.clients.total.map(Datum::count))
        });
        let domains = self.gravity.domains_being_blocked.filter(|count| *count >= 0).map(Datum::count);
        // Seconds since 1970 are small enough to be exact.
        let updated = self.gravity.last_update.filter(|at| *at > 0.0).map(|at| Moment::from_seconds(at as i64));
        let hint = updated.map(|at| Phrase::from("Updated {time}").with("time", Datum::time(at, Style::Relative)));
        Facts::present([
            Fact::new("Active clients", clients),
            Fact::new("Blocked, last 24 hours", Datum::count(blocked)),
            Fact::new("Queries, last 24 hours", Datum::count(total)),
            Fact { hint, ..Fact::new("Domains on block list", domains) },
        ])
    }
}
