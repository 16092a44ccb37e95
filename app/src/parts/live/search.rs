//! The field for a web search: links that follow the text, and Enter.

use wasm_bindgen::JsCast;
use web_sys::{Element, Event, HtmlElement, HtmlInputElement, KeyboardEvent};

use super::dom::{all, closest};

/// Somebody typed, or is about to click: the browser may have restored the text without an event.
pub fn on_input(event: &Event) {
    if let Some(form) = closest(event, ".panel .part-search") {
        update_links(&form);
    }
}

/// Enter uses the first engine, in the same way as its link.
pub fn on_submit(event: &Event) {
    let Some(form) = closest(event, ".panel .part-search") else { return };
    event.prevent_default();
    update_links(&form);
    let first = form.query_selector("a[data-engine]").ok().flatten();
    if let Some(link) = first.as_ref().and_then(|link| link.dyn_ref::<HtmlElement>()) {
        link.click();
    }
}

/// Without a text, the link does nothing.
pub fn on_click(event: &Event, link: &Element) {
    let Ok(Some(form)) = link.closest(".part-search") else { return };
    if let Some(field) = field(&form).filter(|field| field.value().trim().is_empty()) {
        event.prevent_default();
        _ = field.focus();
    }
}

/// Escape clears the field and leaves it.
pub fn on_key(field: &Element, event: &KeyboardEvent) {
    let Some(field) = field.dyn_ref::<HtmlInputElement>().filter(|_| event.key() == "Escape") else { return };
    event.prevent_default();
    field.set_value("");
    if let Ok(Some(form)) = field.closest(".part-search") {
        update_links(&form);
    }
    _ = field.blur();
}

fn update_links(form: &Element) {
    let Some(field) = field(form) else { return };
    let text = String::from(js_sys::encode_uri_component(field.value().trim()));
    for link in all(form, "a[data-engine]") {
        if text.is_empty() {
            _ = link.remove_attribute("href");
            continue;
        }
        let engine = link.get_attribute("data-engine").unwrap_or_default();
        let mut address = engine;
        match address.as_bytes().windows(2).position(|pair| pair == b"%s") {
            Some(place) => address.replace_range(place..place + 2, &text),
            None => address.push_str(&text),
        }
        _ = link.set_attribute("href", &address);
    }
}

fn field(form: &Element) -> Option<HtmlInputElement> {
    form.query_selector("input").ok()??.dyn_into().ok()
}
