//! Which vocabulary the elements of a feed belong to. People write namespaces in many ways, leave them out, or use
//! formats that are older than their names.

/// A set of elements that belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Vocabulary {
    /// The format itself: RSS, or Atom in an Atom file.
    Core,
    /// Atom in a file of another format.
    Atom,
    /// The full texts of posts, `content:encoded`.
    Content,
    /// Dublin Core: dates and authors.
    DublinCore,
    /// Media RSS.
    Media,
    /// Podcasts.
    Podcast,
    /// Anything else.
    Unknown,
}

/// The formats of feeds in XML.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    /// RSS 0.9x and 2.0.
    Rss,
    /// RSS 0.90 and 1.0, where posts are next to the channel.
    Rdf,
    /// Atom 0.3 and 1.0.
    Atom,
}

impl Format {
    /// The format of a file whose root element has this name, in lower case.
    pub(super) fn of_root(local: &str) -> Option<Self> {
        match local {
            "rss" => Some(Self::Rss),
            "rdf" => Some(Self::Rdf),
            "feed" | "entry" => Some(Self::Atom),
            _ => None,
        }
    }

    /// The element name of a post.
    pub(super) fn post(self) -> &'static str {
        if self == Self::Atom { "entry" } else { "item" }
    }
}

impl Vocabulary {
    /// The vocabulary of a prefix that is not declared.
    pub(super) fn of_prefix(prefix: &str) -> Self {
        match prefix {
            "atom" | "a10" => Self::Atom,
            "content" => Self::Content,
            "dc" => Self::DublinCore,
            "media" => Self::Media,
            "itunes" => Self::Podcast,
            _ => Self::Unknown,
        }
    }

    /// The vocabulary of a namespace in a file of this format.
    pub(super) fn of_namespace(namespace: &str, format: Format) -> Self {
        let text = namespace.trim().to_ascii_lowercase();
        let text = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://")).unwrap_or(&text);
        match text.strip_prefix("www.").unwrap_or(text).trim_end_matches(['/', '#']) {
            "w3.org/2005/atom" | "purl.org/atom/ns" if format == Format::Atom => Self::Core,
            "w3.org/2005/atom" | "purl.org/atom/ns" => Self::Atom,
            "purl.org/rss/1.0"
            | "backend.userland.com/rss"
            | "backend.userland.com/rss2"
            | "backend.userland.com/rss091"
            | "backend.userland.com/rss092"
            | "blogs.law.harvard.edu/tech/rss"
            | "cyber.law.harvard.edu/rss"
            | "my.netscape.com/rdf/simple/0.9"
            | "channel.netscape.com/rdf/simple/0.9"
            | "my.netscape.com/publish/formats/rss-0.91.dtd"
                if format != Format::Atom =>
            {
                Self::Core
            }
            "purl.org/rss/1.0/modules/content" => Self::Content,
            "purl.org/dc/elements/1.1" | "purl.org/dc/elements/1.0" => Self::DublinCore,
            "search.yahoo.com/mrss" | "video.search.yahoo.com/mrss" | "tools.search.yahoo.com/mrss" => Self::Media,
            "itunes.com/dtds/podcast-1.0.dtd" => Self::Podcast,
            _ => Self::Unknown,
        }
    }
}
