//! The open page: it becomes what the server draws for a draft, and follows the file again afterwards.

use std::collections::HashMap;

use app::browser::{element, first, root};
use js_sys::Promise;
use leptos::prelude::document;
use wasm_bindgen::{JsCast as _, prelude::wasm_bindgen};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Document, Event, HtmlElement};

use crate::{
    appearance,
    dom::{ELEMENT, all_in, load_style_sheet},
};

#[wasm_bindgen]
extern "C" {
    /// The module `frontend/stream.js`.
    #[derive(Clone)]
    pub type Stream;

    /// A document from the server, in which styles have no effect.
    #[wasm_bindgen(method)]
    pub fn parse(this: &Stream, html: &str) -> Document;

    /// Patches the open page to match another one.
    #[wasm_bindgen(method, js_name = "become")]
    pub fn become_page(this: &Stream, page: &Document);

    /// Updates the page to another version; empty for the current one. Shows a message afterwards, unless it is empty.
    #[wasm_bindgen(method)]
    pub fn change(this: &Stream, version: &str, message: &str) -> Promise;
}

/// Shows a page that the server has drawn in edit mode. `entries` has the config entry of each widget by its position, such as
/// `2-0`. Widgets whose entries are unchanged keep their panels.
pub fn show(stream: &Stream, html: &str, entries: &HashMap<String, String>) {
    let page = stream.parse(html);
    for frame in all_in(&page, ".widget-base") {
        if let Some(entry) = frame.get_attribute("data-widget").and_then(|position| entries.get(&position)) {
            _ = frame.set_attribute("data-entry", entry);
        }
    }
    for old in all_in(&document(), "#content .widget-base") {
        let entry = old.get_attribute("data-entry");
        let fresh = page.get_element_by_id(&old.id()).and_then(|fresh| fresh.get_attribute("data-entry"));
        // A changed entry gets a new panel.
        if entry.is_some() && entry != fresh {
            old.remove();
        }
    }
    // What opens nothing can be edited with the keyboard too.
    for tile in all_in(&page, ".items > *, .sub-item") {
        if !tile.matches("a").unwrap_or_default() {
            _ = tile.set_attribute("tabindex", "0");
        }
        if tile.matches("span").unwrap_or_default() {
            _ = tile.set_attribute("role", "button");
        }
    }
    // The document from the server does not contain the editor.
    if let (Some(body), Some(Ok(editor))) = (page.body(), element(ELEMENT).map(|own| own.clone_node())) {
        _ = body.append_child(&editor);
    }
    if !root().has_attribute("data-editing") {
        appearance::put_choices_aside();
        _ = root().set_attribute("data-editing", "");
    }
    draw(stream, &page);
}

/// Patches the open page to match a document from the server, with its theme and its layout.
pub fn draw(stream: &Stream, page: &Document) {
    let layout = appearance::layout_of(page);
    // A page without widgets has not loaded their style sheet.
    for link in all_in(page, "link[rel=stylesheet][href*='/widgets-']") {
        load_style_sheet(&link.get_attribute("href").unwrap_or_default());
    }
    stream.become_page(page);
    appearance::show_layout(&layout);
    appearance::show_theme(Some(page));
    if let Ok(event) = Event::new("portico:changed") {
        _ = document().dispatch_event(&event);
    }
}

/// Shows the file again after edit mode, and a message, which only saving has.
pub async fn leave(stream: Stream, message: String) {
    appearance::bring_choices_back(!message.is_empty());
    _ = root().remove_attribute("data-editing");
    if let Some(editor) = element(ELEMENT) {
        editor.remove();
    }
    _ = JsFuture::from(stream.change("", &message)).await;
    // Keyboard users continue where edit mode began.
    if let Some(button) = first(".edit-button").filter(|_| has_no_focus()) {
        app::browser::focus_in_place(&button);
    }
}

/// Moves the focus from the button that began edit mode to the first entry on the screen, where Enter edits.
pub fn focus_first_entry(button: Option<&HtmlElement>) {
    let active = document().active_element();
    let is_button = button.zip(active.as_ref()).is_some_and(|(button, active)| active.is_same_node(Some(button)));
    if !is_button && !has_no_focus() {
        return;
    }
    let entries = all_in(&document(), "#content :is(.items > a, .section-heading)");
    let is_on_screen = |entry: &HtmlElement| {
        let place = entry.get_bounding_client_rect();
        place.width() > 0.0 && place.top() >= 0.0
    };
    let entries = entries.into_iter().filter_map(|entry| entry.dyn_into::<HtmlElement>().ok());
    if let Some(entry) = entries.into_iter().find(is_on_screen) {
        app::browser::focus_in_place(&entry);
    }
}

/// Whether nothing on the page has the focus.
fn has_no_focus() -> bool {
    let (active, body) = (document().active_element(), document().body());
    active.zip(body).is_none_or(|(active, body)| active.is_same_node(Some(&body)))
}
