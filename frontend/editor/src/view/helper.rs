//! The button beside a field that opens a dialog to fill it in. That of a field for colors shows the color, the first one of a list.

use app::built_view::{AnyView, IntoAny};
use leptos::{ev::MouseEvent, prelude::*};
use wasm_bindgen::JsCast as _;
use web_sys::Element;

use crate::{
    editor::{Editor, Field, Picker},
    schema::lists,
    texts::{fill, t, within_sentence},
};

/// A field with its button. `helper` is the dialog, as in [`crate::schema::SchemaField`]; `text` is what the field contains.
pub fn helped(editor: Editor, helper: &'static str, label: &str, text: String, field: AnyView) -> AnyView {
    let label = fill("Choose {name}", &[("name", &within_sentence(label))]);
    let open = move |event: MouseEvent| {
        let button = event.target().and_then(|button| button.dyn_into::<Element>().ok());
        if let Some(field) = button.as_ref().and_then(Field::beside) {
            open(editor, helper, field);
        }
    };
    let typed = RwSignal::new(text);
    let swatch = move || match helper {
        "colors" => typed.get(),
        "palette" => typed.with(|colors| lists::read(colors)).into_iter().next().unwrap_or_default(),
        _ => String::new(),
    };
    view! {
        <div class="edit-helped" on:input=move |event| typed.set(event_target_value(&event))>
            {field}
            <button
                class="button edit-helper" type="button" data-helper=helper style=("--swatch", swatch)
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
