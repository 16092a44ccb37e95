//! Reading the markup of others piece by piece, in time and memory that grow with its length and no faster. No tree is
//! built, so nothing can be nested too deeply.

use html5gum::{DefaultEmitter, StartTag, Token, Tokenizer};

/// Most bytes of markup that are read. What is behind them is longer than anyone shows.
pub(super) const MAX_BYTES: usize = 64 * 1024;

/// Elements that are left out with all that is in them: what a browser shows in their place is no text.
const DROPPED: [&[u8]; 12] = [
    b"script",
    b"style",
    b"iframe",
    b"object",
    b"form",
    b"svg",
    b"math",
    b"noscript",
    b"noembed",
    b"noframes",
    b"template",
    b"xmp",
];

/// A piece of markup.
pub(super) enum Piece {
    /// A start tag, with its name in lower case.
    Start(StartTag<()>),
    /// The name of an end tag, in lower case.
    End(Vec<u8>),
    /// Text, with its character references decoded.
    Text(String),
}

/// The beginning of a text, cut between two characters.
pub(super) fn beginning(text: &str) -> &str {
    &text[..text.floor_char_boundary(MAX_BYTES)]
}

/// The pieces of some markup, as far as it is read, without comments and without the elements that act.
pub(super) fn pieces(html: &str) -> impl Iterator<Item = Piece> {
    let mut emitter = DefaultEmitter::default();
    // Without this the text of a script would be read as tags.
    emitter.naively_switch_states(true);
    let mut tokens = Tokenizer::new_with_emitter(beginning(html), emitter);
    // The dropped element that is open, and how many of its name are open within each other.
    let mut dropped: Option<(Vec<u8>, usize)> = None;
    std::iter::from_fn(move || {
        loop {
            let Ok(token) = tokens.next()?;
            match (token, &mut dropped) {
                (Token::StartTag(tag), Some((name, open))) => {
                    *open += usize::from(tag.name.as_slice() == name.as_slice())
                }
                (Token::EndTag(tag), Some((name, open))) if tag.name.as_slice() == name.as_slice() => {
                    *open -= 1;
                    if *open == 0 {
                        dropped = None;
                    }
                }
                (Token::StartTag(tag), None) if DROPPED.contains(&tag.name.as_slice()) => {
                    // In HTML these have an end tag even where they are written as if they had none.
                    let is_empty = tag.self_closing && matches!(tag.name.as_slice(), b"svg" | b"math");
                    dropped = (!is_empty).then(|| (tag.name.to_vec(), 1));
                }
                (Token::StartTag(tag), None) => return Some(Piece::Start(tag)),
                (Token::EndTag(tag), None) => return Some(Piece::End(tag.name.to_vec())),
                (Token::String(text), None) => {
                    return Some(Piece::Text(String::from_utf8_lossy(&text).replace('\0', "")));
                }
                _ => {}
            }
        }
    })
}

/// The value of an attribute.
pub(super) fn attribute(tag: &StartTag<()>, name: &str) -> Option<String> {
    Some(String::from_utf8_lossy(tag.attributes.get(name.as_bytes())?).into_owned())
}
