//! What this browser has stored, and resetting it.

use app::{
    browser::{
        root,
        storage::{self, DRAFT},
    },
    built_view::{AnyView, IntoAny},
};
use js_sys::Object;
use leptos::{html, prelude::*};
use wasm_bindgen::JsCast as _;
use web_sys::HtmlDocument;

use crate::{dialog::button, page::base, texts::t};

/// What was chosen for the page or for one of its further pages.
const CHOICES: [&str; 6] =
    [storage::THEME, storage::LAYOUT, storage::SIZE, storage::ICON_COLOR, "language", storage::MINIMAL_SECTION];
/// What else is reset. Sign-ins, counts of opened items, collapsed sections and drafts of the editor stay.
const LOCAL: [&str; 9] = [
    "appConfig",
    "pageInfo",
    "confSections",
    "confPages",
    storage::CUSTOM_COLORS,
    "hideWelcomeHelpers",
    storage::QUIET_NOTICES,
    storage::CLOSED_HINTS,
    "hideSettings",
];

/// The keys in the browser's storage, sorted; empty if storage is blocked.
pub fn stored() -> Vec<String> {
    let Ok(Some(storage)) = window().local_storage() else { return Vec::new() };
    let mut keys: Vec<String> = Object::keys(&storage).iter().filter_map(|key| key.as_string()).collect();
    keys.sort();
    keys
}

/// Whether a key is one of these names, or that of a page.
fn is_one_of(names: &[&str], key: &str) -> bool {
    names.iter().any(|name| key.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('-')))
}

/// Whether a key holds what was chosen in the options.
pub fn is_choice(key: &str) -> bool {
    is_one_of(&CHOICES, key)
}

/// Whether a key is that of a local config: after the owner comes the path of a page.
fn is_local_config(key: &str) -> bool {
    key.strip_prefix(DRAFT).and_then(|rest| rest.split_once('-')).is_some_and(|(_, page)| page.starts_with('/'))
}

/// Whether there is a local config of this page.
pub fn has_local_config() -> bool {
    let data = |name: &str| root().get_attribute(name).unwrap_or_default();
    storage::read(&[DRAFT, &data("data-drafts"), "-/", &data("data-page")].concat()).is_some()
}

fn reset() {
    for key in stored() {
        if is_choice(&key) || is_local_config(&key) || is_one_of(&LOCAL, &key) {
            storage::write(&key, None);
        }
    }
    let cookie = format!("portico-language=; Path={}/; Max-Age=0", base());
    _ = document().unchecked_into::<HtmlDocument>().set_cookie(&cookie);
    _ = window().location().reload();
}

/// The content of the tab.
pub fn content() -> AnyView {
    let is_asking = RwSignal::new(false);
    let sure = NodeRef::<html::Button>::new();
    let ask = move || {
        is_asking.set(true);
        if let Some(button) = sure.get_untracked() {
            button.set_hidden(false);
            _ = button.focus();
        }
    };
    let mut about = t(
        "Themes, colors, layouts, sizes and other choices are stored in this browser. Resetting clears them for all pages and reloads this one. You stay signed in.",
    );
    if stored().iter().any(|key| is_local_config(key)) {
        about.push(' ');
        about.push_str(&t("This also deletes a config that is stored only in this browser. Download it first if you may need it again."));
    }
    view! {
        <p>{about}</p>
        <p class="tools-actions">
            {button(t("Reset local settings"), "button", ask)}
            <button node_ref=sure type="button" class="button primary" hidden=move || !is_asking.get() on:click=move |_| reset()>
                {t("Yes, reset")}
            </button>
        </p>
    }
    .into_any()
}
