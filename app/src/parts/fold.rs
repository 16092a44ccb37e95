//! Lists whose end is collapsed behind "show more".

use leptos::prelude::*;

use super::phrase::{ours, ours_with};

/// After how many rows a list is collapsed, and how many come then.
#[derive(Clone, Copy)]
pub struct Fold(Option<(usize, usize)>);

impl Fold {
    /// A fold after `after` of `count` rows; none if nothing would be hidden.
    pub fn new(after: Option<usize>, count: usize) -> Self {
        Self(after.filter(|after| *after > 0 && *after < count).map(|after| (after, count - after)))
    }

    /// The class of a row.
    pub fn class(self, position: usize) -> &'static str {
        if self.0.is_some_and(|(after, _)| position >= after) { "beyond" } else { "" }
    }

    /// The attribute `data-fold` of the list.
    pub fn attribute(self) -> Option<String> {
        self.0.map(|(after, _)| after.to_string())
    }
}

/// The button below a list, if it is collapsed; the button and the list are inside an element with the class `part`.
#[component]
pub fn FoldButton(fold: Fold) -> impl IntoView {
    fold.0.map(|(_, rest)| {
        view! { <button class="more" type="button" aria-expanded="false" data-more><MoreAndLess rows=Some(rest)/></button> }
    })
}

/// Both texts; the style sheet shows the one for the current state.
#[component]
pub fn MoreAndLess(
    /// How many rows there are more, where it is rows.
    #[prop(default = None)]
    rows: Option<usize>,
) -> impl IntoView {
    let more = rows
        .map_or_else(|| ours("Show more").to_owned(), |rows| ours_with("Show {rows} more", "rows", rows.to_string()));
    view! {
        <span class="when-folded">{more}</span>
        <span class="when-open">{ours("Show less")}</span>
    }
}
