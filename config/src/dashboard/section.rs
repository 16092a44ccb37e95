//! Sections and the items in them.

use serde::{Deserialize, Serialize};

use super::{OpeningMethod, TileSize, WidgetView, is_default};
use crate::json::FromJson;

/// A section.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct SectionView {
    /// Zero-based position in the file, hidden sections counted: the address for the server.
    pub index: usize,
    /// Heading.
    pub name: String,
    /// Slug of the name: the section's own address and its anchor.
    pub slug: String,
    /// Class `section_…` that custom styles use (docs/spec/config.md 12).
    pub class: String,
    /// Key of the collapse state in the browser's storage (docs/spec/config.md 12).
    pub key: String,
    /// Icon before the heading.
    #[serde(skip_serializing_if = "is_default")]
    pub icon: IconView,
    /// Initial state when the browser remembers none.
    #[serde(skip_serializing_if = "is_default")]
    pub collapsed: bool,
    /// Fill the height of the grid cell.
    #[serde(skip_serializing_if = "is_default")]
    pub cut_to_height: bool,
    /// Background of the outer box, a valid CSS colour.
    #[serde(skip_serializing_if = "is_default")]
    pub color: Option<String>,
    /// Declarations for the outer box, already reduced to what is allowed.
    #[serde(skip_serializing_if = "is_default")]
    pub custom_styles: Option<String>,
    /// Size of the tiles, which the person's choice for the page does not change.
    #[serde(skip_serializing_if = "is_default")]
    pub item_size: Option<TileSize>,
    /// Grid rows spanned, 1 to 5.
    pub rows: u8,
    /// Grid columns spanned, 1 to 6.
    pub cols: u8,
    /// Uniform columns inside the section.
    #[serde(skip_serializing_if = "is_default")]
    pub grid: bool,
    /// Items per row, 1 to 12.
    #[serde(skip_serializing_if = "is_default")]
    pub item_count_x: Option<u8>,
    /// Rows of items, 1 to 12.
    #[serde(skip_serializing_if = "is_default")]
    pub item_count_y: Option<u8>,
    /// Order that only the browser can make; alphabetical orders are already applied.
    #[serde(skip_serializing_if = "is_default")]
    pub sort: BrowserSort,
    /// Tiles.
    #[serde(skip_serializing_if = "is_default")]
    pub items: Vec<ItemView>,
    /// Widgets, after the tiles.
    #[serde(skip_serializing_if = "is_default")]
    pub widgets: Vec<WidgetView>,
}

/// Orders of items that depend on the browser (docs/spec/config.md 7.1).
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, Serialize, Deserialize, FromJson)]
#[serde(rename_all = "kebab-case")]
pub enum BrowserSort {
    /// As they stand.
    #[default]
    None,
    /// By the counter of openings.
    MostUsed,
    /// By the time of the last opening.
    LastUsed,
    /// Shuffled on each load.
    Random,
}

impl BrowserSort {
    /// The word in the data of a page.
    pub fn word(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::MostUsed => "most-used",
            Self::LastUsed => "last-used",
            Self::Random => "random",
        }
    }
}

/// A tile, or a group of small tiles when there are sub-items.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct ItemView {
    /// Zero-based position in the file's list, hidden items counted.
    pub index: usize,
    /// The id under which the browser counts openings (docs/spec/config.md 12); empty for sub-items, which are not
    /// counted.
    #[serde(skip_serializing_if = "is_default")]
    pub id: String,
    /// Text of the tile.
    pub title: String,
    /// Tooltip; text of large tiles.
    #[serde(skip_serializing_if = "is_default")]
    pub description: Option<String>,
    /// Shown in the tooltip.
    #[serde(skip_serializing_if = "is_default")]
    pub provider: Option<String>,
    /// More words for the search.
    #[serde(skip_serializing_if = "is_default")]
    pub tags: Vec<String>,
    /// Where it leads: with a scheme and safe to open; none for a tile that does nothing.
    #[serde(skip_serializing_if = "is_default")]
    pub url: Option<String>,
    /// Used instead of `url` while this browser can reach it.
    #[serde(skip_serializing_if = "is_default")]
    pub local_url: Option<String>,
    /// How it opens, defaults applied.
    #[serde(skip_serializing_if = "is_default")]
    pub target: OpeningMethod,
    /// `rel` of the link when it differs from `noopener noreferrer`.
    #[serde(skip_serializing_if = "is_default")]
    pub rel: Option<String>,
    /// The picture.
    #[serde(skip_serializing_if = "is_default")]
    pub icon: IconView,
    /// Digit that opens it.
    #[serde(skip_serializing_if = "is_default")]
    pub hotkey: Option<u8>,
    /// Colour of text and glyph, valid CSS.
    #[serde(skip_serializing_if = "is_default")]
    pub color: Option<String>,
    /// Background of the tile, valid CSS.
    #[serde(skip_serializing_if = "is_default")]
    pub background: Option<String>,
    /// A dot shows whether the service answers.
    #[serde(skip_serializing_if = "is_default")]
    pub has_status: bool,
    /// Small tiles; not empty makes this a group.
    #[serde(skip_serializing_if = "is_default")]
    pub sub_items: Vec<ItemView>,
}

/// What stands in the place of a picture.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum IconView {
    /// No picture; the tile is text only.
    #[default]
    None,
    /// A single-colour glyph in the text's colour: the address of a `<symbol>`, in an SVG file of ours or in the page.
    Glyph(String),
    /// A picture: address on our own origin, or a `data:` address.
    Image(String),
    /// A character.
    Emoji(String),
    /// An avatar made of the title's first letter.
    Letter(String),
}
