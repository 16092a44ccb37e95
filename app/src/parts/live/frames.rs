//! Frames with another page: loading them again, and a hint when nothing comes.

use std::time::Duration;

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, HtmlIFrameElement};

use super::all;

/// How often to look whether the frames have loaded, and after how many looks there is a hint.
const LOOK: Duration = Duration::from_secs(5);
const LOOKS: &str = "3";

/// Loads the frames of an element again. The address of what is in a frame cannot be read, and setting the same address
/// does nothing where it ends in a fragment; so each gives way to a copy of itself.
pub fn load_again(root: &Element) {
    for frame in all(root, ".part-frame iframe") {
        if let (Some(parent), Ok(copy)) = (frame.parent_node(), frame.clone_node()) {
            _ = parent.replace_child(&copy, &frame);
        }
    }
    follow();
}

/// Looks after the frames of the page until all have loaded.
pub fn follow() {
    let Some(page) = document().document_element() else { return };
    // The mark is of this visit, so that there is one timer.
    if page.has_attribute("data-frames") || waiting(&page).is_empty() {
        return;
    }
    _ = page.toggle_attribute_with_force("data-frames", true);
    set_timeout(
        move || {
            _ = page.remove_attribute("data-frames");
            look(&page);
            follow();
        },
        LOOK,
    );
}

/// Counts for how long a frame on the screen has been empty; shows its hint then, and hides it when the page has come.
fn look(page: &Element) {
    for hint in all(page, ".part-frame .frame-hint") {
        let Some(frame) = hint.parent_element().and_then(|part| part.query_selector("iframe").ok().flatten()) else {
            continue;
        };
        let place = frame.get_bounding_client_rect();
        let height = window().inner_height().ok().and_then(|height| height.as_f64()).unwrap_or_default();
        let is_on_screen = place.height() > 0.0 && place.bottom() > 0.0 && place.top() < height;
        let before = hint.get_attribute("data-looks");
        let looks = match before.as_deref() {
            _ if !is_empty(&frame) => "0",
            before if !is_on_screen => before.unwrap_or("0"),
            None | Some("0") => "1",
            Some("1") => "2",
            _ => LOOKS,
        };
        _ = hint.set_attribute("data-looks", looks);
        if let Some(hint) = hint.dyn_ref::<HtmlElement>() {
            hint.set_hidden(looks != LOOKS);
        }
    }
}

/// The frames that have not loaded yet.
fn waiting(page: &Element) -> Vec<Element> {
    let mut frames = all(page, ".part-frame:has(.frame-hint) iframe");
    frames.retain(is_empty);
    frames
}

/// Whether nothing has come yet. What has come from another site cannot be read, and that can be seen.
fn is_empty(frame: &Element) -> bool {
    let inside = frame.dyn_ref::<HtmlIFrameElement>().and_then(HtmlIFrameElement::content_document);
    inside.and_then(|page| page.url().ok()).is_some_and(|address| address == "about:blank")
}
