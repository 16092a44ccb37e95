//! The browser's storage. All its keys are here, except those of the editor's drafts; the inline scripts
//! (`app/src/document/inline`) read some of them before the first paint. Choices that other software stored at the same
//! address are read under their existing keys.

use js_sys::{Array, JSON, Object};
use leptos::prelude::window;
use wasm_bindgen::JsCast;

/// The name of the chosen theme, per page (see [`page_key`]).
pub const THEME: &str = "theme";
/// The chosen layout, per page.
pub const LAYOUT: &str = "layoutOrientation";
/// The chosen size of tiles, per page.
pub const SIZE: &str = "iconSize";
/// Whether icons are in one color, `mono` or `color`, per page.
pub const ICON_COLOR: &str = "iconColor";
/// The last tab of the minimal view, per page.
pub const MINIMAL_SECTION: &str = "minimalSection";
/// The viewer's own colors: a mapping from themes to variables and their values.
pub const CUSTOM_COLORS: &str = "customColors";
/// The hints about the config that were closed.
pub const CLOSED_HINTS: &str = "closedHints";
/// Whether notices are reduced to their titles.
pub const QUIET_NOTICES: &str = "disableCriticalWarning";
/// A mapping from a section's key to whether it is open.
pub const COLLAPSE_STATE: &str = "collapseState";
/// A mapping from items to how often they were opened.
pub const MOST_USED: &str = "mostUsed";
/// A mapping from items to when they were last opened, in milliseconds since 1970.
pub const LAST_USED: &str = "lastUsed";
/// Whether the tour of a new dashboard has been seen; `frontend/dialogs.js` reads it.
pub const TOUR: &str = "porticoTour";
/// How the keys of the editor's drafts and of local configs begin. Then come the owner and the page.
pub const DRAFT: &str = "porticoDraft-";

/// The key under which the open page keeps a choice; the home page has the name alone.
#[must_use]
pub fn page_key(name: &str) -> String {
    match super::root().get_attribute("data-page").filter(|page| !page.is_empty()) {
        Some(page) => [name, "-", &page].concat(),
        None => name.to_owned(),
    }
}

/// A value in the browser's storage; `None` if there is none, or storage is not allowed.
#[must_use]
pub fn read(key: &str) -> Option<String> {
    window().local_storage().ok()??.get_item(key).ok()?.filter(|value| !value.is_empty())
}

/// Stores or removes a value. Fails silently if storage is not allowed; the choice then lasts until the page is left.
pub fn write(key: &str, value: Option<&str>) {
    let Ok(Some(storage)) = window().local_storage() else { return };
    _ = match value {
        Some(value) => storage.set_item(key, value),
        None => storage.remove_item(key),
    };
}

/// A stored mapping, read as JSON; empty if there is none.
#[must_use]
pub fn read_object(key: &str) -> Object {
    let stored = read(key).and_then(|text| JSON::parse(&text).ok()?.dyn_into::<Object>().ok());
    stored.filter(|stored| !Array::is_array(stored)).unwrap_or_default()
}

/// Stores a mapping as JSON.
pub fn write_object(key: &str, object: &Object) {
    if let Ok(text) = JSON::stringify(object) {
        write(key, Some(&String::from(text)));
    }
}
