//! "Show more" and "show less", remembered until the tab is closed.

use leptos::prelude::window;
use web_sys::{Element, Storage};

use super::dom::{all, number_attribute};

/// Opens or closes the list that a button belongs to.
pub fn toggle(button: &Element) {
    let open = button.get_attribute("aria-expanded").as_deref() != Some("true");
    set_open(button, open);
    if let (Some(storage), Some(key)) = (storage(), key(button)) {
        _ = if open { storage.set_item(&key, "") } else { storage.remove_item(&key) };
    }
    if let Ok(Some(part)) = button.closest(".part") {
        apply(&part);
    }
}

/// Opens the lists that were opened earlier in this tab, and collapses the others.
pub fn restore(root: &Element) {
    for button in all(root, "button[data-more]") {
        let key = key(&button);
        if storage().zip(key).is_some_and(|(storage, key)| storage.get_item(&key).is_ok_and(|item| item.is_some())) {
            set_open(&button, true);
        }
        if let Ok(Some(part)) = button.closest(".part") {
            apply(&part);
        }
    }
}

/// Hides the rows that are now below the fold; sorting changes which ones these are.
pub fn apply(part: &Element) {
    let Ok(Some(list)) = part.query_selector("[data-fold]") else { return };
    let after = number_attribute(&list, "data-fold").unwrap_or(usize::MAX);
    let is_open = part.query_selector("[data-more][aria-expanded=true]").ok().flatten().is_some();
    let rows = list.children();
    for position in 0..rows.length() {
        if let Some(row) = rows.item(position) {
            _ = row.class_list().toggle_with_force("beyond", position as usize >= after && !is_open);
        }
    }
}

fn set_open(button: &Element, open: bool) {
    _ = button.set_attribute("aria-expanded", if open { "true" } else { "false" });
}

/// Storage that lasts as long as the tab; `None` if storage is not allowed.
fn storage() -> Option<Storage> {
    window().session_storage().ok()?
}

/// The page, the widget, and the position of the list in it.
fn key(button: &Element) -> Option<String> {
    let frame = button.closest("[data-widget]").ok()??;
    let position = all(&frame, "button[data-more]").iter().position(|other| other == button)?;
    let mut key = String::from("more ");
    key.push_str(&window().location().pathname().ok()?);
    key.push(' ');
    key.push_str(&frame.id());
    key.push(' ');
    key.push_str(&position.to_string());
    Some(key)
}
