//! The search in the items and widgets of this page: finds, and shows the hits in place.
//!
//! Both run in slices, because a page may have thousands of tiles.

use std::ops::Range;

use config::search::{Entry, Index, Matches, Texts};
use js_sys::Object;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlDetailsElement, HtmlElement};

use crate::{
    browser::{
        element, elements,
        storage::{MOST_USED, read_object},
        tiles::{self, inner_text},
    },
    parts::live::property,
    search::Found,
};

/// The attribute of the first hit.
const FIRST: &str = "data-first";
/// The class of a widget.
pub(super) const WIDGET: &str = "widget-base";
/// Milliseconds of work after a key press, for finding and showing together. The rest follows in slices, so that the next key is
/// handled in between.
const SLICE: f64 = 2.0;
/// How many tiles are shown or hidden between two looks at the clock.
const STEP: usize = 64;

/// What a search on the page does.
#[derive(Default)]
pub(super) struct PageSearch {
    nodes: Option<Nodes>,
    /// The text that is searched.
    text: Option<String>,
}

/// What a slice of work has led to.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Progress {
    /// There are results now.
    Found,
    /// There is more to do.
    Unfinished,
    /// Everything is done.
    Finished,
}

impl PageSearch {
    /// Searches for a text and shows the hits, as far as one slice goes; without a text, shows everything. `changes` is the number
    /// of changes to the page so far. `None` if the search is not finished, or there is no text.
    pub(super) fn search(&mut self, text: &str, changes: u32) -> Option<Found> {
        let is_search = !text.trim().is_empty();
        if let Some(mut nodes) = self.nodes.take_if(|nodes| nodes.changes != changes) {
            // Closes the sections that a search has opened before the nodes are collected again.
            nodes.show(None);
            nodes.show_until(f64::INFINITY);
            self.text = None;
        }
        if let Some(page) = element("page") {
            _ = page.class_list().toggle_with_force("searching", is_search);
        }
        if !is_search {
            self.text = None;
            if let Some(nodes) = &mut self.nodes {
                nodes.show(None);
                nodes.show_until(now() + SLICE);
            }
            return None;
        }
        self.prepare(changes);
        let nodes = self.nodes.as_mut()?;
        let end = now() + SLICE;
        if self.text.as_deref() != Some(text) {
            self.text = Some(text.to_owned());
            nodes.showing = None;
            nodes.is_shown = false;
            nodes.index.begin(text);
        }
        let matches = nodes.index.proceed(|| now() >= end)?.clone();
        let found = Found { count: matches.count, has_first: matches.first.is_some(), is_pending: false };
        nodes.show(Some(matches));
        nodes.show_until(end);
        Some(found)
    }

    /// Collects the texts of the page, if they are not known.
    pub(super) fn prepare(&mut self, changes: u32) {
        self.nodes.get_or_insert_with(|| Nodes::collect(changes));
    }

    /// Goes on with the search, or with showing its hits, for one slice.
    pub(super) fn proceed(&mut self) -> Progress {
        let end = now() + SLICE;
        let Some(nodes) = &mut self.nodes else { return Progress::Finished };
        if nodes.showing.is_some() {
            nodes.show_until(end);
        } else if !nodes.is_shown && nodes.index.proceed(|| now() >= end).is_some() {
            return Progress::Found;
        }
        if nodes.is_shown { Progress::Finished } else { Progress::Unfinished }
    }

    /// Whether some of the work is left.
    pub(super) fn is_unfinished(&self) -> bool {
        self.nodes.as_ref().is_some_and(|nodes| !nodes.is_shown)
    }
}

/// The nodes that a search changes: the sections, and the tiles in page order. A widget counts as a tile here.
struct Nodes {
    sections: Vec<Section>,
    tiles: Vec<Tile>,
    index: Index,
    /// The number of changes to the page when they were collected.
    changes: u32,
    /// The element with the mark of the first hit: looking for it would take long on a large page.
    marked: Option<Element>,
    /// The hits of which a part is shown.
    showing: Option<Showing>,
    /// Whether the page shows what was searched last.
    is_shown: bool,
}

struct Section {
    element: HtmlElement,
    details: Option<HtmlDetailsElement>,
    /// Its tiles among all.
    tiles: Range<usize>,
    /// Whether it was open before the search.
    was_open: Option<bool>,
}

struct Tile {
    element: HtmlElement,
    is_hidden: bool,
}

/// How far the page shows the hits; without hits, it shows everything.
struct Showing {
    matches: Option<Matches>,
    section: usize,
    /// The next tile of the section, among all.
    tile: usize,
}

impl Nodes {
    fn collect(changes: u32) -> Self {
        let counts = read_object(MOST_USED);
        let has_counts = Object::keys(&counts).length() > 0;
        let opened = |tile: &Element| {
            let id = has_counts.then(|| tiles::counter_id(tile)).flatten();
            id.and_then(|id| property(&counts, &id).as_f64()).unwrap_or_default() as u32
        };
        let (mut sections, mut tiles, mut entries) = (Vec::new(), Vec::new(), Vec::new());
        for element in elements("#content > section, .page-column > section") {
            let name = inner_text(&element, "h2").unwrap_or_default();
            let begin = tiles.len();
            let found = within(&element, ".items > *, .widget-base");
            for tile in found {
                add_entries(&mut entries, tiles.len(), &tile, &name, &opened);
                let is_hidden = tile.hidden();
                tiles.push(Tile { element: tile, is_hidden });
            }
            let details = element.query_selector("details").ok().flatten().and_then(|details| details.dyn_into().ok());
            sections.push(Section { element, details, tiles: begin..tiles.len(), was_open: None });
        }
        let marked = document().query_selector(&format!("#content [{FIRST}]")).ok().flatten();
        Self { sections, tiles, index: Index::new(entries), changes, marked, showing: None, is_shown: true }
    }

    /// Marks the first hit, and begins to show the hits and hide the rest; without hits, to show everything.
    fn show(&mut self, matches: Option<Matches>) {
        if let Some(marked) = self.marked.take() {
            _ = marked.remove_attribute(FIRST);
        }
        if let Some((tile, sub_item)) = matches.as_ref().and_then(|matches| matches.first) {
            let tile: &Element = &self.tiles[tile].element;
            let sub_item = sub_item.map(|position| within(tile, ".sub-item").into_iter().nth(position).map(Into::into));
            self.marked = sub_item.unwrap_or_else(|| Some(tile.clone()));
            if let Some(marked) = &self.marked {
                _ = marked.set_attribute(FIRST, "");
            }
        }
        self.showing = Some(Showing { matches, section: 0, tile: 0 });
        self.is_shown = false;
    }

    /// Goes on until everything is shown, or until a time. The tiles of a section that is hidden as a whole are left unchanged.
    fn show_until(&mut self, end: f64) {
        let Some(Showing { matches, section, tile }) = &mut self.showing else { return };
        let is_hit = |tile: usize| matches.as_ref().is_none_or(|matches| matches.contains(tile));
        while let Some(part) = self.sections.get_mut(*section) {
            let any = matches.is_none() || part.tiles.clone().any(is_hit);
            if part.element.hidden() == any {
                part.element.set_hidden(!any);
            }
            while any && *tile < part.tiles.end {
                let is_hidden = !is_hit(*tile);
                let node = &mut self.tiles[*tile];
                if node.is_hidden != is_hidden {
                    node.is_hidden = is_hidden;
                    node.element.set_hidden(is_hidden);
                }
                *tile += 1;
                if tile.is_multiple_of(STEP) && now() >= end {
                    return;
                }
            }
            if let Some(details) = &part.details {
                if matches.is_none() {
                    if let Some(was_open) = part.was_open.take() {
                        details.set_open(was_open);
                    }
                } else if any {
                    part.was_open.get_or_insert_with(|| details.open());
                    details.set_open(true);
                }
            }
            *section += 1;
            *tile = part.tiles.end;
            if now() >= end {
                return;
            }
        }
        self.showing = None;
        self.is_shown = true;
    }
}

/// Adds the entry of a tile, or those of its sub-items.
fn add_entries(
    entries: &mut Vec<Entry>,
    tile: usize,
    node: &HtmlElement,
    section: &str,
    opened: &dyn Fn(&Element) -> u32,
) {
    let attribute = |node: &Element, name: &str| node.get_attribute(name).unwrap_or_default();
    let class = node.class_name();
    let has_class = |name: &str| class.split(' ').any(|word| word == name);
    let title = tiles::title(node);
    if has_class(WIDGET) {
        // A widget has no address: Enter leads to it.
        let others = [&*attribute(node, "data-kind"), section];
        entries.push(Entry::new(tile, None, Texts { title: &title, url: Some(""), others: &others, opened: 0 }));
        return;
    }
    let sub_items = if has_class("sub-items-group") { within(node, ".sub-item") } else { Vec::new() };
    for (position, sub_item) in sub_items.iter().enumerate() {
        let (url, own) = (sub_item.get_attribute("href"), tiles::title(sub_item));
        let texts = Texts { title: &own, url: url.as_deref(), others: &[&title], opened: 0 };
        entries.push(Entry::new(tile, Some(position), texts));
    }
    if sub_items.is_empty() {
        let (url, tags, provider) =
            (node.get_attribute("href"), attribute(node, "data-tags"), attribute(node, "data-provider"));
        let description = inner_text(node, ":scope > .tile-description").unwrap_or_default();
        let others = [&*provider, &*description, &*tags, section];
        let texts = Texts { title: &title, url: url.as_deref(), others: &others, opened: opened(node) };
        entries.push(Entry::new(tile, None, texts));
    }
}

/// All elements within another one that match a selector.
fn within(parent: &Element, selector: &str) -> Vec<HtmlElement> {
    let Ok(list) = parent.query_selector_all(selector) else { return Vec::new() };
    (0..list.length()).filter_map(|position| list.item(position)?.dyn_into().ok()).collect()
}

/// The time in milliseconds.
fn now() -> f64 {
    js_sys::Date::now()
}
