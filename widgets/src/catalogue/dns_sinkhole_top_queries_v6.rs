//! `dns-sinkhole-top-queries-v6`: the domains that are blocked and queried most often, from version 6 of an ad blocker.

use std::time::Duration;

use futures_util::future::join;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Category, Entry, FetchError, OptionProblems, Panel, Reach, Widget, WidgetContext,
    option_types::{BaseAddress, Lenient, Number, Secret},
    panel::{Columns, Heading, Notice, Part, Phrase},
    services::{
        dns_sinkhole_v6::{self, Instance},
        tolerant, top_domains,
    },
};

/// Lists the domains that a DNS ad blocker has blocked most often, and those that were queried most often. For version
/// 6 and later.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct DnsSinkholeTopQueriesV6 {
    /// Address of the instance, such as {example}.
    #[schemars(extend("x-required" = true, "x-example" = "http://192.168.1.2"))]
    hostname: BaseAddress,
    /// Password of the instance or, better, an application password created for this. With two-factor login, only the
    /// latter works. Without it, there is no login, as for an instance without a password.
    api_key: Secret,
    /// How many domains each list has. Without it, 10.
    count: Lenient<Number>,
}

impl Widget for DnsSinkholeTopQueriesV6 {
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::Network;
    const USUAL_LINES: usize = 11;

    fn check(&self, _entry: &Entry, problems: &mut OptionProblems) {
        dns_sinkhole_v6::check(&self.hostname, problems);
        if top_domains::is_wrong(&self.count) {
            problems.note("count must be a whole number above 0; 10 is used.");
        }
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(60))
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let instance = Instance::new(&self.hostname, &self.api_key);
        let count = top_domains::count(&self.count);
        let blocked = format!("/stats/top_domains?blocked=true&count={count}");
        let permitted = format!("/stats/top_domains?blocked=false&count={count}");
        let (blocked, permitted) =
            join(instance.read::<DomainsReply>(&blocked, context), instance.read::<DomainsReply>(&permitted, context))
                .await;
        // One list is better than none.
        if let (Err(error), Err(_)) = (&blocked, &permitted) {
            return Err(error.clone());
        }
        let columns = vec![
            list("Top ads blocked", count, blocked, |reply| reply.blocked_queries),
            list("Top queries", count, permitted, |reply| reply.total_queries),
        ];
        Ok(Panel::new(vec![Columns { columns }.into()]))
    }
}

/// A list, or the reason why there is none.
fn list(
    title: &'static str,
    count: usize,
    reply: Result<DomainsReply, FetchError>,
    whole: fn(&DomainsReply) -> Option<f64>,
) -> Vec<Part> {
    match reply {
        Ok(reply) => {
            let whole = whole(&reply);
            // A server that hides domains sends -1 as the count.
            let is_hidden = whole.is_some_and(|whole| whole < 0.0);
            let none = if is_hidden { "Hidden by the privacy level" } else { "Nothing yet" };
            let domains = reply.domains.into_iter().filter_map(|domain| Some((domain.domain, domain.count?.max(0.0))));
            let domains: Vec<(String, f64)> = domains.take(count).collect();
            top_domains::parts(title, &domains, whole, none)
        }
        Err(error) => {
            vec![Heading::new(title).into(), Notice::warning(Phrase::message(error.to_string())).into()]
        }
    }
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct DomainsReply {
    #[serde(deserialize_with = "tolerant::entries")]
    domains: Vec<DomainReply>,
    #[serde(deserialize_with = "tolerant::number")]
    total_queries: Option<f64>,
    #[serde(deserialize_with = "tolerant::number")]
    blocked_queries: Option<f64>,
}

#[derive(Deserialize)]
struct DomainReply {
    domain: String,
    #[serde(default, deserialize_with = "tolerant::number")]
    count: Option<f64>,
}
