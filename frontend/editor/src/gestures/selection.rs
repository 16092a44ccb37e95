//! The items that are selected, to be moved, tagged or deleted together.

use leptos::prelude::*;
use wasm_bindgen::JsCast as _;
use web_sys::{Element, MouseEvent};

use crate::{
    edits::{List, Spot},
    page::TILES,
};

/// The attribute of tiles that are selected.
const PICKED: &str = "data-picked";
/// The attribute of the root element while a click selects.
const SELECTING: &str = "data-selecting";

/// The selected items.
#[derive(Clone, Copy)]
pub struct Selection {
    items: RwSignal<Vec<Spot>>,
    /// Where a range begins: what was selected last.
    anchor: StoredValue<Option<Spot>>,
    /// Whether a click selects, as there is no Ctrl on a touch screen.
    pub selecting: RwSignal<bool>,
}

impl Default for Selection {
    fn default() -> Self {
        Self { items: RwSignal::new(Vec::new()), anchor: StoredValue::new(None), selecting: RwSignal::new(false) }
    }
}

impl Selection {
    /// How many items are selected; a signal.
    pub fn count(self) -> usize {
        self.items.with(Vec::len)
    }

    /// Whether something is selected, or about to be.
    pub fn is_active(self) -> bool {
        self.selecting.get() || self.count() > 0
    }

    /// The selected items.
    pub fn items(self) -> Vec<Spot> {
        self.items.get_untracked()
    }

    /// What is moved or deleted with an item: all that is selected if it is among that, else the item alone.
    pub fn with(self, item: Spot) -> Vec<Spot> {
        let items = self.items();
        if items.contains(&item) { items } else { vec![item] }
    }

    /// Selects an item, or no longer. Gives what screen readers say.
    pub fn toggle(self, item: Spot, name: &str) -> String {
        let mut items = self.items();
        let was = items.contains(&item);
        if was {
            items.retain(|other| *other != item);
        } else {
            items.push(item);
        }
        self.anchor.set_value(Some(item));
        let words =
            format!("“{name}” {}, {} in all.", if was { "no longer selected" } else { "selected" }, items.len());
        self.items.set(items);
        words
    }

    /// Selects everything on the page from what was selected last to an item. Gives what screen readers say.
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
        let words = format!("{} selected.", counted(items.len()));
        self.items.set(items);
        words
    }

    /// Takes a click on a tile that selects it: with Ctrl or Shift, or while each does. `None` for other clicks; else what
    /// screen readers say.
    pub fn take_click(self, event: Option<&MouseEvent>, item: Spot, name: &str) -> Option<String> {
        if event.is_some_and(MouseEvent::shift_key) {
            Some(self.extend_to(item))
        } else if self.selecting.get_untracked() || event.is_some_and(|event| event.ctrl_key() || event.meta_key()) {
            Some(self.toggle(item, name))
        } else {
            None
        }
    }

    /// Selects nothing any more. Positions have changed, or the person is done.
    pub fn forget(self) {
        self.anchor.set_value(None);
        if !self.items.with_untracked(Vec::is_empty) {
            self.items.set(Vec::new());
        }
    }

    /// Ends selecting. Gives whether there was anything to end.
    pub fn leave(self) -> bool {
        let was = self.selecting.get_untracked() || !self.items.with_untracked(Vec::is_empty);
        self.selecting.set(false);
        self.forget();
        was
    }

    /// Shows on the page what is selected; run again with each change.
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

    /// Leaves nothing of itself on the page.
    pub fn end(self) {
        for tile in found(TILES) {
            _ = tile.remove_attribute(PICKED);
        }
        if let Some(root) = document().document_element() {
            _ = root.remove_attribute(SELECTING);
        }
    }
}

/// A number of items in words.
pub fn counted(count: usize) -> String {
    if count == 1 { "1 item".to_owned() } else { format!("{count} items") }
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
