//! Theme, layout and size that this browser chose (docs/spec/behaviour.md 16). Existing choices of the same address are
//! read under the keys where people already have them.

use config::dashboard::{Layout, TileSize};
use js_sys::{Array, JSON, Object};
use leptos::prelude::*;
use wasm_bindgen::JsCast;

use super::root;
use crate::{
    page::{PageSettings, PageState},
    themes::Scheme,
};

/// Reads what is stored and keeps what is changed from now on.
pub(super) fn restore_and_keep(state: PageState, settings: &PageSettings) {
    let key = |name: &str| match settings.slug.as_str() {
        "home" => name.to_owned(),
        slug => format!("{name}-{slug}"),
    };
    let (theme_key, layout_key, size_key) = (key("theme"), key("layoutOrientation"), key("iconSize"));

    if let Some(layout) = read(&layout_key).and_then(|word| layout_of(&word)) {
        state.layout.set(layout);
    }
    if let Some(size) = read(&size_key).and_then(|word| size_of(&word)) {
        state.size.set(size);
    }
    state.theme.set(read(&theme_key));

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
    let look = settings.look.clone();
    Effect::new(move |before: Option<Option<String>>| {
        let theme = state.theme.get();
        if before.is_some_and(|before| before != theme) {
            write(&theme_key, theme.as_deref());
            match &theme {
                Some(name) => apply_theme(name, Scheme::of_theme(name), true),
                None => {
                    let night = window().match_media("(prefers-color-scheme: dark)").ok().flatten();
                    let night = night.is_some_and(|query| query.matches());
                    let name = if night { &look.night_theme } else { &look.day_theme };
                    apply_theme(name, Scheme::of_pair(&look.day_theme, &look.night_theme), false);
                }
            }
        }
        theme
    });
}

/// Replaces the class of the page that begins with `prefix`.
fn swap_class(prefix: &str, word: &str) {
    let Some(page) = super::element("page") else { return };
    let classes = page.class_name();
    let kept = classes.split_whitespace().filter(|class| !class.starts_with(prefix));
    let classes: Vec<&str> = kept.collect();
    page.set_class_name(&format!("{} {prefix}{word}", classes.join(" ")));
}

fn apply_theme(name: &str, scheme: Scheme, chosen: bool) {
    let root = root();
    _ = root.set_attribute("data-scheme", scheme.word());
    _ = if matches!(name, "" | "default") {
        root.remove_attribute("data-theme")
    } else {
        root.set_attribute("data-theme", name)
    };
    _ = root.toggle_attribute_with_force("data-chosen", chosen);
}

fn layout_of(word: &str) -> Option<Layout> {
    [Layout::Auto, Layout::Horizontal, Layout::Vertical, Layout::Masonry].into_iter().find(|one| one.word() == word)
}

fn size_of(word: &str) -> Option<TileSize> {
    [TileSize::Small, TileSize::Medium, TileSize::Large].into_iter().find(|one| one.word() == word)
}

/// A value of the browser's storage; none when there is none or storage is not allowed.
pub(super) fn read(key: &str) -> Option<String> {
    window().local_storage().ok()??.get_item(key).ok()?.filter(|value| !value.is_empty())
}

/// Stores a value, or removes it. Fails silently where storage is not allowed: the choice then lasts for this visit.
pub(super) fn write(key: &str, value: Option<&str>) {
    let Ok(Some(storage)) = window().local_storage() else { return };
    _ = match value {
        Some(value) => storage.set_item(key, value),
        None => storage.remove_item(key),
    };
}

/// A stored mapping, written as JSON; an empty one when there is none.
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
