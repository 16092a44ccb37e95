//! Columns of a page, narrow and full (docs/spec/behavior.md 3.2). Each is an element of its own, so that the heights in one
//! do not affect another.

use config::{Dashboard, dashboard::ColumnWidth};
use leptos::prelude::*;

use crate::any_view::{AnyView, IntoAny};

/// The columns. `in_order` renders sections, given their positions in the dashboard.
pub(super) fn columns<V: IntoView + 'static>(dashboard: &Dashboard, in_order: impl Fn(Vec<usize>) -> V) -> AnyView {
    let column = |(width, sections): (ColumnWidth, Vec<usize>)| {
        view! { <div class="page-column" data-width=width.word()>{in_order(sections)}</div> }
    };
    dashboard.section_columns().into_iter().map(column).collect_view().into_any()
}
