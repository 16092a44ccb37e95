//! The sections of the page, for a widget that was chosen in the gallery.

use leptos::prelude::*;

use crate::{
    editor::{Editor, PICKER_TITLE},
    edits::{List, Spot},
    texts::t,
    view::modal::Modal,
};

/// The dialog.
#[component]
pub fn Sections(editor: Editor, kind: String) -> impl IntoView {
    let close = Callback::new(move |()| editor.close_picker());
    let document = editor.document();
    let count = List::Sections.len(&document);
    let about = match count {
        0 => t("Add a section first, then add the widget to it."),
        _ => t("Which section is the new widget for?"),
    };
    let choices = (0..count).map(|index| {
        let kind = kind.clone();
        let add = move |_| {
            editor.close_picker();
            editor.open_new_widget(index, &kind);
        };
        let name = Spot { list: List::Sections, index }.name(&document);
        view! { <button class="button" type="button" on:click=add>{name}</button> }
    });
    let choices = choices.collect_view();
    view! {
        <Modal title=t("Add widget") class="edit-question" close title_id=PICKER_TITLE>
            <div class="edit-scroll">
                <p>{about}</p>
                <div class="edit-choices">{choices}</div>
            </div>
            <div class="edit-buttons">
                <button class="button" type="button" on:click=move |_| close.run(())>{t("Cancel")}</button>
            </div>
        </Modal>
    }
}
