//! Sentences about a state.

use leptos::prelude::*;
use widgets::panel;

use super::{
    PanelContext,
    markup::{classes, maybe_class},
    phrase::ours,
    tone::{ToneSymbol, tone_class},
    value::Words,
};

/// A sentence about a state.
#[component]
pub fn Notice<'a>(notice: &'a panel::Notice, context: &'a PanelContext) -> impl IntoView {
    view! {
        <div class="part part-notice">
            <p {maybe_class(classes([tone_class(notice.tone)]))}>
                <ToneSymbol tone=notice.tone/>
                <span><Words phrase=&notice.text context/></span>
            </p>
        </div>
    }
}

/// A sentence for a part that has nothing to show.
#[component]
pub fn Empty(sentence: &'static str) -> impl IntoView {
    view! { <p class="part part-empty">{ours(sentence)}</p> }
}
