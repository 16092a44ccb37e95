//! `pageInfo` (config.md 3).

use super::{
    cursor::Cursor,
    shape::{Form, Others, Rule, Shape, Word, legacy, optional, required, words},
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
    Form { must: "must begin with `http` or `/`", fits: |text| text.starts_with("http") || text.starts_with('/') };

pub(crate) const PAGE_INFO: Shape = Shape {
    name: "pageInfo",
    fields: &[
        required("title", Rule::Text),
        optional("description", Rule::Text),
        optional("navLinks", Rule::Shapes(&NAV_LINK, 6)),
        optional("footer", Rule::Text),
        optional("logo", Rule::Form(&LOGO)),
        optional("favicon", Rule::Text),
        optional("color", Rule::Text),
        legacy("footerText", Rule::Any, "is called `footer` now"),
    ],
    others: Others::Refused,
};

const NAV_LINK: Shape = Shape {
    name: "a header link",
    fields: &[
        required("title", Rule::Text),
        required("path", Rule::Text),
        optional("target", Rule::Word(words::<LinkTarget>)),
    ],
    others: Others::Refused,
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
