//! Reads foreign markup piece by piece, in time and memory proportional to its length. It does not build a tree, so
//! deep nesting is harmless.

use html5gum::{DefaultEmitter, StartTag, Token, Tokenizer};

/// Maximum number of bytes of markup that are read. Dashboards do not show longer texts.
pub(super) const MAX_BYTES: usize = 64 * 1024;

/// Elements that are dropped with everything in them, because browsers do not show their content as text.
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

/// The pieces of markup, up to the limit, without comments and without the dropped elements.
pub(super) fn pieces(html: &str) -> impl Iterator<Item = Piece> {
    let mut emitter = DefaultEmitter::default();
    // Without this, the text of a script would be parsed as tags.
    emitter.naively_switch_states(true);
    let mut tokens = Tokenizer::new_with_emitter(beginning(html), emitter);
    // The open dropped element, and how many elements of its name are nested in each other.
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
                    // In HTML these need an end tag even if they are written as self-closing.
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
