//! `dns-sinkhole-top-queries`: the domains that are blocked and queried most often, from version 5 of an ad blocker.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    Category, Entry, FetchError, OptionProblems, Panel, Reach, Widget, WidgetContext,
    option_types::{BaseAddress, Lenient, Number, Secret},
    panel::{Columns, Part},
    services::{dns_sinkhole, top_domains},
};

/// Lists the domains that a DNS ad blocker has blocked most often, and those that were queried most often. For version
/// 5 and older.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct DnsSinkholeTopQueries {
    /// Address of the instance, such as {example}.
    #[schemars(extend("x-required" = true, "x-example" = "http://192.168.1.2"))]
    hostname: BaseAddress,
    /// API token of the instance (Settings, API), or the name of an environment variable. It is not the password. Without
    /// it, none is sent, as for an instance without a password.
    api_key: Secret,
    /// How many domains each list has. Without it, 10.
    count: Lenient<Number>,
}

impl Widget for DnsSinkholeTopQueries {
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::Network;
    const USUAL_LINES: usize = 15;

    fn check(&self, _entry: &Entry, problems: &mut OptionProblems) {
        dns_sinkhole::check(&self.hostname, problems);
        if top_domains::is_wrong(&self.count) {
            problems.note("count must be a whole number above 0; 10 is used.");
        }
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(60))
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let count = top_domains::count(&self.count);
        let question = format!("topItems={count}");
        let newer = "dns-sinkhole-top-queries-v6";
        let reply: TopReply = dns_sinkhole::read(&self.hostname, &self.api_key, &question, newer, context).await?;
        let list = |title: &'static str, counts: &Value| -> Vec<Part> {
            let mut domains = dns_sinkhole::domains(counts);
            domains.truncate(count);
            top_domains::parts(title, &domains, None, "Nothing yet, or hidden by the privacy level")
        };
        let columns = vec![list("Top ads blocked", &reply.top_ads), list("Top queries", &reply.top_queries)];
        Ok(Panel::new(vec![Columns { columns }.into()]))
    }
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct TopReply {
    top_queries: Value,
    top_ads: Value,
}
