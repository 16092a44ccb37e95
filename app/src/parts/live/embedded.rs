//! Frames with a page from the config file: adapts their height to their content, and their colors and font to the page
//! around them.
//!
//! Such a page has no access to ours. It posts its height, and receives the values of a few CSS variables.

use std::cell::Cell;

use leptos::prelude::*;
use wasm_bindgen::{JsCast, JsValue, prelude::Closure};
use web_sys::{Element, HtmlElement, HtmlIFrameElement, MessageEvent, MutationObserver, MutationObserverInit, Node};

use super::dom::all;
use crate::parts::scale::exact;

/// The minimum and maximum height, in pixels.
const HEIGHTS: (f64, f64) = (40.0, 5000.0);
/// The properties of the frame's document, and those of our page from which they get their values.
const LOOK: [(&str, &str); 7] = [
    ("color-scheme", "color-scheme"),
    ("font-family", "font-family"),
    ("--widget-text-color", "--text"),
    ("--widget-background-color", "--widget-background-color"),
    ("--widget-accent-color", "--accent"),
    ("--primary", "--primary"),
    ("--background", "--background"),
];

thread_local! {
    static FOLLOWS: Cell<bool> = const { Cell::new(false) };
}

/// Follows the messages of the frames and the look of the page, once there are such frames. Later calls do nothing more.
pub fn follow_frames() {
    if frames().is_empty() || FOLLOWS.replace(true) {
        return;
    }
    let Some(page) = document().document_element() else { return };
    let color_all = || frames().iter().for_each(color);
    let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| on_message(&event));
    _ = window().add_event_listener_with_callback("message", on_message.as_ref().unchecked_ref());
    on_message.forget();
    let on_change = Closure::<dyn FnMut()>::new(color_all);
    // The theme is an attribute of the page; the system's choice of light or dark is not, so it is watched separately.
    if let Ok(observer) = MutationObserver::new(on_change.as_ref().unchecked_ref()) {
        let attributes = MutationObserverInit::new();
        attributes.set_attributes(true);
        let page: &Node = &page;
        _ = observer.observe_with_options(page, &attributes);
    }
    if let Ok(Some(query)) = window().match_media("(prefers-color-scheme: dark)") {
        _ = query.add_event_listener_with_callback("change", on_change.as_ref().unchecked_ref());
        // The browser may drop a query without references, together with its listeners.
        std::mem::forget(query);
    }
    on_change.forget();
    // For frames that posted their height before we listened.
    color_all();
}

fn frames() -> Vec<Element> {
    let Some(page) = document().document_element() else { return Vec::new() };
    all(&page, "iframe[data-embedded]")
}

/// The height in a message from one of the frames; other messages are ignored.
fn on_message(event: &MessageEvent) {
    let source = event.source();
    let is_sender = |frame: &HtmlIFrameElement| {
        let inside = frame.content_window();
        inside.zip(source.as_ref()).is_some_and(|(inside, source)| {
            let (inside, source): (&JsValue, &JsValue) = (inside.as_ref(), source.as_ref());
            inside == source
        })
    };
    let frames = frames();
    let Some(frame) =
        frames.iter().filter_map(|frame| frame.dyn_ref::<HtmlIFrameElement>()).find(|frame| is_sender(frame))
    else {
        return;
    };
    let Some(height) = event.data().as_f64().filter(|height| height.is_finite()) else { return };
    let height = [exact(height.clamp(HEIGHTS.0, HEIGHTS.1)).as_str(), "px"].concat();
    _ = HtmlElement::style(frame).set_property("height", &height);
    color(frame);
}

/// Sends a frame the colors and the font of its surroundings.
fn color(frame: &Element) {
    let Ok(Some(style)) = window().get_computed_style(frame) else { return };
    let mut rules = String::from(":root{");
    for (name, source) in LOOK {
        for piece in [name, ":", &style.get_property_value(source).unwrap_or_default(), ";"] {
            rules.push_str(piece);
        }
    }
    rules.push('}');
    if let Some(inside) = frame.dyn_ref::<HtmlIFrameElement>().and_then(HtmlIFrameElement::content_window) {
        // The frame's origin is opaque, and colors are not secret.
        _ = inside.post_message(&rules.into(), "*");
    }
}
