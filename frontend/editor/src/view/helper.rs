//! The button beside a field that opens a dialog to fill it in. `frontend/edit.js` handles its clicks, fills the field, and shows
//! the color of a color field on its button.

use app::built_view::{AnyView, IntoAny};
use leptos::prelude::*;

use crate::texts::{fill, t, within_sentence};

/// A field with its button. `helper` is the dialog, as in [`crate::schema::SchemaField`].
pub fn helped(helper: &'static str, label: &str, field: AnyView) -> AnyView {
    let label = fill("Choose {name}", &[("name", &within_sentence(label))]);
    view! {
        <div class="edit-helped">
            {field}
            <button
                class="button edit-helper" type="button" data-helper=helper
                aria-label=label aria-haspopup="dialog"
            >
                {t("Choose")}
            </button>
        </div>
    }
    .into_any()
}
