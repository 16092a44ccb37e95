//! Feeds in JSON (<https://www.jsonfeed.org/version/1.1/>). A field of the wrong type is skipped without affecting the
//! others.

use std::fmt;

use serde::{
    Deserialize, Deserializer,
    de::{IgnoredAny, SeqAccess, Visitor},
};
use url::Url;

use super::{
    date,
    draft::MAX_POSTS,
    post::{Feed, Post, absolute, in_a_line},
};
use crate::{
    context::is_too_much_json,
    option_types::{Lenient, OneOrMany, Text},
    panel::PlainText,
};

type Words = Lenient<Text>;

#[derive(Deserialize)]
struct FeedReply {
    version: String,
    #[serde(default)]
    title: Words,
    #[serde(default)]
    home_page_url: Words,
    #[serde(default)]
    icon: Words,
    #[serde(default)]
    favicon: Words,
    #[serde(default)]
    author: Lenient<AuthorReply>,
    #[serde(default)]
    authors: OneOrMany<Lenient<AuthorReply>>,
    #[serde(default, deserialize_with = "first_items")]
    items: Vec<Lenient<ItemReply>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ItemReply {
    /// Version 1.1 requires a text, but some feeds have a number.
    id: Words,
    url: Words,
    external_url: Words,
    title: Words,
    content_html: Words,
    content_text: Words,
    summary: Words,
    image: Words,
    banner_image: Words,
    date_published: Words,
    date_modified: Words,
    author: Lenient<AuthorReply>,
    authors: OneOrMany<Lenient<AuthorReply>>,
    attachments: OneOrMany<Lenient<AttachmentReply>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct AttachmentReply {
    url: Words,
    mime_type: Words,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct AuthorReply {
    name: Words,
}

/// Keeps only as many items as can be shown: each takes a multiple of its bytes in memory.
fn first_items<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Lenient<ItemReply>>, D::Error> {
    struct First;

    impl<'de> Visitor<'de> for First {
        type Value = Vec<Lenient<ItemReply>>;

        fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            formatter.write_str("a list of items")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
            let mut items = Vec::new();
            while items.len() < MAX_POSTS {
                match list.next_element()? {
                    Some(item) => items.push(item),
                    None => return Ok(items),
                }
            }
            while list.next_element::<IgnoredAny>()?.is_some() {}
            Ok(items)
        }
    }

    deserializer.deserialize_seq(First)
}

/// Reads a feed; `None` if the file is not a feed.
pub(super) fn read(file: &[u8], address: &str) -> Option<Feed> {
    if is_too_much_json(file) {
        return None;
    }
    let feed: FeedReply = serde_json::from_slice(file).ok()?;
    if !feed.version.contains("://jsonfeed.org/version/1") {
        return None;
    }
    let base = Url::parse(address).ok();
    let home = text(&feed.home_page_url).map(|url| absolute(url, base.as_ref()));
    let site = home.as_deref().and_then(|url| Url::parse(url).ok()).or(base);
    let author = names(&feed.author, &feed.authors);
    let picture = text(&feed.icon).or_else(|| text(&feed.favicon));
    Some(Feed {
        title: plain(&feed.title).text,
        picture: picture.map(|picture| absolute(picture, site.as_ref())),
        posts: feed
            .items
            .iter()
            .filter_map(Lenient::get)
            .map(|item| item.post(site.as_ref(), author.as_ref()))
            .collect(),
        author,
        url: home,
    })
}

impl ItemReply {
    fn post(&self, site: Option<&Url>, author: Option<&String>) -> Post {
        let id = text(&self.id).filter(|id| id.starts_with("http://") || id.starts_with("https://"));
        let attachments = || self.attachments.iter().filter_map(Lenient::get);
        let medium = || attachments().find_map(|file| text(&file.url));
        let url = text(&self.url).or_else(|| text(&self.external_url)).or(id).or_else(medium);
        let url = url.map(|url| absolute(url, site));
        let (short, html) = (plain(&self.summary), plain(&self.content_html));
        let long = in_a_line(text(&self.content_text).unwrap_or_default());
        let is_picture = |file: &&AttachmentReply| text(&file.mime_type).is_some_and(|kind| kind.starts_with("image/"));
        let attached = || attachments().filter(is_picture).find_map(|file| text(&file.url));
        let picture = text(&self.image).or_else(|| text(&self.banner_image)).or_else(attached).map(str::to_owned);
        let base = url.as_deref().and_then(|url| Url::parse(url).ok());
        let picture = picture.or(short.picture).or(html.picture);
        let words = [short.text, html.text, long].into_iter().find(|text| !text.is_empty());
        let date = |date: &Words| text(date).and_then(date::parse);
        Post::new(
            plain(&self.title).text,
            url,
            date(&self.date_published).or_else(|| date(&self.date_modified)),
            names(&self.author, &self.authors).or_else(|| author.cloned()),
            picture.map(|picture| absolute(&picture, base.as_ref().or(site))),
            words.unwrap_or_default(),
        )
    }
}

fn text(words: &Words) -> Option<&str> {
    words.get().and_then(Text::get)
}

/// The words without markup, which people put even into fields for plain text.
fn plain(words: &Words) -> PlainText {
    PlainText::read(text(words).unwrap_or_default())
}

/// The names of the authors. Version 1.0 had only one.
fn names(author: &Lenient<AuthorReply>, authors: &OneOrMany<Lenient<AuthorReply>>) -> Option<String> {
    let mut names: Vec<String> = Vec::new();
    for author in authors.iter().chain([author]).filter_map(Lenient::get) {
        let name = plain(&author.name).text;
        if !name.is_empty() && !names.contains(&name) {
            names.push(name);
        }
    }
    (!names.is_empty()).then(|| names.join(", "))
}
