//! The files of the browser bundle that every page needs.

/// The font of nearly all text.
pub const FONT: &str = "fonts/figtree-latin.woff2";

/// A file whose name contains a hash of its content: `main-0f1e2d3c4b5a6978.css`, `menu-2QZ7ABCD.js`.
#[derive(Clone, Copy, Debug)]
pub struct HashedFile {
    /// What it is, for the message that the build lacks it.
    pub what: &'static str,
    /// The name before the hash.
    start: &'static str,
    /// The name after the hash.
    end: &'static str,
}

impl HashedFile {
    /// The style sheet of all pages.
    pub const STYLES: Self = Self::new("style sheet", "main-", ".css");
    /// The style sheet of pages with widgets.
    pub const WIDGET_STYLES: Self = Self::new("style sheet for widgets", "widgets-", ".css");
    /// The style sheet of the minimal and the workspace view.
    pub const VIEW_STYLES: Self = Self::new("style sheet for views", "views-", ".css");
    /// The script that starts the dialogs and context menus.
    pub const MENU: Self = Self::new("script of dialogs and menus", "menu-", ".js");
    /// The script that starts the minimal and the workspace view.
    pub const VIEW: Self = Self::new("script of the views", "view-", ".js");
    /// The bundle of pages with sections and items: its script and its WebAssembly.
    pub const FRONTEND: [Self; 2] = Self::bundle("bundle of pages", "frontend-");
    /// The bundle of pages with widgets, or with a session: its script and its WebAssembly.
    pub const LIVE: [Self; 2] = Self::bundle("bundle of pages with widgets", "live-");
    /// The script that keeps an open page up to date.
    pub const STREAM: Self = Self::new("script of open pages", "stream-", ".js");
    /// The script that starts the editor.
    pub const EDITOR: Self = Self::new("editor", "edit-", ".js");

    /// All of them.
    pub const ALL: [Self; 11] = [
        Self::STYLES,
        Self::WIDGET_STYLES,
        Self::VIEW_STYLES,
        Self::MENU,
        Self::VIEW,
        Self::FRONTEND[0],
        Self::FRONTEND[1],
        Self::LIVE[0],
        Self::LIVE[1],
        Self::STREAM,
        Self::EDITOR,
    ];

    const fn new(what: &'static str, start: &'static str, end: &'static str) -> Self {
        Self { what, start, end }
    }

    const fn bundle(what: &'static str, start: &'static str) -> [Self; 2] {
        [Self::new(what, start, ".js"), Self::new(what, start, "_bg.wasm")]
    }

    /// The name of the file with this hash.
    pub fn with_hash(&self, hash: &str) -> String {
        format!("{}{hash}{}", self.start, self.end)
    }

    /// Whether a file of this name is this one.
    pub fn is(&self, name: &str) -> bool {
        let hash = name.strip_prefix(self.start).and_then(|rest| rest.strip_suffix(self.end));
        hash.is_some_and(|hash| !hash.contains('-'))
    }
}
