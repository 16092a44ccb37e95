//! `rss-feed`: the latest posts of a feed.

use std::{cmp::Reverse, net::IpAddr, time::Duration};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use url::Url;

use crate::{
    Category, Entry, FetchError, Moment, OptionProblems, Panel, Reach, Request, Widget, WidgetContext,
    option_types::{Bounded, Flag, Lenient, Secret, WebAddress},
    panel::{self, Entries, Heading, Link, Notice, Phrase, Picture, PlainText, SafeUrl, Style, teaser},
    services::feed::{self, Feed, Post},
};

/// How a feed is shown.
pub(super) struct FeedStyle {
    /// How many characters of a post's text are shown.
    pub(super) teaser: usize,
    /// The sentence about a feed without posts.
    pub(super) empty: &'static str,
}

const STYLE: FeedStyle = FeedStyle { teaser: 200, empty: "The feed has no posts" };
/// How long the conversion service is not queried again: it caches feeds itself.
const CONVERTED_LIFE: Duration = Duration::from_secs(15 * 60);
/// How many posts the conversion service returns without a key.
const MAX_WITHOUT_KEY: usize = 10;
/// Older posts show their year.
const OLD: Duration = Duration::from_secs(300 * 86_400);

/// Shows the latest posts of a feed: RSS, Atom, RDF or JSON Feed.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct RssFeed {
    /// The address of the feed, such as {example}.
    #[schemars(extend("x-required" = true, "x-example" = "https://blog.rust-lang.org/feed.xml"))]
    pub(super) rss_url: WebAddress,
    /// Key for the conversion service rss2json, which then returns more than 10 posts. Optional.
    pub(super) api_key: Secret,
    /// How many posts are shown. Without a key, the conversion service returns at most 10.
    pub(super) limit: Bounded<1, 10, 500>,
    /// How the posts are sorted: by date (`pubDate`, the default), author or title.
    pub(super) order_by: Lenient<OrderBy>,
    /// `desc`, the default, begins with the newest post or the end of the alphabet; `asc` is the opposite.
    pub(super) order_direction: Lenient<SortDirection>,
    /// Reads the feed on the server itself, so that the conversion service does not learn of it. The server always
    /// reads feeds in your own network, and feeds with a password in their address, itself.
    pub(super) parse_locally: Flag,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) enum OrderBy {
    #[default]
    #[serde(alias = "pubdate")]
    PubDate,
    Author,
    Title,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum SortDirection {
    #[default]
    Desc,
    Asc,
}

/// A response of the conversion service. Missing values are empty texts, null, or absent.
#[derive(Deserialize)]
struct ConvertedReply {
    status: String,
    #[serde(default)]
    feed: Option<HeadReply>,
    #[serde(default)]
    items: Vec<ItemReply>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct HeadReply {
    title: Option<String>,
    link: Option<String>,
    author: Option<String>,
    image: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct ItemReply {
    title: Option<String>,
    pub_date: Option<String>,
    link: Option<String>,
    guid: Option<String>,
    author: Option<String>,
    thumbnail: Option<String>,
    description: Option<String>,
    content: Option<String>,
    // An object, or an empty list if there is none.
    enclosure: serde_json::Value,
}

impl Widget for RssFeed {
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::News;
    const USUAL_LINES: usize = 15;

    fn check(&self, entry: &Entry, problems: &mut OptionProblems) {
        problems.require_option(self.rss_url.is_set(), "rssUrl", "the address of a feed");
        if let Some(written) = self.order_by.unknown() {
            problems.note(format!("orderBy '{written}' is unknown, so pubDate is used. Use pubDate, author or title."));
        }
        if let Some(written) = self.order_direction.unknown() {
            problems.note(format!("orderDirection '{written}' is unknown, so desc is used. Use desc or asc."));
        }
        self.limit.check("limit", problems);
        if self.limit.count() > MAX_WITHOUT_KEY && !self.api_key.is_set() && !self.reads_it_itself() {
            problems.note("Without an apiKey the conversion service returns at most 10 posts; parseLocally shows all.");
        }
        if entry.refreshes_more_often_than(CONVERTED_LIFE) && !self.reads_it_itself() {
            problems.note(
                "The conversion service keeps feeds for a while: an updateInterval below 900 brings nothing new.",
            );
        }
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(30 * 60))
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        self.shown(&STYLE, context).await
    }
}

impl RssFeed {
    /// Fetches the feed and shows it.
    pub(super) async fn shown(&self, style: &FeedStyle, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let mut credit = None;
        let feed = if self.reads_it_itself() {
            feed::fetch(context, self.rss_url.url()).await?
        } else {
            match self.converted(context).await {
                Ok(feed) => {
                    // Viewers should know that another service learns which feeds they read.
                    credit = Link::parse(Phrase::foreign("rss2json"), "https://rss2json.com/");
                    feed
                }
                // The service is optional: if it fails or refuses, read the feed itself.
                Err(error) => {
                    context.log(&format!("the conversion service failed, so the feed itself is read: {error}"));
                    feed::fetch(context, self.rss_url.url()).await?
                }
            }
        };
        Ok(Panel { credit, ..self.panel(feed, style, context.now()) })
    }

    /// Whether the server reads the feed itself, without the conversion service.
    fn reads_it_itself(&self) -> bool {
        self.parse_locally.is_on() || self.rss_url.holds_key() || is_own_network(self.rss_url.host())
    }

    /// Queries the conversion service.
    async fn converted(&self, context: &dyn WidgetContext) -> Result<Feed, FetchError> {
        let mut request = Request::get("https://api.rss2json.com/v1/api.json").query("rss_url", self.rss_url.url());
        if self.api_key.is_set() {
            let by = match self.order_by.or_default() {
                OrderBy::PubDate => "pubDate",
                OrderBy::Author => "author",
                OrderBy::Title => "title",
            };
            let direction = match self.order_direction.or_default() {
                SortDirection::Desc => "desc",
                SortDirection::Asc => "asc",
            };
            // Without a key these are refused; the posts are sorted and cut here anyway.
            request = request
                .secret_query("api_key", &self.api_key)
                .query("count", self.limit.get())
                .query("order_by", by)
                .query("order_dir", direction);
        }
        let reply = context.exchange(request).await?;
        let body: ConvertedReply = reply.json()?;
        if body.status != "ok" {
            return Err(reply.unexpected("an error in place of a feed"));
        }
        let head = body.feed.unwrap_or_default();
        let base = Url::parse(self.rss_url.url()).ok();
        Ok(Feed {
            title: PlainText::read(&head.title.unwrap_or_default()).text,
            url: filled(head.link),
            author: filled(head.author),
            picture: filled(head.image),
            posts: body.items.into_iter().map(|item| item.into_post(base.as_ref())).collect(),
        })
    }

    fn panel(&self, mut feed: Feed, style: &FeedStyle, now: Moment) -> Panel {
        feed.posts.retain(|post| !post.is_blank());
        self.sort(&mut feed.posts);
        feed.posts.truncate(self.limit.count());
        let title = if feed.title.is_empty() { self.rss_url.host().to_owned() } else { feed.title };
        let heading = Heading {
            text: Phrase::foreign(title),
            url: feed.url.as_deref().and_then(SafeUrl::parse),
            picture: feed.picture.as_deref().and_then(Picture::parse),
            subtitle: feed.author.map(|author| Phrase::from("by {author}").with("author", author)),
        };
        let part = if feed.posts.is_empty() {
            Notice::empty(style.empty).into()
        } else {
            let entries = feed.posts.into_iter().map(|post| entry(post, style.teaser, now)).collect();
            Entries::new(entries).into()
        };
        Panel::new(vec![part]).titled(heading)
    }

    fn sort(&self, posts: &mut [Post]) {
        let is_descending = self.order_direction.or_default() == SortDirection::Desc;
        let by_text = |posts: &mut [Post], text: fn(&Post) -> String| {
            if is_descending {
                posts.sort_by_cached_key(|post| Reverse(text(post)));
            } else {
                posts.sort_by_cached_key(text);
            }
        };
        match self.order_by.or_default() {
            // Posts without a date come last in both directions.
            OrderBy::PubDate if is_descending => posts.sort_by_key(|post| Reverse(post.date)),
            OrderBy::PubDate => posts.sort_by_key(|post| (post.date.is_none(), post.date)),
            OrderBy::Author => by_text(posts, |post| post.author.clone().unwrap_or_default().to_lowercase()),
            OrderBy::Title => by_text(posts, |post| post.title.to_lowercase()),
        }
    }
}

/// A post as an entry of the list.
fn entry(post: Post, length: usize, now: Moment) -> panel::ListEntry {
    let is_old = post.date.is_some_and(|date| now.since(date) > OLD);
    // A post without a title uses the beginning of its text as one, which need not be repeated.
    let text = if post.text == post.title { String::new() } else { teaser(&post.text, length) };
    panel::ListEntry {
        title: if post.title.is_empty() { "Untitled".into() } else { Phrase::foreign(post.title) },
        url: post.url.as_deref().and_then(SafeUrl::parse),
        text: (!text.is_empty()).then(|| Phrase::foreign(text)),
        goes_on: true,
        date: post.date,
        date_style: if is_old { Style::Date } else { Style::default() },
        author: post.author,
        picture: post.picture.as_deref().and_then(Picture::parse),
        ..panel::ListEntry::default()
    }
}

impl ItemReply {
    fn into_post(self, base: Option<&Url>) -> Post {
        let absolute = |url: String| feed::absolute(&url, base);
        let description = PlainText::read(&self.description.unwrap_or_default());
        let content = PlainText::read(&self.content.unwrap_or_default());
        let of_enclosure = |name: &str| self.enclosure.get(name).and_then(serde_json::Value::as_str).map(str::to_owned);
        let is_picture = of_enclosure("type").is_some_and(|kind| kind.starts_with("image/"));
        let medium = filled(of_enclosure("link"));
        let enclosure = of_enclosure("thumbnail").or_else(|| medium.clone().filter(|_| is_picture));
        let picture = filled(self.thumbnail).or(filled(enclosure)).or(description.picture).or(content.picture);
        let guid = filled(self.guid).filter(|guid| guid.starts_with("http://") || guid.starts_with("https://"));
        Post::new(
            PlainText::read(&self.title.unwrap_or_default()).text,
            filled(self.link).or(guid).or(medium).map(absolute),
            filled(self.pub_date).and_then(|date| feed::parse_date(&date)),
            filled(self.author).map(|author| PlainText::read(&author).text),
            picture.map(absolute),
            if description.text.is_empty() { content.text } else { description.text },
        )
    }
}

fn filled(text: Option<String>) -> Option<String> {
    text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
}

/// Whether a host is in the own network, where a service on the internet cannot reach it and need not know of it.
fn is_own_network(host: &str) -> bool {
    let host = host.trim_matches(['[', ']']).trim_end_matches('.').to_ascii_lowercase();
    match host.parse::<IpAddr>() {
        Ok(IpAddr::V4(address)) => address.is_private() || address.is_loopback() || address.is_link_local(),
        Ok(IpAddr::V6(address)) => {
            address.is_loopback() || address.is_unique_local() || address.is_unicast_link_local()
        }
        Err(_) => {
            let endings = [".local", ".lan", ".home", ".internal", ".home.arpa", ".localhost"];
            !host.contains('.') || endings.iter().any(|ending| host.ends_with(ending))
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;
    use serde_json::json;

    use super::*;
    use crate::Recorded;

    #[test]
    fn the_use_of_a_fallback_is_logged() {
        let exchanges = json!([
            { "request": { "url": "https://api.rss2json.com/*" }, "response": { "status": 503 } },
            { "request": { "url": "https://blog.example/feed?page=1" }, "response": { "body":
                "<rss version='2.0'><channel><title>Garden</title><item><title>Rain</title></item></channel></rss>" } },
        ]);
        let context = Recorded::new(serde_json::from_value(exchanges).unwrap(), Moment::default());
        let widget: RssFeed = serde_json::from_value(json!({ "rssUrl": "https://blog.example/feed?page=1" })).unwrap();
        assert!(widget.fetch(&context).now_or_never().unwrap().is_ok());
        let line = "the conversion service failed, so the feed itself is read: api.rss2json.com has a problem (503).";
        assert_eq!(context.log_lines(), [line]);
    }
}
