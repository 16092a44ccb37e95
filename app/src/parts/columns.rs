//! Parts side by side.

use leptos::prelude::*;
use widgets::panel;

use super::{PanelContext, Parts};

/// Parts side by side.
#[component]
pub fn Columns<'a>(columns: &'a panel::Columns, context: &'a PanelContext) -> impl IntoView {
    let column = |parts| view! { <div class="column"><Parts parts context/></div> };
    view! {
        <div class="part part-columns">
            {columns.columns.iter().map(|parts| column(parts.as_slice())).collect_view()}
        </div>
    }
}
