//! `pageInfo` (config.md 3).

use super::{
    cursor::Cursor,
    shape::{Form, Others, Pattern, Rule, Shape, TextKind, Word, legacy, list, optional, required, words},
};
use crate::{color, problem::ProblemKind};

/// Title, description, header links, footer and logo of a page.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PageInfo {
    /// Heading and title of the browser tab.
    pub title: Option<String>,
    /// The line under the heading.
    pub description: Option<String>,
    /// Buttons of the header, before those for the pages.
    pub nav_links: Vec<NavLink>,
    /// Text or inline HTML at the bottom, not yet sanitised.
    pub footer: Option<String>,
    /// Address of the logo: `http(s)`, or a path from the web root.
    pub logo: Option<String>,
    /// Address of the tab's icon: a URL, a path or a `data:` picture.
    pub favicon: Option<String>,
    /// Theme colour of the browser's own frame, a valid CSS colour.
    pub color: Option<String>,
}

/// A button of the header.
#[derive(Clone, Debug, PartialEq)]
pub struct NavLink {
    /// Text of the button.
    pub title: String,
    /// An address with a scheme, or a route inside of the app.
    pub path: String,
    /// Where it opens; matters for addresses of other sites.
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
    /// As a new tab.
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

impl Word for LinkTarget {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("newtab", Self::NewTab),
        ("sametab", Self::SameTab),
        ("parent", Self::Parent),
        ("top", Self::Top),
        ("newwindow", Self::NewWindow),
    ];
}

const LOGO: Form =
    Form { must: "must begin with `http` or `/`", patterns: &[Pattern::Begins("http"), Pattern::Begins("/")] };

/// A colour. Whether it is one is judged by [`color::parse`], and a wrong one is a warning.
pub(super) const COLOR: TextKind = TextKind {
    title: "Color",
    about: "A CSS colour: a name, a number in hexadecimal digits (in quotes, as `#` begins a comment in YAML), or a \
            function. Anything else is ignored with a warning.",
    examples: &["gold", "#0b3a4a", "rgb(11 58 74 / 80%)", "hsl(200, 50%, 30%)", "var(--primary)"],
};

pub(crate) const PAGE_INFO: Shape = Shape {
    title: "PageInfo",
    name: "pageInfo",
    about: "Title, header links, footer and logo of the page.",
    fields: &[
        required("title", Rule::Text, "Heading of the page, and title of the browser tab."),
        optional("description", Rule::Text, "Line under the heading."),
        list(
            "navLinks",
            Rule::Shapes(&NAV_LINK, 6),
            "Buttons at the top right, before those of the other pages. At most six.",
        ),
        optional(
            "footer",
            Rule::Text,
            "Text at the bottom of the home view. Simple HTML such as links and bold type is kept; scripts, styles \
             and forms are taken out.",
        )
        .means("no footer")
        .examples(&["Run by <b>nobody</b>"]),
        optional(
            "logo",
            Rule::Form(&LOGO),
            "Picture beside the heading: a web address, or a path that begins with `/` and names a file of yours.",
        )
        .examples(&["/item-icons/logo.png", "https://example.com/logo.svg"]),
        optional("favicon", Rule::Text, "Icon of the browser tab: a web address, a path, or a `data:` picture.")
            .means("the built-in icon")
            .examples(&["/favicon.ico"]),
        optional("color", Rule::Kind(&COLOR), "Colour of the browser's own bars on a phone."),
        legacy("footerText", Rule::Any, "is called `footer` now"),
    ],
    others: Others::Refused,
    demands: &[],
};

const NAV_LINK: Shape = Shape {
    title: "NavLink",
    name: "a header link",
    about: "A button at the top right of the page.",
    fields: &[
        required("title", Rule::Text, "Text of the button."),
        required(
            "path",
            Rule::Text,
            "Where it leads: a web address that begins with `http`, or a place in the dashboard.",
        )
        .examples(&["https://status.example", "/minimal"]),
        optional(
            "target",
            Rule::Word(words::<LinkTarget>),
            "Where a web address opens: in a new tab, in the same one, in the frame around the dashboard, or in the \
             outermost frame. `newwindow` acts as `newtab`.",
        )
        .like_text("newtab"),
    ],
    others: Others::Refused,
    demands: &[],
};

impl PageInfo {
    pub(super) fn read(cursor: &Cursor<'_>) -> Self {
        cursor.mapping();
        Self {
            title: cursor.key("title").filled_text(),
            description: cursor.key("description").filled_text(),
            nav_links: cursor.key("navLinks").mappings("a header link").map(|(_, link)| NavLink::read(&link)).collect(),
            footer: cursor.first_key(["footer", "footerText"]).filled_text(),
            logo: cursor.key("logo").filled_text().filter(|logo| is_picture(logo, &cursor.key("logo"))),
            favicon: cursor.key("favicon").filled_text().filter(|icon| is_picture(icon, &cursor.key("favicon"))),
            color: read_color(&cursor.key("color")),
        }
    }
}

impl NavLink {
    fn read(cursor: &Cursor<'_>) -> Self {
        Self {
            title: cursor.key("title").filled_text().unwrap_or_default(),
            path: cursor.key("path").filled_text().unwrap_or_else(|| "/".to_owned()),
            target: cursor.key("target").word().unwrap_or_default(),
        }
    }
}

/// Whether an address may be the source of a picture.
fn is_picture(address: &str, cursor: &Cursor<'_>) -> bool {
    let safe = crate::address::is_picture(address);
    if !safe {
        cursor.warn(ProblemKind::Refused, "is not an address of a picture; ignored");
    }
    safe
}

/// A colour, if it is a valid one.
pub(super) fn read_color(cursor: &Cursor<'_>) -> Option<String> {
    let text = cursor.filled_text()?;
    let color = color::parse(&text);
    if color.is_none() {
        cursor.warn(ProblemKind::Malformed, format!("`{}` is not a CSS colour; ignored", super::cursor::brief(&text)));
    }
    color
}
