//! The layout and size chosen in this browser; the theme is handled by `frontend/options/chooser.js`
//! (docs/spec/behavior.md 16). Choices that other software stored at the same address are read under their existing
//! keys.

use config::dashboard::{Layout, TileSize};
use js_sys::{Array, JSON, Object};
use leptos::prelude::*;
use wasm_bindgen::JsCast;

use crate::page::{PageSettings, PageState};

/// Restores the stored choices, and stores changes from now on.
pub(super) fn restore_and_keep(state: PageState, settings: &PageSettings) {
    let key = |name: &str| match settings.slug.as_str() {
        "home" => name.to_owned(),
        slug => format!("{name}-{slug}"),
    };
    let (layout_key, size_key) = (key("layoutOrientation"), key("iconSize"));

    if let Some(layout) = read(&layout_key).and_then(|word| layout_of(&word)) {
        state.layout.set(layout);
    }
    if let Some(size) = read(&size_key).and_then(|word| size_of(&word)) {
        state.size.set(size);
    }

    Effect::new(move |before: Option<Layout>| {
        let layout = state.layout.get();
        swap_class("orientation-", layout.word());
        if before.is_some_and(|before| before != layout) {
            write(&layout_key, Some(layout.word()));
        }
        layout
    });
    Effect::new(move |before: Option<TileSize>| {
        let size = state.size.get();
        swap_class("item-size-", size.word());
        if before.is_some_and(|before| before != size) {
            write(&size_key, Some(size.word()));
        }
        size
    });
}

/// Replaces the class that begins with `prefix`, of the page and of the element around all sections.
fn swap_class(prefix: &str, word: &str) {
    for element in super::elements("#page, .item-group-container") {
        let classes = element.class_name();
        let kept = classes.split_whitespace().filter(|class| !class.starts_with(prefix));
        let classes: Vec<&str> = kept.collect();
        element.set_class_name(&format!("{} {prefix}{word}", classes.join(" ")));
    }
}

fn layout_of(word: &str) -> Option<Layout> {
    [Layout::Auto, Layout::Horizontal, Layout::Vertical, Layout::Masonry].into_iter().find(|one| one.word() == word)
}

fn size_of(word: &str) -> Option<TileSize> {
    [TileSize::Small, TileSize::Medium, TileSize::Large].into_iter().find(|one| one.word() == word)
}

/// A value in the browser's storage; `None` if there is none, or storage is not allowed.
pub(super) fn read(key: &str) -> Option<String> {
    window().local_storage().ok()??.get_item(key).ok()?.filter(|value| !value.is_empty())
}

/// Stores or removes a value. Fails silently if storage is not allowed; the choice then lasts until the page is left.
pub(super) fn write(key: &str, value: Option<&str>) {
    let Ok(Some(storage)) = window().local_storage() else { return };
    _ = match value {
        Some(value) => storage.set_item(key, value),
        None => storage.remove_item(key),
    };
}

/// A stored mapping, read as JSON; empty if there is none.
pub(super) fn read_object(key: &str) -> Object {
    let stored = read(key).and_then(|text| JSON::parse(&text).ok()?.dyn_into::<Object>().ok());
    stored.filter(|stored| !Array::is_array(stored)).unwrap_or_default()
}

/// Stores a mapping as JSON.
pub(super) fn write_object(key: &str, object: &Object) {
    if let Ok(text) = JSON::stringify(object) {
        write(key, Some(&String::from(text)));
    }
}
