//! The tiles on the page: the browser takes its list of items from the server's HTML.

use web_sys::{Element, HtmlElement};

use super::dom::{element, elements};

/// Tiles that the arrow keys move between: those in open sections. Tiles hidden by a search have no box.
pub(super) const TILES: &str =
    "#content details[open] a.item, #content details[open] a.sub-item, .other-pages a, a.web-row";

/// Text of the tile's title, or the widget's label.
pub(super) fn title(tile: &Element) -> String {
    const TITLES: &str = ":scope > .tile-title, :scope > .group-title, :scope > .widget-head > .widget-label";
    inner_text(tile, TITLES).unwrap_or_default()
}

/// Position of the section and of the item in the file, from an id such as `i-2-5`.
pub(super) fn positions(tile: &Element) -> Option<(usize, usize)> {
    let id = tile.id();
    let mut parts = id.split('-').skip(1).filter_map(|part| part.parse().ok());
    Some((parts.next()?, parts.next()?))
}

/// The id under which existing browsers have stored counters (docs/spec/config.md 12).
pub(super) fn counter_id(tile: &Element) -> Option<String> {
    let (section, item) = positions(tile)?;
    let name = element(&format!("s-{section}-name"))?.text_content()?;
    let sum: u32 = name.encode_utf16().map(u32::from).sum();
    let letters: String =
        title(tile).chars().filter(char::is_ascii_alphabetic).map(|c| c.to_ascii_lowercase()).collect();
    Some(format!("{item}_{sum}_{letters}"))
}

/// Text of the first element within another one that matches a selector.
pub(super) fn inner_text(tile: &Element, selector: &str) -> Option<String> {
    tile.query_selector(selector).ok()??.text_content()
}

pub(super) fn visible_tiles() -> Vec<HtmlElement> {
    elements(TILES).into_iter().filter(|tile| tile.offset_parent().is_some()).collect()
}

pub(super) fn focus_first_tile() {
    if let Some(tile) = elements("[data-first]").into_iter().next().or_else(|| visible_tiles().into_iter().next()) {
        _ = tile.focus();
    }
}
