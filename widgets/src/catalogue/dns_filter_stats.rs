//! `dns-filter-stats`: how many queries a DNS filter has answered and blocked.
//!
//! Allowed queries have the accent of the theme, not green, which means a state.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Category, Entry, FetchError, OptionProblems, Panel, Reach, Widget, WidgetContext,
    panel::{Datum, Decimals, Donut, Heading, Notice, Part, Phrase, Slice, Stat, Stats, Tone, Unit},
    services::{dns_filter::Filter, tolerant},
};

/// Shows how many queries a DNS filter has answered and blocked in its statistics period, and why.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct DnsFilterStats {
    #[serde(flatten)]
    filter: Filter,
}

impl Widget for DnsFilterStats {
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::Network;
    const USUAL_LINES: usize = 15;

    fn check(&self, _entry: &Entry, problems: &mut OptionProblems) {
        self.filter.check(problems);
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(60))
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let stats: StatsReply = self.filter.stats(context).await?;
        let title = Heading { subtitle: stats.period(), ..Heading::new("DNS queries") };
        Ok(Panel::new(stats.parts()).titled(title))
    }
}

/// Old releases leave fields out, or send null.
#[derive(Default, Deserialize)]
#[serde(default)]
struct StatsReply {
    #[serde(deserialize_with = "tolerant::number")]
    num_dns_queries: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    num_blocked_filtering: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    num_replaced_safebrowsing: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    num_replaced_safesearch: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    num_replaced_parental: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    avg_processing_time: Option<f64>,
    #[serde(deserialize_with = "tolerant::text")]
    time_units: Option<String>,
    #[serde(deserialize_with = "tolerant::positions")]
    dns_queries: Vec<Option<f64>>,
}

impl StatsReply {
    fn parts(&self) -> Vec<Part> {
        let count = |count: Option<f64>| count.unwrap_or_default().max(0.0);
        let queries = count(self.num_dns_queries);
        let filtering = count(self.num_blocked_filtering);
        let browsing = count(self.num_replaced_safebrowsing);
        let search = count(self.num_replaced_safesearch);
        let parental = count(self.num_replaced_parental);
        // Corrupt statistics may have more blocked queries than queries.
        let blocked = (filtering + browsing + search + parental).min(queries);
        let percent = if queries > 0.0 { blocked / queries * 100.0 } else { 0.0 };
        let percent = Datum::percent((percent * 100.0).round() / 100.0).decimals(Decimals::Exactly(1));
        let mut stats = vec![
            Stat::new("Queries", Datum::number(queries, Unit::None)),
            Stat::new("Blocked", Datum::number(blocked, Unit::None)),
            Stat::new("Share blocked", percent.clone()),
        ];
        if let Some(time) = self.avg_processing_time.filter(|time| *time > 0.0) {
            stats
                .push(Stat::new("Average time", Datum::number((time * 100_000.0).round() / 100.0, Unit::Milliseconds)));
        }
        let stats = Stats { stats }.into();
        if queries == 0.0 {
            return vec![stats, Notice::empty("No queries yet").into()];
        }
        let slice = |label: &'static str, size: f64| Slice { label: label.into(), size, ..Slice::default() };
        let blocked_by_lists = Slice { tone: Tone::Danger, ..slice("Blocked", filtering) };
        let mut slices = vec![slice("Allowed", queries - blocked), blocked_by_lists];
        // They keep their colors when others are missing.
        let others = [("Safe browsing", browsing), ("Safe search", search), ("Parental control", parental)];
        let others =
            (1..).zip(others).map(|(place, (label, size))| Slice { palette: Some(place), ..slice(label, size) });
        slices.extend(others.filter(|slice| slice.size > 0.0));
        let title = "Queries by result".into();
        vec![stats, Donut { title, center: Some(percent), slices, flat: false }.into()]
    }

    /// The time span of the numbers. Up to a week, AdGuard Home counts in hours.
    fn period(&self) -> Option<Phrase> {
        let units = Some(self.dns_queries.len()).filter(|units| *units > 0)?;
        let (unit, units) = match self.time_units.as_deref()? {
            "hours" if units > 24 && units.is_multiple_of(24) => ("days", units / 24),
            unit => (unit, units),
        };
        let words: &'static str = match (unit, units) {
            ("hours", 1) => "last hour",
            ("days", 1) => "last day",
            ("hours", _) => "last {count} hours",
            ("days", _) => "last {count} days",
            _ => return None,
        };
        Some(Phrase::from(words).with("count", Datum::count(units)))
    }
}
