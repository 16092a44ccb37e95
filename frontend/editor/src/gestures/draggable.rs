//! What can be dragged and renamed on the page.

use app::browser::element;
use wasm_bindgen::JsCast as _;
use web_sys::{Element, HtmlElement};

use super::selection::TILES;
use crate::{
    dom::{closest, matches, number},
    edits::{List, Spot},
    texts::t,
};

/// Elements of a widget that react to the pointer themselves.
const INTERACTIVE: &str =
    "a, button, input, select, textarea, label, summary, iframe, video, audio, [contenteditable], [tabindex]";

/// An element that can be dragged.
#[derive(Clone)]
pub struct Draggable {
    /// Its place in the config.
    pub spot: Spot,
    /// The element on the page.
    pub element: HtmlElement,
}

/// What can be renamed.
#[derive(Clone)]
pub enum Named {
    /// A section, an item, a sub-item or a widget.
    Entry(Draggable),
    /// The page, by the element of its title.
    Page(HtmlElement),
}

impl Draggable {
    fn new(id: &str, element: Element) -> Option<Self> {
        Some(Self { spot: Spot::parse(id)?, element: element.dyn_into().ok()? })
    }

    /// The entry that a pointer or the focus is on; for a sub-item, its group.
    pub fn at(target: &Element) -> Option<Self> {
        closest(target, "#content")?;
        if let Some(tile) = closest(target, TILES) {
            return Self::new(&tile.id(), tile);
        }
        let heading = closest(target, ".section-heading, [data-edit^=section]");
        if let Some(section) = heading.and_then(|heading| closest(&heading, "section")) {
            return Self::section(section);
        }
        let widget = closest(target, ".widget-base")?;
        let own = closest(target, INTERACTIVE).filter(|own| widget.contains(Some(own)));
        if own.is_some_and(|own| !matches(&own, "[data-edit], .edit-menu")) {
            return None;
        }
        Self::new(&["widget-", &widget.get_attribute("data-widget")?].concat(), widget)
    }

    /// The sub-item at a pointer, unless its group is selected: then everything selected is dragged.
    pub fn sub_item_at(target: &Element) -> Option<Self> {
        let part = closest(target, "#content .items > :not([data-picked]) .sub-item")?;
        Self::new(&part.id(), part)
    }

    /// A section by its element.
    pub fn section(section: Element) -> Option<Self> {
        Self::new(&format!("section-{}", number(&section)), section)
    }

    /// Its name; without one, what it is.
    pub fn name(&self) -> String {
        let (selector, kind) = match self.spot.list {
            List::Items(_) => (":scope > :is(.tile-title, .group-title)", t("item")),
            List::SubItems(..) => (":scope > :is(.tile-title, .group-title)", t("sub-item")),
            List::Widgets(_) => (".widget-label", t("widget")),
            List::Sections | List::Pages => ("h2", t("section")),
        };
        let title = self.element.query_selector(selector).ok().flatten().and_then(|title| title.text_content());
        let title = title.map(|title| title.trim().to_owned()).filter(|title| !title.is_empty());
        title.or_else(|| self.element.get_attribute("data-kind")).unwrap_or(kind)
    }
}

impl Named {
    /// What is renamed at a name or a control, whether its group is selected or not.
    pub fn at(target: &Element) -> Option<Self> {
        if let Some(part) = closest(target, "#content .sub-item") {
            return Draggable::new(&part.id(), part).map(Self::Entry);
        }
        if let Some(title) = closest(target, ".page-title") {
            return title.dyn_into().ok().map(Self::Page);
        }
        Draggable::at(target).map(Self::Entry)
    }

    /// What the context menu names: `section-2`, `widget-2-5`, `i-2-5`, `i-2-5-1`.
    pub fn of_id(id: &str) -> Option<Self> {
        if let Some(section) = id.strip_prefix("section") {
            return Draggable::section(element(&["s", section].concat())?.into()).map(Self::Entry);
        }
        let control = id.starts_with("widget").then(|| app::browser::first(&["[data-edit=\"", id, "\"]"].concat()));
        let found: Element = control.flatten().or_else(|| element(id))?.into();
        Self::at(&found)
    }
}
