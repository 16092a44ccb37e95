//! Which items match what was typed (docs/spec/behaviour.md 6). Pure: text in, positions out.

use crate::backend::ElsewhereItem;

/// Words of four letters or more may differ from an item's word by one edit in the tolerant pass.
const TOLERANT_FROM: usize = 4;

/// The searchable texts of a page's tiles, prepared once.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Index {
    /// For each tile in page order: its fields, normalised, empty ones left out.
    tiles: Vec<Vec<String>>,
}

/// What a search found: positions of tiles in page order, ascending.
pub type Hits = Vec<usize>;

/// The texts of a tile or of one of its sub-items.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TileText {
    /// Title.
    pub title: String,
    /// Provider.
    pub provider: Option<String>,
    /// Description.
    pub description: Option<String>,
    /// All tags as one text.
    pub tags: Option<String>,
    /// Address; only its domain is searched.
    pub url: Option<String>,
}

impl Index {
    /// Prepares the tiles of a page: for each in page order its own texts and those of its sub-items.
    pub fn new(tiles: impl IntoIterator<Item = Vec<TileText>>) -> Self {
        let fields = |texts: Vec<TileText>| -> Vec<String> { texts.iter().flat_map(fields).collect() };
        Self { tiles: tiles.into_iter().map(fields).collect() }
    }

    /// The tiles of which one field contains every word of `input`, in any order. If there are none, those that do
    /// when each longer word may have one typing error.
    pub fn find(&self, input: &str) -> Hits {
        let words: Vec<String> = input.split_whitespace().map(normalised).filter(|word| !word.is_empty()).collect();
        let exact = self.hits(|field| words.iter().all(|word| field.contains(word.as_str())));
        if !exact.is_empty() {
            return exact;
        }
        let words: Vec<Vec<char>> = words.iter().map(|word| word.chars().collect()).collect();
        self.hits(|field| words.iter().all(|word| nearly_contains(field, word)))
    }

    fn hits(&self, matches: impl Fn(&str) -> bool) -> Hits {
        let is_hit = |fields: &Vec<String>| fields.iter().any(|field| matches(field));
        (0..self.tiles.len()).filter(|&position| is_hit(&self.tiles[position])).collect()
    }
}

fn fields(text: &TileText) -> impl Iterator<Item = String> {
    let texts = [
        Some(text.title.as_str()),
        text.provider.as_deref(),
        text.description.as_deref(),
        text.tags.as_deref(),
        text.url.as_deref().map(domain),
    ];
    texts.into_iter().flatten().map(normalised).filter(|text| !text.is_empty())
}

/// At most this many items of other pages are offered.
const ELSEWHERE_LIMIT: usize = 12;

/// The items of other pages that contain every word of `input` in one of their texts; none for an empty input.
pub fn find_elsewhere(items: &[ElsewhereItem], input: &str) -> Vec<ElsewhereItem> {
    let words: Vec<String> = input.split_whitespace().map(normalised).filter(|word| !word.is_empty()).collect();
    if words.is_empty() {
        return Vec::new();
    }
    items
        .iter()
        .filter(|item| {
            [&item.title, &item.words, domain(&item.url)].into_iter().any(|text| {
                let text = normalised(text);
                words.iter().all(|word| text.contains(word.as_str()))
            })
        })
        .take(ELSEWHERE_LIMIT)
        .cloned()
        .collect()
}

/// Lower case, without punctuation; letters and digits of all scripts and white space stay.
fn normalised(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric() || c.is_whitespace()).flat_map(char::to_lowercase).collect()
}

/// The host of an address, without port, path and `www.`.
fn domain(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let host = rest.split(['/', '?', '#']).next().unwrap_or(rest);
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    let host = host.rsplit_once(':').map_or(host, |(name, _)| name);
    host.strip_prefix("www.").unwrap_or(host)
}

fn nearly_contains(field: &str, word: &[char]) -> bool {
    if word.len() < TOLERANT_FROM {
        return field.contains(&word.iter().collect::<String>());
    }
    field.split_whitespace().any(|token| begins_nearly_with(token, word))
}

/// Whether some beginning of `token` is at most one edit (replace, insert, delete, swap of neighbours) from `word`:
/// a beginning, because the person may still be typing.
fn begins_nearly_with(token: &str, word: &[char]) -> bool {
    let token: Vec<char> = token.chars().collect();
    let same = token.iter().zip(word).take_while(|(a, b)| a == b).count();
    let (token, word) = (&token[same..], &word[same..]);
    if word.is_empty() {
        return true;
    }
    let begins = |token: &[char], word: &[char]| token.len() >= word.len() && token[..word.len()] == *word;
    let replaced = !token.is_empty() && begins(&token[1..], &word[1..]);
    let missing = !token.is_empty() && begins(&token[1..], word);
    let surplus = begins(token, &word[1..]);
    let swapped = token.len() >= 2
        && word.len() >= 2
        && token[0] == word[1]
        && token[1] == word[0]
        && begins(&token[2..], &word[2..]);
    replaced || missing || surplus || swapped
}

#[cfg(test)]
mod tests {
    use super::{Index, TileText};

    fn tile(title: &str, description: &str, tags: &str, url: &str) -> TileText {
        let optional = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        TileText {
            title: title.to_owned(),
            provider: None,
            description: optional(description),
            tags: optional(tags),
            url: optional(url),
        }
    }

    fn index(last: &str) -> Index {
        Index::new([
            vec![tile("Jellyfin", "Films and series", "media tv", "https://tv.lan:8096/web")],
            vec![tile("Home Assistant", "", "", "http://user@www.hass.example")],
            vec![tile("Documents", "", "", ""), tile("Größe", "", "", "https://docs.example")],
            vec![tile(last, "", "", "")],
        ])
    }

    #[test]
    fn finds_tiles_by_every_word_in_one_field() {
        for (input, expected) in [
            ("jelly", vec![0]),
            ("ASSISTANT home", vec![1]),
            ("jellyfin media", vec![]),
            ("series film", vec![0]),
            ("tv media", vec![0]),
            ("hass", vec![1]),
            ("www", vec![]),
            ("8096", vec![]),
            ("home-", vec![1]),
            ("größe", vec![2]),
            ("工具", vec![3]),
            ("jelyfin", vec![0]),
            ("jellyfon", vec![0]),
            ("jlelyf", vec![0]),
            ("asssis", vec![1]),
            ("tvv", vec![]),
            ("jolyfon", vec![]),
            ("nothing like it", vec![]),
            ("/", vec![0, 1, 2, 3]),
        ] {
            assert_eq!(index("日本語 工具").find(input), expected, "{input}");
        }
    }

    #[test]
    fn an_exact_hit_keeps_near_misses_away() {
        assert_eq!(index("Jellifin").find("jellyfin"), vec![0]);
        assert_eq!(index("Jellifin").find("jellifyn"), vec![3]);
    }
}
