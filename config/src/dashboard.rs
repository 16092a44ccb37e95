//! What one viewer sees of one page: the only thing that a page is rendered from.
//!
//! Everything in here has been checked and may reach the viewer's browser: hidden entries and server-side secrets
//! ended in `Dashboard::for_viewer`, colours and styles are valid CSS, addresses are safe to open.

#[cfg(feature = "read")]
mod for_viewer;
#[cfg(feature = "read")]
mod styles;

use serde::{Deserialize, Serialize};

#[cfg(feature = "read")]
pub use self::{
    for_viewer::{PageError, PageRequest, PageView},
    styles::Styles,
};

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// One page for one viewer, complete: rendered on the server and hydrated from the same data in the browser.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Dashboard {
    /// Path prefix of the whole product without a trailing slash: empty, or for example `/start`.
    #[serde(skip_serializing_if = "is_default")]
    pub base: String,
    /// Slug of the page as it stands in the address; `home` for the root config.
    pub slug: String,
    /// Heading and title of the browser tab.
    pub title: String,
    /// The line under the heading.
    #[serde(skip_serializing_if = "is_default")]
    pub description: Option<String>,
    /// Address of the logo.
    #[serde(skip_serializing_if = "is_default")]
    pub logo: Option<String>,
    /// Address of the tab's icon; none means the built-in one.
    #[serde(skip_serializing_if = "is_default")]
    pub favicon: Option<String>,
    /// Theme colour of the browser's own frame.
    #[serde(skip_serializing_if = "is_default")]
    pub color: Option<String>,
    /// Sanitised HTML of the footer.
    #[serde(skip_serializing_if = "is_default")]
    pub footer: Option<String>,
    /// The header's links, then the pages.
    #[serde(skip_serializing_if = "is_default")]
    pub navigation: Vec<NavigationEntry>,
    /// Themes, layout and sizes.
    pub look: Look,
    /// What Enter in the search box does.
    pub web_search: WebSearch,
    /// Parts of the page that the config hides.
    #[serde(skip_serializing_if = "is_default")]
    pub hide: HideComponents,
    /// No custom menu on right click.
    #[serde(skip_serializing_if = "is_default")]
    pub disable_context_menu: bool,
    /// No counting of clicks in the browser.
    #[serde(skip_serializing_if = "is_default")]
    pub disable_smart_sort: bool,
    /// The splash screen is wanted.
    #[serde(skip_serializing_if = "is_default")]
    pub show_splash_screen: bool,
    /// Set when the page shows one section only.
    #[serde(skip_serializing_if = "is_default")]
    pub single_section: bool,
    /// Set when the page shows one widget of this section only: what its address calls it.
    #[serde(skip_serializing_if = "is_default")]
    pub single_widget: Option<String>,
    /// Whether there are other pages whose items the search can offer.
    #[serde(skip_serializing_if = "is_default")]
    pub other_pages: bool,
    /// The content.
    pub sections: Vec<SectionView>,
    /// Sentences that the person should see above the content, for example that a broken file is not shown.
    #[serde(skip_serializing_if = "is_default")]
    pub notices: Vec<Notice>,
}

/// A button of the header.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct NavigationEntry {
    /// Text of the button.
    pub title: String,
    /// Address; own pages begin with the base path.
    pub href: String,
    /// `target` attribute for links to other sites; none for own pages.
    #[serde(skip_serializing_if = "is_default")]
    pub target: Option<String>,
    /// Whether this is the page being shown.
    #[serde(skip_serializing_if = "is_default")]
    pub current: bool,
}

/// How the page looks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Look {
    /// Theme by day (also the only one when `night_theme` is the same).
    pub day_theme: String,
    /// Theme by night.
    pub night_theme: String,
    /// Names that the config adds to the list of themes.
    #[serde(skip_serializing_if = "is_default")]
    pub themes: Vec<String>,
    /// Placement of sections.
    #[serde(skip_serializing_if = "is_default")]
    pub layout: Layout,
    /// Size of tiles where a section does not say otherwise.
    #[serde(skip_serializing_if = "is_default")]
    pub icon_size: Size,
    /// Forced number of columns, 1 to 8.
    #[serde(skip_serializing_if = "is_default")]
    pub col_count: Option<u8>,
    /// Interface language as a BCP 47 tag; none means the browser's.
    #[serde(skip_serializing_if = "is_default")]
    pub language: Option<String>,
    /// Addresses of the config's own stylesheets; each is an entry of the theme list too.
    #[serde(skip_serializing_if = "is_default")]
    pub style_sheets: Vec<String>,
}

/// The ways to look at a page (behaviour.md 1).
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum View {
    /// Sections with tiles and widgets.
    #[default]
    Home,
    /// One section at a time, without header.
    Minimal,
    /// A sidebar, and what is opened beside it.
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

/// Placement of sections (config.md 5.1, behaviour.md 3.2).
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Layout {
    /// A grid; rows are as high as their highest section.
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

/// Size of tiles (config.md 5.1).
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Size {
    /// One row: icon, title.
    Small,
    /// Icon above the title.
    #[default]
    Medium,
    /// Icon, title and description.
    Large,
}

impl Size {
    /// The word in the config file and in the class `item-size-<word>`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Small => "small",
            Self::Medium => "medium",
            Self::Large => "large",
        }
    }
}

/// Parts of the page that are not shown (config.md 5.7).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct HideComponents {
    /// No title, description, logo.
    #[serde(skip_serializing_if = "is_default")]
    pub heading: bool,
    /// The navigation is behind a menu button.
    #[serde(skip_serializing_if = "is_default")]
    pub nav: bool,
    /// No search box.
    #[serde(skip_serializing_if = "is_default")]
    pub search: bool,
    /// No options button.
    #[serde(skip_serializing_if = "is_default")]
    pub settings: bool,
}

/// What Enter in the search box does (config.md 5.6, behaviour.md 6.1).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct WebSearch {
    /// Enter does nothing.
    #[serde(skip_serializing_if = "is_default")]
    pub disabled: bool,
    /// Address prefix of the default engine; none when the config names an engine that does not exist.
    #[serde(skip_serializing_if = "is_default")]
    pub engine: Option<String>,
    /// Name of the default engine as the person wrote it, or the host of a custom one; for the hint under the box.
    pub engine_name: String,
    /// Where results open: [`OpeningMethod::NewTab`], [`OpeningMethod::SameTab`] or [`OpeningMethod::Workspace`].
    pub opening_method: OpeningMethod,
    /// Input that looks like an address is opened.
    #[serde(skip_serializing_if = "is_default")]
    pub open_urls_directly: bool,
    /// Bang and address prefix, the config's own over the built-in ones, longest bang first.
    pub bangs: Vec<(String, String)>,
}

/// How an item opens (config.md 5.5, behaviour.md 4).
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, Serialize, Deserialize)]
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
    /// Class `section_…` that custom styles use (config.md 12).
    pub class: String,
    /// Key of the collapse state in the browser's storage (config.md 12).
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
    pub item_size: Option<Size>,
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

/// Orders of items that depend on the browser (config.md 7.1).
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, Serialize, Deserialize)]
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

/// A tile, or a group of small tiles when there are sub-items.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct ItemView {
    /// Zero-based position in the file's list, hidden items counted.
    pub index: usize,
    /// The id under which the browser counts openings (config.md 12); empty for sub-items, which are not counted.
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

/// A widget's place in a section. [`Dashboard::for_viewer`] knows where it stands and what type is written; the server,
/// which knows the types, fills in the rest.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct WidgetView {
    /// Zero-based position in the section's list.
    pub index: usize,
    /// Id of its element, unique on the page.
    pub id: String,
    /// Our name of the type, for the class `widget-…`; made of the written one if we do not know it.
    pub kind: String,
    /// The type as it stands in the file.
    pub written: String,
    /// Caption.
    #[serde(skip_serializing_if = "is_default")]
    pub label: Option<String>,
    /// What the address of its own page calls it, below the address of the section; none if nothing leads there.
    #[serde(skip_serializing_if = "is_default")]
    pub address: Option<String>,
    /// Further classes of its element; each is a plain word.
    #[serde(skip_serializing_if = "is_default")]
    pub classes: Vec<String>,
    /// Who looks things up for it.
    pub place: WidgetPlace,
    /// Seconds between two looks; none for one look only.
    #[serde(skip_serializing_if = "is_default")]
    pub refresh: Option<u32>,
    /// Whether it has a button that looks again.
    pub controls: bool,
    /// No error box.
    #[serde(skip_serializing_if = "is_default")]
    pub ignore_errors: bool,
    /// What a browser needs to look by itself, as JSON without secrets; only with [`WidgetPlace::Browser`].
    #[serde(skip_serializing_if = "is_default")]
    pub options: Option<String>,
    /// The panel of a [`WidgetPlace::Local`], or what is wrong with a [`WidgetPlace::Broken`] one, as markup.
    #[serde(skip_serializing_if = "is_default")]
    pub html: String,
}

/// Who looks things up for a widget (widgets/_common.md section 2).
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WidgetPlace {
    /// The server.
    Server,
    /// The browser.
    Browser,
    /// Nobody: the panel follows from the options alone.
    Local,
    /// Nobody: the options are wrong, or the type is unknown.
    #[default]
    Broken,
}

impl WidgetPlace {
    /// The word of the attribute `data-place`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Server => "server",
            Self::Browser => "browser",
            Self::Local => "local",
            Self::Broken => "broken",
        }
    }
}

/// A sentence above the content.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Notice {
    /// What happened.
    pub title: String,
    /// What to do, or the reason.
    pub detail: String,
    /// Text to show in a fixed-width font, such as the lines around an error.
    #[serde(default, skip_serializing_if = "is_default")]
    pub excerpt: Option<String>,
}
