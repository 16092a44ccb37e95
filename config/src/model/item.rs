//! An item and its sub-items (config.md 8).

use super::{
    cursor::{Cursor, brief},
    display_data::{ITEM_DISPLAY_DATA, read_own_visibility},
    page_info::{COLOR, read_color},
    shape::{
        ANY_NUMBER, MANY, Others, Preset, Rule, Shape, Word, flag, legacy, list, nullable, optional, required, words,
    },
};
use crate::{
    address::{self, Address},
    dashboard::OpeningMethod,
    icon::{self, Icon},
    problem::ProblemKind,
    viewer::Visibility,
};

/// An item: a tile, or a group of small tiles.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Item {
    /// Zero-based position in the list; broken items before it are counted.
    pub index: usize,
    /// Text of the tile.
    pub title: String,
    /// Tooltip; text of large tiles.
    pub description: Option<String>,
    /// The picture; none means `appConfig.defaultIcon`.
    pub icon: Option<Icon>,
    /// Where it leads: with a scheme and safe to open.
    pub url: Option<String>,
    /// Used instead of `url` while the viewer's browser can reach it.
    pub local_url: Option<String>,
    /// How it opens; none means `appConfig.defaultOpeningMethod`.
    pub target: Option<OpeningMethod>,
    /// Digit that opens it.
    pub hotkey: Option<u8>,
    /// `rel` of the link.
    pub rel: Option<String>,
    /// More words for the search.
    pub tags: Vec<String>,
    /// Shown in the tooltip.
    pub provider: Option<String>,
    /// What is said of its status dot; none means nothing. In a box, since most of thousands of items have none.
    pub status: Option<Box<StatusCheck>>,
    /// Colour of text and glyph, valid CSS.
    pub color: Option<String>,
    /// Background of the tile, valid CSS.
    pub background_color: Option<String>,
    /// Who sees it.
    pub visibility: Visibility,
    /// Not in the workspace view.
    pub hide_from_workspace: bool,
    /// Small tiles; not empty makes the item a group, and its own address, icon and check unused.
    pub sub_items: Vec<Self>,
}

/// How the status of an item is found out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StatusCheck {
    /// Whether there is a dot; none means `appConfig.statusCheck`.
    pub enabled: Option<bool>,
    /// Address to check; none means the item's `url`.
    pub url: Option<String>,
    /// Extra request headers.
    pub headers: Vec<(String, String)>,
    /// Accept any TLS certificate.
    pub allow_insecure: bool,
    /// Further status codes that count as up, as ranges with both ends in them.
    pub accept_codes: Vec<(u16, u16)>,
    /// Redirects to follow; none means up to 5.
    pub max_redirects: Option<u32>,
    /// Seconds between two checks; none means `appConfig.statusCheckInterval`, 0 means once.
    pub interval: Option<u32>,
}

impl Word for OpeningMethod {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("newtab", Self::NewTab),
        ("sametab", Self::SameTab),
        ("parent", Self::Parent),
        ("top", Self::Top),
        ("modal", Self::Modal),
        ("workspace", Self::Workspace),
        ("clipboard", Self::Clipboard),
        ("newwindow", Self::NewWindow),
    ];
}

pub(crate) const ITEM: Shape = Shape {
    title: "Item",
    name: "an item",
    about: "A tile that opens something; or, with `subItems`, a group of small tiles.",
    fields: &[
        required("title", Rule::Text, "Text of the tile, on one line."),
        nullable("description", Rule::Text, "Tooltip, and visible text of large tiles. The search finds it."),
        nullable("icon", Rule::Kind(&icon::KIND), "Picture of the tile. A tile without one is text only.")
            .means("`appConfig.defaultIcon`"),
        optional(
            "url",
            Rule::Text,
            "What the tile opens. Where `http://` is missing it is added; other schemes such as `mailto:` or `ssh:` \
             work too, but none that runs code. A tile without an address does nothing.",
        )
        .examples(&["https://nas.example", "nas.lan:8080", "mailto:anna@example.com"]),
        optional(
            "localUrl",
            Rule::Text,
            "A second address, opened in place of `url` while the browser can reach it, for example at home.",
        )
        .examples(&["http://192.168.1.10:8096"]),
        nullable("target", Rule::Word(words::<OpeningMethod>), "How the tile opens; see `defaultOpeningMethod`.")
            .means("`appConfig.defaultOpeningMethod`"),
        optional("hotkey", Rule::Number(0.0, 9.0), "Digit that opens the item when it is pressed, 0 to 9."),
        optional("rel", Rule::Text, "The `rel` attribute of the link.").like_text("noopener noreferrer"),
        list("tags", Rule::Texts(12), "More words by which the search finds the item; they are not shown. At most 12."),
        optional("provider", Rule::Text, "Who runs the service. Shown in the tooltip; the search finds it."),
        optional("statusCheck", Rule::Flag, "A dot on the tile shows whether the service answers.")
            .means("`appConfig.statusCheck`"),
        optional("statusCheckUrl", Rule::Text, "Address that is asked instead of `url`.")
            .means("`url`")
            .examples(&["https://nas.example/api/health"]),
        optional(
            "statusCheckHeaders",
            Rule::TextMap,
            "More headers of the request that asks. Example: `{ Accept: application/json }`.",
        )
        .like(Preset::EmptyMapping),
        flag("statusCheckAllowInsecure", "Any TLS certificate will do, also an expired or self-signed one."),
        optional(
            "statusCheckAcceptCodes",
            Rule::Text,
            "HTTP codes that count as up, besides the usual ones: single codes, classes and ranges, with commas \
             between them. Put it in quotes.",
        )
        .examples(&["401,403", "2xx", "200-299"]),
        optional("statusCheckMaxRedirects", ANY_NUMBER, "How many redirects are followed.").means("up to 5"),
        optional(
            "statusCheckInterval",
            ANY_NUMBER,
            "Seconds between two checks; 0 means once per page load. 1 to 4 act as 5, and 86400 is the most.",
        )
        .means("`appConfig.statusCheckInterval`"),
        optional("color", Rule::Kind(&COLOR), "Colour of text and glyph.").means("as the theme has it"),
        optional("backgroundColor", Rule::Kind(&COLOR), "Background of the tile.").means("as the theme has it"),
        optional("displayData", Rule::Shape(&ITEM_DISPLAY_DATA), "Who sees the item.").like(Preset::EmptyMapping),
        flag(
            "hideForGuests",
            "Hides the item from people who are not signed in. The same as `displayData.hideForGuests`.",
        ),
        list(
            "subItems",
            Rule::Shapes(&SUB_ITEM, MANY),
            "Makes the item a group: a block of small tiles under its title. Address, icon and status check of the \
             item itself are not used then.",
        ),
        legacy("id", Rule::Any, "is generated and ignored here"),
    ],
    // What some versions write beside `localUrl` for their own way of probing it.
    others: Others::Prefixed("localUrl"),
    demands: &[],
};

const SUB_ITEM: Shape = Shape {
    title: "SubItem",
    name: "a sub-item",
    about: "A small tile in a group.",
    fields: &[
        optional("title", Rule::Text, "Tooltip, and the text of a tile without an icon."),
        optional("url", Rule::Text, "What the tile opens, as for an item."),
        optional("localUrl", Rule::Text, "A second address, opened in place of `url` while the browser can reach it."),
        nullable("icon", Rule::Kind(&icon::KIND), "Picture of the tile.").means("`appConfig.defaultIcon`"),
        nullable("target", Rule::Word(words::<OpeningMethod>), "How the tile opens; see `defaultOpeningMethod`.")
            .means("`appConfig.defaultOpeningMethod`"),
        optional("color", Rule::Kind(&COLOR), "Colour of text and glyph.").means("as the theme has it"),
        optional("backgroundColor", Rule::Kind(&COLOR), "Background of the tile.").means("as the theme has it"),
    ],
    others: Others::Allowed,
    demands: &[],
};

impl Item {
    pub(super) fn read(index: usize, cursor: &Cursor<'_>) -> Self {
        let sub_items = cursor.key("subItems");
        Self {
            status: StatusCheck::read(cursor),
            hotkey: read_hotkey(&cursor.key("hotkey")),
            tags: read_tags(&cursor.key("tags")),
            provider: cursor.key("provider").filled_text(),
            visibility: read_own_visibility(cursor),
            hide_from_workspace: cursor.key("displayData").key("hideFromWorkspace").is_on(),
            sub_items: sub_items
                .mappings("a sub-item")
                .map(|(index, item)| Self::read_sub_item(index, &item))
                .collect(),
            ..Self::read_sub_item(index, cursor)
        }
    }

    /// What items and sub-items have in common.
    fn read_sub_item(index: usize, cursor: &Cursor<'_>) -> Self {
        Self {
            index,
            title: cursor.key("title").filled_text().unwrap_or_default(),
            description: cursor.key("description").filled_text(),
            icon: cursor.key("icon").filled_text().map(|icon| Icon::parse(&icon)),
            url: read_address(&cursor.key("url")),
            local_url: read_address(&cursor.key("localUrl")),
            target: cursor.key("target").word(),
            rel: cursor.key("rel").filled_text(),
            color: read_color(&cursor.key("color")),
            background_color: read_color(&cursor.key("backgroundColor")),
            ..Self::default()
        }
    }
}

impl StatusCheck {
    fn read(item: &Cursor<'_>) -> Option<Box<Self>> {
        let read = Self {
            enabled: item.key("statusCheck").flag(),
            url: read_address(&item.key("statusCheckUrl")),
            headers: read_headers(&item.key("statusCheckHeaders")),
            allow_insecure: item.key("statusCheckAllowInsecure").is_on(),
            accept_codes: read_accept_codes(&item.key("statusCheckAcceptCodes")),
            max_redirects: item.key("statusCheckMaxRedirects").count(),
            interval: item.key("statusCheckInterval").number().map(interval),
        };
        (read != Self::default()).then(|| Box::new(read))
    }
}

/// Seconds between two status checks: below 1 means once, else from 5 to a day.
pub(super) fn interval(seconds: f64) -> u32 {
    // The clamped value fits.
    if seconds < 1.0 { 0 } else { seconds.clamp(5.0, 86_400.0) as u32 }
}

/// An address that a person opens.
pub(super) fn read_address(cursor: &Cursor<'_>) -> Option<String> {
    match address::parse(&cursor.filled_text()?) {
        Address::Safe(address) => Some(address),
        Address::Refused => {
            cursor.warn(ProblemKind::Refused, "this kind of address runs code in the page; ignored");
            None
        }
    }
}

fn read_hotkey(cursor: &Cursor<'_>) -> Option<u8> {
    let number = cursor.number()?;
    let digit = (0..=9).find(|digit| f64::from(*digit) == number);
    if digit.is_none() {
        cursor.warn(ProblemKind::OutOfRange, format!("must be a digit, is {number}; ignored"));
    }
    digit
}

/// Tags: a list, or a text with commas.
fn read_tags(cursor: &Cursor<'_>) -> Vec<String> {
    let tags = cursor.texts();
    if cursor.value().is_string() {
        tags.iter()
            .flat_map(|text| text.split(','))
            .map(str::trim)
            .filter(|tag| !tag.is_empty())
            .map(Into::into)
            .collect()
    } else {
        tags
    }
}

/// Headers: a mapping, or one header as `Name: value`.
fn read_headers(cursor: &Cursor<'_>) -> Vec<(String, String)> {
    let Some(line) = cursor.value().as_str() else { return cursor.text_pairs() };
    match line.split_once(':') {
        Some((name, value)) => {
            cursor.warn(ProblemKind::WrongType, "should be a mapping, is a text; used as one header");
            vec![(name.trim().to_owned(), value.trim().to_owned())]
        }
        None if line.trim().is_empty() => Vec::new(),
        None => cursor.text_pairs(),
    }
}

/// Codes divided by commas or spaces: `401`, `2xx`, `200-299`. Stray quotes are stripped, the rest is ignored.
fn read_accept_codes(cursor: &Cursor<'_>) -> Vec<(u16, u16)> {
    let text = cursor.text().unwrap_or_default().replace(['\'', '"'], "");
    let mut wrong = Vec::new();
    let codes = text.split([',', ' ', ';']).filter(|part| !part.is_empty());
    let codes = codes
        .filter_map(|part| {
            accept_code(part).or_else(|| {
                wrong.push(part);
                None
            })
        })
        .collect();
    if !wrong.is_empty() {
        let wrong = brief(&wrong.join(", "));
        cursor
            .warn(ProblemKind::Malformed, format!("`{wrong}` is no status code such as 401, 2xx or 200-299; ignored"));
    }
    codes
}

fn accept_code(part: &str) -> Option<(u16, u16)> {
    let code = |text: &str| text.parse().ok().filter(|code| (100..=999).contains(code));
    if let Some(class) = part.strip_suffix("xx").or_else(|| part.strip_suffix("XX")) {
        let first = class.parse::<u16>().ok().filter(|class| (1..=9).contains(class))? * 100;
        return Some((first, first + 99));
    }
    match part.split_once('-') {
        Some((from, to)) => Some((code(from)?, code(to)?)),
        None => Some((code(part)?, code(part)?)),
    }
}
