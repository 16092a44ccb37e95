//! The page of trending repositories. It is made for people, so missing parts are tolerated.

use html5gum::{DefaultEmitter, StartTag, Token, Tokenizer};

/// How many bytes of the page are read.
const MAX_BYTES: usize = 2 * 1024 * 1024;

/// A repository, from either source.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Repo {
    /// Owner and name, separated by a slash.
    pub(super) path: String,
    pub(super) description: String,
    pub(super) language: String,
    pub(super) stars: Option<f64>,
    pub(super) forks: Option<f64>,
    /// New stars in the period.
    pub(super) new_stars: Option<f64>,
}

/// The content of the page.
pub(super) enum TrendingPage {
    /// The repositories, in the order of the page.
    Repos(Vec<Repo>),
    /// A message that there are none.
    Blank,
    /// Anything else.
    Unknown,
}

/// The text that is being collected.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Text {
    Description,
    Language,
    Stars,
    Forks,
    /// Any other; the last one may be the number of new stars.
    Other,
}

/// Reads the page.
pub(super) fn read(html: &str) -> TrendingPage {
    let html = &html[..html.floor_char_boundary(MAX_BYTES)];
    let (mut repos, mut current): (Vec<Repo>, Option<Repo>) = (Vec::new(), None);
    let (mut in_title, mut is_blank) = (false, false);
    let mut text: Option<(Text, String)> = None;
    let mut emitter = DefaultEmitter::default();
    // Without this, the text of a script would be read as tags.
    emitter.naively_switch_states(true);
    for token in Tokenizer::new_with_emitter(html, emitter).flatten() {
        match token {
            Token::StartTag(tag) => {
                let has_class = |class: &str| {
                    attribute(&tag, "class").is_some_and(|classes| classes.split_whitespace().any(|one| one == class))
                };
                is_blank |= has_class("blankslate");
                let name = tag.name.as_slice();
                if name == b"article" && has_class("Box-row") {
                    current = Some(Repo::default());
                    continue;
                }
                let Some(repo) = &mut current else { continue };
                let href = attribute(&tag, "href").unwrap_or_default();
                match name {
                    b"h2" => in_title = true,
                    b"a" if in_title && repo.path.is_empty() => {
                        repo.path = href.trim().trim_start_matches('/').to_owned();
                    }
                    b"a" if href.ends_with("/stargazers") => text = Some((Text::Stars, String::new())),
                    b"a" if href.ends_with("/forks") => text = Some((Text::Forks, String::new())),
                    b"p" => text = Some((Text::Description, String::new())),
                    b"span" if attribute(&tag, "itemprop").as_deref() == Some("programmingLanguage") => {
                        text = Some((Text::Language, String::new()));
                    }
                    // In descriptions, emoji have elements of their own.
                    b"span" if text.is_none() => text = Some((Text::Other, String::new())),
                    _ => {}
                }
            }
            Token::String(piece) => {
                if let Some((_, text)) = &mut text {
                    text.push_str(&String::from_utf8_lossy(&piece));
                }
            }
            Token::EndTag(tag) => {
                let name = tag.name.as_slice();
                if name == b"article" {
                    repos.extend(current.take().filter(|repo| repo.path.contains('/')));
                    text = None;
                }
                in_title &= name != b"h2";
                let ends = |kind: Text| match kind {
                    Text::Description => name == b"p",
                    Text::Stars | Text::Forks => name == b"a",
                    Text::Language | Text::Other => name == b"span",
                };
                if let (Some(repo), Some((kind, words))) = (&mut current, text.take_if(|(kind, _)| ends(*kind))) {
                    repo.set(kind, &words);
                }
            }
            _ => {}
        }
    }
    match (repos.is_empty(), is_blank) {
        (false, _) => TrendingPage::Repos(repos),
        (true, true) => TrendingPage::Blank,
        (true, false) => TrendingPage::Unknown,
    }
}

impl Repo {
    fn set(&mut self, kind: Text, words: &str) {
        let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
        match kind {
            Text::Description => self.description = words,
            Text::Language => self.language = words,
            Text::Stars => self.stars = number(&words),
            Text::Forks => self.forks = number(&words),
            Text::Other if words.contains("stars ") || words.contains("star ") => {
                self.new_stars = words.split(' ').next().and_then(number);
            }
            Text::Other => {}
        }
    }
}

fn attribute(tag: &StartTag<()>, name: &str) -> Option<String> {
    Some(String::from_utf8_lossy(tag.attributes.get(name.as_bytes())?).into_owned())
}

/// A count with commas between the thousands.
pub(super) fn number(text: &str) -> Option<f64> {
    text.replace(',', "").trim().parse().ok()
}
