//! One tooltip for all tiles, after a moment of hover or focus: description, provider and hotkey, or the title of a tile
//! that is only a picture; and for admins why its icon is missing.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
    time::Duration,
};

use leptos::{leptos_dom::helpers::TimeoutHandle, prelude::*};
use web_sys::{Event, HtmlElement};

use super::{closest, element, listen as listen_to};
use crate::words::t_for_script;

/// Delay between hover or focus and the tooltip.
const DELAY: Duration = Duration::from_millis(600);
/// Gap between the tile and the tooltip, and to the edges of the window, in pixels.
const GAP: f64 = 8.0;

thread_local! {
    /// Whether the bubble belongs to a tile: panels use the same bubble, and hide it themselves.
    static SHOWN: Cell<bool> = const { Cell::new(false) };
}

pub(super) fn install() {
    let pending: Rc<RefCell<Option<TimeoutHandle>>> = Rc::default();
    for event in ["pointerover", "focusin"] {
        let pending = Rc::clone(&pending);
        // Before the event reaches the panels of the page, which may show a hint of their own.
        listen_to(&document(), event, true, move |event: Event| {
            clear(&pending);
            let Some(tile) = closest(&event, "#content :is(.item, .sub-item)") else { return };
            *pending.borrow_mut() = set_timeout_with_handle(move || show(&tile), DELAY).ok();
        });
    }
    for event in ["pointerout", "focusout", "keydown", "scroll", "pointerdown"] {
        let pending = Rc::clone(&pending);
        listen_to(&document(), event, true, move |_: Event| clear(&pending));
    }
}

fn clear(pending: &RefCell<Option<TimeoutHandle>>) {
    if let Some(handle) = pending.borrow_mut().take() {
        handle.clear();
    }
    if SHOWN.replace(false)
        && let Some(tooltip) = element("tooltip")
    {
        tooltip.set_hidden(true);
        for tile in super::elements("[aria-describedby=tooltip]") {
            _ = tile.remove_attribute("aria-describedby");
        }
    }
}

/// Fills and places the tooltip: below the tile, or above where there is no room.
fn show(tile: &HtmlElement) {
    let Some(tooltip) = element("tooltip") else { return };
    let description =
        tile.query_selector(".tile-description:not([data-place]), .tile-title.visually-hidden").ok().flatten();
    // A description that is already visible as a whole need not be repeated; a hidden text is one pixel high.
    let description = description
        .filter(|node| node.client_height() <= 1 || node.scroll_height() > node.client_height())
        .and_then(|node| node.text_content());
    let provider = tile.get_attribute("data-provider");
    let source = tile.get_attribute("data-found");
    let is_removed = tile.class_list().contains("removed");
    let hotkey = tile.get_attribute("data-hotkey");
    let icon_problem = tile.get_attribute("data-icon-problem");
    if description.is_none() && provider.is_none() && source.is_none() && icon_problem.is_none() {
        return;
    }
    tooltip.set_text_content(None);
    let lines = [
        provider.map(|text| (t_for_script("Provider"), text)),
        description.map(|text| (String::new(), text)),
        source.map(|source| (if is_removed { t_for_script("Removed from") } else { t_for_script("Found in") }, source)),
        hotkey.map(|digit| (t_for_script("Key"), digit)),
        icon_problem.map(|text| (t_for_script("Icon"), text)),
    ];
    for (label, text) in lines.into_iter().flatten() {
        let Ok(line) = document().create_element("p") else { return };
        if !label.is_empty()
            && let Ok(strong) = document().create_element("strong")
        {
            strong.set_text_content(Some(&format!("{label}: ")));
            _ = line.append_child(&strong);
        }
        _ = line.append_child(&document().create_text_node(&text));
        _ = tooltip.append_child(&line);
    }
    tooltip.set_hidden(false);
    SHOWN.set(true);
    // The title is already the accessible name of the tile.
    if !tile.class_list().contains("sub-item") {
        _ = tile.set_attribute("aria-describedby", "tooltip");
    }

    let tile = tile.get_bounding_client_rect();
    let size = tooltip.get_bounding_client_rect();
    let root = super::root();
    let (width, height) = (f64::from(root.client_width()), f64::from(root.client_height()));
    let left = (tile.left() + (tile.width() - size.width()) / 2.0).min(width - size.width() - GAP).max(GAP);
    let below = tile.bottom() + GAP;
    let top = if below + size.height() > height { tile.top() - GAP - size.height() } else { below };
    let style = tooltip.style();
    _ = style.set_property("left", &format!("{}px", left as i32));
    _ = style.set_property("top", &format!("{}px", top as i32));
}
