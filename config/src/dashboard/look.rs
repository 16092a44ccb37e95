//! How a page looks and what its search and links do.

use serde::{Deserialize, Serialize};

use super::defaults::is_default;
use crate::json::FromJson;

/// How the page looks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, FromJson)]
#[serde(default, rename_all = "camelCase")]
pub struct Appearance {
    /// Theme in light mode (the only theme if `night_theme` is the same).
    pub day_theme: String,
    /// Theme in dark mode.
    pub night_theme: String,
    /// Names that the config adds to the list of themes.
    #[serde(skip_serializing_if = "is_default")]
    pub themes: Vec<String>,
    /// Placement of sections.
    #[serde(skip_serializing_if = "is_default")]
    pub layout: Layout,
    /// Size of tiles, unless a section says otherwise.
    #[serde(skip_serializing_if = "is_default")]
    pub icon_size: TileSize,
    /// Whether everything is larger on wide screens.
    #[serde(skip_serializing_if = "is_default")]
    pub grows: bool,
    /// Forced number of columns, 1 to 8.
    #[serde(skip_serializing_if = "is_default")]
    pub col_count: Option<u8>,
    /// Interface language as a BCP 47 tag; `None` means the browser's language.
    #[serde(skip_serializing_if = "is_default")]
    pub language: Option<String>,
    /// Addresses of the config's own style sheets; each is also an entry in the list of themes.
    #[serde(skip_serializing_if = "is_default")]
    pub style_sheets: Vec<String>,
}

/// The views of a page (docs/spec/behavior.md 1).
#[derive(Clone, Copy, Debug, Default, Eq, Hash, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum View {
    /// Sections with tiles and widgets.
    #[default]
    Home,
    /// One section at a time, without a header.
    Minimal,
    /// A sidebar, and beside it the item opened from it.
    Workspace,
}

impl View {
    /// The word in the config file and in addresses.
    pub fn word(self) -> &'static str {
        match self {
            Self::Home => "home",
            Self::Minimal => "minimal",
            Self::Workspace => "workspace",
        }
    }
}

/// Placement of sections (docs/spec/config.md 5.1, docs/spec/behavior.md 3.2).
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, Serialize, Deserialize, FromJson)]
#[serde(rename_all = "kebab-case")]
pub enum Layout {
    /// A grid; each row is as high as its tallest section.
    #[default]
    Auto,
    /// One section below the other.
    Horizontal,
    /// All sections side by side.
    Vertical,
    /// A grid without gaps.
    Masonry,
}

impl Layout {
    /// The word in the config file and in the page's class `orientation-<word>`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Horizontal => "horizontal",
            Self::Vertical => "vertical",
            Self::Masonry => "masonry",
        }
    }
}

/// Columns of a page, from left to right (docs/spec/config.md 5.1, docs/spec/behavior.md 3.2).
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PageColumns {
    /// A full column between two narrow ones.
    #[default]
    NarrowFullNarrow,
    /// A narrow column before a full one.
    NarrowFull,
    /// A full column before a narrow one.
    FullNarrow,
    /// Two full columns.
    FullFull,
}

impl PageColumns {
    /// The width of each column.
    pub fn widths(self) -> &'static [ColumnWidth] {
        use ColumnWidth::{Full, Narrow};
        match self {
            Self::NarrowFullNarrow => &[Narrow, Full, Narrow],
            Self::NarrowFull => &[Narrow, Full],
            Self::FullNarrow => &[Full, Narrow],
            Self::FullFull => &[Full, Full],
        }
    }
}

/// Width of a column of a page.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum ColumnWidth {
    /// As wide as one widget.
    Narrow,
    /// All the width that the narrow ones leave.
    Full,
}

impl ColumnWidth {
    /// The word of the attribute `data-width`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Narrow => "narrow",
            Self::Full => "full",
        }
    }
}

/// Size of tiles (docs/spec/config.md 5.1).
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, Serialize, Deserialize, FromJson)]
#[serde(rename_all = "kebab-case")]
pub enum TileSize {
    /// One row: icon, title, site.
    Small,
    /// Icon at the left, title and one line of description.
    #[default]
    Medium,
    /// Icon above the title and the description.
    Large,
}

impl TileSize {
    /// The word in the config file and in the class `item-size-<word>`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Small => "small",
            Self::Medium => "medium",
            Self::Large => "large",
        }
    }
}

/// Parts of the page that are not shown.
///
/// See docs/spec/config.md 5.7.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
#[cfg_attr(
    feature = "read",
    derive(config_derive::Block),
    config(
        name = "hideComponents",
        own_default,
        other_keys,
        old("hideFooter", "is old; to have no footer, leave out `pageInfo.footer`"),
        old("splashScreen", "no longer has an effect"),
    )
)]
pub struct HideComponents {
    /// Hides title, description and logo.
    #[serde(skip_serializing_if = "is_default")]
    #[cfg_attr(feature = "read", config(key = "hideHeading"))]
    pub heading: bool,
    /// Puts the header links behind a menu button.
    #[serde(skip_serializing_if = "is_default")]
    #[cfg_attr(feature = "read", config(key = "hideNav"))]
    pub nav: bool,
    /// Hides the search box, and typing no longer searches.
    #[serde(skip_serializing_if = "is_default")]
    #[cfg_attr(feature = "read", config(key = "hideSearch"))]
    pub search: bool,
    /// Hides the options button from everybody but admins.
    #[serde(skip_serializing_if = "is_default")]
    #[cfg_attr(feature = "read", config(key = "hideSettings"))]
    pub settings: bool,
}

/// What Enter in the search box does (docs/spec/config.md 5.6, docs/spec/behavior.md 6.1).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, FromJson)]
#[serde(default, rename_all = "camelCase")]
pub struct WebSearchView {
    /// Enter does nothing.
    #[serde(skip_serializing_if = "is_default")]
    pub disabled: bool,
    /// Address prefix of the default engine; `None` if the config names an engine that does not exist.
    #[serde(skip_serializing_if = "is_default")]
    pub engine: Option<String>,
    /// Name of the default engine as written in the file, or the host of a custom one; for the hint under the box.
    pub engine_name: String,
    /// Where results open: [`OpeningMethod::NewTab`], [`OpeningMethod::SameTab`] or [`OpeningMethod::Workspace`].
    pub opening_method: OpeningMethod,
    /// Whether input that looks like an address is opened.
    #[serde(skip_serializing_if = "is_default")]
    pub open_urls_directly: bool,
    /// Bangs and their address prefixes, longest bang first; the config's own replace built-in ones.
    pub bangs: Vec<(String, String)>,
}

/// How an item opens (docs/spec/config.md 5.5, docs/spec/behavior.md 4).
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, Serialize, Deserialize, FromJson)]
#[serde(rename_all = "lowercase")]
pub enum OpeningMethod {
    /// New browser tab.
    #[default]
    NewTab,
    /// Same tab.
    SameTab,
    /// Parent frame.
    Parent,
    /// Topmost frame.
    Top,
    /// Pop-up on the page.
    Modal,
    /// The workspace view.
    Workspace,
    /// Copies the address.
    Clipboard,
    /// A separate window.
    NewWindow,
}

impl OpeningMethod {
    const ALL: [Self; 8] = [
        Self::NewTab,
        Self::SameTab,
        Self::Parent,
        Self::Top,
        Self::Modal,
        Self::Workspace,
        Self::Clipboard,
        Self::NewWindow,
    ];

    /// The method with a word, as [`Self::word`] returns it.
    pub fn of_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|method| method.word() == word)
    }

    /// The word in the config file and in the data of a page.
    pub fn word(self) -> &'static str {
        match self {
            Self::NewTab => "newtab",
            Self::SameTab => "sametab",
            Self::Parent => "parent",
            Self::Top => "top",
            Self::Modal => "modal",
            Self::Workspace => "workspace",
            Self::Clipboard => "clipboard",
            Self::NewWindow => "newwindow",
        }
    }
}
