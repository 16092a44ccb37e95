//! Words as markup: ours, with the values that stand in them, and those of services.

use widgets::panel::Phrase;

use super::{datum, markup::Markup};

/// Our words in the page's language. All words that a panel adds pass here.
pub fn ours(words: &str) -> &str {
    words
}

/// Writes words, and the values in them.
pub fn write(phrase: &Phrase, m: &mut Markup) {
    each_piece(phrase, |piece| match piece {
        Piece::Words(text) => m.text(text),
        Piece::Value(value) => datum::write(value, m),
    });
}

/// Words as text without markup, for attributes.
#[cfg(feature = "ssr")]
pub fn plain(phrase: &Phrase) -> String {
    let mut text = String::new();
    each_piece(phrase, |piece| match piece {
        Piece::Words(words) => text.push_str(words),
        Piece::Value(value) => text.push_str(&datum::plain(value)),
    });
    text
}

enum Piece<'a> {
    Words(&'a str),
    Value(&'a widgets::panel::Datum),
}

fn each_piece(phrase: &Phrase, mut piece: impl FnMut(Piece<'_>)) {
    match phrase {
        Phrase::Ours(words) => piece(Piece::Words(ours(words))),
        Phrase::Foreign { foreign } => piece(Piece::Words(foreign)),
        Phrase::Filled { words, with } => {
            let mut rest = ours(words);
            // A brace without a value is a brace.
            while let Some((before, after)) = rest.split_once('{') {
                let found = after.split_once('}').and_then(|(name, after)| Some((with.get(name)?, after)));
                match found {
                    Some((value, after)) => {
                        piece(Piece::Words(before));
                        piece(Piece::Value(value));
                        rest = after;
                    }
                    None => {
                        piece(Piece::Words(before));
                        piece(Piece::Words("{"));
                        rest = after;
                    }
                }
            }
            piece(Piece::Words(rest));
        }
    }
}
