//! Sections and the items in them.

use serde::{Deserialize, Serialize};

use super::{OpeningMethod, TileSize, WidgetView, defaults::is_default};
use crate::json::FromJson;

/// A section.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct SectionView {
    /// Zero-based position in the file, counting hidden sections: how the server addresses it.
    pub index: usize,
    /// Heading.
    pub name: String,
    /// Slug of the name, with a number if an earlier section of the file has the same: the section's own address.
    pub slug: String,
    /// Class `section_…` that custom styles use (docs/spec/config.md 12).
    pub class: String,
    /// Key of the collapse state in the browser's storage (docs/spec/config.md 12).
    pub key: String,
    /// Icon before the heading.
    #[serde(skip_serializing_if = "is_default")]
    pub icon: IconView,
    /// Whether the section is collapsed when the browser has no stored state for it.
    #[serde(skip_serializing_if = "is_default")]
    pub collapsed: bool,
    /// Whether the section fills the height of its grid cell.
    #[serde(skip_serializing_if = "is_default")]
    pub cut_to_height: bool,
    /// Background of the outer box, a valid CSS color.
    #[serde(skip_serializing_if = "is_default")]
    pub color: Option<String>,
    /// Declarations for the outer box, already reduced to the allowed ones.
    #[serde(skip_serializing_if = "is_default")]
    pub custom_styles: Option<String>,
    /// Size of the tiles; overrides the size that the viewer chooses for the page.
    #[serde(skip_serializing_if = "is_default")]
    pub item_size: Option<TileSize>,
    /// Grid rows spanned, 1 to 5.
    pub rows: u8,
    /// Grid columns spanned, 1 to 6; `None` if they follow from the content.
    #[serde(skip_serializing_if = "is_default")]
    pub cols: Option<u8>,
    /// The column of the page that it goes into, from 1.
    #[serde(skip_serializing_if = "is_default")]
    pub column: Option<u8>,
    /// Whether the columns inside the section are uniform.
    #[serde(skip_serializing_if = "is_default")]
    pub grid: bool,
    /// Items per row, 1 to 12.
    #[serde(skip_serializing_if = "is_default")]
    pub item_count_x: Option<u8>,
    /// Rows of items, 1 to 12.
    #[serde(skip_serializing_if = "is_default")]
    pub item_count_y: Option<u8>,
    /// Order that only the browser can apply; alphabetical orders are already applied.
    #[serde(skip_serializing_if = "is_default")]
    pub sort: BrowserSort,
    /// Tiles.
    #[serde(skip_serializing_if = "is_default")]
    pub items: Vec<ItemView>,
    /// Widgets, after the tiles.
    #[serde(skip_serializing_if = "is_default")]
    pub widgets: Vec<WidgetView>,
    /// Whether all it has is in the bar below the header. Such a section is shown only while the page is edited.
    #[serde(skip_serializing_if = "is_default")]
    pub only_facts: bool,
}

impl SectionView {
    /// The number of tiles that are visible without a search.
    pub fn shown_items(&self) -> usize {
        self.items.iter().filter(|item| !item.off_home).count()
    }
}

/// Orders of items that depend on the browser (docs/spec/config.md 7.1).
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, Serialize, Deserialize, FromJson)]
#[serde(rename_all = "kebab-case")]
pub enum BrowserSort {
    /// As in the file.
    #[default]
    None,
    /// By the number of times each was opened.
    MostUsed,
    /// By the time each was last opened.
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
    /// Zero-based position in the file's list, counting hidden items.
    pub index: usize,
    /// The id under which the browser counts how often the item was opened (docs/spec/config.md 12); empty for
    /// sub-items, which are not counted.
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
    /// More words that the search finds.
    #[serde(skip_serializing_if = "is_default")]
    pub tags: Vec<String>,
    /// Address that the tile opens: with a scheme, and safe to open; `None` for a tile that opens nothing.
    #[serde(skip_serializing_if = "is_default")]
    pub url: Option<String>,
    /// Address used instead of `url` while this browser can reach it.
    #[serde(skip_serializing_if = "is_default")]
    pub local_url: Option<String>,
    /// How long the browser waits for `local_url`, in milliseconds, if not for the usual time.
    #[serde(skip_serializing_if = "is_default")]
    pub local_timeout: Option<u32>,
    /// Seconds between two attempts to reach `local_url`, besides those when a page is opened or comes to the front.
    #[serde(skip_serializing_if = "is_default")]
    pub local_interval: Option<u32>,
    /// How it opens, with defaults applied.
    #[serde(skip_serializing_if = "is_default")]
    pub target: OpeningMethod,
    /// `rel` of the link if it differs from `noopener noreferrer`.
    #[serde(skip_serializing_if = "is_default")]
    pub rel: Option<String>,
    /// The picture.
    #[serde(skip_serializing_if = "is_default")]
    pub icon: IconView,
    /// Why the picture is not the one that the config names; shown to admins.
    #[serde(skip_serializing_if = "is_default")]
    pub icon_problem: Option<String>,
    /// Color of the brand that the icon shows, as 0xRRGGBB.
    #[serde(skip_serializing_if = "is_default")]
    pub brand: Option<u32>,
    /// Digit key that opens it.
    #[serde(skip_serializing_if = "is_default")]
    pub hotkey: Option<u8>,
    /// Color of text and glyph, valid CSS.
    #[serde(skip_serializing_if = "is_default")]
    pub color: Option<String>,
    /// Background of the tile, valid CSS.
    #[serde(skip_serializing_if = "is_default")]
    pub background: Option<String>,
    /// Whether a dot shows if the service responds.
    #[serde(skip_serializing_if = "is_default")]
    pub has_status: bool,
    /// Whether a second dot shows if its host replies to pings.
    #[serde(skip_serializing_if = "is_default")]
    pub has_second_status: bool,
    /// Live figures of its service, one entry for each service.
    #[serde(skip_serializing_if = "is_default")]
    pub figures: Vec<FiguresView>,
    /// The source that found it, if it is in no file.
    #[serde(skip_serializing_if = "is_default")]
    pub found_in: Option<String>,
    /// Whether the container that it was found by is gone.
    #[serde(skip_serializing_if = "is_default")]
    pub is_removed: bool,
    /// Whether the tile is hidden until a search finds it.
    #[serde(skip_serializing_if = "is_default")]
    pub off_home: bool,
    /// Small tiles; if there are any, this is a group.
    #[serde(skip_serializing_if = "is_default")]
    pub sub_items: Vec<ItemView>,
}

/// Live figures of one service in a tile.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct FiguresView {
    /// Position in the item.
    pub index: usize,
    /// Their markup, or the marker that is replaced by it for each response; empty if there is nothing to show.
    pub html: String,
}

/// What is shown as an item's or section's picture.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum IconView {
    /// No picture; the tile is text only.
    #[default]
    None,
    /// A single-color glyph in the color of the text: the address of a `<symbol>` in one of our SVG files, or of a
    /// `<clipPath>` in the page.
    Glyph(String),
    /// A picture: an address on our own origin, or a `data:` address.
    Image(String),
    /// A character.
    Emoji(String),
    /// An avatar made of the title's first letter.
    Letter(String),
}
