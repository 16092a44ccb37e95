//! The tiles as they stand in the page: the server's HTML is the browser's list of items.

use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

use super::elements;
use crate::search::matching::{Index, TileText};

/// All tiles and groups in page order.
pub(super) fn all() -> Vec<HtmlElement> {
    elements("#content .items > *")
}

/// The searchable texts of all tiles.
pub(super) fn index() -> Index {
    Index::new(all().iter().map(|tile| {
        let mut texts = vec![text_of(tile)];
        if let Ok(nodes) = tile.query_selector_all(".sub-item") {
            let sub_items = (0..nodes.length()).filter_map(|position| nodes.item(position)?.dyn_into::<Element>().ok());
            texts.extend(sub_items.map(|sub_item| text_of(&sub_item)));
        }
        texts
    }))
}

/// Text of the tile's title.
pub(super) fn title(tile: &Element) -> String {
    inner_text(tile, ":scope > .tile-text > .tile-title, :scope > .tile-title, :scope > .group-title")
        .unwrap_or_default()
}

/// Position of the section and of the item in the file, from an id such as `i-2-5`.
pub(super) fn positions(tile: &Element) -> Option<(usize, usize)> {
    let id = tile.id();
    let mut parts = id.split('-').skip(1).filter_map(|part| part.parse().ok());
    Some((parts.next()?, parts.next()?))
}

/// The id under which counters of existing browsers are kept (docs/spec/config.md 12).
pub(super) fn counter_id(tile: &Element) -> Option<String> {
    let (section, item) = positions(tile)?;
    let name = super::element(&format!("s-{section}-name"))?.text_content()?;
    let sum: u32 = name.encode_utf16().map(u32::from).sum();
    let letters: String =
        title(tile).chars().filter(char::is_ascii_alphabetic).map(|c| c.to_ascii_lowercase()).collect();
    Some(format!("{item}_{sum}_{letters}"))
}

fn text_of(tile: &Element) -> TileText {
    TileText {
        title: title(tile),
        provider: tile.get_attribute("data-provider"),
        description: inner_text(tile, ":scope > .tile-text > .tile-description"),
        tags: tile.get_attribute("data-tags"),
        url: tile.get_attribute("href"),
    }
}

fn inner_text(tile: &Element, selector: &str) -> Option<String> {
    tile.query_selector(selector).ok()??.text_content()
}
