//! The frame of the dialogs for a field. Each choice goes into the field, and so onto the page, at once.

use app::built_view::Children;
use leptos::prelude::*;

use crate::{
    editor::{Editor, Field, PICKER_TITLE},
    texts::t,
    view::modal::Modal,
};

/// The dialog. Cancel restores the old value.
#[component]
pub fn FieldPicker(
    /// The editor.
    editor: Editor,
    /// The field.
    field: Field,
    /// The title.
    title: String,
    /// A further class.
    class: &'static str,
    /// The label of the button that empties the field, if there is one.
    #[prop(optional)]
    none: Option<String>,
    /// The content.
    children: Children,
) -> impl IntoView {
    let before = StoredValue::new(field.value());
    let field = StoredValue::new(field);
    let close = move || {
        editor.close_picker();
        field.get_value().focus();
    };
    let take = move |value: &str| {
        let field = field.get_value();
        if field.value() != value {
            field.fill(value);
        }
        close();
    };
    let cancel = Callback::new(move |()| take(&before.get_value()));
    let none =
        none.map(|label| view! { <button class="button" type="button" on:click=move |_| take("")>{label}</button> });
    view! {
        <Modal title=title class close=cancel title_id=PICKER_TITLE>
            {children.build()}
            <div class="edit-buttons">
                {none}
                <button class="button" type="button" on:click=move |_| cancel.run(())>{t("Cancel")}</button>
                <button class="button primary" type="button" on:click=move |_| close()>{t("Done")}</button>
            </div>
        </Modal>
    }
}
