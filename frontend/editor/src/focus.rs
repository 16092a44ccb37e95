//! The focus on a page in edit mode: into the first field of a form, and back to where it was when a dialog closes or the focused
//! element goes.

use std::cell::RefCell;

use app::{
    browser::{element, first},
    property,
};
use js_sys::Array;
use leptos::prelude::*;
use send_wrapper::SendWrapper;
use wasm_bindgen::{JsCast as _, prelude::Closure};
use web_sys::{Element, Event, HtmlDialogElement, HtmlElement, MutationObserver, MutationObserverInit, NodeList};

use crate::page::listen_to_window;

const SECTIONS: &str = "#content > section, .page-column > section";
const FIELDS: &str = ".edit-scroll :is(input:not([type=hidden]), select, textarea)";

/// An element outside dialogs, and what finds it, or its section, once it is drawn again.
#[derive(Clone)]
struct Place {
    element: HtmlElement,
    selectors: Vec<String>,
}

thread_local! {
    /// Where the focus was last.
    static LAST: RefCell<Option<Place>> = const { RefCell::new(None) };
}

/// Follows the focus until edit mode ends.
pub fn install() {
    let Some(editor) = element("editor") else { return };
    let on_change = Closure::<dyn Fn(Array)>::new(changed);
    let observer = MutationObserver::new(on_change.as_ref().unchecked_ref());
    if let Ok(observer) = &observer {
        let options = MutationObserverInit::new();
        options.set_child_list(true);
        _ = observer.observe_with_options(&editor, &options);
    }
    remember(document().active_element());
    let target = |event: &Event| event.target().and_then(|target| target.dyn_into::<Element>().ok());
    let on_focus = listen_to_window("focusin", move |event| remember(target(&event)));
    // A click on the page beside everything leaves the focus nowhere.
    let on_press = listen_to_window("pointerdown", move |event| {
        if target(&event).is_some_and(|target| target.closest("dialog").is_ok_and(|dialog| dialog.is_none())) {
            LAST.set(None);
        }
    });
    let on_drawn = listen_to_window("portico:changed", |_| restore());
    let observed = SendWrapper::new((observer, on_change));
    on_cleanup(move || {
        if let (Ok(observer), _) = observed.take() {
            observer.disconnect();
        }
        LAST.set(None);
        for stop in [on_focus, on_press, on_drawn] {
            stop();
        }
    });
}

fn remember(element: Option<Element>) {
    let Some(element) = element.and_then(|element| element.dyn_into::<HtmlElement>().ok()) else { return };
    let closest = |selector: &str| element.closest(selector).ok().flatten();
    if element.tag_name() == "BODY" || closest("dialog, .rename").is_some() {
        return;
    }
    let section = closest(SECTIONS).map(|section| section.id());
    let quoted = |name: &str, value: &str| format!("[{name}=\"{value}\"]");
    let named =
        |name: &str| element.get_attribute(name).filter(|value| !value.is_empty()).map(|value| quoted(name, &value));
    let mut selectors: Vec<_> =
        named("id").or_else(|| named("data-edit")).or_else(|| named("data-more")).into_iter().collect();
    if let Some(section) = section {
        if element.matches(".section-heading").unwrap_or_default() {
            selectors.push(format!("#{section} .section-heading"));
        }
        selectors.push(quoted("data-edit", &section.replacen('s', "section", 1)));
    }
    LAST.set(Some(Place { element, selectors }));
}

/// Whether an element has the focus.
fn has_focus(element: &Element) -> bool {
    document().active_element().as_ref() == Some(element)
}

/// Moves the focus back, unless something has it.
fn restore() {
    let is_free = document().body().is_some_and(|body| has_focus(&body));
    if !is_free || first("dialog[open], #editor dialog").is_some() {
        return;
    }
    let Some(Place { element, selectors }) = LAST.with_borrow(Clone::clone) else { return };
    let again = selectors.iter().filter_map(|selector| first(selector));
    for place in std::iter::once(element).chain(again) {
        // An element that is gone or hidden does not take it.
        _ = place.focus();
        if has_focus(&place) {
            return;
        }
    }
}

/// Gives the focus to the first field of a form. A finger gets no keyboard before it touches a field.
fn enter(form: &HtmlDialogElement) {
    let by_finger = window().match_media("(pointer: coarse)").ok().flatten().is_some_and(|query| query.matches());
    let field = form.query_selector(FIELDS).ok().flatten().and_then(|field| field.dyn_into::<HtmlElement>().ok());
    match field.filter(|_| !by_finger) {
        Some(field) if form.open() => _ = field.focus(),
        Some(field) => _ = field.set_attribute("autofocus", ""),
        None => {}
    }
}

/// The dialogs of the editor have changed.
fn changed(changes: Array) {
    for change in changes.iter() {
        let Ok(added) = property(&change, "addedNodes").dyn_into::<NodeList>() else { continue };
        let nodes = (0..added.length()).filter_map(|at| added.item(at)?.dyn_into::<HtmlDialogElement>().ok());
        for form in nodes.filter(|dialog| dialog.matches(".edit-form").unwrap_or_default()) {
            enter(&form);
        }
    }
    restore();
}
