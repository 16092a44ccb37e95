//! `data-feed`: the newest entries of a feed, read by the server itself. The short form of `rss-feed`.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::rss_feed::{FeedStyle, OrderBy, RssFeed, SortDirection};
use crate::{
    Category, Entry, FetchError, OptionProblems, Panel, Reach, Widget, WidgetContext,
    option_types::{Bounded, Flag, Lenient, Secret, WebAddress},
};

/// More frequent requests are impolite to most sites.
const SHORTEST_UPDATE: Duration = Duration::from_secs(5 * 60);

const STYLE: FeedStyle = FeedStyle { teaser: 300, empty: "The feed has no entries" };

/// Shows the newest entries of an RSS, Atom or JSON feed. Only the address is needed: the server reads the feed itself.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct DataFeed {
    /// The address of the feed, such as {example}.
    #[schemars(extend("x-required" = true, "x-example" = "https://blog.rust-lang.org/feed.xml"))]
    rss_url: WebAddress,
    /// How many entries are shown.
    limit: Bounded<1, 10, 100>,
    /// How the entries are sorted: by date (`pubDate`, the default), author or title.
    order_by: Lenient<OrderBy>,
    /// `desc`, the default, begins with the newest entry or the end of the alphabet; `asc` is the opposite.
    order_direction: Lenient<SortDirection>,
    /// Reads the feed on the server itself. With `false` and an `apiKey`, the conversion service rss2json is used.
    parse_locally: Flag<true>,
    /// Key for the conversion service. Optional; used only with `parseLocally: false`.
    api_key: Secret,
}

impl Widget for DataFeed {
    const SYNONYMS: &'static [(&'static str, &'static str)] = &[("url", "rssUrl"), ("feedUrl", "rssUrl")];
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::OwnData;
    const USUAL_LINES: usize = 9;

    fn check(&self, entry: &Entry, problems: &mut OptionProblems) {
        problems.require_option(self.rss_url.is_set(), "rssUrl", "the address of a feed");
        if let Some(written) = self.order_by.unknown() {
            problems.note(format!("orderBy '{written}' is unknown, so pubDate is used. Use pubDate, author or title."));
        }
        if let Some(written) = self.order_direction.unknown() {
            problems.note(format!("orderDirection '{written}' is unknown, so desc is used. Use desc or asc."));
        }
        self.limit.check("limit", problems);
        if !self.parse_locally.is_on() && !self.api_key.is_set() {
            problems.note("Without an apiKey the server reads the feed itself, whatever parseLocally says.");
        }
        if entry.refreshes_more_often_than(SHORTEST_UPDATE) {
            problems.note("Feeds rarely change: an `updateInterval` below 300 may exceed the limits of the site.");
        }
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(15 * 60))
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let is_local = self.parse_locally.is_on() || !self.api_key.is_set();
        let feed = RssFeed {
            rss_url: self.rss_url.clone(),
            api_key: self.api_key.clone(),
            limit: Bounded::new(self.limit.get()),
            order_by: self.order_by.clone(),
            order_direction: self.order_direction.clone(),
            parse_locally: Flag::new(is_local),
        };
        feed.shown(&STYLE, context).await
    }
}
