//! The button beside a field that opens a dialog to fill it in. `frontend/edit.js` handles its clicks, fills the field, and shows
//! the color of a color field on its button.

use app::built_view::{AnyView, IntoAny};
use leptos::prelude::*;

/// A field with its button. `helper` is the dialog, as in [`crate::schema::SchemaField`].
pub fn helped(helper: &'static str, label: &str, field: AnyView) -> AnyView {
    let label = format!("Choose {}", label.to_lowercase());
    view! {
        <div class="edit-helped">
            {field}
            <button
                class="button edit-helper" type="button" data-helper=helper
                aria-label=label aria-haspopup="dialog"
            >
                "Choose"
            </button>
        </div>
    }
    .into_any()
}
