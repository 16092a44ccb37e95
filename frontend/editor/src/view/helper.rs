//! The button beside a field that opens a dialog to fill it in. `frontend/edit.js` shows the color of a color field on its button.

use app::built_view::{AnyView, IntoAny};
use leptos::{ev::MouseEvent, prelude::*};
use wasm_bindgen::JsCast as _;
use web_sys::Element;

use crate::{
    editor::{Editor, Field, Picker},
    texts::{fill, t, within_sentence},
};

/// A field with its button. `helper` is the dialog, as in [`crate::schema::SchemaField`].
pub fn helped(editor: Editor, helper: &'static str, label: &str, field: AnyView) -> AnyView {
    let label = fill("Choose {name}", &[("name", &within_sentence(label))]);
    let open = move |event: MouseEvent| {
        let button = event.target().and_then(|button| button.dyn_into::<Element>().ok());
        if let Some(field) = button.as_ref().and_then(Field::beside) {
            open(editor, helper, field);
        }
    };
    view! {
        <div class="edit-helped">
            {field}
            <button
                class="button edit-helper" type="button" data-helper=helper
                aria-label=label aria-haspopup="dialog" on:click=open
            >
                {t("Choose")}
            </button>
        </div>
    }
    .into_any()
}

/// Opens a dialog for a field.
fn open(editor: Editor, helper: &str, field: Field) {
    match helper {
        "colors" => editor.pick(Picker::Color(field)),
        "palette" => editor.pick(Picker::Colors(field)),
        "languages" => editor.pick(Picker::Language(field)),
        "icons" => editor.pick(Picker::Icon(field)),
        "themes" => editor.choose_theme(&field),
        _ => {}
    }
}
