//! Everything that needs a browser: hydration, storage, keys, opening, and DOM work that is cheaper by hand than
//! through thousands of signals.

mod dialogs;
mod dom;
mod download;
mod function;
mod js_json;
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
mod tabs;
mod tiles;
mod toast;
mod tooltip;
mod widgets;

use std::sync::Arc;

use config::json::FromJson as _;
use js_sys::JSON;
use leptos::{mount::hydrate_from, prelude::*};
use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlInputElement};

pub(crate) use self::search::{ResultKey, use_results};
use self::{dom::CHANGED, toast::toast};
pub use self::{
    dom::{all, closest, element, elements, first, focus_in_place, is_rtl, listen, root},
    download::download_text,
    js_json::JsJson,
};
use crate::{
    SETTINGS_ELEMENT,
    page::{OVERLAY_ELEMENT, Overlay, PageSettings, PageState, TOOLBAR_ELEMENT, Toolbar},
    parts::live::forget_formatters,
};

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
        tabs::install();
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
