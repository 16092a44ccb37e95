//! `bookmarks`: links from a self-hosted bookmark manager.
//!
//! Descriptions are below the titles instead of in hints, which cannot be read on touch screens. Addresses that begin with
//! `ftp:` are plain text, because browsers no longer open them.

use std::{collections::HashSet, time::Duration};

use futures_util::future::try_join_all;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    Action, ActionOutcome, Category, Entry, FetchError, Moment, OptionProblems, Panel, Reach, Request, Response,
    Widget, WidgetContext,
    option_types::{BaseAddress, Bounded, Lenient, OneOrMany, Secret, Text},
    panel::{self, ActionButton, Columns, Entries, Paragraph, Part, Phrase, Picture, SafeUrl, Tone},
    services::tolerant,
};

/// Maximum number of links per page.
const PAGE: usize = 100;
/// Maximum number of pages per list.
const MAX_PAGES: usize = 10;
/// With more tags than this, all links are read, instead of one list per tag.
const MAX_LISTS: usize = 10;
/// Maximum length of a tag that a browser may ask for.
const MAX_TAG: usize = 100;
/// The action that shows the links with one tag, or all links again.
const SHOW: &str = "show";

/// Lists links from a linkding instance, all of them or those with certain tags. Signed-in viewers can click a tag to see
/// only its links.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Bookmarks {
    /// Address of the instance with its path, such as {example}.
    #[schemars(extend("x-required" = true, "x-example" = "http://192.168.1.8:9090"))]
    host: Lenient<BaseAddress>,
    /// API token (Settings, Integrations), or the name of an environment variable.
    #[schemars(extend("x-required" = true))]
    api_key: Secret,
    /// Shows only links with at least one of these tags: a list, or words separated by commas or spaces. Without it,
    /// all are shown.
    tags: OneOrMany<Lenient<Text>>,
    /// Maximum number of links.
    limit: Bounded<1, 100, 1000>,
}

impl Widget for Bookmarks {
    const SYNONYMS: &'static [(&'static str, &'static str)] =
        &[("hostname", "host"), ("url", "host"), ("token", "apiKey")];
    const REACH: Reach = Reach::ViaServer;
    const CATEGORY: Category = Category::TextAndLinks;
    const USUAL_LINES: usize = 10;

    fn check(&self, _entry: &Entry, problems: &mut OptionProblems) {
        let has_address = self.host.get().is_some_and(BaseAddress::is_set);
        problems.require_option(has_address, "host", "the address of linkding");
        problems.require_option(self.api_key.is_set(), "apiKey", "the API token of linkding (Settings, Integrations)");
        if !self.tags.is_empty() && self.tags().is_empty() {
            problems.error("tags must be a list of words, for example [news, reading].");
        }
        for written in self.tags.iter().filter_map(Lenient::unknown) {
            problems.note(format!("tags must be a list of words; {written} is not one and is left out."));
        }
        self.limit.check("limit", problems);
    }

    fn refresh(&self) -> Option<Duration> {
        Some(Duration::from_secs(300))
    }

    async fn fetch(&self, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let tags = self.tags();
        let links = self.links(&tags, context).await?;
        if links.is_empty() {
            return Ok(Panel::empty(match tags.as_slice() {
                [] => "No bookmarks".into(),
                tags => Phrase::from("No bookmarks with the tags {tags}").with("tags", tags.join(", ")),
            }));
        }
        Ok(Panel::new(vec![self.listed(&links)]))
    }

    async fn act(&self, action: &Action, context: &dyn WidgetContext) -> Result<ActionOutcome, FetchError> {
        let tag = action.target.trim();
        if action.name != SHOW || tag.chars().count() > MAX_TAG {
            return Err(FetchError::message("There is no such tag."));
        }
        let panel = if tag.is_empty() { self.fetch(context).await? } else { self.tagged(tag, context).await? };
        Ok(ActionOutcome::Shown(Box::new(panel)))
    }
}

impl Bookmarks {
    /// The links with a tag that was clicked, among those that are shown without it.
    async fn tagged(&self, tag: &str, context: &dyn WidgetContext) -> Result<Panel, FetchError> {
        let tags = self.tags();
        let is_shown = |link: &LinkReply| tags.is_empty() || link.has_one_of(&tags);
        let is_wanted = |link: &LinkReply| link.has_one_of(&[tag]) && is_shown(link);
        let links = self.list(Some(tag), &is_wanted, context).await?;
        let words = Phrase::from("Links with the tag {tag}").with("tag", tag);
        let all = Action { name: SHOW.to_owned(), target: String::new() };
        let button = ActionButton { action: all, label: "Show all".into(), ..ActionButton::default() };
        let head = Columns { columns: vec![vec![Paragraph::new(words).into()], vec![button.into()]] };
        Ok(Panel::new(vec![head.into(), self.listed(&links)]))
    }

    fn listed(&self, links: &[LinkReply]) -> Part {
        let entries = links.iter().take(self.limit.count()).map(LinkReply::entry).collect();
        Entries::new(entries).into()
    }

    /// The tags without hashes, each once, ignoring case.
    fn tags(&self) -> Vec<String> {
        let written = self.tags.iter().filter_map(Lenient::get);
        let words = written.flat_map(|text| text.split([',', ' ']).map(|word| word.trim().trim_start_matches('#')));
        let mut seen = HashSet::new();
        let tags = words.filter(|tag| !tag.is_empty() && seen.insert(tag.to_lowercase()));
        tags.map(str::to_owned).collect()
    }

    /// The newest links with one of the tags, or with any if no tags are given.
    async fn links(&self, tags: &[String], context: &dyn WidgetContext) -> Result<Vec<LinkReply>, FetchError> {
        match tags {
            [] => self.list(None, &|_| true, context).await,
            [tag] => self.list(Some(tag), &|_| true, context).await,
            tags if tags.len() > MAX_LISTS => self.list(None, &|link: &LinkReply| link.has_one_of(tags), context).await,
            tags => {
                let lists = try_join_all(tags.iter().map(|tag| self.list(Some(tag), &|_| true, context))).await?;
                let mut seen = HashSet::new();
                let mut links: Vec<LinkReply> =
                    lists.into_iter().flatten().filter(|link| seen.insert(link.identity())).collect();
                links.sort_by_key(|link| std::cmp::Reverse(link.added()));
                Ok(links)
            }
        }
    }

    /// Up to the limit of links from one list, page by page.
    async fn list(
        &self,
        tag: Option<&str>,
        is_wanted: &(dyn Fn(&LinkReply) -> bool + Sync),
        context: &dyn WidgetContext,
    ) -> Result<Vec<LinkReply>, FetchError> {
        let size = self.limit.count().min(PAGE);
        let (mut links, mut offset) = (Vec::new(), 0);
        for _ in 0..MAX_PAGES {
            let page = self.page(tag, size, offset, context).await?;
            let count = page.results.len();
            let read = page.results.into_iter().filter_map(|link| serde_json::from_value::<LinkReply>(link).ok());
            links.extend(read.filter(|link| link.url.is_some() && is_wanted(link)));
            // Behind a proxy, the address of the next page is often wrong, so only check whether there is one.
            if links.len() >= self.limit.count() || count == 0 || page.next.is_none() {
                break;
            }
            offset += count;
        }
        Ok(links)
    }

    async fn page(
        &self,
        tag: Option<&str>,
        size: usize,
        offset: usize,
        context: &dyn WidgetContext,
    ) -> Result<PageReply, FetchError> {
        let address = self.host.get().cloned().unwrap_or_default().without(&["/api/bookmarks", "/api"]);
        // Without the trailing slash the response is a redirect.
        let mut request = Request::get(address.join("/api/bookmarks/", &[]))
            .query("limit", size)
            .header("Accept", "application/json")
            .header("Authorization", format!("Token {}", self.api_key.reveal()));
        if let Some(tag) = tag {
            request = request.query("q", format_args!("#{tag}"));
        }
        if offset > 0 {
            request = request.query("offset", offset);
        }
        read(&context.exchange(request).await?)
    }
}

fn read(reply: &Response) -> Result<PageReply, FetchError> {
    let host = &reply.host;
    match reply.status {
        401 | 403 => Err(FetchError::login_refused(format!(
            "{host}: the bookmark manager refused the key. Check the option apiKey (Settings, Integrations)."
        ))),
        404 => Err(FetchError::message(format!(
            "{host} has no bookmark manager there: check the option host with its path."
        ))),
        200..=299 if reply.body.trim_ascii_start().starts_with(b"<") => Err(FetchError::message(format!(
            "{host} sent a web page in place of data, so this is not a bookmark manager API: check the option host, and \
             that no sign-in page stands in front of it."
        ))),
        _ => reply.json(),
    }
}

#[derive(Deserialize)]
struct PageReply {
    #[serde(default, deserialize_with = "tolerant::text")]
    next: Option<String>,
    results: Vec<Value>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct LinkReply {
    #[serde(deserialize_with = "tolerant::text")]
    id: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    url: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    title: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    description: Option<String>,
    /// The title of the page itself, from servers before 1.40.
    #[serde(deserialize_with = "tolerant::text")]
    website_title: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    website_description: Option<String>,
    #[serde(deserialize_with = "tolerant::text")]
    favicon_url: Option<String>,
    #[serde(deserialize_with = "tolerant::flag")]
    unread: Option<bool>,
    #[serde(deserialize_with = "tolerant::entries")]
    tag_names: Vec<String>,
    #[serde(deserialize_with = "tolerant::text")]
    date_added: Option<String>,
}

impl LinkReply {
    /// Identifies a link that occurs in several lists.
    fn identity(&self) -> String {
        self.id.as_deref().or(self.url.as_deref()).unwrap_or_default().to_owned()
    }

    /// Whether it has one of these tags, ignoring case.
    fn has_one_of(&self, tags: &[impl AsRef<str>]) -> bool {
        let is_tag = |name: &str| tags.iter().any(|tag| tag.as_ref().to_lowercase() == name);
        self.tag_names.iter().any(|name| is_tag(&name.to_lowercase()))
    }

    fn added(&self) -> Option<Moment> {
        self.date_added.as_deref().and_then(Moment::parse)
    }

    fn entry(&self) -> panel::ListEntry {
        let url = self.url.as_deref().unwrap_or_default();
        // A link without its own title is shown by its host and path.
        let short = || url.split_once("://").map_or(url, |(_, rest)| rest).split(['?', '#']).next().unwrap_or(url);
        let title = self.title.as_deref().or(self.website_title.as_deref()).unwrap_or_else(short);
        let text = self.description.as_deref().or(self.website_description.as_deref());
        panel::ListEntry {
            url: SafeUrl::parse(url),
            text: text.map(Phrase::foreign),
            picture: self.favicon_url.as_deref().and_then(Picture::parse),
            tags: self.tag_names.iter().map(|tag| Phrase::foreign(tag.as_str())).collect(),
            tag_action: Some(SHOW.to_owned()),
            tone: if self.unread == Some(true) { Tone::Info } else { Tone::Plain },
            ..panel::ListEntry::new(Phrase::foreign(title))
        }
    }
}
