//! "Show more" and "show less".

use web_sys::Element;

use super::{all, number_attribute};

/// Opens or closes the list that a button belongs to.
pub fn toggle(button: &Element) {
    let open = button.get_attribute("aria-expanded").as_deref() == Some("true");
    _ = button.set_attribute("aria-expanded", if open { "false" } else { "true" });
    if let Ok(Some(part)) = button.closest(".part") {
        apply(&part);
    }
}

/// After a refresh, folds as the buttons say.
pub fn restore(root: &Element) {
    for button in all(root, "button[data-more]") {
        if let Ok(Some(part)) = button.closest(".part") {
            apply(&part);
        }
    }
}

/// Hides the rows that stand below the fold now; after sorting they are others than before.
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
