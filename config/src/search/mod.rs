//! The search, on the server and in the browser: what it finds, and in which order (docs/spec/behavior.md 6).

mod text;

use std::{cmp::Reverse, collections::BinaryHeap};

pub use self::text::fold;
use self::text::{SearchText, Word};

/// Maximum number of characters to search for; the rest is ignored.
const MAX_CHARS: usize = 200;
/// Maximum number of results on other pages.
const MAX_ELSEWHERE: usize = 12;
/// How many entries are compared between two looks at the clock.
const STEP: usize = 16;

/// A text to search for.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Query {
    words: Vec<Word>,
    /// The text, folded, with single spaces.
    whole: String,
}

impl Query {
    /// Reads what was typed.
    pub fn of(text: &str) -> Self {
        let text: String = text.chars().take(MAX_CHARS).collect();
        let folded = fold(&text);
        let words = folded.split_whitespace();
        Self { whole: words.clone().collect::<Vec<_>>().join(" "), words: words.filter_map(Word::of).collect() }
    }

    /// Whether the text has neither a letter nor a digit.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Whether all matches are among those of an earlier query with these words.
    fn is_within(&self, earlier: &[Word]) -> bool {
        let begins =
            |(at, word): (usize, &Word)| self.words.get(at).is_some_and(|own| own.written.starts_with(&word.written));
        earlier.iter().enumerate().all(begins)
    }
}

/// The texts of a tile or of a sub-item.
#[derive(Clone, Copy, Debug, Default)]
pub struct Texts<'a> {
    /// Its title.
    pub title: &'a str,
    /// Its address; `None` if it leads nowhere. Only the host is searched.
    pub url: Option<&'a str>,
    /// All other texts.
    pub others: &'a [&'a str],
    /// How often it was opened in this browser.
    pub opened: u32,
}

/// A tile without sub-items, or a sub-item, prepared for the search.
#[derive(Clone, Debug)]
pub struct Entry {
    tile: usize,
    sub_item: Option<usize>,
    title: SearchText,
    rest: SearchText,
    opened: u32,
    leads: bool,
}

/// How well an entry matches; lower is better. Titles rank before other texts, whole words before beginnings, and beginnings
/// before middles; then come exact titles, then frequently opened entries, then titles that begin with the text.
type Rank = (usize, Reverse<u32>, bool);

impl Entry {
    /// The entry of a tile, or of a sub-item, by its position.
    pub fn new(tile: usize, sub_item: Option<usize>, texts: Texts<'_>) -> Self {
        let mut rest = texts.others.join("\n");
        if let Some(url) = texts.url {
            rest.push('\n');
            rest.push_str(host(url));
        }
        Self {
            tile,
            sub_item,
            title: SearchText::of(texts.title),
            rest: SearchText::of(&rest),
            opened: texts.opened,
            leads: texts.url.is_some(),
        }
    }

    /// `None` if a word is missing.
    fn rank(&self, query: &Query, is_tolerant: bool) -> Option<Rank> {
        let mut places = 0;
        for word in &query.words {
            let exact = self.title.place_of(word).or_else(|| Some(3 + self.rest.place_of(word)?));
            places += match exact {
                Some(place) => place,
                None if !is_tolerant => return None,
                None if self.title.has_nearly(word) => 6,
                None if self.rest.has_nearly(word) => 7,
                None => return None,
            };
        }
        let title = &self.title.folded;
        let is_whole = *title == query.whole;
        Some((places * 2 + usize::from(!is_whole), Reverse(self.opened), !title.starts_with(&query.whole)))
    }
}

/// The host of an address, without port, path and `www.`.
fn host(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let host = host.rsplit_once(':').map_or(host, |(host, _)| host);
    host.strip_prefix("www.").unwrap_or(host)
}

/// What a search found.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Matches {
    /// Whether each tile matches, by its position; those behind the last one do not.
    tiles: Vec<bool>,
    /// The number of tiles that match.
    pub count: usize,
    /// The best of those that lead somewhere: the positions of the tile and of the sub-item.
    pub first: Option<(usize, Option<usize>)>,
}

impl Matches {
    /// Whether the tile at this position matches.
    pub fn contains(&self, tile: usize) -> bool {
        self.tiles.get(tile).is_some_and(|matches| *matches)
    }

    fn add(&mut self, tile: usize) {
        if self.tiles.len() <= tile {
            self.tiles.resize(tile + 1, false);
        }
        if !self.tiles[tile] {
            self.tiles[tile] = true;
            self.count += 1;
        }
    }
}

/// The entries of a page, and the search among them. It can be interrupted, because a page may have thousands of tiles.
#[derive(Clone, Debug, Default)]
pub struct Index {
    entries: Vec<Entry>,
    /// The matches of earlier queries, each a subset of the one before.
    narrowed: Vec<Narrowed>,
    search: Search,
}

/// The entries that matched the beginning of a longer query, so they include all that match the longer one.
#[derive(Clone, Debug)]
struct Narrowed {
    words: Vec<Word>,
    entries: Vec<usize>,
}

/// The state of a search.
#[derive(Clone, Debug, Default)]
struct Search {
    query: Query,
    pass: Pass,
    /// How many entries this pass has compared.
    compared: usize,
    /// The entries that matched in this pass.
    matching: Vec<usize>,
    best: Option<Rank>,
    matches: Matches,
}

#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
enum Pass {
    /// Every word must be there.
    #[default]
    Exact,
    /// Longer words may have a typing error.
    Tolerant,
    Done,
}

impl Index {
    /// An index of these entries, which are in page order.
    pub fn new(entries: Vec<Entry>) -> Self {
        Self { entries, ..Self::default() }
    }

    /// Begins a search, in place of the previous one. It finds the tiles whose texts together contain every word of the text in
    /// any order; if there are none, those that do if each longer word may have one typing error. All tiles match while the
    /// text has no letter and no digit.
    pub fn begin(&mut self, text: &str) {
        let query = Query::of(text);
        while self.narrowed.pop_if(|narrowed| !query.is_within(&narrowed.words)).is_some() {}
        self.search = Search { query, ..Search::default() };
    }

    /// Goes on with the search until it is done, or the time is up: then the result is `None`.
    pub fn proceed(&mut self, mut is_time_up: impl FnMut() -> bool) -> Option<&Matches> {
        let Search { query, pass, compared, matching, best, matches } = &mut self.search;
        while *pass != Pass::Done {
            let is_tolerant = *pass == Pass::Tolerant;
            let narrowed = self.narrowed.last().filter(|_| !is_tolerant).map(|narrowed| &narrowed.entries);
            while *compared < narrowed.map_or(self.entries.len(), Vec::len) {
                let position = narrowed.map_or(*compared, |entries| entries[*compared]);
                *compared += 1;
                let entry = &self.entries[position];
                if let Some(rank) = entry.rank(query, is_tolerant) {
                    matches.add(entry.tile);
                    matching.push(position);
                    if entry.leads && !query.is_empty() && best.is_none_or(|best| rank < best) {
                        *best = Some(rank);
                        matches.first = Some((entry.tile, entry.sub_item));
                    }
                }
                if compared.is_multiple_of(STEP) && is_time_up() {
                    return None;
                }
            }
            if !is_tolerant {
                let entries = std::mem::take(matching);
                self.narrowed.push(Narrowed { words: query.words.clone(), entries });
            }
            *pass = if is_tolerant || matches.count > 0 { Pass::Done } else { Pass::Tolerant };
            *compared = 0;
        }
        Some(matches)
    }

    /// Searches without interruption.
    pub fn find(&mut self, text: &str) -> Matches {
        self.begin(text);
        self.proceed(|| false).cloned().unwrap_or_default()
    }
}

/// The positions of the matching items of other pages, best first, those of a page together; none for a text without letters and
/// digits. Each item is one entry. Typing errors are tolerated if nothing matches exactly, unless the page itself has hits.
pub fn elsewhere<'a>(
    entries: &[Entry],
    query: &Query,
    page_has_hits: bool,
    page_of: impl Fn(usize) -> &'a str,
) -> Vec<usize> {
    if query.is_empty() {
        return Vec::new();
    }
    // A heap sorts, because the code that sorts slices is a hundredth of the bundle.
    let ranked = |is_tolerant| {
        let rank = |entry: &Entry| Some((entry.rank(query, is_tolerant)?, entry.tile));
        entries.iter().filter_map(rank).collect::<BinaryHeap<_>>()
    };
    let mut found = ranked(false);
    if found.is_empty() && !page_has_hits {
        found = ranked(true);
    }
    let found: Vec<usize> = found.into_sorted_vec().into_iter().map(|(_, item)| item).take(MAX_ELSEWHERE).collect();
    let mut grouped = Vec::new();
    for &item in &found {
        if !grouped.contains(&item) {
            grouped.extend(found.iter().copied().filter(|other| page_of(*other) == page_of(item)));
        }
    }
    grouped
}
