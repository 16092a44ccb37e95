//! Finds icons by words, for users who choose one in the editor (docs/editing.md): in the bundled sets, among emoji,
//! and among the user's own pictures.

use std::collections::HashSet;

use config::icon::{Icon, all_emoji};

use super::{Icons, collection::clean_name, resolve::encode, sets::application_picture};

/// Maximum number of icons in a response.
pub const MAX_AT_ONCE: usize = 120;
/// Maximum length of the search text, in characters.
const MAX_QUERY_LENGTH: usize = 100;

/// A group of icons, in the order in which they are offered.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum IconGroup {
    /// The user's own pictures in `item-icons`.
    Files,
    /// Pictures of applications, `hl-`.
    Applications,
    /// Pictures of applications by selfh.st, `sh-`. None is bundled: the names are those of the other collection and of the user's
    /// own files, and the words of the search.
    Selfhst,
    /// Simple Icons, `si-`.
    Brands,
    /// Material Design, `mdi-`.
    Symbols,
    /// Font Awesome, `fas fa-`.
    FontAwesome,
    /// Characters.
    Emoji,
}

impl IconGroup {
    /// All groups, each with its word in requests and responses.
    pub const WORDS: [(&str, Self); 7] = [
        ("files", Self::Files),
        ("applications", Self::Applications),
        ("selfhst", Self::Selfhst),
        ("brands", Self::Brands),
        ("symbols", Self::Symbols),
        ("font-awesome", Self::FontAwesome),
        ("emoji", Self::Emoji),
    ];

    /// The group for a word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::WORDS.iter().find(|(known, _)| *known == word).map(|(_, group)| *group)
    }

    /// The reverse of [`IconGroup::from_word`].
    pub fn word(self) -> &'static str {
        Self::WORDS.iter().find(|(_, group)| *group == self).map_or("", |(word, _)| word)
    }

    /// The sets of the pack that belong to it.
    fn sets(self) -> &'static [&'static str] {
        match self {
            Self::Files | Self::Emoji => &[],
            Self::Applications | Self::Selfhst => &["homelab"],
            Self::Brands => &["si"],
            Self::Symbols => &["mdi"],
            Self::FontAwesome => &["fa-solid", "fa-regular", "fa-brands"],
        }
    }
}

/// An icon that was found.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct FoundIcon {
    /// How the config names it.
    pub value: String,
    /// What it is called.
    pub name: String,
    /// Its group.
    pub group: IconGroup,
    /// Address of its picture on our own origin; with `#i` at the end it is a glyph in the color of the text. `None`
    /// for an emoji, which is a picture itself.
    pub picture: Option<String>,
}

/// One page of the results, and how many there are.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct IconSearch {
    /// At most [`MAX_AT_ONCE`] icons, the best first.
    pub icons: Vec<FoundIcon>,
    /// How many were found in total.
    pub total: usize,
}

/// How well a name matches; lower is better.
type Rank = (u8, IconGroup, usize);

/// The quality of what comes after all that matches.
const LAST: u8 = 4;

/// The words that are looked for.
struct Query {
    words: Vec<String>,
    /// The words with hyphens between them, and without.
    whole: [String; 2],
}

impl Query {
    fn new(text: &str) -> Self {
        let text: String = text.chars().take(MAX_QUERY_LENGTH).collect::<String>().to_lowercase();
        let words: Vec<String> = text.split(is_between).filter(|word| !word.is_empty()).map(str::to_owned).collect();
        let whole = [words.join("-"), words.concat()];
        Self { words, whole }
    }

    /// How well a name in lower case matches; `None` if it does not.
    fn rank(&self, name: &str, group: IconGroup) -> Option<Rank> {
        if self.words.is_empty() {
            return Some((0, group, 0));
        }
        if !self.words.iter().all(|word| name.contains(word.as_str())) {
            return None;
        }
        let begins_word = |word: &String| name.split(is_between).any(|part| part.starts_with(word.as_str()));
        let quality = if self.whole.iter().any(|whole| name == whole) {
            0
        } else if self.whole.iter().any(|whole| name.starts_with(whole.as_str())) {
            1
        } else if self.words.iter().all(begins_word) {
            2
        } else {
            3
        };
        Some((quality, group, name.len()))
    }
}

/// Whether a character separates words.
fn is_between(character: char) -> bool {
    character.is_whitespace() || matches!(character, '-' | '_' | '.' | '/' | ':')
}

impl Icons {
    /// The icons that match some words, without the first `skip`: of one group, or of all but selfh.st, which has the names of the
    /// applications. Without words, all match.
    pub fn search(&self, words: &str, group: Option<IconGroup>, skip: usize) -> IconSearch {
        let query = Query::new(words);
        let groups = IconGroup::WORDS.iter().map(|(_, known)| *known);
        let groups = groups.filter(|known| group.map_or(*known != IconGroup::Selfhst, |group| group == *known));
        let mut found: Vec<(Rank, Candidate<'_>)> = groups.flat_map(|group| self.in_group(&query, group)).collect();
        found.sort_by(|(one, first), (other, second)| one.cmp(other).then_with(|| first.order().cmp(second.order())));
        // An icon may be found by several of its names.
        let mut known = HashSet::new();
        found.retain(|(_, candidate)| known.insert(candidate.clone()));
        let page = found.iter().skip(skip).take(MAX_AT_ONCE);
        IconSearch { icons: page.filter_map(|(_, candidate)| self.found(candidate)).collect(), total: found.len() }
    }

    fn in_group(&self, query: &Query, group: IconGroup) -> Vec<(Rank, Candidate<'_>)> {
        match group {
            IconGroup::Files => {
                let files = self.inner.pictures.below("item-icons/").into_iter();
                // Leave out names that would be read as something else.
                let files = files.filter(|file| Icon::parse(file) == Icon::File(file.clone()));
                files
                    .filter_map(|file| Some((query.rank(&file.to_lowercase(), group)?, Candidate::File(file))))
                    .collect()
            }
            IconGroup::Emoji => {
                let ranked = all_emoji().filter_map(|(character, name, shortcodes)| {
                    let lower = name.to_lowercase();
                    let ranks = shortcodes.filter_map(|code| query.rank(code, group));
                    let rank = query.rank(&lower, group).into_iter().chain(ranks).min()?;
                    Some((rank, Candidate::Emoji(character, name)))
                });
                ranked.collect()
            }
            IconGroup::Selfhst => {
                let pack = &self.inner.pack;
                let known = pack.names("homelab").filter_map(|(number, name)| {
                    let rank = query.rank(name, group)?;
                    let (_, icon) = pack.named_by(number).filter(|(set, _)| *set == "homelab")?;
                    Some((rank, Candidate::Selfhst(icon.to_owned())))
                });
                let own = self.inner.pictures.below("item-icons/sh/").into_iter().filter_map(|file| {
                    let name = clean_name(file.rsplit('/').next().unwrap_or(&file))?;
                    Some((query.rank(&name, group)?, Candidate::Selfhst(name)))
                });
                let [wanted, _] = &query.whole;
                let wanted = clean_name(wanted).map(|name| ((LAST, group, 0), Candidate::Selfhst(name)));
                known.chain(own).chain(wanted).collect()
            }
            _ => {
                let pack = &self.inner.pack;
                let names = group.sets().iter().flat_map(|set| pack.names(set));
                let ranked = names.filter_map(|(number, name)| {
                    let rank = query.rank(name, group)?;
                    let (set, icon) = pack.named_by(number)?;
                    Some((rank, Candidate::Packed(set, icon)))
                });
                ranked.collect()
            }
        }
    }

    fn found(&self, candidate: &Candidate<'_>) -> Option<FoundIcon> {
        Some(match candidate {
            Candidate::File(path) => FoundIcon {
                value: path.clone(),
                name: path.clone(),
                group: IconGroup::Files,
                picture: Some(self.address(&format!("file/{}", encode(path)))),
            },
            Candidate::Emoji(character, name) => FoundIcon {
                value: (*character).to_owned(),
                name: (*name).to_owned(),
                group: IconGroup::Emoji,
                picture: None,
            },
            Candidate::Selfhst(name) => FoundIcon {
                value: format!("sh-{name}"),
                name: spaced(name),
                group: IconGroup::Selfhst,
                picture: Some(self.address(&format!("sh/{name}"))),
            },
            Candidate::Packed("homelab", name) => FoundIcon {
                value: format!("hl-{name}"),
                name: spaced(name),
                group: IconGroup::Applications,
                picture: Some(self.address(&format!("hl/{name}"))),
            },
            Candidate::Packed(set, name) => {
                let (prefix, group) = match *set {
                    "si" => ("si-", IconGroup::Brands),
                    "mdi" => ("mdi-", IconGroup::Symbols),
                    "fa-solid" => ("fas fa-", IconGroup::FontAwesome),
                    "fa-regular" => ("far fa-", IconGroup::FontAwesome),
                    "fa-brands" => ("fab fa-", IconGroup::FontAwesome),
                    _ => return None,
                };
                let picture = Some(self.address(&format!("{set}/{name}.svg#i")));
                FoundIcon { value: format!("{prefix}{name}"), name: spaced(name), group, picture }
            }
        })
    }

    /// The bundled picture of an application by its name, else of the Material Design glyph of the other name: an address
    /// as in [`FoundIcon::picture`].
    pub fn application_or_glyph(&self, application: Option<&str>, glyph: &str) -> String {
        let name = application.and_then(clean_name);
        let name = name.filter(|name| application_picture(&self.inner.pack, name).is_some());
        match name {
            Some(name) => self.address(&format!("hl/{name}")),
            None => self.address(&format!("mdi/{glyph}.svg#i")),
        }
    }
}

/// An icon that matches.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
enum Candidate<'a> {
    /// The path of a file below `item-icons`.
    File(String),
    /// A character and its name.
    Emoji(&'static str, &'static str),
    /// The name of a picture of selfh.st.
    Selfhst(String),
    /// Set and name of an icon of the pack.
    Packed(&'a str, &'a str),
}

impl Candidate<'_> {
    /// Puts candidates of the same rank in order. Emoji stay in theirs.
    fn order(&self) -> &str {
        match self {
            Self::File(path) => path,
            Self::Selfhst(name) => name,
            Self::Packed(_, name) => name,
            Self::Emoji(..) => "",
        }
    }
}

/// A name in readable form.
fn spaced(name: &str) -> String {
    name.replace('-', " ")
}
