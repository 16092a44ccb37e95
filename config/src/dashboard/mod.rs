//! What one viewer sees of one page: the only thing that a page is rendered from.
//!
//! Everything in here has been checked and may reach the viewer's browser: hidden entries and server-side secrets
//! ended in `Dashboard::for_viewer`, colours and styles are valid CSS, addresses are safe to open.

#[cfg(feature = "read")]
mod for_viewer;
mod look;
mod section;
#[cfg(feature = "read")]
mod styles;
mod widget;

use serde::{Deserialize, Serialize};

#[cfg(feature = "read")]
pub use self::{
    for_viewer::{PageError, PageRequest, PageView},
    styles::Styles,
};
pub use self::{
    look::{Appearance, HideComponents, Layout, OpeningMethod, TileSize, View, WebSearchView},
    section::{BrowserSort, IconView, ItemView, SectionView},
    widget::{WidgetPlace, WidgetView},
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
    /// What the file of the page is called; of a remote one the host alone, since the rest of an address may hold a key.
    #[serde(skip_serializing_if = "is_default")]
    pub file: String,
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
    pub look: Appearance,
    /// What Enter in the search box does.
    pub web_search: WebSearchView,
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
    /// The dots of status checks differ in shape, not in colour alone.
    #[serde(skip_serializing_if = "is_default")]
    pub status_shapes: bool,
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
