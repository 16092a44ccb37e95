//! The meaning of a value, as a color, and as a mark for people who cannot see the color.

use leptos::prelude::*;
use widgets::panel::{Datum, Tone};

use super::symbols::{self, Symbol};

/// The class of a tone; empty for no particular meaning.
pub fn tone_class(tone: Tone) -> &'static str {
    match tone {
        Tone::Plain => "",
        Tone::Success => "tone-success",
        Tone::Warning => "tone-warning",
        Tone::Danger => "tone-danger",
        Tone::Info => "tone-info",
        Tone::Neutral => "tone-neutral",
        Tone::Black => "tone-black",
        Tone::White => "tone-white",
    }
}

/// The mark of a tone.
#[component]
pub fn ToneSymbol(tone: Tone) -> impl IntoView {
    let shape = match tone {
        Tone::Plain | Tone::Neutral | Tone::Black | Tone::White => None,
        Tone::Success => Some(symbols::GOOD),
        Tone::Warning => Some(symbols::WARNING),
        Tone::Danger => Some(symbols::DANGER),
        Tone::Info => Some(symbols::INFO),
    };
    shape.map(|shape| view! { <Symbol shape/> })
}

/// The mark of a tone before a value. A number shown with its sign does not need one.
#[component]
pub fn ValueSymbol<'a>(tone: Tone, value: &'a Datum) -> impl IntoView {
    let is_signed = matches!(value, Datum::Number { signed: true, .. });
    view! { <ToneSymbol tone=if is_signed { Tone::Plain } else { tone }/> }
}
