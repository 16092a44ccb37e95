//! The boxes of tasks: they show what the note says, and whoever may write the note can tick them.

use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlInputElement};

use super::all;

/// Makes the boxes in an element show what its markup says. A browser keeps what someone has clicked, whatever the
/// markup says afterwards; and the server draws boxes that nobody can tick, since nothing would come of it without a
/// script.
pub fn show_tasks(root: &Element) {
    for element in all(root, "input[data-action]") {
        if let Some(input) = element.dyn_ref::<HtmlInputElement>() {
            input.set_checked(input.has_attribute("checked"));
            input.set_disabled(input.matches("[data-writable] *") != Ok(true));
        }
    }
}
