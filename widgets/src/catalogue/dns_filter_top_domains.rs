//! `dns-filter-top-domains`: the domains that a DNS filter blocks and resolves most often.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{
    Category, Entry, FetchError, OptionProblems, Panel, Reach, Widget, WidgetContext,
    option_types::{Bounded, Flag, Lenient},
    panel::{Columns, Notice, Part},
    services::{dns_filter::Filter, tolerant, top_domains},
};

/// Lists the domains that a DNS filter has blocked most often, and those that were queried most often, in its
/// statistics period.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct DnsFilterTopDomains {
    #[serde(flatten)]
    filter: Filter,
    /// How many domains each list has. Without it, 10.
    limit: Lenient<Bounded<1, 10, 100>>,
    /// Hides the blocked domains.
    hide_blocked_domains: Flag,
    /// Hides the queried domains.
    hide_queried_domains: Flag,
}

impl Widget for DnsFilterTopDomains {
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::Network;
    const USUAL_LINES: usize = 13;

    fn check(&self, _entry: &Entry, problems: &mut OptionProblems) {
        self.filter.check(problems);
        match self.limit.get() {
            Some(limit) => limit.check("limit", problems),
            None => problems.require(self.limit.unknown().is_none(), "limit must be between 1 and 100."),
        }
        let hides_all = self.hide_blocked_domains.is_on() && self.hide_queried_domains.is_on();
        let sentence = "hideBlockedDomains and hideQueriedDomains: both lists are hidden. Leave one of the two out.";
        problems.require(!hides_all, sentence);
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(60))
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let stats: TopReply = self.filter.stats(context).await?;
        let limit = self.limit.or_default().count();
        let (blocked, queried) = (domains(stats.top_blocked_domains, limit), domains(stats.top_queried_domains, limit));
        if blocked.is_empty() && queried.is_empty() {
            let sentence = "No queries yet, or statistics are switched off in the DNS filter";
            return Ok(Panel::new(vec![Notice::empty(sentence).into()]));
        }
        // The list of AdGuard Home also has the domains that these three have replaced.
        let replaced = [stats.num_replaced_safebrowsing, stats.num_replaced_safesearch, stats.num_replaced_parental];
        let all_blocked =
            stats.num_blocked_filtering.map(|filtered| filtered + replaced.into_iter().flatten().sum::<f64>());
        let lists: [Option<Vec<Part>>; 2] = [
            (!self.hide_blocked_domains.is_on())
                .then(|| top_domains::parts("Top blocked domains", &blocked, all_blocked, "Nothing blocked yet")),
            (!self.hide_queried_domains.is_on())
                .then(|| top_domains::parts("Top queried domains", &queried, stats.num_dns_queries, "No queries yet")),
        ];
        let mut columns: Vec<Vec<Part>> = lists.into_iter().flatten().collect();
        Ok(Panel::new(match columns.len() {
            1 => columns.swap_remove(0),
            _ => vec![Columns { columns }.into()],
        }))
    }
}

/// The domains with their counts, each in a separate object; the most frequent first. AdGuard Home changes the order of
/// equal counts from one answer to the next, so these are sorted by name.
fn domains(entries: Vec<Map<String, Value>>, limit: usize) -> Vec<(String, f64)> {
    let entries = entries.into_iter().filter(|entry| entry.len() == 1).flatten();
    let count = |count: &Value| Some(tolerant::as_number(count)?.max(0.0));
    let mut domains: Vec<_> = entries.filter_map(|(name, value)| Some((name, count(&value)?))).collect();
    domains.sort_by(|(one, ones), (other, others)| others.total_cmp(ones).then_with(|| one.cmp(other)));
    domains.truncate(limit);
    domains
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct TopReply {
    #[serde(deserialize_with = "tolerant::entries")]
    top_blocked_domains: Vec<Map<String, Value>>,
    #[serde(deserialize_with = "tolerant::entries")]
    top_queried_domains: Vec<Map<String, Value>>,
    #[serde(deserialize_with = "tolerant::number")]
    num_blocked_filtering: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    num_replaced_safebrowsing: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    num_replaced_safesearch: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    num_replaced_parental: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    num_dns_queries: Option<f64>,
}
