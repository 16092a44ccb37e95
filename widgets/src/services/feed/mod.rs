//! Feeds: RSS, RDF, Atom and JSON Feed, read into one common form.

mod capture;
mod date;
mod draft;
mod json_feed;
mod page;
mod post;
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

use serde::{Deserialize, Serialize};
use serde_json::json;

use self::xml::FeedError;
pub(crate) use self::{
    date::parse as parse_date,
    post::{Feed, Post, absolute},
};
use crate::{FetchError, Request, Response, WidgetContext, context::charset};

/// The supported formats, most preferred first.
const ACCEPT: &str = "application/rss+xml, application/atom+xml, application/rdf+xml, application/feed+json, \
    application/xml;q=0.9, text/xml;q=0.8, */*;q=0.1";
/// Maximum number of bytes of a feed.
const MAX_BYTES: usize = 5 * 1024 * 1024;
/// How long a feed is remembered, for servers that respond that nothing has changed.
const LIFE: Duration = Duration::from_secs(86_400);

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
