//! Feeds in XML: one pass over the file that picks out what posts need and tolerates common mistakes. It does not build
//! a tree, does not expand entities of the file, and keeps nothing but the posts.

use std::collections::HashMap;

use quick_xml::{
    Error, Reader,
    escape::unescape,
    events::{BytesRef, BytesStart, Event},
};
use url::Url;

use super::{
    capture::Capture,
    draft::{FeedDraft, FeedField, Shape, Text},
    post::{Feed, decoded},
    tag::{attribute, lower},
    vocabulary::{Format, Vocabulary},
};

/// Maximum nesting of elements; real feeds stay far below.
const MAX_DEPTH: usize = 250;
/// Maximum number of declared prefixes; further ones are ignored.
const MAX_PREFIXES: usize = 100;
/// Maximum length of a base address.
const MAX_BASE: usize = 2048;

/// Why a file is not a feed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FeedError {
    /// It is something else, or broken before its first post.
    NoFeed,
    /// It has posts, but nothing in them is recognized.
    UnknownPosts,
}

/// The role of an element, for its children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// The feed: the root of Atom, the channel of RSS.
    Feed,
    Post,
    /// An author of the feed or the post.
    Author,
    /// The picture of a feed or a post: its address is the text, or that of `url` in it.
    Picture,
    Other,
}

struct Element {
    /// As written, in lower case.
    name: String,
    role: Role,
    /// The base of addresses in it, if the file declares one.
    base: Option<Url>,
}

struct FeedReader {
    format: Option<Format>,
    /// The prefix of the root; posts usually have the same one.
    root_prefix: String,
    prefixes: HashMap<String, Vocabulary>,
    address: Option<Url>,
    open: Vec<Element>,
    capture: Option<Capture>,
    draft: FeedDraft,
}

/// Reads a feed fetched from this address.
pub(super) fn read(text: &str, address: &str) -> Result<Feed, FeedError> {
    let mut xml = Reader::from_str(text);
    let config = xml.config_mut();
    config.allow_dangling_amp = true;
    config.allow_unmatched_ends = true;
    config.check_end_names = false;
    let mut feed = FeedReader {
        format: None,
        root_prefix: String::new(),
        prefixes: HashMap::new(),
        address: Url::parse(address).ok(),
        open: Vec::new(),
        capture: None,
        draft: FeedDraft::default(),
    };
    loop {
        match xml.read_event() {
            Ok(Event::Start(tag)) => feed.start(&tag, false)?,
            Ok(Event::Empty(tag)) => feed.start(&tag, true)?,
            Ok(Event::End(tag)) => feed.end(&lower(tag.name().as_ref())),
            Ok(Event::Text(text)) => feed.text(&String::from_utf8_lossy(&text)),
            Ok(Event::CData(text)) => feed.text(&String::from_utf8_lossy(&text)),
            Ok(Event::GeneralRef(reference)) => feed.reference(&reference),
            Ok(Event::Eof) => break,
            // The reader continues after mistakes such as a wrong end tag.
            Ok(_) | Err(Error::IllFormed(_)) => {}
            // After any other error there is nothing left to read.
            Err(_) => break,
        }
    }
    let is_cut_off = !feed.open.is_empty();
    feed.close(0);
    if feed.format.is_none() || is_cut_off && feed.draft.is_empty() {
        return Err(FeedError::NoFeed);
    }
    feed.draft.finish(feed.address).ok_or(FeedError::UnknownPosts)
}

impl FeedReader {
    fn start(&mut self, tag: &BytesStart<'_>, is_empty: bool) -> Result<(), FeedError> {
        if self.open.len() >= MAX_DEPTH {
            return Err(FeedError::NoFeed);
        }
        let name = lower(tag.name().as_ref());
        let (prefix, local) = name.split_once(':').unwrap_or(("", &name));
        if self.capture.as_ref().is_some_and(|capture| capture.shape != Shape::Markup)
            && self.begins_post(prefix, local)
        {
            // The end tag of the text is missing.
            self.inner(tag, &name);
        } else if let Some(capture) = &mut self.capture {
            capture.tag(tag, is_empty);
            self.open.push(Element { name, role: Role::Other, base: None });
        } else if self.format.is_none() {
            let format = Format::of_root(local).ok_or(FeedError::NoFeed)?;
            self.format = Some(format);
            prefix.clone_into(&mut self.root_prefix);
            self.declare(tag, format);
            let base = self.base_of(tag);
            let role = match (format, local) {
                (Format::Atom, "entry") => Role::Post,
                (Format::Atom, _) => Role::Feed,
                _ => Role::Other,
            };
            if role == Role::Post {
                self.draft.begin();
            }
            self.open.push(Element { name, role, base });
        } else {
            self.inner(tag, &name);
        }
        if is_empty {
            self.close(self.open.len().saturating_sub(1));
        }
        Ok(())
    }

    /// Handles the start of an element below the root that is not part of a text.
    fn inner(&mut self, tag: &BytesStart<'_>, name: &str) {
        let Some(format) = self.format else { return };
        self.declare(tag, format);
        let (prefix, local) = name.split_once(':').unwrap_or(("", name));
        let vocabulary = self.vocabulary(prefix);
        let is_post = self.begins_post(prefix, local);
        if is_post {
            // A post inside a post means that the end tag of the first is missing.
            if let Some(post) = self.open.iter().position(|element| element.role == Role::Post) {
                self.close(post);
            }
            self.draft.begin();
        }
        let base = self.base_of(tag);
        let parent = self.open.last().map_or(Role::Other, |element| element.role);
        let mut capture = None;
        let role = match (parent, vocabulary, local) {
            _ if is_post => Role::Post,
            (Role::Other, Vocabulary::Core, "channel") if format != Format::Atom => Role::Feed,
            (Role::Feed | Role::Post, Vocabulary::Core | Vocabulary::Atom, "author")
                if format == Format::Atom || vocabulary == Vocabulary::Atom =>
            {
                Role::Author
            }
            // In RSS 1.0 the image is next to the channel.
            (Role::Feed | Role::Other, Vocabulary::Core, "image") if format != Format::Atom => Role::Picture,
            // Not in the standard, but frequent.
            (Role::Post, Vocabulary::Core, "image" | "thumbnail") => Role::Picture,
            (Role::Author, _, "name") => {
                capture = Some((FeedField::Author, Shape::Html));
                Role::Other
            }
            (Role::Picture, Vocabulary::Core, "url") => {
                capture = Some((FeedField::Picture, Shape::Plain));
                Role::Other
            }
            (Role::Feed | Role::Post, ..) => {
                let is_known = !matches!(vocabulary, Vocabulary::Unknown);
                capture = if is_known { self.field(tag, vocabulary, local, format) } else { None };
                Role::Other
            }
            _ => Role::Other,
        };
        let is_in_post = parent == Role::Post || self.open.iter().any(|element| element.role == Role::Post);
        self.open.push(Element { name: name.to_owned(), role, base });
        if is_in_post || role == Role::Post {
            self.picture(tag, vocabulary, local);
        }
        if let Some((field, shape)) = capture {
            self.capture = Some(Capture { field, shape, depth: self.open.len(), text: String::new() });
        }
    }

    fn begins_post(&self, prefix: &str, local: &str) -> bool {
        self.format.is_some_and(|format| local == format.post()) && self.vocabulary(prefix) == Vocabulary::Core
    }

    /// Which text of the feed or post an element holds. Also handles elements whose value is in their attributes.
    fn field(
        &mut self,
        tag: &BytesStart<'_>,
        vocabulary: Vocabulary,
        local: &str,
        format: Format,
    ) -> Option<(FeedField, Shape)> {
        use Vocabulary::{Atom, Content, Core, DublinCore, Podcast};
        let is_atom = format == Format::Atom;
        let plain = |field| Some((field, Shape::Plain));
        let html = |field| Some((field, if is_atom { Shape::of_atom(tag) } else { Shape::Html }));
        match (vocabulary, local) {
            (Core, "title") => html(FeedField::Title),
            (Core | Atom, "link") => {
                let relation = attribute(tag, "rel").map(|relation| relation.trim().to_ascii_lowercase());
                if let Some(href) = attribute(tag, "href") {
                    let base = self.base();
                    self.draft.link(relation.as_deref(), attribute(tag, "type").as_deref(), &href, base);
                    return None;
                }
                if is_atom || vocabulary == Atom { None } else { plain(FeedField::Link) }
            }
            (Core, "guid") => {
                let is_link =
                    !attribute(tag, "ispermalink").is_some_and(|value| value.trim().eq_ignore_ascii_case("false"));
                if is_link { plain(FeedField::Id) } else { None }
            }
            (Core, "id") => plain(FeedField::Id),
            (Core, "description") if !is_atom => Some((FeedField::Short, Shape::Html)),
            (Core, "summary") => html(FeedField::Short),
            (Content, "encoded") => Some((FeedField::Long, Shape::Html)),
            (Core, "content") if is_atom => {
                let shape = Shape::of_atom_content(tag)?;
                Some((FeedField::Long, shape))
            }
            (Core, "pubdate" | "published" | "issued") | (DublinCore, "date") => plain(FeedField::Published),
            // Other dates are used only if there is no date of publication.
            (Core, "updated" | "modified" | "created") => plain(FeedField::Updated),
            (Core, "author") | (DublinCore, "creator") => Some((FeedField::Author, Shape::Html)),
            (Podcast, "author") => Some((FeedField::Host, Shape::Html)),
            (Core, "managingeditor") => Some((FeedField::Editor, Shape::Html)),
            (Core, "logo") if is_atom => plain(FeedField::Picture),
            (Core, "icon") if is_atom => plain(FeedField::Icon),
            (Podcast, "image") if !self.draft.is_in_post() => {
                let address = attribute(tag, "href")?;
                let base = self.base();
                self.draft.set(FeedField::Icon, Text::plain(&address), base);
                None
            }
            _ => None,
        }
    }

    /// Adds the pictures of a post, at any depth.
    fn picture(&mut self, tag: &BytesStart<'_>, vocabulary: Vocabulary, local: &str) {
        let (attribute, base) = (|name| attribute(tag, name), self.base());
        let kind = || attribute("type").map(|kind| kind.trim().to_ascii_lowercase());
        match (vocabulary, local) {
            (Vocabulary::Media, "thumbnail") => self.draft.thumbnail(attribute("url"), base),
            (Vocabulary::Media, "content") => {
                let is_picture = attribute("medium").is_some_and(|medium| medium.eq_ignore_ascii_case("image"));
                self.draft.file(attribute("url"), kind(), is_picture, base);
            }
            (Vocabulary::Media, "player") => self.draft.medium(attribute("url"), base),
            (Vocabulary::Core, "enclosure") => self.draft.enclosure(attribute("url"), kind(), base),
            (Vocabulary::Core, "image" | "thumbnail") => {
                let address = ["url", "href", "src"].into_iter().find_map(attribute);
                self.draft.picture(address, base);
            }
            (Vocabulary::Podcast, "image") => self.draft.cover(attribute("href"), base),
            _ => {}
        }
    }

    fn vocabulary(&self, prefix: &str) -> Vocabulary {
        // In RDF the root itself belongs to another vocabulary.
        let is_core = prefix.is_empty() || prefix == self.root_prefix && self.format != Some(Format::Rdf);
        if is_core {
            return Vocabulary::Core;
        }
        self.prefixes.get(prefix).copied().unwrap_or_else(|| Vocabulary::of_prefix(prefix))
    }

    /// Records the prefixes that a tag declares. They apply from there on, at any level.
    fn declare(&mut self, tag: &BytesStart<'_>, format: Format) {
        for attribute in tag.html_attributes().with_checks(false).flatten() {
            let name = lower(attribute.key.as_ref());
            if let Some(prefix) = name.strip_prefix("xmlns:")
                && self.prefixes.len() < MAX_PREFIXES
            {
                let namespace = String::from_utf8_lossy(&attribute.value[..attribute.value.len().min(MAX_BASE)]);
                self.prefixes.insert(prefix.to_owned(), Vocabulary::of_namespace(&namespace, format));
            }
        }
    }

    /// The base of addresses at this point, if the file declares one.
    fn base(&self) -> Option<Url> {
        self.open.iter().rev().find_map(|element| element.base.clone())
    }

    fn base_of(&self, tag: &BytesStart<'_>) -> Option<Url> {
        let own = attribute(tag, "xml:base").filter(|base| base.len() <= MAX_BASE)?;
        let outer = self.base().or_else(|| self.address.clone());
        let base = match outer {
            Some(outer) => outer.join(own.trim()),
            None => Url::parse(own.trim()),
        };
        base.ok().filter(|base| base.as_str().len() <= MAX_BASE)
    }

    fn text(&mut self, text: &str) {
        if let Some(capture) = &mut self.capture {
            capture.text(text);
        } else if self.open.last().is_some_and(|element| element.role == Role::Picture) && !text.trim().is_empty() {
            let (field, shape, depth) = (FeedField::Picture, Shape::Plain, self.open.len());
            self.capture = Some(Capture { field, shape, depth, text: text.to_owned() });
        }
    }

    /// Handles a reference such as `&lt;` or `&nbsp;`. Entities that the file declares itself are not expanded.
    fn reference(&mut self, reference: &BytesRef<'_>) {
        let Some(capture) = &mut self.capture else { return };
        let written = format!("&{};", String::from_utf8_lossy(reference));
        match (capture.shape, reference.resolve_char_ref()) {
            (Shape::Plain, _) => {
                let decoded = decoded(&written);
                capture.text(&decoded);
            }
            (_, Ok(Some(character))) => capture.text(character.encode_utf8(&mut [0; 4])),
            // In markup, all other names mean the same as in HTML.
            _ => match unescape(&written) {
                Ok(decoded) => capture.text(&decoded),
                Err(_) => capture.push(&written),
            },
        }
    }

    /// Handles the end of an element, which also ends the elements inside it that lack an end tag. An end tag without
    /// an open element is ignored.
    fn end(&mut self, name: &str) {
        if let Some(position) = self.open.iter().rposition(|element| element.name == name) {
            if let Some(capture) = self.capture.as_mut().filter(|capture| position >= capture.depth) {
                capture.end(name);
            }
            self.close(position);
        }
    }

    /// Closes all open elements from this position on.
    fn close(&mut self, position: usize) {
        while self.open.len() > position {
            if let Some(Capture { field, text, shape, .. }) =
                self.capture.take_if(|capture| capture.depth == self.open.len())
            {
                let base = self.base();
                self.draft.set(field, Text { text, shape }, base);
            }
            if self.open.pop().is_some_and(|element| element.role == Role::Post) {
                self.draft.end();
            }
        }
    }
}
