//! Lists whose end is collapsed behind "show more".

use leptos::prelude::*;

use super::phrase::ours;

/// After how many rows a list is collapsed.
#[derive(Clone, Copy)]
pub struct Fold(Option<usize>);

impl Fold {
    /// A fold after `after` of `count` rows; none if nothing would be hidden.
    pub fn new(after: Option<usize>, count: usize) -> Self {
        Self(after.filter(|after| *after > 0 && *after < count))
    }

    /// The class of a row.
    pub fn class(self, position: usize) -> &'static str {
        if self.0.is_some_and(|after| position >= after) { "beyond" } else { "" }
    }

    /// The attribute `data-fold` of the list.
    pub fn attribute(self) -> Option<String> {
        self.0.map(|after| after.to_string())
    }
}

/// The button below a list, if it is collapsed; the button and the list are inside an element with the class `part`.
#[component]
pub fn FoldButton(fold: Fold) -> impl IntoView {
    fold.0.map(|_| {
        view! { <button class="more" type="button" aria-expanded="false" data-more><MoreAndLess/></button> }
    })
}

/// Both texts; the style sheet shows the one for the current state.
#[component]
pub fn MoreAndLess() -> impl IntoView {
    view! {
        <span class="when-folded">{ours("Show more")}</span>
        <span class="when-open">{ours("Show less")}</span>
    }
}
