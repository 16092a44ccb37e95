//! The place of live figures in a tile. What stands in it is drawn by [`crate::parts`] as for a widget, and replaced by
//! `frontend/stream.js` while the page is open.

#[cfg(feature = "ssr")]
use leptos::prelude::*;

#[cfg(feature = "ssr")]
use crate::{
    backend::{PanelResponse, PanelState},
    parts::{
        markup::{markup, text},
        symbols::{self, Symbol},
    },
};

/// The name of the figures at a position of an item, whose position is such as `2-5`.
#[must_use]
pub fn place(item: &str, index: usize) -> String {
    format!("{item}-{index}")
}

/// The marker in a rendered page that the server replaces with [`body`].
#[cfg(feature = "ssr")]
#[must_use]
pub fn marker(place: &str) -> String {
    format!("<!--figures {place}-->")
}

/// The figures in a known state. `pending` stands in the place of values that are not known, and takes the same space.
#[cfg(feature = "ssr")]
#[must_use]
pub fn body(answer: Option<&PanelResponse>, pending: &str) -> String {
    let Some(answer) = answer else { return pending.to_owned() };
    let html = answer.html.as_deref().filter(|html| !html.is_empty()).unwrap_or(pending);
    match (answer.state, &answer.note) {
        (PanelState::Stale | PanelState::Error | PanelState::Broken, Some(note)) => [html, &warning(note)].concat(),
        _ => html.to_owned(),
    }
}

/// A mark that says why the values are old or missing.
#[cfg(feature = "ssr")]
#[must_use]
pub fn warning(note: &str) -> String {
    markup(view! {
        <span class="figures-trouble" title=note.to_owned()>
            <Symbol shape=symbols::WARNING/>
            <span class="visually-hidden">{text(note)}</span>
        </span>
    })
}
