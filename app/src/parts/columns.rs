//! Parts side by side.

use leptos::prelude::*;

use crate::any_view::AnyView;

/// Parts side by side.
#[component]
pub fn Columns(
    /// The parts of each column.
    columns: Vec<AnyView>,
) -> impl IntoView {
    let column = |parts| view! { <div class="column">{parts}</div> };
    view! { <div class="part part-columns">{columns.into_iter().map(column).collect_view()}</div> }
}
