//! A section (docs/spec/config.md 7).

use super::{
    block::{Block, Described},
    display_data::DisplayData,
    item::Item,
    widget::WidgetEntry,
};
use crate::icon::Icon;

/// A group of items and widgets under a heading.
#[derive(Clone, Debug, PartialEq, Block)]
#[config(
    name = "a section",
    old("filteredItems", "is left over from an editor, and removed by the next write"),
    old("id", "is generated and ignored here")
)]
pub struct Section {
    /// Zero-based position in the file, counting broken sections before it.
    #[config(computed = |entry| entry.index())]
    pub index: usize,
    /// Heading. The section's own address and its CSS class are derived from it.
    #[config(required)]
    pub name: String,
    /// Icon before the heading.
    #[config(nullable)]
    pub icon: Option<Icon>,
    /// Tiles, in this order unless `displayData.sortBy` says otherwise.
    pub items: Vec<Item>,
    /// Widgets, shown after the items.
    pub widgets: Vec<WidgetEntry>,
    /// How the section is shown, and to whom.
    #[config(key = "displayData", read_entry = DisplayData::of_section)]
    pub display: DisplayData,
    /// Hides the section from people who are not signed in. The same as `displayData.hideForGuests`.
    ///
    /// It is read into `display`.
    #[config(elsewhere)]
    pub hide_for_guests: Described<bool>,
}
