//! What a search finds without scripts (docs/spec/behaviour.md 6): the words and the order of
//! `frontend/search/matching.js`, which also tolerates typos.

use std::collections::HashSet;

use unicode_normalization::UnicodeNormalization as _;

use super::{Dashboard, ItemView, SectionView};

/// Maximum number of characters to search for; the rest is ignored.
const MAX_CHARS: usize = 200;

/// A text to search for.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Query {
    /// Its words, folded; each has a letter or a digit.
    words: Vec<String>,
    /// The text, folded, with single spaces.
    whole: String,
}

/// How well something matches; lower is better.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct Rank(usize, bool);

/// What a search found on a page.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Hits {
    /// The tiles that match: the positions of section and item in the file.
    pub tiles: HashSet<(usize, usize)>,
    /// The widgets that match, by their label if it is known, type or section: the positions of section and widget in the file.
    pub widgets: HashSet<(usize, usize)>,
    /// The best of those that lead anywhere: the positions of section and item in the file, and the position among the
    /// sub-items of a group.
    pub first: Option<(usize, usize, Option<usize>)>,
}

impl Query {
    /// Reads what was typed; `None` if it has no letter and no digit.
    pub fn of(text: &str) -> Option<Self> {
        let text: String = text.chars().take(MAX_CHARS).collect();
        let folded = fold(&text);
        let words = folded.split_whitespace();
        let whole = words.clone().collect::<Vec<_>>().join(" ");
        let words: Vec<_> = words.filter(|word| word.contains(char::is_alphanumeric)).map(str::to_owned).collect();
        (!words.is_empty()).then_some(Self { words, whole })
    }

    /// How well an entry matches by its title, the host of its address and other texts; `None` if a word is missing. Titles go
    /// before other texts, whole words before beginnings and these before middles; then the title that was typed as it is.
    pub fn rank(&self, title: &str, url: &str, others: &[&str]) -> Option<Rank> {
        let title = SearchText::of(title);
        let rest = SearchText::of(&[&others.join("\n"), domain(url)].join("\n"));
        let mut places = 0;
        for word in &self.words {
            places += title.place_of(word).or_else(|| Some(3 + rest.place_of(word)?))?;
        }
        let is_whole = title.folded == self.whole;
        Some(Rank(places * 2 + usize::from(!is_whole), !title.folded.starts_with(&self.whole)))
    }
}

impl Dashboard {
    /// The tiles and widgets whose texts together contain every word.
    pub fn search(&self, query: &Query) -> Hits {
        let mut hits = Hits::default();
        let mut best = None;
        for section in &self.sections {
            for widget in &section.widgets {
                let label = widget.label.as_deref().unwrap_or_default();
                if query.rank(label, "", &[&widget.kind, &widget.written, &section.name]).is_some() {
                    hits.widgets.insert((section.index, widget.index));
                }
            }
            for item in &section.items {
                for (sub_item, rank, leads) in ranks(query, section, item) {
                    hits.tiles.insert((section.index, item.index));
                    if leads && best.is_none_or(|best| rank < best) {
                        best = Some(rank);
                        hits.first = Some((section.index, item.index, sub_item));
                    }
                }
            }
        }
        hits
    }
}

/// How well a tile matches, or each of its sub-items that does, and whether it leads anywhere.
fn ranks(query: &Query, section: &SectionView, item: &ItemView) -> Vec<(Option<usize>, Rank, bool)> {
    let rank = |position: Option<usize>, item: &ItemView, others: &[&str]| {
        let rank = query.rank(&item.title, item.url.as_deref().unwrap_or_default(), others)?;
        Some((position, rank, item.url.is_some()))
    };
    if item.sub_items.is_empty() {
        let provider = item.provider.as_deref().unwrap_or_default();
        let description = item.description.as_deref().unwrap_or_default();
        return rank(None, item, &[provider, description, &item.tags.join(" "), &section.name]).into_iter().collect();
    }
    let sub_items = item.sub_items.iter();
    sub_items.filter_map(|sub_item| rank(Some(sub_item.index), sub_item, &[&item.title])).collect()
}

/// A text prepared for the search: folded, and without punctuation, so that `wifi` finds `Wi-Fi`.
struct SearchText {
    folded: String,
    bare: String,
}

impl SearchText {
    fn of(text: &str) -> Self {
        let folded = fold(text);
        let is_kept = |c: &char| c.is_alphanumeric() || c.is_whitespace();
        let bare = folded.chars().filter(is_kept).collect();
        Self { folded, bare }
    }

    /// 0 if the word is one of the text's, 1 if one of them begins with it, 2 if it is in the middle of one.
    fn place_of(&self, word: &str) -> Option<usize> {
        place(&self.folded, word).into_iter().chain(place(&self.bare, word)).min()
    }
}

fn place(text: &str, word: &str) -> Option<usize> {
    let is_letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let places = text.match_indices(word).map(|(at, found)| {
        let (before, after) = (text[..at].chars().next_back(), text[at + found.len()..].chars().next());
        match (is_letter(before), is_letter(after)) {
            (true, _) => 2,
            (false, true) => 1,
            (false, false) => 0,
        }
    });
    places.min()
}

/// The host of an address, without port, path and `www.`.
fn domain(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let host = host.rsplit_once(':').map_or(host, |(host, _)| host);
    host.strip_prefix("www.").unwrap_or(host)
}

/// The text in the form that the search compares: without case, accents and ligatures. Punctuation and white space
/// stay.
fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for letter in text.to_lowercase().nfkd() {
        match letter {
            '\u{300}'..='\u{36f}' => {}
            // Letters that Unicode does not decompose.
            'ß' => folded.push_str("ss"),
            'æ' => folded.push_str("ae"),
            'œ' => folded.push_str("oe"),
            'þ' => folded.push_str("th"),
            'ø' => folded.push('o'),
            'đ' | 'ð' => folded.push('d'),
            'ł' => folded.push('l'),
            'ħ' => folded.push('h'),
            'ı' => folded.push('i'),
            'ς' => folded.push('σ'),
            other => folded.push(other),
        }
    }
    folded
}
