//! Words: our own, with the values in them, and those of services.

use leptos::prelude::*;
use widgets::panel::{Datum, Phrase};

use super::{
    PanelContext,
    markup::text,
    value::{Value, plain_value},
};
use crate::any_view::{AnyView, IntoAny};

/// Our words in the language of the page. All words that a panel adds pass through here. Only the server knows languages: it
/// draws the panels of pages.
#[cfg(feature = "ssr")]
pub use languages::in_panel as ours;

/// Our words; see above.
#[cfg(not(feature = "ssr"))]
pub fn ours(words: &str) -> &str {
    words
}

/// Our words with a value in the place of a `{name}`.
pub fn ours_with(words: &str, name: &str, value: &str) -> String {
    ours(words).replace(&["{", name, "}"].concat(), value)
}

/// Words, and the values in them.
#[component]
pub fn Words<'a>(phrase: &'a Phrase, context: &'a PanelContext) -> AnyView {
    if let Some(words) = whole(phrase) {
        return text(words).into_any();
    }
    pieces(phrase)
        .into_iter()
        .map(|piece| match piece {
            Piece::Words(words) => text(words).into_any(),
            Piece::Value(datum) => view! { <Value datum context/> }.into_any(),
        })
        .collect_view()
        .into_any()
}

/// A phrase as text without markup, for attributes.
pub fn plain(phrase: &Phrase) -> String {
    pieces(phrase)
        .into_iter()
        .map(|piece| match piece {
            Piece::Words(words) => words.to_owned(),
            Piece::Value(datum) => plain_value(datum),
        })
        .collect()
}

enum Piece<'a> {
    Words(&'a str),
    Value(&'a Datum),
}

/// The words of a phrase without values.
fn whole(phrase: &Phrase) -> Option<&str> {
    match phrase {
        Phrase::Ours(words) => Some(ours(words)),
        Phrase::Foreign { foreign } => Some(foreign),
        Phrase::Filled { .. } => None,
    }
}

fn pieces(phrase: &Phrase) -> Vec<Piece<'_>> {
    let Phrase::Filled { words, with } = phrase else {
        return whole(phrase).map(Piece::Words).into_iter().collect();
    };
    let mut pieces = Vec::new();
    let mut rest = ours(words);
    // A brace without a value is shown as it is.
    while let Some((before, after)) = rest.split_once('{') {
        pieces.push(Piece::Words(before));
        let found = after.split_once('}').and_then(|(name, after)| Some((with.get(name)?, after)));
        if let Some((value, after)) = found {
            pieces.push(Piece::Value(value));
            rest = after;
        } else {
            pieces.push(Piece::Words("{"));
            rest = after;
        }
    }
    pieces.push(Piece::Words(rest));
    pieces
}
