//! Brings the open page into the language that was just chosen, without loading it again: scroll position, search, open sections and
//! frames stay as they are.

use app::{
    SETTINGS_ELEMENT,
    browser::{element, first, root},
};
use gloo_net::http::Request;
use js_sys::{JSON, Object, Reflect};
use leptos::prelude::{document, window};
use wasm_bindgen::{JsCast as _, JsValue, closure::Closure, prelude::wasm_bindgen};
use web_sys::{CustomEvent, Document, Element, Node};

/// Attributes that have a text.
const TEXTS: [&str; 9] = [
    "alt",
    "aria-description",
    "aria-label",
    "aria-roledescription",
    "content",
    "dir",
    "placeholder",
    "title",
    "value",
];
/// What the settings of the page say about its language and its version.
const SETTINGS: [&str; 3] = ["data-texts", "data-core", "data-version"];
/// The choice of a language in the options.
const CHOICE: &str = "[name=language]";

#[wasm_bindgen]
extern "C" {
    /// The functions of `frontend/stream.js` that a page in another language needs.
    pub type Stream;

    /// A document from the server, in which styles have no effect.
    #[wasm_bindgen(method)]
    fn parse(this: &Stream, html: &str) -> Document;

    /// Patches the open page to match another one. `copy` brings an element of another script up to date.
    #[wasm_bindgen(method, js_name = "become")]
    fn become_page(this: &Stream, page: &Document, copy: &JsValue);

    /// Ends the stream of events.
    #[wasm_bindgen(method)]
    fn close(this: &Stream);

    /// Begins the stream of events.
    #[wasm_bindgen(method)]
    fn open(this: &Stream);
}

/// Gets the page in its new language, and shows it.
///
/// # Errors
///
/// The page has to be loaded again instead.
pub async fn translate(stream: Stream) -> Result<(), JsValue> {
    let failed = || JsValue::from_str("the page cannot change in place");
    let response = Request::get(&window().location().href()?).header("Accept", "text/html").send().await;
    let response = response.map_err(|_| failed())?;
    let page = stream.parse(&response.text().await.map_err(|_| failed())?);
    let (Some(fresh), Some(settings)) = (page.get_element_by_id(SETTINGS_ELEMENT), element(SETTINGS_ELEMENT)) else {
        return Err(failed());
    };
    let root = root();
    // The editor has texts of its own, and changes that are not saved. A script that teaches the browser a language has to run first.
    let has_formats = page.query_selector("[data-formats]").is_ok_and(|script| script.is_some());
    if !response.ok() || root.has_attribute("data-editing") || has_formats {
        return Err(failed());
    }
    for name in ["lang", "dir"] {
        let value = page.document_element().and_then(|root| root.get_attribute(name));
        _ = match value.filter(|value| !value.is_empty()) {
            Some(value) => root.set_attribute(name, &value),
            None => root.remove_attribute(name),
        };
    }
    // What scripts have loaded is in the old language.
    _ = settings.remove_attribute("data-dialog-texts");
    _ = settings.remove_attribute("data-texts");
    for name in SETTINGS {
        if let Some(value) = fresh.get_attribute(name).filter(|value| !value.is_empty()) {
            _ = settings.set_attribute(name, &value);
        }
    }
    let texts = fresh.get_attribute("data-texts").and_then(|texts| JSON::parse(&texts).ok());
    _ = Reflect::set(&settings, &"texts".into(), &texts.unwrap_or_else(|| Object::new().into()));
    let copy = Closure::<dyn Fn(Node, Node)>::new(|old: Node, fresh: Node| copy_texts(&old, &fresh));
    stream.become_page(&page, copy.as_ref());
    // The stream keeps the function until the next change.
    copy.forget();
    show_choice(&page);
    for name in ["portico:changed", "portico:language"] {
        let event = CustomEvent::new(name)?;
        event.init_custom_event_with_can_bubble_and_cancelable_and_detail(name, false, false, &page);
        _ = document().dispatch_event(&event);
    }
    // The server writes events in the language of their request.
    stream.close();
    stream.open();
    Ok(())
}

/// Shows the chosen language in the options.
fn show_choice(page: &Document) {
    let (Some(shown), Ok(Some(chosen))) = (first(CHOICE), page.query_selector(CHOICE)) else { return };
    let value = app::property(&chosen, "value");
    _ = Reflect::set(&shown, &"value".into(), &value);
    // What the form returns to if another choice cannot be sent.
    for option in js_sys::Array::from(&app::property(&shown, "options")).iter() {
        _ = Reflect::set(&option, &"defaultSelected".into(), &app::property(&option, "selected"));
    }
    _ = shown.focus();
}

/// Copies the texts of a part whose nodes belong to the bundle, which goes on with them. What it has drawn since, such as results of
/// a search, has no counterpart in the page, and stays until it is drawn again.
fn copy_texts(old: &Node, fresh: &Node) {
    if let (Some(old), Some(fresh)) = (old.dyn_ref::<Element>(), fresh.dyn_ref::<Element>()) {
        let matches = |selector: &str| old.matches(selector).unwrap_or_default();
        if matches(".widget-body, .widget-note, script") {
            return;
        }
        // The value of a field is what a person has typed.
        let is_typed = |name: &str| name == "value" && matches("input, option, select");
        for name in TEXTS.into_iter().filter(|name| old.has_attribute(name) && !is_typed(name)) {
            if let Some(value) = fresh.get_attribute(name) {
                _ = old.set_attribute(name, &value);
            }
        }
    } else if old.node_type() == Node::TEXT_NODE && old.node_value() != fresh.node_value() {
        old.set_node_value(fresh.node_value().as_deref());
    }
    let (own, others) = (children(old), children(fresh));
    let is_alike = own.len() == others.len()
        && own.iter().zip(&others).all(|(child, other)| child.node_name() == other.node_name());
    if is_alike {
        for (child, other) in own.iter().zip(&others) {
            copy_texts(child, other);
        }
    }
}

fn children(node: &Node) -> Vec<Node> {
    let list = node.child_nodes();
    (0..list.length()).filter_map(|at| list.item(at)).collect()
}
