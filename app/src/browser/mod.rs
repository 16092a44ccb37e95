//! Everything that needs a browser: hydration, storage, keys, opening, and DOM work that is cheaper by hand than
//! through thousands of signals.

mod dialogs;
mod download;
mod function;
mod keyboard;
mod local_addresses;
mod masonry;
mod opening;
mod preferences;
mod search;
mod sections;
mod session;
mod sign_in_out;
pub mod storage;
mod tiles;
mod tooltip;
mod widgets;

use std::{sync::Arc, time::Duration};

use config::json::{FromJson as _, Json};
use js_sys::{Array, JSON};
use leptos::{mount::hydrate_from, prelude::*};
use wasm_bindgen::{JsCast, JsValue, prelude::Closure};
use web_sys::{Element, Event, EventTarget, HtmlElement, HtmlInputElement};

pub use self::download::download_text;
pub(crate) use self::search::{ResultKey, use_results};
use crate::{
    SETTINGS_ELEMENT,
    page::{OVERLAY_ELEMENT, Overlay, PageSettings, PageState, TOOLBAR_ELEMENT, Toolbar},
    parts::live::{forget_formatters, property},
};

/// The event that `frontend/stream.js` sends when it has changed the page. Its detail is the page as a document, if it came from
/// the server.
const CHANGED: &str = "portico:changed";
/// How long a toast stays.
const TOAST_TIME: Duration = Duration::from_secs(4);

/// Starts a page of sections and items: hydrates its live parts from the data that the server put into it. Does nothing
/// on pages without such data.
pub fn start() {
    start_with(|_, _| ());
}

/// Starts a page that also has widgets, or a session to watch. The other bundle does not contain what only this
/// function needs.
pub fn start_live() {
    start_with(|state, settings| {
        widgets::install(state, settings);
        session::renew_periodically(settings);
        sign_in_out::install(state, &settings.base);
    });
}

fn start_with(more: impl FnOnce(PageState, &PageSettings)) {
    let Some(text) = element(SETTINGS_ELEMENT).and_then(|element| element.text_content()) else { return };
    let Ok(data) = JSON::parse(&text) else {
        leptos::logging::error!("the page's data does not parse");
        return;
    };
    let settings = Arc::new(PageSettings::from_json(&JsJson(data)).unwrap_or_default());
    if leave_hash_address(&settings.base) {
        return;
    }
    // Text that was typed before this moment must not be lost.
    let typed = element("search").map(|input| input.unchecked_into::<HtmlInputElement>().value()).unwrap_or_default();
    // Hydration sets up the executor that the first signal needs.
    _ = any_spawner::Executor::init_wasm_bindgen();
    let owner = Owner::new();
    let state = owner.with(|| PageState::new(&settings));
    hydrate(TOOLBAR_ELEMENT, state, {
        let settings = Arc::clone(&settings);
        move || view! { <Toolbar settings/> }
    });
    hydrate(OVERLAY_ELEMENT, state, {
        let settings = Arc::clone(&settings);
        move || view! { <Overlay settings/> }
    });
    owner.with(|| {
        start_features(state, &settings);
        more(state, &settings);
        listen(&document(), CHANGED, false, move |_: Event| {
            forget_formatters();
            sections::sort(&settings);
            local_addresses::probe_all();
            state.changes.update(|changes| *changes += 1);
        });
    });
    if !typed.is_empty() {
        state.query.set(typed);
    }
    // The owner holds every signal and effect of the page, so it lives as long as the page.
    std::mem::forget(owner);
    // A signal for tests, and for people who script the page.
    _ = root().set_attribute("data-ready", "");
}

/// A value that the browser has parsed.
pub struct JsJson(JsValue);

impl JsJson {
    /// Parses JSON; `None` if it is none.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        JSON::parse(text).ok().map(Self)
    }
}

impl Json for JsJson {
    fn member(&self, name: &str) -> Option<Self> {
        let member = property(&self.0, name);
        (!member.is_undefined() && !member.is_null()).then_some(Self(member))
    }

    fn elements(&self) -> Vec<Self> {
        self.0.dyn_ref::<Array>().map(|list| list.iter().map(Self).collect()).unwrap_or_default()
    }

    fn text(&self) -> Option<String> {
        self.0.as_string()
    }

    fn number(&self) -> Option<f64> {
        self.0.as_f64()
    }

    fn flag(&self) -> Option<bool> {
        self.0.as_bool()
    }
}

/// Old bookmarks have the path after a `#` (docs/spec/config.md 14); loads the page of that name instead of this one.
fn leave_hash_address(base: &str) -> bool {
    let location = window().location();
    let hash = location.hash().unwrap_or_default();
    let Some(path) = hash.strip_prefix("#/").filter(|path| !path.is_empty() && !path.starts_with(['/', '\\'])) else {
        return false;
    };
    location.replace(&format!("{base}/{path}")).is_ok()
}

fn hydrate<V: IntoView + 'static>(id: &str, state: PageState, view: impl FnOnce() -> V + 'static) {
    let Some(parent) = element(id) else { return };
    let part = move || {
        provide_context(state);
        view()
    };
    hydrate_from(parent, part).forget();
}

/// Connects the page with its browser.
fn start_features(state: PageState, settings: &Arc<PageSettings>) {
    preferences::restore_and_keep(state);
    sections::restore_and_keep(settings);
    sections::sort(settings);
    search::install(state, settings);
    masonry::install(state);
    keyboard::install(state, settings);
    opening::install(state, settings);
    tooltip::install();
    dialogs::install(state);
    local_addresses::install();
}

/// Shows a message for a while.
pub(crate) fn toast(state: PageState, text: String) {
    state.toast.set(Some(text.clone()));
    set_timeout(
        move || {
            if state.toast.with_untracked(|shown| shown.as_ref() == Some(&text)) {
                state.toast.set(None);
            }
        },
        TOAST_TIME,
    );
}

/// The `<html>` element.
pub fn root() -> Element {
    document().document_element().expect("a page has a root element")
}

/// The element with this id.
pub fn element(id: &str) -> Option<HtmlElement> {
    document().get_element_by_id(id)?.dyn_into().ok()
}

/// The first element that matches a selector.
pub fn first(selector: &str) -> Option<HtmlElement> {
    document().query_selector(selector).ok()??.dyn_into().ok()
}

/// All elements that match a selector, in page order.
pub fn elements(selector: &str) -> Vec<HtmlElement> {
    let Ok(list) = document().query_selector_all(selector) else { return Vec::new() };
    (0..list.length()).filter_map(|position| list.item(position)?.dyn_into().ok()).collect()
}

/// Listens as long as the page lives. `capture` also sees events that do not bubble.
pub fn listen<E: JsCast + 'static>(
    target: &EventTarget,
    event: &str,
    capture: bool,
    mut handler: impl FnMut(E) + 'static,
) {
    let closure = Closure::<dyn FnMut(Event)>::new(move |event: Event| handler(event.unchecked_into()));
    let function = closure.as_ref().unchecked_ref();
    _ = target.add_event_listener_with_callback_and_bool(event, function, capture);
    closure.forget();
}

/// The nearest ancestor (or itself) of an event's target that matches a selector.
fn closest(event: &Event, selector: &str) -> Option<HtmlElement> {
    event.target()?.dyn_into::<Element>().ok()?.closest(selector).ok()??.dyn_into().ok()
}
