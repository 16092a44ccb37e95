//! Shows the tiles that a search found and hides the others.
//!
//! One pass over the tiles sets `hidden` where it changes: with thousands of them that is far cheaper than a signal
//! for each.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{HtmlDetailsElement, HtmlElement};

use super::{elements, tiles};
use crate::page::PageState;

struct SectionNodes {
    section: HtmlElement,
    body: Option<HtmlDetailsElement>,
    /// How many of the page's tiles are in this section.
    tiles: usize,
    /// Sections without tiles keep their widgets on screen during a search.
    only_widgets: bool,
    /// Whether the section was open before the search, while one is on.
    open_before: Option<bool>,
}

/// The nodes that a search touches, looked up with the first search: most visits do without.
struct Nodes {
    sections: Vec<SectionNodes>,
    tiles: Vec<HtmlElement>,
}

/// Follows the text in the search box.
pub(super) fn follow(state: PageState) {
    Effect::new(move |known: Option<Option<(u32, Nodes)>>| {
        let (found, change) = (state.found.get(), state.changes.get());
        let mut known = known.flatten();
        // What a search had opened is closed before other nodes are looked up.
        if let Some((_, nodes)) = known.as_mut().filter(|(before, _)| *before != change) {
            nodes.show(None);
            known = None;
        }
        let mut nodes = match (known.map(|(_, nodes)| nodes), &found) {
            (Some(nodes), _) => nodes,
            (None, Some(_)) => Nodes::collect(),
            (None, None) => return None,
        };
        nodes.show(found.as_deref().map(Vec::as_slice));
        if let Some(page) = super::element("page") {
            _ = page.class_list().toggle_with_force("searching", found.is_some());
        }
        Some((change, nodes))
    });
}

impl Nodes {
    fn collect() -> Self {
        let sections = elements("#content > section")
            .into_iter()
            .map(|section| {
                let body = section.query_selector("details").ok().flatten().and_then(|node| node.dyn_into().ok());
                let tiles = section.query_selector_all(".items > *").map(|nodes| nodes.length()).unwrap_or_default();
                let only_widgets = tiles == 0 && section.query_selector(".widgets").is_ok_and(|node| node.is_some());
                SectionNodes { section, body, tiles: tiles as usize, only_widgets, open_before: None }
            })
            .collect();
        Self { sections, tiles: tiles::all() }
    }

    /// Shows the tiles at these positions; all without a search.
    fn show(&mut self, hits: Option<&[usize]>) {
        let mut expected = hits.unwrap_or_default().iter().copied().peekable();
        let mut tiles = self.tiles.iter().enumerate();
        for section in &mut self.sections {
            let mut any = false;
            for (position, tile) in tiles.by_ref().take(section.tiles) {
                let hit = expected.next_if_eq(&position).is_some();
                any |= hit;
                set_hidden(tile, hits.is_some() && !hit);
            }
            set_hidden(&section.section, hits.is_some() && !any && !section.only_widgets);
            let Some(body) = &section.body else { continue };
            if hits.is_none() {
                if let Some(open) = section.open_before.take() {
                    body.set_open(open);
                }
            } else if any {
                section.open_before.get_or_insert(body.open());
                body.set_open(true);
            }
        }
    }
}

fn set_hidden(node: &HtmlElement, hidden: bool) {
    if node.hidden() != hidden {
        node.set_hidden(hidden);
    }
}
