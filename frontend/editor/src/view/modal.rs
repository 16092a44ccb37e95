//! The frame of the editor's dialogs.

use app::built_view::Children;
use leptos::{ev::Event, html, prelude::*};
use wasm_bindgen::JsCast as _;
use web_sys::{Element, HtmlDialogElement, HtmlElement};

use super::pieces::{close_symbol, with_code};
use crate::texts::t;

/// A dialog that is open while it is mounted.
#[component]
pub fn Modal(
    /// The title, in which backticks mark code.
    #[prop(into)]
    title: Signal<String>,
    /// A further class.
    class: &'static str,
    /// Runs when it is closed with Escape or the cross.
    close: Callback<()>,
    /// The id of its title, which differs where another dialog may be open below it.
    #[prop(default = "edit-dialog-title")]
    title_id: &'static str,
    /// The content.
    children: Children,
) -> impl IntoView {
    let node = NodeRef::<html::Dialog>::new();
    Effect::new(move |_| {
        if let Some(dialog) = node.get().filter(|dialog| !dialog.open()) {
            _ = dialog.show_modal();
        }
    });
    let focused = StoredValue::new_local(None::<Element>);
    let cancelled = move |event: Event| {
        event.prevent_default();
        close.run(());
        _ = focused.try_set_value(document().active_element());
    };
    // Browsers close a dialog at the second Escape in a row, whatever `cancel` says. What is typed there must not go with it.
    let closed = move |event: Event| {
        let dialog = event.target().and_then(|dialog| dialog.dyn_into::<HtmlDialogElement>().ok());
        let Some(dialog) = dialog.filter(|dialog| dialog.is_connected() && !dialog.open()) else { return };
        _ = dialog.show_modal();
        let element = focused.try_get_value().flatten().and_then(|element| element.dyn_into::<HtmlElement>().ok());
        if let Some(element) = element {
            _ = element.focus();
        }
    };
    view! {
        <dialog node_ref=node class=format!("edit-dialog {class}") aria-labelledby=title_id on:cancel=cancelled on:close=closed>
            <div class="dialog-header">
                <h2 id=title_id>{move || with_code(&title.get())}</h2>
                <button class="icon-button" type="button" aria-label=t("Close") on:click=move |_| close.run(())>
                    {close_symbol()}
                </button>
            </div>
            {children.build()}
        </dialog>
    }
}
