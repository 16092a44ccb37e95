//! The layout and size chosen in this browser; `frontend/dialogs/src/theme/` handles the theme (docs/spec/behavior.md 16).

use config::dashboard::{Layout, TileSize};
use leptos::prelude::*;

use super::storage::{self, page_key, read, write};
use crate::page::PageState;

/// Restores the stored choices, and stores changes from now on.
pub(super) fn restore_and_keep(state: PageState) {
    let (layout_key, size_key) = (page_key(storage::LAYOUT), page_key(storage::SIZE));

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
