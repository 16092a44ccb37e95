//! A section (config.md 7).

use super::{
    cursor::Cursor,
    display_data::{DisplayData, SECTION_DISPLAY_DATA},
    item::{ITEM, Item},
    shape::{MANY, Others, Preset, Rule, Shape, flag, legacy, list, nullable, optional, required},
    widget::{WIDGET, Widget},
};
use crate::icon::{self, Icon};

/// A section: items and widgets under a heading.
#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    /// Zero-based position in the file; broken sections before it are counted.
    pub index: usize,
    /// Heading.
    pub name: String,
    /// Icon before the heading.
    pub icon: Option<Icon>,
    /// Tiles.
    pub items: Vec<Item>,
    /// Widgets, shown after the tiles.
    pub widgets: Vec<Widget>,
    /// How it is shown, and to whom.
    pub display: DisplayData,
}

pub(crate) const SECTION: Shape = Shape {
    title: "Section",
    name: "a section",
    about: "A group of items and widgets under a heading.",
    fields: &[
        required("name", Rule::Text, "Heading. The section's own address and its CSS class are made of it."),
        nullable("icon", Rule::Kind(&icon::KIND), "Icon before the heading."),
        list("items", Rule::Shapes(&ITEM, MANY), "Tiles, in this order unless `displayData.sortBy` says otherwise."),
        list("widgets", Rule::Shapes(&WIDGET, MANY), "Widgets, shown after the items."),
        optional("displayData", Rule::Shape(&SECTION_DISPLAY_DATA), "How the section is shown, and to whom.")
            .like(Preset::EmptyMapping),
        flag(
            "hideForGuests",
            "Hides the section from people who are not signed in. The same as `displayData.hideForGuests`.",
        ),
        legacy("filteredItems", Rule::Any, "is a leftover and dropped on the next write"),
        legacy("id", Rule::Any, "is generated and ignored here"),
    ],
    others: Others::Refused,
    demands: &[],
};

impl Section {
    pub(super) fn read(index: usize, cursor: &Cursor<'_>) -> Self {
        Self {
            index,
            name: cursor.key("name").filled_text().unwrap_or_default(),
            icon: cursor.key("icon").filled_text().map(|icon| Icon::parse(&icon)),
            items: cursor.key("items").mappings("an item").map(|(index, item)| Item::read(index, &item)).collect(),
            widgets: cursor
                .key("widgets")
                .mappings("a widget")
                .map(|(index, widget)| Widget::read(index, &widget))
                .collect(),
            display: DisplayData::read(cursor),
        }
    }
}
