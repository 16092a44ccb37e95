//! Previews of an open form: items and names appear on the page at once, everything else with the preview from the server; the
//! panel of a widget appears beside its form (`frontend/editor/src/view/preview.rs`).

use std::time::Duration;

use app::page::{item_element, sub_item_element};
use config::{
    Document, ValuePath,
    dashboard::{FiguresView, IconView, ItemView, TileSize},
};
use leptos::prelude::{GetValue, IsDisposed, SetValue, UpdateValue, WithUntracked, document, set_timeout_with_handle};
use serde_json::Value;
use wasm_bindgen::JsCast as _;
use web_sys::{Element, HtmlElement};

use super::{Editor, typed::Typed};
use crate::{
    edits::{ConfigBlock, List, Spot},
    form::{Form, Subject},
    item_view::{self, item_view, sub_item_view, usual_opening},
    widget_preview::EntryPage,
};

/// Longer than most people take from key to key.
const PAUSE_IN_TYPING: Duration = Duration::from_millis(150);

/// The attributes of a tile that depend on its entry alone.
const OF_THE_ENTRY: [&str; 13] = [
    "class",
    "data-hotkey",
    "data-local",
    "data-open",
    "data-provider",
    "data-tags",
    "dir",
    "href",
    "id",
    "rel",
    "role",
    "tabindex",
    "target",
];

impl Editor {
    /// The page that the entries of the draft belong to.
    pub fn entry_page(self) -> EntryPage {
        EntryPage { base: self.base.get_value(), page: self.page.get_value() }
    }

    /// Shows a field on the page as it is typed, before the preview from the server. `path` is the field of the form, `value`
    /// the value of the whole form. Returns whether the page now shows the field.
    pub fn show_typed_field(self, subject: Subject, path: &[String], value: &Value) -> bool {
        let Some(typed) = typed(subject, path, value) else { return false };
        self.typed.set_value(Some(typed));
        self.show_typed()
    }

    /// The draft with what is entered in a form; `None` if that does not fit the draft, or if the form is closed.
    pub fn draft_with(self, form: Form) -> Option<Document> {
        if form.value.is_disposed() {
            return None;
        }
        let file = self.file_name();
        self.draft.with_untracked(|draft| draft.with(form.changes(draft.document(), &file)).ok())
    }

    /// Previews what is entered in a form once nothing has been typed for a moment: copying the draft and patching the page
    /// would delay the next key.
    pub fn show_after_typing(self, form: Form) {
        self.cancel_preview_after_typing();
        let show = move || {
            if let Some(document) = self.draft_with(form) {
                self.show(document);
            }
        };
        self.after_typing.set_value(set_timeout_with_handle(show, PAUSE_IN_TYPING).ok());
    }

    pub(super) fn cancel_preview_after_typing(self) {
        if let Some(timeout) = self.after_typing.try_update_value(Option::take).flatten() {
            timeout.clear();
        }
    }

    /// Shows again what was typed, after a preview of an older document. Returns whether the page shows it.
    pub(super) fn show_typed(self) -> bool {
        match self.typed.get_value() {
            None => false,
            Some(Typed::Text { selector, text }) => {
                let Ok(Some(element)) = document().query_selector(&selector) else { return false };
                element.set_text_content(Some(&text));
                true
            }
            Some(Typed::Item { spot, entry }) => self.show_item(spot, &entry).is_some(),
        }
    }

    /// Draws an item with its entry. Its picture and its status stay: they come from the server.
    fn show_item(self, spot: Spot, entry: &Value) -> Option<()> {
        let settings = ValuePath::top().key(ConfigBlock::AppConfig.key());
        let usual = self.draft.with_untracked(|draft| usual_opening(draft.document().at(&settings)));
        let (id, fresh) = match spot.list {
            List::Items(section) => {
                let id = format!("i-{section}-{}", spot.index);
                let old = document().get_element_by_id(&id)?;
                let mut item = item_view(entry, spot.index, usual);
                // Whether it is a group, and of how many items, is the server's to draw.
                let parts = |id: &str| (0..item.sub_items.len()).map(|part| format!("{id}-{part}")).collect::<Vec<_>>();
                let parts = parts(&id);
                if old.query_selector_all(".sub-item").ok()?.length() as usize != parts.len() {
                    return None;
                }
                for (part, id) in item.sub_items.iter_mut().zip(&parts) {
                    keep_icon(part, &document().get_element_by_id(id)?);
                }
                keep_icon(&mut item, &old);
                item.has_status = old.has_attribute("data-status");
                item.figures = figures_of(&old);
                item.has_second_status = old.query_selector(":scope > .second").ok()?.is_some();
                (id.clone(), item_element(&item, id, size_of(&old))?)
            }
            List::SubItems(section, group) => {
                let id = format!("i-{section}-{group}-{}", spot.index);
                let mut item = sub_item_view(entry, spot.index, usual);
                keep_icon(&mut item, &document().get_element_by_id(&id)?);
                (id.clone(), sub_item_element(&item, id)?)
            }
            _ => return None,
        };
        replace(&document().get_element_by_id(&id)?, &fresh)
    }
}

/// What a field of a form shows on the page; `None` for a field that the server has to draw.
fn typed(subject: Subject, path: &[String], value: &Value) -> Option<Typed> {
    let [key] = path else { return None };
    let key = key.as_str();
    let selector = match subject {
        Subject::Existing(spot @ Spot { list: List::Items(_) | List::SubItems(..), .. }) => {
            let is_drawn = item_view::FIELDS.contains(&key);
            return is_drawn.then(|| Typed::Item { spot, entry: value.clone() });
        }
        Subject::Existing(Spot { list: List::Sections, index }) if key == "name" => {
            format!("#s-{index} .section-heading h2:not(.visually-hidden)")
        }
        Subject::Existing(Spot { list: List::Widgets(section), index }) if key == "label" => {
            format!("[data-widget=\"{section}-{index}\"] .widget-label")
        }
        Subject::Block(ConfigBlock::PageInfo) if key == "title" => ".page-header h1".to_owned(),
        Subject::Block(ConfigBlock::PageInfo) if key == "description" => ".page-header .subtitle".to_owned(),
        _ => return None,
    };
    Some(Typed::Text { selector, text: value[key].as_str()?.to_owned() })
}

/// Gives an item a picture if its tile has one: an empty one, which the tile's own replaces.
fn keep_icon(item: &mut ItemView, tile: &Element) {
    if icon_of(tile).is_some() {
        item.icon = IconView::Emoji(String::new());
    }
}

/// The figures of a tile as they are, because only the server knows others.
fn figures_of(tile: &Element) -> Vec<FiguresView> {
    let Ok(found) = tile.query_selector_all(":scope > .tile-figures") else { return Vec::new() };
    let elements = (0..found.length()).filter_map(|at| found.get(at)?.dyn_into::<Element>().ok());
    let figures = |element: Element| {
        let place = element.get_attribute("data-figures")?;
        Some(FiguresView { index: place.rsplit('-').next()?.parse().ok()?, html: element.inner_html() })
    };
    elements.filter_map(figures).collect()
}

fn icon_of(tile: &Element) -> Option<Element> {
    tile.query_selector(":scope > .icon").ok().flatten()
}

fn size_of(tile: &Element) -> TileSize {
    let has = |size: TileSize| tile.class_list().contains(&format!("size-{}", size.word()));
    [TileSize::Small, TileSize::Large].into_iter().find(|size| has(*size)).unwrap_or_default()
}

/// Replaces a tile, or a group, with a fresh one. Pictures, and what scripts have added, move there.
fn replace(old: &Element, fresh: &Element) -> Option<()> {
    move_over(old, fresh);
    let parts = fresh.query_selector_all(".sub-item").ok()?;
    for part in (0..parts.length()).filter_map(|at| parts.item(at)?.dyn_into::<Element>().ok()) {
        if let Ok(Some(before)) = old.query_selector(&format!("[id=\"{}\"]", part.id())) {
            move_over(&before, &part);
        }
    }
    old.replace_with_with_node_1(fresh).ok()
}

fn move_over(old: &Element, fresh: &Element) {
    if let (Some(icon), Some(placeholder)) = (icon_of(old), icon_of(fresh)) {
        _ = placeholder.replace_with_with_node_1(&icon);
    }
    for name in old.get_attribute_names().iter().filter_map(|name| name.as_string()) {
        if !OF_THE_ENTRY.contains(&name.as_str())
            && let Some(value) = old.get_attribute(&name)
        {
            _ = fresh.set_attribute(&name, &value);
        }
    }
    // As in `page_view::show`: what opens nothing can be edited with the keyboard too.
    if !fresh.matches("a").unwrap_or_default() {
        if let Some(fresh) = fresh.dyn_ref::<HtmlElement>() {
            fresh.set_tab_index(0);
        }
        if fresh.matches("span").unwrap_or_default() {
            _ = fresh.set_attribute("role", "button");
        }
    }
    // Names keep their own direction on pages that run from right to left (`app::words::own_direction`).
    if document().dir() == "rtl"
        && let Ok(texts) = fresh.query_selector_all(":scope > :is(.tile-title, .group-title, .tile-description)")
    {
        for text in (0..texts.length()).filter_map(|at| texts.item(at)?.dyn_into::<Element>().ok()) {
            _ = text.set_attribute("dir", if text.has_attribute("data-place") { "ltr" } else { "auto" });
        }
    }
}
