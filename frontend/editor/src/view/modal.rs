//! The frame of the editor's dialogs.

use leptos::{ev::Event, html, prelude::*};

use super::pieces::close_symbol;
use crate::texts::t;

/// A dialog that is open while it is mounted.
#[component]
pub fn Modal(
    /// The title.
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
    let cancelled = move |event: Event| {
        event.prevent_default();
        close.run(());
    };
    view! {
        <dialog node_ref=node class=format!("edit-dialog {class}") aria-labelledby=title_id on:cancel=cancelled>
            <div class="dialog-header">
                <h2 id=title_id>{title}</h2>
                <button class="icon-button" type="button" aria-label=t("Close") on:click=move |_| close.run(())>
                    {close_symbol()}
                </button>
            </div>
            {children()}
        </dialog>
    }
}
