//! Panels in the browser: the viewer's language and zone, refreshes, clicks, keys and the pointer.
//!
//! There is one listener per kind of event for all panels of the page, however many there are.

mod chart;
mod clock;
mod fold;
mod intl;
mod morph;
mod search;
mod sort;
mod tip;

use std::{cell::RefCell, sync::Arc};

use leptos::{html::Div, prelude::*};
use wasm_bindgen::{JsCast, JsValue, prelude::Closure};
use web_sys::{Element, Event, HtmlElement, KeyboardEvent, PointerEvent};
use widgets::{
    Action, Panel,
    panel::{Chart, Part},
};

use super::{OnAction, Surroundings};

/// A panel that is on the page.
struct Live {
    key: u32,
    root: HtmlElement,
    panel: Arc<Panel>,
    action: Option<OnAction>,
}

thread_local! {
    /// All panels that are on the page. The browser has one thread.
    static PANELS: RefCell<Vec<Live>> = const { RefCell::new(Vec::new()) };
    /// How many panels there have been.
    static COUNT: RefCell<u32> = const { RefCell::new(0) };
}

/// Keeps the element of a panel equal to its signal, until its owner is gone. `rendered` is what stands in it already.
pub fn follow(root: NodeRef<Div>, panel: Signal<Arc<Panel>>, rendered: Arc<Panel>, surroundings: Surroundings) {
    let key = COUNT.with_borrow_mut(|count| {
        *count += 1;
        *count
    });
    let action = use_context::<OnAction>();
    Effect::new(move |_| {
        if let Some(root) = root.get() {
            let panel = panel.get();
            let is_new = register(Live { key, root: root.clone().into(), panel: Arc::clone(&panel), action });
            if is_new && Arc::ptr_eq(&panel, &rendered) {
                intl::fill(&root);
            } else {
                replace(&root, &super::html(&panel, &surroundings));
            }
            set_sizes(&root);
            listen_once();
            clock::run();
        }
    });
    on_cleanup(move || PANELS.with_borrow_mut(|panels| panels.retain(|live| live.key != key)));
}

/// Notes what is on the page now; whether it was not before.
fn register(live: Live) -> bool {
    PANELS.with_borrow_mut(|panels| match panels.iter_mut().find(|other| other.key == live.key) {
        Some(known) => {
            *known = live;
            false
        }
        None => {
            panels.push(live);
            true
        }
    })
}

/// Changes a panel into a new one, and does again what the viewer had done to it.
fn replace(root: &Element, html: &str) {
    let Ok(fresh) = document().create_element("div") else { return };
    fresh.set_inner_html(html);
    intl::fill(&fresh);
    morph::children(root, &fresh);
    fold::restore(root);
    sort::restore(root);
}

/// Lengths that are no whole pixels are set here, for an attribute `style` is not allowed.
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

fn listen_once() {
    thread_local! {
        static LISTENS: RefCell<bool> = const { RefCell::new(false) };
    }
    if LISTENS.replace(true) {
        return;
    }
    listen("click", on_click);
    listen("input", search::on_input);
    listen("submit", search::on_submit);
    // Before the keys of the page, which would take the arrows for themselves.
    listen("keydown", on_key);
    listen("pointermove", on_pointer);
    listen("pointerover", on_over);
    listen("focusin", on_over);
    listen("pointerout", |_| tip::hide());
    listen("focusout", |_| tip::hide());
    // Neither bubbles; the capture phase sees them all the same.
    listen("error", on_broken);
    listen("visibilitychange", |_| clock::run());
}

/// Listens for as long as the page lives. Every handler has the same type, so that they share the code around them.
fn listen(event: &str, handler: fn(&Event)) {
    let closure = Closure::<dyn FnMut(Event)>::new(move |event: Event| handler(&event));
    _ = document().add_event_listener_with_callback_and_bool(event, closure.as_ref().unchecked_ref(), true);
    closure.forget();
}

fn on_click(event: &Event) {
    let Some(target) = closest(event, ".panel :is(button, a)") else { return };
    if target.has_attribute("data-engine") {
        search::on_click(event, &target);
    } else if target.has_attribute("data-sort") {
        sort::on_click(&target);
    } else if target.has_attribute("data-more") {
        fold::toggle(&target);
    } else if target.has_attribute("data-copy") {
        copy(&target);
    } else if let Some(name) = target.get_attribute("data-action") {
        act(&target, Action { name, target: target.get_attribute("data-target").unwrap_or_default() });
    }
}

fn on_key(event: &Event) {
    let Some(event) = event.dyn_ref::<KeyboardEvent>() else { return };
    if event.ctrl_key() || event.meta_key() || event.alt_key() {
        return;
    }
    if let Some(plot) = closest(event, ".panel .plot") {
        chart::on_key(&plot, event);
    } else if let Some(states) = closest(event, ".panel .states") {
        tip::step(&states, event);
    } else if let Some(field) = closest(event, ".panel .part-search input") {
        search::on_key(&field, event);
    }
}

fn on_pointer(event: &Event) {
    let Some(pointer) = event.dyn_ref::<PointerEvent>() else { return };
    if let Some(plot) = closest(event, ".panel .plot") {
        chart::show_at_pointer(&plot, f64::from(pointer.client_x()));
    }
}

fn on_over(event: &Event) {
    if let Some(element) = closest(event, ".panel :is([data-hinted], .states > li, .slice)") {
        tip::show_hint(&element);
    }
}

/// A picture that could not be loaded gives way: to a sentence where it is the content, to nothing elsewhere.
fn on_broken(event: &Event) {
    if let Some(picture) = closest(event, ".panel img") {
        _ = picture.class_list().add_1("broken");
    }
}

fn act(button: &Element, action: Action) {
    // The question is answered.
    if let Ok(Some(question)) = button.closest("details.confirm") {
        _ = question.remove_attribute("open");
    }
    let found = PANELS
        .with_borrow(|panels| panels.iter().find(|live| live.root.contains(Some(button))).and_then(|live| live.action));
    if let Some(OnAction(callback)) = found {
        callback.run(action);
    }
}

/// Selects the value and copies it. The newer interface for that does not exist on pages without HTTPS, which most
/// addresses at home are.
fn copy(button: &Element) {
    let Ok(Some(part)) = button.closest(".part") else { return };
    let (Ok(Some(value)), Ok(Some(status))) = (part.query_selector(".value"), part.query_selector(".copied")) else {
        return;
    };
    let Ok(Some(selection)) = window().get_selection() else { return };
    _ = selection.select_all_children(&value);
    let copied =
        document().dyn_into::<web_sys::HtmlDocument>().is_ok_and(|page| page.exec_command("copy").unwrap_or_default());
    status.set_text_content(Some(super::phrase::ours(if copied { "Copied" } else { "Press Ctrl+C" })));
    if copied {
        _ = selection.remove_all_ranges();
    }
}

/// Calls a function with the chart that a plot shows. The drawing has no numbers in it, so they come from the panel.
fn with_chart(plot: &Element, then: impl FnOnce(&Chart)) {
    PANELS.with_borrow(|panels| {
        let Some(live) = panels.iter().find(|live| live.root.contains(Some(plot))) else { return };
        let position = all(&live.root, ".plot").iter().position(|other| other == plot);
        let mut charts = Vec::new();
        collect_charts(&live.panel.parts, &mut charts);
        // Charts without values have no plot.
        charts.retain(|chart| super::chart::Places::of(chart).is_some());
        if let Some(chart) = position.and_then(|position| charts.get(position)) {
            then(chart);
        }
    });
}

fn collect_charts<'a>(parts: &'a [Part], charts: &mut Vec<&'a Chart>) {
    for part in parts {
        match part {
            Part::Chart(chart) => charts.push(chart),
            Part::Details(details) => collect_charts(&details.parts, charts),
            Part::Columns(columns) => columns.columns.iter().for_each(|parts| collect_charts(parts, charts)),
            _ => {}
        }
    }
}

/// All elements inside of one that match a selector, in the order of the page.
fn all(root: &Element, selector: &str) -> Vec<Element> {
    let Ok(list) = root.query_selector_all(selector) else { return Vec::new() };
    (0..list.length()).filter_map(|position| list.item(position)?.dyn_into().ok()).collect()
}

/// The nearest ancestor (or itself) of an event's target that matches a selector.
fn closest(event: &Event, selector: &str) -> Option<Element> {
    event.target()?.dyn_into::<Element>().ok()?.closest(selector).ok()?
}

/// An attribute that is a whole number.
fn number_attribute(element: &Element, name: &str) -> Option<usize> {
    let number = number(&element.get_attribute(name)?);
    // What the page's script or our own markup wrote: small, and not below zero.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    number.is_finite().then_some(number as usize)
}

/// A number from its text, read by the browser: the reader of the standard library would weigh more.
fn number(text: &str) -> f64 {
    js_sys::Number::from(JsValue::from_str(text)).value_of()
}

fn property(object: &JsValue, name: &str) -> JsValue {
    js_sys::Reflect::get(object, &JsValue::from_str(name)).unwrap_or(JsValue::UNDEFINED)
}
