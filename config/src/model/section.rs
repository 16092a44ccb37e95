//! A section (config.md 7).

use super::{
    cursor::Cursor,
    display_data::{DisplayData, SECTION_DISPLAY_DATA},
    item::{ITEM, Item},
    shape::{MANY, Others, Rule, Shape, legacy, nullable, optional, required},
    widget::{WIDGET, Widget},
};
use crate::icon::Icon;

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
    name: "a section",
    fields: &[
        required("name", Rule::Text),
        nullable("icon", Rule::Text),
        optional("items", Rule::Shapes(&ITEM, MANY)),
        optional("widgets", Rule::Shapes(&WIDGET, MANY)),
        optional("displayData", Rule::Shape(&SECTION_DISPLAY_DATA)),
        optional("hideForGuests", Rule::Flag),
        legacy("filteredItems", Rule::Any, "is a leftover and dropped on the next write"),
        legacy("id", Rule::Any, "is generated and ignored here"),
    ],
    others: Others::Refused,
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
