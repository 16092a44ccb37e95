//! Feeds: RSS, RDF, Atom and JSON Feed, read into one common form.

mod capture;
mod date;
mod draft;
mod json_feed;
mod page;
mod tag;
#[cfg(test)]
mod tests;
mod vocabulary;
mod xml;

use std::{
    borrow::Cow,
    hash::{DefaultHasher, Hash, Hasher},
    time::Duration,
};

use percent_encoding::percent_decode_str;
use serde::{Deserialize, Serialize};
use serde_json::json;
use url::Url;

use self::xml::FeedError;
use crate::{
    FetchError, Moment, Request, Response, WidgetContext,
    context::charset,
    panel::{PlainText, teaser},
};

/// The supported formats, most preferred first.
const ACCEPT: &str = "application/rss+xml, application/atom+xml, application/rdf+xml, application/feed+json, \
    application/xml;q=0.9, text/xml;q=0.8, */*;q=0.1";
/// Maximum number of bytes of a feed.
const MAX_BYTES: usize = 5 * 1024 * 1024;
/// File extensions of pictures.
const PICTURES: [&str; 6] = [".jpg", ".jpeg", ".png", ".gif", ".webp", ".avif"];
/// Maximum number of characters in the substitute title of a post that has none.
const MAX_NAME_LENGTH: usize = 100;
/// How long a feed is remembered, for servers that respond that nothing has changed.
const LIFE: Duration = Duration::from_secs(86_400);

/// A feed. Texts have no markup. Addresses are as found in the file, so they must be checked before they are shown.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Feed {
    pub(crate) title: String,
    pub(crate) url: Option<String>,
    pub(crate) author: Option<String>,
    pub(crate) picture: Option<String>,
    pub(crate) posts: Vec<Post>,
}

/// One post of a feed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Post {
    pub(crate) title: String,
    pub(crate) url: Option<String>,
    pub(crate) date: Option<Moment>,
    pub(crate) author: Option<String>,
    pub(crate) picture: Option<String>,
    /// The text without markup.
    pub(crate) text: String,
}

/// What is remembered of a feed between two refreshes.
#[derive(Serialize, Deserialize)]
struct CachedFeed {
    etag: Option<String>,
    modified: Option<String>,
    feed: Feed,
}

/// Fetches and reads a feed, or returns the previous one if nothing has changed.
///
/// # Errors
///
/// The feed cannot be fetched or read.
pub(crate) async fn fetch(context: &dyn WidgetContext, address: &str) -> Result<Feed, FetchError> {
    let mut hasher = DefaultHasher::new();
    address.hash(&mut hasher);
    let mut request = Request::get(address).header("Accept", ACCEPT);
    request.max_bytes = Some(MAX_BYTES);
    let key = format!("feed/{}/{:016x}", request.host(), hasher.finish());
    let kept: Option<CachedFeed> = context.recall(&key).and_then(|kept| serde_json::from_value(kept).ok());
    if let Some(kept) = &kept {
        let validators = [("If-None-Match", &kept.etag), ("If-Modified-Since", &kept.modified)];
        for (name, value) in validators {
            request = match value {
                Some(value) => request.header(name, value),
                None => request,
            };
        }
    }
    let reply = context.exchange(request).await?;
    if let (304, Some(kept)) = (reply.status, kept) {
        return Ok(kept.feed);
    }
    if let 400..=428 | 430..=499 = reply.status {
        return Err(FetchError::message(format!("The feed answered {}: check the option rssUrl.", reply.status)));
    }
    let feed = read(reply.ok()?, address)?;
    let header = |name| reply.header(name).map(str::to_owned);
    let (etag, modified) = (header("etag"), header("last-modified"));
    if etag.is_some() || modified.is_some() {
        context.remember(&key, json!(CachedFeed { etag, modified, feed: feed.clone() }), LIFE);
    }
    Ok(feed)
}

/// Reads a feed.
///
/// # Errors
///
/// The body is not a feed.
pub(crate) fn read(reply: &Response, address: &str) -> Result<Feed, FetchError> {
    let text = text_of(reply);
    let text = text.trim_start();
    if text.starts_with('{') {
        return json_feed::read(text.as_bytes(), address).ok_or_else(no_feed);
    }
    xml::read(text, address).map_err(|fault| match fault {
        // The posts may use an unknown vocabulary, which is different from an empty feed.
        FeedError::UnknownPosts => FetchError::message("The posts of the feed cannot be read."),
        FeedError::NoFeed if is_page(text) => {
            let found = page::feed_of(text, address);
            let help = found.map_or_else(
                || " Set rssUrl to the address of the feed itself.".to_owned(),
                |url| format!(" It names this feed: {url}"),
            );
            FetchError::message(format!("Not a feed: this is the address of a web page.{help}"))
        }
        FeedError::NoFeed => no_feed(),
    })
}

fn no_feed() -> FetchError {
    FetchError::message("Not a feed: check the option rssUrl.")
}

/// The body as text, in the character set of its XML declaration or of the HTTP header, whichever fits its bytes.
fn text_of(reply: &Response) -> Cow<'_, str> {
    let body = reply.body.trim_ascii_start();
    let head = String::from_utf8_lossy(&body[..body.len().min(200)]).to_ascii_lowercase();
    let quotes = ['"', '\'', ' '];
    let declared = head.strip_prefix("<?xml").and_then(|rest| rest.split_once("?>")).and_then(|(rest, _)| {
        let (_, rest) = rest.split_once("encoding")?;
        let rest = rest.trim_start().strip_prefix('=')?.trim_start_matches(quotes);
        rest.split(quotes).next()
    });
    let names: Vec<&str> = declared.into_iter().chain(reply.charset()).collect();
    charset::decode(body, &names)
}

fn is_page(text: &str) -> bool {
    let head = text[..text.floor_char_boundary(1000)].to_ascii_lowercase();
    head.contains("<html") || head.contains("<!doctype html")
}

impl Post {
    /// Creates a post; if it has no title, the beginning of its text or the name of its link serves as one.
    pub(crate) fn new(
        title: String,
        url: Option<String>,
        date: Option<Moment>,
        author: Option<String>,
        picture: Option<String>,
        text: String,
    ) -> Self {
        let title = if title.is_empty() { teaser(&text, MAX_NAME_LENGTH) } else { title };
        let title = if title.is_empty() { url.as_deref().and_then(name_of).unwrap_or_default() } else { title };
        Self { title, url, date, author, picture, text }
    }

    /// Whether there is nothing to show.
    pub(crate) fn is_blank(&self) -> bool {
        self.title.is_empty() && self.text.is_empty() && self.url.is_none() && self.picture.is_none()
    }
}

/// A name for a link: the last segment of its path in readable form, or else its host.
fn name_of(url: &str) -> Option<String> {
    let url = Url::parse(url).ok().filter(Url::has_host)?;
    let steps = url.path_segments()?.map(|step| percent_decode_str(step).decode_utf8_lossy());
    let last = steps.map(|step| in_a_line(&step)).rfind(|step| !step.is_empty());
    Some(last.map_or_else(|| url.host_str().unwrap_or_default().to_owned(), |step| teaser(&step, MAX_NAME_LENGTH)))
}

/// A text without markup, with single spaces.
fn in_a_line(text: &str) -> String {
    text.split(|character: char| character.is_whitespace() || character.is_control())
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

/// The name of a person. RSS requires an email address with the name in parentheses; the address is not shown.
fn person(written: &str) -> String {
    let name = PlainText::read(written).text;
    match name.split_once('(') {
        Some((mail, rest)) if mail.contains('@') => rest.trim_end_matches(')').trim().to_owned(),
        None if name.contains('@') && !name.contains(' ') => String::new(),
        _ => name,
    }
}

/// The character for a reference such as `&nbsp;`; an unknown reference is returned unchanged.
fn decoded(reference: &str) -> String {
    let decoded = PlainText::read(reference).text;
    // White space at the ends of a text would be trimmed.
    if decoded.is_empty() { " ".to_owned() } else { decoded }
}

/// Whether an id could be an address.
fn is_link(id: &str) -> bool {
    id.starts_with("http://") || id.starts_with("https://")
}

/// Resolves an address against a base; unchanged if that fails.
pub(crate) fn absolute(url: &str, base: Option<&Url>) -> String {
    match base.map(|base| base.join(url.trim())) {
        Some(Ok(url)) => url.to_string(),
        _ => url.trim().to_owned(),
    }
}

/// Parses a date in any of the forms found in feeds.
pub(crate) fn parse_date(text: &str) -> Option<Moment> {
    date::parse(text)
}
