//! The selected items, which can be moved, tagged or deleted together.

use leptos::prelude::*;
use wasm_bindgen::JsCast as _;
use web_sys::{Element, MouseEvent};

use crate::{
    edits::{List, Spot},
    texts::{fill, t_count},
};

/// The tiles. A group is one tile.
pub const TILES: &str = "#content .items > *";
/// The attribute of tiles that are selected.
const PICKED: &str = "data-picked";
/// The attribute of the root element while a click selects.
const SELECTING: &str = "data-selecting";

/// The selected items.
#[derive(Clone, Copy)]
pub struct Selection {
    items: RwSignal<Vec<Spot>>,
    /// Where a range begins: the item that was selected last.
    anchor: StoredValue<Option<Spot>>,
    /// Whether every click selects, for touch screens, which have no Ctrl key.
    pub selecting: RwSignal<bool>,
}

impl Default for Selection {
    fn default() -> Self {
        Self { items: RwSignal::new(Vec::new()), anchor: StoredValue::new(None), selecting: RwSignal::new(false) }
    }
}

impl Selection {
    /// The number of selected items, tracked.
    pub fn count(self) -> usize {
        self.items.with(Vec::len)
    }

    /// Whether items are selected, or clicks select, tracked.
    pub fn is_active(self) -> bool {
        self.selecting.get() || self.count() > 0
    }

    /// The selected items.
    pub fn items(self) -> Vec<Spot> {
        self.items.get_untracked()
    }

    /// The items to move or delete with one: the whole selection if it contains the item, otherwise the item alone.
    pub fn with(self, item: Spot) -> Vec<Spot> {
        let items = self.items();
        if items.contains(&item) { items } else { vec![item] }
    }

    /// Selects or deselects an item. Returns what screen readers announce.
    pub fn toggle(self, item: Spot, name: &str) -> String {
        let mut items = self.items();
        let was = items.contains(&item);
        if was {
            items.retain(|other| *other != item);
        } else {
            items.push(item);
        }
        self.anchor.set_value(Some(item));
        let [one, other] = match was {
            true => ["“{name}” no longer selected, 1 in all.", "“{name}” no longer selected, {count} in all."],
            false => ["“{name}” selected, 1 in all.", "“{name}” selected, {count} in all."],
        };
        let message = t_count(one, other, items.len(), &[("name", name)]);
        self.items.set(items);
        message
    }

    /// Selects the range from the item that was selected last. Returns what screen readers announce.
    pub fn extend_to(self, item: Spot) -> String {
        let tiles = tiles();
        let position = |wanted: Spot| tiles.iter().position(|tile| *tile == wanted);
        let end = position(item).unwrap_or_default();
        let start = self.anchor.get_value().and_then(position).unwrap_or(end);
        let mut items = self.items();
        for tile in tiles.iter().take(start.max(end) + 1).skip(start.min(end)) {
            if !items.contains(tile) {
                items.push(*tile);
            }
        }
        let message = fill("{step}.", &[("step", &counted(items.len()))]);
        self.items.set(items);
        message
    }

    /// Handles a click on a tile if it selects: with Ctrl or Shift, or while every click does. Returns what screen readers
    /// announce; `None` for other clicks.
    pub fn take_click(self, event: Option<&MouseEvent>, item: Spot, name: &str) -> Option<String> {
        if event.is_some_and(MouseEvent::shift_key) {
            Some(self.extend_to(item))
        } else if self.selecting.get_untracked() || event.is_some_and(|event| event.ctrl_key() || event.meta_key()) {
            Some(self.toggle(item, name))
        } else {
            None
        }
    }

    /// Clears the selection, because positions have changed or the user is done.
    pub fn forget(self) {
        self.anchor.set_value(None);
        if !self.items.with_untracked(Vec::is_empty) {
            self.items.set(Vec::new());
        }
    }

    /// Ends selecting. Returns whether there was anything to end.
    pub fn leave(self) -> bool {
        let was = self.selecting.get_untracked() || !self.items.with_untracked(Vec::is_empty);
        self.selecting.set(false);
        self.forget();
        was
    }

    /// Shows the selection on the page. Runs again with each change.
    pub fn show(self) {
        self.items.track();
        if let Some(root) = document().document_element() {
            _ = if self.selecting.get() { root.set_attribute(SELECTING, "") } else { root.remove_attribute(SELECTING) };
        }
        self.mark();
    }

    /// Marks the tiles of the selected items, and no others.
    pub fn mark(self) {
        let items = self.items();
        for tile in found(TILES) {
            let picked = Spot::parse(&tile.id()).is_some_and(|spot| items.contains(&spot));
            _ = if picked { tile.set_attribute(PICKED, "") } else { tile.remove_attribute(PICKED) };
        }
    }

    /// Removes all traces of the selection from the page.
    pub fn end(self) {
        for tile in found(TILES) {
            _ = tile.remove_attribute(PICKED);
        }
        if let Some(root) = document().document_element() {
            _ = root.remove_attribute(SELECTING);
        }
    }
}

/// How many items are selected.
pub fn counted(count: usize) -> String {
    t_count("1 item selected", "{count} items selected", count, &[])
}

/// The items of the page, as it shows them.
fn tiles() -> Vec<Spot> {
    let spots = found(TILES).into_iter().filter_map(|tile| Spot::parse(&tile.id()));
    spots.filter(|spot| matches!(spot.list, List::Items(_))).collect()
}

fn found(selector: &str) -> Vec<Element> {
    let Ok(list) = document().query_selector_all(selector) else { return Vec::new() };
    (0..list.length()).filter_map(|position| list.item(position)?.dyn_into().ok()).collect()
}
