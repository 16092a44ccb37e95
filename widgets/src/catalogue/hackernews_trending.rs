//! `hackernews-trending`: the posts of one list of Hacker News.

use std::time::Duration;

use futures_util::future::join_all;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Category, Entry, FetchError, Moment, OptionProblems, Panel, Reach, Widget, WidgetContext, address,
    option_types::{Bounded, Lenient},
    panel::{self, Datum, Entries, Link, Phrase, PlainText, SafeUrl, Style},
};

const API: &str = "https://hacker-news.firebaseio.com/v0";
/// Maximum number of posts that are requested at once.
const AT_ONCE: usize = 10;
/// Minimum number of posts that are requested at once: the failure of a single post must not count as a failure of the
/// service.
const AT_LEAST: usize = 3;
/// How many posts may be missing before the list becomes shorter than requested.
const SPARE: usize = 20;

/// Shows the top, best or newest posts of Hacker News.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct HackernewsTrending {
    /// Which list is shown.
    #[schemars(extend("default" = "topstories"))]
    stories: Lenient<Stories>,
    /// How many posts are shown.
    limit: Bounded<1, 10, 50>,
}

/// The lists of the service.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
enum Stories {
    #[default]
    #[serde(rename = "topstories")]
    Top,
    #[serde(rename = "beststories")]
    Best,
    #[serde(rename = "newstories")]
    New,
    #[serde(rename = "askstories")]
    Ask,
    #[serde(rename = "showstories")]
    Show,
    #[serde(rename = "jobstories")]
    Job,
}

impl Stories {
    const fn word(self) -> &'static str {
        match self {
            Self::Top => "topstories",
            Self::Best => "beststories",
            Self::New => "newstories",
            Self::Ask => "askstories",
            Self::Show => "showstories",
            Self::Job => "jobstories",
        }
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct ItemReply {
    id: u64,
    #[serde(rename = "type")]
    kind: Option<String>,
    by: Option<String>,
    time: Option<i64>,
    title: Option<String>,
    url: Option<String>,
    score: Option<i64>,
    descendants: Option<i64>,
    deleted: bool,
    dead: bool,
}

impl Widget for HackernewsTrending {
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::News;
    const USUAL_LINES: usize = 11;

    fn check(&self, _entry: &Entry, problems: &mut OptionProblems) {
        problems.require(self.stories.unknown().is_none(), "stories must be topstories, beststories or newstories.");
        self.limit.check("limit", problems);
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(600))
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let url = format!("{API}/{}.json", self.stories.or_default().word());
        let ids: Vec<u64> = context.get_json::<Option<_>>(&url).await?.unwrap_or_default();
        let posts = posts(context, &ids, self.limit.count()).await?;
        if posts.is_empty() {
            return Ok(Panel::empty("No posts"));
        }
        let entries = Entries::new((1..).zip(&posts).map(|(rank, post)| entry(rank, post)).collect());
        Ok(Panel::new(vec![entries.into()]))
    }
}

/// The first `limit` existing posts, in the order of the list.
async fn posts(context: &dyn WidgetContext, ids: &[u64], limit: usize) -> Result<Vec<ItemReply>, FetchError> {
    let mut posts = Vec::new();
    let mut rest = &ids[..ids.len().min(limit + SPARE)];
    while posts.len() < limit && !rest.is_empty() {
        let wanted = (limit - posts.len()).clamp(AT_LEAST, AT_ONCE);
        let (first, later) = rest.split_at(rest.len().min(wanted));
        rest = later;
        let results = join_all(first.iter().map(|id| item(context, *id))).await;
        let failed = results.iter().all(Result::is_err);
        for result in results {
            match result {
                Ok(post) => posts.extend(post),
                // A post that fails is left out. If all fail, the rest would too.
                Err(error) if failed && posts.is_empty() => return Err(error),
                Err(_) => {}
            }
        }
        if failed {
            break;
        }
    }
    posts.truncate(limit);
    Ok(posts)
}

/// One post; `None` if it was deleted.
async fn item(context: &dyn WidgetContext, id: u64) -> Result<Option<ItemReply>, FetchError> {
    let post: Option<ItemReply> = context.get_json(&format!("{API}/item/{id}.json")).await?;
    let has_title = |post: &ItemReply| post.title.as_deref().is_some_and(|written| !title(written).trim().is_empty());
    Ok(post.filter(|post| !post.deleted && !post.dead && has_title(post)))
}

/// A post with its position in the list.
fn entry(rank: usize, post: &ItemReply) -> panel::ListEntry {
    let title = title(post.title.as_deref().unwrap_or_default());
    let title = Phrase::from("{rank}. {title}").with("rank", Datum::count(rank)).with("title", title);
    let discussion = format!("https://news.ycombinator.com/item?id={}", post.id);
    let outer = post.url.as_deref().and_then(SafeUrl::parse).filter(SafeUrl::is_remote);
    let site = |url: &SafeUrl| {
        let host = address::host(url.as_str());
        host.strip_prefix("www.").unwrap_or(host).to_owned()
    };
    let source = outer.as_ref().map(site);
    let mut values = Vec::new();
    if post.kind.as_deref() != Some("job") {
        values.extend(post.score.map(|score| counted(score, "{n} point", "{n} points").into()));
        let comments = counted(post.descendants.unwrap_or_default(), "{n} comment", "{n} comments");
        values.extend(Link::parse(comments, &discussion).map(Datum::from));
    }
    let age = |seconds| Datum::time(Moment::from_seconds(seconds), Style::Relative);
    values.extend(post.time.map(age).filter(|age| !age.is_missing()));
    panel::ListEntry {
        url: outer.or_else(|| SafeUrl::parse(&discussion)),
        source,
        author: post.by.clone().filter(|author| !author.trim().is_empty()),
        values,
        ..panel::ListEntry::new(title)
    }
}

/// The title with entities decoded. A `<` in it is a character, not the start of a tag.
fn title(written: &str) -> String {
    PlainText::read(&written.replace('<', "&lt;")).text
}

fn counted(count: i64, one: &'static str, many: &'static str) -> Phrase {
    Phrase::from(if count == 1 { one } else { many }).with("n", Datum::count(count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_are_text() {
        for (written, expected) in [
            ("Ask &amp; tell: what&#x27;s new?", "Ask & tell: what's new?"),
            ("Why the <marquee> tag lives", "Why the <marquee> tag lives"),
            ("A &lt;b&gt; and a & b", "A <b> and a & b"),
        ] {
            assert_eq!(title(written), expected);
        }
    }
}
