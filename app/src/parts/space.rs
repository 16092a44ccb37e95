//! Empty space.

use leptos::prelude::*;
use widgets::panel;

use super::{PanelContext, value::Words};

/// Empty space, with its words. A drawing of nothing has the height, because a `style` attribute is not allowed.
#[component]
pub fn Space<'a>(space: &'a panel::Space, context: &'a PanelContext) -> impl IntoView {
    let text = &space.text;
    view! {
        <div class="part part-space">
            <svg width="0" height=space.height.css().to_owned() aria-hidden="true"></svg>
            {(!text.is_empty()).then(|| view! { <p><Words phrase=text context/></p> })}
        </div>
    }
}
