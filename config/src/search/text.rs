//! Texts and words in the form in which the search compares them: without case, accents and ligatures.

/// In the tolerant pass, words of at least this many letters may differ from a word of the text by one edit.
const TOLERANT_FROM: usize = 4;

/// A word of a query. It has a letter or a digit.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Word {
    /// The word, folded.
    pub written: String,
    /// Only its letters and digits.
    letters: String,
}

impl Word {
    /// `None` if the word has neither a letter nor a digit.
    pub fn of(folded: &str) -> Option<Self> {
        let letters: String = folded.chars().filter(|c| c.is_alphanumeric()).collect();
        (!letters.is_empty()).then(|| Self { written: folded.to_owned(), letters })
    }
}

/// A text that is searched.
#[derive(Clone, Debug)]
pub struct SearchText {
    /// The text, folded.
    pub folded: String,
    /// The same without punctuation, if it has any, so that `wifi` finds `Wi-Fi`.
    bare: Option<String>,
}

impl SearchText {
    /// Prepares a text.
    pub fn of(text: &str) -> Self {
        let folded = fold(text);
        let is_plain = |c: char| c.is_alphanumeric() || c.is_whitespace();
        let bare = (!folded.chars().all(is_plain)).then(|| folded.chars().filter(|c| is_plain(*c)).collect());
        Self { folded, bare }
    }

    /// 0 if the word is one of the text's, 1 if one of them begins with it, 2 if it is in the middle of one.
    pub fn place_of(&self, word: &Word) -> Option<usize> {
        let place = place(&self.folded, &word.written);
        match &self.bare {
            Some(bare) if place != Some(0) => [place, self::place(bare, &word.written)].into_iter().flatten().min(),
            _ => place,
        }
    }

    /// Whether a word of the text begins with this one, or almost so. Short words must match exactly.
    pub fn has_nearly(&self, word: &Word) -> bool {
        let letters = word.letters.as_str();
        if letters.chars().count() < TOLERANT_FROM {
            return self.folded.contains(letters);
        }
        let has_nearly = |text: &str| {
            text.split(|c: char| !c.is_alphanumeric()).any(|token| !token.is_empty() && begins_nearly(token, letters))
        };
        has_nearly(&self.folded) || self.bare.as_deref().is_some_and(has_nearly)
    }
}

/// The best place of a word in a text: see [`SearchText::place_of`].
fn place(text: &str, word: &str) -> Option<usize> {
    let is_letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let mut best = None;
    for at in occurrences(text.as_bytes(), word.as_bytes()) {
        let place = if is_letter(text[..at].chars().next_back()) {
            2
        } else {
            usize::from(is_letter(text[at + word.len()..].chars().next()))
        };
        if place == 0 {
            return Some(0);
        }
        best = Some(best.map_or(place, |best: usize| best.min(place)));
    }
    best
}

/// Where a word is in a text, in bytes. A word of UTF-8 is found only where characters begin. The search of the standard library
/// prepares each word for long texts, which takes longer than looking through one of ours.
fn occurrences(text: &[u8], word: &[u8]) -> impl Iterator<Item = usize> {
    let last = text.len().checked_sub(word.len());
    let starts = last.and_then(|last| text.get(..=last)).unwrap_or_default();
    let is_found = move |at: &usize| starts[*at] == word[0] && text[*at..].starts_with(word);
    (0..starts.len()).filter(is_found)
}

/// Whether some prefix of the token is at most one edit (replace, insert, delete, swap of neighbors) from the word. A
/// prefix, because the user may still be typing.
fn begins_nearly(token: &str, word: &str) -> bool {
    let (mut left, mut typed) = (token.chars(), word.chars());
    loop {
        let (token, word) = (left.as_str(), typed.as_str());
        match (left.next(), typed.next()) {
            (_, None) => return true,
            (None, Some(_)) => return typed.as_str().is_empty(),
            (Some(a), Some(b)) if a == b => {}
            (Some(a), Some(b)) => {
                let (later, next) = (left.as_str(), typed.as_str());
                let is_replaced_or_missing = later.starts_with(next) || later.starts_with(word);
                let is_swapped = left.next() == Some(b) && typed.next() == Some(a);
                return is_replaced_or_missing
                    || token.starts_with(next)
                    || is_swapped && left.as_str().starts_with(typed.as_str());
            }
        }
    }
}

/// The text in the form that the search compares. Punctuation and white space stay.
pub fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let mut folded = String::with_capacity(text.len());
    for letter in decomposed(text).chars() {
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

/// The text in lower case, in the normalization form NFKD.
#[cfg(not(target_arch = "wasm32"))]
fn decomposed(text: &str) -> String {
    use unicode_normalization::UnicodeNormalization as _;

    text.to_lowercase().nfkd().collect()
}

/// The same by the browser, whose functions need no tables in the bundle.
#[cfg(target_arch = "wasm32")]
fn decomposed(text: &str) -> String {
    js_sys::JsString::from(text).to_lower_case().normalize("NFKD").into()
}
