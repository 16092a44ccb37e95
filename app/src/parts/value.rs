//! Values, and the words that contain them. A value whose text depends on a language or a zone is also stored in attributes, from which [`super::live`]
//! formats it after hydration.

use std::borrow::Cow;

use leptos::prelude::*;
use widgets::panel::{Datum, Link, Phrase, SafeUrl, Style, Unit};

use super::{
    PanelContext,
    markup::{classes, maybe_class, text},
    number::{Number, plain_number},
    phrase::{our_message, ours},
    short_number::ShortNumber,
    symbols::{self, Symbol},
    time::{Days, FormattedTime, Time, iso},
    tone::tone_class,
};
use crate::any_view::{AnyView, IntoAny};

/// Shown for a missing value.
pub const DASH: &str = "–";

/// A value.
#[component]
pub fn Value<'a>(datum: &'a Datum, context: &'a PanelContext) -> AnyView {
    match datum {
        Datum::Missing => view! { <Missing/> }.into_any(),
        Datum::Text(words) => text(words).into_any(),
        Datum::Words(phrase) => view! { <Words phrase context/> }.into_any(),
        Datum::Number { value, unit: Unit::Short, signed, .. } => {
            view! { <ShortNumber value=*value signed=*signed/> }.into_any()
        }
        Datum::Number { value, unit, decimals, signed } => {
            view! { <Number value=*value unit decimals=*decimals signed=*signed/> }.into_any()
        }
        Datum::Time { at, style, offset } => {
            view! { <Time at=*at style=style_word(*style) offset=*offset/> }.into_any()
        }
        Datum::FormattedTime { at, offset, format } => {
            view! { <FormattedTime at=*at format offset=*offset/> }.into_any()
        }
        Datum::Days { first, last } => view! { <Days first=*first last=*last/> }.into_any(),
        Datum::Flag(yes) => {
            let (shape, word) = if *yes { (symbols::CHECK, "Yes") } else { (symbols::CROSS, "No") };
            view! {
                <Symbol shape/>
                <span class="visually-hidden">{ours(word)}</span>
            }
            .into_any()
        }
        Datum::Strong { text: shown, meaning } => {
            let meaning = (!meaning.is_empty()).then(|| [" (", &plain(meaning), ")"].concat());
            view! {
                <strong>{text(shown)}</strong>
                {meaning.map(|meaning| view! { <span class="visually-hidden">{meaning}</span> })}
            }
            .into_any()
        }
        Datum::Link(Link { text, url }) => {
            view! { <Linked url=Some(url) context content=view! { <Words phrase=text context/> }.into_any()/> }
                .into_any()
        }
        Datum::Toned { value, tone } => {
            view! { <span {maybe_class(classes([tone_class(*tone)]))}><Value datum=value context/></span> }.into_any()
        }
    }
}

/// A missing value.
#[component]
pub fn Missing() -> impl IntoView {
    view! { <span class="missing">{DASH}</span> }
}

/// Content that is a link if there is an address; opens in a new tab, without a referrer.
#[component]
pub fn Linked<'a>(url: Option<&'a SafeUrl>, context: &'a PanelContext, content: AnyView) -> AnyView {
    match url {
        Some(url) => {
            view! { <a href=context.href(url) target="_blank" rel="noopener noreferrer">{content}</a> }.into_any()
        }
        None => content,
    }
}

/// A value as text without markup, for attributes.
pub fn plain_value(datum: &Datum) -> String {
    match datum {
        Datum::Missing => DASH.to_owned(),
        Datum::Text(text) | Datum::Strong { text, .. } => text.clone(),
        Datum::Words(words) => plain(words),
        Datum::Number { value, unit, decimals, signed } => plain_number(*value, unit, *decimals, *signed),
        Datum::Time { at, .. } | Datum::FormattedTime { at, .. } => iso(*at),
        Datum::Days { first, last } => [iso(*first), iso(*last)].join(DASH),
        Datum::Flag(yes) => ours(if *yes { "Yes" } else { "No" }).to_owned(),
        Datum::Link(Link { text, .. }) => plain(text),
        Datum::Toned { value, .. } => plain_value(value),
    }
}

fn style_word(style: Style) -> &'static str {
    match style {
        Style::Date => "date",
        Style::ShortDate => "short",
        Style::Time => "time",
        Style::DateTime => "exact",
        Style::Weekday => "weekday",
        Style::Relative => "relative",
    }
}

/// Words, and the values in them.
#[component]
pub fn Words<'a>(phrase: &'a Phrase, context: &'a PanelContext) -> AnyView {
    if let Some(words) = whole(phrase) {
        return text(&words).into_any();
    }
    pieces(phrase)
        .into_iter()
        .map(|piece| match piece {
            Piece::Words(words) => text(&words).into_any(),
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
            Piece::Words(words) => words.into_owned(),
            Piece::Value(datum) => plain_value(datum),
        })
        .collect()
}

enum Piece<'a> {
    Words(Cow<'a, str>),
    Value(&'a Datum),
}

/// The words of a phrase without values.
fn whole(phrase: &Phrase) -> Option<Cow<'_, str>> {
    match phrase {
        Phrase::Ours(words) => Some(ours(words).into()),
        Phrase::Foreign { foreign } => Some(foreign.into()),
        Phrase::Message { message } => Some(our_message(message)),
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
        pieces.push(Piece::Words(before.into()));
        let found = after.split_once('}').and_then(|(name, after)| Some((with.get(name)?, after)));
        if let Some((value, after)) = found {
            pieces.push(Piece::Value(value));
            rest = after;
        } else {
            pieces.push(Piece::Words("{".into()));
            rest = after;
        }
    }
    pieces.push(Piece::Words(rest.into()));
    pieces
}
