//! The search in a dashboard, for pages without scripts (docs/spec/behavior.md 6.2).

use std::collections::HashSet;

use super::{Dashboard, ItemView, SectionView, WidgetView};
use crate::search::{Entry, Index, Texts};

/// What a search found on a page.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Hits {
    /// The tiles that match: the positions of section and item in the file.
    pub tiles: HashSet<(usize, usize)>,
    /// The widgets that match, by their label if it is known, type or section: the positions of section and widget in the file.
    pub widgets: HashSet<(usize, usize)>,
    /// The best of those that lead anywhere: the positions of section and item in the file, and the position among the
    /// sub-items of a group.
    pub first: Option<(usize, usize, Option<usize>)>,
}

impl Dashboard {
    /// The tiles and widgets that match a text.
    pub fn search(&self, text: &str) -> Hits {
        let mut entries = Vec::new();
        let mut places = Vec::new();
        for section in &self.sections {
            for widget in &section.widgets {
                entries.push(widget_entry(places.len(), section, widget));
                places.push((section.index, widget.index, true));
            }
            for item in &section.items {
                entries.extend(item_entries(places.len(), section, item));
                places.push((section.index, item.index, false));
            }
        }
        let matches = Index::new(entries).find(text);
        let mut hits = Hits::default();
        for (tile, (section, index, is_widget)) in places.iter().copied().enumerate() {
            if matches.contains(tile) {
                let found = if is_widget { &mut hits.widgets } else { &mut hits.tiles };
                found.insert((section, index));
            }
        }
        hits.first = matches.first.map(|(tile, sub_item)| (places[tile].0, places[tile].1, sub_item));
        hits
    }
}

/// Without a script, a widget is found, but leads nowhere.
fn widget_entry(tile: usize, section: &SectionView, widget: &WidgetView) -> Entry {
    let title = widget.label.as_deref().unwrap_or_default();
    Entry::new(tile, None, Texts { title, others: &[&widget.kind, &widget.written, &section.name], ..Texts::default() })
}

/// The entry of a tile, or those of its sub-items.
fn item_entries(tile: usize, section: &SectionView, item: &ItemView) -> Vec<Entry> {
    let entry = |position: Option<usize>, item: &ItemView, others: &[&str]| {
        let texts = Texts { title: &item.title, url: item.url.as_deref(), others, ..Texts::default() };
        Entry::new(tile, position, texts)
    };
    if item.sub_items.is_empty() {
        let provider = item.provider.as_deref().unwrap_or_default();
        let description = item.description.as_deref().unwrap_or_default();
        return vec![entry(None, item, &[provider, description, &item.tags.join(" "), &section.name])];
    }
    let sub_items = item.sub_items.iter();
    sub_items.map(|sub_item| entry(Some(sub_item.index), sub_item, &[&item.title])).collect()
}
