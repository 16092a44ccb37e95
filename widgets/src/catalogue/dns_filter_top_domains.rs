//! `dns-filter-top-domains`: the domains that a DNS filter blocks and resolves most often.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{
    Entry, FetchError, OptionProblems, Outside, Panel, Reach, Widget,
    option_types::{BaseAddress, Bounded, Flag, Lenient, Secret, Text},
    panel::{Columns, Notice, Part},
    services::{dns_filter, tolerant, top_domains},
};

/// Lists the domains that a DNS filter has blocked most often, and those that were queried most often, in its
/// statistics period.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct DnsFilterTopDomains {
    /// Address of the instance, such as `http://192.168.1.2:3000`. Required.
    hostname: BaseAddress,
    /// Name of the web user. Without it, no login is sent, as for an instance without users.
    username: Text,
    /// Password of the web user, or the name of an environment variable. Required with `username`.
    password: Secret,
    /// How many domains each list has. Without it, 10.
    limit: Lenient<Bounded<1, 10, 100>>,
    /// Hides the blocked domains.
    hide_blocked_domains: Flag,
    /// Hides the queried domains.
    hide_queried_domains: Flag,
}

impl Widget for DnsFilterTopDomains {
    const REACH: Reach = Reach::ViaServer;

    fn check(&self, _entry: &Entry, problems: &mut OptionProblems) {
        dns_filter::check(&self.hostname, &self.username, &self.password, problems);
        match self.limit.get() {
            Some(limit) => limit.check("limit", problems),
            None => problems.require(self.limit.unknown().is_none(), "limit must be between 1 and 100."),
        }
        let hides_all = self.hide_blocked_domains.is_on() && self.hide_queried_domains.is_on();
        problems.require(!hides_all, "hideBlockedDomains and hideQueriedDomains: both lists are hidden.");
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(60))
    }

    async fn fetch(&self, outside: &dyn Outside) -> Result<Panel, FetchError> {
        let access = (&self.hostname, &self.username, &self.password);
        let stats: TopReply = dns_filter::stats(access, outside).await?;
        let limit = self.limit.or_default().count();
        let (blocked, queried) = (domains(stats.top_blocked_domains, limit), domains(stats.top_queried_domains, limit));
        if blocked.is_empty() && queried.is_empty() {
            let sentence = "No queries yet, or statistics are switched off in the DNS filter";
            return Ok(Panel::new(vec![Notice::empty(sentence).into()]));
        }
        let lists: [Option<Vec<Part>>; 2] = [
            (!self.hide_blocked_domains.is_on()).then(|| {
                top_domains::parts("Top blocked domains", &blocked, stats.num_blocked_filtering, "Nothing blocked yet")
            }),
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

/// The domains with their counts, each in a separate object.
fn domains(entries: Vec<Map<String, Value>>, limit: usize) -> Vec<(String, f64)> {
    let domains = entries.into_iter().filter(|entry| entry.len() == 1).flatten();
    domains.filter_map(|(name, count)| Some((name, tolerant::as_number(&count)?.max(0.0)))).take(limit).collect()
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
    num_dns_queries: Option<f64>,
}
