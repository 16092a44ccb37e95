//! Opens and closes the native dialogs according to their signals.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlDialogElement};

use super::{closest, element, listen};
use crate::page::PageState;

/// Follows the signals. A click on the backdrop closes a dialog; the browser itself handles Escape.
pub(super) fn install(state: PageState) {
    Effect::new(move || show("frame-dialog", state.frame.with(Option::is_some)));
    Effect::new(move || show("keys-dialog", state.keys_shown.get()));
    if let Some(splash) = element("splash") {
        let target = splash.clone();
        listen(&target, "click", false, move |_: Event| splash.remove());
    }
    listen(&document(), "click", false, |event: Event| {
        // Only a click on the backdrop has the dialog itself as its target.
        let on_backdrop = event.target().is_some_and(|target| target.has_type::<HtmlDialogElement>());
        if let Some(dialog) = closest(&event, "dialog").filter(|_| on_backdrop) {
            dialog.unchecked_into::<HtmlDialogElement>().close();
        }
    });
}

fn show(id: &str, open: bool) {
    let Some(dialog) = element(id).and_then(|node| node.dyn_into::<HtmlDialogElement>().ok()) else { return };
    if open && !dialog.open() {
        _ = dialog.show_modal();
    } else if !open && dialog.open() {
        dialog.close();
    }
}
