//! What the tabs of the config menu have in common.

use app::built_view::{AnyView, IntoAny};
use leptos::{html, prelude::*, task::spawn_local};
use wasm_bindgen::JsCast;
use web_sys::HtmlDialogElement;

use crate::{
    dialog::button,
    host,
    texts::{t, words},
};

/// The open menu, for the tabs.
#[derive(Clone, Copy)]
pub struct Menu {
    /// Its element.
    pub node: NodeRef<html::Dialog>,
}

impl Menu {
    /// Closes the menu.
    pub fn close(self) {
        if let Some(dialog) = self.node.get_untracked() {
            HtmlDialogElement::close(dialog.unchecked_ref());
        }
    }

    /// A button that closes the menu, starts edit mode, and opens one of the editor's dialogs.
    pub fn editor_button(self, label: &str, dialog: &'static str) -> AnyView {
        button(t(label), "button", move || self.begin(Some(dialog)))
    }

    /// Closes the menu, starts edit mode, and opens one of the editor's dialogs.
    pub fn begin(self, dialog: Option<&'static str>) {
        self.close();
        spawn_local(async move {
            if let Some(editor) = host::editor().await {
                _ = editor.begin(dialog).await;
            }
        });
    }
}

/// A result of the server as a view, or why there is none. Empty while it is awaited.
pub fn or_problem<T>(result: Option<Result<T, String>>, view: impl FnOnce(T) -> AnyView) -> Option<AnyView> {
    Some(match result? {
        Ok(value) => view(value),
        Err(problem) => view! { <p class="tools-problem" role="alert">{words(&problem)}</p> }.into_any(),
    })
}
