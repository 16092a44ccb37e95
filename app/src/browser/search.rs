//! Passes the text in the search box to `frontend/search.js`, and keeps its results. The page's loader fetches that script when
//! the page is idle; the first use of the search box fetches it at once. Until it has loaded, the text and an Enter wait.

use std::{
    cell::{Cell, RefCell},
    sync::Arc,
    time::Duration,
};

use config::dashboard::OpeningMethod;
use js_sys::{Array, Function, Promise};
use leptos::{prelude::*, task::spawn_local};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::Event;

use super::{closest, element, elements, keyboard::focus_first_tile, listen, opening, toast};
use crate::{
    SETTINGS_ELEMENT,
    backend::ElsewhereItem,
    page::{PageSettings, PageState},
    parts::live::property,
    search::{
        Found,
        web::{self, Destination},
    },
    words::{t_shared, t_shared_with},
};

/// The event with which the script announces that results may have changed.
const RESULTS_CHANGED: &str = "portico:searchable";

thread_local! {
    /// The `search` function of the script.
    static SEARCH: RefCell<Option<Function>> = const { RefCell::new(None) };
    static IS_LOADING: Cell<bool> = const { Cell::new(false) };
    /// The text for which a key was pressed before its results were known, and what the key does.
    static WAITING: RefCell<Option<(String, ResultKey)>> = const { RefCell::new(None) };
}

/// What a key in the search box does with the results.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum ResultKey {
    /// Enter opens the first hit.
    Open,
    /// The down arrow moves the focus to the first hit.
    Focus,
}

/// Follows the text in the search box.
pub(super) fn follow(state: PageState, settings: &Arc<PageSettings>) {
    let updates = RwSignal::new(0);
    let update = move || updates.update(|updates| *updates += 1);
    listen(&document(), RESULTS_CHANGED, false, move |_: Event| update());
    listen(&document(), "focusin", false, move |event: Event| {
        if closest(&event, "#search").is_some() {
            load(state, update);
        }
    });
    let settings = Arc::clone(settings);
    Effect::new(move |has_begun: Option<bool>| {
        let (text, changes) = (state.query.get(), state.changes.get());
        updates.track();
        if text.trim().is_empty() && has_begun != Some(true) {
            return false;
        }
        let Some(search) = SEARCH.with_borrow(Clone::clone) else {
            load(state, update);
            return true;
        };
        match search.call2(&JsValue::NULL, &JsValue::from_str(&text), &changes.into()) {
            Ok(found) => keep(state, &found),
            Err(error) => leptos::logging::error!("the search has failed: {error:?}"),
        }
        let waiting =
            WAITING.with_borrow(|waiting| waiting.as_ref().filter(|(of, _)| *of == text).map(|(_, key)| *key));
        if let Some(key) = waiting.filter(|_| is_known(state)) {
            let settings = Arc::clone(&settings);
            // After the results are rendered.
            set_timeout(move || use_results(key, state, &settings), Duration::ZERO);
        }
        true
    });
}

fn load(state: PageState, then: impl Fn() + 'static) {
    if IS_LOADING.replace(true) {
        return;
    }
    // The inline script of the page can load modules.
    let module = element(SETTINGS_ELEMENT)
        .and_then(|settings| property(&settings, "search").dyn_into::<Function>().ok()?.call0(&JsValue::NULL).ok());
    spawn_local(async move {
        let module = match module {
            Some(module) => JsFuture::from(module.unchecked_into::<Promise>()).await.ok(),
            None => None,
        };
        match module.and_then(|module| property(&module, "search").dyn_into().ok()) {
            Some(search) => {
                SEARCH.set(Some(search));
                then();
            }
            None => {
                IS_LOADING.set(false);
                toast(state, t_shared("The search cannot be loaded. Reload the page to try again."));
            }
        }
    });
}

/// Keeps the result of the script.
fn keep(state: PageState, result: &JsValue) {
    let flag = |name: &str| property(result, name).is_truthy();
    let found = result.is_object().then(|| Found {
        count: property(result, "count").as_f64().unwrap_or_default() as usize,
        has_first: flag("first"),
        is_pending: flag("pending"),
    });
    let items = if found.is_some() { read(&property(result, "elsewhere")) } else { Vec::new() };
    if state.found_elsewhere.with_untracked(|known| *known != items) {
        state.found_elsewhere.set(items);
    }
    state.found.set(found);
}

fn read(items: &JsValue) -> Vec<ElsewhereItem> {
    let item = |item: JsValue| {
        let text = |name: &str| property(&item, name).as_string().unwrap_or_default();
        ElsewhereItem {
            title: text("title"),
            url: text("url"),
            page: text("page"),
            target: text("target"),
            open: text("open"),
            ..ElsewhereItem::default()
        }
    };
    items.dyn_ref::<Array>().map(|items| items.iter().map(item).collect()).unwrap_or_default()
}

/// Whether the results show already what Enter opens.
fn is_known(state: PageState) -> bool {
    state.found.with_untracked(|found| found.is_some_and(|found| found.has_first || !found.is_pending))
}

/// Does what a key in the search box means, as soon as the results are known.
pub(crate) fn use_results(key: ResultKey, state: PageState, settings: &PageSettings) {
    let text = state.query.get_untracked();
    let is_empty = text.trim().is_empty();
    let opens = key == ResultKey::Open;
    if opens && is_empty {
        return;
    }
    if opens && web::has_bang(&settings.web_search, &text) {
        search_web(state, settings);
    } else if !is_empty && !is_known(state) {
        // Otherwise the name of an item would be sent to the web if somebody types faster than the script loads.
        WAITING.set(Some((text, key)));
        return;
    } else if !opens {
        focus_first_tile();
    } else if let Some(first) = elements("[data-first]").first() {
        first.click();
    } else {
        search_web(state, settings);
    }
    WAITING.set(None);
}

/// Runs the web search for the text in the box, and clears the box.
pub(crate) fn search_web(state: PageState, settings: &PageSettings) {
    let address = match state.query.with_untracked(|query| web::destination(&settings.web_search, query)) {
        Destination::Address(address) | Destination::Results { address, .. } => address,
        Destination::UnknownEngine(name) => {
            toast(state, t_shared_with(web::UNKNOWN_ENGINE, &name));
            return;
        }
        Destination::Nothing => return,
    };
    state.query.set(String::new());
    match settings.web_search.opening_method {
        OpeningMethod::SameTab => _ = window().location().set_href(&address),
        OpeningMethod::Workspace => opening::open_in_workspace(settings, &address),
        _ => _ = window().open_with_url_and_target_and_features(&address, "_blank", "noopener,noreferrer"),
    }
}
