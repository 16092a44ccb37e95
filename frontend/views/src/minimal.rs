//! The tabs of the minimal view (docs/spec/behavior.md 8). Without scripts, each tab is a link to the page of its section.

use std::{cell::RefCell, rc::Rc};

use app::{
    browser::{
        all, closest, elements, first, is_rtl, listen,
        storage::{MINIMAL_SECTION, page_key, write},
    },
    t_for_script,
};
use leptos::prelude::{document, window};
use wasm_bindgen::{JsCast, closure::Closure};
use web_sys::{Element, Event, HtmlAnchorElement, HtmlElement, KeyboardEvent, MouseEvent, ResizeObserver, Url};

use crate::browser::{bring_into_view, is_plain, replace_state, scroll_sideways};

/// Which part of the visible tabs an arrow button goes on by.
const STEP: f64 = 0.8;

/// The tabs, between two arrow buttons.
struct Strip {
    element: HtmlElement,
    list: HtmlElement,
    /// The key of the tab that the viewer has chosen last.
    chosen: RefCell<Option<String>>,
}

/// Starts the tabs; without any, does nothing.
pub fn install() {
    let Some(element) = first(".section-tabs") else { return };
    let Some(list) = element.query_selector("ul").ok().flatten().and_then(|list| list.dyn_into().ok()) else { return };
    let strip = Rc::new(Strip { element, list, chosen: RefCell::new(None) });
    strip.chosen.replace(strip.current().and_then(|tab| tab.get_attribute("data-key")));
    let on = |handle: fn(&Strip, &Event)| {
        let strip = Rc::clone(&strip);
        move |event: Event| handle(&strip, &event)
    };
    listen(&strip.element, "click", false, on(|strip, event| strip.on_click(event.unchecked_ref())));
    // Left and right move between tabs; elsewhere these keys move between items.
    listen(&strip.element, "keydown", false, on(|strip, event| strip.on_key(event.unchecked_ref())));
    listen(&strip.list, "scroll", false, on(|strip, _| strip.show_arrows()));
    listen(&document(), "portico:changed", false, on(|strip, _| strip.choose_again()));
    let resized = Closure::<dyn Fn()>::new({
        let strip = Rc::clone(&strip);
        move || strip.show_arrows()
    });
    if let Ok(observer) = ResizeObserver::new(resized.as_ref().unchecked_ref()) {
        observer.observe(&strip.list);
    }
    resized.forget();
    if let Some(tab) = strip.current() {
        bring_into_view(&tab);
    }
}

impl Strip {
    fn tabs(&self) -> Vec<HtmlAnchorElement> {
        all(&self.element, "a")
    }

    /// The selected tab.
    fn current(&self) -> Option<HtmlAnchorElement> {
        self.tabs().into_iter().find(|tab| tab.has_attribute("aria-current"))
    }

    /// Shows the section of a tab.
    fn select(&self, tab: &HtmlAnchorElement) {
        for other in self.tabs() {
            _ = if other == *tab {
                other.set_attribute("aria-current", "true")
            } else {
                other.remove_attribute("aria-current")
            };
        }
        let id = tab.get_attribute("data-section").unwrap_or_default();
        for section in elements("#content > section") {
            _ = section.toggle_attribute_with_force("data-selected", section.id() == id);
        }
        bring_into_view(tab);
    }

    /// Handles the viewer's choice: stores it, and puts it into the address and the links to other views.
    fn choose(&self, tab: &HtmlAnchorElement) {
        self.select(tab);
        let key = tab.get_attribute("data-key");
        write(&page_key(MINIMAL_SECTION), key.as_deref());
        self.chosen.replace(key);
        replace_state(&app::property(&app::property(&window(), "history"), "state"), "", &tab.href());
        let text = |element: Option<&Element>| element.and_then(|element| element.text_content()).unwrap_or_default();
        let heading = first("h1");
        let titles = [text(Some(tab)).trim(), &text(heading.as_deref()), &t_for_script("Minimal")].join(" | ");
        document().set_title(&titles);
        let Ok(path) = Url::new(&tab.href()).map(|address| address.pathname()) else { return };
        for view in ["home", "minimal"] {
            if let Some(link) = first(&[".view-switch [data-view=", view, "]"].concat()) {
                _ = link.set_attribute("href", &path.replacen("/minimal/", &["/", view, "/"].concat(), 1));
            }
        }
    }

    fn on_click(&self, event: &MouseEvent) {
        if let Some(arrow) = closest(event, "button") {
            let forward = if arrow.get_attribute("data-scroll").as_deref() == Some("-1") { -1.0 } else { 1.0 };
            let direction = if is_rtl() { -1.0 } else { 1.0 };
            scroll_sideways(&self.list, forward * direction * f64::from(self.list.client_width()) * STEP);
        }
        if let Some(tab) = closest(event, "a").filter(|_| is_plain(event)) {
            event.prevent_default();
            self.choose(tab.unchecked_ref());
        }
    }

    fn on_key(&self, event: &KeyboardEvent) {
        let key = event.key();
        if !["ArrowLeft", "ArrowRight"].contains(&key.as_str()) {
            return;
        }
        let tabs = self.tabs();
        let active = document().active_element();
        let Some(at) = tabs.iter().position(|tab| active.as_ref().is_some_and(|active| tab.is_same_node(Some(active))))
        else {
            return;
        };
        let is_forward = (key == "ArrowRight") != is_rtl();
        let next = if is_forward { at + 1 } else { at + tabs.len() - 1 } % tabs.len();
        event.prevent_default();
        event.stop_propagation();
        _ = tabs[next].focus();
    }

    /// Shows the arrow buttons on the sides where the strip continues.
    fn show_arrows(&self) {
        let rest = self.list.scroll_width() - self.list.client_width();
        let place = self.list.scroll_left().abs();
        for (arrow, is_end) in all::<HtmlElement>(&self.element, "button").iter().zip([place <= 1, place >= rest - 1]) {
            arrow.set_hidden(rest <= 1);
            _ = arrow.toggle_attribute_with_force("disabled", is_end);
        }
    }

    /// A new version of the page selects the tab that the address named when it was rendered.
    fn choose_again(&self) {
        let tabs = self.tabs();
        let chosen = self.chosen.borrow().clone();
        let found = tabs.iter().find(|tab| tab.get_attribute("data-key") == chosen).or(tabs.first());
        if let Some(tab) = found {
            self.select(tab);
        }
    }
}
