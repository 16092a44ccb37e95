//! The frame of all dialogs of the editor.

use leptos::{ev::Event, html, prelude::*};

use crate::view::bar::close_symbol;

/// A dialog that is open from the beginning.
#[component]
pub fn Modal(
    /// What stands above it.
    title: String,
    /// Further class.
    class: &'static str,
    /// It was closed with Escape or the cross.
    close: Callback<()>,
    /// What is in it.
    children: Children,
) -> impl IntoView {
    let node = NodeRef::<html::Dialog>::new();
    Effect::new(move |_| {
        if let Some(dialog) = node.get().filter(|dialog| !dialog.open()) {
            _ = dialog.show_modal();
        }
    });
    let cancelled = move |event: Event| {
        event.prevent_default();
        close.run(());
    };
    view! {
        <dialog node_ref=node class=format!("edit-dialog {class}") aria-labelledby="edit-dialog-title" on:cancel=cancelled>
            <div class="dialog-header">
                <h2 id="edit-dialog-title">{title}</h2>
                <button class="icon-button" type="button" aria-label="Close" on:click=move |_| close.run(())>
                    {close_symbol()}
                </button>
            </div>
            {children()}
        </dialog>
    }
}
