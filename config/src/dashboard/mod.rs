//! What one viewer sees of one page: the only data from which a page is rendered.
//!
//! Everything in here has been checked and may reach the viewer's browser: `Dashboard::for_viewer` has removed hidden
//! entries and server-side secrets, colors and styles are valid CSS, and addresses are safe to open.

mod defaults;
#[cfg(feature = "read")]
mod for_viewer;
#[cfg(feature = "read")]
mod hits;
mod look;
mod section;
#[cfg(feature = "read")]
mod styles;
mod widget;

use serde::{Deserialize, Serialize};

use self::defaults::is_default;
#[cfg(feature = "read")]
pub use self::{
    for_viewer::{PageError, PageRequest, PageView},
    hits::Hits,
    styles::Styles,
};
pub use self::{
    look::{
        Appearance, ColumnWidth, HideComponents, Layout, OpeningMethod, PageColumns, TileSize, View, WebSearchView,
    },
    section::{BrowserSort, FiguresView, IconView, ItemView, SectionView},
    widget::{FactView, WidgetState, WidgetView},
};

/// One page for one viewer, complete: what the server renders.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Dashboard {
    /// Path prefix of the whole product without a trailing slash: empty, or for example `/start`.
    #[serde(skip_serializing_if = "is_default")]
    pub base: String,
    /// Slug of the page as in the address; `home` for the root config.
    pub slug: String,
    /// Name of the page's file. For a remote page only the host, since the rest of an address may contain a key.
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
    /// Address of the tab's icon; `None` means the built-in one.
    #[serde(skip_serializing_if = "is_default")]
    pub favicon: Option<String>,
    /// Theme color of the browser's own frame.
    #[serde(skip_serializing_if = "is_default")]
    pub color: Option<String>,
    /// Sanitized HTML of the footer.
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
    /// Whether there is no custom menu on right click.
    #[serde(skip_serializing_if = "is_default")]
    pub disable_context_menu: bool,
    /// Whether the browser counts no clicks.
    #[serde(skip_serializing_if = "is_default")]
    pub disable_smart_sort: bool,
    /// Whether to show the splash screen.
    #[serde(skip_serializing_if = "is_default")]
    pub show_splash_screen: bool,
    /// Whether icons of brands have the color of the text, unless this browser has chosen otherwise.
    #[serde(skip_serializing_if = "is_default")]
    pub monochrome_icons: bool,
    /// Whether the dots of status checks differ in shape, not only in color.
    #[serde(skip_serializing_if = "is_default")]
    pub status_shapes: bool,
    /// The view of the page.
    #[serde(skip_serializing_if = "is_default")]
    pub view: View,
    /// The view of the landing page.
    #[serde(skip_serializing_if = "is_default")]
    pub starting_view: View,
    /// In the minimal view the section that the address names, by its position in `sections`.
    #[serde(skip_serializing_if = "is_default")]
    pub selected: Option<usize>,
    /// The columns of its sections, if it has columns instead of a layout.
    #[serde(skip_serializing_if = "is_default")]
    pub columns: Option<PageColumns>,
    /// Whether columns without sections are shown too, as targets for sections in edit mode.
    #[serde(skip_serializing_if = "is_default")]
    pub empty_columns: bool,
    /// What the workspace view opens first.
    #[serde(skip_serializing_if = "is_default")]
    pub landing_url: Option<String>,
    /// The workspace view keeps what was opened alive in the background.
    #[serde(skip_serializing_if = "is_default")]
    pub multi_tasking: bool,
    /// Whether the page shows only one section.
    #[serde(skip_serializing_if = "is_default")]
    pub single_section: bool,
    /// Set if the page shows only one widget of this section: the widget's name in the address.
    #[serde(skip_serializing_if = "is_default")]
    pub single_widget: Option<String>,
    /// Whether there are other pages whose items the search can find.
    #[serde(skip_serializing_if = "is_default")]
    pub other_pages: bool,
    /// Whether it is part of a static export, so no server answers its page.
    #[serde(skip_serializing_if = "is_default")]
    pub is_static: bool,
    /// The widgets in the bar below the header.
    #[serde(skip_serializing_if = "is_default")]
    pub facts: Vec<FactView>,
    /// The content.
    pub sections: Vec<SectionView>,
    /// What is wrong in the file of the page, for admins.
    #[serde(skip_serializing_if = "is_default")]
    pub problems: Vec<String>,
    /// What works in that file but could be done better, for admins.
    #[serde(skip_serializing_if = "is_default")]
    pub hints: Vec<String>,
    /// Notices to show above the content, for example that a file is broken and cannot be shown.
    #[serde(skip_serializing_if = "is_default")]
    pub notices: Vec<PageNotice>,
}

impl Dashboard {
    /// Whether there is a widget anywhere on the page.
    pub fn has_widgets(&self) -> bool {
        !self.facts.is_empty() || self.sections.iter().any(|section| !section.widgets.is_empty())
    }

    /// All widgets of the page, each with the position of its section in the file.
    pub fn widgets(&self) -> impl Iterator<Item = (usize, &WidgetView)> {
        let facts = self.facts.iter().map(|fact| (fact.section, &fact.widget));
        let cards =
            self.sections.iter().flat_map(|section| section.widgets.iter().map(move |widget| (section.index, widget)));
        facts.chain(cards)
    }

    /// The same, for changing them.
    pub fn widgets_mut(&mut self) -> impl Iterator<Item = (usize, &mut WidgetView)> {
        let facts = self.facts.iter_mut().map(|fact| (fact.section, &mut fact.widget));
        let cards = self.sections.iter_mut().flat_map(|section| {
            let index = section.index;
            section.widgets.iter_mut().map(move |widget| (index, widget))
        });
        facts.chain(cards)
    }

    /// Leaves out the sections whose widgets are all in the bar below the header.
    pub fn leave_out_fact_sections(&mut self) {
        if self.single_section {
            return;
        }
        self.selected = self
            .selected
            .filter(|position| !self.sections[*position].only_facts)
            .map(|position| position - self.sections[..position].iter().filter(|section| section.only_facts).count());
        self.sections.retain(|section| !section.only_facts);
    }

    /// The columns that have sections, or all with `empty_columns`, with the positions of these in `sections`; none if the page
    /// declares no columns. A section without a column, or with one that the page does not have, goes into the first full one.
    pub fn section_columns(&self) -> Vec<(ColumnWidth, Vec<usize>)> {
        let Some(columns) = self.columns else { return Vec::new() };
        let widths = columns.widths();
        let first_full = widths.iter().position(|width| *width == ColumnWidth::Full).unwrap_or_default();
        let mut filled: Vec<_> = widths.iter().map(|width| (*width, Vec::new())).collect();
        for (position, section) in self.sections.iter().enumerate() {
            let named = section.column.map(|column| usize::from(column) - 1).filter(|column| *column < widths.len());
            filled[named.unwrap_or(first_full)].1.push(position);
        }
        filled.retain(|(_, sections)| self.empty_columns || !sections.is_empty());
        filled
    }
}

/// A button of the header.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct NavigationEntry {
    /// Text of the button; empty for the main page if the config does not list it, and so gives it no name.
    pub title: String,
    /// Address; addresses of our own pages begin with the base path.
    pub href: String,
    /// `target` attribute for links to other sites; `None` for our own pages.
    #[serde(skip_serializing_if = "is_default")]
    pub target: Option<String>,
    /// Whether this is the page being shown.
    #[serde(skip_serializing_if = "is_default")]
    pub current: bool,
}

/// A sentence above the content.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PageNotice {
    /// What happened.
    pub title: String,
    /// What to do, or the reason.
    pub detail: String,
    /// Text to show in a fixed-width font, such as the lines around an error.
    #[serde(default, skip_serializing_if = "is_default")]
    pub excerpt: Option<String>,
    /// What can be done about it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub link: Option<NoticeLink>,
}

/// A link of a notice.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NoticeLink {
    /// Its words.
    pub text: String,
    /// Where it leads.
    pub href: String,
}
