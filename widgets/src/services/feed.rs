//! Feeds: RSS, RDF, Atom and JSON Feed, as one kind of thing.

mod ampersand;
mod atom;
mod date;
mod guid;
mod json_feed;
mod limits;
mod pictures;
mod root;
mod tags;
#[cfg(test)]
mod tests;

use std::{
    borrow::Cow,
    collections::HashSet,
    fmt::Display,
    hash::{DefaultHasher, Hash, Hasher},
    time::Duration,
};

use encoding_rs::{Encoding, UTF_8};
use feed_rs::{
    model::{self, FeedType, Text},
    parser,
};
use percent_encoding::percent_decode_str;
use serde::{Deserialize, Serialize};
use serde_json::json;
use url::Url;

use self::pictures::Pictures;
use crate::{
    FetchError, Moment, Outside, Reply, Request,
    panel::{PlainText, teaser},
};

/// The formats that are understood, the best first.
const ACCEPT: &str = "application/rss+xml, application/atom+xml, application/rdf+xml, application/feed+json, \
    application/xml;q=0.9, text/xml;q=0.8, */*;q=0.1";
/// Most bytes of a feed.
const MOST_BYTES: usize = 5 * 1024 * 1024;
/// The endings of files that are pictures.
const PICTURES: [&str; 6] = [".jpg", ".jpeg", ".png", ".gif", ".webp", ".avif"];
/// How many characters a post is called by that has no title.
const LONGEST_NAME: usize = 100;
/// How long a feed is remembered, for servers that say that nothing has changed.
const LIFE: Duration = Duration::from_secs(86_400);

/// A feed. Texts have no markup; addresses are as they were found, so they must be checked before they are shown.
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

/// What is remembered of a feed between two lookups.
#[derive(Serialize, Deserialize)]
struct Kept {
    etag: Option<String>,
    modified: Option<String>,
    feed: Feed,
}

/// Fetches and reads a feed, or takes the former one if nothing has changed.
///
/// # Errors
///
/// If the feed cannot be had or read.
pub(crate) async fn fetch(outside: &impl Outside, address: &str) -> Result<Feed, FetchError> {
    let mut hasher = DefaultHasher::new();
    address.hash(&mut hasher);
    let mut request = Request::get(address).header("Accept", ACCEPT);
    request.max_bytes = Some(MOST_BYTES);
    let key = format!("feed/{}/{:016x}", request.host(), hasher.finish());
    let kept: Option<Kept> = outside.recall(&key).and_then(|kept| serde_json::from_value(kept).ok());
    if let Some(kept) = &kept {
        let validators = [("If-None-Match", &kept.etag), ("If-Modified-Since", &kept.modified)];
        for (name, value) in validators {
            request = match value {
                Some(value) => request.header(name, value),
                None => request,
            };
        }
    }
    let reply = outside.exchange(request).await?;
    if let (304, Some(kept)) = (reply.status, kept) {
        return Ok(kept.feed);
    }
    if let 400..=428 | 430..=499 = reply.status {
        return Err(FetchError::told(format!("The feed answered {}.", reply.status)));
    }
    let feed = read(reply.ok()?, address)?;
    let header = |name| reply.header(name).map(str::to_owned);
    let (etag, modified) = (header("etag"), header("last-modified"));
    if etag.is_some() || modified.is_some() {
        outside.remember(&key, json!(Kept { etag, modified, feed: feed.clone() }), LIFE);
    }
    Ok(feed)
}

/// Reads a feed.
///
/// # Errors
///
/// If it is none.
pub(crate) fn read(reply: &Reply, address: &str) -> Result<Feed, FetchError> {
    let body = utf8(reply);
    if body.starts_with(b"{") {
        return json_feed::read(&body, address).ok_or_else(|| FetchError::told("Not a feed."));
    }
    // Nothing may change the file once it is known to keep the limits.
    let body = root::known(ampersand::escaped(body));
    if !limits::are_kept(&body) {
        return Err(if is_page(&body) { web_page() } else { FetchError::told("Not a feed.") });
    }
    let parser = parser::Builder::new()
        .sanitize_content(false)
        .base_uri(Some(address))
        .timestamp_parser(|text| {
            date::parse(text).and_then(|date| chrono::DateTime::from_timestamp_millis(date.millis()))
        })
        .build();
    match parser.parse(body.as_ref()) {
        // They may belong to something that nobody knows, which is not the same as that there are none.
        Ok(feed) if feed.entries.is_empty() && root::holds_posts(&body) => {
            Err(FetchError::told("The posts of the feed cannot be read."))
        }
        Ok(feed) => Ok(Feed::from_model(feed, address, &guid::no_links(&body), &Pictures::of(&body))),
        Err(_) if is_page(&body) => Err(web_page()),
        Err(_) => Err(FetchError::told("Not a feed.")),
    }
}

/// The body as the parser wants it. The character set of a byte-order mark or of the HTTP header counts where the parser
/// cannot know it from the file itself.
fn utf8(reply: &Reply) -> Cow<'_, [u8]> {
    if let Some((encoding, _)) = Encoding::for_bom(&reply.body).filter(|(encoding, _)| *encoding != UTF_8) {
        // The declaration is about the bytes that were sent, and those are no more.
        let text = encoding.decode(&reply.body).0.into_owned();
        let declared = text.trim_start().strip_prefix("<?xml").and_then(|rest| rest.split_once("?>"));
        return Cow::Owned(declared.map_or(text.as_str(), |(_, rest)| rest).trim_start().as_bytes().to_vec());
    }
    let body = reply.body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&reply.body).trim_ascii_start();
    let head = String::from_utf8_lossy(&body[..body.len().min(200)]).to_ascii_lowercase();
    let content_type = reply.header("content-type").unwrap_or_default().to_ascii_lowercase();
    let label = content_type.split_once("charset=").map(|(_, rest)| rest.split(';').next().unwrap_or_default());
    let label = label.map(|label| label.trim_matches(['"', '\'', ' ']));
    match label.and_then(|label| Encoding::for_label(label.as_bytes())) {
        Some(encoding) if !head.contains("encoding=") && encoding != UTF_8 => {
            Cow::Owned(encoding.decode(body).0.into_owned().into_bytes())
        }
        _ => Cow::Borrowed(body),
    }
}

fn web_page() -> FetchError {
    FetchError::told("Not a feed: this is the address of a web page.")
}

fn is_page(body: &[u8]) -> bool {
    let head = String::from_utf8_lossy(&body[..body.len().min(1000)]).to_ascii_lowercase();
    head.contains("<html") || head.contains("<!doctype html")
}

impl Feed {
    /// The feed as the parser has read it. `no_links` are ids of posts that lead nowhere.
    fn from_model(feed: model::Feed, address: &str, no_links: &HashSet<String>, pictures: &Pictures) -> Self {
        let is_atom = feed.feed_type == FeedType::Atom;
        let url = page(&feed.links).map(str::to_owned);
        let base = Url::parse(address).ok();
        // Links that are relative to nothing else are relative to the site, and that to the feed's own address.
        let site = match (&base, &url) {
            (Some(base), Some(url)) => base.join(url).ok().or_else(|| Some(base.clone())),
            _ => base,
        };
        // RSS names the editor of a feed in place of an author, beside the person who runs the server.
        let is_editor = |person: &model::Person| person.name == "managingEditor";
        let editors: Vec<_> = feed.contributors.into_iter().filter(is_editor).collect();
        let picture = feed.logo.or(feed.icon).map(|image| image.uri);
        Self {
            title: feed.title.map(|title| words(&title, is_atom)).unwrap_or_default(),
            url: url.map(|url| absolute(&url, site.as_ref())),
            author: author(&feed.authors).or_else(|| author(&editors)),
            picture: picture.map(|picture| absolute(&picture, site.as_ref())),
            posts: feed
                .entries
                .into_iter()
                .map(|entry| Post::from_model(entry, site.as_ref(), is_atom, no_links, pictures))
                .collect(),
        }
    }
}

impl Post {
    fn from_model(
        entry: model::Entry,
        site: Option<&Url>,
        is_atom: bool,
        no_links: &HashSet<String>,
        pictures: &Pictures,
    ) -> Self {
        // A guid is a link if it looks like one, is not said to be none, and there is no other.
        let id = Some(entry.id.as_str()).filter(|id| id.starts_with("http://") || id.starts_with("https://"));
        let id = id.filter(|id| !no_links.contains(*id));
        let url = page(&entry.links).or(id).map(|url| absolute(url, site));
        let short = entry.summary.as_ref().map(|text| read_text(&text.content, &text.content_type, is_atom));
        let long = entry
            .content
            .as_ref()
            // Anything else is no text for people, such as a picture.
            .filter(|content| content.content_type.ty() == "text")
            .map(|content| read_text(content.body.as_deref().unwrap_or_default(), &content.content_type, is_atom));
        let (short, long) = (short.unwrap_or_default(), long.unwrap_or_default());
        let base = url.as_deref().and_then(|url| Url::parse(url).ok());
        let picture = media_picture(&entry.media, &entry.links, pictures).or(short.picture).or(long.picture);
        let text = if short.text.is_empty() { long.text } else { short.text };
        Self::new(
            entry.title.map(|title| words(&title, is_atom)).unwrap_or_default(),
            url,
            entry.published.or(entry.updated).map(|date| Moment::from_millis(date.timestamp_millis())),
            author(&entry.authors),
            picture.map(|picture| absolute(&picture, base.as_ref().or(site))),
            text,
        )
    }

    /// A post; one without a title is called by the beginning of its text, or else by where it leads.
    pub(crate) fn new(
        title: String,
        url: Option<String>,
        date: Option<Moment>,
        author: Option<String>,
        picture: Option<String>,
        text: String,
    ) -> Self {
        let title = if title.is_empty() { teaser(&text, LONGEST_NAME) } else { title };
        let title = if title.is_empty() { url.as_deref().and_then(name_of).unwrap_or_default() } else { title };
        Self { title, url, date, author, picture, text }
    }

    /// Whether there is nothing that could be shown.
    pub(crate) fn is_blank(&self) -> bool {
        self.title.is_empty() && self.text.is_empty() && self.url.is_none() && self.picture.is_none()
    }
}

/// What a link may be called: the last step of its path as people read it, or else its host.
fn name_of(url: &str) -> Option<String> {
    let url = Url::parse(url).ok().filter(Url::has_host)?;
    let steps = url.path_segments()?.map(|step| percent_decode_str(step).decode_utf8_lossy());
    let last = steps.map(|step| in_a_line(&step)).rfind(|step| !step.is_empty());
    Some(last.map_or_else(|| url.host_str().unwrap_or_default().to_owned(), |step| teaser(&step, LONGEST_NAME)))
}

/// A text as words, and the first picture in it. Only Atom says whether there is markup in a text; elsewhere people
/// write both.
fn read_text(text: &str, content_type: &impl Display, is_atom: bool) -> PlainText {
    if is_atom && content_type.to_string().starts_with("text/plain") {
        return PlainText { text: in_a_line(text), picture: None };
    }
    PlainText::read(text)
}

/// A text without markup, with single spaces.
fn in_a_line(text: &str) -> String {
    text.split(|character: char| character.is_whitespace() || character.is_control())
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

fn words(title: &Text, is_atom: bool) -> String {
    read_text(&title.content, &title.content_type, is_atom).text
}

/// The address of the page among links to the feed itself, to files and to editors.
fn page(links: &[model::Link]) -> Option<&str> {
    let is = |link: &&model::Link, wanted: Option<&str>| link.rel.as_deref() == wanted;
    let found =
        links.iter().find(|link| is(link, Some("alternate"))).or_else(|| links.iter().find(|link| is(link, None)));
    found.map(|link| link.href.trim()).filter(|href| !href.is_empty())
}

fn author(people: &[model::Person]) -> Option<String> {
    let names: Vec<String> = people.iter().map(name).filter(|name| !name.is_empty()).collect();
    (!names.is_empty()).then(|| names.join(", "))
}

/// The name of a person. RSS wants a mail address with the name in brackets, which the parser takes for an address, and
/// writes the element's name for that of the person. The address is nobody's business.
fn name(person: &model::Person) -> String {
    let is_role = ["author", "managingEditor", "webMaster"].contains(&person.name.as_str());
    let written = person.email.as_deref().filter(|_| is_role).unwrap_or(&person.name);
    let name = PlainText::read(written).text;
    match name.split_once('(') {
        Some((mail, rest)) if mail.contains('@') => rest.trim_end_matches(')').trim().to_owned(),
        None if name.contains('@') && !name.contains(' ') => String::new(),
        _ => name,
    }
}

/// A thumbnail, or else a file that is a picture, or else an enclosed one, or else the cover of the episode.
fn media_picture(media: &[model::MediaObject], links: &[model::Link], pictures: &Pictures) -> Option<String> {
    let thumbnails = || media.iter().flat_map(|media| &media.thumbnails).map(|thumbnail| &thumbnail.image.uri);
    let is_picture = |content: &&model::MediaContent| match (&content.content_type, &content.url) {
        (Some(kind), _) => kind.ty() == "image",
        (None, Some(url)) => {
            let path = url.path().to_ascii_lowercase();
            pictures.has(url) || PICTURES.iter().any(|ending| path.ends_with(ending))
        }
        (None, None) => false,
    };
    let files =
        || media.iter().flat_map(|media| &media.content).filter(is_picture).filter_map(|file| file.url.as_ref());
    let file = files().find(|url| !pictures.is_enclosure(url)).or_else(|| files().next()).map(ToString::to_string);
    let thumbnail = thumbnails().find(|url| !pictures.is_cover(url)).cloned();
    thumbnail.or(file).or_else(|| enclosed(links)).or_else(|| thumbnails().next().cloned())
}

/// The picture that a post of an Atom feed encloses.
fn enclosed(links: &[model::Link]) -> Option<String> {
    let is_picture = |link: &&model::Link| {
        let kind = link.media_type.as_deref().unwrap_or_default();
        link.rel.as_deref() == Some("enclosure") && kind.starts_with("image/")
    };
    links.iter().find(is_picture).map(|link| link.href.clone())
}

/// The address seen from a base; as it is if that makes none.
pub(crate) fn absolute(url: &str, base: Option<&Url>) -> String {
    match base.map(|base| base.join(url.trim())) {
        Some(Ok(url)) => url.to_string(),
        _ => url.trim().to_owned(),
    }
}

/// Reads a date in any of the forms that feeds have.
pub(crate) fn parse_date(text: &str) -> Option<Moment> {
    date::parse(text)
}
