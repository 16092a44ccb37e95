//! Explanations, which the pointer and the keyboard bring up and which are always read aloud. What has one carries the
//! attributes `data-hinted` and `tabindex`.

use leptos::prelude::*;
use widgets::panel::Phrase;

use super::{PanelContext, markup::text, phrase::Words};

/// An explanation.
#[component]
pub fn Hint<'a>(
    hint: Option<&'a Phrase>,
    context: &'a PanelContext,
    /// What stands above it, if that may be cut off where it is.
    #[prop(optional)]
    explained: String,
) -> impl IntoView {
    hint.map(|phrase| {
        view! {
            " "
            <span class="hint visually-hidden">
                {text(&explained).map(|text| view! { <strong class="explained" aria-hidden="true">{text}</strong> })}
                <Words phrase context/>
            </span>
        }
    })
}

/// The attribute `tabindex` of what has an explanation.
pub fn tab_index(hint: Option<&Phrase>) -> Option<&'static str> {
    hint.map(|_| "0")
}
