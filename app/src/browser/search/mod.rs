//! The search box: finds what is typed on this page and on the others (`config::search`), shows the results, and does what Enter
//! means.

mod others;
mod page;

use std::{
    cell::{Cell, RefCell},
    sync::Arc,
    time::Duration,
};

use config::dashboard::OpeningMethod;
use leptos::prelude::*;
use web_sys::{Event, HtmlElement};

use self::{
    others::OTHERS,
    page::{PageSearch, Progress, WIDGET},
};
use super::{closest, elements, listen, opening, tiles::focus_first_tile, toast::toast};
use crate::{
    page::{PageSettings, PageState},
    search::{
        Found,
        web::{self, Destination},
    },
    words::t_for_script_with,
};

thread_local! {
    /// The search on this page.
    static PAGE: RefCell<PageSearch> = RefCell::default();
    /// Whether a timer goes on with the search.
    static IS_SCHEDULED: Cell<bool> = const { Cell::new(false) };
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
pub(super) fn install(state: PageState, settings: &Arc<PageSettings>) {
    let updates = RwSignal::new(0);
    let update = move || updates.update(|updates| *updates += 1);
    // The texts of a large page are ready before the first key.
    listen(&document(), "focusin", false, move |event: Event| {
        if closest(&event, "#search").is_some() {
            let prepare = move || {
                PAGE.with_borrow_mut(|page| page.prepare(state.changes.get_untracked()));
            };
            set_timeout(prepare, Duration::ZERO);
        }
    });
    let settings = Arc::clone(settings);
    Effect::new(move |has_begun: Option<bool>| {
        let (text, changes) = (state.query.get(), state.changes.get());
        updates.track();
        let is_search = !text.trim().is_empty();
        if !is_search && has_begun != Some(true) {
            return false;
        }
        if is_search {
            others::request(&settings, update);
        }
        search(state, &text, changes);
        if PAGE.with_borrow(PageSearch::is_unfinished) {
            proceed_later(update);
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

/// Searches for a text, as far as one slice goes, and keeps the results.
fn search(state: PageState, text: &str, changes: u32) {
    let found = PAGE.with_borrow_mut(|page| page.search(text, changes));
    let (found, others) = OTHERS.with_borrow(|others| {
        let Some(found) = found else { return (None, None) };
        let found = Found { is_pending: others.is_pending, ..found };
        (Some(found), Some(others.find(text, found.count > 0)))
    });
    let is_search = !text.trim().is_empty();
    let others = others.or_else(|| (!is_search).then(Vec::new));
    if let Some(others) = others.filter(|others| state.found_elsewhere.with_untracked(|known| known != others)) {
        state.found_elsewhere.set(others);
    }
    // The previous results stay until there are others.
    let unfinished = || Found { has_first: false, is_pending: true, ..state.found.get_untracked().unwrap_or_default() };
    state.found.set(is_search.then(|| found.unwrap_or_else(unfinished)));
}

/// Goes on in slices, so that keys are handled in between.
fn proceed_later(update: impl Fn() + Copy + 'static) {
    if IS_SCHEDULED.replace(true) {
        return;
    }
    let proceed = move || {
        IS_SCHEDULED.set(false);
        match PAGE.with_borrow_mut(PageSearch::proceed) {
            Progress::Found => update(),
            Progress::Unfinished => proceed_later(update),
            Progress::Finished => {}
        }
    };
    set_timeout(proceed, Duration::ZERO);
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
        // Otherwise the name of an item would be sent to the web if the viewer types faster than the other pages arrive.
        WAITING.set(Some((text, key)));
        return;
    } else if !opens {
        focus_first_tile();
    } else if let Some(first) = elements("[data-first]").into_iter().next() {
        if first.class_list().contains(WIDGET) {
            lead_to(state, first);
        } else {
            first.click();
        }
    } else {
        search_web(state, settings);
    }
    WAITING.set(None);
}

/// Leaves the search for the widget that it has found.
fn lead_to(state: PageState, widget: HtmlElement) {
    state.clear_query();
    // After all other sections are back.
    request_animation_frame(move || {
        widget.set_tab_index(-1);
        _ = widget.focus();
    });
}

/// Runs the web search for the text in the box, and clears the box.
pub(crate) fn search_web(state: PageState, settings: &PageSettings) {
    let address = match state.query.with_untracked(|query| web::destination(&settings.web_search, query)) {
        Destination::Address(address) | Destination::Results { address, .. } => address,
        Destination::UnknownEngine(name) => {
            toast(state, t_for_script_with(web::UNKNOWN_ENGINE, &name));
            return;
        }
        Destination::Nothing => return,
    };
    state.clear_query();
    match settings.web_search.opening_method {
        OpeningMethod::SameTab => _ = window().location().set_href(&address),
        OpeningMethod::Workspace => opening::open_in_workspace(settings, &address),
        _ => _ = window().open_with_url_and_target_and_features(&address, "_blank", "noopener,noreferrer"),
    }
}
