//! What the documents of pages need beside the page.

use std::sync::Arc;

use crate::page::{Bundle, language::LanguageLinks};

/// Addresses of the program's own files, with hashes in their names.
#[derive(Clone, Debug, Default)]
pub struct PageAssets {
    /// Path prefix of the whole product, without a trailing slash.
    pub base: String,
    /// Prefix of the addresses of the themes' style sheets, up to the theme's name.
    pub themes: String,
    /// The style sheet, for pages that are rarely visited first.
    pub style_sheet: String,
    /// The text of that style sheet, with addresses that work inside a page. Dashboards contain it: saving a request
    /// before the first paint is worth more than the few kilobytes that a second page need not have loaded.
    pub styles: Arc<str>,
    /// The style sheet of pages with widgets.
    pub widget_style_sheet: String,
    /// The style sheet of the minimal and the workspace view.
    pub view_style_sheet: String,
    /// The script of the context menus, the options and the notices, which is also that of elements with an empty `data-module`.
    pub menu: String,
    /// The script that starts the minimal and the workspace view.
    pub view: String,
    /// The bundle for pages of sections and items.
    pub bundle: Bundle,
    /// The bundle for pages that also have widgets, or a session to watch. It is the larger one.
    pub live: Bundle,
    /// The script that follows changes to an open page; empty for pages that do not change.
    pub stream: String,
    /// The module that starts the editor.
    pub editor: String,
    /// The font of nearly all text.
    pub font: String,
}

/// What the head of a page contains beyond its [`Dashboard`].
#[derive(Clone, Debug, Default)]
pub struct Head {
    /// Text of the page's own `<style>`.
    pub style: String,
    /// Addresses of further style sheets, in order.
    pub style_sheets: Vec<String>,
    /// The SVG element with the glyphs used in the page.
    pub glyphs: String,
    /// Title of the browser's tab.
    pub title: String,
    /// The background color of the page in light and dark mode.
    pub backgrounds: [String; 2],
    /// The script that is loaded after the page has started.
    pub offline: OfflineScript,
    /// Other origins to which the page's scripts may send requests.
    pub connect: Vec<String>,
    /// Identifies this page in the query of its event stream's address.
    pub address: String,
    /// Whose editor drafts this browser may keep; empty means nobody's, `None` that the viewer is unknown, as
    /// on a page for guests.
    pub drafts: Option<String>,
    /// The same page in the languages of an export, if there are several.
    pub languages: Option<LanguageLinks>,
}

/// What a page needs in order to work offline, and to notice that its server is gone.
#[derive(Clone, Debug, Default)]
pub struct OfflineScript {
    /// Address of the script.
    pub script: String,
    /// The version of the program, if there is an offline worker.
    pub version: Option<String>,
    /// Whether to watch for the login page of a proxy in front of the dashboard.
    pub compat: bool,
}
