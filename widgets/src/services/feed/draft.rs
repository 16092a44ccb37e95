//! A feed while it is being read: keeps the first good value of each kind, in whatever order they come.

use quick_xml::events::BytesStart;
use url::Url;

use super::{
    date,
    post::{Feed, PICTURES, Post, absolute, in_a_line, is_link, person},
    tag::attribute,
};
use crate::{Moment, panel::PlainText};

/// Maximum number of posts that are kept; at most 500 are shown.
pub(super) const MAX_POSTS: usize = 2000;
/// Maximum length of an address.
const MAX_ADDRESS: usize = 4096;

/// Which text of a feed or a post this is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FeedField {
    Title,
    Link,
    Id,
    Short,
    Long,
    Published,
    Updated,
    Author,
    /// A host of a podcast.
    Host,
    /// The editor of a feed, used if there is no author.
    Editor,
    Picture,
    Icon,
}

/// How a text is encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// Plain text.
    Plain,
    /// Escaped markup or plain words; RSS does not say which.
    Html,
    /// As elements.
    Markup,
}

impl Shape {
    /// From the type that Atom gives a text.
    pub(super) fn of_atom(tag: &BytesStart<'_>) -> Self {
        let written = attribute(tag, "type").unwrap_or_default().trim().to_ascii_lowercase();
        match written.as_str() {
            "html" | "text/html" => Self::Html,
            kind if kind == "xhtml" || kind.ends_with("/xml") || kind.ends_with("+xml") => Self::Markup,
            _ => Self::Plain,
        }
    }

    /// The same for the content of a post; `None` if the content is elsewhere, or is not text, such as a picture.
    pub(super) fn of_atom_content(tag: &BytesStart<'_>) -> Option<Self> {
        if attribute(tag, "src").is_some() {
            return None;
        }
        let shape = Self::of_atom(tag);
        let written = attribute(tag, "type").unwrap_or_default().trim().to_ascii_lowercase();
        let is_other = shape == Self::Plain && written.contains('/') && !written.starts_with("text/");
        (!is_other).then_some(shape)
    }
}

/// A text with its shape.
pub(super) struct Text {
    pub(super) text: String,
    pub(super) shape: Shape,
}

impl Text {
    pub(super) fn plain(text: &str) -> Self {
        Self { text: text.to_owned(), shape: Shape::Plain }
    }

    fn read(&self) -> PlainText {
        match self.shape {
            Shape::Plain => PlainText { text: in_a_line(&self.text), picture: None },
            Shape::Html | Shape::Markup => PlainText::read(&self.text),
        }
    }
}

/// An address, and the base that the file declares for it.
#[derive(Clone, Debug, PartialEq)]
struct FeedAddress {
    written: String,
    base: Option<Url>,
}

impl FeedAddress {
    fn new(written: &str, base: Option<Url>) -> Option<Self> {
        let written = written.trim();
        (!written.is_empty() && written.len() <= MAX_ADDRESS).then(|| Self { written: written.to_owned(), base })
    }

    fn absolute(&self, site: Option<&Url>) -> String {
        absolute(&self.written, self.base.as_ref().or(site))
    }
}

/// The feed itself, or one post.
#[derive(Default)]
struct EntryDraft {
    title: String,
    /// The page: a link with `rel="alternate"`.
    page: Option<FeedAddress>,
    /// A link that has no relation.
    link: Option<FeedAddress>,
    id: Option<FeedAddress>,
    short: PlainText,
    long: PlainText,
    published: Option<Moment>,
    updated: Option<Moment>,
    authors: Vec<String>,
    host: Option<String>,
    editor: Option<String>,
    picture: Option<FeedAddress>,
    icon: Option<FeedAddress>,
    thumbnail: Option<FeedAddress>,
    file: Option<FeedAddress>,
    enclosure: Option<FeedAddress>,
    /// A file that the post is about, such as the audio of a podcast, or the page that plays it.
    medium: Option<FeedAddress>,
    cover: Option<FeedAddress>,
    /// Whether anything in it was recognized, even if nothing of it is kept.
    is_known: bool,
}

/// The whole feed. A post is completed when it ends, except for the base of its addresses.
#[derive(Default)]
pub(super) struct FeedDraft {
    feed: EntryDraft,
    post: Option<EntryDraft>,
    posts: Vec<EntryDraft>,
    has_blank: bool,
    has_unknown: bool,
}

impl FeedDraft {
    pub(super) fn is_empty(&self) -> bool {
        self.posts.is_empty() && !self.has_blank
    }

    pub(super) fn is_in_post(&self) -> bool {
        self.post.is_some()
    }

    /// Begins a post.
    pub(super) fn begin(&mut self) {
        self.post = Some(EntryDraft::default());
    }

    /// Ends a post.
    pub(super) fn end(&mut self) {
        let Some(post) = self.post.take() else { return };
        if post.is_blank() {
            self.has_blank = true;
            self.has_unknown |= !post.is_known;
        } else if self.posts.len() < MAX_POSTS {
            self.posts.push(post);
        }
    }

    fn current(&mut self) -> &mut EntryDraft {
        let draft = self.post.as_mut().unwrap_or(&mut self.feed);
        draft.is_known = true;
        draft
    }

    /// Sets a text.
    pub(super) fn set(&mut self, field: FeedField, text: Text, base: Option<Url>) {
        let draft = self.current();
        let first = |slot: &mut Option<FeedAddress>| {
            if slot.is_none() {
                *slot = FeedAddress::new(&text.text, base.clone());
            }
        };
        let name = |slot: &mut Option<String>| {
            if slot.is_none() {
                *slot = Some(person(&text.text)).filter(|name| !name.is_empty());
            }
        };
        match field {
            FeedField::Title if draft.title.is_empty() => draft.title = text.read().text,
            FeedField::Short if draft.short.text.is_empty() => draft.short = text.read(),
            FeedField::Long if draft.long.text.is_empty() => draft.long = text.read(),
            FeedField::Title | FeedField::Short | FeedField::Long => {}
            FeedField::Link => first(&mut draft.link),
            FeedField::Id => first(&mut draft.id),
            FeedField::Picture => first(&mut draft.picture),
            FeedField::Icon => first(&mut draft.icon),
            FeedField::Published => draft.published = draft.published.or_else(|| date::parse(&text.text)),
            FeedField::Updated => draft.updated = draft.updated.or_else(|| date::parse(&text.text)),
            FeedField::Host => name(&mut draft.host),
            FeedField::Editor => name(&mut draft.editor),
            FeedField::Author => {
                let name = person(&text.text);
                // A list of more than a few authors is not read.
                if !name.is_empty() && draft.authors.len() < 20 && !draft.authors.contains(&name) {
                    draft.authors.push(name);
                }
            }
        }
    }

    /// Adds a link of Atom.
    pub(super) fn link(&mut self, relation: Option<&str>, kind: Option<&str>, href: &str, base: Option<Url>) {
        let is_picture = kind.is_some_and(|kind| kind.trim().to_ascii_lowercase().starts_with("image/"));
        let draft = self.current();
        let slot = match relation {
            Some("alternate") => &mut draft.page,
            None => &mut draft.link,
            Some("enclosure") => {
                if is_picture && draft.enclosure.is_none() {
                    draft.enclosure = FeedAddress::new(href, base.clone());
                }
                &mut draft.medium
            }
            // Links to the feed itself, to files and to editors are ignored.
            Some(_) => return,
        };
        if slot.is_none() {
            *slot = FeedAddress::new(href, base);
        }
    }

    pub(super) fn thumbnail(&mut self, address: Option<String>, base: Option<Url>) {
        self.keep(|draft| &mut draft.thumbnail, address, base);
    }

    pub(super) fn cover(&mut self, address: Option<String>, base: Option<Url>) {
        self.keep(|draft| &mut draft.cover, address, base);
    }

    pub(super) fn picture(&mut self, address: Option<String>, base: Option<Url>) {
        self.keep(|draft| &mut draft.picture, address, base);
    }

    pub(super) fn medium(&mut self, address: Option<String>, base: Option<Url>) {
        self.keep(|draft| &mut draft.medium, address, base);
    }

    /// Adds a file of Media RSS.
    pub(super) fn file(&mut self, address: Option<String>, kind: Option<String>, is_said: bool, base: Option<Url>) {
        self.medium(address.clone(), base.clone());
        let address = address.filter(|address| is_picture(address, kind.as_deref(), is_said));
        self.keep(|draft| &mut draft.file, address, base);
    }

    /// Adds a file attached to a post: a picture, or the audio of a podcast.
    pub(super) fn enclosure(&mut self, address: Option<String>, kind: Option<String>, base: Option<Url>) {
        self.medium(address.clone(), base.clone());
        let address = address.filter(|address| is_picture(address, kind.as_deref(), false));
        self.keep(|draft| &mut draft.enclosure, address, base);
    }

    fn keep(
        &mut self,
        slot: fn(&mut EntryDraft) -> &mut Option<FeedAddress>,
        address: Option<String>,
        base: Option<Url>,
    ) {
        let slot = slot(self.current());
        if slot.is_none() {
            *slot = address.and_then(|address| FeedAddress::new(&address, base));
        }
    }

    /// The finished feed; `None` if nothing in its posts was recognized. Relative addresses are resolved against the
    /// site, and the site's address against the feed's own.
    pub(super) fn finish(self, address: Option<Url>) -> Option<Feed> {
        if self.posts.is_empty() && self.has_unknown {
            return None;
        }
        let EntryDraft { title, page, link, authors, host, editor, picture, icon, .. } = self.feed;
        let url = page.or(link).map(|page| page.absolute(address.as_ref()));
        let site = url.as_deref().and_then(|url| Url::parse(url).ok()).or(address);
        Some(Feed {
            title,
            author: joined(&authors).or(host).or(editor),
            picture: picture.or(icon).map(|picture| picture.absolute(site.as_ref())),
            posts: self.posts.into_iter().map(|post| post.finish(site.as_ref())).collect(),
            url,
        })
    }
}

impl EntryDraft {
    fn is_blank(&self) -> bool {
        let texts = [&self.title, &self.short.text, &self.long.text];
        let addresses = [&self.page, &self.link, &self.id, &self.medium, &self.picture, &self.thumbnail, &self.cover];
        let pictures = [&self.short.picture, &self.long.picture];
        texts.iter().all(|text| text.is_empty())
            && addresses.iter().all(|address| address.is_none())
            && pictures.iter().all(|picture| picture.is_none())
    }

    fn finish(self, site: Option<&Url>) -> Post {
        // Without a link, the id serves as one if it looks like it, or else the file of the post.
        let id = self.id.filter(|id| is_link(&id.written));
        let url = self.page.or(self.link).or(id).or(self.medium).map(|url| url.absolute(site));
        // Pictures in the text are relative to the post.
        let base = url.as_deref().and_then(|url| Url::parse(url).ok());
        let named = [self.thumbnail, self.file, self.enclosure, self.picture, self.cover].into_iter().flatten().next();
        let shown = self.short.picture.or(self.long.picture).map(|picture| absolute(&picture, base.as_ref().or(site)));
        let text = if self.short.text.is_empty() { self.long.text } else { self.short.text };
        Post::new(
            self.title,
            url,
            self.published.or(self.updated),
            joined(&self.authors).or(self.host),
            named.map(|picture| picture.absolute(base.as_ref().or(site))).or(shown),
            text,
        )
    }
}

fn joined(names: &[String]) -> Option<String> {
    (!names.is_empty()).then(|| names.join(", "))
}

/// Whether a file is a picture, by its type, by what the feed says, or by its file extension.
fn is_picture(address: &str, kind: Option<&str>, is_said: bool) -> bool {
    match kind.filter(|kind| kind.contains('/')) {
        Some(kind) => kind.starts_with("image/"),
        None => {
            let path = address.split(['?', '#']).next().unwrap_or_default().to_ascii_lowercase();
            is_said || PICTURES.iter().any(|ending| path.ends_with(ending))
        }
    }
}
