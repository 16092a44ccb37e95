//! Panels in the browser: the viewer's language and zone, refreshes, clicks, keys and the pointer.
//!
//! There is one listener per kind of event for all panels of the page, however many there are.

mod chart;
mod clock;
mod dom;
mod embedded;
mod fit;
mod fold;
mod formatters;
mod frames;
mod intl;
mod morph;
mod plot;
mod rates;
mod search;
mod series;
mod sort;
mod tasks;
mod tip;

use std::cell::Cell;

use leptos::prelude::*;
use wasm_bindgen::{JsCast, prelude::Closure};
use web_sys::{Element, Event, HtmlElement, HtmlImageElement, KeyboardEvent, MouseEvent};
use widgets::Action;

use crate::words::t_for_script;

pub(crate) use self::dom::all;
use self::dom::closest;
pub use self::{
    dom::property,
    embedded::follow_frames,
    formatters::{forget_formatters, in_digits, plural_category, viewer_hints},
    frames::load_again as load_frames_again,
    tasks::show_tasks,
};

/// Handles a click on a button of a panel: takes the button and its action.
pub type OnAction = fn(&Element, Action) -> bool;

/// Elements with a hint.
const HINTED: &str = ".panel :is([data-hinted], .states > li, .slice)";

thread_local! {
    /// The browser has one thread, and the page has one handler for all buttons.
    static ON_ACTION: Cell<Option<OnAction>> = const { Cell::new(None) };
}

/// Writes numbers, times and clocks into panels that are not in the page yet.
pub fn write_texts(panels: &Element) {
    intl::fill(panels);
    clock::write(panels);
}

/// Starts all panels of the page, and those added later.
pub fn start(on_action: OnAction) {
    ON_ACTION.set(Some(on_action));
    let Some(page) = document().document_element() else { return };
    intl::fill(&page);
    set_sizes(&page);
    fold::restore(&page);
    note_broken_pictures(&page);
    fit::install(&page);
    follow_frames();
    frames::install();
    show_tasks(&page);
    listen_to_all();
    clock::run();
}

/// Replaces the contents of an element with new markup, and restores what the viewer had changed in it.
pub fn replace(root: &Element, html: &str) {
    let Ok(fresh) = document().create_element("div") else { return };
    fresh.set_inner_html(html);
    intl::fill(&fresh);
    series::keep_hidden(root, &fresh);
    morph::children(root, &fresh);
    set_sizes(root);
    fold::restore(root);
    sort::restore(root);
    rates::restore(root);
    fit::install(root);
    frames::install();
    show_tasks(root);
    clock::run();
}

/// Pictures in the initial HTML may have failed before we listened.
fn note_broken_pictures(page: &Element) {
    for picture in all(page, ".panel img") {
        if let Some(image) = picture.dyn_ref::<HtmlImageElement>()
            && image.complete()
            && image.natural_width() == 0
            && !image.current_src().is_empty()
        {
            _ = picture.class_list().add_1("broken");
        }
    }
}

/// Sets lengths that are not whole pixels, because a `style` attribute is not allowed.
fn set_sizes(root: &Element) {
    for (name, property) in [("data-width", "width"), ("data-height", "height")] {
        let mut selector = String::from("[");
        selector.push_str(name);
        selector.push(']');
        for element in all(root, &selector) {
            if let (Some(element), Some(size)) = (element.dyn_ref::<HtmlElement>(), element.get_attribute(name)) {
                _ = element.style().set_property(property, &size);
            }
        }
    }
}

fn listen_to_all() {
    listen("click", on_click);
    listen("input", search::on_input);
    listen("submit", search::on_submit);
    // Before the page's own keys, which would otherwise handle the arrows.
    listen("keydown", on_key);
    listen("pointermove", on_pointer);
    listen("pointerover", on_over);
    listen("focusin", on_over);
    listen("pointerout", on_out);
    listen("focusout", on_out);
    listen("scroll", on_scroll);
    // Neither event bubbles, but the capture phase sees them.
    listen("error", on_broken);
    listen("visibilitychange", |_| clock::run());
}

/// Listens as long as the page lives. All handlers have the same type, so they share the code around them.
fn listen(event: &str, handler: fn(&Event)) {
    let closure = Closure::<dyn FnMut(Event)>::new(move |event: Event| handler(&event));
    _ = document().add_event_listener_with_callback_and_bool(event, closure.as_ref().unchecked_ref(), true);
    closure.forget();
}

fn on_click(event: &Event) {
    let Some(target) = closest(event, ".panel :is(button, a, input[data-action])") else {
        // A finger does not hover, and has left the element before the click arrives.
        on_over(event);
        return on_pointer(event);
    };
    if target.has_attribute("data-engine") {
        search::on_click(event, &target);
    } else if target.has_attribute("data-sort") {
        sort::on_click(&target);
    } else if target.has_attribute("data-more") {
        fold::toggle(&target);
    } else if target.has_attribute("data-series") {
        series::on_click(&target);
    } else if target.has_attribute("data-copy") {
        copy(&target);
    } else if target.has_attribute("data-base") {
        rates::on_click(&target);
    } else if target.has_attribute("data-again") {
        try_again(&target);
    } else if let Some(name) = target.get_attribute("data-action") {
        let action = Action { name, target: target.get_attribute("data-target").unwrap_or_default() };
        if !act(&target, action) {
            // The checkbox keeps its state until those clicked before it are saved.
            event.prevent_default();
        }
    }
}

fn on_key(event: &Event) {
    let Some(event) = event.dyn_ref::<KeyboardEvent>() else { return };
    if event.ctrl_key() || event.meta_key() || event.alt_key() {
        return;
    }
    if event.key() == "Escape" {
        tip::hide();
    }
    if let Some(plot) = closest(event, ".panel .plot") {
        chart::on_key(&plot, event);
    } else if let Some(states) = closest(event, ".panel .states") {
        tip::step(&states, event);
    } else if let Some(field) = closest(event, ".panel .part-search input") {
        search::on_key(&field, event);
    } else if let Some(link) = closest(event, ".panel a[data-engine]:not([href])")
        && event.key() == "Enter"
    {
        // The browser ignores a link without a target.
        search::on_click(event, &link);
    }
}

fn on_pointer(event: &Event) {
    let Some(pointer) = event.dyn_ref::<MouseEvent>() else { return };
    if let Some(plot) = closest(event, ".panel .plot") {
        chart::show_at_pointer(&plot, f64::from(pointer.client_x()));
    }
}

fn on_over(event: &Event) {
    // The hint of the element that a finger touched before may still be visible.
    tip::hide();
    if let Some(element) = closest(event, HINTED) {
        tip::show_hint(&element);
    }
    search::on_input(event);
}

fn on_out(_: &Event) {
    tip::hide();
}

/// The element of a bubble has moved. The focused element gets its hint again at the new position, because the Tab key
/// scrolls to it.
fn on_scroll(_: &Event) {
    if tip::hide()
        && let Some(element) = document().active_element()
        && element.matches(HINTED) == Ok(true)
    {
        tip::show_hint(&element);
    }
}

/// Replaces a picture that could not be loaded: with a sentence if it is the content, otherwise with nothing.
fn on_broken(event: &Event) {
    if let Some(picture) = closest(event, ".panel img") {
        _ = picture.class_list().add_1("broken");
    }
}

/// Loads a picture once more. Its address gets a new suffix, because a browser may remember the failure.
fn try_again(button: &Element) {
    let Ok(Some(part)) = button.closest(".part-image") else { return };
    if let Ok(Some(picture)) = part.query_selector("img") {
        load_again(&picture);
    }
}

/// Reloads a picture. The time at the end of its query bypasses caches; the rest of the query may matter to the server.
pub fn load_again(picture: &Element) {
    let address = picture.get_attribute("src").unwrap_or_default();
    if address.starts_with("data:") {
        return;
    }
    let address = address.split_once('#').map_or(&*address, |(address, _)| address);
    let address = match address.rsplit_once(['?', '&']) {
        Some((before, own)) if own.starts_with("again=") => before,
        _ => address,
    };
    let sign = if address.contains('?') { "&again=" } else { "?again=" };
    let address = [address, sign, &super::scale::exact(js_sys::Date::now())].concat();
    _ = picture.class_list().remove_1("broken");
    _ = picture.set_attribute("src", &address);
}

fn act(button: &Element, action: Action) -> bool {
    // Closes the answered question.
    if let Ok(Some(question)) = button.closest("details.confirm") {
        _ = question.remove_attribute("open");
    }
    ON_ACTION.get().is_some_and(|on_action| on_action(button, action))
}

/// Selects the value and copies it. The newer API does not exist on pages without HTTPS, and most home addresses have
/// none.
fn copy(button: &Element) {
    let Ok(Some(part)) = button.closest("li,.part") else { return };
    let (Ok(Some(value)), Ok(Some(status))) = (part.query_selector(".value"), part.query_selector(".copied")) else {
        return;
    };
    let Ok(Some(selection)) = window().get_selection() else { return };
    _ = selection.select_all_children(&value);
    let copied =
        document().dyn_into::<web_sys::HtmlDocument>().is_ok_and(|page| page.exec_command("copy").unwrap_or_default());
    status.set_text_content(Some(&t_for_script(if copied { "Copied" } else { "Press Ctrl+C" })));
    if copied {
        _ = selection.remove_all_ranges();
    }
}
