//! The checkboxes of tasks: they show the state in the note, and viewers who may write the note can tick them.

use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlInputElement};

use super::dom::all;

/// Makes the checkboxes in an element show what its markup says: a browser keeps the state that was clicked,
/// whatever the markup says later. The server disables all checkboxes, because they do nothing without a script; this
/// enables those that the viewer may tick.
pub fn show_tasks(root: &Element) {
    for element in all(root, "input[data-action]") {
        if let Some(input) = element.dyn_ref::<HtmlInputElement>() {
            input.set_checked(input.has_attribute("checked"));
            input.set_disabled(input.matches("[data-writable] *") != Ok(true));
        }
    }
}
