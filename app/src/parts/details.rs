//! Parts that can be collapsed.

use leptos::{either::Either, prelude::*};
use widgets::panel;

use super::{
    PanelContext, Parts,
    fold::MoreAndLess,
    phrase::Words,
    symbols::{self, Symbol},
};

/// Parts that can be collapsed.
#[component]
pub fn Details<'a>(details: &'a panel::Details, context: &'a PanelContext) -> impl IntoView {
    let summary = &details.summary;
    let words = if summary.is_empty() {
        Either::Left(view! { <MoreAndLess/> })
    } else {
        Either::Right(view! { <span><Words phrase=summary context/></span> })
    };
    view! {
        <details class="part part-details" open=details.open>
            <summary><Symbol shape=symbols::CHEVRON/>{words}</summary>
            <div class="details-parts"><Parts parts=&details.parts context/></div>
        </details>
    }
}
