//! Hints, which appear on hover and focus, and are always read by screen readers. Their element has the attributes
//! `data-hinted` and `tabindex`.

use leptos::prelude::*;
use widgets::panel::Phrase;

use super::{PanelContext, markup::text, value::Words};

/// A hint.
#[component]
pub fn Hint<'a>(
    hint: Option<&'a Phrase>,
    context: &'a PanelContext,
    /// The text of the element, if it may be cut off there; shown above the hint.
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

/// The attribute `tabindex` of an element with a hint.
pub fn tab_index(hint: Option<&Phrase>) -> Option<&'static str> {
    hint.map(|_| "0")
}
