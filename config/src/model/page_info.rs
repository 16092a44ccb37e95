//! `pageInfo` (docs/spec/config.md 3).

use super::{
    block::Block,
    cursor::{Cursor, brief},
    shape::{Pattern, TextFormat, TextKind},
    words::words,
};
use crate::{effect::Effect, problem::ProblemKind};

/// Title, header links, footer and logo of the page.
#[derive(Clone, Debug, PartialEq, Block)]
#[config(name = "pageInfo")]
pub struct PageInfo {
    /// Heading of the page, and title of the browser tab.
    #[config(required)]
    pub title: Option<String>,
    /// Line under the heading.
    pub description: Option<String>,
    /// Buttons at the top right, before those of the other pages.
    #[config(max = 6)]
    pub nav_links: Vec<NavLink>,
    /// Text at the bottom of the home view. Simple HTML such as links and bold type is kept; scripts, styles and forms
    /// are removed.
    ///
    /// Not yet sanitized.
    #[config(old_key("footerText", "is now called `footer`"), unset = "no footer", examples("Run by <b>nobody</b>"))]
    pub footer: Option<String>,
    /// Picture beside the heading: a web address, or a path that begins with `/` and names one of your files.
    #[config(
        rule = Rule::Format(&LOGO),
        read = read_picture,
        examples("/item-icons/logo.png", "https://example.com/logo.svg")
    )]
    pub logo: Option<String>,
    /// Icon of the browser tab: a web address, a path, or a `data:` picture.
    #[config(read = read_picture, unset = "the built-in icon", examples("/favicon.ico"))]
    pub favicon: Option<String>,
    /// Color of the browser's own bars on a phone.
    #[config(rule = Rule::Kind(&COLOR), read = read_color)]
    pub color: Option<String>,
}

/// A button at the top right of the page.
#[derive(Clone, Debug, PartialEq, Block)]
#[config(name = "a header link")]
pub struct NavLink {
    /// Text of the button.
    #[config(required)]
    pub title: String,
    /// Where the button leads: a web address that begins with `http`, or a path in the dashboard.
    #[config(
        required,
        read = |path| path.filled_text().unwrap_or_else(|| "/".to_owned()),
        examples("https://status.example", "/minimal")
    )]
    pub path: String,
    /// Where a web address opens: in a new tab, in the same tab, in the frame around the dashboard, or in the outermost
    /// frame. `newwindow` acts as `newtab`.
    pub target: LinkTarget,
}

/// Where a header link opens.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum LinkTarget {
    /// New browser tab.
    #[default]
    NewTab,
    /// Same tab.
    SameTab,
    /// Parent frame.
    Parent,
    /// Topmost frame.
    Top,
    /// Same as a new tab.
    NewWindow,
}

impl LinkTarget {
    /// The link's `target` attribute.
    pub fn attribute(self) -> &'static str {
        match self {
            Self::NewTab | Self::NewWindow => "_blank",
            Self::SameTab => "_self",
            Self::Parent => "_parent",
            Self::Top => "_top",
        }
    }
}

words!(
    LinkTarget:
    "newtab" => NewTab, "sametab" => SameTab, "parent" => Parent, "top" => Top, "newwindow" => NewWindow
);

const LOGO: TextFormat =
    TextFormat { must: "must begin with `http` or `/`", patterns: &[Pattern::Begins("http"), Pattern::Begins("/")] };

/// A color. [`css_values::color`] decides whether it is valid; an invalid one is a warning.
pub(super) const COLOR: TextKind = TextKind {
    title: "Color",
    about: "A CSS color: a name, hexadecimal digits (in quotes, because `#` begins a comment in YAML), or a \
            function. Anything else is ignored with a warning.",
    examples: &["gold", "#0b3a4a", "rgb(11 58 74 / 80%)", "hsl(200, 50%, 30%)", "var(--primary)"],
};

/// An address that is allowed as the source of a picture.
pub(super) fn read_picture(cursor: &Cursor<'_>) -> Option<String> {
    let address = cursor.filled_text()?;
    let is_safe = crate::address::is_picture(&address);
    if !is_safe {
        cursor.warn(ProblemKind::Refused, "is not an address of a picture", Effect::Ignored);
    }
    is_safe.then_some(address)
}

/// A color, if it is valid.
pub(super) fn read_color(cursor: &Cursor<'_>) -> Option<String> {
    let text = cursor.filled_text()?;
    let color = css_values::color(&text).map(str::to_owned);
    if color.is_none() {
        cursor.warn(ProblemKind::Malformed, format!("`{}` is not a CSS color", brief(&text)), Effect::Ignored);
    }
    color
}
