//! Groups of widgets as tabs, with the keys of the ARIA pattern. Without this, each tab is a link to its panel.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, HtmlElement, KeyboardEvent, MouseEvent};

use super::{CHANGED, all, closest, element, elements, is_rtl, listen};

/// A group of tabs.
const GROUP: &str = ".widget-tabs";
const TAB: &str = "a[role=tab]";

/// Starts the tabs of the page; without any, does nothing.
pub(super) fn install() {
    if elements(GROUP).is_empty() {
        return;
    }
    take_over();
    listen(&window(), "click", false, |event: MouseEvent| on_click(&event));
    // Elsewhere the arrow keys move between items, so these come first.
    listen(&window(), "keydown", true, |event: KeyboardEvent| on_key(&event));
    // A page from the server has tabs that are links.
    listen(&document(), CHANGED, false, |_: Event| take_over());
}

/// Makes links tabs. Only the chosen tab is a stop of the Tab key.
fn take_over() {
    for group in elements(GROUP) {
        _ = group.set_attribute("data-live", "");
        for tab in all::<Element>(&group, TAB) {
            make_stop(&tab, tab.get_attribute("aria-selected").as_deref() == Some("true"));
        }
    }
}

fn make_stop(tab: &Element, is_stop: bool) {
    _ = tab.set_attribute("tabindex", if is_stop { "0" } else { "-1" });
}

/// The tabs of a group, by one of them.
fn beside(tab: &Element) -> Vec<Element> {
    tab.parent_element().map(|list| all(&list, TAB)).unwrap_or_default()
}

/// Shows the panel of a tab.
fn select(tab: &Element) {
    for other in beside(tab) {
        let is_chosen = other == *tab;
        _ = other.set_attribute("aria-selected", if is_chosen { "true" } else { "false" });
        make_stop(&other, is_chosen);
        if let Some(panel) = other.get_attribute("aria-controls").and_then(|id| element(&id)) {
            _ = panel.toggle_attribute_with_force("data-selected", is_chosen);
        }
    }
    show_within_list(tab);
}

/// Scrolls the list of tabs so far that a tab is seen.
fn show_within_list(tab: &Element) {
    let Some(list) = tab.parent_element() else { return };
    let (own, around) = (tab.get_bounding_client_rect(), list.get_bounding_client_rect());
    let before = (own.left() - around.left()).min(0.0);
    let after = (own.right() - around.right()).max(0.0);
    list.set_scroll_left(list.scroll_left() + (before + after) as i32);
}

fn on_click(event: &MouseEvent) {
    let Some(tab) = closest(event, TAB) else { return };
    if event.ctrl_key() || event.meta_key() || event.shift_key() || event.alt_key() {
        return;
    }
    event.prevent_default();
    select(&tab);
}

fn on_key(event: &KeyboardEvent) {
    let Some(tab) = closest(event, TAB).map(Element::from) else { return };
    if event.ctrl_key() || event.meta_key() || event.alt_key() {
        return;
    }
    let tabs = beside(&tab);
    let Some(at) = tabs.iter().position(|other| *other == tab) else { return };
    let (before, after) = ((at + tabs.len() - 1) % tabs.len(), (at + 1) % tabs.len());
    let is_rtl = is_rtl();
    let to = match event.key().as_str() {
        "ArrowRight" if is_rtl => before,
        "ArrowLeft" if is_rtl => after,
        "ArrowRight" => after,
        "ArrowLeft" => before,
        "Home" => 0,
        "End" => tabs.len() - 1,
        " " => at,
        _ => return,
    };
    event.prevent_default();
    event.stop_propagation();
    select(&tabs[to]);
    _ = tabs[to].unchecked_ref::<HtmlElement>().focus();
}
