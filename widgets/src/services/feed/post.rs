//! A feed and its posts, in the form that all formats have in common.

use percent_encoding::percent_decode_str;
use serde::{Deserialize, Serialize};
use url::Url;

use crate::{
    Moment,
    panel::{PlainText, teaser},
};

/// File extensions of pictures.
pub(super) const PICTURES: [&str; 6] = [".jpg", ".jpeg", ".png", ".gif", ".webp", ".avif"];

/// Maximum number of characters in the substitute title of a post that has none.
const MAX_NAME_LENGTH: usize = 100;

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
pub(super) fn in_a_line(text: &str) -> String {
    text.split(|character: char| character.is_whitespace() || character.is_control())
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

/// The name of a person. RSS requires an email address with the name in parentheses; the address is not shown.
pub(super) fn person(written: &str) -> String {
    let name = PlainText::read(written).text;
    match name.split_once('(') {
        Some((mail, rest)) if mail.contains('@') => rest.trim_end_matches(')').trim().to_owned(),
        None if name.contains('@') && !name.contains(' ') => String::new(),
        _ => name,
    }
}

/// The character for a reference such as `&nbsp;`; an unknown reference is returned unchanged.
pub(super) fn decoded(reference: &str) -> String {
    let decoded = PlainText::read(reference).text;
    // White space at the ends of a text would be trimmed.
    if decoded.is_empty() { " ".to_owned() } else { decoded }
}

/// Whether an id could be an address.
pub(super) fn is_link(id: &str) -> bool {
    id.starts_with("http://") || id.starts_with("https://")
}

/// Resolves an address against a base; unchanged if that fails.
pub(crate) fn absolute(url: &str, base: Option<&Url>) -> String {
    match base.map(|base| base.join(url.trim())) {
        Some(Ok(url)) => url.to_string(),
        _ => url.trim().to_owned(),
    }
}
