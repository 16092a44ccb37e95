//! Frames with another page: reloads them, and shows a hint if nothing arrives.

use std::time::Duration;

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, HtmlIFrameElement};

use super::dom::all;

/// How often to check whether the frames have loaded, and after how many checks to show a hint.
const LOOK: Duration = Duration::from_secs(5);
const LOOKS: &str = "3";

/// Reloads the frames in an element. The current address inside a frame cannot be read, and setting the same address
/// again does nothing if it ends in a fragment; so each frame is replaced by a copy of itself.
pub fn load_again(root: &Element) {
    for frame in all(root, ".part-frame iframe") {
        if let (Some(parent), Ok(copy)) = (frame.parent_node(), frame.clone_node()) {
            _ = parent.replace_child(&copy, &frame);
        }
    }
    install();
}

/// Watches the frames of the page until all have loaded.
pub fn install() {
    let Some(page) = document().document_element() else { return };
    // The mark is not in the server's markup, so there is only one timer.
    if page.has_attribute("data-frames") || waiting(&page).is_empty() {
        return;
    }
    _ = page.toggle_attribute_with_force("data-frames", true);
    set_timeout(
        move || {
            _ = page.remove_attribute("data-frames");
            update_hints(&page);
            install();
        },
        LOOK,
    );
}

/// Counts how long a visible frame has been empty; then shows its hint, and hides it when the page arrives.
fn update_hints(page: &Element) {
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

/// Whether nothing has arrived yet. If the page of another site has arrived, reading it fails, which shows that it is
/// there.
fn is_empty(frame: &Element) -> bool {
    let inside = frame.dyn_ref::<HtmlIFrameElement>().and_then(HtmlIFrameElement::content_document);
    inside.and_then(|page| page.url().ok()).is_some_and(|address| address == "about:blank")
}
